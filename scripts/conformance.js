// Walks every verb of every resource on a live site with the built program, prints what passed and failed, and leaves nothing behind.
import { randomBytes } from "node:crypto";
import process from "node:process";
import { checksFor } from "./conformance/checks.js";
import { cleanUp, remains } from "./conformance/cleanup.js";
import { agreed, optionsOf, usageText } from "./conformance/options.js";
import { calOf } from "./conformance/program.js";
import { rowText, totalText } from "./conformance/table.js";
import { walk } from "./conformance/walk.js";

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`);

/** Ends with 0 where all passed, 1 where something failed or is left, 2 where nothing was done, 130 or 143 where it was stopped. */
async function main() {
  const options = optionsOf(process.argv.slice(2));
  if ("help" in options) return print(usageText);
  if ("problem" in options || !(await agreed(options))) {
    process.stderr.write(`conformance: ${"problem" in options ? options.problem : "nothing was done"}\n`);
    process.exitCode = 2;
    return;
  }
  const stop = stopping();
  const cal = calOf(options);
  /** @type {import("./conformance/walk.js").Ledger} */
  const ledger = { mark: `calconf${randomBytes(4).toString("hex")}`, made: new Map(), trashed: [], unsure: false };
  print(`${options.baseUrl}: every record of this run is marked ${ledger.mark}\n`);
  /** @type {import("./conformance/walk.js").Row[]} */
  const rows = [];
  try {
    for await (const row of walk(checksFor(ledger.mark), cal, ledger, stop)) {
      rows.push(row);
      print(rowText(row));
    }
  } finally {
    const left = await cleanUp(cal, ledger);
    print(["", totalText(rows), ...remains(left, ledger)].join("\n"));
    const failed = rows.some(({ result }) => result !== "passed") || left.length > 0;
    process.exitCode = stop.aborted ? stop.reason : failed ? 1 : 0;
  }
}

/** Ctrl-C lets the command that runs come to its end, and what was made is deleted; a second one ends at once. */
function stopping() {
  const controller = new AbortController();
  for (const { signal, code } of [
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
  ]) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code);
      process.stderr.write("conformance: stopping; what was made is deleted first\n");
      controller.abort(code);
    });
  }
  return controller.signal;
}

// Who stops reading the table still wants everything deleted.
process.stdout.on("error", () => undefined);
await main();
