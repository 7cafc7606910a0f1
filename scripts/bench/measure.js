// Runs two programs alternately, so that other load on the machine affects both, and compares the medians of time or peak memory.
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import process from "node:process";

/**
 * A program to be measured.
 * @typedef {object} Run
 * @property {readonly string[]} args of Node
 * @property {Readonly<Record<string, string>>} [env]
 * @property {string} [input] its stdin
 * @property {boolean} [replies] stdin stays open, and the time counts until its first output
 * @property {() => Promise<Prepared>} [prepare] called before each run; its time does not count
 */

/**
 * A server for one run alone.
 * @typedef {object} Prepared
 * @property {Readonly<Record<string, string>>} env the environment that selects it
 * @property {() => Promise<void>} end
 */

/** Writes the largest resident size, in KiB, to descriptor 3 at exit. */
const peakHook =
  'data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>writeSync(3,String(process.resourceUsage().maxRSS)))';

/**
 * Runs a program; resolves with the milliseconds from its start to its exit, and its peak memory in KiB if `peak`.
 * @param {string} node
 * @param {Run} run
 * @param {boolean} [peak]
 * @returns {Promise<{ ms: number, peak: number }>}
 */
export async function runOnce(node, { args, env = {}, input = "", replies = false, prepare }, peak = false) {
  const prepared = await prepare?.();
  /** @type {Promise<{ ms: number, peak: number }>} */
  const measured = new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(node, [...(peak ? ["--import", peakHook] : []), ...args], {
      env: { ...process.env, ...env, ...prepared?.env },
      stdio: ["pipe", replies ? "pipe" : "ignore", "pipe", "pipe"],
    });
    let ms = 0;
    let peakText = "";
    let stderr = "";
    child.stdio[3]?.on("data", (chunk) => (peakText += chunk));
    child.stderr?.on("data", (chunk) => (stderr += String(chunk).slice(0, 1000)));
    child.stdin?.on("error", () => undefined).write(input);
    if (!replies) child.stdin?.end();
    child.stdout?.once("data", () => {
      ms = performance.now() - start;
      child.stdin?.end();
    });
    child.on("error", reject);
    child.on("exit", () => (ms ||= performance.now() - start));
    child.on("close", (code) =>
      code === 0 ? resolve({ ms, peak: Number(peakText) }) : reject(new Error(`${args.join(" ")} ended with ${code}: ${stderr}`)),
    );
  });
  return measured.finally(prepared?.end);
}

/**
 * Runs `pairs` pairs after one that is not counted, and resolves with the median of each program: milliseconds, or KiB.
 * @param {string} node
 * @param {{ readonly ours: Run, readonly theirs: Run, readonly pairs: number, readonly peak?: boolean }} pair
 */
export async function compare(node, { ours, theirs, pairs, peak = false }) {
  const samples = { ours: /** @type {number[]} */ ([]), theirs: /** @type {number[]} */ ([]) };
  for (let index = -1; index < pairs; index++) {
    const [first, second] = [
      await runOnce(node, index % 2 === 0 ? ours : theirs, peak),
      await runOnce(node, index % 2 === 0 ? theirs : ours, peak),
    ];
    const [one, other] = index % 2 === 0 ? [first, second] : [second, first];
    if (index < 0) continue;
    samples.ours.push(peak ? one.peak : one.ms);
    samples.theirs.push(peak ? other.peak : other.ms);
  }
  return { ours: median(samples.ours), theirs: median(samples.theirs) };
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}
