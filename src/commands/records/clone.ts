// `cal <resource> clone`: a new record with the fields of another one, and what was given laid over them.
import type { Input } from "../../api/request.ts";
import { isClearingValue, toWritableRecord } from "../../api/update.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { parseOffset } from "../../dates/duration.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import type { Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Report } from "../../output/report.ts";
import type { Handler, Invocation } from "../command.ts";
import { callOf, openSite, type RecordSite, type Scene, sceneOf, throwIfProblems } from "./command.ts";
import { createRecord, resolveLinkedValues, sendCreate } from "./create.ts";
import { applyDates, applyShift, assertEndAfterStart, reportOffsetFromNow, validateShift } from "./dates.ts";
import { readInput, validateRequiredFields } from "./input.ts";
import { reportRefs, resolveManyOptions } from "./many.ts";
import { summarizeCreated } from "./messages.ts";
import { addPlannedRequests } from "./missing-links.ts";
import { type RefArgument, readOne, readOneRef, validateOutputFields } from "./refs.ts";

/** The handler that copies a record of a resource. */
export function clone(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "clone", invocation, context);
    call.problems.push(...validateOutputFields(call));
    const refs = await readOneRef(call);
    const given = await readInput(call);
    const scene = await sceneOf(call);
    await applyDates(scene, given, undefined);
    scene.problems.push(...validateShift(given, invocation), ...validateTimes(invocation));
    const site = await openSite(scene);
    const { record } = await readOne(scene, site, refs, "write");
    const zone = getText(record, "timezone") || site.zone;
    const dated = await applyDates(scene, given, zone, record);
    const moved = await applyShift(scene, dated, record, zone);
    const { values, warnings } = createCloneValues(resource, record, moved, site.serverProfile);
    scene.problems.push(...validateRequiredFields(scene, values));
    throwIfProblems(scene);
    await reportOffsetFromNow(scene, given, dated);
    assertEndAfterStart(resource, record, values);
    for (const warning of warnings) await context.warn(warning);
    const { times } = invocation.flags;
    if (typeof times === "number") return cloneRepeatedly(scene, site, { record, input: dated, values, zone, times });
    return summarizeCreated(resource, await createRecord(scene, site, values, record), moved);
  };
}

/** An offset so many times: `+3w` for `+1w`. */
function scaleOffset(offset: string, times: number): string {
  return offset.trim().replace(/\d+/g, (count) => String(Number(count) * times));
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
    ...(shift === undefined ? ["--times needs --shift with it: --shift +1w moves each copy a week on from the one before"] : []),
  ];
}

/** What is copied several times. */
interface RepeatedClone {
  readonly record: DataRecord;
  readonly input: Input;
  /** Of the first copy, links not yet looked up. */
  readonly values: Input;
  readonly zone: string;
  readonly times: number;
}

/** A copy for each time, moved so many times as far; one after the other, so that their ids follow the dates. */
async function cloneRepeatedly(scene: Scene, site: RecordSite, { record, input, values, zone, times }: RepeatedClone): Promise<Report> {
  const { resource, invocation, context } = scene;
  const linked = await resolveLinkedValues(scene, site, values, record);
  const refs = Array.from({ length: times }, (_, at) => {
    const text = scaleOffset(String(invocation.flags["shift"]), at + 1);
    return { text, ref: { by: "name", name: text } } as const;
  });
  const work = async ({ text }: RefArgument) => {
    const moved = { ...scene, invocation: { ...invocation, flags: { ...invocation.flags, shift: text } } };
    const { start_date, end_date, timezone } = await applyShift(moved, input, record, zone);
    return sendCreate(scene, site, { ...linked.values, start_date, end_date, timezone });
  };
  const options = { ...(await resolveManyOptions(invocation, context)), concurrency: 1 };
  return addPlannedRequests(linked.plannedRequests, await reportRefs(resource, { refs, many: true }, options, work));
}

/** Of a record's own: its name in the address, when and by whom it was made. */
const excludedFields = ["slug", "date", "date_utc", "author"];

/** States that only come with a date of publication, or that nobody creates a record in. */
const excludedStatuses = ["future", "trash"];

/** The values of the copy, and what of the record it can't take over. What was given empty is left out: the new record has nothing to empty. */
function createCloneValues(resource: Resource, record: DataRecord, given: Input, kind: ServerProfile) {
  const end = computeCloneEnd(record, given);
  const copied: Record<string, unknown> = { ...toWritableRecord(resource, record, kind), ...end.values };
  const warnings = [...end.warnings];
  for (const name of excludedFields) delete copied[name];
  const rendered = resource.fields.filter(({ name, format }) => kind.rendersText && format === "html" && copied[name] !== undefined);
  const lost = rendered.filter(({ name }) => given[name] === undefined && !isClearingValue(copied[name])).map(({ name }) => name);
  for (const { name } of rendered) delete copied[name];
  if (lost.length > 0) {
    const flags = lost.map((name) => `--${name}`).join(", ");
    warnings.push(`not copied: ${lost.join(", ")}; this server tells only how it looks on the page, give it anew with ${flags}`);
  }
  if (given["status"] === undefined && excludedStatuses.includes(String(copied["status"]))) {
    warnings.push(`the copy is a draft: the status ${String(copied["status"])} is not copied`);
    copied["status"] = "draft";
  }
  const values = Object.fromEntries(Object.entries({ ...copied, ...given }).filter(([name]) => !isClearingValue(given[name])));
  return { values, warnings };
}

/** Where only a new start was given, the copy lasts as long on the clock as the record; an end that the clocks skip is moved forward. */
function computeCloneEnd(record: DataRecord, given: Input): { readonly values: Input; readonly warnings: readonly string[] } {
  const none = { values: {}, warnings: [] };
  if (given["start_date"] === undefined || given["end_date"] !== undefined) return none;
  const [start, end, moved] = [record["start_date"], record["end_date"], given["start_date"]].map((wall) =>
    wallToEpoch(String(wall), "UTC"),
  );
  if (start === undefined || end === undefined || moved === undefined) return none;
  const wall = epochToWall(moved + end - start, "UTC");
  if (wall === undefined) return none;
  const zone = String(given["timezone"]);
  const taken = epochToWall(wallToEpoch(wall, zone) ?? Number.NaN, zone) ?? wall;
  const warnings = taken === wall ? [] : [`${wall} does not exist in ${zone}: ${taken} is taken`];
  return { values: { end_date: taken }, warnings };
}
