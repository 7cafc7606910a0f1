// The filters and the order of lists. The values are checked before.
import type { ResourceName } from "../model/resource.ts";
import {
  countPublishedEvents,
  decompose,
  findLinkedEvents,
  getBooleanField,
  getCategorySubtreeIds,
  getIdListField,
  getTextField,
  type LinkedResourceName,
  slugify,
  toIds,
} from "./entry.ts";
import type { Entry, FieldValue, StoreReader } from "./store.ts";

interface FilterContext {
  readonly data: StoreReader;
  /** A UTC text. */
  readonly now: string;
  /** Whether a category includes those below it; the interface does not say so, real servers do it. */
  readonly includeDescendants: boolean;
}

/** Whether the list that a filter's value asks for has the record. */
type FilterPredicate = (entry: Entry, value: FieldValue, context: FilterContext) => boolean;

/** The records that pass every filter. A parameter without a predicate (`page`, `order`) filters nothing. */
export function filterEntries(
  resource: ResourceName,
  values: Readonly<Record<string, FieldValue>>,
  context: FilterContext,
): readonly Entry[] {
  const tests = Object.entries(values).flatMap(([name, value]) => {
    const predicate = filtersByResource[resource][name];
    return predicate === undefined ? [] : [(entry: Entry) => predicate(entry, value, context)];
  });
  return context.data.all(resource).filter((entry) => tests.every((test) => test(entry)));
}

/** As real servers do: events by their start, venues and organizers newest first, terms by `orderby`; then by id. */
export function sortEntries(
  resource: ResourceName,
  entries: readonly Entry[],
  values: Readonly<Record<string, FieldValue>>,
  data: StoreReader,
): readonly Entry[] {
  if (resource === "events") return sortBy(entries, (entry) => getTextField(entry, "start_date"));
  if (resource === "venues" || resource === "organizers") return sortBy(entries, (entry) => -entry.id);
  const keys: Readonly<Record<string, (entry: Entry) => string | number>> = {
    id: ({ id }) => id,
    slug: ({ slug }) => slug,
    count: ({ id }) => countPublishedEvents(data, resource, id),
  };
  const orderby = String(values["orderby"]);
  const byName = (entry: Entry): string => decompose(getTextField(entry, "name")).toLowerCase();
  const ascending = sortBy(entries, (Object.hasOwn(keys, orderby) ? keys[orderby] : undefined) ?? byName);
  // Recorded: everything but "asc" means "desc".
  return String(values["order"] ?? "asc").toLowerCase() === "asc" ? ascending : ascending.toReversed();
}

function sortBy(entries: readonly Entry[], key: (entry: Entry) => string | number): readonly Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.id - b.entry.id));
  return keyed.map(({ entry }) => entry);
}

const commonFilters: Readonly<Record<string, FilterPredicate>> = {
  status: (entry, value) => String(value).split(",").includes(entry.status),
  include: (entry, value) => toIds(value).includes(entry.id),
  exclude: (entry, value) => !toIds(value).includes(entry.id),
};

/** "After" and "before" include the moment itself, so that a day's first event is in the day. */
const eventFilters: Readonly<Record<string, FilterPredicate>> = {
  ...commonFilters,
  start_date: (entry, value) => getTextField(entry, "start_date") >= String(value),
  end_date: (entry, value) => getTextField(entry, "start_date") <= String(value),
  starts_after: (entry, value) => getTextField(entry, "start_date") > String(value),
  starts_before: (entry, value) => getTextField(entry, "start_date") < String(value),
  ends_after: (entry, value) => getTextField(entry, "end_date") > String(value),
  ends_before: (entry, value) => getTextField(entry, "end_date") < String(value),
  search: (entry, value) => containsText(value, getTextField(entry, "title"), getTextField(entry, "description")),
  categories: (entry, value, { data, includeDescendants }) => {
    const ids = includeDescendants ? toIds(value).flatMap((id) => getCategorySubtreeIds(data, id)) : toIds(value);
    return getIdListField(entry, "categories").some((id) => ids.includes(id));
  },
  tags: createLinkFilter("tags"),
  venue: createLinkFilter("venue"),
  organizer: createLinkFilter("organizer"),
  featured: (entry, value) => getBooleanField(entry, "featured") === value,
  geoloc: (entry, value, { data }) =>
    getIdListField(entry, "venue").some((id) => data.find("venues", id)?.fields["geo_lat"] !== undefined) === value,
  geoloc_lat: createCoordinateFilter("geo_lat"),
  geoloc_lng: createCoordinateFilter("geo_lng"),
};

const filtersByResource: Readonly<Record<ResourceName, Readonly<Record<string, FilterPredicate>>>> = {
  events: eventFilters,
  venues: createPlaceFilters("venues"),
  organizers: createPlaceFilters("organizers"),
  categories: createTermFilters("categories"),
  tags: createTermFilters("tags"),
};

function createLinkFilter(field: string): FilterPredicate {
  return (entry, value) => toIds(value).some((id) => getIdListField(entry, field).includes(id));
}

function createCoordinateFilter(field: string): FilterPredicate {
  return (entry, value, { data }) =>
    getIdListField(entry, "venue").some((id) => {
      const coordinate = data.find("venues", id)?.fields[field];
      // Half a degree: a town and its surroundings. Not shown in the interface.
      return coordinate !== undefined && Math.abs(Number(coordinate) - Number(value)) <= 0.5;
    });
}

function createPlaceFilters(resource: "venues" | "organizers"): Readonly<Record<string, FilterPredicate>> {
  return {
    ...commonFilters,
    search: (entry, value) => containsText(value, ...Object.values(entry.fields).filter((field) => typeof field === "string")),
    event: (entry, value, { data }) => findLinkedEvents(data, resource, entry.id).some(({ id }) => id === value),
    has_events: (entry, value, { data }) => findLinkedEvents(data, resource, entry.id).length > 0 === isTrueValue(value),
    only_with_upcoming: (entry, value, { data, now }) =>
      !isTrueValue(value) ||
      findLinkedEvents(data, resource, entry.id).some((event) => event.status === "publish" && getTextField(event, "utc_end_date") >= now),
  };
}

function createTermFilters(resource: LinkedResourceName): Readonly<Record<string, FilterPredicate>> {
  const ofEvent: FilterPredicate = (entry, value, { data }) => findLinkedEvents(data, resource, entry.id).some(({ id }) => id === value);
  return {
    ...commonFilters,
    search: (entry, value) => containsText(value, getTextField(entry, "name")),
    parent: (entry, value) => entry.fields["parent"] === value,
    // Recorded: a real server finds the slug as letters and percent-encoded.
    slug: (entry, value) => [String(value), slugify(String(value))].includes(entry.slug),
    post: ofEvent,
    event: ofEvent,
    hide_empty: (entry, value, { data, includeDescendants }) => {
      const used = includeDescendants ? getCategorySubtreeIds(data, entry.id) : [entry.id];
      return !isTrueValue(value) || used.some((id) => countPublishedEvents(data, resource, id) > 0);
    },
  };
}

function containsText(value: FieldValue, ...texts: readonly string[]): boolean {
  return texts.join("\n").toLowerCase().includes(String(value).toLowerCase());
}

function isTrueValue(value: FieldValue): boolean {
  return value === true || value === "true" || value === "1" || value === 1;
}
