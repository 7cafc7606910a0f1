// From checked values to a record as it is kept.
import type { WriteCall } from "../call.ts";
import { flag, text } from "../entry.ts";
import { timeFields } from "../event-times.ts";
import { utcNow } from "../site/site.ts";
import { freeSlug, slugify } from "../slug.ts";
import type { Entry, Value } from "../store/tables.ts";
import { toUtc } from "../zone.ts";

type Values = Readonly<Record<string, Value>>;

/** Fields that are kept beside the others. */
const apart: ReadonlySet<string> = new Set(["slug", "status", "author", "date", "date_utc"]);

/** A new record. */
export function created(call: WriteCall, values: Values): Entry {
  const { data, resource, site, user } = call;
  const id = data.next(resource.isTerm ? "terms" : "posts");
  const now = utcNow(site);
  const blank: Entry = { id, slug: "", status: "publish", author: user?.id ?? 1, date_utc: now, modified_utc: now, fields: {} };
  return merged(call, blank, { ...values, slug: values["slug"] ?? values[resource.title] ?? "" });
}

/** A record with some values changed; what was not sent is kept. */
export function merged({ data, resource, site }: WriteCall, entry: Entry, values: Values): Entry {
  const others = Object.entries(values).filter(([name]) => !apart.has(name));
  const fields: Values = { ...entry.fields, ...Object.fromEntries(others) };
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  const slug =
    values["slug"] === undefined ? entry.slug : freeSlug(slugify(String(values["slug"])) || `${resource.singular}-${entry.id}`, taken);
  return {
    id: entry.id,
    slug,
    status: String(values["status"] ?? entry.status),
    author: Number(values["author"] ?? entry.author),
    date_utc: String(values["date_utc"] ?? (values["date"] === undefined ? entry.date_utc : toUtc(String(values["date"]), site.zone))),
    modified_utc: utcNow(site),
    fields: resource.name === "events" ? timed(fields, site.zone, entry) : fields,
  };
}

function timed(fields: Values, siteZone: string, entry: Entry): Values {
  const now: Entry = { ...entry, fields };
  const times = { start_date: text(now, "start_date"), end_date: text(now, "end_date"), timezone: text(now, "timezone") || siteZone };
  return { ...fields, ...timeFields({ ...times, all_day: flag(now, "all_day") }) };
}
