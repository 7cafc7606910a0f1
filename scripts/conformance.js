// Tests a live site with the built program: every action on every resource. Prints the results and deletes the records that it created.
import { randomBytes } from "node:crypto";
import process from "node:process";
import { createChecks } from "./conformance/checks.js";
import { deleteCreatedRecords, formatCleanup } from "./conformance/cleanup.js";
import { formatResult, formatSummary } from "./conformance/format-results.js";
import { confirmWrites, parseOptions, usageText } from "./conformance/options.js";
import { createCal } from "./conformance/program.js";
import { runChecks } from "./conformance/run-checks.js";

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`);

/** Exit codes: 0 all passed; 1 a check did not pass or a delete failed; 2 nothing was sent; 130 or 143 stopped by a signal. */
async function main() {
  const options = parseOptions(process.argv.slice(2));
  if ("help" in options) return print(usageText);
  if ("problem" in options || !(await confirmWrites(options))) {
    process.stderr.write(`conformance: ${"problem" in options ? options.problem : "nothing was done"}\n`);
    process.exitCode = 2;
    return;
  }
  const signal = createStopSignal();
  const cal = createCal(options);
  const refusal = await findDeleteRefusal(cal);
  if (refusal !== undefined) {
    process.stderr.write(`conformance: nothing was made, because this REST root would refuse to delete it: ${refusal}\n`);
    process.exitCode = 2;
    return;
  }
  /** @type {import("./conformance/run-checks.js").RunState} */
  const state = {
    marker: `calconf${randomBytes(4).toString("hex")}`,
    createdRecords: new Map(),
    trashedRecords: [],
    hasUnknownIds: false,
  };
  print(`${options.baseUrl}: every record of this run is marked ${state.marker}\n`);
  /** @type {import("./conformance/run-checks.js").CheckResult[]} */
  const results = [];
  try {
    for await (const checkResult of runChecks(createChecks(state.marker), cal, state, signal)) {
      results.push(checkResult);
      print(formatResult(checkResult));
    }
  } finally {
    const deleteFailures = await deleteCreatedRecords(cal, state);
    print(["", formatSummary(results), ...formatCleanup(deleteFailures, state)].join("\n"));
    const hasFailed = results.some(({ result }) => result !== "passed") || deleteFailures.length > 0;
    process.exitCode = signal.aborted ? signal.reason : hasFailed ? 1 : 0;
  }
}

/**
 * Deletes a record that is not there. Some web servers let DELETE pass only at another REST root; the problem of the answer says so.
 * @param {import("./conformance/program.js").Cal} cal
 */
async function findDeleteRefusal(cal) {
  const { problem, status } = await cal(["api", "DELETE", "tags/2147483647"]);
  return status === 405 ? problem : undefined;
}

/** After the first Ctrl-C the current command finishes and the cleanup runs. The second Ctrl-C exits immediately. */
function createStopSignal() {
  const controller = new AbortController();
  for (const { name, exitCode } of [
    { name: "SIGINT", exitCode: 130 },
    { name: "SIGTERM", exitCode: 143 },
  ]) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCode);
      process.stderr.write("conformance: stopping; what was made is deleted first\n");
      controller.abort(exitCode);
    });
  }
  return controller.signal;
}

// If the reader closes the pipe, the cleanup must still run.
process.stdout.on("error", () => undefined);
await main();
