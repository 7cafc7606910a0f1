// What was given, its dates settled on the clock of the record. The date grammar is loaded only where there are dates.
import type { Input } from "../../api/request.ts";
import { normalizeDateTime } from "../../api/update.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { abbreviateUnits, type Duration, formatDuration, parseOffset } from "../../dates/duration.ts";
import type { Moment } from "../../dates/parse.ts";
import type { EventTimes } from "../../dates/shift.ts";
import { wallToEpoch } from "../../dates/zone.ts";
import { CalError, type Problem, usageError } from "../../errors.ts";
import { type Resource, toKebabCase } from "../../model/resource.ts";
import type { Invocation } from "../command.ts";
import type { Call, Scene } from "./command.ts";
import { formatRecordName } from "./messages.ts";
import type { DateContext, DateOnlyInput } from "./resolve-dates.ts";

/** Whether anything of the input is a date or decides how dates are read. */
function hasDates({ resource, invocation }: Scene, given: Input): boolean {
  return (
    invocation.flags["duration"] !== undefined ||
    given["timezone"] !== undefined ||
    resource.fields.some(({ name, format }) => format === "date-time" && given[name] !== undefined)
  );
}

/** Where and when the dates of a command are read, for a record that keeps its times in `zone`. */
export function createDateContext({ context, invocation, site }: Scene, zone: string | undefined): DateContext {
  const { duration } = invocation.flags;
  return {
    now: context.clock.now(),
    zone,
    inputZone: site.hasExplicitZone ? site.zone : undefined,
    siteZone: site.zone,
    duration: duration === undefined ? undefined : String(duration),
  };
}

/**
 * Settles the dates in `--timezone`, else in `ownZone`, and sends that zone with a change of them.
 * Without either only the grammar is checked, and nothing is said: the record's zone is known only when it has been read.
 * Of a record that has been read a new length counts from the start that it has.
 */
export async function applyDates(scene: Scene, given: Input, ownZone: string | undefined, record?: DataRecord): Promise<Input> {
  const { resource, context, problems } = scene;
  if (!hasDates(scene, given)) return given;
  const { parseInputZone, resolveDates } = await import("./resolve-dates.ts");
  const hasZone = resource.fields.some(({ name }) => name === "timezone");
  const typed = hasZone ? parseInputZone(given, problems) : undefined;
  const zone = typed ?? ownZone;
  const { values, warnings, dateOnlyInputs } = resolveDates(scene, given, {
    ...createDateContext(scene, zone),
    recordStart: record?.["start_date"],
  });
  const told = ownZone === undefined ? [] : [...warnings, ...formatDateOnlyWarnings(scene, values, dateOnlyInputs, record)];
  for (const warning of told) await context.warn(warning);
  const moved = values["start_date"] !== undefined || values["end_date"] !== undefined;
  return hasZone && moved && zone !== undefined && !values["timezone"] ? { ...values, timezone: zone } : values;
}

// How long a record lasts once one of its dates has changed: refused where it would end before it starts, told where the length changes.

/** On the clock on the wall, in milliseconds; undefined where a date can't be read. */
function getDuration(start: unknown, end: unknown): number | undefined {
  const [from, to] = [start, end].map((value) => wallToEpoch(normalizeDateTime(value) ?? "", "UTC"));
  return from === undefined || to === undefined ? undefined : to - from;
}

/** A new start at or after the old end would make some servers lose the event from every list. A length of nothing is refused where only the start was given. */
export function assertEndAfterStart(resource: Resource, current: DataRecord, given: Input): void {
  if (given["start_date"] === undefined && given["end_date"] === undefined) return;
  const [start, end] = [given["start_date"] ?? current["start_date"], given["end_date"] ?? current["end_date"]];
  const [was, is] = [getDuration(current["start_date"], current["end_date"]), getDuration(start, end)];
  if (is === undefined || is > 0) return;
  if (is === 0 && (given["end_date"] !== undefined || was === 0)) return;
  const length = was === undefined || was <= 0 ? "<length>" : formatDuration(was);
  throw usageError(
    `${formatRecordName(resource, current)} would end (${normalizeDateTime(end)}) ${is === 0 ? "as soon as" : "before"} it starts (${normalizeDateTime(start)})`,
    `move it whole: --shift <offset>; or give both: --start-date and --end-date, or --start-date and --duration ${length}`,
  );
}

