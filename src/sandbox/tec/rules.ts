// What a WordPress site refuses: parameters by tables (a parameter that is in none is taken as it is), and callers by their role.
import type { ResourceName } from "../../model/resource.ts";
import { hashSecret, parseBasicHeader } from "../auth/tokens.ts";
import { slugify } from "../entry.ts";
import { createApiError, createTypeError, type ParameterError, type ParameterErrors, type Params, parseUrl, toList } from "../http.ts";
import type { RoutedRequest } from "../routes.ts";
import { getUtcNow, type Site } from "../site.ts";
import type { Entry, Role, StoreReader, User } from "../store.ts";
import { isTimeZone } from "../time.ts";
import { parseDate, renderTermName, renderTitle } from "./values.ts";

interface RuleContext {
  readonly data: StoreReader;
  readonly site: Site;
  readonly user: User | undefined;
}

/** Undefined where the value is accepted. */
type Rule = (value: unknown, context: RuleContext, name: string) => ParameterError | undefined;
type RuleTable = Readonly<Record<string, Rule>>;

/** The errors of all parameters that the table has rules for. */
function findErrors(rules: RuleTable, params: Params, context: RuleContext): ParameterErrors {
  const errors = Object.entries(rules).flatMap(([name, rule]) => {
    const error = Object.hasOwn(params, name) ? rule(params[name], context, name) : undefined;
    return error === undefined ? [] : [[name, error] as const];
  });
  return Object.fromEntries(errors);
}

export function findBodyErrors({ resource, data, site, user }: RoutedRequest, params: Params): ParameterErrors {
  return findErrors(bodyRules[resource.name], params, { data, site, user });
}

export function findListErrors({ resource, data, site, user }: RoutedRequest, params: Params): ParameterErrors {
  return findErrors(listRules[resource.name], params, { data, site, user });
}

export const invalidParameter: ParameterError = { message: "Invalid parameter." };

function createRule(test: (value: unknown, context: RuleContext) => boolean): Rule {
  return (value, context) => (test(value, context) ? undefined : invalidParameter);
}

/** Texts that PHP takes for false are no names. */
const nameRule = createRule((value) => typeof value === "string" && value.trim() !== "" && value !== "0");

/** Such fields can't be cleared. */
const nonEmptyTextRule = createRule((value) => typeof value === "string" && value !== "");

const timeZoneRule = createRule((value) => value === "" || (typeof value === "string" && isTimeZone(value)));

const userIdRule = createRule((value, { data }) => /^\d+$/.test(String(value)) && data.find("users", String(value)) !== undefined);

/** An address in ASCII, or "". */
const urlRule = createRule(
  (value) =>
    value === "" ||
    (typeof value === "string" && /^[!-~]+$/.test(value) && /^[a-z][a-z+.-]*:\/\/[^/]/i.test(value) && parseUrl(value) !== undefined),
);

const statusRule = createRule(
  (value) => typeof value === "string" && ["publish", "draft", "pending", "private", "future", "trash"].includes(value),
);

/** Recorded: `2.0` is a whole number. */
const positiveIntegerRule = createRule((value) => /^\d+(\.0+)?$/.test(String(value)) && Number(value) >= 1);

/** Recorded: null is a wrong type, and every other value that is no text is invalid. */
const textRule: Rule = (value, _context, name) =>
  typeof value === "string" ? undefined : value === null ? createTypeError(name, "string") : invalidParameter;

const strictTextRule: Rule = (value, _context, name) => (typeof value === "string" ? undefined : createTypeError(name, "string"));

const booleanRule: Rule = (value, _context, name) =>
  [true, false, 1, 0].some((one) => one === value) || (typeof value === "string" && /^(true|false|1|0)$/i.test(value))
    ? undefined
    : createTypeError(name, "boolean");

const dateRule: Rule = (value, { site }, name) => {
  if (typeof value === "number") return createTypeError(name, "string");
  return typeof value === "string" && parseDate(value, getUtcNow(site)) !== undefined ? undefined : invalidParameter;
};

/** A picture by its id, which must be text, or by an address that the site can fetch: one of its own. Other files are no pictures. */
const imageRule: Rule = (value, { data, site }, name) => {
  const attachment = data.find("pictures", String(value));
  if (attachment !== undefined && !/\.(?:jpe?g|png|gif|webp|avif)$/i.test(attachment.name)) return invalidParameter;
  if (value === null || attachment !== undefined) return typeof value === "string" ? undefined : createTypeError(name, "string");
  const isOwn = data.all("pictures").some((picture) => value === `${site.origin}/wp-content/uploads/${picture.name}`);
  return isOwn ? undefined : invalidParameter;
};

