// Events as a programme for readers: who, when, where, and what it costs.
import { type DataRecord, getText } from "../data-record.ts";
import { toPlainText } from "../html-text.ts";
import { formatEventTitle, formatHoursOnDay } from "../output/calendar/day.ts";
import { formatDayName, type Programme, type ProgrammeEvent } from "../output/programme.ts";
import { stringifyCellValue } from "../output/rows.ts";
import { compareEvents, toRecords, toViewEvent, type ViewEvent } from "./view-events.ts";

interface DayOfEvents {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly calendarEvents: readonly ViewEvent[];
}

/** The events of a list, each on its first day, in order of time, and the number of those without a date that can be read. */
export function groupEventsByFirstDay(records: readonly DataRecord[], zone: string) {
  const events = records.flatMap((record) => toViewEvent(record, zone) ?? []);
  const byDay = new Map<string, ViewEvent[]>();
  for (const event of events.sort(compareEvents)) {
    const day = byDay.get(event.firstDay);
    if (day === undefined) byDay.set(event.firstDay, [event]);
    else day.push(event);
  }
  const days = [...byDay].map(([date, calendarEvents]): DayOfEvents => ({ date, calendarEvents }));
  return { days: days.sort((a, b) => (a.date < b.date ? -1 : 1)), unreadable: records.length - events.length };
}

/** The programme of these days. An event that lasts several days says until when. */
export function createProgramme(days: readonly DayOfEvents[], zone: string): Programme {
  return {
    days: days
      .filter(({ calendarEvents }) => calendarEvents.length > 0)
      .map(({ date, calendarEvents }) => ({ date, events: calendarEvents.map((event) => toProgrammeEvent(event, date)) })),
    zone,
  };
}

function toProgrammeEvent(event: ViewEvent, date: string): ProgrammeEvent {
  const { record, shownAsBar, firstDay, lastDay, endTime, startInEventZone } = event;
  const until = shownAsBar && date < lastDay ? `until ${[formatDayName(lastDay), endTime].filter(Boolean).join(" ")}` : "";
  const since = shownAsBar && date > firstDay ? `since ${formatDayName(firstDay)}` : "";
  const price = toPlainText(stringifyCellValue(record["cost"]));
  const place = toRecords(record["venue"]).map(formatPlace).join("; ");
  const details = [since, until, startInEventZone ?? "", place, price === "0" ? "Free" : price.replace(/^\d+(?:[.,]\d+)?$/, "Price: $&")];
  return {
    title: formatEventTitle(event) || "(no title)",
    hours: formatHoursOnDay(event, date),
    details: details.filter((text) => text !== ""),
    url: getText(record, "url"),
  };
}

function formatPlace(venue: DataRecord): string {
  const parts = ["venue", "address", "city"].map((key) => toPlainText(getText(venue, key)));
  return parts.filter((part) => part !== "").join(", ");
}
