// `cal doctor`: checks everything that a command depends on, and says what to do where something is wrong.
import { adaptHints, addCallScope } from "../../config/hint-commands.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, exitCodes, formatHints, messageOf } from "../../errors.ts";

import type { OutputOptions, ReportColumn } from "../../output/report.ts";
import { wrapToWidth } from "../../output/width.ts";
import { replaceCommands, restoreSpaces, sanitizeLine } from "../../text.ts";
import type { Handler } from "../command.ts";
import { type Check, type CheckContext, CheckSkippedError, createCheckContext, type Finding } from "./check.ts";
import { configurationCheck, journalCheck, keychainCheck, nodeCheck, programNameCheck } from "./machine.ts";
import { accessCheck, clockCheck, connectionCheck, documentationCheck, interfaceCheck, pageSizeCheck, timeZoneCheck } from "./site.ts";

/** In the order of the report: from the machine to the site. All of them only read. */
const checks: readonly Check[] = [
  nodeCheck,
  programNameCheck,
  configurationCheck,
  keychainCheck,
  journalCheck,
  connectionCheck,
  clockCheck,
  interfaceCheck,
  documentationCheck,
  pageSizeCheck,
  timeZoneCheck,
  accessCheck,
];

const columns: readonly ReportColumn[] = [
  { header: "CHECK", path: "check", kind: "id", priority: 1 },
  { header: "STATE", path: "state", kind: "id", priority: 1 },
  { header: "FOUND", path: "found", kind: "text", priority: 2, isPlain: true },
  { header: "ADVICE", path: "advice", kind: "text", priority: 3, isPlain: true },
];

/** A row of the report. */
interface CheckResult extends Finding {
  readonly check: string;
}

/** Runs all checks at once. Exit code 9 where one fails, with --strict also where one warns. */
export const doctor: Handler = async ({ flags }, context) => {
  const shared = createCheckContext(context);
  const results = await Promise.all(checks.map((check) => runCheck(check, shared)));
  const bad = results.filter(({ state }) => state === "failure" || (state === "warning" && flags["strict"] === true));
  return {
    kind: "list",
    columns,
    fieldNames: columns.map(({ path }) => path),
    records: results.map((result): DataRecord => ({ ...result })),
    text: (options) => renderResults(results, options),
    withoutSettings: true,
    exitCode: () => (bad.length === 0 ? 0 : exitCodes.findings),
  };
};

async function runCheck({ name, run }: Check, shared: CheckContext): Promise<CheckResult> {
  try {
    const { state, found, advice } = await run(shared);
    const scope = (command: string) => addCallScope(command, shared.context);
    return { check: name, state, found, ...(advice === undefined ? {} : { advice: restoreSpaces(replaceCommands(advice, scope)) }) };
  } catch (error) {
    if (error instanceof CheckSkippedError) return { check: name, state: "skipped", found: error.message };
    if (!(error instanceof CalError)) return { check: name, state: "failure", found: `the check itself failed: ${messageOf(error)}` };
    const { globals, env } = shared.context;
    const settings = await shared.settings().catch(() => undefined);
    const advice = formatHints(error.details.hint && adaptHints(error.details.hint, { globals, env, settings }), "; ");
    return { check: name, state: "failure", found: error.message.replaceAll("\n", "; "), ...(advice && { advice }) };
  }
}

/** Every state with its colour, in the order of the summary. */
const stateColors = { ok: "green", warning: "magenta", failure: "red", skipped: "dim" } as const;

/** A paragraph for each result, then how many there are of each state. Nothing is cut, because advice that is cut can't be pasted. */
function renderResults(results: readonly CheckResult[], { width, wide, style }: OutputOptions): string {
  const indent = Math.max(...results.map(({ check }) => check.length)) + 2;
  // Text in a column of less than 20 is not readable.
  const textWidth = width === undefined || wide ? Number.POSITIVE_INFINITY : Math.max(20, width - indent - 9);
  const lines = results.flatMap(({ check, state, found, advice }) => {
    const head = `${check.padEnd(indent)}${style[stateColors[state]](state)}${" ".repeat(9 - state.length)}`;
    const [first = "", ...more] = wrapToWidth(sanitizeLine(found), textWidth);
    const todo = advice === undefined ? [] : wrapToWidth(`do: ${sanitizeLine(advice)}`, textWidth).map((line) => style.cyan(line));
    return [`${head}${first}`, ...[...more, ...todo].map((line) => `${" ".repeat(indent + 9)}${line}`)];
  });
  const counts = Object.keys(stateColors)
    .map((name) => ({ name, count: results.filter(({ state }) => state === name).length }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}`);
  return `${[...lines, "", counts.join(", ")].join("\n")}\n`;
}
