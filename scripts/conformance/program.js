// One call of the built program: arguments in, what it printed out.
import { spawn } from "node:child_process";
import process from "node:process";
import { text } from "node:stream/consumers";

/**
 * @typedef {object} Answer
 * @property {number | null} code
 * @property {unknown} value the JSON of stdout; undefined where there is none
 * @property {string} problem why it failed, in one line; "" where it did not
 * @property {string} serverCode the server's own word for the problem, or ""
 * @property {string[]} findings what the program warned of
 */

/** @typedef {(args: readonly string[], stdin?: string) => Promise<Answer>} Cal */

/** Settings that would lead elsewhere, or mix with what is read from stderr. */
const unset = ["CAL_SANDBOX", "CAL_DEBUG", "CAL_PROFILE", "CAL_PER_PAGE"];

/**
 * A function that runs the program for one site. The zone is fixed, so that the same dates are sent everywhere.
 * @param {import("./options.js").Options} options
 * @returns {Cal}
 */
export function calOf({ program, baseUrl, namespace }) {
  const kept = Object.entries(process.env).filter(([name]) => !unset.includes(name));
  const env = { ...Object.fromEntries(kept), CAL_TZ: "UTC", CAL_NO_INPUT: "1" };
  const site = ["--json", "--base-url", baseUrl, ...(namespace === undefined ? [] : ["--namespace", namespace])];
  return async (args, stdin = "") => {
    // A process group of its own: Ctrl-C must not cut a write short, or nobody would know what was made.
    const child = spawn(process.execPath, [program, ...args, ...site], { env, detached: true, stdio: "pipe" });
    child.stdin.on("error", () => undefined).end(stdin);
    /** @type {Promise<number | null>} */
    const ended = new Promise((resolve, reject) => void child.on("error", reject).on("close", resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return answerOf(code, stdout, stderr.split("\n"));
  };
}

/**
 * @param {number | null} code
 * @param {string} stdout
 * @param {readonly string[]} told
 * @returns {Answer}
 */
function answerOf(code, stdout, told) {
  const { code: serverCode = "", message } = told.map(errorIn).find((error) => error !== undefined) ?? {};
  const value = jsonOf(stdout);
  const unread = value === undefined && code === 0 ? "stdout is no JSON" : "";
  return {
    code,
    value,
    problem: code === 0 ? unread : `exit ${code}: ${message ?? told.join(" ").trim()}`,
    serverCode,
    findings: told.filter((line) => line.startsWith("warning: ")).map((line) => line.slice("warning: ".length)),
  };
}

/**
 * @param {string} line
 * @returns {{ code?: string, message?: string } | undefined}
 */
function errorIn(line) {
  return line.startsWith('{"error":') ? JSON.parse(line).error : undefined;
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