const optionalImageRule: Rule = (value, context, name) => (value === "" ? undefined : imageRule(value, context, name));

export function isRecordId(data: StoreReader, resource: ResourceName, value: unknown): boolean {
  return /^\d+$/.test(String(value)) && data.find(resource, Number(value)) !== undefined;
}

function createIdRule(resource: ResourceName): Rule {
  return createRule((value, { data }) => isRecordId(data, resource, value));
}

function createIdListRule(resource: ResourceName): Rule {
  return createRule((value, { data }) => toList(value).every((item) => isRecordId(data, resource, item)));
}

/** Nothing, an id, or an object that names a venue. Lists pass here and fail later. */
const venueRule = createRule((value, { data }) => {
  if (Array.isArray(value) || value === null || value === "" || value === false || value === 0 || value === "0") return true;
  if (typeof value === "object")
    return Object.hasOwn(value, "venue") || ("id" in value && (value.id === 0 || isRecordId(data, "venues", value.id)));
  return isRecordId(data, "venues", value) || /^\d+(,\d+)+$/.test(String(value));
});

const organizerRule = createRule((value, { data }) => {
  if (value === null || value === "") return true;
  const isOrganizer = (item: unknown): boolean => (typeof item === "object" && item !== null) || isRecordId(data, "organizers", item);
  return Array.isArray(value) ? value.every(isOrganizer) : isOrganizer(value) || /^\d+(,\d+)+$/.test(String(value));
});

const parentRule: Rule = (value, context, name) =>
  /^-?\d+$/.test(String(value)) ? createIdRule("categories")(value, context, name) : createTypeError(name, "integer");

const postRules: RuleTable = { author: userIdRule, date: dateRule, date_utc: dateRule, status: statusRule };

const bodyRules: Readonly<Record<ResourceName, RuleTable>> = {
  events: {
    title: nameRule,
    start_date: dateRule,
    end_date: dateRule,
    ...postRules,
    description: nonEmptyTextRule,
    slug: nonEmptyTextRule,
    excerpt: nonEmptyTextRule,
    timezone: timeZoneRule,
    all_day: booleanRule,
    image: imageRule,
    website: urlRule,
    show_map: booleanRule,
    show_map_link: booleanRule,
    hide_from_listings: booleanRule,
    sticky: booleanRule,
    featured: booleanRule,
    venue: venueRule,
    organizer: organizerRule,
  },
  venues: {
    venue: nameRule,
    ...postRules,
    show_map: strictTextRule,
    show_map_link: strictTextRule,
    ...createTextRules(["description", "address", "city", "country", "province", "state", "zip", "phone", "stateprovince"]),
    website: urlRule,
    image: optionalImageRule,
  },
  organizers: {
    organizer: nameRule,
    ...postRules,
    ...createTextRules(["description", "phone", "email"]),
    website: urlRule,
    image: optionalImageRule,
  },
  categories: { name: nameRule, description: nonEmptyTextRule, slug: nonEmptyTextRule, parent: parentRule },
  tags: { name: nameRule, description: nonEmptyTextRule, slug: nonEmptyTextRule },
};

function createTextRules(names: readonly string[]): RuleTable {
  return Object.fromEntries(names.map((name) => [name, textRule]));
}

/** Nobody may ask for `any`, and the public only for what is published. */
const statusFilterRule = createRule((value, { user }) => {
  const known = hasRole(user, "contributor")
    ? ["publish", "draft", "pending", "private", "future", ...(hasRole(user, "editor") ? ["trash"] : [])]
    : ["publish"];
  return toList(value).every((item) => known.includes(String(item)));
});

const ticketedRule: Rule = (value, context, name) => {
  if (booleanRule(value, context, name) !== undefined || !/^(true|1)$/i.test(String(value))) return undefined;
  return { message: "Event Tickets plugin is not activated.", code: "event-tickets-not-active", data: { status: 400 } };
};

/** By id, slug or name, none of them unknown. */
function createTermListRule(resource: "categories" | "tags"): Rule {
  return createRule((value, { data }) => findTermIds(data, resource, value).every((id) => id !== undefined));
}

