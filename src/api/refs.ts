// Looks up records by slug or name in lists, where no path leads to them, and suggests records with a similar name.
import { boundedEditDistance } from "../closest.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import { CalError, listHints, usageError } from "../errors.ts";
import { toPlainText } from "../html-text.ts";
import type { Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { readPages } from "./pages.ts";
import { parseRecord } from "./reply.ts";
import { buildReadRequest, type Client, decodeSlug, type Input, normalizeSlug, type PathRef, type Ref } from "./request.ts";

/** Where records are read from and written to: a server, by its client, namespace and profile. */
export interface RecordSource {
  readonly client: Client;
  readonly namespace: string;
  readonly serverProfile: ServerProfile;
}

/** A ref for a path; names, and slugs of resources without by-slug routes (section 4.6), are looked up. */
export async function resolveRef(site: RecordSource, resource: Resource, ref: Ref): Promise<PathRef> {
  if (ref.by === "id" || (ref.by === "slug" && resource.bySlug)) return ref;
  const found = ref.by === "slug" ? await findBySlug(site, resource, ref.slug) : await findByName(site, resource, ref.name);
  const text = ref.by === "slug" ? `slug:${ref.slug}` : `name:${JSON.stringify(ref.name)}`;
  return { by: "id", id: requireSingleMatch(resource, found, text) };
}

/** The id that a flag's text names: digits are an id; a bare text is a slug, or else an exact name. */
export async function resolveId(site: RecordSource, resource: Resource, ref: Ref): Promise<string> {
  if (ref.by === "id") return ref.id;
  if (ref.by === "name")
    return requireSingleMatch(resource, await findByName(site, resource, ref.name), `name:${JSON.stringify(ref.name)}`);
  const text = ref.slug;
  const bySlug = /[\s/]/.test(text) ? [] : await findBySlug(site, resource, text);
  const found = bySlug.length > 0 ? bySlug : await findByName(site, resource, text);
  return requireSingleMatch(resource, found, JSON.stringify(text));
}

/** Rejects with kind `not-found` where no record has this id. */
export async function requireId(site: RecordSource, resource: Resource, id: string): Promise<void> {
  try {
    await site.client.send(buildReadRequest(site.namespace, resource, { by: "id", id }));
  } catch (error) {
    throw error instanceof CalError && error.kind === "not-found" ? noMatchError(resource, id) : error;
  }
}

/** Records with exactly this name, in any letter case. `filters` limits the search. */
export async function findByName(
  site: RecordSource,
  resource: Resource,
  name: string,
  filters: Input = {},
): Promise<readonly DataRecord[]> {
  const normalized = normalizeRecordName(name);
  const search = async (text: string) => {
    const found = await listRecords(site, resource, { ...filters, search: text });
    return found.filter((record) => normalizeRecordName(getText(record, resource.titleField)) === normalized);
  };
  const found = await search(name);
  if (found.length > 0 || /^[\p{L}\p{N}\s.,-]*$/u.test(name)) return found;
  // Servers search the stored text, where "&" and quotes may be entities: the longest plain word finds the record all the same.
  const [word] = (name.match(/[\p{L}\p{N}]+/gu) ?? []).sort((left, right) => right.length - left.length);
  return word === undefined ? found : search(word);
}

/** Records with this slug, in any letter case; a server may return others too. */
async function findBySlug(site: RecordSource, resource: Resource, slug: string): Promise<readonly DataRecord[]> {
  const normalize = (text: string) => normalizeSlug(text).toLowerCase();
  if (!resource.bySlug) {
    const found = await listRecords(site, resource, { slug: decodeSlug(slug) });
    return found.filter((record) => normalize(getText(record, "slug")) === normalize(slug));
  }
  try {
    const found = parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, { by: "slug", slug })));
    const foundSlug = getText(found, "slug");
    return foundSlug === "" || normalize(foundSlug) === normalize(slug) ? [found] : [];
  } catch (error) {
    if (error instanceof CalError && error.kind === "not-found") return [];
    throw error;
  }
}

/** All records that the filters select, those that the list hides by default included. */
export async function listRecords(site: RecordSource, resource: Resource, filters: Input): Promise<readonly DataRecord[]> {
  const records: DataRecord[] = [];
  for await (const page of readUnhiddenPages(site, resource, filters)) records.push(...page.records);
  return records;
}

