// The filters of the lists, one small test each, by the interface's names. Values are checked before they come here.
import type { ResourceName } from "../model/resource.ts";
import {
  countPublishedEvents,
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

/** What a test may look at beside the record. */
interface FilterContext {
  readonly data: StoreReader;
  /** Now, as a UTC text. */
  readonly now: string;
  /** Whether a category stands for those below it too; the contract does not say so, real servers do. */
  readonly includeDescendants: boolean;
}

/** Whether a record is in the list that a filter's value asks for. */
type FilterPredicate = (entry: Entry, value: FieldValue, scene: FilterContext) => boolean;

const commonFilters: Readonly<Record<string, FilterPredicate>> = {
  status: (entry, value) => String(value).split(",").includes(entry.status),
  include: (entry, value) => toIds(value).includes(entry.id),
  exclude: (entry, value) => !toIds(value).includes(entry.id),
};

const createLinkFilter =
  (field: string): FilterPredicate =>
  (entry, value) =>
    toIds(value).some((id) => getIdListField(entry, field).includes(id));

const createCoordinateFilter =
  (field: string): FilterPredicate =>
  (entry, value, { data }) =>
    getIdListField(entry, "venue").some((id) => {
      const place = data.find("venues", id)?.fields[field];
      // Half a degree: a town and its surroundings. Not shown in the interface.
      return place !== undefined && Math.abs(Number(place) - Number(value)) <= 0.5;
    });

/** "After" and "before" take the moment itself in, so that a day's first event is in the day. */
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
    const wanted = includeDescendants ? toIds(value).flatMap((id) => getCategorySubtreeIds(data, id)) : toIds(value);
    return getIdListField(entry, "categories").some((id) => wanted.includes(id));
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

function containsText(value: FieldValue, ...texts: readonly string[]): boolean {
  return texts.join("\n").toLowerCase().includes(String(value).toLowerCase());
}

function isTrueValue(value: FieldValue): boolean {
  return value === true || value === "true" || value === "1" || value === 1;
}

/** Venues and organizers. */
const createPlaceFilters = (resource: LinkedResourceName): Readonly<Record<string, FilterPredicate>> => ({
  ...commonFilters,
  search: (entry, value) => containsText(value, ...Object.values(entry.fields).filter((field) => typeof field === "string")),
  event: (entry, value, { data }) => findLinkedEvents(data, resource, entry.id).some(({ id }) => id === value),
  has_events: (entry, value, { data }) => findLinkedEvents(data, resource, entry.id).length > 0 === isTrueValue(value),
  only_with_upcoming: (entry, value, { data, now }) =>
    !isTrueValue(value) ||
    findLinkedEvents(data, resource, entry.id).some((event) => event.status === "publish" && getTextField(event, "utc_end_date") >= now),
});

const createTermFilters = (resource: LinkedResourceName): Readonly<Record<string, FilterPredicate>> => {
  const ofEvent: FilterPredicate = (entry, value, { data }) => findLinkedEvents(data, resource, entry.id).some(({ id }) => id === value);
  return {
    ...commonFilters,
    search: (entry, value) => containsText(value, getTextField(entry, "name")),
    parent: (entry, value) => entry.fields["parent"] === value,
    // Sent as its letters or percent-encoded: recorded, a real server finds either.
    slug: (entry, value) => [String(value), slugify(String(value))].includes(entry.slug),
    post: ofEvent,
    event: ofEvent,
    hide_empty: (entry, value, { data, includeDescendants }) => {
      const used = includeDescendants ? getCategorySubtreeIds(data, entry.id) : [entry.id];
      return !isTrueValue(value) || used.some((id) => findLinkedEvents(data, resource, id).some(({ status }) => status === "publish"));
    },
  };
};

/** The tests of every list. A parameter that has none (`page`, `order`) filters nothing. */
const filtersByResource: Readonly<Record<ResourceName, Readonly<Record<string, FilterPredicate>>>> = {
  events: eventFilters,
  venues: createPlaceFilters("venues"),
  organizers: createPlaceFilters("organizers"),
  categories: createTermFilters("categories"),
  tags: createTermFilters("tags"),
};

/** The records that pass every filter. */
export function filterEntries(
  resource: ResourceName,
  values: Readonly<Record<string, FieldValue>>,
  scene: FilterContext,
): readonly Entry[] {
  const tests = Object.entries(values).flatMap(([name, value]) => {
    const test = filtersByResource[resource][name];
    return test === undefined ? [] : [(entry: Entry) => test(entry, value, scene)];
  });
  return scene.data.all(resource).filter((entry) => tests.every((test) => test(entry)));
}

// The order of the lists (not shown in the interface, but `order` and `orderby` of terms): as real servers have it.

type SortKey = string | number;

/** Events by their start, venues and organizers newest first, terms by `orderby`. Records that compare alike are in the order of their ids. */
export function sortEntries(
  resource: ResourceName,
  entries: readonly Entry[],
  values: Readonly<Record<string, FieldValue>>,
  data: StoreReader,
): readonly Entry[] {
  if (resource === "events") return sortBy(entries, (entry) => getTextField(entry, "start_date"));
  if (resource === "venues" || resource === "organizers") return sortBy(entries, (entry) => -entry.id);
  const ascending = sortBy(entries, getTermSortKey(resource, String(values["orderby"] ?? "name"), data));
  // Recorded: everything but "asc" means "desc".
  return String(values["order"] ?? "asc").toLowerCase() === "asc" ? ascending : ascending.toReversed();
}

function getTermSortKey(resource: LinkedResourceName, orderby: string, data: StoreReader): (entry: Entry) => SortKey {
  if (orderby === "id") return ({ id }) => id;
  if (orderby === "slug") return ({ slug }) => slug;
  if (orderby === "count") return ({ id }) => countPublishedEvents(data, resource, id);
  return (entry) => getTextField(entry, "name").normalize("NFD").toLowerCase();
}

function sortBy(entries: readonly Entry[], key: (entry: Entry) => SortKey): readonly Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }));
  const compare = (a: SortKey, b: SortKey): number => (a < b ? -1 : a > b ? 1 : 0);
  return keyed.sort((a, b) => compare(a.key, b.key) || a.entry.id - b.entry.id).map(({ entry }) => entry);
}
