// Dates of records in cells: to the minute, marked with their zone where it is not the viewer's, and short where there is little room.
import type { DataRecord } from "../data-record.ts";
import { toPlainText } from "../html-text.ts";
import type { OutputOptions } from "./report.ts";

const datePattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::\d\d)?$/;

interface WallTime {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `HH:MM`; absent on all days of an all-day event. */
  readonly time?: string;
}

/** The date of a field, "" for the date that servers send for none, undefined where it is no date. */
function parseDate(value: unknown, label: string, record: DataRecord): WallTime | "" | undefined {
  const [, day = "", time = ""] = (typeof value === "string" ? datePattern.exec(value) : null) ?? [];
  if (day === "") return undefined;
  if (day === "0000-00-00") return "";
  return isEventDate(label) && record["all_day"] === true ? { day } : { day, time };
}

function isEventDate(label: string): boolean {
  return label === "start_date" || label === "end_date";
}

/** `2027-01-16 20:00 CET`, `2027-01-16 all day`; undefined where the value is no date. */
export function formatDate(value: unknown, label: string, record: DataRecord, options: OutputOptions): string | undefined {
  const date = parseDate(value, label, record);
  if (date === undefined || date === "") return date;
  const { day, time } = date;
  if (time === undefined) return label === "start_date" ? `${day} all day` : day;
  return `${day} ${time}${isEventDate(label) ? formatRecordZone(record, label, options) : ""}`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Without its year a date is within so many milliseconds of now: 180 days, so that day and month are enough. */
const nearby = 180 * 86_400_000;

/** `Sat 16 Jan 20:00`, or `2029-01-16 20:00` far from now: without its zone. Undefined where the value is no date. */
export function formatShortDate(value: unknown, label: string, record: DataRecord, { now }: OutputOptions): string | undefined {
  const date = parseDate(value, label, record);
  if (date === undefined || date === "") return date;
  const { day, time } = date;
  const at = new Date(`${day}T00:00:00Z`);
  const isNear = now !== undefined && Math.abs(at.getTime() - now) < nearby;
  const shown = isNear ? `${weekdays[at.getUTCDay()]} ${at.getUTCDate()} ${months[at.getUTCMonth()]}` : day;
  return time === undefined ? shown : `${shown} ${time}`;
}

/**
 * The record's zone with a space before it, where that is not the viewer's. `timezone_abbr` belongs to the start. Where the clocks change
 * between start and end, both show their offset from UTC, which the date grammar takes too.
 */
function formatRecordZone(record: DataRecord, label: string, options: OutputOptions): string {
  const zone = toPlainText(String(record["timezone"] ?? ""));
  if (zone === "" || options.zone === undefined || zone === options.zone) return "";
  const [start, end] = [getUtcOffsetMinutes(record, "start_date"), getUtcOffsetMinutes(record, "end_date")];
  if (start !== undefined && end !== undefined && start !== end) return ` ${formatOffset(label === "start_date" ? start : end)}`;
  if (label === "end_date" && end === undefined) return ` ${zone}`;
  return ` ${toPlainText(String(record["timezone_abbr"] ?? "")) || zone}`;
}

/** `+02:00`, of minutes. */
function formatOffset(offset: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}

function getUtcOffsetMinutes(record: DataRecord, name: string): number | undefined {
  const [wall = Number.NaN, utc = Number.NaN] = [record[name], record[`utc_${name}`]].map((time) => Date.parse(`${time}Z`));
  return Number.isNaN(wall - utc) ? undefined : (wall - utc) / 60_000;
}