/** Slugs pass here and are ignored later. */
function createTermIdRule(resource: "categories" | "tags"): Rule {
  return createRule((value, { data }) =>
    toList(value).every((item) => item !== "" && (!/^\d+$/.test(String(item)) || isRecordId(data, resource, item))),
  );
}

const pagingRules: RuleTable = { page: positiveIntegerRule, per_page: positiveIntegerRule };
const eventIdRule = createIdRule("events");
const placeListRules: RuleTable = { ...pagingRules, search: nonEmptyTextRule, event: eventIdRule, status: statusFilterRule };
const termListRules: RuleTable = { ...pagingRules, hide_empty: booleanRule, post: eventIdRule, event: eventIdRule };

const listRules: Readonly<Record<ResourceName, RuleTable>> = {
  events: {
    ...pagingRules,
    start_date: dateRule,
    end_date: dateRule,
    starts_before: dateRule,
    starts_after: dateRule,
    ends_before: dateRule,
    ends_after: dateRule,
    search: nonEmptyTextRule,
    categories: createTermListRule("categories"),
    tags: createTermListRule("tags"),
    venue: createIdListRule("venues"),
    organizer: createIdListRule("organizers"),
    featured: booleanRule,
    status: statusFilterRule,
    geoloc: booleanRule,
    include: createRule((value) => toList(value).every((item) => /^\d+$/.test(String(item)))),
    post_parent: eventIdRule,
    ticketed: ticketedRule,
  },
  venues: placeListRules,
  organizers: placeListRules,
  categories: {
    ...termListRules,
    include: createTermIdRule("categories"),
    exclude: createTermIdRule("categories"),
    parent: createIdRule("categories"),
  },
  tags: { ...termListRules, include: createTermIdRule("tags"), exclude: createTermIdRule("tags") },
};

/** Recorded for filters: a term is looked up by slug, then by id, then by name. Undefined for an unknown one. */
export function findTermIds(data: StoreReader, resource: "categories" | "tags", value: unknown): readonly (number | undefined)[] {
  const terms = data.all(resource);
  return toList(value).map((item) => {
    const text = String(item);
    const bySlug = terms.find(({ slug }) => slug !== "" && (slug === text || slug === slugify(text)));
    const byName = terms.find(
      ({ fields }) =>
        String(fields["name"]).toLowerCase() === text.toLowerCase() || renderTermName(String(fields["name"])) === renderTitle(text),
    );
    return bySlug?.id ?? (isRecordId(data, resource, text) ? Number(text) : byName?.id);
  });
}

/**
 * The user of an application password over Basic; undefined for anonymous calls. A bearer token means nothing to a WordPress site, nor does
 * a header that it can't read. Recorded: a wrong password is 401 even where no login is needed.
 */
export function authenticateByPassword(data: StoreReader, authorization: string | undefined): User | undefined {
  const sent = parseBasicHeader(authorization);
  if (sent === undefined || sent.name === "" || sent.password === "") return undefined;
  const name = sent.name.toLowerCase();
  const user = data.all("users").find((one) => one.username === name || one.email === name);
  if (user === undefined)
    throw createApiError(401, "invalid_username", "<strong>Error:</strong> Unknown username. Check again or try your email address.");
  const password = data.find("passwords", hashSecret("application password", sent.password.replaceAll(" ", "")));
  if (password?.user !== user.id)
    throw createApiError(401, "incorrect_password", "The provided password is an invalid application password.");
  return user;
}

/** Each role may do what the ones before it may. */
const roleOrder: readonly Role[] = ["subscriber", "contributor", "author", "editor", "administrator"];

export function hasRole(user: User | undefined, role: Role): boolean {
  return user !== undefined && roleOrder.indexOf(user.role) >= roleOrder.indexOf(role);
}

/** Contributors may edit their own posts until they are published, authors their own, editors all. */
export function canEdit(user: User | undefined, entry: Entry): boolean {
  if (hasRole(user, "editor")) return true;
  const needed = ["publish", "future"].includes(entry.status) ? "author" : "contributor";
  return entry.author === user?.id && hasRole(user, needed);
}

/** 401 for anonymous calls, 403 for users who may not write, or may not edit the `entry`. */
export function requireWriteAccess(user: User | undefined, needed: Role, entry?: Entry): User {
  if (user === undefined) throw createApiError(401, "rest_forbidden", "Sorry, you are not allowed to do that.");
  if (!hasRole(user, needed) || !(entry === undefined || canEdit(user, entry)))
    throw createApiError(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
  return user;
}
