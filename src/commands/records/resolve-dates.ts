// The dates among what was given: from the grammar to the interface's form, in the record's zone.
import type { Input } from "../../api/request.ts";
import { normalizeDateTime } from "../../api/update.ts";
import { parseTime } from "../../dates/day.ts";
import { parseDuration } from "../../dates/duration.ts";
import { addDuration, convertToZone, type Moment, parseDate, wallToMoment } from "../../dates/parse.ts";
import { getDurationWarnings } from "../../dates/shift.ts";
import { requireZone, shiftDays } from "../../dates/zone.ts";
import { usageError } from "../../errors.ts";
import { type Field, getFieldFlagName } from "../../model/resource.ts";
import { type Call, type Problems, tryParseFlag } from "./command.ts";

/** Where and when dates are read. */
export interface DateContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone in which the event keeps its times. Absent where that is not known yet: then only the grammar is checked. */
  readonly zone: string | undefined;
  /** The zone in which typed times are read (`--tz`), where it is not the event's own. */
  readonly inputZone: string | undefined;
  /** The zone in which the site keeps its publication dates. */
  readonly siteZone: string;
  /** The length that was typed: it makes the end from the start. */
  readonly duration: string | undefined;
  /** The start that the record has, as it came. */
  readonly recordStart?: unknown;
}

/** A date that was given without a time. */
export interface DateOnlyInput {
  /** The field. */
  readonly name: string;
  readonly text: string;
  /** On the clock on which it was typed. */
  readonly inputMoment: Moment;
  /** On the clock on which it is kept. */
  readonly storedMoment: Moment;
}

/** Dates settled to `YYYY-MM-DD HH:MM:SS`, and what the user should know about them. */
export interface ResolvedDates {
  readonly values: Input;
  readonly warnings: readonly string[];
  readonly dateOnlyInputs: readonly DateOnlyInput[];
}

/** Turns every date of `values` into wall-clock time of its zone. */
export function resolveDates(
  { resource, problems }: Pick<Call, "resource" | "problems">,
  values: Input,
  frame: DateContext,
): ResolvedDates {
  const { duration } = frame;
  const moments = new Map<string, Moment>();
  const dateOnlyInputs: DateOnlyInput[] = [];
  let startAsTyped: Moment | undefined;
  for (const field of resource.fields.filter(({ format }) => format === "date-time")) {
    const text = values[field.name];
    if (typeof text !== "string" || text === "") continue;
    const moment = tryParseFlag(getFieldFlagName(field), problems, () => parseMoment(field, text, frame, startAsTyped));
    if (moment === undefined) continue;
    const own = getFieldZone(field, frame);
    const storedMoment = tryParseFlag(getFieldFlagName(field), problems, () => convertToZone(moment, own));
    if (storedMoment === undefined) continue;
    moments.set(field.name, storedMoment);
    if (field.name === "start_date") startAsTyped = moment;
    if (moment.precision !== "time") dateOnlyInputs.push({ name: field.name, text, inputMoment: moment, storedMoment });
  }
  const typedStart = moments.get("start_date");
  const start = typedStart ?? getRecordStart(frame);
  const end = resolveEndFromDuration(start, values, frame, problems) ?? moments.get("end_date");
  if (end !== undefined) moments.set("end_date", end);
  if ((frame.zone ?? frame.inputZone) !== undefined && typedStart !== undefined && end !== undefined && end.epoch < typedStart.epoch)
    problems.push("--end-date is before --start-date");
  const walls = Object.fromEntries([...moments].map(([name, { wall }]) => [name, wall]));
  const resolved = { values: { ...values, ...walls }, dateOnlyInputs };
  const warnings = [...moments.values()].flatMap((moment) => moment.warnings);
  if (start === undefined || end === undefined || values["all_day"] === true) return { ...resolved, warnings };
  const length = tryParseFlag(duration === undefined ? "end-date" : "duration", problems, () => getDurationWarnings({ start, end })) ?? [];
  return { ...resolved, warnings: [...warnings, ...length] };
}

/** Publication dates are on the site's clock or in UTC, all others on the event's. */
function getFieldZone({ name }: Field, { zone, siteZone }: DateContext): string {
  if (name.endsWith("_utc")) return "UTC";
  return name === "date" ? siteZone : (zone ?? "UTC");
}

/** As it was typed: not yet on the clock on which it is kept. */
function parseMoment(field: Field, text: string, frame: DateContext, start: Moment | undefined): Moment {
  if (field.name === "end_date") assertNotTimeOnly(text.trim(), start);
  const own = getFieldZone(field, frame);
  const zone = field.name.endsWith("_utc") ? own : (frame.inputZone ?? own);
  return parseDate(text, { now: frame.now, zone, side: field.name.startsWith("end") ? "end" : "start" });
}

/** A time alone as an end means the day of the start, or the next one; nothing is guessed, but that is what to write. */
function assertNotTimeOnly(text: string, start: Moment | undefined): void {
  const time = parseTime(text.toLowerCase())?.toString().slice(0, 5);
  if (time === undefined) return;
  const day = start?.wall.slice(0, 10) ?? "YYYY-MM-DD";
  const isNext = start !== undefined && time <= start.wall.slice(11, 16);
  throw usageError(`"${text}" is not a date: a time needs a day`, `write "${isNext ? shiftDays(day, 1) : day} ${time}"`);
}

/** The start of the record, on the clock that its zone has or gets. */
function getRecordStart({ recordStart, zone }: DateContext): Moment | undefined {
  const wall = normalizeDateTime(recordStart);
  return wall === undefined || zone === undefined ? undefined : wallToMoment(wall, zone);
}

/** Where a length was typed; undefined where it gives no end. */
function resolveEndFromDuration(
  start: Moment | undefined,
  values: Input,
  { duration, zone }: DateContext,
  problems: Problems,
): Moment | undefined {
  if (duration === undefined) return undefined;
  const length = tryParseFlag("duration", problems, () => parseDuration(duration));
  if (values["end_date"] !== undefined) problems.push("--duration and --end-date exclude each other");
  else if (start === undefined && values["start_date"] === undefined && zone !== undefined)
    problems.push("--duration needs --start-date with it");
  else if (start !== undefined && length !== undefined) return tryParseFlag("duration", problems, () => addDuration(start, length));
  return undefined;
}

/** The zone that `--timezone` names, checked; undefined where it was not given. */
export function parseInputZone(values: Input, problems: Problems): string | undefined {
  const text = values["timezone"];
  if (typeof text !== "string" || text === "") return undefined;
  return tryParseFlag("timezone", problems, () => requireZone(text).name);
}
