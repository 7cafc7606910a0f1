// The dates of an input: from the date grammar to the form of the interface, on the clock of the record.

import { normalizeDateTime } from "../../api/reply.ts";
import type { Input } from "../../api/request.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { abbreviateUnits, formatDuration, parseDuration, parseOffset } from "../../dates/duration.ts";
import type { Moment } from "../../dates/parse.ts";
import { requireZone, shiftDays, wallToEpoch } from "../../dates/zone.ts";
import { CalError, type Problem, usageError } from "../../errors.ts";
import { getFieldFlagName, getGivenFields, type Resource, toKebabCase } from "../../model/resource.ts";
import type { Invocation } from "../command.ts";
import { addDays, hasTimeUnits, isAllDay, validateDays } from "./all-day.ts";
import { type Problems, type RecordCommand, tryParseFlag } from "./command.ts";
import { formatRecordName } from "./messages.ts";

/** The modules that read dates. They need Temporal, so a command without dates does not load them. */
export async function loadDateParser() {
  const [parse, day] = await Promise.all([import("../../dates/parse.ts"), import("../../dates/day.ts")]);
  return { parse, day };
}

type DateParser = Awaited<ReturnType<typeof loadDateParser>>;

/**
 * The input with its dates as wall-clock times of `--timezone`, else of `ownZone`, and with that zone where a date changes.
 * Without a zone the dates are only validated, and nothing is reported: the zone of a record is known when it has been read.
 * A new duration of a record that has been read counts from its start.
 */
export async function resolveDates(command: RecordCommand, input: Input, ownZone: string | undefined, record?: DataRecord): Promise<Input> {
  const { resource, context } = command;
  if (!hasDates(command, input)) return input;
  const { values, zone, warnings, dateOnlyInputs } = readDates(await loadDateParser(), command, input, ownZone, record);
  // Beside a problem, for which nothing is sent, a warning would only be noise.
  if (ownZone !== undefined && command.problems.length === 0) {
    for (const warning of [...warnings, ...formatDateOnlyWarnings(command, values, dateOnlyInputs, record)]) await context.warn(warning);
  }
  const hasZone = resource.fields.some(({ name }) => name === "timezone");
  const moved = values["start_date"] !== undefined || values["end_date"] !== undefined;
  return hasZone && moved && zone !== undefined && !values["timezone"] ? { ...values, timezone: zone } : values;
}

/** Whether there are dates to be read. */
function hasDates({ resource, invocation }: RecordCommand, input: Input): boolean {
  if (invocation.flags["duration"] !== undefined || input["timezone"] !== undefined) return true;
  return getGivenFields(resource, input).some(({ format }) => format === "date-time");
}

/** Whether an update changes when a record takes place. */
export function changesDates(command: RecordCommand, input: Input): boolean {
  const { flags } = command.invocation;
  return hasDates(command, input) || input["all_day"] !== undefined || flags["shift"] !== undefined || flags["start-time"] !== undefined;
}

/** A date that was written without a time. */
interface DateOnlyInput {
  /** The field. */
  readonly name: string;
  readonly text: string;
  /** On the clock on which it was written. */
  readonly inputMoment: Moment;
  /** On the clock on which it is stored. */
  readonly storedMoment: Moment;
}

