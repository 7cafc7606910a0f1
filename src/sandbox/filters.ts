// The filters of the lists, one small test each, by the interface's names. Values are checked before they come here.
import type { ResourceName } from "../spec/field.ts";
import { eventsOf, flag, ids, idsOf, type Linked, text, withChildren } from "./entry.ts";
import { slugify } from "./slug.ts";
import type { Data } from "./store/memory.ts";
import type { Entry, Value } from "./store/tables.ts";

/** What a test may look at beside the record. */
export interface Scene {
  readonly data: Data;
  /** Now, as a UTC text. */
  readonly now: string;
  /** Whether a category stands for those below it too; the contract does not say so, real servers do. */
  readonly family: boolean;
}

/** Whether a record is in the list that a filter's value asks for. */
export type Test = (entry: Entry, value: Value, scene: Scene) => boolean;

const common: Readonly<Record<string, Test>> = {
  status: (entry, value) => String(value).split(",").includes(entry.status),
  include: (entry, value) => idsOf(value).includes(entry.id),
  exclude: (entry, value) => !idsOf(value).includes(entry.id),
};

const linkedTo =
  (field: string): Test =>
  (entry, value) =>
    idsOf(value).some((id) => ids(entry, field).includes(id));

const near =
  (field: string): Test =>
  (entry, value, { data }) =>
    ids(entry, "venue").some((id) => {
      const place = data.find("venues", id)?.fields[field];
      // Half a degree: a town and its surroundings. Not shown in the interface.
      return place !== undefined && Math.abs(Number(place) - Number(value)) <= 0.5;
    });

/** "After" and "before" take the moment itself in, so that a day's first event is in the day. */
const events: Readonly<Record<string, Test>> = {
  ...common,
  start_date: (entry, value) => text(entry, "start_date") >= String(value),
  end_date: (entry, value) => text(entry, "start_date") <= String(value),
  starts_after: (entry, value) => text(entry, "start_date") > String(value),
  starts_before: (entry, value) => text(entry, "start_date") < String(value),
  ends_after: (entry, value) => text(entry, "end_date") > String(value),
  ends_before: (entry, value) => text(entry, "end_date") < String(value),
  search: (entry, value) => contains(value, text(entry, "title"), text(entry, "description")),
  categories: (entry, value, { data, family }) => {
    const wanted = family ? idsOf(value).flatMap((id) => withChildren(data, id)) : idsOf(value);
    return ids(entry, "categories").some((id) => wanted.includes(id));
  },
  tags: linkedTo("tags"),
  venue: linkedTo("venue"),
  organizer: linkedTo("organizer"),
  featured: (entry, value) => flag(entry, "featured") === value,
  geoloc: (entry, value, { data }) => ids(entry, "venue").some((id) => data.find("venues", id)?.fields["geo_lat"] !== undefined) === value,
  geoloc_lat: near("geo_lat"),
  geoloc_lng: near("geo_lng"),
};

function contains(value: Value, ...texts: readonly string[]): boolean {
  return texts.join("\n").toLowerCase().includes(String(value).toLowerCase());
}

function isTrue(value: Value): boolean {
  return value === true || value === "true" || value === "1" || value === 1;
}

/** Venues and organizers. */
const posts = (resource: Linked): Readonly<Record<string, Test>> => ({
  ...common,
  search: (entry, value) => contains(value, ...Object.values(entry.fields).filter((field) => typeof field === "string")),
  event: (entry, value, { data }) => eventsOf(data, resource, entry.id).some(({ id }) => id === value),
  has_events: (entry, value, { data }) => eventsOf(data, resource, entry.id).length > 0 === isTrue(value),
  only_with_upcoming: (entry, value, { data, now }) =>
    !isTrue(value) || eventsOf(data, resource, entry.id).some((event) => event.status === "publish" && text(event, "utc_end_date") >= now),
});

const terms = (resource: Linked): Readonly<Record<string, Test>> => {
  const ofEvent: Test = (entry, value, { data }) => eventsOf(data, resource, entry.id).some(({ id }) => id === value);
  return {
    ...common,
    search: (entry, value) => contains(value, text(entry, "name")),
    parent: (entry, value) => entry.fields["parent"] === value,
    // Sent as its letters or percent-encoded: recorded, a real server finds either.
    slug: (entry, value) => [String(value), slugify(String(value))].includes(entry.slug),
    post: ofEvent,
    event: ofEvent,
    hide_empty: (entry, value, { data, family }) => {
      const used = family ? withChildren(data, entry.id) : [entry.id];
      return !isTrue(value) || used.some((id) => eventsOf(data, resource, id).some(({ status }) => status === "publish"));
    },
  };
};

/** The tests of every list. A parameter that has none (`page`, `order`) filters nothing. */
export const filters: Readonly<Record<ResourceName, Readonly<Record<string, Test>>>> = {
  events,
  venues: posts("venues"),
  organizers: posts("organizers"),
  categories: terms("categories"),
  tags: terms("tags"),
};

/** The records that pass every filter. */
export function filtered(resource: ResourceName, values: Readonly<Record<string, Value>>, scene: Scene): readonly Entry[] {
  const tests = Object.entries(values).flatMap(([name, value]) => {
    const test = filters[resource][name];
    return test === undefined ? [] : [(entry: Entry) => test(entry, value, scene)];
  });
  return scene.data.all(resource).filter((entry) => tests.every((test) => test(entry)));
}
