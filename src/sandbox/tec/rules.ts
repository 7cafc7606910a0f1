// What a WordPress site refuses, as tables: by resource and field for writing, by filter for lists. What is not in them is taken as it comes.
import type { ResourceName } from "../../model/resource.ts";
import { hashSecret, parseBasicHeader } from "../auth/tokens.ts";
import { slugify } from "../entry.ts";
import { createApiError, type ParameterError, type ResponseError } from "../http.ts";
import { type Params, toList } from "../parameters.ts";
import type { RoutedRequest } from "../routes.ts";
import type { Entry, Role, StoreReader, User } from "../store.ts";
import * as is from "./value-rules.ts";

type RuleTable = Readonly<Record<string, is.ValidationRule>>;

const postRules: RuleTable = { author: is.userIdRule, date: is.dateRule, date_utc: is.dateRule, status: is.statusRule };
const createTextRules = (names: readonly string[]): RuleTable => Object.fromEntries(names.map((name) => [name, is.textRule]));

/** One venue: nothing, an id, or an object that names one. Lists pass here and fail later. */
const venueRule = is.createRule((value, { data }) => {
  if (Array.isArray(value) || value === null || value === "" || value === false || value === 0 || value === "0") return true;
  if (typeof value === "object")
    return Object.hasOwn(value, "venue") || ("id" in value && (value.id === 0 || is.isRecordId(data, "venues", value.id)));
  return is.isRecordId(data, "venues", value) || /^\d+(,\d+)+$/.test(String(value));
});

const organizerRule = is.createRule((value, { data }) => {
  if (value === null || value === "") return true;
  const one = (item: unknown): boolean => (typeof item === "object" && item !== null) || is.isRecordId(data, "organizers", item);
  return Array.isArray(value) ? value.every(one) : one(value) || /^\d+(,\d+)+$/.test(String(value));
});

const parentRule: is.ValidationRule = (value, scene, name) =>
  /^-?\d+$/.test(String(value)) ? is.createIdRule("categories")(value, scene, name) : is.createTypeError(name, "integer");

/** Rules for bodies. */
export const bodyRules: Readonly<Record<ResourceName, RuleTable>> = {
  events: {
    title: is.nameRule,
    start_date: is.dateRule,
    end_date: is.dateRule,
    ...postRules,
    description: is.nonEmptyTextRule,
    slug: is.nonEmptyTextRule,
    excerpt: is.nonEmptyTextRule,
    timezone: is.timeZoneRule,
    all_day: is.booleanRule,
    image: is.imageRule,
    website: is.urlRule,
    show_map: is.booleanRule,
    show_map_link: is.booleanRule,
    hide_from_listings: is.booleanRule,
    sticky: is.booleanRule,
    featured: is.booleanRule,
    venue: venueRule,
    organizer: organizerRule,
  },
  venues: {
    venue: is.nameRule,
    ...postRules,
    show_map: is.strictTextRule,
    show_map_link: is.strictTextRule,
    ...createTextRules(["description", "address", "city", "country", "province", "state", "zip", "phone", "stateprovince"]),
    website: is.urlRule,
    image: is.optionalImageRule,
  },
  organizers: {
    organizer: is.nameRule,
    ...postRules,
    ...createTextRules(["description", "phone", "email"]),
    website: is.urlRule,
    image: is.optionalImageRule,
  },
  categories: { name: is.nameRule, description: is.nonEmptyTextRule, slug: is.nonEmptyTextRule, parent: parentRule },
  tags: { name: is.nameRule, description: is.nonEmptyTextRule, slug: is.nonEmptyTextRule },
};

const pagingRules: RuleTable = { page: is.positiveIntegerRule, per_page: is.positiveIntegerRule };
const eventIdRule = is.createIdRule("events");
const searchRule = is.nonEmptyTextRule;

/** Which statuses a caller may ask for: nobody `any`, the public none but what is published. */
const statusFilterRule = is.createRule((value, { user }) => {
  const known = hasRole(user, "contributor")
    ? ["publish", "draft", "pending", "private", "future", ...(hasRole(user, "editor") ? ["trash"] : [])]
    : ["publish"];
  return toList(value).every((item) => known.includes(String(item)));
});

const ticketedRule: is.ValidationRule = (value, scene, name) => {
  if (is.booleanRule(value, scene, name) !== undefined || !/^(true|1)$/i.test(String(value))) return undefined;
  return { message: "Event Tickets plugin is not activated.", code: "event-tickets-not-active", data: { status: 400 } };
};

const placeListRules: RuleTable = { ...pagingRules, search: searchRule, event: eventIdRule, status: statusFilterRule };
const termListRules: RuleTable = { ...pagingRules, hide_empty: is.booleanRule, post: eventIdRule, event: eventIdRule };
/** Slugs pass here and are then passed over. */
const createTermIdRule = (resource: "categories" | "tags"): is.ValidationRule =>
  is.createRule((value, { data }) =>
    toList(value).every((item) => item !== "" && (!/^\d+$/.test(String(item)) || is.isRecordId(data, resource, item))),
  );

