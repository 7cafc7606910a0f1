// The linked records among what was given: from refs and names to ids.
import { requireId, resolveId, type Site } from "../../../api/lookup.ts";
import { addRecordSuggestions } from "../../../api/near.ts";
import { type DataRecord, idOf, isRecord, valueToText } from "../../../api/record.ts";
import { parseRef, type Ref } from "../../../api/ref.ts";
import type { Input } from "../../../api/request.ts";
import { toExactId, toList } from "../../../api/writable.ts";
import type { Context } from "../../../context.ts";
import { CalError, usageError } from "../../../errors.ts";
import type { Field } from "../../../spec/field.ts";
import { resources } from "../../../spec/index.ts";
import type { Resource } from "../../../spec/resource.ts";
import type { ServerProfile } from "../../../spec/server-kinds.ts";
import type { Prompt } from "../../../terminal/prompt.ts";
import type { Invocation } from "../../command.ts";
import { findInteractiveUser } from "../../person.ts";
import { promptForRecordId } from "../choice.ts";
import { formatValue } from "../told.ts";
import type { MissingRecord } from "./missing.ts";

/** How a name is dealt with that no record has, or several. */
export interface LinkOptions {
  /** Chooses among several; absent is exit 2. */
  readonly user?: Prompt;
  /** Filled with what is to be created; absent is exit 3. */
  readonly missing?: MissingRecord[];
  /** Whether the command has the flag that creates them. */
  readonly canCreate?: true;
  /** The record that is written, whose own links are there. Absent is a read, where no id is looked up. */
  readonly targetRecord?: DataRecord;
}

/** The same for one field. */
interface LinkSearch extends LinkOptions {
  /** Ids that are there; absent where no id is looked up. */
  readonly existingIds?: Set<string>;
}

/** What the flags and the terminal say about it. */
export async function resolveLinkOptions({ flags }: Invocation, context: Context): Promise<LinkOptions> {
  const user = await findInteractiveUser(context);
  return { canCreate: true, ...(user === undefined ? {} : { user }), ...(flags["create-missing"] === true ? { missing: [] } : {}) };
}

/**
 * Replaces every ref of a linked record by its id; inline data stays as it is. Looks up what is no id, and before a write the ids that
 * servers pass over. Tells at once all that is not there.
 */
export async function resolveLinks(site: Site, fields: readonly Field[], values: Input, options: LinkOptions = {}): Promise<Input> {
  const resolved: Record<string, unknown> = { ...values };
  const none: CalError[] = [];
  for (const field of fields) {
    const value = values[field.name];
    if (field.refersTo === undefined || value === undefined) continue;
    const target = resources[field.refersTo];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const search = createLinkSearch(field, options);
    const ids: unknown[] = [];
    for (const item of items.flatMap(splitIds)) {
      try {
        ids.push(...(typeof item === "string" ? await resolveLinkIds(site, target, item, search) : [item]));
      } catch (error) {
        if (!(error instanceof CalError) || error.details.code !== "no-match") throw error;
        none.push(error);
      }
    }
    resolved[field.name] = field.type === "integers" ? ids.filter((id, at) => ids.indexOf(id) === at) : ids[0];
  }
  if (none.length > 0) throw mergeNoMatchErrors(none);
  return resolved;
}

function createLinkSearch({ name, ignoresUnknownIds }: Field, options: LinkOptions): LinkSearch {
  if (ignoresUnknownIds !== true || options.targetRecord === undefined) return options;
  return {
    ...options,
    existingIds: new Set(toList(options.targetRecord[name]).map((link) => (isRecord(link) ? (idOf(link) ?? "") : valueToText(link)))),
  };
}

