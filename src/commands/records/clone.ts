// `cal <resource> clone`: a new record with the fields of another one, except where the input has a value.
import type { RecordSource } from "../../api/refs.ts";
import type { Input } from "../../api/request.ts";
import { isClearingValue, toWritableRecord } from "../../api/update.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { parseOffset } from "../../dates/duration.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import type { Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Handler, Invocation } from "../command.ts";
import { createRecordCommand, openSite, throwIfProblems, validateOutputFields } from "./command.ts";
import { createRecord, sendCreate } from "./create.ts";
import { applyShift, assertEndAfterStart, reportOffsetFromNow, resolveDates, validateShift } from "./dates.ts";
import { readInput, validateRequiredFields } from "./input.ts";
import { addPlannedRequests, resolveLinksForWrite } from "./links.ts";
import { type RefArgument, readOne, readOneRef, reportRefs } from "./refs.ts";

/** The handler that copies a record of a resource. */
export function clone(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const refs = await readOneRef(resource, invocation, context, problems);
    const input = await readInput(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "clone", invocation, context, problems);
    await resolveDates(command, input, undefined);
    problems.push(...validateShift(invocation, input), ...validateTimes(invocation));
    const site = await openSite(command);
    const { record } = await readOne(command, site, refs, "write");
    const zone = getText(record, "timezone") || command.settings.tz.value;
    const dated = await resolveDates(command, input, zone, record);
    const shifted = await applyShift(command, dated, record, zone);
    const { values, warnings } = createCloneValues(resource, record, shifted, command.serverProfile);
    problems.push(...validateRequiredFields(resource, invocation, values, problems));
    throwIfProblems(command);
    await reportOffsetFromNow(command, input, dated);
    assertEndAfterStart(resource, record, values);
    for (const warning of warnings) await context.warn(warning);
    const { times, shift } = invocation.flags;
    if (typeof times !== "number") return createRecord(command, site, values, { summaryFields: Object.keys(shifted), copied: record });
    const linked = await resolveLinksForWrite(command, site, values, { record, isNew: true });
    const copies = Array.from({ length: times }, (_, at) => {
      const text = scaleOffset(String(shift), at + 1);
      return { text, ref: { by: "name", name: text } } as const;
    });
    const createCopy = async ({ text }: RefArgument, itsSite: RecordSource) => {
      const copy = { ...command, invocation: { ...invocation, flags: { ...invocation.flags, shift: text } } };
      const { start_date, end_date, timezone } = await applyShift(copy, dated, record, zone);
      return sendCreate(command, itsSite, { ...linked.values, start_date, end_date, timezone }, linked.highestIds);
    };
    // One after the other, so that their ids follow the dates.
    const report = await reportRefs(command, site, { refs: copies, many: true }, createCopy, { concurrency: 1 });
    return addPlannedRequests(linked.plannedRequests, report);
  };
}

/** A multiple of an offset: `+3w` for `+1w`. */
function scaleOffset(offset: string, factor: number): string {
  return offset.trim().replace(/\d+/g, (count) => String(Number(count) * factor));
}

/** What is wrong with `--times`. */
function validateTimes({ flags }: Invocation): readonly string[] {
  const { times, shift } = flags;
  if (typeof times !== "number") return [];
  const [first, last] = [1, times].map((count) => scaleOffset(String(shift), count));
  const isTooFar = times > 1 && parseOffset(first ?? "") !== undefined && parseOffset(last ?? "") === undefined;
  return [
    ...(times < 1 ? ["--times takes a number from 1"] : []),
    ...(isTooFar ? [`--times ${times} goes too far: the last copy would be moved by ${last}`] : []),
    ...(shift === undefined ? ["--times needs --shift: --shift +1w moves each copy one week after the one before"] : []),
  ];
}

/** Fields that belong to one record only: its slug, and when and by whom it was created. */
const excludedFields = ["slug", "date", "date_utc", "author"];

/** Statuses that need a date of publication, or in which no record is created. */
const excludedStatuses = ["future", "trash"];

/** The values of the copy, and warnings about what can't be copied. A field that the input empties is left out: a new record has nothing to empty. */
function createCloneValues(resource: Resource, record: DataRecord, input: Input, profile: ServerProfile) {
  const end = computeCloneEnd(record, input);
  const copied: Record<string, unknown> = { ...toWritableRecord(resource, record, profile), ...end.values };
  const warnings = [...end.warnings];
  for (const name of excludedFields) delete copied[name];
  const rendered = resource.fields.filter(({ name, format }) => profile.rendersText && format === "html" && copied[name] !== undefined);
  const lost = rendered.filter(({ name }) => input[name] === undefined && !isClearingValue(copied[name])).map(({ name }) => name);
  for (const { name } of rendered) delete copied[name];
  if (lost.length > 0) {
    const flags = lost.map((name) => `--${name}`).join(", ");
    warnings.push(`not copied: ${lost.join(", ")}; this server returns only rendered HTML; give it again with ${flags}`);
  }
  if (input["status"] === undefined && excludedStatuses.includes(String(copied["status"]))) {
    warnings.push(`the copy is a draft: the status ${String(copied["status"])} is not copied`);
    copied["status"] = "draft";
  }
  const values = Object.fromEntries(Object.entries({ ...copied, ...input }).filter(([name]) => !isClearingValue(input[name])));
  return { values, warnings };
}

/** With a new start alone the copy has the duration of the record, by local times. An end that a clock change skips is moved forward. */
function computeCloneEnd(record: DataRecord, input: Input): { readonly values: Input; readonly warnings: readonly string[] } {
  const none = { values: {}, warnings: [] };
  if (input["start_date"] === undefined || input["end_date"] !== undefined) return none;
  const [start, end, newStart] = [record["start_date"], record["end_date"], input["start_date"]].map((wall) =>
    wallToEpoch(String(wall), "UTC"),
  );
  if (start === undefined || end === undefined || newStart === undefined) return none;
  const wall = epochToWall(newStart + end - start, "UTC");
  if (wall === undefined) return none;
  const zone = String(input["timezone"]);
  const existing = epochToWall(wallToEpoch(wall, zone) ?? Number.NaN, zone) ?? wall;
  const warnings = existing === wall ? [] : [`${wall} does not exist in ${zone}: ${existing} is taken`];
  return { values: { end_date: existing }, warnings };
}