/** A start alone that would make a record last more than twice as long is a move of which the end was forgotten. A second is lost where days end at 23:59:59. */
export function assertDurationNotDoubled({ resource, site }: Scene, current: DataRecord, given: Input): void {
  if (given["start_date"] === undefined || given["end_date"] !== undefined) return;
  const start = normalizeDateTime(given["start_date"]);
  const end = normalizeDateTime(current["end_date"]);
  const [was, is] = [getDuration(current["start_date"], end), getDuration(start, end)];
  if (start === undefined || end === undefined) return;
  if (was === undefined || was <= 0 || is === undefined || is <= 2 * was + 1000) return;
  const typed = (wall: string) => `"${wall.replace(/:00$/, "")}${site.hasExplicitZone ? ` ${String(given["timezone"])}` : ""}"`;
  const change = `cal ${resource.name} update ${idOf(current) ?? ""}`;
  const allDay = (given["all_day"] ?? current["all_day"]) === true;
  const whole = allDay ? `--shift -${formatDuration(is - was)}` : `--start-date ${typed(start)} --duration ${formatDuration(was)}`;
  throw usageError(
    `${formatRecordName(resource, current)}: its end (${end}) stays, so it would last ${formatDuration(is)} instead of ${formatDuration(was)}`,
    `to move it whole: ${change} ${whole}\nif it is to last so long: ${change} --start-date ${typed(start)} --end-date ${typed(end)}`,
  );
}

/** Says how long a record lasts where only one of its dates was given, and what would have kept its length. */
export async function reportDurationChange({ resource, invocation, context }: Scene, current: DataRecord, given: Input): Promise<void> {
  const [start, end] = [given["start_date"], given["end_date"]];
  if ((start === undefined) === (end === undefined) || invocation.flags["duration"] !== undefined) return;
  const was = getDuration(current["start_date"], current["end_date"]);
  const is = getDuration(start ?? current["start_date"], end ?? current["end_date"]);
  if (was === undefined || was < 0 || is === undefined || was === is) return;
  const ways = `${start === undefined ? "" : `--duration ${formatDuration(was)} keeps its length, `}--shift moves it whole`;
  await context.notice(
    `${formatRecordName(resource, current)}: its ${start === undefined ? "start" : "end"} stays, so it lasts ${formatDuration(is)}, not ${formatDuration(was)} (${ways})`,
  );
}

/** Says which moment an offset came to that was given as a date: it counts from now, which is not what is meant by whoever moves an event. */
export async function reportOffsetFromNow({ context }: Scene, typed: Input, dated: Input): Promise<void> {
  for (const name of ["start_date", "end_date"]) {
    const text = String(typed[name] ?? "").trim();
    if (parseOffset(text) === undefined) continue;
    const flag = `--${toKebabCase(name)} ${text}`;
    await context.notice(
      `${flag} counts from now: ${String(dated[name])} (${String(dated["timezone"])}); --shift ${text} moves the event itself`,
    );
  }
}

/** Says that a record begins at another moment where only its zone was changed: its times stay as they are on the clock. */
export async function reportZoneChange({ resource, context }: Scene, current: DataRecord, given: Input): Promise<void> {
  const [was, is] = [getText(current, "timezone"), given["timezone"]];
  if (typeof is !== "string" || is === "" || given["start_date"] !== undefined || given["end_date"] !== undefined) return;
  const [start = "", end = ""] = [normalizeDateTime(current["start_date"]), normalizeDateTime(current["end_date"])];
  const [before, after] = [was, is].map((zone) => wallToEpoch(start, zone));
  const allDay = (given["all_day"] ?? current["all_day"]) === true;
  if (before === undefined || after === undefined || before === after || allDay) return;
  const [from, to] = [start, end].map((wall) => `"${wall.replace(/:00$/, "")} ${was}"`);
  await context.notice(
    `${formatRecordName(resource, current)}: its times stay as they are on the clock, so it starts ${formatDuration(Math.abs(after - before))} ${after > before ? "later" : "earlier"} than it did in ${was}; to keep the moment: --start-date ${from} --end-date ${to} with the new zone`,
  );
}

// `--shift`: both dates of a record moved alike, from where the record has them.

/** What is wrong with the flag, told before any record is read. */
export function validateShift(given: Input, { flags }: Invocation): readonly (string | Problem)[] {
  const typed = flags["shift"];
  if (typed === undefined) return [];
  const text = String(typed).trim();
  const [, sign = "", length = ""] = /^([+-]?)(.*)$/.exec(text) ?? [];
  const short = abbreviateUnits(length);
  const others = ["start-date", "end-date", "duration", "timezone"].filter(
    (name) => given[name.replace("-", "_")] !== undefined || flags[name] !== undefined,
  );
  return [
    ...(parseOffset(text) === undefined
      ? [
          {
            message: `--shift takes an offset such as +1h, -30m or +7d, not ${JSON.stringify(typed)}`,
            ...(short === undefined ? {} : { hint: `write ${sign || "+"}${short}` }),
          },
        ]
      : []),
    ...others.map((name) => `--shift and --${name} exclude each other: --shift moves both dates as the record has them, on its own clock`),
    ...(flags["raw"] === true ? ["--shift needs the record to be read, and --raw does not read it"] : []),
  ];
}

