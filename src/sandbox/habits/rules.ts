// What a WordPress site refuses, as tables: by resource and field for writing, by filter for lists. What is not in them is taken as it comes.
import type { ResourceName } from "../../spec/field.ts";
import { items } from "../parameters.ts";
import type { Fault } from "../problems.ts";
import { atLeast } from "./access.ts";
import * as is from "./rule.ts";

type Rules = Readonly<Record<string, is.Rule>>;

const post: Rules = { author: is.person, date: is.date, date_utc: is.date, status: is.status };
const plain = (names: readonly string[]): Rules => Object.fromEntries(names.map((name) => [name, is.text]));

/** One venue: nothing, an id, or an object that names one. Lists pass here and fail later. */
const venue = is.must((value, { data }) => {
  if (Array.isArray(value) || value === null || value === "" || value === false || value === 0 || value === "0") return true;
  if (typeof value === "object")
    return Object.hasOwn(value, "venue") || ("id" in value && (value.id === 0 || is.isId(data, "venues", value.id)));
  return is.isId(data, "venues", value) || /^\d+(,\d+)+$/.test(String(value));
});

const organizer = is.must((value, { data }) => {
  if (value === null || value === "") return true;
  const one = (item: unknown): boolean => (typeof item === "object" && item !== null) || is.isId(data, "organizers", item);
  return Array.isArray(value) ? value.every(one) : one(value) || /^\d+(,\d+)+$/.test(String(value));
});

const parent: is.Rule = (value, scene, name) =>
  /^-?\d+$/.test(String(value)) ? is.idOf("categories")(value, scene, name) : is.notOfType(name, "integer");

/** Rules for bodies. */
export const bodyRules: Readonly<Record<ResourceName, Rules>> = {
  events: {
    title: is.named,
    start_date: is.date,
    end_date: is.date,
    ...post,
    description: is.filled,
    slug: is.filled,
    excerpt: is.filled,
    timezone: is.zone,
    all_day: is.truth,
    image: is.image,
    website: is.url,
    show_map: is.truth,
    show_map_link: is.truth,
    hide_from_listings: is.truth,
    sticky: is.truth,
    featured: is.truth,
    venue,
    organizer,
  },
  venues: {
    venue: is.named,
    ...post,
    show_map: is.onlyText,
    show_map_link: is.onlyText,
    ...plain(["description", "address", "city", "country", "province", "state", "zip", "phone", "stateprovince"]),
    website: is.url,
    image: is.imageOrNone,
  },
  organizers: { organizer: is.named, ...post, ...plain(["description", "phone", "email"]), website: is.url, image: is.imageOrNone },
  categories: { name: is.named, description: is.filled, slug: is.filled, parent },
  tags: { name: is.named, description: is.filled, slug: is.filled },
};

const paging: Rules = { page: is.counting, per_page: is.counting };
const event = is.idOf("events");
const search = is.filled;

/** Which statuses a caller may ask for: nobody `any`, the public none but what is published. */
const status = is.must((value, { user }) => {
  const known = atLeast(user, "contributor")
    ? ["publish", "draft", "pending", "private", "future", ...(atLeast(user, "editor") ? ["trash"] : [])]
    : ["publish"];
  return items(value).every((item) => known.includes(String(item)));
});

const ticketed: is.Rule = (value, scene, name) => {
  if (is.truth(value, scene, name) !== undefined || !/^(true|1)$/i.test(String(value))) return undefined;
  return { message: "Event Tickets plugin is not activated.", code: "event-tickets-not-active", data: { status: 400 } };
};

const linked: Rules = { ...paging, search, event, status };
const term: Rules = { ...paging, hide_empty: is.truth, post: event, event };
/** Slugs pass here and are then passed over. */
const termIds = (resource: "categories" | "tags"): is.Rule =>
  is.must((value, { data }) => items(value).every((item) => item !== "" && (!/^\d+$/.test(String(item)) || is.isId(data, resource, item))));

/** Rules for lists. */
export const listRules: Readonly<Record<ResourceName, Rules>> = {
  events: {
    ...paging,
    ...Object.fromEntries(
      ["start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"].map((name) => [name, is.date]),
    ),
    search,
    categories: is.terms("categories"),
    tags: is.terms("tags"),
    venue: is.idsOf("venues"),
    organizer: is.idsOf("organizers"),
    featured: is.truth,
    status,
    geoloc: is.truth,
    include: is.must((value) => items(value).every((item) => /^\d+$/.test(String(item)))),
    post_parent: event,
    ticketed,
  },
  venues: linked,
  organizers: linked,
  categories: { ...term, include: termIds("categories"), exclude: termIds("categories"), parent: is.idOf("categories") },
  tags: { ...term, include: termIds("tags"), exclude: termIds("tags") },
};

/** The faults of all parameters that a table has rules for. */
export function faultsOf(rules: Rules, params: Readonly<Record<string, unknown>>, scene: is.Scene): Readonly<Record<string, Fault>> {
  const faults = Object.entries(rules).flatMap(([name, rule]) => {
    const fault = Object.hasOwn(params, name) ? rule(params[name], scene, name) : undefined;
    return fault === undefined ? [] : [[name, fault] as const];
  });
  return Object.fromEntries(faults);
}
