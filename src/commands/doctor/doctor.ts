// `cal doctor`: looks at everything that a command depends on, and says what to do where something is wrong.
import type { Context } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, exitCodes, formatHints, messageOf } from "../../errors.ts";
import type { Column } from "../../model/resource.ts";
import { once } from "../../once.ts";
import type { OutputOptions } from "../../output/report.ts";
import { wrapToWidth } from "../../output/width.ts";
import { sanitizeLine } from "../../text.ts";
import type { Handler } from "../command.ts";
import {
  type Check,
  type CheckContext,
  CheckSkippedError,
  type CheckState,
  createCheckClient,
  fetchRestRoot,
  type NamedFinding,
  resolveLogin,
} from "./check.ts";
import { configurationCheck, keychainCheck, nodeCheck, programNameCheck, testKeychain } from "./machine.ts";
import { accessCheck, clockCheck, connectionCheck, documentationCheck, interfaceCheck, pageSizeCheck, timeZoneCheck } from "./site.ts";

const columns: readonly Column[] = [
  { header: "CHECK", path: "check", kind: "id", priority: 1 },
  { header: "STATE", path: "state", kind: "id", priority: 1 },
  { header: "FOUND", path: "found", kind: "text", priority: 2 },
  { header: "ADVICE", path: "advice", kind: "text", priority: 3 },
];

/** Makes all checks at once. Exit code 9 where one fails, with --strict also where one warns. */
export const doctor: Handler = async ({ flags }, context) => {
  const evidence = createCheckContext(context);
  const rows = await Promise.all(checks.map((check) => runCheck(check, evidence)));
  const bad = rows.filter(({ state }) => state === "failure" || (state === "warning" && flags["strict"] === true));
  return {
    kind: "list",
    columns,
    fieldNames: columns.map(({ path }) => path),
    records: rows.map((row): DataRecord => ({ ...row })),
    text: (view) => renderFindings(rows, view),
    withoutSettings: true,
    exitCode: () => (bad.length === 0 ? 0 : exitCodes.findings),
  };
};

async function runCheck({ name, run }: Check, evidence: CheckContext): Promise<NamedFinding> {
  try {
    const { state, found, advice } = await run(evidence);
    return { check: name, state, found, ...(advice === undefined ? {} : { advice }) };
  } catch (error) {
    if (error instanceof CheckSkippedError) return { check: name, state: "skipped", found: error.message };
    if (!(error instanceof CalError)) return { check: name, state: "failure", found: `the check itself failed: ${messageOf(error)}` };
    const { hint } = error.details;
    return {
      check: name,
      state: "failure",
      found: error.message.replaceAll("\n", "; "),
      ...(hint === undefined ? {} : { advice: formatHints(hint) }),
    };
  }
}

// Every check of `cal doctor`, in the order in which they are told: from the machine to the site.

/** The checks. All of them only read. */
const checks: readonly Check[] = [
  nodeCheck,
  programNameCheck,
  configurationCheck,
  keychainCheck,
  connectionCheck,
  clockCheck,
  interfaceCheck,
  documentationCheck,
  pageSizeCheck,
  timeZoneCheck,
  accessCheck,
];

// One examination: each part of the evidence is asked for once, by whichever check comes first.

/** The evidence of one examination; nothing is looked at before it is asked for. */
function createCheckContext(context: Context): CheckContext {
  const settings = once(() => skipOnError(context.settings(), "the settings can't be read"));
  const restRoot = once(async () => fetchRestRoot(context, await settings()));
  const requireRestRoot = once(() => skipOnError(restRoot(), "the site can't be reached"));
  const keychainError = once(() => testKeychain(context));
  const login = once(async () => {
    await requireRestRoot();
    return resolveLogin(context, await settings(), keychainError);
  });
  const client = once(async () => createCheckClient(context, await settings(), await login().catch(() => ({}))));
  return {
    context,
    settings,
    restRoot,
    requireRestRoot,
    keychainError,
    login,
    client: async () => {
      await requireRestRoot();
      return client();
    },
  };
}

/** Turns a failure that another check tells into the reason why this one is skipped. */
async function skipOnError<T>(part: Promise<T>, why: string): Promise<T> {
  try {
    return await part;
  } catch (error) {
    throw error instanceof CalError ? new CheckSkippedError(why) : error;
  }
}

// The findings as people read them: nothing is cut, because an advice that is cut can't be pasted.

const stateColors: Readonly<Record<CheckState, "green" | "magenta" | "red" | "dim">> = {
  ok: "green",
  warning: "magenta",
  failure: "red",
  skipped: "dim",
};

/** Narrower than this, text is not readable, whatever the terminal. */
const minWidth = 20;

/** A paragraph for each finding, then how many there are of each state. */
function renderFindings(rows: readonly NamedFinding[], view: OutputOptions): string {
  const indent = Math.max(...rows.map(({ check }) => check.length)) + 2;
  const width = view.width === undefined || view.wide ? Number.POSITIVE_INFINITY : Math.max(minWidth, view.width - indent - 9);
  const lines = rows.flatMap(({ check, state, found, advice }) => {
    const head = `${check.padEnd(indent)}${view.style[stateColors[state]](state)}${" ".repeat(9 - state.length)}`;
    const rest = " ".repeat(indent + 9);
    const [first = "", ...more] = wrapToWidth(sanitizeLine(found), width);
    const todo = advice === undefined ? [] : wrapToWidth(`do: ${sanitizeLine(advice)}`, width).map((line) => view.style.cyan(line));
    return [`${head}${first}`, ...[...more, ...todo].map((line) => `${rest}${line}`)];
  });
  return `${[...lines, "", formatStateCounts(rows)].join("\n")}\n`;
}

function formatStateCounts(rows: readonly NamedFinding[]): string {
  const states = ["ok", "warning", "failure", "skipped"] as const;
  return states
    .map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(", ");
}
