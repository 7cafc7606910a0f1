// The data of a fresh sandbox: a pure function of a day.
import { createTimeFields } from "../event-times.ts";
import { createUniqueSlug, slugify } from "../slug.ts";
import type { StoreWriter } from "../store/memory.ts";
import type { Entry, FieldValue } from "../store/tables.ts";
import { formatUtcTime, parseUtcTime } from "../zone.ts";
import { seedAccounts } from "./accounts.ts";
import { seedOrganizers, seedVenues } from "./places.ts";
import { seedSeries } from "./programme.ts";
import { moreSeedSeries } from "./programme-more.ts";
import type { Series } from "./series.ts";
import { seedCategories, seedTags } from "./terms.ts";

/** The zone of the site; events that name none are in it. */
export const siteZone = "America/New_York";

const firstId = { categories: 2, tags: 12, venues: 21, organizers: 31, images: 41, events: 100 } as const;
const seedImageId = firstId.images;

/** Fills an empty store with the data of a day (`YYYY-MM-DD`): about 60 events from three months before to nine months after it. */
export function createSeed(day: string): (draft: StoreWriter) => void {
  return (draft) => {
    seedAccounts(draft);
    seedTerms(draft, day);
    seedVenues.forEach((fields, index) => {
      draft.put(
        "venues",
        createSeedEntry(day, firstId.venues + index, String(fields["venue"]), { show_map: "true", show_map_link: "true", ...fields }),
      );
    });
    seedOrganizers.forEach((fields, index) => {
      draft.put("organizers", createSeedEntry(day, firstId.organizers + index, String(fields["organizer"]), fields));
    });
    draft.put("pictures", { id: seedImageId, name: "stage.jpg", width: 1200, height: 800 });
    const last = seedEvents(draft, day);
    draft.put("counters", { id: "posts", last });
    draft.put("counters", { id: "terms", last: firstId.tags + seedTags.length - 1 });
  };
}

function createSeedEntry(day: string, id: number, title: string, fields: Readonly<Record<string, FieldValue>>): Entry {
  // Every record was written at noon some months before, the first one first.
  const written = formatUtcTime(parseUtcTime(`${day} 12:00:00`) - 150 * 86_400_000 + id * 60_000);
  return { id, slug: slugify(title), status: "publish", author: 1, date_utc: written, modified_utc: written, fields };
}

function seedTerms(draft: StoreWriter, day: string): void {
  seedCategories.forEach(({ name, parent, description }, index) => {
    const above = parent === undefined ? 0 : findCategoryId(parent);
    draft.put("categories", createSeedEntry(day, firstId.categories + index, name, { name, description, parent: above }));
  });
  seedTags.forEach((name, index) => {
    draft.put("tags", createSeedEntry(day, firstId.tags + index, name, { name, description: "" }));
  });
}

function seedEvents(draft: StoreWriter, day: string): number {
  const dated = [...seedSeries, ...moreSeedSeries].flatMap((series) => series.dayOffsets.map((distance) => ({ series, distance })));
  const taken = new Set<string>();
  dated.forEach(({ series, distance }, index) => {
    const row = createSeedEntry(day, firstId.events + index, series.title, createEventFields(series, addDays(day, distance)));
    const slug = createUniqueSlug(row.slug, taken);
    taken.add(slug);
    draft.put("events", { ...row, slug, status: series.status ?? "publish" });
  });
  return firstId.events + dated.length - 1;
}

function addDays(day: string, days: number): string {
  return formatUtcTime(parseUtcTime(`${day} 00:00:00`) + days * 86_400_000).slice(0, 10);
}

function createEventFields(series: Series, date: string): Readonly<Record<string, FieldValue>> {
  const flags = series.flags ?? [];
  const optional: Record<string, FieldValue> = {};
  if (series.website !== undefined) optional["website"] = series.website;
  if (series.hasImage) optional["image"] = String(seedImageId);
  return {
    title: series.title,
    description: series.text,
    excerpt: series.excerpt ?? "",
    cost: series.cost ?? "",
    ...optional,
    ...createSeriesTimes(series, date),
    ...Object.fromEntries(
      ["featured", "sticky", "hide_from_listings", "show_map", "show_map_link"].map((name) => [name, flags.some((flag) => flag === name)]),
    ),
    venue: series.venue === undefined ? [] : [firstId.venues + seedVenues.findIndex(({ venue }) => venue === series.venue)],
    organizer: (series.organizers ?? []).map(
      (name) => firstId.organizers + seedOrganizers.findIndex(({ organizer }) => organizer === name),
    ),
    categories: (series.categories ?? []).map(findCategoryId),
    tags: (series.tags ?? []).map((name) => firstId.tags + seedTags.indexOf(name)),
  };
}

function createSeriesTimes(series: Series, date: string): Readonly<Record<string, FieldValue>> {
  const timezone = series.zone ?? siteZone;
  if (series.startTime === undefined) {
    const end = addDays(date, series.duration - 1);
    return createTimeFields({ start_date: `${date} 00:00:00`, end_date: `${end} 00:00:00`, timezone, all_day: true });
  }
  const start = `${date} ${series.startTime}:00`;
  const end = formatUtcTime(parseUtcTime(start) + series.duration * 60_000);
  return createTimeFields({ start_date: start, end_date: end, timezone, all_day: false });
}

function findCategoryId(name: string): number {
  return firstId.categories + seedCategories.findIndex((category) => category.name === name);
}
