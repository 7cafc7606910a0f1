// The data of a new sandbox: a pure function of a day.

import type { ResourceName } from "../model/resource.ts";
import { hashSecret } from "./auth/tokens.ts";
import { createTimeFields, createUniqueSlug, slugify } from "./entry.ts";
import { type Series, seedSeries } from "./seed-events.ts";
import type { FieldValue, Role, Seed, StoreWriter } from "./store.ts";
import { formatUtcTime, parseUtcTime } from "./time.ts";

/** Also the zone of events without one. */
export const siteZone = "America/New_York";

const firstId = { categories: 2, tags: 12, venues: 21, organizers: 31, images: 41, events: 100 } as const;

type FieldValues = Readonly<Record<string, FieldValue>>;

/** Fills an empty store with the data of a day (`YYYY-MM-DD`): about 60 events from three months before to nine months after it. */
export function createSeed(day: string): Seed {
  return (draft) => {
    seedAccounts(draft);
    const put = (resource: ResourceName, index: number, title: string, fields: FieldValues, status = "publish"): void => {
      const id = firstId[resource] + index;
      // The records were written five months before, a minute apart.
      const date = formatUtcTime(parseUtcTime(`${day} 12:00:00`) - 150 * 86_400_000 + id * 60_000);
      const slug = createUniqueSlug(draft, resource, slugify(title));
      draft.put(resource, { id, slug, status, author: 1, date_utc: date, modified_utc: date, fields });
    };
    seedCategories.forEach(({ name, parent, description }, index) => {
      put("categories", index, name, { name, description, parent: parent === undefined ? 0 : findCategoryId(parent) });
    });
    seedTags.forEach((name, index) => {
      put("tags", index, name, { name, description: "" });
    });
    seedVenues.forEach((fields, index) => {
      put("venues", index, String(fields["venue"]), { show_map: "true", show_map_link: "true", ...fields });
    });
    seedOrganizers.forEach((fields, index) => {
      put("organizers", index, String(fields["organizer"]), fields);
    });
    draft.put("pictures", { id: firstId.images, name: "stage.jpg", width: 1200, height: 800 });
    // A file that is no picture: it may be shown with an event, and is refused by every write of the calendar interface.
    draft.put("pictures", { id: firstId.images + 1, name: "programme.pdf", width: 1200, height: 800 });
    const events = seedSeries.flatMap((series) => series.dayOffsets.map((days) => ({ series, date: addDays(day, days) })));
    events.forEach(({ series, date }, index) => {
      put("events", index, series.title, createEventFields(series, date), series.status);
    });
    draft.put("counters", { id: "posts", last: firstId.events + events.length - 1 });
    draft.put("counters", { id: "terms", last: firstId.tags + seedTags.length - 1 });
  };
}

function addDays(day: string, days: number): string {
  return formatUtcTime(parseUtcTime(`${day} 00:00:00`) + days * 86_400_000).slice(0, 10);
}