/** The dates of the input as `YYYY-MM-DD HH:MM:SS`, the zone of the event where it is known, and what the user should know about them. */
export function readDates(
  { parse, day }: DateParser,
  { resource, invocation, context, settings, problems }: RecordCommand,
  input: Input,
  ownZone: string | undefined,
  record?: DataRecord,
) {
  const zone = parseInputZone(resource, input, problems) ?? ownZone;
  const siteZone = settings.tz.value;
  const inputZone = context.globals["tz"] === undefined ? undefined : siteZone;
  const now = context.clock.now();
  const moments = new Map<string, Moment>();
  const dateOnlyInputs: DateOnlyInput[] = [];
  let startAsWritten: Moment | undefined;
  for (const field of resource.fields.filter(({ format }) => format === "date-time")) {
    const { name } = field;
    const text = input[name];
    if (typeof text !== "string" || text === "") continue;
    const flag = getFieldFlagName(field);
    // Publication dates are on the site's clock or in UTC, all others on the event's.
    const storedZone = name.endsWith("_utc") ? "UTC" : name === "date" ? siteZone : (zone ?? "UTC");
    const inputMoment = tryParseFlag(flag, problems, () => {
      if (name === "end_date") assertNotTimeOnly(text.trim(), startAsWritten, day);
      const writtenZone = name.endsWith("_utc") ? storedZone : (inputZone ?? storedZone);
      return parse.parseDate(text, { now, zone: writtenZone, side: name.startsWith("end") ? "end" : "start" });
    });
    if (inputMoment === undefined) continue;
    const storedMoment = tryParseFlag(flag, problems, () => parse.convertToZone(inputMoment, storedZone));
    if (storedMoment === undefined) continue;
    moments.set(name, storedMoment);
    if (name === "start_date") startAsWritten = inputMoment;
    if (inputMoment.precision !== "time") dateOnlyInputs.push({ name, text, inputMoment, storedMoment });
  }
  const newStart = moments.get("start_date");
  const recordStart = normalizeDateTime(record?.["start_date"]);
  const start = newStart ?? (recordStart === undefined || zone === undefined ? undefined : parse.wallToMoment(recordStart, zone));
  const duration = invocation.flags["duration"];
  const allDay = isAllDay(input, record);
  if (duration !== undefined) {
    const length = tryParseFlag("duration", problems, () => parseDuration(String(duration)));
    if (input["end_date"] !== undefined) problems.push("--duration and --end-date exclude each other");
    else if (start === undefined && input["start_date"] === undefined && zone !== undefined)
      problems.push("--duration needs --start-date with it");
    else if (start !== undefined && length !== undefined) {
      const problem = allDay ? validateDays(String(duration), length) : undefined;
      if (problem !== undefined) problems.push(problem);
      const addLength = () => (allDay ? addDays(parse, start, length) : parse.addDuration(start, length));
      const end = problem === undefined ? tryParseFlag("duration", problems, addLength) : undefined;
      if (end !== undefined) moments.set("end_date", end);
    }
  }
  const end = moments.get("end_date");
  if ((zone ?? inputZone) !== undefined && newStart !== undefined && end !== undefined && end.epoch < newStart.epoch)
    problems.push("--end-date is before --start-date");
  const values = { ...input, ...Object.fromEntries([...moments].map(([name, { wall }]) => [name, wall])) };
  const warnings = [...moments.values()].flatMap((moment) => moment.warnings);
  if (start === undefined || end === undefined || allDay) return { values, zone, warnings, dateOnlyInputs };
  const flag = duration === undefined ? "end-date" : "duration";
  const durationWarnings = tryParseFlag(flag, problems, () => parse.getDurationWarnings({ start, end })) ?? [];
  return { values, zone, warnings: [...warnings, ...durationWarnings], dateOnlyInputs };
}

/** The zone of `--timezone`; undefined where there is none. */
function parseInputZone({ fields }: Resource, input: Input, problems: Problems): string | undefined {
  const text = input["timezone"];
  if (typeof text !== "string" || text === "" || !fields.some(({ name }) => name === "timezone")) return undefined;
  return tryParseFlag("timezone", problems, () => requireZone(text).name);
}

/** A time alone as an end may mean the day of the start or the next one. It is refused, and the hint names the likelier one. */
function assertNotTimeOnly(text: string, start: Moment | undefined, { parseTime }: DateParser["day"]): void {
  const time = parseTime(text.toLowerCase())?.toString().slice(0, 5);
  if (time === undefined) return;
  const day = start?.wall.slice(0, 10) ?? "YYYY-MM-DD";
  const isNext = start !== undefined && time <= start.wall.slice(11, 16);
  throw usageError(`"${text}" is not a date: a time needs a day`, `write "${isNext ? shiftDays(day, 1) : day} ${time}"`);
}

/** What is wrong with the dates of a new record that are over, or have begun; undefined for others and for those of an all-day event that runs. */
export function formatPastWarning({ resource, context }: RecordCommand, values: Input, zone: string): string | undefined {
  const now = context.clock.now();
  const [start, end] = [values["start_date"], values["end_date"]].map((value) => normalizeDateTime(value));
  const [startEpoch = now, endEpoch = Number.POSITIVE_INFINITY] = [start, end].map((wall) => wallToEpoch(wall ?? "", zone));
  if (endEpoch < now) return `the ${resource.singular} is over: it ended ${end?.slice(0, 16)} (${zone})`;
  if (startEpoch >= now || values["all_day"] === true) return undefined;
  return `the ${resource.singular} has begun: it started ${start?.slice(0, 16)} (${zone})`;
}

export async function warnOfPast(command: RecordCommand, values: Input): Promise<void> {
  const warning = formatPastWarning(command, values, String(values["timezone"] || command.settings.tz.value));
  if (warning !== undefined) await command.context.warn(warning);
}

// What a change of one date does to the duration of a record.

