// iCalendar files in tests: read, and their times as instants that do not depend on this program.
import { Temporal } from "temporal-polyfill";
import { type CalendarOptions, readCalendar } from "../../src/ical/read.ts";
import type { SourceRow } from "../../src/import/row.ts";

/** Lines of a calendar, or of its events where there is no BEGIN:VCALENDAR. */
export function parse(lines: readonly string[] | Uint8Array, options: Partial<CalendarOptions> = {}) {
  const text = lines instanceof Uint8Array ? lines : Buffer.from(toCalendar(lines).join("\r\n"));
  return readCalendar(text, { label: "x.ics", zone: "Europe/Berlin", maxOccurrences: 10_000, categoriesAs: "categories", ...options });
}

function toCalendar(lines: readonly string[]): readonly string[] {
  return lines[0] === "BEGIN:VCALENDAR" ? lines : ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""];
}

export function event(...lines: readonly string[]): readonly string[] {
  return [
    "BEGIN:VEVENT",
    ...(lines.some((line) => line.startsWith("UID:")) ? [] : ["UID:e1"]),
    "SUMMARY:Jazz Night",
    ...lines,
    "END:VEVENT",
  ];
}

/** Start and end: `2027-01-16T19:00Z/2027-01-16T21:00Z` in UTC, `2027-01-16/2027-01-17` of whole days (both included), `-` where there is none. */
export function instants({ values }: SourceRow): string {
  const format = (name: string): string => {
    const text = values[name];
    if (typeof text !== "string") return "-";
    if (values["all_day"] === true) return Temporal.PlainDate.from(text).toString();
    const zone = String(values["timezone"]);
    return Temporal.PlainDateTime.from(text.replace(" ", "T")).toZonedDateTime(zone).toInstant().toString().replace(/:00Z$/, "Z");
  };
  return `${format("start_date")}/${format("end_date")}`;
}

export function starts(rows: readonly SourceRow[]): readonly string[] {
  return rows.map((row) => instants(row).split("/")[0] ?? "");
}