function createEventFields(series: Series, date: string): FieldValues {
  const flags = series.flags ?? [];
  return {
    title: series.title,
    description: series.text,
    excerpt: series.excerpt ?? "",
    cost: series.cost ?? "",
    ...(series.website === undefined ? {} : { website: series.website }),
    ...(series.hasImage ? { image: String(firstId.images) } : {}),
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

function createSeriesTimes(series: Series, date: string): FieldValues {
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

/** A user of a new sandbox. The values are public on purpose: the documentation names them. */
export interface DemoUser {
  readonly username: string;
  readonly password: string;
  readonly role: Role;
  /** For the server profile `the-events-calendar`. */
  readonly applicationPassword: string;
}

/** In the order of their ids, from 1. */
export const demoUsers: readonly [DemoUser, ...DemoUser[]] = [
  { username: "admin", password: "admin-demo", role: "administrator", applicationPassword: "admi ndem oadm inde moad mind" },
  { username: "editor", password: "editor-demo", role: "editor", applicationPassword: "edit orde moed itor demo edit" },
  { username: "author", password: "author-demo", role: "author", applicationPassword: "auth orde moau thor demo auth" },
  { username: "contributor", password: "contributor-demo", role: "contributor", applicationPassword: "cont ribu torD emoc ontr ibut" },
  { username: "reader", password: "reader-demo", role: "subscriber", applicationPassword: "read erde more ader demo read" },
];

export const demoApplication = { clientId: "cal-demo", clientSecret: "cal-demo-secret" } as const;

export const demoRedirectUrl = "http://127.0.0.1:18250/callback";

function seedAccounts(draft: StoreWriter): void {
  demoUsers.forEach(({ username, password, role, applicationPassword }, index) => {
    const id = index + 1;
    draft.put("users", { id, username, email: `${username}@example.org`, role, password: hashSecret(username, password) });
    draft.put("passwords", { id: hashSecret("application password", applicationPassword.replaceAll(" ", "")), user: id, name: "demo" });
  });
  draft.put("applications", {
    id: demoApplication.clientId,
    secret: hashSecret(demoApplication.clientId, demoApplication.clientSecret),
    redirectUrls: [demoRedirectUrl],
    revoked: false,
  });
}

/** By the fields of the interface, and two that servers add: geo_lat and geo_lng. */
const seedVenues: readonly FieldValues[] = [
  {
    venue: "Blue Note Cellar",
    description: "<p>A jazz club under the old market. Doors open an hour before the music.</p>",
    address: "131 West 3rd Street",
    city: "New York",
    country: "United States",
    state: "NY",
    stateprovince: "NY",
    zip: "10012",
    phone: "+1 212 555 0131",
    website: "https://cellar.example.org/",
    geo_lat: 40.7309,
    geo_lng: -74.0006,
  },
  {
    venue: "Riverside Public Library",
    description: "<p>Reading rooms, a workshop and a small stage.</p>",
    address: "127 East 58th Street",
    city: "New York",
    country: "United States",
    state: "NY",
    stateprovince: "NY",
    zip: "10022",
    phone: "+1 212 555 0158",
    website: "https://library.example.org/?branch=riverside&lang=en",
    geo_lat: 40.7616,
    geo_lng: -73.9686,
  },
  {
    venue: "Town Hall",
    address: "1 Main Street",
    city: "Albany",
    country: "United States",
    state: "NY",
    stateprovince: "NY",
    zip: "12207",
    phone: "+1 518 555 0100",
  },
  {
    venue: "Café de l’Été",
    description: "<p>Terrasse au bord du canal.</p>",
    address: "12 rue de la Paix",
    city: "Paris",
    country: "France",
    province: "Île-de-France",
    stateprovince: "Île-de-France",
    zip: "75002",
    phone: "+33 1 55 50 12 12",
    website: "https://cafe.example.org/",
    geo_lat: 48.8691,
    geo_lng: 2.3317,
  },
  {
    venue: "渋谷文化ホール",
    address: "道玄坂2-24-1",
    city: "東京",
    country: "Japan",
    province: "東京都",
    stateprovince: "東京都",
    zip: "150-0043",
    phone: "+81 3 5550 0150",
    geo_lat: 35.6591,
    geo_lng: 139.6956,
  },
  {
    venue: "Rabindra Mancha",
    address: "4 Lake Road",
    city: "Kolkata",
    country: "India",
    province: "West Bengal",
    stateprovince: "West Bengal",
    zip: "700029",
  },
  {
    venue: "Harbour Stadium",
    address: "77 Pier Avenue",
    city: "New York",
    country: "United States",
    state: "NY",
    stateprovince: "NY",
    zip: "11231",
  },
  { venue: "Community Garden" },
];

const seedOrganizers: readonly FieldValues[] = [
  { organizer: "Jane Doe", phone: "+1 555 0101", website: "https://jane.example.org/", email: "jane@example.org" },
  { organizer: "Friends of the Library", description: "<p>Volunteers since 1974.</p>", email: "friends@library.example.org" },
  { organizer: "Smith & Sons", phone: "+1 555 0103", website: "https://smith.example.org/" },
  { organizer: "Les Amis du Canal", email: "bonjour@canal.example.org", website: "https://canal.example.org/" },
  { organizer: "株式会社イベント", email: "info@event.example.org" },
  { organizer: "City Orchestra" },
];

/** The parent is a name. `Lectures` and the tag `online` have no events on purpose. */
const seedCategories: readonly { readonly name: string; readonly parent?: string; readonly description: string }[] = [
  { name: "Music", description: "Everything that <em>sounds</em>" },
  { name: "Jazz", parent: "Music", description: "From swing to free" },
  { name: "Bebop", parent: "Jazz", description: "Fast tempos, small bands" },
  { name: "Classical", parent: "Music", description: "Orchestras & chamber music" },
  { name: "Sports", description: "To play and to watch" },
  { name: "Football", parent: "Sports", description: "The local league" },
  { name: "Community & Family", description: "For neighbours of every age" },
  { name: "Arts", description: "Film, stage and pictures" },
  { name: "Film", parent: "Arts", description: "Old and new" },
  { name: "Lectures", description: "Talks at the library" },
];

const seedTags: readonly string[] = ["free", "outdoor", "kids & teens", "été", "音楽", "late-night", "C++", "online"];
