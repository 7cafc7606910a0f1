// Looks up records by slug or name in lists, where no path leads to them, and suggests records with a similar name.
import { boundedEditDistance } from "../closest.ts";
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { CalError, listHints, usageError } from "../errors.ts";
import { toPlainText } from "../html-text.ts";
import { stringifyExact } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { once } from "../once.ts";
import { normalizeText } from "../text.ts";
import { readPages } from "./pages.ts";
import { passwordErrorCode } from "./problems.ts";
import { parseRecord } from "./reply.ts";
import { buildReadRequest, type Client, decodeSlug, type Input, normalizeSlug, type PathRef, type Ref } from "./request.ts";

/** Where records are read from and written to: a server, by its client, namespace and profile. */
export interface RecordSource {
  readonly client: Client;
  readonly namespace: string;
  readonly serverProfile: ServerProfile;
  /** What a run has learnt about WordPress's own interface: `isDenied` where the site has none, or refuses it to this user. */
  readonly rawAccess?: { isDenied: boolean };
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

/** Reads one record. Recorded: The Events Calendar shows an event with a password only in the context `edit`, to users who may edit it. */
export async function fetchRecord(
  { client, namespace, serverProfile }: RecordSource,
  resource: Resource,
  path: PathRef,
): Promise<DataRecord> {
  const request = buildReadRequest(namespace, resource, path);
  try {
    return parseRecord(resource, await client.send(request));
  } catch (error) {
    const hasPassword = error instanceof CalError && error.details.code === passwordErrorCode;
    if (!hasPassword || serverProfile.rawPaths[resource.name] === undefined) throw error;
    return parseRecord(resource, await client.send({ ...request, query: [["context", "edit"]] }));
  }
}

/** The record; undefined where it is gone, or in the trash. */
export async function fetchIfThere(site: RecordSource, resource: Resource, path: PathRef): Promise<DataRecord | undefined> {
  try {
    const record = await fetchRecord(site, resource, path);
    return getText(record, "status") === "trash" ? undefined : record;
  } catch (error) {
    if (error instanceof CalError && (error.kind === "not-found" || error.details.code === "event-no-longer-available")) return undefined;
    throw error;
  }
}

/** Rejects with kind `not-found` where no record has this id. */
export async function requireId(site: RecordSource, resource: Resource, id: string): Promise<void> {
  try {
    await fetchRecord(site, resource, { by: "id", id });
  } catch (error) {
    throw error instanceof CalError && error.kind === "not-found" ? noMatchError(resource, id) : error;
  }
}

/** Records with this name. Where none has it to the letter, those whose name differs in case, accents or width only. `filters` limits the search. */
export async function findByName(
  site: RecordSource,
  resource: Resource,
  name: string,
  filters: Input = {},
): Promise<readonly DataRecord[]> {
  const { records } = await findNameMatches(site, resource, name, filters);
  const exact = records.filter((record) => normalizeRecordName(getText(record, resource.titleField)) === normalizeRecordName(name));
  return exact.length > 0 ? exact : records;
}

/** What a look-up by name found. */
export interface NameMatches {
  /** Records whose name is the same without case, accents and width. */
  readonly records: readonly DataRecord[];
  /** The highest id of all records that were read; 0 for none. */
  readonly highestId: number;
}

/** Looks up a name as a database compares it. */
export async function findNameMatches(site: RecordSource, resource: Resource, name: string, filters: Input = {}): Promise<NameMatches> {
  const matches: DataRecord[] = [];
  let highestId = 0;
  const addMatches = (records: readonly DataRecord[]) => {
    for (const record of records) {
      highestId = Math.max(highestId, Number(idOf(record)) || 0);
      if (isSameName(getText(record, resource.titleField), name)) matches.push(record);
    }
  };
  if (canSearch(site, resource, name)) {
    addMatches(await listRecords(site, resource, { ...filters, search: name }));
    // Servers search the stored text, where "&" and quotes may be entities: the longest plain word finds the record all the same.
    const [word] = (name.match(/[\p{L}\p{N}]+/gu) ?? []).sort((left, right) => right.length - left.length);
    if (matches.length === 0 && !/^[\p{L}\p{N}\s.,-]*$/u.test(name))
      addMatches(await listRecords(site, resource, word === undefined ? filters : { ...filters, search: word }));
  } else {
    addMatches(await listRecords(site, resource, filters));
    if (matches.length === 0 && !/[/\\]/.test(name)) addMatches(await readBySlug(site, resource, name));
  }
  return { records: matches, highestId };
}

/** Whether the server's search finds records by this text. */
function canSearch({ serverProfile }: RecordSource, resource: Resource, text: string): boolean {
  return !serverProfile.searchesAsciiOnly.includes(resource.name) || (/[a-z\d]/i.test(text) && !/[^\p{ASCII}\p{P}\p{S}\p{Z}]/u.test(text));
}

/** Records with this slug, in any letter case; a server may return others too. */
async function findBySlug(site: RecordSource, resource: Resource, slug: string): Promise<readonly DataRecord[]> {
  const normalize = (text: string) => normalizeSlug(text).toLowerCase();
  if (!resource.bySlug) {
    const found = await listRecords(site, resource, { slug: decodeSlug(slug) });
    return found.filter((record) => normalize(getText(record, "slug")) === normalize(slug));
  }
  const found = await readBySlug(site, resource, slug);
  return found.filter((record) => ["", normalize(slug)].includes(normalize(getText(record, "slug"))));
}

/** The record of a by-slug route; a server makes a slug of the text. */
async function readBySlug(site: RecordSource, resource: Resource, slug: string): Promise<readonly DataRecord[]> {
  try {
    return [await fetchRecord(site, resource, { by: "slug", slug })];
  } catch (error) {
    if (error instanceof CalError && error.kind === "not-found") return [];
    throw error;
  }
}

/** The first records that a search finds, for a user to choose from; without a text the first ones of the list. */
export async function searchRecords(site: RecordSource, resource: Resource, text: string): Promise<readonly DataRecord[]> {
  const isSearched = text !== "" && canSearch(site, resource, text);
  const found: DataRecord[] = [];
  for await (const { records } of readUnhiddenPages(site, resource, isSearched ? { search: text } : {}, true)) found.push(...records);
  if (isSearched) return found;
  return found.filter((record) => getText(record, resource.titleField).toLowerCase().includes(text.toLowerCase()));
}

/** The one record of the trash that a ref names; a slug may be the one that it had before. Rejects where there is none, or several. */
export async function findInTrash(site: RecordSource, resource: Resource, ref: Ref, text: string): Promise<DataRecord> {
  const list = (filters: Input) => listRecords(site, resource, { ...filters, status: "trash" });
  const hasSlug = (record: DataRecord, slug: string) =>
    [slug, `${slug}__trashed`].map(normalizeSlug).includes(normalizeSlug(getText(record, "slug")));
  const canInclude = resource.filters.some(({ name }) => name === "include");
  const found =
    ref.by === "name"
      ? await findByName(site, resource, ref.name, { status: "trash" })
      : ref.by === "slug"
        ? (await list({})).filter((record) => hasSlug(record, ref.slug))
        : (await list(canInclude ? { include: [ref.id] } : {})).filter((record) => idOf(record) === ref.id);
  const [first, ...others] = found;
  if (first === undefined)
    throw new CalError("not-found", `there is no ${resource.singular} ${text} in the trash`, {
      code: "no-match",
      hint: { text: "see what is in the trash", command: `cal ${resource.name} list --status trash` },
    });
  if (others.length > 0) throw usageError(`${text} is several: ${formatMatches(resource, found)}`, "name one by its id");
  return first;
}

/** All records that the filters select, those that the list hides by default included. */
export async function listRecords(site: RecordSource, resource: Resource, filters: Input): Promise<readonly DataRecord[]> {
  const records: DataRecord[] = [];
  const shareLinks = createLinkSharer(resource);
  for await (const page of readUnhiddenPages(site, resource, filters)) records.push(...page.records.map(shareLinks));
  return records;
}

/** Makes one object of equal links: a server repeats the whole venue in each of its events, and a list can be long. */
function createLinkSharer({ fields }: Resource): (record: DataRecord) => DataRecord {
  const names = fields.flatMap(({ name, refersTo }) => (refersTo === undefined ? [] : [name]));
  const shared = new Map<string, unknown>();
  const share = (value: unknown): unknown => {
    const text = stringifyExact(value);
    if (!shared.has(text)) shared.set(text, value);
    return shared.get(text);
  };
  return (record) => {
    const links = names.flatMap((name) =>
      isRecord(record[name]) || Array.isArray(record[name]) ? [[name, share(record[name])] as const] : [],
    );
    return { ...record, ...Object.fromEntries(links) };
  };
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

/** `12 "Blue Note" (blue-note), 15 "Blue Note" (blue-note-2)`; events with their start. */
export function formatMatches({ titleField }: Resource, found: readonly DataRecord[]): string {
  return found
    .map((record) => {
      const details = [getText(record, "start_date").slice(0, 16), getText(record, "slug")].filter((text) => text !== "");
      return `${idOf(record) ?? "?"} ${JSON.stringify(toPlainText(getText(record, titleField)))} (${details.join(", ")})`;
    })
    .join(", ");
}

/** Ignores letter case and typography. */
export function normalizeRecordName(name: string): string {
  return normalizeText(normalizeTypography(name), "NFKC").toLowerCase().trim();
}

/** Plain text with plain quotes and dashes: servers return "Jane's" as "Jane’s". */
export function normalizeTypography(text: string): string {
  return toPlainText(text)
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replaceAll("×", "x")
    .replace(/[-–—]+/g, "-")
    .trim();
}

/** A name without case, accents, width and typography: equal for what `isSameName` calls the same. */
export function normalizeName(name: string): string {
  return normalizeText(normalizeRecordName(name), "NFKD").replace(/\p{M}/gu, "");
}

const getBaseCollator = once(() => new Intl.Collator("en", { sensitivity: "base" }));

/** Whether two names are the same without case, accents, width and typography, as databases compare them. */
export function isSameName(left: string, right: string): boolean {
  return getBaseCollator().compare(normalizeName(left), normalizeName(right)) === 0;
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
async function findRecordSuggestions(site: RecordSource, resource: Resource, text: string): Promise<string | undefined> {
  const similar = await findSimilarRecords(site, resource, decodeSlug(text)).catch(() => []);
  return similar.length === 0
    ? undefined
    : formatMatches(
        resource,
        similar.map(({ record }) => record),
      );
}

/** A record with a similar name or slug. */
export interface SimilarRecord {
  readonly record: DataRecord;
  /** Whether the text is probably its name with a typing error, and no other name. */
  readonly isNear: boolean;
}

/** The records with the most similar names or slugs, the most similar one first. A second search is made only where the first finds no near name. */
export async function findSimilarRecords(site: RecordSource, resource: Resource, text: string): Promise<readonly SimilarRecord[]> {
  const found: (SimilarRecord & { readonly distance: number })[] = [];
  const addSimilar = (record: DataRecord) => {
    // A trashed record has the slug `jazz-night__trashed`: nobody means it.
    if (/__trashed(?:-\d+)?$/.test(getText(record, "slug"))) return;
    const names = [toPlainText(getText(record, resource.titleField)), decodeSlug(getText(record, "slug"))];
    // A name that contains the text comes after those with a typing error.
    const distances = names.flatMap(
      (name) => boundedEditDistance(text, name) ?? (name.toLowerCase().includes(text.toLowerCase()) ? text.length : []),
    );
    const isKnown = found.some((one) => idOf(one.record) === idOf(record));
    if (distances.length > 0 && !isKnown)
      found.push({ record, distance: Math.min(...distances), isNear: names.some((name) => isNearName(text, name)) });
  };
  for (const search of getSearchParts(text)) {
    const searches = canSearch(site, resource, search);
    for await (const { records } of readUnhiddenPages(site, resource, searches ? { search } : {}, searches)) records.forEach(addSimilar);
    if (!searches || found.some(({ isNear }) => isNear)) break;
  }
  return found.sort((left, right) => left.distance - right.distance).slice(0, maxSuggestions);
}

/** Whether one letter in four, at most, is another. Numbers and single letters tell names apart: "Room 1" and "Room 2", "Hall A" and "Hall B". */
export function isNearName(text: string, name: string): boolean {
  const distance = boundedEditDistance(text, name, Math.floor(text.length / 4));
  const getMarks = (one: string) =>
    one
      .toLowerCase()
      .match(/(?<![\p{L}\p{N}])(?:\p{L}|\p{L}*\p{N}[\p{L}\p{N}]*)(?![\p{L}\p{N}])/gu)
      ?.join(" ");
  return distance !== undefined && getMarks(text) === getMarks(name);
}

/**
 * The first halves of the second longest and of the longest word, or both halves of a single one: typing errors are in long words and at their
 * end, and short words are everywhere.
 */
function getSearchParts(text: string): readonly string[] {
  // Of words of one length the last comes first.
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu)?.reverse() ?? [];
  const [longest = "", second = ""] = words.sort((left, right) => right.length - left.length);
  const half = (word: string) => Math.max(3, Math.ceil(word.length / 2));
  const parts =
    second.length > 2
      ? [second, longest].map((word) => word.slice(0, half(word)))
      : [longest.slice(0, half(longest)), longest.slice(-half(longest))];
  return [...new Set(parts)].filter((part) => part !== "");
}
