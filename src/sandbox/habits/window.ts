// The dates of an events list as a real server takes them: whole days, a window where none was asked for, and only events that are wholly inside.
import { text } from "../entry.ts";
import type { Params } from "../parameters.ts";
import type { Site } from "../site/site.ts";
import { utcNow } from "../site/site.ts";
import type { Entry } from "../store/tables.ts";
import { instant, stamp, toWall } from "../zone.ts";
import { dayOf, readDate, strictly } from "./dates.ts";

/** The dates that a list was asked with, as the server tells them back. */
export type Window = Readonly<Record<string, string>>;

/** Each is about one end of an event; all take in the moment itself but `*_after`. */
const tests: Readonly<Record<string, (event: Entry, moment: string) => boolean>> = {
  start_date: (event, moment) => text(event, "start_date") >= moment,
  end_date: (event, moment) => text(event, "end_date") <= moment,
  starts_after: (event, moment) => text(event, "start_date") > moment,
  starts_before: (event, moment) => text(event, "start_date") <= moment,
  ends_after: (event, moment) => text(event, "end_date") > moment,
  ends_before: (event, moment) => text(event, "end_date") <= moment,
};

const names = Object.keys(tests);

/** The window of a list. Dates were checked before. */
export function windowOf(site: Site, query: Params): Window {
  const now = utcNow(site);
  const strict = /^(true|1)$/i.test(String(query["strict_dates"] ?? ""));
  const sent = names.flatMap((name) => {
    const date = typeof query[name] === "string" ? readDate(query[name], now) : undefined;
    if (date === undefined) return [];
    return [[name, strict ? strictly(date, site.zone) : `${dayOf(date)} ${name === "start_date" ? "00:00:00" : "23:59:59"}`] as const];
  });
  const asked = Object.fromEntries(sent);
  if (sent.some(([name]) => name !== "start_date" && name !== "end_date")) return asked;
  // Recorded: with `include` a start that was asked for is put aside.
  return "include" in query ? { ...defaultWindow(site, now) } : { ...defaultWindow(site, now), ...asked };
}

/** From the day on the site's clock of the minute before UTC's midnight, for 24 months: odd, and recorded so. */
function defaultWindow(site: Site, now: string): Window {
  const eve = stamp(instant(`${now.slice(0, 10)} 00:00:00`) - 60_000);
  const later = new Date(instant(now));
  later.setUTCMonth(later.getUTCMonth() + 24);
  return { start_date: `${toWall(eve, site.zone).slice(0, 10)} 00:00:00`, end_date: `${stamp(later.getTime()).slice(0, 10)} 23:59:59` };
}

/** Whether an event is in the window. Its own wall clock counts, wherever it is. */
export function isWithin(event: Entry, window: Window): boolean {
  return Object.entries(window).every(([name, moment]) => tests[name]?.(event, moment) ?? true);
}
