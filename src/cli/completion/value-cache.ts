// The ids, slugs and names of records that completion offers, kept in the cache folder: a small file for each site and resource.
// It is read and written at once, without promises: Node loads more for those than these small files are worth.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeSlug, isBareSlug } from "../../api/request.ts";
import type { Handler } from "../../commands/command.ts";
import { resolveSettings } from "../../config/resolve.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import type { Resource, ResourceName, Verb } from "../../model/resource.ts";
import type { Report } from "../../output/report.ts";
import { toBatches } from "../../output/rows.ts";
import { toPlainText } from "../../text.ts";

/** What is kept of a record. The name is plain words, the slug not percent-encoded. */
export interface CompletionEntry {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** What points at it where a ref is expected: its slug, with `slug:` where it is none as it stands; without a slug its id. */
  readonly ref: string;
}

/** The content of a file. */
interface CompletionCache {
  /** When the site was last asked by a completion, in milliseconds since 1970; 0 is never. */
  readonly asked: number;
  /** The newest first. */
  readonly entries: readonly CompletionEntry[];
}

/** Where the cache is and which site it is of; the process id keeps the drafts of two writers apart. */
interface CacheLocation {
  readonly folder: string;
  /** Whatever tells the site, and who looks at it, from others. */
  readonly site: string;
  readonly pid: number;
}

/** More than this is not kept, and a list may be long. */
const maxEntries = 500;

/** What is known of a resource; nothing where there is no file or it can't be read. */
function readCompletionCache(place: CacheLocation, resource: ResourceName): CompletionCache {
  try {
    const { asked, entries } = JSON.parse(readTextFile(getCacheFile(place, resource)) ?? "") as Partial<CompletionCache>;
    return { asked: Number(asked) || 0, entries: (entries ?? []).filter(isValidEntry) };
  } catch {
    return { asked: 0, entries: [] };
  }
}

/** Replaces what is known, for this user's eyes only. Failures are of no matter: the cache only makes typing faster. */
function writeCompletionCache(place: CacheLocation, resource: ResourceName, { asked, entries }: CompletionCache): void {
  const { folder, pid } = place;
  const file = getCacheFile(place, resource);
  const text = JSON.stringify({ asked, entries: entries.slice(0, maxEntries) });
  // The same list again, as in a script.
  if (readTextFile(file) === text) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(file, `${file}.${pid}`, text);
    deleteStaleTempFiles(folder, file);
  } catch {
    // Nobody who lists events wants to hear of it.
  }
}

function readTextFile(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function replaceFile(file: string, draft: string, text: string): void {
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** What processes left that were killed as they wrote: drafts a day older than the file that was written just now. */
function deleteStaleTempFiles(folder: string, written: string): void {
  const drafts = readdirSync(folder).filter((name) => /^[a-z]+-[0-9a-f]{16}\.json\.\d+$/.test(name));
  if (drafts.length === 0) return;
  const dead = statSync(written).mtimeMs - 86_400_000;
  for (const path of drafts.map((name) => join(folder, name))) if (statSync(path).mtimeMs < dead) rmSync(path);
}

/** The newer entries, then the older ones that are not among them. */
function mergeEntries(newer: readonly CompletionEntry[], older: readonly CompletionEntry[]): readonly CompletionEntry[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !ids.has(id))];
}

/** Only what is text in one line can be offered to a shell, whoever wrote the file. */
function isValidEntry(entry: CompletionEntry): boolean {
  return [entry.id, entry.slug, entry.name, entry.ref].every((text) => typeof text === "string" && !/\p{Cc}|\p{Cs}/u.test(text));
}

function getCacheFile({ folder, site }: CacheLocation, resource: ResourceName): string {
  return join(folder, `${resource}-${hashText(site)}.json`);
}

/** Sixteen digits that tell a site from others (FNV-1a). No secret hangs on them, and Node takes 3 ms to load its cryptography. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

// What commands over records see on their way is kept for completion, so that pressing Tab seldom has to ask a site.

/** The same handler; what its report holds is kept when it has been read, and what it deleted is forgotten. */
export function wrapHandlerWithCache(resource: Resource, verb: Verb, handler: Handler): Handler {
  return async (invocation, context) => {
    const report = await handler(invocation, context);
    const kept = (record: DataRecord) => createCompletionEntry(resource, record);
    return observeReport(report, kept, async (entries) => {
      if (entries.length > 0) await updateCache(resource, entries, verb === "delete", context).catch(() => undefined);
    });
  };
}

