// The rows of a source as values of fields: what a row wants, its dates on the clock of its record, and the key that names it.
import { decodeSlug, type Input } from "../../api/request.ts";
import { getEmptyValue, toWritableValue } from "../../api/update.ts";
import type { StoredValue } from "../../changes/value-store.ts";
import { isRecord } from "../../data-record.ts";
import { convertToZone, type Moment, parseDate } from "../../dates/parse.ts";
import { epochToWall, isUniqueWall, requireZone, shiftDays, wallToEpoch } from "../../dates/zone.ts";
import { type Problem, toProblem, usageError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import type { SourceRow } from "../../import/source.ts";
import type { Field, Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { ColumnMap, Target } from "./columns.ts";
import { isSameHeader } from "./columns.ts";
import { type DateOrder, parseWrittenDate, parseWrittenTime, type WrittenDate } from "./dates.ts";

/** A link of a row: a ref, or the data of the linked record. */
export type LinkItem = string | Readonly<Record<string, unknown>>;

/** What is kept of a row while a plan is made. There can be many. */
export interface ImportRow {
  /** It is kept beside its record: what the site has in other fields was seen too, so that a field that comes later is no conflict. */
  readonly isWhole?: true;
  readonly source: Omit<SourceRow, "values" | "cells" | "problems">;
  /** `events.csv:17`, for messages. */
  readonly place: string;
  readonly problems: Problem[];
  /** Names the row in the plan and in the ledger; "" where it has none. */
  readonly key: string;
  /** What the row says; it may be read anew each time. */
  read(): RowValues;
}

export interface RowValues {
  readonly source: SourceRow;
  /** Values by field, without dates and links. */
  readonly fields: Input;
  readonly links: ReadonlyMap<string, readonly LinkItem[]>;
  /** Fields of the linked venue, where it has to be created. */
  readonly linkedData: Readonly<Record<string, unknown>>;
  readonly times: RowTimes | undefined;
}

/** `read` of a row that has its values itself. */
export function readItself(this: RowValues): RowValues {
  return this;
}

/** The dates of an event as they are written. */
export interface RowTimes {
  readonly start: WrittenDate | undefined;
  readonly end: WrittenDate | undefined;
  /** A time of day for the end without a day. */
  readonly endTime: string | undefined;
  readonly isAllDay: boolean;
  /** The zone of the row itself. */
  readonly zone: string | undefined;
}

export interface RowOptions {
  readonly resource: Resource;
  readonly serverProfile: ServerProfile;
  readonly label: string;
  readonly columns: ColumnMap;
  /** `--key`. */
  readonly key: readonly string[];
  readonly dateOrder: DateOrder | undefined;
  readonly emptyClears: boolean;
  /** The zone of rows without one. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Reads a picture, and returns what stands for it in the values. Throws a usage error. */
  readonly takeImage: (path: string) => string;
}

export function formatPlace(label: string, { line, item }: Pick<SourceRow, "line" | "item">): string {
  return [label, line ?? item].filter((part) => part !== undefined).join(":");
}

/** Reads a row. What is wrong with its values is in `problems`. */
export function readRow(stored: StoredValue<SourceRow>, options: RowOptions): ImportRow {
  const row = stored.read();
  const { values: _values, cells: _cells, problems: found, ...source } = row;
  const problems: Problem[] = [...found];
  const values = readValues(row, options, problems);
  return {
    source,
    place: formatPlace(options.label, source),
    problems,
    key: createKey(values, options, problems),
    read: () => readValues(stored.read(), options, []),
  };
}

/** The values of a row. What is wrong with them is added to the problems. */
function readValues(source: SourceRow, options: RowOptions, problems: Problem[]): RowValues {
  const { resource, columns, emptyClears } = options;
  const cells = new Map<Target, { readonly header: string; readonly value: unknown }>();
  for (const [header, value] of Object.entries(source.values)) {
    const target = columns.get(header);
    if (target !== undefined) cells.set(target, { header, value });
  }
  const fields: Record<string, unknown> = {};
  const links = new Map<string, readonly LinkItem[]>();
  for (const field of resource.fields) {
    const cell = cells.get(field.name);
    if (cell === undefined || (resource.hasDates && /^(?:start|end)_date$/.test(field.name))) continue;
    if (isEmptyCell(cell.value)) {
      if (emptyClears && field.required !== true && field.name !== "timezone") {
        if (field.refersTo === undefined) fields[field.name] = getEmptyValue(field);
        else links.set(field.name, []);
      }
    } else if (field.refersTo !== undefined) links.set(field.name, toLinkItems(cell.value));
    else {
      try {
        const value = toFieldValue(field, cell.value, source, options);
        if (value !== undefined) fields[field.name] = value;
      } catch (error) {
        problems.push(toCellProblem(cell.header, error));
      }
    }
  }
  // Two names of one moment: the one that depends on no zone.
  if (fields["date_utc"] !== undefined) delete fields["date"];
  const address2 = cells.get("address2");
  if (address2 !== undefined && !isEmptyCell(address2.value))
    fields["address"] = [fields["address"], valueToText(address2.value).trim()].filter((part) => part !== undefined).join(" ");
  const state = cells.get("state_and_province");
  if (state !== undefined && !isEmptyCell(state.value))
    for (const name of ["state", "province"]) fields[name] ??= valueToText(state.value).trim();
  const linkedData = Object.fromEntries(
    [...cells].flatMap(([target, { value }]) =>
      target.startsWith("venue.") && !isEmptyCell(value) ? [[target.slice(6), valueToText(value).trim()]] : [],
    ),
  );
  const times = resource.hasDates ? readTimes(cells, fields, options, problems) : undefined;
  return { source, fields, links, linkedData, times };
}

const isEmptyCell = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0);

function toCellProblem(header: string, error: unknown): Problem {
  const problem = toProblem(error);
  return { ...problem, message: `${header}: ${problem.message}` };
}

/** A value as it is sent; undefined where there is nothing to send. Throws a usage error. */
function toFieldValue(field: Field, value: unknown, { values }: SourceRow, { serverProfile, takeImage }: RowOptions): unknown {
  if (field.type === "boolean" || field.format === "flag-string") {
    const isTrue = toBoolean(value);
    return field.type === "boolean" ? isTrue : String(isTrue);
  }
  if (field.name === "image" && isRecord(value)) return valueToText(value["url"] ?? value["id"]);
  const [, path] = field.format === "image" && typeof value === "string" ? (/^@(.+)$/s.exec(value.trim()) ?? []) : [];
  if (path !== undefined) return takeImage(path);
  if (field.name === "slug") return decodeSlug(valueToText(value));
  // A record that a program has printed: its texts are as the server returns them.
  if (values["id"] !== undefined && typeof value !== "object") {
    const own = toWritableValue(field, { ...values, [field.name]: value }, serverProfile);
    return own === false ? undefined : own;
  }
  if (typeof value === "object" || value === false) {
    if (value === false) return undefined;
    throw usageError(`${JSON.stringify(value)} is not a text`);
  }
  const text = valueToText(value).trim();
  if (field.format === "time-zone") return requireZone(text).name;
  if (field.type === "integer") {
    if (!/^\d+$/.test(text)) throw usageError(`${JSON.stringify(text)} is not a whole number`);
    return Number(text);
  }
  return text;
}

function toBoolean(value: unknown): boolean {
  const text = valueToText(value).trim().toLowerCase();
  if (/^(?:yes|true|1|on|y)$/.test(text)) return true;
  if (/^(?:no|false|0|off|n)$/.test(text)) return false;
  throw usageError(`${JSON.stringify(value)} is neither yes nor no`);
}

function toLinkItems(value: unknown): readonly LinkItem[] {
  if (Array.isArray(value)) return value.flatMap(toLinkItems);
  if (isRecord(value)) {
    // PHP returns some lists as objects with numbers as keys.
    const items = Object.values(value);
    return value["id"] === undefined && items.every(isRecord) ? items : [value];
  }
  const text = valueToText(value).trim();
  return text === "" || text === "0" || value === false ? [] : [text];
}

// Dates.

type Cells = ReadonlyMap<Target, { readonly header: string; readonly value: unknown }>;

function readTimes(cells: Cells, fields: Input, { dateOrder }: RowOptions, problems: Problem[]): RowTimes | undefined {
  const read = (side: "start" | "end"): { readonly date?: WrittenDate; readonly time?: string } => {
    const [dateCell, timeCell] = [cells.get(`${side}_date`), cells.get(`${side}_time`)];
    let clock: ReturnType<typeof parseWrittenTime>;
    if (timeCell !== undefined && !isEmptyCell(timeCell.value)) {
      clock = parseWrittenTime(valueToText(timeCell.value));
      if (clock === undefined) problems.push({ message: `${timeCell.header}: ${JSON.stringify(timeCell.value)} is not a time` });
    }
    if (dateCell === undefined || isEmptyCell(dateCell.value)) return clock?.time === undefined ? {} : { time: clock.time };
    const date = parseWrittenDate(valueToText(dateCell.value), dateOrder);
    if (date === undefined) problems.push({ message: `${dateCell.header}: ${JSON.stringify(dateCell.value)} is not a date` });
    return date === undefined ? {} : { date: { ...date, ...clock } };
  };
  const [start, end] = [read("start"), read("end")];
  if (start.date === undefined && end.date === undefined && end.time === undefined) return undefined;
  const { all_day: allDay, timezone } = fields;
  return {
    start: start.date,
    end: end.date,
    endTime: end.time,
    isAllDay: allDay === true,
    zone: typeof timezone === "string" && timezone !== "" ? timezone : undefined,
  };
}

type RowMoment = Pick<Moment, "wall" | "epoch" | "warnings">;

/** The dates of an event on the clock of its record. */
export interface ResolvedTimes {
  readonly values: Input;
  readonly start: RowMoment | undefined;
  readonly end: RowMoment | undefined;
  readonly warnings: readonly string[];
}

/** `zone` is that of the record. Throws a usage error for a time that does not exist, and for an end before the start. */
export function resolveTimes(times: RowTimes, zone: string, now: number): ResolvedTimes {
  const { isAllDay } = times;
  const read = (date: WrittenDate | undefined, time: string | undefined): RowMoment | undefined => {
    if (date === undefined) return undefined;
    const clock = time ?? date.time ?? "00:00:00";
    const offset = date.offset === undefined || isAllDay ? "" : date.offset;
    // Most times: all of the date grammar would cost more than the rest of a row.
    const wall = `${date.day} ${clock}`;
    const epoch = offset === "" ? wallToEpoch(wall, zone) : undefined;
    if (epoch !== undefined && isUniqueWall(wall, epoch, zone)) return { wall, epoch, warnings: [] };
    return convertToZone(parseDate(`${date.day} ${clock}${offset}`, { now, zone, side: "start" }), zone);
  };
  const start = read(times.start, isAllDay ? "00:00:00" : undefined);
  const end = read(getEnd(times), isAllDay ? "23:59:59" : undefined);
  if (start !== undefined && end !== undefined && end.epoch < start.epoch)
    throw usageError(`the end (${end.wall}) is before the start (${start.wall})`);
  const values = { ...(start && { start_date: start.wall }), ...(end && { end_date: end.wall }) };
  return { values, start, end, warnings: [...(start?.warnings ?? []), ...(end?.warnings ?? [])] };
}

/**
 * An end without a day is on the day of the start, or on the next where it would be before it. Without an end an event ends when it starts.
 * A day without a time ends with the day. Of an event that lasts all day, a midnight after the first day ends the day before.
 */
function getEnd({ start, end, endTime, isAllDay }: RowTimes): WrittenDate | undefined {
  if (end !== undefined) {
    const isMidnight = end.time === "00:00:00";
    if (isAllDay && isMidnight && start !== undefined && end.day > start.day) return { day: shiftDays(end.day, -1) };
    return end.time === undefined ? { ...end, time: "23:59:59" } : end;
  }
  if (start === undefined) return undefined;
  if (endTime === undefined) return start.time === undefined ? { ...start, time: "23:59:59" } : start;
  const isNextDay = endTime < (start.time ?? "00:00:00");
  return { ...start, day: isNextDay ? shiftDays(start.day, 1) : start.day, time: endTime };
}

// Keys.

/** The fields that name a record where no key is given. */
const keyFields: Readonly<Record<Resource["name"], readonly string[]>> = {
  events: ["title", "start_date", "venue"],
  venues: ["venue", "city"],
  organizers: ["organizer"],
  categories: ["name", "parent"],
  tags: ["name"],
};

const keySeparator = " | ";

/** "" where the row has no key, which is a problem. */
function createKey(row: RowValues, { resource, columns, key, zone, now }: RowOptions, problems: Problem[]): string {
  const { source } = row;
  if (key.length === 0 && source.key !== undefined) return `${resource.name}/${source.key}`;
  const getPart = (name: string): string => {
    if (name === "start_date") return formatKeyStart(row, zone, now);
    const [link] = row.links.get(name) ?? [];
    if (link !== undefined) return typeof link === "string" ? normalizeKeyPart(link) : normalizeKeyPart(findName(link));
    return normalizeKeyPart(valueToText(row.fields[name]));
  };
  const getColumn = (column: string): string => {
    const header = Object.keys(source.values).find((one) => isSameHeader(one, column) || columns.get(one) === column);
    const target = header === undefined ? undefined : columns.get(header);
    const value = header === undefined ? undefined : source.values[header];
    return target === "start_date" ? getPart(target) : normalizeKeyPart(isRecord(value) ? findName(value) : valueToText(value));
  };
  const parts = key.length > 0 ? key.map(getColumn) : keyFields[resource.name].map(getPart);
  if (parts[0] === "" && (key.length === 0 || parts.every((part) => part === ""))) {
    const missing = key.length > 0 ? `the key (${key.join(", ")})` : resource.titleField;
    problems.push({ message: `${missing} is empty` });
    return "";
  }
  while (key.length === 0 && parts.at(-1) === "") parts.pop();
  return `${resource.name}/${parts.join(keySeparator)}`;
}

const normalizeKeyPart = (text: string): string => text.normalize("NFC").trim().replace(/\s+/g, " ");

/** The name of a linked record. */
export function findName(data: Readonly<Record<string, unknown>>): string {
  return valueToText(data["venue"] ?? data["organizer"] ?? data["name"] ?? data["title"] ?? data["slug"] ?? data["id"]);
}

/** The instant in UTC, the day of an event that lasts all day, or the time on the wall where the source has no zone: so `--tz` changes no key. */
function formatKeyStart({ times }: RowValues, zone: string, now: number): string {
  const start = times?.start;
  if (times === undefined || start === undefined) return "";
  if (times.isAllDay) return start.day;
  if (start.offset === undefined && times.zone === undefined) return `${start.day} ${start.time ?? "00:00:00"}`;
  try {
    const { start: moment } = resolveTimes({ ...times, end: undefined, endTime: undefined }, times.zone ?? zone, now);
    return `${(moment && epochToWall(moment.epoch, "UTC"))?.replace(" ", "T") ?? ""}Z`;
  } catch {
    return `${start.day} ${start.time ?? "00:00:00"}`;
  }
}