/** By local times, in milliseconds; undefined where a date can't be read. */
function getDuration(start: unknown, end: unknown): number | undefined {
  const [from, to] = [start, end].map((value) => wallToEpoch(normalizeDateTime(value) ?? "", "UTC"));
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Throws for an end before the start: some servers would lose such an event from every list. A duration of zero is allowed where the end was given or the record had it. */
export function assertEndAfterStart(resource: Resource, current: DataRecord, input: Input): void {
  if (input["start_date"] === undefined && input["end_date"] === undefined) return;
  const [start, end] = [input["start_date"] ?? current["start_date"], input["end_date"] ?? current["end_date"]];
  const [before, after] = [getDuration(current["start_date"], current["end_date"]), getDuration(start, end)];
  if (after === undefined || after > 0) return;
  if (after === 0 && (input["end_date"] !== undefined || before === 0)) return;
  const length = before === undefined || before <= 0 ? "<length>" : formatDuration(before);
  throw usageError(
    `${formatRecordName(resource, current)} would end (${normalizeDateTime(end)}) ${after === 0 ? "as soon as" : "before"} it starts (${normalizeDateTime(start)})`,
    input["end_date"] === undefined
      ? `to move it whole: --shift <offset> alone, or add --duration ${length}; for another length, add --end-date`
      : `give both: --start-date and --end-date, or --start-date and --duration ${length}`,
  );
}

/** Throws for a new start alone that makes a record last more than twice as long: the end was forgotten. One second of tolerance, for days that end at 23:59:59. */
export function assertDurationNotDoubled({ resource, context }: RecordCommand, current: DataRecord, input: Input): void {
  if (input["start_date"] === undefined || input["end_date"] !== undefined) return;
  const start = normalizeDateTime(input["start_date"]);
  const end = normalizeDateTime(current["end_date"]);
  const [before, after] = [getDuration(current["start_date"], end), getDuration(start, end)];
  if (start === undefined || end === undefined) return;
  if (before === undefined || before <= 0 || after === undefined || after <= 2 * before + 1000) return;
  const zone = context.globals["tz"] === undefined ? "" : ` ${String(input["timezone"])}`;
  const quote = (wall: string) => `"${wall.replace(/:00$/, "")}${zone}"`;
  const change = `cal ${resource.name} update ${idOf(current) ?? ""}`;
  const allDay = isAllDay(input, current);
  const whole = allDay ? `--shift -${formatDuration(after - before)}` : `--start-date ${quote(start)} --duration ${formatDuration(before)}`;
  throw usageError(
    `${formatRecordName(resource, current)}: its end (${end}) stays, so it would last ${formatDuration(after)} instead of ${formatDuration(before)}`,
    [
      { text: "to move it whole", command: `${change} ${whole}` },
      { text: "if it is to last so long", command: `${change} --start-date ${quote(start)} --end-date ${quote(end)}` },
    ],
  );
}

/** Reports the new duration of a record where only one of its dates changes, and the flag that would keep it. */
export async function reportDurationChange(command: RecordCommand, current: DataRecord, input: Input): Promise<void> {
  const { resource, invocation, context } = command;
  const [start, end] = [input["start_date"], input["end_date"]];
  if ((start === undefined) === (end === undefined) || invocation.flags["duration"] !== undefined) return;
  const before = getDuration(current["start_date"], current["end_date"]);
  const after = getDuration(start ?? current["start_date"], end ?? current["end_date"]);
  if (before === undefined || before < 0 || after === undefined || before === after) return;
  const ways = `${start === undefined ? "" : `--duration ${formatDuration(before)} keeps its length, `}--shift moves it whole`;
  await context.notice(
    `${formatRecordName(resource, current)}: its ${start === undefined ? "start" : "end"} stays, so it lasts ${formatDuration(after)}, not ${formatDuration(before)} (${ways})`,
  );
}

/** Reports the moment of a date that was written as an offset: it counts from now, and may have been meant to move the event. */
export async function reportOffsetFromNow({ context }: RecordCommand, input: Input, resolved: Input): Promise<void> {
  for (const name of ["start_date", "end_date"]) {
    const text = String(input[name] ?? "").trim();
    if (parseOffset(text) === undefined) continue;
    const flag = `--${toKebabCase(name)} ${text}`;
    await context.notice(
      `${flag} counts from now: ${String(resolved[name])} (${String(resolved["timezone"])}); --shift ${text} moves the event itself`,
    );
  }
}

/** Reports the new moment of a record where only its zone changes: its times stay the same on the clock. */
export async function reportZoneChange({ resource, context }: RecordCommand, current: DataRecord, input: Input): Promise<void> {
  const [oldZone, newZone] = [getText(current, "timezone"), input["timezone"]];
  if (typeof newZone !== "string" || newZone === "" || input["start_date"] !== undefined || input["end_date"] !== undefined) return;
  const [start = "", end = ""] = [normalizeDateTime(current["start_date"]), normalizeDateTime(current["end_date"])];
  const [before, after] = [oldZone, newZone].map((zone) => wallToEpoch(start, zone));
  const allDay = isAllDay(input, current);
  if (before === undefined || after === undefined || before === after || allDay) return;
  const [from, to] = [start, end].map((wall) => `"${wall.replace(/:00$/, "")} ${oldZone}"`);
  await context.notice(
    `${formatRecordName(resource, current)}: its times stay as they are on the clock, so it starts ${formatDuration(Math.abs(after - before))} ${after > before ? "later" : "earlier"} than it did in ${oldZone}; to keep the moment: --start-date ${from} --end-date ${to} with the new zone`,
  );
}

// `--shift`: moves both dates of a record by the same offset.

/** What is wrong with the flag, before any record is read. */
export function validateShift({ flags }: Invocation, input: Input): readonly (string | Problem)[] {
  const { shift } = flags;
  if (shift === undefined) return [];
  const text = String(shift).trim();
  const [, sign = "", length = ""] = /^([+-]?)(.*)$/.exec(text) ?? [];
  const short = abbreviateUnits(length);
  const others = ["start-date", "end-date", "duration", "timezone"].filter(
    (name) => input[name.replace("-", "_")] !== undefined || flags[name] !== undefined,
  );
  return [
    ...(parseOffset(text) === undefined
      ? [
          {
            message: `--shift takes an offset such as +1h, -30m or +7d, not ${JSON.stringify(shift)}`,
            ...(short === undefined ? {} : { hint: `write ${sign || "+"}${short}` }),
          },
        ]
      : []),
    ...others.map((name) => `--shift and --${name} exclude each other: --shift moves both dates as the record has them, on its own clock`),
    ...(flags["raw"] === true ? ["--shift needs the record to be read, and --raw does not read it"] : []),
  ];
}

/** The values with the shifted dates and their zone; as they are without the flag. Rejects with kind `usage` for a time that does not exist. */
export async function applyShift(command: RecordCommand, values: Input, record: DataRecord, zone: string): Promise<Input> {
  const { resource, invocation, context } = command;
  const offset = parseOffset(String(invocation.flags["shift"] ?? "").trim());
  if (offset === undefined) return values;
  const [start, end] = [normalizeDateTime(record["start_date"]), normalizeDateTime(record["end_date"])];
  if (start === undefined || end === undefined)
    throw usageError(`${formatRecordName(resource, record)} has no dates that --shift can move`, "give both: --start-date and --end-date");
  const allDay = isAllDay(values, record);
  if (allDay && hasTimeUnits(offset))
    throw usageError(
      `${formatRecordName(resource, record)} lasts all day: --shift moves it by days, weeks, months or years`,
      "write --shift +1d",
    );
  const { parse } = await loadDateParser();
  // In UTC no clock change skips the midnight at which an all-day event starts.
  const shifted = shiftOrThrow(() => parse.shiftTimes({ start, end }, allDay ? "UTC" : zone, offset));
  const warnings = [...shifted.start.warnings, ...shifted.end.warnings, ...parse.getDurationWarnings(shifted)];
  for (const warning of warnings) await context.warn(warning);
  return { ...values, start_date: shifted.start.wall, end_date: shifted.end.wall, timezone: zone };
}

function shiftOrThrow<T>(shiftTimes: () => T): T {
  try {
    return shiftTimes();
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    throw usageError(`--shift: ${error.message}`, "give the new times: --start-date and --end-date");
  }
}

/**
 * Warnings of dates without a time: the first or last moment of the day is taken. On a create only the start is reported; of a record
 * that has been read, a date that had another time. Nothing for all-day events.
 */
function formatDateOnlyWarnings(
  { resource, invocation }: RecordCommand,
  values: Input,
  dateOnlyInputs: readonly DateOnlyInput[],
  record?: DataRecord,
): readonly string[] {
  // Only the record says whether it lasts all day.
  const unread = record === undefined && invocation.flags["raw"] === true;
  if (unread || isAllDay(values, record)) return [];
  return dateOnlyInputs.flatMap(({ name, text, inputMoment, storedMoment }) => {
    const { wall, zone } = storedMoment;
    const otherZone = inputMoment.zone === zone ? undefined : zone;
    const minute = wall.slice(0, 16) + (otherZone === undefined ? "" : ` (${otherZone})`);
    if (record === undefined)
      return name === "start_date" ? [`${text} has no time, so the ${resource.singular} starts ${minute}; give a time, or --all-day`] : [];
    const before = normalizeDateTime(record[name]);
    const verb = ({ start_date: ["starts", "started"], end_date: ["ends", "ended"] } as const)[name];
    if (verb === undefined || before === undefined || before.slice(11) === wall.slice(11)) return [];
    const time = before.slice(11, 16);
    const flag = `--${toKebabCase(name)} "${inputMoment.wall.slice(0, 10)} ${time}${otherZone === undefined ? "" : ` ${otherZone}`}"`;
    return [`${formatRecordName(resource, record)}: ${text} has no time, so it ${verb[0]} ${minute}; it ${verb[1]} at ${time}: ${flag}`];
  });
}
