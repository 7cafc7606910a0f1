// `cal <resource> clone`: a new record with the fields of another one, except where the input has a value.
import type { RecordSource } from "../../api/refs.ts";
import type { Input } from "../../api/request.ts";
import { findHtmlWarnings, findPriceWarnings } from "../../api/write-warnings.ts";
import { findLimitProblem } from "../../changes/limits.ts";
import { getText } from "../../data-record.ts";
import { parseOffset } from "../../dates/duration.ts";
import type { Problem } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import type { Handler, Invocation } from "../command.ts";
import { parseLimits } from "../limits.ts";
import { endOnLastDay } from "./all-day.ts";
import { createCloneValues } from "./clone-values.ts";
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
function validateTimes({ flags }: Invocation): readonly (string | Problem)[] {
  const { times, shift } = flags;
  if (typeof times !== "number") return [];
  const excess = findLimitProblem({ writes: times, deletions: 0 }, parseLimits({ flags }));
  const [first, last] = [1, times].map((count) => scaleOffset(String(shift), count));
  const isTooFar = times > 1 && parseOffset(first ?? "") !== undefined && parseOffset(last ?? "") === undefined;
  return [
    ...(excess === undefined ? [] : [excess]),
    ...(times < 1 ? ["--times takes a number from 1"] : []),
    ...(isTooFar ? [`--times ${times} goes too far: the last copy would be moved by ${last}`] : []),
    ...(shift === undefined ? ["--times needs --shift: --shift +1w moves each copy one week after the one before"] : []),
  ];
}
