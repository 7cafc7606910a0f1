// All events of a calendar that run in a stretch of days, from every page.
import type { Site } from "../../api/lookup.ts";
import { readPages } from "../../api/pages.ts";
import type { Input } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { events } from "../../spec/events.ts";
import { resolvePaging } from "../records/listing/paging.ts";
import { createDateWindow } from "../records/listing/window.ts";
import { toViewEvent, type ViewEvent } from "./happening.ts";
import { overlapsSpan } from "./placing.ts";
import type { TimeSpan } from "./stretch.ts";

/** Reads them, and says what the server could not be asked for and what could not be placed. */
export async function readEventsInSpan(site: Site, filters: Input, stretch: TimeSpan, context: Context): Promise<readonly ViewEvent[]> {
  const window = createDateWindow({ from: stretch.from, to: stretch.to, running: true }, stretch.zone, site.serverProfile);
  if (window.limitationNotice !== undefined) await context.notice(window.limitationNotice);
  const { per_page, concurrency } = await context.settings();
  const paging = resolvePaging({ all: true }, { perPage: per_page?.value, filtersLocally: true, readsAllByDefault: false }, []);
  const found: ViewEvent[] = [];
  let unread = 0;
  let changed = false;
  for await (const page of readPages({
    client: site.client,
    namespace: site.namespace,
    resource: events,
    filters: { ...filters, ...window.filters },
    ...paging,
    concurrency: concurrency.value,
  })) {
    changed ||= page.listChanged;
    for (const record of page.records) {
      const event = toViewEvent(record, stretch.zone);
      if (event === undefined) unread += 1;
      else if (overlapsSpan(event, stretch)) found.push(event);
    }
  }
  if (changed) await context.notice("the list changed while it was read, or the server repeats pages; every event is shown once");
  if (unread > 0) await context.warn(`${unread} of the events have a date that can't be read and are not shown: cal events list --json`);
  if (found.length === 0) await context.notice("no events");
  return found;
}