/** The moved dates with their zone, as they are sent; nothing without the flag. Rejects with kind `usage` for a time that there is not. */
export async function applyShift(scene: Scene, values: Input, record: DataRecord, zone: string): Promise<Input> {
  const { resource, invocation, context } = scene;
  const offset = parseOffset(String(invocation.flags["shift"] ?? "").trim());
  if (offset === undefined) return values;
  const [start, end] = [normalizeDateTime(record["start_date"]), normalizeDateTime(record["end_date"])];
  if (start === undefined || end === undefined)
    throw usageError(`${formatRecordName(resource, record)} has no dates that --shift can move`, "give both: --start-date and --end-date");
  const allDay = (values["all_day"] ?? record["all_day"]) === true;
  if (allDay && hasTimeUnits(offset))
    throw usageError(
      `${formatRecordName(resource, record)} lasts all day: --shift moves it by days, weeks, months or years`,
      "write --shift +1d",
    );
  // Days of an event that lasts all day are days, also where clocks skip a midnight.
  const moved = await shiftRecordTimes({ start, end }, allDay ? "UTC" : zone, offset);
  const { getDurationWarnings } = await import("../../dates/shift.ts");
  const length = getDurationWarnings(moved);
  for (const warning of [...moved.start.warnings, ...moved.end.warnings, ...length]) await context.warn(warning);
  return { ...values, start_date: moved.start.wall, end_date: moved.end.wall, timezone: zone };
}

async function shiftRecordTimes(times: EventTimes<string>, zone: string, offset: Duration): Promise<EventTimes<Moment>> {
  const { shiftTimes } = await import("../../dates/shift.ts");
  try {
    return shiftTimes(times, zone, offset);
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    throw usageError(`--shift: ${error.message}`, "give the new times: --start-date and --end-date");
  }
}

function hasTimeUnits({ hours = 0, minutes = 0, seconds = 0 }: Duration): boolean {
  return hours !== 0 || minutes !== 0 || seconds !== 0;
}

// A date without a time of an event that has times: its first or its last moment is taken, which is told, for a start of 10:00 was meant to stay.

/** What is said of them: on a create only of the start, of a record that has been read where it had another time. Nothing of what lasts all day. */
function formatDateOnlyWarnings(
  { resource, invocation }: Call,
  values: Input,
  untimed: readonly DateOnlyInput[],
  record?: DataRecord,
): readonly string[] {
  // Without the record nobody knows whether it lasts all day.
  const unread = record === undefined && invocation.flags["raw"] === true;
  if (unread || (values["all_day"] ?? record?.["all_day"]) === true) return [];
  return untimed.flatMap((date) => {
    if (record !== undefined) return formatTimeChangeWarning(date, record, formatRecordName(resource, record));
    return date.name === "start_date"
      ? [`${date.text} has no time, so the ${resource.singular} starts ${formatMinute(date)}; give a time, or --all-day`]
      : [];
  });
}

function formatTimeChangeWarning(date: DateOnlyInput, record: DataRecord, name: string): readonly string[] {
  const { inputMoment, storedMoment, text } = date;
  const was = normalizeDateTime(record[date.name]);
  const verb = ({ start_date: ["starts", "started"], end_date: ["ends", "ended"] } as const)[date.name];
  if (verb === undefined || was === undefined || was.slice(11) === storedMoment.wall.slice(11)) return [];
  const time = was.slice(11, 16);
  const keeps = `--${toKebabCase(date.name)} "${inputMoment.wall.slice(0, 10)} ${time}${hasOtherZone(date) ? ` ${storedMoment.zone}` : ""}"`;
  return [`${name}: ${text} has no time, so it ${verb[0]} ${formatMinute(date)}; it ${verb[1]} at ${time}: ${keeps}`];
}

function formatMinute(date: DateOnlyInput): string {
  return date.storedMoment.wall.slice(0, 16) + (hasOtherZone(date) ? ` (${date.storedMoment.zone})` : "");
}

function hasOtherZone({ inputMoment, storedMoment }: DateOnlyInput): boolean {
  return inputMoment.zone !== storedMoment.zone;
}
