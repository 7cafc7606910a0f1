// The small checks of a WordPress site, from which rules.ts makes its tables.
import type { ResourceName } from "../../spec/field.ts";
import { items } from "../parameters.ts";
import type { Fault } from "../problems.ts";
import { type Site, utcNow } from "../site/site.ts";
import { slugify } from "../slug.ts";
import type { Data } from "../store/memory.ts";
import type { User } from "../store/tables.ts";
import { urlOf } from "../wire.ts";
import { isZone } from "../zone.ts";
import { readDate } from "./dates.ts";
import { termed, titled } from "./text.ts";

/** What a rule may look at beside the value. */
export interface Scene {
  readonly data: Data;
  readonly site: Site;
  readonly user: User | undefined;
}

/** A rule for a value; undefined is fine. */
export type Rule = (value: unknown, scene: Scene, name: string) => Fault | undefined;

const wrong: Fault = { message: "Invalid parameter." };

/** "x is not of type y." */
export function notOfType(name: string, type: string): Fault {
  const message = `${name} is not of type ${type}.`;
  return { message, code: "rest_invalid_type", data: { param: name } };
}

/** A rule that says no more than "Invalid parameter." */
export function must(test: (value: unknown, scene: Scene) => boolean): Rule {
  return (value, scene) => (test(value, scene) ? undefined : wrong);
}

/** Texts that PHP takes for false are no names. */
export const named = must((value) => typeof value === "string" && value.trim() !== "" && value !== "0");
/** Text that is not empty: such fields can't be cleared. */
export const filled = must((value) => typeof value === "string" && value !== "");
/** A time zone, or "" for the site's. */
export const zone = must((value) => value === "" || (typeof value === "string" && isZone(value)));
/** The id of a user. */
export const person = must((value, { data }) => /^\d+$/.test(String(value)) && data.find("users", String(value)) !== undefined);
/** An address in ASCII, or "" for none. */
export const url = must(
  (value) =>
    value === "" ||
    (typeof value === "string" && /^[!-~]+$/.test(value) && /^[a-z][a-z+.-]*:\/\/[^/]/i.test(value) && urlOf(value) !== undefined),
);
/** A post status that may be written. */
export const status = must(
  (value) => typeof value === "string" && ["publish", "draft", "pending", "private", "future", "trash"].includes(value),
);
/** `2.0` is a whole number, as recorded. */
export const counting = must((value) => /^\d+(\.0+)?$/.test(String(value)) && Number(value) >= 1);

/** Text, of which null is told as a wrong type and everything else as invalid: as recorded. */
export const text: Rule = (value, _scene, name) =>
  typeof value === "string" ? undefined : value === null ? notOfType(name, "string") : wrong;
/** Text, of which everything else is told as a wrong type. */
export const onlyText: Rule = (value, _scene, name) => (typeof value === "string" ? undefined : notOfType(name, "string"));

/** A boolean, or a word or number for one. */
export const truth: Rule = (value, _scene, name) =>
  [true, false, 1, 0].some((one) => one === value) || (typeof value === "string" && /^(true|false|1|0)$/i.test(value))
    ? undefined
    : notOfType(name, "boolean");

/** A date that PHP can read. */
export const date: Rule = (value, { site }, name) => {
  if (typeof value === "number") return notOfType(name, "string");
  return typeof value === "string" && readDate(value, utcNow(site)) !== undefined ? undefined : wrong;
};

/** A picture by id, which must be text, or by an address that the site can fetch: its own ones. */
export const image: Rule = (value, { data, site }, name) => {
  if (value === null) return notOfType(name, "string");
  const known = data.find("pictures", String(value)) !== undefined;
  if (known) return typeof value === "string" ? undefined : notOfType(name, "string");
  const address = `${site.origin}/wp-content/uploads/`;
  return typeof value === "string" && data.all("pictures").some((picture) => value === address + picture.name) ? undefined : wrong;
};

/** A picture, or "" for none. */
export const imageOrNone: Rule = (value, scene, name) => (value === "" ? undefined : image(value, scene, name));

/** Whether a value is the id of a record. */
export function isId(data: Data, resource: ResourceName, value: unknown): boolean {
  return /^\d+$/.test(String(value)) && data.find(resource, Number(value)) !== undefined;
}

/** A rule for one id. */
export const idOf = (resource: ResourceName): Rule => must((value, { data }) => isId(data, resource, value));

/** A rule for ids, of which none may be unknown. */
export const idsOf = (resource: ResourceName): Rule => must((value, { data }) => items(value).every((item) => isId(data, resource, item)));

/** The ids of terms that are given by slug, id or name, in this order: as recorded for filters. Undefined for an unknown one. */
export function termIds(data: Data, resource: "categories" | "tags", value: unknown): readonly (number | undefined)[] {
  return items(value).map((item) => {
    const wanted = String(item);
    const terms = data.all(resource);
    const bySlug = terms.find(({ slug }) => slug !== "" && (slug === wanted || slug === slugify(wanted)) && slug.length > 0);
    const named = terms.find(
      ({ fields }) => String(fields["name"]).toLowerCase() === wanted.toLowerCase() || termed(String(fields["name"])) === titled(wanted),
    );
    return bySlug?.id ?? (isId(data, resource, wanted) ? Number(wanted) : named?.id);
  });
}

/** A rule for terms by id, slug or name, of which none may be unknown. */
export const terms = (resource: "categories" | "tags"): Rule =>
  must((value, { data }) => termIds(data, resource, value).every((id) => id !== undefined));