/** A list of ids in one text is as many items; an id that came as a number is looked up as one that was typed. */
function splitIds(item: unknown): readonly unknown[] {
  const text = typeof item === "number" ? String(item) : item;
  if (typeof text !== "string") return [item];
  const parts = splitCommaList(text);
  return parts.length > 0 && parts.every((part) => /^(?:id:|#)?\d+$/.test(part)) ? parts : [item];
}

function mergeNoMatchErrors(errors: readonly CalError[]): CalError {
  const hints = errors.flatMap(({ details }) => details.hint?.split("\n") ?? []);
  // What holds for all of them comes last.
  const once = hints.filter((hint, at) => hints.lastIndexOf(hint) === at);
  return new CalError("not-found", errors.map(({ message }) => message).join("\n"), { code: "no-match", hint: once.join("\n") });
}

/** Throws a usage error where this kind of server takes one linked record and several were given. */
export function assertSingleLinks(resource: Resource, values: Input, kind: ServerProfile): void {
  const fields = (kind.scalarFields[resource.name] ?? []).filter((name) => Array.isArray(values[name]) && values[name].length > 1);
  if (fields.length > 0)
    throw usageError(fields.map((name) => `--${name} takes one record on this server, not ${formatValue(values[name])}`));
}

function splitCommaList(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The whole text is tried first, then its comma-separated parts. */
async function resolveLinkIds(site: Site, target: Resource, text: string, options: LinkSearch): Promise<readonly unknown[]> {
  const parts = splitCommaList(text);
  const whole = await tryResolveLinkId(site, target, text, options);
  if (!(whole instanceof CalError)) return [whole];
  if (parts.length < 2) return [await addMissingRecord(site, target, text, whole, options)];
  const found: unknown[] = [];
  for (const part of parts) found.push(await tryResolveLinkId(site, target, part, options));
  if (options.missing !== undefined && found.every((one) => one instanceof CalError)) {
    if (/^name:[^:]*$/.test(text)) return [await addMissingRecord(site, target, text, whole, options)];
    if (!target.isTerm) throw createAmbiguousNameError(target, text);
  }
  const ids: unknown[] = [];
  for (const [at, one] of found.entries())
    ids.push(one instanceof CalError ? await addMissingRecord(site, target, parts[at] ?? "", one, options) : one);
  return ids;
}

/** The id of what the text names; the error, returned, where nothing is called so. */
async function tryResolveLinkId(
  site: Site,
  target: Resource,
  text: string,
  { user, existingIds }: LinkSearch,
): Promise<number | string | CalError> {
  const ref = parseLinkRef(text);
  try {
    if (ref.by === "id" && existingIds !== undefined && !existingIds.has(ref.id)) await requireId(site, target, ref.id);
    if (ref.by === "id") existingIds?.add(ref.id);
    return toExactId(await resolveId(site, target, ref));
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    if (error.details.code === "no-match") return error;
    if (error.kind !== "usage" || user === undefined || ref.by === "id") throw error;
    const id = await promptForRecordId(site, target, ref.by === "name" ? ref.name : ref.slug, user);
    if (id === undefined) throw error;
    return toExactId(id);
  }
}

/** What stands for a record that is to be created: the same for the same name. A slug is no name. */
async function addMissingRecord(
  site: Site,
  target: Resource,
  text: string,
  none: CalError,
  { missing, canCreate }: LinkOptions,
): Promise<unknown> {
  const ref = parseLinkRef(text);
  // A name may look like an id.
  if (ref.by === "id") throw await addRecordSuggestions(site, target, ref.id, none);
  const name = ref.by === "name" ? ref.name : ref.slug;
  const isSlug = /^slug:/.test(text);
  if (missing === undefined || isSlug)
    throw await addRecordSuggestions(site, target, name, canCreate === true && !isSlug ? withCreateMissingHint(none) : none);
  const isSame = ({ resource, data }: MissingRecord) =>
    resource === target && String(data[target.titleField]).toLowerCase() === name.toLowerCase();
  const known = missing.find(isSame)?.data;
  if (known !== undefined) return known;
  const data = { [target.titleField]: name };
  missing.push({ resource: target, data });
  return data;
}

function withCreateMissingHint({ kind, message, details }: CalError): CalError {
  return new CalError(kind, message, { ...details, hint: [details.hint, "to create it: --create-missing"].filter(Boolean).join("\n") });
}

function createAmbiguousNameError(target: Resource, text: string): CalError {
  return usageError(
    `--create-missing: is ${JSON.stringify(text)} one ${target.singular} or several?`,
    `one: --${target.singular} 'name:${text}'; several: give the flag for each of them`,
  );
}

/** A link may name its record by a bare text with any characters, slashes too. */
function parseLinkRef(text: string): Ref {
  return /^(?:id|slug|name):/.test(text) || /^#?\d+$/.test(text) ? parseRef(text) : { by: "slug", slug: text };
}
