// The dates among what was given: from the grammar to the interface's form, in the record's zone.
import { wallText } from "../../../api/compare.ts";
import type { Input } from "../../../api/request.ts";
import { parseDuration } from "../../../dates/duration.ts";
import { addDuration, heldMoment, inZone, type Moment } from "../../../dates/moment.ts";
import { parseDate } from "../../../dates/parse.ts";
import { readTime } from "../../../dates/time.ts";
import { lengthWarnings } from "../../../dates/told.ts";
import { shiftDays } from "../../../dates/wall.ts";
import { requireZone } from "../../../dates/zone.ts";
import { usage } from "../../../errors.ts";
import { type Field, flagName } from "../../../spec/field.ts";
import { attempt, type Call, type Problems } from "../call.ts";

/** Where and when dates are read. */
export interface DateFrame {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone in which the event keeps its times. Absent where that is not known yet: then only the grammar is checked. */
  readonly zone: string | undefined;
  /** The zone in which typed times are read (`--tz`), where it is not the event's own. */
  readonly readIn: string | undefined;
  /** The zone in which the site keeps its publication dates. */
  readonly siteZone: string;
  /** The length that was typed: it makes the end from the start. */
  readonly duration: string | undefined;
  /** The start that the record has, as it came. */
  readonly start?: unknown;
}

/** A date that was given without a time. */
export interface Untimed {
  /** The field. */
  readonly name: string;
  readonly text: string;
  /** On the clock on which it was typed. */
  readonly typed: Moment;
  /** On the clock on which it is kept. */
  readonly settled: Moment;
}

/** Dates settled to `YYYY-MM-DD HH:MM:SS`, and what the user should know about them. */
export interface SettledDates {
  readonly values: Input;
  readonly warnings: readonly string[];
  readonly untimed: readonly Untimed[];
}

/** Turns every date of `values` into wall-clock time of its zone. */
export function settleDates({ resource, problems }: Pick<Call, "resource" | "problems">, values: Input, frame: DateFrame): SettledDates {
  const { duration } = frame;
  const moments = new Map<string, Moment>();
  const untimed: Untimed[] = [];
  let startAsTyped: Moment | undefined;
  for (const field of resource.fields.filter(({ format }) => format === "date-time")) {
    const text = values[field.name];
    if (typeof text !== "string" || text === "") continue;
    const moment = attempt(flagName(field), problems, () => momentOf(field, text, frame, startAsTyped));
    if (moment === undefined) continue;
    const own = ownClock(field, frame);
    const settled = attempt(flagName(field), problems, () => inZone(moment, own));
    if (settled === undefined) continue;
    moments.set(field.name, settled);
    if (field.name === "start_date") startAsTyped = moment;
    if (moment.precision !== "time") untimed.push({ name: field.name, text, typed: moment, settled });
  }
  const typedStart = moments.get("start_date");
  const start = typedStart ?? heldStart(frame);
  const end = endAfter(start, values, frame, problems) ?? moments.get("end_date");
  if (end !== undefined) moments.set("end_date", end);
  if ((frame.zone ?? frame.readIn) !== undefined && typedStart !== undefined && end !== undefined && end.epoch < typedStart.epoch)
    problems.push("--end-date is before --start-date");
  const walls = Object.fromEntries([...moments].map(([name, { wall }]) => [name, wall]));
  const settled = { values: { ...values, ...walls }, untimed };
  const warnings = [...moments.values()].flatMap((moment) => moment.warnings);
  if (start === undefined || end === undefined || values["all_day"] === true) return { ...settled, warnings };
  const length = attempt(duration === undefined ? "end-date" : "duration", problems, () => lengthWarnings({ start, end })) ?? [];
  return { ...settled, warnings: [...warnings, ...length] };
}

/** Publication dates are on the site's clock or in UTC, all others on the event's. */
function ownClock({ name }: Field, { zone, siteZone }: DateFrame): string {
  if (name.endsWith("_utc")) return "UTC";
  return name === "date" ? siteZone : (zone ?? "UTC");
}

/** As it was typed: not yet on the clock on which it is kept. */
function momentOf(field: Field, text: string, frame: DateFrame, start: Moment | undefined): Moment {
  if (field.name === "end_date") refuseDayless(text.trim(), start);
  const own = ownClock(field, frame);
  const zone = field.name.endsWith("_utc") ? own : (frame.readIn ?? own);
  return parseDate(text, { now: frame.now, zone, side: field.name.startsWith("end") ? "end" : "start" });
}

/** A time alone as an end means the day of the start, or the next one; nothing is guessed, but that is what to write. */
function refuseDayless(text: string, start: Moment | undefined): void {
  const time = readTime(text.toLowerCase())?.toString().slice(0, 5);
  if (time === undefined) return;
  const day = start?.wall.slice(0, 10) ?? "YYYY-MM-DD";
  const isNext = start !== undefined && time <= start.wall.slice(11, 16);
  throw usage(`"${text}" is not a date: a time needs a day`, `write "${isNext ? shiftDays(day, 1) : day} ${time}"`);
}

/** The start of the record, on the clock that its zone has or gets. */
function heldStart({ start, zone }: DateFrame): Moment | undefined {
  const wall = wallText(start);
  return wall === undefined || zone === undefined ? undefined : heldMoment(wall, zone);
}

/** Where a length was typed; undefined where it gives no end. */
function endAfter(start: Moment | undefined, values: Input, { duration, zone }: DateFrame, problems: Problems): Moment | undefined {
  if (duration === undefined) return undefined;
  const length = attempt("duration", problems, () => parseDuration(duration));
  if (values["end_date"] !== undefined) problems.push("--duration and --end-date exclude each other");
  else if (start === undefined && values["start_date"] === undefined && zone !== undefined)
    problems.push("--duration needs --start-date with it");
  else if (start !== undefined && length !== undefined) return attempt("duration", problems, () => addDuration(start, length));
  return undefined;
}

/** The zone that `--timezone` names, checked; undefined where it was not given. */
export function givenZone(values: Input, problems: Problems): string | undefined {
  const text = values["timezone"];
  if (typeof text !== "string" || text === "") return undefined;
  return attempt("timezone", problems, () => requireZone(text).name);
}
