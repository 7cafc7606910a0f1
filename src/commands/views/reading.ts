// All events of a calendar that run in a stretch of days, from every page.
import type { Site } from "../../api/lookup.ts";
import { readPages } from "../../api/pages.ts";
import type { Input } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { events } from "../../spec/events.ts";
import { pagingOf } from "../records/paging.ts";
import { windowOf } from "../records/window.ts";
import { type Placed, placed } from "./happening.ts";
import { runsIn } from "./placing.ts";
import { dayOf, type Stretch } from "./stretch.ts";

const hour = 3_600_000;

/** Clocks are at most this far apart, so an event that lasts all day may be on its day while it is another one here. */
const apart = 26 * hour;

/** How far before the stretch a server is asked that knows only starts. */
const before = 31 * 24 * hour;

/** Reads them, and says what the server could not be asked for and what could not be placed. */
export async function readRunning(site: Site, filters: Input, stretch: Stretch, context: Context): Promise<readonly Placed[]> {
  const byStart = site.kind.window === "starts";
  const from = stretch.from - (byStart ? before : apart);
  const window = windowOf({ from, to: stretch.to + apart, running: true }, stretch.zone, site.kind);
  if (byStart)
    await context.notice(
      `this server can only be asked by start: events that began before ${dayOf(from, stretch.zone)} and still run are not shown`,
    );
  const { per_page, concurrency } = await context.settings();
  const paging = pagingOf({ all: true }, per_page?.value, true, false, []);
  const found: Placed[] = [];
  let unread = 0;
  let changed = false;
  for await (const page of readPages({
    client: site.client,
    namespace: site.namespace,
    resource: events,
    filters: { ...filters, ...window.filters },
    ...paging,
    atOnce: concurrency.value,
  })) {
    changed ||= page.changed;
    for (const record of page.records) {
      const event = placed(record, stretch.zone);
      if (event === undefined) unread += 1;
      else if (runsIn(event, stretch)) found.push(event);
    }
  }
  if (changed) await context.notice("the list changed while it was read, or the server repeats pages; every event is shown once");
  if (unread > 0) await context.warn(`${unread} of the events have a date that can't be read and are not shown: cal events list --json`);
  if (found.length === 0) await context.notice("no events");
  return found;
}
