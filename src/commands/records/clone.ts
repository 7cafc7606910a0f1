// `cal <resource> clone`: a new record with the fields of another one, except where the input has a value.
import { planPrice } from "../../api/price.ts";
import type { RecordSource } from "../../api/refs.ts";
import type { Input } from "../../api/request.ts";
import { type CurrentRecord, isClearingValue, toWritableRecord } from "../../api/update.ts";
import { findHtmlWarnings, findPriceWarnings } from "../../api/write-warnings.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { parseOffset } from "../../dates/duration.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Handler, Invocation } from "../command.ts";
import { endOnLastDay, isAllDay, moveEndToLastDay } from "./all-day.ts";
import { createRecordCommand, openSite, throwIfProblems, validateOutputFields } from "./command.ts";
import { createRecord, sendCreate } from "./create.ts";
import { applyShift, assertEndAfterStart, reportOffsetFromNow, resolveDates, validateShift } from "./dates.ts";
import { prepareImage, readInput, validateRequiredFields } from "./input.ts";
import { addPlannedRequests, resolveLinksForWrite } from "./links.ts";
import { warnBeforeWrite } from "./messages.ts";
import { type RefArgument, readOneForWrite, readOneRef, reportRefs } from "./refs.ts";
import { applyStartTime, validateStartTime } from "./start-time.ts";

/** The handler that copies a record of a resource. */
export function clone(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const refs = await readOneRef(resource, invocation, context, problems);
    const input = await readInput(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "clone", invocation, context, problems);
    await resolveDates(command, input, undefined);
    await validateStartTime(invocation, input, problems);
    problems.push(...validateShift(invocation, input), ...validateTimes(invocation));
    const writeWithImage = await prepareImage(command, input);
    const site = await openSite(command);
    const { current } = await readOneForWrite(command, site, refs);
    const { record } = current;
    const zone = getText(record, "timezone") || command.settings.tz.value;
    const dated = await resolveDates(command, input, zone, record);
    const moved = await applyStartTime(command, await applyShift(command, dated, record, zone), record, zone);
    const shifted = await endOnLastDay(command, moved, record);
    const { values, warnings, price } = createCloneValues(resource, current, shifted, command.serverProfile);
    problems.push(...validateRequiredFields(resource, invocation, values, problems));
    throwIfProblems(command);
    await reportOffsetFromNow(command, input, dated);
    assertEndAfterStart(resource, record, values);
    for (const warning of warnings) await context.warn(warning);
    const html = current.raw?.allowsAnyHtml === false ? findHtmlWarnings(resource, values) : [];
    await warnBeforeWrite(command, record, [...findPriceWarnings(record, price), ...html]);
    const original = { record, input: shifted, price };
    const { times, shift } = invocation.flags;
    if (typeof times !== "number")
      return writeWithImage(site, values, (ready) => createRecord(command, site, ready, { summaryFields: Object.keys(shifted), original }));
    const linked = await resolveLinksForWrite(command, site, values, { record, isNew: true });
    const copies = Array.from({ length: times }, (_, at) => {
      const text = scaleOffset(String(shift), at + 1);
      return { text, ref: { by: "name", name: text } } as const;
    });
    const createCopy = async (ready: Input, { text }: RefArgument, itsSite: RecordSource) => {
      const copy = { ...command, invocation: { ...invocation, flags: { ...invocation.flags, shift: text } } };
      const { start_date, end_date, timezone } = await endOnLastDay(copy, await applyShift(copy, dated, record, zone), record);
      const copyValues = { ...ready, start_date, end_date, timezone };
      const created = await sendCreate(command, itsSite, copyValues, linked.highestIds, original);
      return created instanceof PlannedRequest ? [created] : created;
    };
    // One after the other, so that their ids follow the dates.
    const report = await writeWithImage(site, linked.values, (ready) =>
      reportRefs(command, site, { refs: copies, many: true }, (ref, itsSite) => createCopy(ready, ref, itsSite), { concurrency: 1 }),
    );
    return addPlannedRequests(linked.plannedRequests, report);
  };
}

/** A multiple of an offset: `+3w` for `+1w`. */
function scaleOffset(offset: string, factor: number): string {
  return offset.trim().replace(/\d+/g, (count) => String(Number(count) * factor));
}

/** What is wrong with `--times`. */
function validateTimes({ flags }: Invocation): readonly string[] {
  const { times, shift, "max-changes": most } = flags;
  if (typeof times !== "number") return [];
  const [first, last] = [1, times].map((count) => scaleOffset(String(shift), count));
  const isTooFar = times > 1 && parseOffset(first ?? "") !== undefined && parseOffset(last ?? "") === undefined;
  return [
    ...(typeof most === "number" && times > most ? [`${times} records would be written, --max-changes allows ${most}`] : []),
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
function createCloneValues(resource: Resource, current: CurrentRecord, input: Input, profile: ServerProfile) {
  const { record, raw } = current;
  const end = computeCloneEnd(record, input);
  const copied: Record<string, unknown> = { ...toWritableRecord(resource, current, profile), ...end.values };
  const price = profile.rendersText && copied["cost"] !== undefined && input["cost"] === undefined ? planPrice(record, raw) : undefined;
  if (price !== undefined) copied["cost"] = price.cost;
  const warnings = [...end.warnings];
  for (const name of excludedFields) delete copied[name];
  const rendered = resource.fields.filter(({ name, format }) => profile.rendersText && format === "html" && copied[name] !== undefined);
  const isStored = (name: string) => raw?.values[name] !== undefined;
  const lost = rendered
    .filter(({ name }) => input[name] === undefined && !isStored(name) && !isClearingValue(copied[name]))
    .map(({ name }) => name);
  for (const { name } of rendered) if (!isStored(name) || isClearingValue(copied[name])) delete copied[name];
  if (lost.length > 0) {
    const flags = lost.map((name) => `--${name}`).join(", ");
    warnings.push(`not copied: ${lost.join(", ")}; this server returns only rendered HTML; give it again with ${flags}`);
  }
  if (input["status"] === undefined && excludedStatuses.includes(String(copied["status"]))) {
    warnings.push(`the copy is a draft: the status ${String(copied["status"])} is not copied`);
    copied["status"] = "draft";
  }
  const values = Object.fromEntries(Object.entries({ ...copied, ...input }).filter(([name]) => !isClearingValue(input[name])));
  return { values: moveEndToLastDay(values), warnings, price };
}

/** With a new start alone the copy has the duration of the record, by local times. An end that a clock change skips is moved forward. */
function computeCloneEnd(record: DataRecord, input: Input): { readonly values: Input; readonly warnings: readonly string[] } {
  const none = { values: {}, warnings: [] };
  if (input["start_date"] === undefined || input["end_date"] !== undefined) return none;
  // The copy of an event that lasts all day takes as many days, whatever the hour of its start.
  const toStart = (wall: unknown) => (isAllDay(input, record) ? `${String(wall).slice(0, 10)} 00:00:00` : String(wall));
  const [start, end, newStart] = [toStart(record["start_date"]), String(record["end_date"]), toStart(input["start_date"])].map((wall) =>
    wallToEpoch(wall, "UTC"),
  );
  if (start === undefined || end === undefined || newStart === undefined) return none;
  const wall = epochToWall(newStart + end - start, "UTC");
  if (wall === undefined) return none;
  const zone = String(input["timezone"]);
  const existing = epochToWall(wallToEpoch(wall, zone) ?? Number.NaN, zone) ?? wall;
  const warnings = existing === wall ? [] : [`${wall} does not exist in ${zone}: ${existing} is taken`];
  return { values: { end_date: existing }, warnings };
}