/** Rules for lists. */
export const listRules: Readonly<Record<ResourceName, RuleTable>> = {
  events: {
    ...pagingRules,
    ...Object.fromEntries(
      ["start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"].map((name) => [name, is.dateRule]),
    ),
    search: searchRule,
    categories: is.createTermListRule("categories"),
    tags: is.createTermListRule("tags"),
    venue: is.createIdListRule("venues"),
    organizer: is.createIdListRule("organizers"),
    featured: is.booleanRule,
    status: statusFilterRule,
    geoloc: is.booleanRule,
    include: is.createRule((value) => toList(value).every((item) => /^\d+$/.test(String(item)))),
    post_parent: eventIdRule,
    ticketed: ticketedRule,
  },
  venues: placeListRules,
  organizers: placeListRules,
  categories: {
    ...termListRules,
    include: createTermIdRule("categories"),
    exclude: createTermIdRule("categories"),
    parent: is.createIdRule("categories"),
  },
  tags: { ...termListRules, include: createTermIdRule("tags"), exclude: createTermIdRule("tags") },
};

/** The faults of all parameters that a table has rules for. */
export function findParameterErrors(
  rules: RuleTable,
  params: Readonly<Record<string, unknown>>,
  scene: is.ValidationContext,
): Readonly<Record<string, ParameterError>> {
  const faults = Object.entries(rules).flatMap(([name, rule]) => {
    const fault = Object.hasOwn(params, name) ? rule(params[name], scene, name) : undefined;
    return fault === undefined ? [] : [[name, fault] as const];
  });
  return Object.fromEntries(faults);
}

// Who calls a WordPress site: application passwords over Basic. A bearer token means nothing to it, nor does a header it can't read.

/** The user of an application password; undefined for anonymous calls. Recorded: a wrong one is 401 even where nobody need be logged in. */
export function authenticateByPassword(data: StoreReader, authorization: string | undefined): User | undefined {
  const sent = parseBasicHeader(authorization);
  if (sent === undefined || sent.name === "" || sent.password === "") return undefined;
  const name = sent.name.toLowerCase();
  const user = data.all("users").find((one) => one.username === name || one.email === name);
  if (user === undefined) {
    throw createApiError(401, "invalid_username", "<strong>Error:</strong> Unknown username. Check again or try your email address.");
  }
  const password = data.find("passwords", hashSecret("application password", sent.password.replaceAll(" ", "")));
  if (password?.user !== user.id)
    throw createApiError(401, "incorrect_password", "The provided password is an invalid application password.");
  return user;
}

/** The order of the roles; each may do what the ones before it may. */
const roleOrder: readonly Role[] = ["subscriber", "contributor", "author", "editor", "administrator"];

/** Whether a user has a role or a higher one. */
export function hasRole(user: User | undefined, role: Role): boolean {
  return user !== undefined && roleOrder.indexOf(user.role) >= roleOrder.indexOf(role);
}

/** 401 for anonymous calls, 403 for users who may not write. `own` is the record that is to be changed; once it is published it is no contributor's. */
export function requireWriteAccess(user: User | undefined, needed: Role, own?: Entry): User {
  if (user === undefined) throw createApiError(401, "rest_forbidden", "Sorry, you are not allowed to do that.");
  const isTheirs = own?.author === user.id && (hasRole(user, "author") || !["publish", "future"].includes(own.status));
  const mayTouch = own === undefined || isTheirs || hasRole(user, "editor");
  if (!hasRole(user, needed) || !mayTouch) throw createApiError(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
  return user;
}

// Which record a call means, and what a real server says where there is none.

/** Everything that was sent, the weakest first. Recorded: the query beats the path, and the body beats both. */
export function mergeParams({ target, query, payload }: RoutedRequest): Params {
  const path = target === undefined ? {} : target.by === "id" ? { id: target.id } : { slug: target.slug };
  return { ...path, ...query, ...payload.params };
}

/** The record that the parameters name; a slug counts in any spelling. */
export function findEntry({ data, resource, target }: RoutedRequest, params: Params): Entry | undefined {
  if (target?.by === "id") return /^\d+$/.test(String(params["id"])) ? data.find(resource.name, Number(params["id"])) : undefined;
  const slug = slugify(String(params["slug"]));
  return data.all(resource.name).find((entry) => entry.slug !== "" && entry.slug === slug);
}

/** What is wrong with the name of a record that isn't there: a row for rest_invalid_param. */
export function createUnknownRecordErrors({ target }: RoutedRequest): Readonly<Record<string, ParameterError>> {
  return { [target?.by === "slug" ? "slug" : "id"]: { message: "Invalid parameter." } };
}

const placeResources: readonly ResourceName[] = ["venues", "organizers"];

/** The newer version has words of its own for events that are not there; undefined where it says what the older one says. */
export function createMissingEventError(
  { data, resource, site, target }: RoutedRequest,
  params: Params,
  updating: boolean,
): ResponseError | undefined {
  if (resource.name !== "events" || site.version !== "6.17.2") return undefined;
  const bySlug = target?.by === "slug";
  if (bySlug && !updating) return undefined;
  const id = bySlug ? 0 : Number(params["id"]);
  if (placeResources.some((name) => data.find(name, id) !== undefined))
    return createApiError(400, "rest-invalid-event-id", "The ID is not an event's.");
  return createApiError(404, "rest-event-not-found", `Event with ID ${id} does not exist.`);
}
