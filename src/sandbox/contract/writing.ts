// From checked values to a record as it is kept.
import type { RoutedWriteRequest } from "../call.ts";
import { getBooleanField, getTextField } from "../entry.ts";
import { createTimeFields } from "../event-times.ts";
import { getUtcNow } from "../site/site.ts";
import { createUniqueSlug, slugify } from "../slug.ts";
import type { Entry, FieldValue } from "../store/tables.ts";
import { toUtc } from "../zone.ts";

type FieldValues = Readonly<Record<string, FieldValue>>;

/** Fields that are kept beside the others. */
const entryPropertyNames: ReadonlySet<string> = new Set(["slug", "status", "author", "date", "date_utc"]);

/** A new record. */
export function createEntry(call: RoutedWriteRequest, values: FieldValues): Entry {
  const { data, resource, site, user } = call;
  const id = data.nextId(resource.isTerm ? "terms" : "posts");
  const now = getUtcNow(site);
  const blank: Entry = { id, slug: "", status: "publish", author: user?.id ?? 1, date_utc: now, modified_utc: now, fields: {} };
  return mergeEntry(call, blank, { ...values, slug: values["slug"] ?? values[resource.titleField] ?? "" });
}

/** A record with some values changed; what was not sent is kept. */
export function mergeEntry({ data, resource, site }: RoutedWriteRequest, entry: Entry, values: FieldValues): Entry {
  const others = Object.entries(values).filter(([name]) => !entryPropertyNames.has(name));
  const fields: FieldValues = { ...entry.fields, ...Object.fromEntries(others) };
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  const slug =
    values["slug"] === undefined
      ? entry.slug
      : createUniqueSlug(slugify(String(values["slug"])) || `${resource.singular}-${entry.id}`, taken);
  return {
    id: entry.id,
    slug,
    status: String(values["status"] ?? entry.status),
    author: Number(values["author"] ?? entry.author),
    date_utc: String(values["date_utc"] ?? (values["date"] === undefined ? entry.date_utc : toUtc(String(values["date"]), site.zone))),
    modified_utc: getUtcNow(site),
    fields: resource.name === "events" ? addTimeFields(fields, site.zone, entry) : fields,
  };
}

function addTimeFields(fields: FieldValues, siteZone: string, entry: Entry): FieldValues {
  const now: Entry = { ...entry, fields };
  const times = {
    start_date: getTextField(now, "start_date"),
    end_date: getTextField(now, "end_date"),
    timezone: getTextField(now, "timezone") || siteZone,
  };
  return { ...fields, ...createTimeFields({ ...times, all_day: getBooleanField(now, "all_day") }) };
}
