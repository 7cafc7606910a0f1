// Runs one command of the built program and parses its output.
import { spawn } from "node:child_process";
import process from "node:process";
import { text } from "node:stream/consumers";

/**
 * @typedef {object} CommandResult
 * @property {number | null} code exit code
 * @property {unknown} value the JSON of stdout; undefined if stdout is not JSON
 * @property {string} problem why the command failed, in one line; "" if it succeeded
 * @property {string} serverCode the error code of the server, or ""
 * @property {number} status the HTTP status of the error, or 0
 * @property {string[]} findings the warnings of the program
 */

/** @typedef {(args: readonly string[], stdin?: string) => Promise<CommandResult>} Cal */

/** Environment variables that select another site or change the output. */
const ignoredVariables = ["CAL_SANDBOX", "CAL_DEBUG", "CAL_PROFILE", "CAL_PER_PAGE"];

/**
 * Creates a function that runs the program for one site. The time zone is fixed, so every run sends the same dates.
 * @param {import("./options.js").Options} options
 * @returns {Cal}
 */
export function createCal({ program, baseUrl, namespace }) {
  const inherited = Object.entries(process.env).filter(([name]) => !ignoredVariables.includes(name));
  const env = { ...Object.fromEntries(inherited), CAL_TZ: "UTC", CAL_NO_INPUT: "1" };
  const siteArgs = ["--json", "--base-url", baseUrl, ...(namespace === undefined ? [] : ["--namespace", namespace])];
  return async (args, stdin = "") => {
    // A separate process group: Ctrl-C must not interrupt a write, because then the id of a created record is unknown.
    const child = spawn(process.execPath, [program, ...args, ...siteArgs], { env, detached: true, stdio: "pipe" });
    child.stdin.on("error", () => undefined).end(stdin);
    /** @type {Promise<number | null>} */
    const closed = new Promise((resolve, reject) => void child.on("error", reject).on("close", resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return parseOutput(code, stdout, stderr.split("\n"));
  };
}

/**
 * @param {number | null} code
 * @param {string} stdout
 * @param {readonly string[]} stderrLines
 * @returns {CommandResult}
 */
function parseOutput(code, stdout, stderrLines) {
  const { code: serverCode = "", message, status = 0 } = stderrLines.map(parseError).find((error) => error !== undefined) ?? {};
  const value = parseJson(stdout);
  const jsonProblem = value === undefined && code === 0 ? "stdout is no JSON" : "";
  return {
    code,
    value,
    problem: code === 0 ? jsonProblem : `exit ${code}: ${message ?? stderrLines.join(" ").trim()}`,
    serverCode,
    status,
    findings: stderrLines.filter((line) => line.startsWith("warning: ")).map((line) => line.slice("warning: ".length)),
  };
}

/**
 * @param {string} line
 * @returns {{ code?: string, message?: string, status?: number } | undefined}
 */
function parseError(line) {
  return line.startsWith('{"error":') ? JSON.parse(line).error : undefined;
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
