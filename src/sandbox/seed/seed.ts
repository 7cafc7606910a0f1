// The data of a fresh sandbox: a pure function of a day.
import { timeFields } from "../event-times.ts";
import { freeSlug, slugify } from "../slug.ts";
import type { Draft } from "../store/memory.ts";
import type { Entry, Value } from "../store/tables.ts";
import { instant, stamp } from "../zone.ts";
import { seedAccounts } from "./accounts.ts";
import { seedOrganizers, seedVenues } from "./places.ts";
import { programme } from "./programme.ts";
import { programmeMore } from "./programme-more.ts";
import type { Series } from "./series.ts";
import { seedCategories, seedTags } from "./terms.ts";

/** The zone of the site; events that name none are in it. */
export const siteZone = "America/New_York";

const firstId = { categories: 2, tags: 12, venues: 21, organizers: 31, pictures: 41, events: 100 } as const;
const picture = firstId.pictures;

/** Fills an empty store with the data of a day (`YYYY-MM-DD`): about 60 events from three months before to nine months after it. */
export function seedFor(day: string): (draft: Draft) => void {
  return (draft) => {
    seedAccounts(draft);
    seedTerms(draft, day);
    seedVenues.forEach((fields, index) => {
      draft.put(
        "venues",
        entry(day, firstId.venues + index, String(fields["venue"]), { show_map: "true", show_map_link: "true", ...fields }),
      );
    });
    seedOrganizers.forEach((fields, index) => {
      draft.put("organizers", entry(day, firstId.organizers + index, String(fields["organizer"]), fields));
    });
    draft.put("pictures", { id: picture, name: "stage.jpg", width: 1200, height: 800 });
    const last = seedEvents(draft, day);
    draft.put("counters", { id: "posts", last });
    draft.put("counters", { id: "terms", last: firstId.tags + seedTags.length - 1 });
  };
}

function entry(day: string, id: number, title: string, fields: Readonly<Record<string, Value>>): Entry {
  // Every record was written at noon some months before, the first one first.
  const written = stamp(instant(`${day} 12:00:00`) - 150 * 86_400_000 + id * 60_000);
  return { id, slug: slugify(title), status: "publish", author: 1, date_utc: written, modified_utc: written, fields };
}

function seedTerms(draft: Draft, day: string): void {
  seedCategories.forEach(({ name, parent, description }, index) => {
    const above = parent === undefined ? 0 : categoryId(parent);
    draft.put("categories", entry(day, firstId.categories + index, name, { name, description, parent: above }));
  });
  seedTags.forEach((name, index) => {
    draft.put("tags", entry(day, firstId.tags + index, name, { name, description: "" }));
  });
}

function seedEvents(draft: Draft, day: string): number {
  const dated = [...programme, ...programmeMore].flatMap((series) => series.days.map((distance) => ({ series, distance })));
  const taken = new Set<string>();
  dated.forEach(({ series, distance }, index) => {
    const row = entry(day, firstId.events + index, series.title, eventFields(series, shift(day, distance)));
    const slug = freeSlug(row.slug, taken);
    taken.add(slug);
    draft.put("events", { ...row, slug, status: series.status ?? "publish" });
  });
  return firstId.events + dated.length - 1;
}

function shift(day: string, days: number): string {
  return stamp(instant(`${day} 00:00:00`) + days * 86_400_000).slice(0, 10);
}

function eventFields(series: Series, date: string): Readonly<Record<string, Value>> {
  const flags = series.flags ?? [];
  const optional: Record<string, Value> = {};
  if (series.website !== undefined) optional["website"] = series.website;
  if (series.picture) optional["image"] = String(picture);
  return {
    title: series.title,
    description: series.text,
    excerpt: series.excerpt ?? "",
    cost: series.cost ?? "",
    ...optional,
    ...times(series, date),
    ...Object.fromEntries(
      ["featured", "sticky", "hide_from_listings", "show_map", "show_map_link"].map((name) => [name, flags.some((flag) => flag === name)]),
    ),
    venue: series.venue === undefined ? [] : [firstId.venues + seedVenues.findIndex(({ venue }) => venue === series.venue)],
    organizer: (series.organizers ?? []).map(
      (name) => firstId.organizers + seedOrganizers.findIndex(({ organizer }) => organizer === name),
    ),
    categories: (series.categories ?? []).map(categoryId),
    tags: (series.tags ?? []).map((name) => firstId.tags + seedTags.indexOf(name)),
  };
}

function times(series: Series, date: string): Readonly<Record<string, Value>> {
  const timezone = series.zone ?? siteZone;
  if (series.at === undefined) {
    const end = shift(date, series.lasts - 1);
    return timeFields({ start_date: `${date} 00:00:00`, end_date: `${end} 00:00:00`, timezone, all_day: true });
  }
  const start = `${date} ${series.at}:00`;
  const end = stamp(instant(start) + series.lasts * 60_000);
  return timeFields({ start_date: start, end_date: end, timezone, all_day: false });
}

function categoryId(name: string): number {
  return firstId.categories + seedCategories.findIndex((category) => category.name === name);
}
