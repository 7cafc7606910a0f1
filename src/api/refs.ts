// From a slug or a name to the record: what a path can't be asked for is looked up in the list.
import { boundedEditDistance } from "../closest.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import { CalError, listHints, usageError } from "../errors.ts";
import type { Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { toPlainText } from "../text.ts";
import { readPages } from "./pages.ts";
import { parseRecord } from "./reply.ts";
import { buildReadRequest, type Client, decodeSlug, type Input, normalizeSlug, type PathRef, type Ref } from "./request.ts";

/** The site that is asked. */
export interface Site {
  readonly client: Client;
  readonly namespace: string;
  readonly serverProfile: ServerProfile;
}

/** A ref that can stand in a path; slugs of resources without by-slug routes (section 4.6) and names are looked up. */
export async function resolveRef(site: Site, resource: Resource, ref: Ref): Promise<PathRef> {
  if (ref.by === "id") return ref;
  if (ref.by === "slug")
    return resource.bySlug ? ref : requireSingleMatch(resource, await findBySlug(site, resource, ref.slug), `slug:${ref.slug}`);
  return requireSingleMatch(resource, await findByName(site, resource, ref.name), `name:${JSON.stringify(ref.name)}`);
}

/** The id of what a flag's text names: digits are an id, a bare text is a slug, then an exact name. */
export async function resolveId(site: Site, resource: Resource, ref: Ref): Promise<string> {
  if (ref.by === "id") return ref.id;
  const found = ref.by === "slug" ? await findBySlugOrName(site, resource, ref.slug) : await findByName(site, resource, ref.name);
  return requireSingleMatch(resource, found, ref.by === "slug" ? JSON.stringify(ref.slug) : `name:${JSON.stringify(ref.name)}`).id;
}

/** Rejects with kind `not-found` where no record has this id. */
export async function requireId(site: Site, resource: Resource, id: string): Promise<void> {
  try {
    await site.client.send(buildReadRequest(site.namespace, resource, { by: "id", id }));
  } catch (error) {
    throw error instanceof CalError && error.kind === "not-found" ? noMatchError(resource, id) : error;
  }
}

/** Records whose whole name this is, whatever its case; entities are decoded. Only those that the filters find, where there are any. */
export async function findByName(site: Site, resource: Resource, name: string, filters: Input = {}): Promise<readonly DataRecord[]> {
  const wanted = normalizeRecordName(name);
  const search = async (text: string) => {
    const found = await listRecords(site, resource, { ...filters, search: text });
    return found.filter((record) => normalizeRecordName(getText(record, resource.titleField)) === wanted);
  };
  const found = await search(name);
  if (found.length > 0 || /^[\p{L}\p{N}\s.,-]*$/u.test(name)) return found;
  // Servers search the stored text, where "&" and quotes may stand as entities: one plain word finds it all the same.
  const [word] = [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(String).sort((left, right) => right.length - left.length);
  return word === undefined ? found : search(word);
}

async function findBySlugOrName(site: Site, resource: Resource, text: string): Promise<readonly DataRecord[]> {
  const found = /\s/.test(text) || text.includes("/") ? [] : await findBySlug(site, resource, text);
  return found.length > 0 ? found : findByName(site, resource, text);
}

/** Records with this slug, letter case aside; servers may find others by it. */
async function findBySlug(site: Site, resource: Resource, slug: string): Promise<readonly DataRecord[]> {
  const key = (text: string) => normalizeSlug(text).toLowerCase();
  if (!resource.bySlug) {
    const found = await listRecords(site, resource, { slug: decodeSlug(slug) });
    return found.filter((record) => key(getText(record, "slug")) === key(slug));
  }
  try {
    const found = parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, { by: "slug", slug })));
    const own = getText(found, "slug");
    return own === "" || key(own) === key(slug) ? [found] : [];
  } catch (error) {
    if (error instanceof CalError && error.kind === "not-found") return [];
    throw error;
  }
}

async function listRecords(site: Site, resource: Resource, filters: Input): Promise<readonly DataRecord[]> {
  const records: DataRecord[] = [];
  for await (const page of readUnhiddenPages(site, resource, filters)) records.push(...page.records);
  return records;
}

/** The pages of a list that hides nothing, large ones; `single` is the first alone. */
function readUnhiddenPages({ client, namespace, serverProfile }: Site, resource: Resource, filters: Input, single = false) {
  const unhidden = { ...serverProfile.unfilteredParameters[resource.name], ...filters };
  return readPages({ client, namespace, resource, filters: unhidden, first: 1, perPage: 50, single, perPageIsAutomatic: true });
}

