// "Did you mean" for records: what is called nearly like a ref that names nothing.
import { boundedEditDistance } from "../closest.ts";
import { CalError } from "../errors.ts";
import { toPlainText } from "../http/clean.ts";
import type { Resource } from "../spec/resource.ts";
import { decodeSlug } from "./address.ts";
import { formatMatches, readUnhiddenPages, type Site } from "./lookup.ts";
import { type DataRecord, getText } from "./record.ts";
import type { Ref } from "./ref.ts";

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
  return new CalError(error.kind, error.message, { ...details, hint: hint === undefined ? meant : `${meant}\n${hint}` });
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