/** What is kept of a record; undefined where it has no id. */
export function createCompletionEntry(resource: Resource, record: DataRecord): CompletionEntry | undefined {
  const id = idOf(record);
  if (id === undefined) return undefined;
  const slug = toPlainText(decodeSlug(getText(record, "slug")));
  return { id, slug, name: toPlainText(getText(record, resource.titleField)), ref: formatRef(id, slug) };
}

/** A slug may look like something else: an id, a flag, or the list on stdin. */
function formatRef(id: string, slug: string): string {
  if (slug === "" || slug.includes("/")) return id;
  return isBareSlug(slug) && !/^\d+$|^-/.test(slug) ? slug : `slug:${slug}`;
}

async function updateCache(resource: Resource, entries: readonly CompletionEntry[], gone: boolean, context: Context): Promise<void> {
  const place = await resolveCacheLocation(context);
  if (place === undefined) return;
  const { asked, entries: older } = readCompletionCache(place, resource.name);
  const ids = new Set(entries.map(({ id }) => id));
  writeCompletionCache(place, resource.name, {
    asked,
    entries: gone ? older.filter(({ id }) => !ids.has(id)) : mergeEntries(entries, older),
  });
}

/** The report, of which `seen` is told what is kept of its records when they have been read. */
async function observeReport(
  report: Report,
  kept: (record: DataRecord) => CompletionEntry | undefined,
  seen: (entries: readonly CompletionEntry[]) => Promise<void>,
): Promise<Report> {
  const entriesOf = (records: readonly DataRecord[]) => records.flatMap((record) => kept(record) ?? []);
  switch (report.kind) {
    case "record":
      await seen(entriesOf([report.record]));
      return report;
    case "list":
      if (Symbol.asyncIterator in report.records) return { ...report, records: observeItems(report.records, entriesOf, seen) };
      await seen(entriesOf(report.records.slice(0, maxEntries)));
      return report;
    case "outcomes":
      return {
        ...report,
        outcomes: observeItems(
          toBatches(report.outcomes),
          (group) => entriesOf(group.flatMap(({ record }) => (record === undefined ? [] : [record]))),
          seen,
        ),
      };
    default:
      return report;
  }
}

async function* observeItems<T>(
  items: AsyncIterable<T>,
  entriesOf: (item: T) => readonly CompletionEntry[],
  seen: (entries: readonly CompletionEntry[]) => Promise<void>,
): AsyncGenerator<T> {
  const entries: CompletionEntry[] = [];
  try {
    for await (const item of items) {
      if (entries.length < maxEntries) entries.push(...entriesOf(item));
      yield item;
    }
  } finally {
    await seen(entries);
  }
}

// The records that completion offers: from the cache, and where that is old from one short request.

/** Milliseconds for which an answer of the site is good enough. */
const maxAgeMs = 600_000;

/** The records of a resource that are known; none where no site is chosen. Rejects where the settings can't be read. */
export async function getCompletionEntries(resource: Resource, context: Context): Promise<readonly CompletionEntry[]> {
  const place = await resolveCacheLocation(context);
  if (place === undefined) return [];
  const known = readCompletionCache(place, resource.name);
  const now = context.clock.now();
  if (Math.abs(now - known.asked) < maxAgeMs) return known.entries;
  // Noted before it is asked: a site that does not answer is not asked again at the next press of the key.
  writeCompletionCache(place, resource.name, { ...known, asked: now });
  try {
    const { fetchEntries } = await import("./ask.ts");
    const { entries, whole } = await fetchEntries(resource, context);
    const all = whole ? entries : mergeEntries(entries, known.entries);
    writeCompletionCache(place, resource.name, { asked: now, entries: all });
    return all;
  } catch {
    return known.entries;
  }
}

// Which cache belongs to the site that is meant; decided without starting or asking anything.

/** What these questions need of a context. */
type CacheContext = Pick<Context, "globals" | "env" | "folders" | "configFile" | "machine" | "sandboxFile">;

/** The cache of the chosen site; undefined where none is chosen. Rejects where the settings can't be read. */
async function resolveCacheLocation(context: CacheContext): Promise<CacheLocation | undefined> {
  const { globals, env, machine, folders } = context;
  const file = await context.configFile();
  const settings = resolveSettings({
    globals,
    env,
    data: await file.read(),
    path: file.path,
    get systemZone() {
      return machine.zone;
    },
    allowMissingProfile: true,
  });
  const site = settings.sandbox.value
    ? context.sandboxFile
    : settings.base_url && `${settings.base_url.value} ${settings.namespace.value} ${settings.profile.value}`;
  return site === undefined ? undefined : { folder: join(folders.cache, "completion"), site, pid: machine.pid };
}
