// The dates of an events list as a real server takes them: whole days, a window where none was asked for, and only events that are wholly inside.
import { getTextField } from "../entry.ts";
import type { Params } from "../parameters.ts";
import type { Site } from "../site/site.ts";
import { getUtcNow } from "../site/site.ts";
import type { Entry } from "../store/tables.ts";
import { formatUtcTime, parseUtcTime, toWallTime } from "../zone.ts";
import { getFilterDay, parseDate, toStrictWallTime } from "./dates.ts";

/** The dates that a list was asked with, as the server tells them back. */
export type DateRange = Readonly<Record<string, string>>;

/** Each is about one end of an event; all take in the moment itself but `*_after`. */
const dateComparisons: Readonly<Record<string, (event: Entry, moment: string) => boolean>> = {
  start_date: (event, moment) => getTextField(event, "start_date") >= moment,
  end_date: (event, moment) => getTextField(event, "end_date") <= moment,
  starts_after: (event, moment) => getTextField(event, "start_date") > moment,
  starts_before: (event, moment) => getTextField(event, "start_date") <= moment,
  ends_after: (event, moment) => getTextField(event, "end_date") > moment,
  ends_before: (event, moment) => getTextField(event, "end_date") <= moment,
};

const dateParameterNames = Object.keys(dateComparisons);

/** The window of a list. Dates were checked before. */
export function resolveDateRange(site: Site, query: Params): DateRange {
  const now = getUtcNow(site);
  const strict = /^(true|1)$/i.test(String(query["strict_dates"] ?? ""));
  const sent = dateParameterNames.flatMap((name) => {
    const date = typeof query[name] === "string" ? parseDate(query[name], now) : undefined;
    if (date === undefined) return [];
    return [
      [
        name,
        strict ? toStrictWallTime(date, site.zone) : `${getFilterDay(date)} ${name === "start_date" ? "00:00:00" : "23:59:59"}`,
      ] as const,
    ];
  });
  const asked = Object.fromEntries(sent);
  if (sent.some(([name]) => name !== "start_date" && name !== "end_date")) return asked;
  // Recorded: with `include` a start that was asked for is put aside.
  return "include" in query ? { ...getDefaultDateRange(site, now) } : { ...getDefaultDateRange(site, now), ...asked };
}

/** From the day on the site's clock of the minute before UTC's midnight, for 24 months: odd, and recorded so. */
function getDefaultDateRange(site: Site, now: string): DateRange {
  const eve = formatUtcTime(parseUtcTime(`${now.slice(0, 10)} 00:00:00`) - 60_000);
  const later = new Date(parseUtcTime(now));
  later.setUTCMonth(later.getUTCMonth() + 24);
  return {
    start_date: `${toWallTime(eve, site.zone).slice(0, 10)} 00:00:00`,
    end_date: `${formatUtcTime(later.getTime()).slice(0, 10)} 23:59:59`,
  };
}

/** Whether an event is in the window. Its own wall clock counts, wherever it is. */
export function isInDateRange(event: Entry, window: DateRange): boolean {
  return Object.entries(window).every(([name, moment]) => dateComparisons[name]?.(event, moment) ?? true);
}
