// The linked records among what was given: from refs and names to ids.

import { addRecordSuggestions, requireId, resolveId, type Site } from "../../api/refs.ts";
import { type Input, parseRef, type Ref } from "../../api/request.ts";
import { toExactId, toList, toWritableValue } from "../../api/update.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, idOf, isRecord } from "../../data-record.ts";
import { CalError, formatHint, listHints, usageError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import { type Field, getFieldFlagName, type Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { getTexts, type Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import type { Call, RecordSite, Scene } from "./command.ts";
import { formatRecordName, formatValue } from "./messages.ts";
import type { MissingRecord } from "./missing-links.ts";
import { promptForRecordId } from "./refs.ts";

/** How a name is dealt with that no record has, or several. */
interface LinkOptions {
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
  const hints = errors.flatMap(({ details }) => listHints(details.hint).map(formatHint));
  // What holds for all of them comes last.
  const once = hints.filter((hint, at) => hints.lastIndexOf(hint) === at);
  return new CalError("not-found", errors.map(({ message }) => message).join("\n"), { code: "no-match", hint: once });
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
  return new CalError(kind, message, { ...details, hint: [...listHints(details.hint), "to create it: --create-missing"] });
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

// `--add-category`, `--remove-category` and their like: links that come and go while the others of the record stay.

/** Links that are added and taken away, by field: refs as typed, or their ids. */
export interface LinkChanges {
  readonly add: Input;
  readonly remove: Input;
}

/** What was typed. */
export function parseLinkChanges(resource: Resource, { flags }: Invocation): LinkChanges {
  const typed = (how: string) =>
    Object.fromEntries(
      findMultiValueFields(resource).flatMap((field) => {
        const refs = getTexts(flags[`${how}-${getFieldFlagName(field)}`]);
        return refs.length === 0 ? [] : [[field.name, refs] as const];
      }),
    );
  return { add: typed("add"), remove: typed("remove") };
}

/** What is wrong with the flags, told before anything is asked. */
export function validateLinkChanges({ resource, invocation: { flags } }: Call, typed: LinkChanges, given: Input): readonly string[] {
  return findMultiValueFields(resource).flatMap((field) => {
    const flag = getFieldFlagName(field);
    const used = [
      ...(typed.add[field.name] === undefined ? [] : [`--add-${flag}`]),
      ...(typed.remove[field.name] === undefined ? [] : [`--remove-${flag}`]),
    ];
    return used.flatMap((name) => [
      ...(given[field.name] === undefined ? [] : [`${name} and --${flag} exclude each other: --${flag} replaces all ${field.refersTo}`]),
      ...(flags["raw"] === true ? [`${name} needs the record to be read, and --raw does not read it`] : []),
    ]);
  });
}

/** The ids of what is to be taken away. Rejects with kind `not-found` for what is called like nothing, which is never created for this. */
export async function resolveLinksToRemove({ resource, context }: Scene, site: RecordSite, typed: LinkChanges): Promise<Input> {
  const user = await findInteractiveUser(context);
  return resolveLinks(site, resource.fields, typed.remove, user === undefined ? {} : { user });
}

/** The values of an update without those that are only added; throws a usage error for a link that is added and taken away. */
export function splitLinkChanges(resource: Resource, values: Input, typed: LinkChanges, remove: Input) {
  const isAdded = ([name]: readonly [string, unknown]) => typed.add[name] !== undefined;
  const add = Object.fromEntries(Object.entries(values).filter(isAdded));
  for (const field of findMultiValueFields(resource)) {
    const gone = toIdStrings(remove[field.name]);
    const both = toIdStrings(add[field.name]).filter((id) => gone.includes(id));
    const flag = getFieldFlagName(field);
    if (both.length > 0) throw usageError(`--add-${flag} and --remove-${flag} both name ${both.join(", ")}`);
  }
  return { input: Object.fromEntries(Object.entries(values).filter((entry) => !isAdded(entry))), links: { add, remove } };
}

/** The changes with the links that the record is to have: its own in their order, then the new ones. What stays alike is left out. */
export function applyLinkChanges({ resource, site }: Scene, values: Input, links: LinkChanges, record: DataRecord): Input {
  if (Object.keys(links.add).length === 0 && Object.keys(links.remove).length === 0) return values;
  const changed = findMultiValueFields(resource).flatMap((field) => {
    const [add, remove] = [toList(links.add[field.name]), toIdStrings(links.remove[field.name])];
    if (add.length === 0 && remove.length === 0) return [];
    const own = getRecordLinks(resource, field, record, site.serverProfile);
    const kept = own.filter((id) => !remove.includes(valueToText(id)));
    const known = toIdStrings(own);
    const fresh = add.filter((id) => !known.includes(valueToText(id)));
    return kept.length === own.length && fresh.length === 0 ? [] : [[field.name, [...kept, ...fresh]] as const];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

/** Where a link of the record can't be read, it would be lost. */
function getRecordLinks(resource: Resource, field: Field, record: DataRecord, kind: ServerProfile): readonly unknown[] {
  const answered = record[field.name];
  const ids = toList(toWritableValue(field, record, kind));
  if (answered !== undefined && toList(answered).length === ids.length) return ids;
  const flag = getFieldFlagName(field);
  throw usageError(
    `${formatRecordName(resource, record)}: the server tells its ${field.refersTo} as ${formatValue(answered)}, so none can be added or taken away`,
    `name all that it shall have: --${flag}`,
  );
}

function findMultiValueFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ multiple }) => multiple === true);
}

function toIdStrings(value: unknown): readonly string[] {
  return toList(value).map(valueToText);
}
