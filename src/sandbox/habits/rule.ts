// The small checks of a WordPress site, from which rules.ts makes its tables.
import type { ResourceName } from "../../spec/field.ts";
import { toList } from "../parameters.ts";
import type { ParameterError } from "../problems.ts";
import { getUtcNow, type Site } from "../site/site.ts";
import { slugify } from "../slug.ts";
import type { StoreReader } from "../store/memory.ts";
import type { User } from "../store/tables.ts";
import { parseUrl } from "../wire.ts";
import { isTimeZone } from "../zone.ts";
import { parseDate } from "./dates.ts";
import { renderTermName, renderTitle } from "./text.ts";

/** What a rule may look at beside the value. */
export interface ValidationContext {
  readonly data: StoreReader;
  readonly site: Site;
  readonly user: User | undefined;
}

/** A rule for a value; undefined is fine. */
export type ValidationRule = (value: unknown, scene: ValidationContext, name: string) => ParameterError | undefined;

const invalidParameter: ParameterError = { message: "Invalid parameter." };

/** "x is not of type y." */
export function createTypeError(name: string, type: string): ParameterError {
  const message = `${name} is not of type ${type}.`;
  return { message, code: "rest_invalid_type", data: { param: name } };
}

/** A rule that says no more than "Invalid parameter." */
export function createRule(test: (value: unknown, scene: ValidationContext) => boolean): ValidationRule {
  return (value, scene) => (test(value, scene) ? undefined : invalidParameter);
}

/** Texts that PHP takes for false are no names. */
export const nameRule = createRule((value) => typeof value === "string" && value.trim() !== "" && value !== "0");
/** Text that is not empty: such fields can't be cleared. */
export const nonEmptyTextRule = createRule((value) => typeof value === "string" && value !== "");
/** A time zone, or "" for the site's. */
export const timeZoneRule = createRule((value) => value === "" || (typeof value === "string" && isTimeZone(value)));
/** The id of a user. */
export const userIdRule = createRule((value, { data }) => /^\d+$/.test(String(value)) && data.find("users", String(value)) !== undefined);
/** An address in ASCII, or "" for none. */
export const urlRule = createRule(
  (value) =>
    value === "" ||
    (typeof value === "string" && /^[!-~]+$/.test(value) && /^[a-z][a-z+.-]*:\/\/[^/]/i.test(value) && parseUrl(value) !== undefined),
);
/** A post status that may be written. */
export const statusRule = createRule(
  (value) => typeof value === "string" && ["publish", "draft", "pending", "private", "future", "trash"].includes(value),
);
/** `2.0` is a whole number, as recorded. */
export const positiveIntegerRule = createRule((value) => /^\d+(\.0+)?$/.test(String(value)) && Number(value) >= 1);

/** Text, of which null is told as a wrong type and everything else as invalid: as recorded. */
export const textRule: ValidationRule = (value, _scene, name) =>
  typeof value === "string" ? undefined : value === null ? createTypeError(name, "string") : invalidParameter;
/** Text, of which everything else is told as a wrong type. */
export const strictTextRule: ValidationRule = (value, _scene, name) =>
  typeof value === "string" ? undefined : createTypeError(name, "string");

/** A boolean, or a word or number for one. */
export const booleanRule: ValidationRule = (value, _scene, name) =>
  [true, false, 1, 0].some((one) => one === value) || (typeof value === "string" && /^(true|false|1|0)$/i.test(value))
    ? undefined
    : createTypeError(name, "boolean");

/** A date that PHP can read. */
export const dateRule: ValidationRule = (value, { site }, name) => {
  if (typeof value === "number") return createTypeError(name, "string");
  return typeof value === "string" && parseDate(value, getUtcNow(site)) !== undefined ? undefined : invalidParameter;
};

/** A picture by id, which must be text, or by an address that the site can fetch: its own ones. */
export const imageRule: ValidationRule = (value, { data, site }, name) => {
  if (value === null) return createTypeError(name, "string");
  const known = data.find("pictures", String(value)) !== undefined;
  if (known) return typeof value === "string" ? undefined : createTypeError(name, "string");
  const address = `${site.origin}/wp-content/uploads/`;
  return typeof value === "string" && data.all("pictures").some((picture) => value === address + picture.name)
    ? undefined
    : invalidParameter;
};

/** A picture, or "" for none. */
export const optionalImageRule: ValidationRule = (value, scene, name) => (value === "" ? undefined : imageRule(value, scene, name));

/** Whether a value is the id of a record. */
export function isRecordId(data: StoreReader, resource: ResourceName, value: unknown): boolean {
  return /^\d+$/.test(String(value)) && data.find(resource, Number(value)) !== undefined;
}

/** A rule for one id. */
export const createIdRule = (resource: ResourceName): ValidationRule => createRule((value, { data }) => isRecordId(data, resource, value));

/** A rule for ids, of which none may be unknown. */
export const createIdListRule = (resource: ResourceName): ValidationRule =>
  createRule((value, { data }) => toList(value).every((item) => isRecordId(data, resource, item)));

/** The ids of terms that are given by slug, id or name, in this order: as recorded for filters. Undefined for an unknown one. */
export function findTermIds(data: StoreReader, resource: "categories" | "tags", value: unknown): readonly (number | undefined)[] {
  return toList(value).map((item) => {
    const wanted = String(item);
    const terms = data.all(resource);
    const bySlug = terms.find(({ slug }) => slug !== "" && (slug === wanted || slug === slugify(wanted)) && slug.length > 0);
    const named = terms.find(
      ({ fields }) =>
        String(fields["name"]).toLowerCase() === wanted.toLowerCase() || renderTermName(String(fields["name"])) === renderTitle(wanted),
    );
    return bySlug?.id ?? (isRecordId(data, resource, wanted) ? Number(wanted) : named?.id);
  });
}

/** A rule for terms by id, slug or name, of which none may be unknown. */
export const createTermListRule = (resource: "categories" | "tags"): ValidationRule =>
  createRule((value, { data }) => findTermIds(data, resource, value).every((id) => id !== undefined));