function requireSingleMatch(resource: Resource, found: readonly DataRecord[], asked: string): { readonly by: "id"; readonly id: string } {
  const [first] = found;
  const id = first === undefined ? undefined : idOf(first);
  if (id === undefined) throw noMatchError(resource, asked);
  if (found.length > 1) throw usageError(`${asked} is several: ${formatMatches(resource, found)}`, "name one by its id");
  return { by: "id", id };
}

function noMatchError(resource: Resource, asked: string): CalError {
  return new CalError("not-found", `there is no ${resource.singular} ${asked}`, {
    code: "no-match",
    hint: { text: "see what is there", command: `cal ${resource.name} list` },
  });
}

/** `12 "Blue Note", 15 "Blue Note"`. */
export function formatMatches(resource: Resource, found: readonly DataRecord[]): string {
  return found
    .map(
      (record) =>
        `${idOf(record) ?? "?"} ${JSON.stringify(toPlainText(getText(record, resource.titleField)))} (${getText(record, "slug")})`,
    )
    .join(", ");
}

/** Letter case and typography aside: servers answer "Jane's" as "Jane’s". */
function normalizeRecordName(name: string): string {
  const folded = toPlainText(name)
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replaceAll("×", "x")
    .replace(/[-–—]+/g, "-");
  return folded.normalize("NFKC").toLowerCase();
}

// "Did you mean" for records: what is called nearly like a ref that names nothing.

/** More than this is a list, not advice. */
const maxSuggestions = 3;

/** Does the work; where the ref turns out to name nothing, the error tells what is near. An id is near nothing. */
export async function withRecordSuggestions<T>(site: Site, resource: Resource, ref: Ref | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (ref === undefined || ref.by === "id" || !(error instanceof CalError) || error.kind !== "not-found") throw error;
    throw await addRecordSuggestions(site, resource, ref.by === "name" ? ref.name : ref.slug, error);
  }
}

/** The error with what is near in its hint, at the price of one search; the error as it is where that fails or finds nothing. */
export async function addRecordSuggestions(site: Site, resource: Resource, asked: string, error: CalError): Promise<CalError> {
  const near = await findRecordSuggestions(site, resource, asked);
  if (near === undefined) return error;
  const { hint, ...details } = error.details;
  const meant = `did you mean ${near}?`;
  return new CalError(error.kind, error.message, { ...details, hint: [meant, ...listHints(hint)] });
}

/** What is called nearly so, as a list in words; undefined where nothing is, or where the search fails. */
export async function findRecordSuggestions(site: Site, resource: Resource, asked: string): Promise<string | undefined> {
  const near = await findSimilarRecords(site, resource, decodeSlug(asked)).catch(() => []);
  return near.length === 0 ? undefined : formatMatches(resource, near);
}

async function findSimilarRecords(site: Site, resource: Resource, asked: string): Promise<readonly DataRecord[]> {
  const search = getSearchFragment(asked);
  if (search === undefined) return [];
  const found: { readonly record: DataRecord; readonly apart: number }[] = [];
  for await (const page of readUnhiddenPages(site, resource, { search }, true)) {
    for (const record of page.records) {
      const apart = getMinDistance(asked, [toPlainText(getText(record, resource.titleField)), decodeSlug(getText(record, "slug"))]);
      if (apart !== undefined) found.push({ record, apart });
    }
  }
  return found
    .sort((one, other) => one.apart - other.apart)
    .slice(0, maxSuggestions)
    .map(({ record }) => record);
}

/** The beginning of a word, of the second longest if there is one: long and last words are mistyped, short ones stand everywhere. */
function getSearchFragment(asked: string): string | undefined {
  const words = [...asked.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(String).reverse();
  const [longest, second] = words.sort((left, right) => right.length - left.length);
  const word = second !== undefined && second.length > 2 ? second : longest;
  return word?.slice(0, Math.max(3, Math.ceil(word.length / 2)));
}

/** How far the closest of the names is; a name that holds the text as a part comes last. */
function getMinDistance(asked: string, names: readonly string[]): number | undefined {
  const near = names.flatMap(
    (name) => boundedEditDistance(asked, name) ?? (name.toLowerCase().includes(asked.toLowerCase()) ? asked.length : []),
  );
  return near.length === 0 ? undefined : Math.min(...near);
}
