// `cal events approve`: publishes events, after it has shown each with its time, its place and its conflicts, and asked once for all.
import { fetchRecord, type RecordSource, resolveRef } from "../../api/refs.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { CalError, messageOf, usageError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import { sanitizeLine } from "../../text.ts";
import type { Handler } from "../command.ts";
import { findInteractiveUserForWrite } from "../prompt-user.ts";
import { createRecordCommand, openSite, type RecordCommand, validateOutputFields } from "./command.ts";
import { formatRecordName } from "./messages.ts";
import { createOverlapGuard, type OverlapGuard } from "./no-overlap.ts";
import { getShared } from "./overlaps.ts";
import { type RefArgument, readRefs, resolveAmbiguousRef } from "./refs.ts";
import { update } from "./update.ts";

const approvedStatus = "publish";

/** The handler that publishes records of a resource. The writes are those of an update. */
export function approve(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const refs = await readRefs(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "approve", invocation, context, problems);
    const where = invocation.where === undefined ? undefined : await import("./where.ts");
    await where?.validateWhere(command);
    const site = await openSite(command);
    const chosen = (await where?.selectRecords(command)) ?? (await resolveAmbiguousRef(command, site, refs));
    const guard = createOverlapGuard(site, command.settings);
    const lines: string[] = [];
    for (const ref of chosen.refs) lines.push(sanitizeLine(await describe(command, site, guard, ref)));
    if (lines.length > 0) await confirm(command, lines);
    const { where: _where, ...rest } = invocation;
    const { where: _filters, ...flags } = invocation.flags;
    const args = chosen.refs.map(({ text }) => text);
    // One record of several that were asked for is still a list.
    const stdin = { ...context.io.stdin, text: async () => args.join("\n") };
    const asMany = { ...context, io: { ...context.io, stdin } };
    return update(resource)(
      { ...rest, args: chosen.many ? ["-"] : args, flags: { ...flags, status: approvedStatus }, problems: [] },
      chosen.many ? asMany : context,
    );
  };
}

/** `event 160 "Poetry Slam", 2027-02-14 20:30 to 22:30, Town Hall, pending; conflict: ...`. */
async function describe({ resource }: RecordCommand, site: RecordSource, guard: OverlapGuard, { ref, text }: RefArgument): Promise<string> {
  let record: DataRecord;
  try {
    record = await fetchRecord(site, resource, await resolveRef(site, resource, ref));
  } catch (error) {
    if (!(error instanceof CalError) || error.kind !== "not-found") throw error;
    return `${text}: ${messageOf(error)}`;
  }
  if (record["status"] === "trash")
    throw new CalError("rejected", `${formatRecordName(resource, record)} is in the trash; nothing was sent`, {
      code: "in-trash",
      hint: { command: `cal ${resource.name} restore ${text}` },
    });
  const [start, end] = ["start_date", "end_date"].map((key) => getText(record, key).slice(0, 16));
  const time =
    record["all_day"] === true
      ? `${start?.slice(0, 10)} to ${end?.slice(0, 10)} all day`
      : `${start} to ${end} ${getText(record, "timezone")}`;
  const places = getShared(record, "venue").map(({ id, name }) => name ?? `venue ${id}`);
  const place = places.length === 0 ? "no venue" : places.join(", ");
  const conflict = await findConflict(guard, text, record);
  return `${formatRecordName(resource, record)}, ${time.trim()}, ${place}, ${getText(record, "status")}${conflict === undefined ? "" : `; conflict: ${conflict}`}`;
}

/** With events of the site, and with those that are approved before it. */
async function findConflict(guard: OverlapGuard, key: string, record: DataRecord): Promise<string | undefined> {
  try {
    await guard.assertFree(key, record, ["status"]);
    return undefined;
  } catch (error) {
    if (error instanceof CalError && error.details.code === "overlap") return error.message.replace("; nothing was sent", "");
    throw error;
  }
}

async function confirm({ resource, context }: RecordCommand, lines: readonly string[]): Promise<void> {
  const { globals } = context;
  const isAsked = globals["yes"] !== true && globals["dry-run"] !== true;
  const user = isAsked ? await findInteractiveUserForWrite(context) : undefined;
  const what = lines.length === 1 ? `this ${resource.singular}` : `these ${lines.length} ${resource.name}`;
  if (user === undefined) {
    for (const line of lines) await context.notice(`approve ${line}`);
    if (isAsked && lines.length > 1)
      throw usageError(`publish ${what}: that needs a confirmation, and there is no terminal; nothing was sent`, {
        text: "without a question",
        flags: "--yes",
      });
    return;
  }
  const question = `Publish ${what}?\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
  if (!(await user.confirm(question, false))) throw new CalError("declined", "nothing was sent", { code: "declined" });
}
