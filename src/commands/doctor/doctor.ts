// `cal doctor`: looks at everything that a command depends on, and says what to do where something is wrong.
import { CalError, exitCodes, messageOf } from "../../errors.ts";
import type { DataRecord } from "../../output/report.ts";
import type { Column } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { checks } from "./checks.ts";
import type { CheckContext } from "./evidence.ts";
import { createCheckContext } from "./examination.ts";
import type { Check, NamedFinding } from "./finding.ts";
import { renderFindings } from "./page.ts";
import { CheckSkippedError } from "./unready.ts";

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
    return { check: name, state: "failure", found: error.message.replaceAll("\n", "; "), ...(hint === undefined ? {} : { advice: hint }) };
  }
}