/** Large pages of a list with the records that it hides by default; `single` reads only the first. */
function readUnhiddenPages({ client, namespace, serverProfile }: RecordSource, resource: Resource, filters: Input, single = false) {
  const unhidden = { ...serverProfile.unfilteredParameters[resource.name], ...filters };
  return readPages({
    client,
    namespace,
    resource,
    filters: unhidden,
    first: 1,
    perPage: 50,
    single,
    perPageIsAutomatic: true,
    unorderedStatuses: serverProfile.unorderedStatuses[resource.name],
  });
}

function requireSingleMatch(resource: Resource, found: readonly DataRecord[], text: string): string {
  const [first] = found;
  const id = first === undefined ? undefined : idOf(first);
  if (id === undefined) throw noMatchError(resource, text);
  if (found.length > 1) throw usageError(`${text} is several: ${formatMatches(resource, found)}`, "name one by its id");
  return id;
}

function noMatchError(resource: Resource, text: string): CalError {
  return new CalError("not-found", `there is no ${resource.singular} ${text}`, {
    code: "no-match",
    hint: { text: "see what is there", command: `cal ${resource.name} list` },
  });
}

/** `12 "Blue Note" (blue-note), 15 "Blue Note" (blue-note-2)`. */
export function formatMatches({ titleField }: Resource, found: readonly DataRecord[]): string {
  return found
    .map((record) => `${idOf(record) ?? "?"} ${JSON.stringify(toPlainText(getText(record, titleField)))} (${getText(record, "slug")})`)
    .join(", ");
}

/** Ignores letter case and typography: servers return "Jane's" as "Jane’s". */
function normalizeRecordName(name: string): string {
  const plain = toPlainText(name)
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replaceAll("×", "x")
    .replace(/[-–—]+/g, "-");
  return plain.normalize("NFKC").toLowerCase();
}

const maxSuggestions = 3;

/** Adds similar records to the error where the ref names no record. An id is similar to nothing. */
export async function withRecordSuggestions<T>(
  site: RecordSource,
  resource: Resource,
  ref: Ref | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (ref === undefined || ref.by === "id" || !(error instanceof CalError) || error.kind !== "not-found") throw error;
    throw await addRecordSuggestions(site, resource, ref.by === "name" ? ref.name : ref.slug, error);
  }
}

/** The error with similar records in its hint, for one search; the same error where that fails or finds nothing. */
export async function addRecordSuggestions(site: RecordSource, resource: Resource, text: string, error: CalError): Promise<CalError> {
  const similar = await findRecordSuggestions(site, resource, text);
  if (similar === undefined) return error;
  return new CalError(error.kind, error.message, {
    ...error.details,
    hint: [`did you mean ${similar}?`, ...listHints(error.details.hint)],
  });
}

/** Similar records as one text; undefined where there are none, or where the search fails. */
export async function findRecordSuggestions(site: RecordSource, resource: Resource, text: string): Promise<string | undefined> {
  const similar = await findSimilarRecords(site, resource, decodeSlug(text)).catch(() => []);
  return similar.length === 0 ? undefined : formatMatches(resource, similar);
}

async function findSimilarRecords(site: RecordSource, resource: Resource, text: string): Promise<readonly DataRecord[]> {
  const search = getSearchPrefix(text);
  if (search === undefined) return [];
  const found: { readonly record: DataRecord; readonly distance: number }[] = [];
  for await (const { records } of readUnhiddenPages(site, resource, { search }, true)) {
    for (const record of records) {
      const names = [toPlainText(getText(record, resource.titleField)), decodeSlug(getText(record, "slug"))];
      // A name that contains the text comes after those with a typing error.
      const distances = names.flatMap(
        (name) => boundedEditDistance(text, name) ?? (name.toLowerCase().includes(text.toLowerCase()) ? text.length : []),
      );
      if (distances.length > 0) found.push({ record, distance: Math.min(...distances) });
    }
  }
  const sorted = found.sort((left, right) => left.distance - right.distance);
  return sorted.slice(0, maxSuggestions).map(({ record }) => record);
}

/** The first half of the second longest word, if there is one: typing errors are in long words and at their end, and short words are everywhere. */
function getSearchPrefix(text: string): string | undefined {
  // Of words of one length the last comes first.
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu)?.reverse() ?? [];
  const [longest, second] = words.sort((left, right) => right.length - left.length);
  const word = second !== undefined && second.length > 2 ? second : longest;
  return word?.slice(0, Math.max(3, Math.ceil(word.length / 2)));
}
