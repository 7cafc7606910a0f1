// `--where FILTER=VALUE`: a write to all records that a list with these filters prints.
import { findLimitProblem } from "../../changes/limits.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError, usageError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import { sanitizeLine } from "../../text.ts";
import { parseLimits } from "../limits.ts";
import { findInteractiveUser, findInteractiveUserForWrite } from "../prompt-user.ts";
import type { RecordCommand } from "./command.ts";
import { list } from "./list.ts";
import { formatRecordName } from "./messages.ts";
import type { Refs } from "./refs.ts";

/** Records of the question. */
const maxLines = 10;

const getLimitName = (verb: string) => (verb === "delete" ? "max-delete" : "max-changes");

/** Adds what is missing where nobody can be asked. */
export async function validateWhere(command: RecordCommand): Promise<void> {
  const { invocation, context, verb, problems } = command;
  if (invocation.where === undefined || context.globals["dry-run"] === true) return;
  if ((await findInteractiveUser(context)) !== undefined) return;
  const limit = getLimitName(verb);
  if (invocation.flags[limit] === undefined)
    problems.push({ message: `--where needs --${limit} if there is no terminal`, hint: "--dry-run shows what it selects" });
  if (verb === "delete" && context.globals["yes"] !== true)
    problems.push(`${verb} needs a confirmation, and there is no terminal; --yes goes without`);
}

/** What `--where` selects. */
interface Selection extends Refs {
  readonly found: readonly DataRecord[];
}

/** The records that `--where` selects. Rejects with kind `usage` where a command that writes all of them would write too many. */
export async function selectRecords(command: RecordCommand): Promise<Selection> {
  const { resource, verb, invocation, context } = command;
  const report = await list(resource, verb)({ args: [], flags: { ...invocation.where, all: true }, problems: [] }, context);
  if (report.kind !== "list") throw new Error("a list was expected");
  const found: DataRecord[] = [];
  // An array is one batch.
  for await (const batch of Symbol.asyncIterator in report.records ? report.records : [report.records]) found.push(...batch);
  const refs = found.flatMap((record): Refs["refs"] => {
    const id = idOf(record);
    return id === undefined ? [] : [{ text: id, ref: { by: "id", id } }];
  });
  if (refs.length > 0) await context.notice(`--where selects ${formatCounts(resource, found)}`);
  // Of an update only what differs is written: it counts that itself.
  const counts = { writes: refs.length, deletions: verb === "delete" ? refs.length : 0 };
  const excess = verb === "update" ? undefined : findLimitProblem(counts, parseLimits(invocation));
  if (excess !== undefined) throw usageError([excess]);
  return { refs, many: true, found };
}

/** `12 events: 2027-01 3, 2027-02 9`. */
function formatCounts({ name, singular, hasDates }: Resource, found: readonly DataRecord[]): string {
  const months = new Map<string, number>();
  for (const record of found) {
    const month = getText(record, "start_date").slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + 1);
  }
  const counts = [...months].sort(([left], [right]) => (left < right ? -1 : 1)).map(([month, count]) => `${month} ${count}`);
  return `${found.length} ${found.length === 1 ? singular : name}${hasDates ? `: ${counts.join(", ")}` : ""}`;
}

/** Asks once for all of them. Rejects with kind `usage` where nobody can be asked, `declined` where the user says no. */
export async function confirmSelection(command: RecordCommand, { found }: Selection): Promise<void> {
  const { resource, verb, context } = command;
  if (found.length === 0 || context.globals["dry-run"] === true || context.globals["yes"] === true) return;
  const counts = formatCounts(resource, found);
  const user = await findInteractiveUserForWrite(context);
  if (user === undefined) {
    if (found.length === 1 && verb !== "delete") return;
    throw usageError(`${verb} of ${counts}: that needs a confirmation, and there is no terminal; nothing was sent`, {
      text: "without a question",
      flags: "--yes",
    });
  }
  const lines = found.slice(0, maxLines).map((record) => {
    const start = getText(record, "start_date").slice(0, 16);
    return `  ${sanitizeLine([formatRecordName(resource, record), start].join(" ").trim())}\n`;
  });
  const rest = found.length > maxLines ? `  and ${found.length - maxLines} more: --dry-run shows all\n` : "";
  const question = `${verb === "delete" ? "Delete" : "Change"} ${found.length === 1 ? `this ${resource.singular}` : `these ${resource.name}`}?`;
  if (!(await user.confirm(`${question}\n${lines.join("")}${rest}${counts}.`, false)))
    throw new CalError("declined", "nothing was sent", { code: "declined" });
}
