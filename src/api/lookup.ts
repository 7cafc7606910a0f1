// From a slug or a name to the record: what a path can't be asked for is looked up in the list.
import { CalError, usageError } from "../errors.ts";
import { toPlainText } from "../http/clean.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerProfile } from "../spec/server-kinds.ts";
import { decodeSlug, normalizeSlug } from "./address.ts";
import type { Client } from "./client.ts";
import { readPages } from "./pages.ts";
import { type DataRecord, getText, idOf } from "./record.ts";
import type { PathRef, Ref } from "./ref.ts";
import { parseRecord } from "./reply.ts";
import { buildReadRequest, type Input } from "./request.ts";

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
export function readUnhiddenPages({ client, namespace, serverProfile }: Site, resource: Resource, filters: Input, single = false) {
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
    hint: `see what is there: cal ${resource.name} list`,
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
