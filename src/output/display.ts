// A value as people read it in a table or a record: dates to the minute, yes and no, plain words.
import { toPlainText } from "../http/clean.ts";
import { sanitizeLine } from "../http/line.ts";
import { isScalar, stringifyCellValue } from "./cell.ts";
import type { OutputColumn } from "./columns.ts";
import { getValueAtPath } from "./fields.ts";
import type { DataRecord } from "./report.ts";
import type { Row } from "./row.ts";
import type { OutputOptions } from "./view.ts";

/** The text of a cell: one line, safe on a terminal, not cut. */
export function formatCell(column: OutputColumn, row: Row, view: OutputOptions): string {
  const value = getValueAtPath(row.cells, column.path);
  const record = row.record ?? row.cells;
  const told = column.format?.(value, record);
  if (told !== undefined) return told;
  switch (column.kind) {
    case "date-time":
      return formatDateCell(value, column.label, record, view);
    case "status":
      return record["featured"] === true ? `${formatPlainValue(value)}, featured` : formatPlainValue(value);
    default:
      return formatPlainValue(value);
  }
}

/** Any value in one line of words. */
export function formatPlainValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = stringifyCellValue(value);
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar)) ? toPlainText(text) : sanitizeLine(text);
}

/** The text of a status in its colour; the word says the same without it. */
export function colorizeStatus(text: string, view: OutputOptions): string {
  if (text.startsWith("publish")) return view.style.green(text);
  return text.startsWith("trash") ? view.style.red(text) : view.style.magenta(text);
}

function formatDateCell(value: unknown, label: string, record: DataRecord, view: OutputOptions): string {
  const match = typeof value === "string" ? /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::\d\d)?$/.exec(value) : null;
  if (match === null) return formatPlainValue(value);
  const [, day = "", time = ""] = match;
  // What servers send for "no date".
  if (day === "0000-00-00") return "";
  if (label !== "start_date" && label !== "end_date") return `${day} ${time}`;
  if (record["all_day"] === true) return label === "start_date" ? `${day} all day` : day;
  return `${day} ${time}${formatRecordZone(record, label, view)}`;
}

/**
 * The record's zone with a space before it, where that is not the viewer's. The letters that servers tell with it are those of the start:
 * an end at another distance from UTC shows that distance, which the date grammar takes too.
 */
function formatRecordZone(record: DataRecord, label: "start_date" | "end_date", view: OutputOptions): string {
  const zone = formatPlainValue(record["timezone"]);
  if (zone === "" || view.zone === undefined || zone === view.zone) return "";
  const letters = ` ${formatPlainValue(record["timezone_abbr"]) || zone}`;
  if (label === "start_date") return letters;
  const [start, end] = [getUtcOffsetMinutes(record, "start_date"), getUtcOffsetMinutes(record, "end_date")];
  if (end === undefined) return ` ${zone}`;
  return start === end ? letters : ` ${formatUtcOffset(end)}`;
}

function getUtcOffsetMinutes(record: DataRecord, name: string): number | undefined {
  const [wall = Number.NaN, utc = Number.NaN] = [record[name], record[`utc_${name}`]].map((time) => Date.parse(`${time}Z`));
  return Number.isNaN(wall - utc) ? undefined : (wall - utc) / 60_000;
}

function formatUtcOffset(minutes: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}
