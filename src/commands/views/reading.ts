// All events of a calendar that run in a stretch of days, from every page.
import type { Site } from "../../api/lookup.ts";
import { readPages } from "../../api/pages.ts";
import type { Input } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { events } from "../../spec/events.ts";
import { pagingOf } from "../records/listing/paging.ts";
import { windowOf } from "../records/listing/window.ts";
import { type Placed, placed } from "./happening.ts";
import { runsIn } from "./placing.ts";
import type { Stretch } from "./stretch.ts";

/** Reads them, and says what the server could not be asked for and what could not be placed. */
export async function readRunning(site: Site, filters: Input, stretch: Stretch, context: Context): Promise<readonly Placed[]> {
  const window = windowOf({ from: stretch.from, to: stretch.to, running: true }, stretch.zone, site.kind);
  if (window.unseen !== undefined) await context.notice(window.unseen);
  const { per_page, concurrency } = await context.settings();
  const paging = pagingOf({ all: true }, { perPage: per_page?.value, trims: true, countsAll: false }, []);
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
