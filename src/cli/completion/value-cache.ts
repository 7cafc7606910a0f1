// The cache of record names for completion: one small file for each site and resource. Record commands fill it as well.
// Files are read synchronously: Node's promises for files take longer to load than these files to read.
import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildListRequest, type Client, decodeSlug, isBareSlug } from "../../api/request.ts";
import type { Handler } from "../../commands/command.ts";
import { resolveSettings } from "../../config/resolve.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { toPlainText } from "../../html-text.ts";
import type { Resource } from "../../model/resource.ts";
import { serverProfiles } from "../../model/server-profiles.ts";
import type { Outcome } from "../../output/report.ts";
import { toBatches } from "../../output/rows.ts";
import { isOwnAlone, readOwnFile } from "../../own-file.ts";

/** What is cached of a record. The name is plain text, the slug is not percent-encoded. */
export interface CompletionEntry {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The word that names the record where a ref is expected: its slug, with `slug:` where that is needed, else its id. */
  readonly ref: string;
  /** Start of an event: `2027-01-16 20:00`. */
  readonly when?: string;
  /** It is in the trash: it is removed from the cache. */
  readonly isTrashed?: true;
}

/** The content of a file. */
interface CompletionCache {
  /** When a completion last sent a request, in milliseconds since 1970; 0 is never. */
  readonly asked: number;
  /** The newest first. */
  readonly entries: readonly CompletionEntry[];
}

const maxEntries = 500;
/** After so many milliseconds the cache is stale. */
const maxAgeMs = 600_000;

/** The known records of a resource; none where no site is chosen. Rejects where the settings can't be read. */
export async function getCompletionEntries(resource: Resource, context: Context): Promise<readonly CompletionEntry[]> {
  const path = await resolveCachePath(resource, context);
  if (path === undefined) return [];
  const cache = readCompletionCache(path);
  const now = context.clock.now();
  if (Math.abs(now - cache.asked) < maxAgeMs) return cache.entries;
  // Written before the request, so that the next Tab key does not wait again for a site that does not answer.
  await writeCompletionCache(path, { ...cache, asked: now });
  try {
    const { entries, isComplete } = await fetchEntries(resource, context);
    const all = mergeEntries(entries, isComplete ? [] : cache.entries);
    await writeCompletionCache(path, { asked: now, entries: all });
    return all;
  } catch {
    return cache.entries;
  }
}

/** Requests the first page of the list. `isComplete` where the server says that there are no more records. */
async function fetchEntries(
  resource: Resource,
  context: Context,
): Promise<{ readonly entries: readonly CompletionEntry[]; readonly isComplete: boolean }> {
  const { parsePage } = await import("../../api/reply.ts");
  const { namespace, server } = await context.settings();
  // Categories and tags without events are wanted too, but only coming events.
  const unfiltered = resource.hasDates ? {} : serverProfiles[server.value].unfilteredParameters[resource.name];
  const client = await createClientWithoutKeychain(context);
  const request = buildListRequest(namespace.value, resource, { ...unfiltered, per_page: 50 });
  const { records, total } = parsePage(resource, await client.send(request));
  return { entries: createEntries(resource, records), isComplete: !resource.hasDates && total === records.length };
}

/** A client that sends a token of the environment or of the sandbox, else none: the keychain could ask the user. */
async function createClientWithoutKeychain(context: Context): Promise<Client> {
  const { sandbox, base_url } = await context.settings();
  if (sandbox.value || context.env["CAL_TOKEN"] || context.env["CAL_TOKEN_FILE"] || base_url === undefined) return context.client();
  const [{ createClient }, { createStaticAuthHeaderProvider }] = await Promise.all([
    import("../../api/client.ts"),
    import("../../auth/credentials.ts"),
  ]);
  return createClient({
    transport: await context.transport(),
    baseUrl: base_url.value,
    tokens: createStaticAuthHeaderProvider(),
    userAgent: "cal",
    loginHint: () => "cal auth login",
  });
}

// Record commands add the records that they read, so that completion seldom needs a request of its own.

/** Wraps a handler: the records in its report are cached after they were read, and deleted ones are removed. */
export function wrapHandlerWithCache(resource: Resource, deletes: boolean, handler: Handler): Handler {
  return async (invocation, context) => {
    const report = await handler(invocation, context);
    const update = async (entries: readonly CompletionEntry[]) => {
      if (entries.length > 0) await updateCache(resource, entries, deletes, context).catch(() => undefined);
    };
    switch (report.kind) {
      case "record":
        await update(createEntries(resource, [report.record]));
        return report;
      case "list": {
        const { records } = report;
        if (Symbol.asyncIterator in records)
          return { ...report, records: collectEntries(records, (page) => createEntries(resource, page), update) };
        await update(createEntries(resource, records.slice(0, maxEntries)));
        return report;
      }
      case "outcomes": {
        const getRecords = (batch: readonly Outcome[]) => batch.flatMap(({ record }) => (record === undefined ? [] : [record]));
        const getEntries = (batch: readonly Outcome[]) => createEntries(resource, getRecords(batch));
        return { ...report, outcomes: collectEntries(toBatches(report.outcomes), getEntries, update) };
      }
      default:
        return report;
    }
  };
}

/** The same items. `onEnd` gets the entries of those that were read. */
async function* collectEntries<T>(
  items: AsyncIterable<T>,
  getEntries: (item: T) => readonly CompletionEntry[],
  onEnd: (entries: readonly CompletionEntry[]) => Promise<void>,
): AsyncGenerator<T> {
  const entries: CompletionEntry[] = [];
  try {
    for await (const item of items) {
      if (entries.length < maxEntries) entries.push(...getEntries(item));
      yield item;
    }
  } finally {
    await onEnd(entries);
  }
}

async function updateCache(resource: Resource, entries: readonly CompletionEntry[], deletes: boolean, context: Context): Promise<void> {
  const path = await resolveCachePath(resource, context);
  if (path === undefined) return;
  const cache = readCompletionCache(path);
  const ids = new Set(entries.map(({ id }) => id));
  const remaining = cache.entries.filter(({ id }) => !ids.has(id));
  await writeCompletionCache(path, { asked: cache.asked, entries: deletes ? remaining : mergeEntries(entries, cache.entries) });
}

/** Records without an id are left out. */
function createEntries(resource: Resource, records: readonly DataRecord[]): readonly CompletionEntry[] {
  return records.flatMap((record) => {
    const id = idOf(record);
    if (id === undefined) return [];
    // A trashed record has the slug `jazz-night__trashed`.
    const isTrashed = getText(record, "status") === "trash" || /__trashed(?:-\d+)?$/.test(getText(record, "slug"));
    const slug = toPlainText(decodeSlug(getText(record, "slug")));
    // A slug can look like something else: an id, a flag, or the list on stdin.
    const slugRef = isBareSlug(slug) && !/^\d+$|^-/.test(slug) ? slug : `slug:${slug}`;
    const ref = slug === "" || slug.includes("/") ? id : slugRef;
    const when = resource.hasDates ? toPlainText(getText(record, "start_date")).slice(0, 16) : "";
    return [
      {
        id,
        slug,
        name: toPlainText(getText(record, resource.titleField)),
        ref,
        ...(when === "" ? {} : { when }),
        ...(isTrashed && { isTrashed }),
      },
    ];
  });
}

/** The newer entries but for those in the trash, then the older ones with other ids. */
function mergeEntries(newer: readonly CompletionEntry[], older: readonly CompletionEntry[]): readonly CompletionEntry[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer.filter(({ isTrashed }) => isTrashed !== true), ...older.filter(({ id }) => !ids.has(id))];
}

// The files.

/** The cache file of the chosen site; undefined where none is chosen. Nothing is started or asked for it. Rejects where the settings can't be read. */
async function resolveCachePath({ name }: Resource, context: Context): Promise<string | undefined> {
  const { globals, env, machine, folders, sandboxFile } = context;
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
    ? sandboxFile
    : settings.base_url && `${settings.base_url.value} ${settings.namespace.value} ${settings.profile.value}`;
  return site === undefined ? undefined : join(folders.cache, "completion", `${name}-${hashText(site)}.json`);
}

/** Sixteen hexadecimal digits (FNV-1a). They protect nothing, and Node takes 3 ms to load its cryptography. */
function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** An empty cache where there is no file or it can't be read. */
function readCompletionCache(path: string): CompletionCache {
  try {
    const { asked, entries } = JSON.parse(readText(path)) as Partial<CompletionCache>;
    return { asked: Number(asked) || 0, entries: (entries ?? []).filter(isValidEntry) };
  } catch {
    return { asked: 0, entries: [] };
  }
}

/** Empty where there is no file, and where another user owns the file or can write it. */
function readText(path: string): string {
  try {
    return readOwnFile(path) ?? "";
  } catch {
    return "";
  }
}

/** A shell is only offered text in one line. */
function isValidEntry(entry: CompletionEntry): boolean {
  return [entry.id, entry.slug, entry.name, entry.ref, entry.when ?? ""].every(
    (text) => typeof text === "string" && !/\p{Cc}|\p{Cs}/u.test(text),
  );
}

/** Writes a file that only this user can read, into a folder that only this user can write. Errors are ignored: everything works without the cache. */
async function writeCompletionCache(path: string, { asked, entries }: CompletionCache): Promise<void> {
  const text = JSON.stringify({ asked, entries: entries.slice(0, maxEntries) });
  if (readText(path) === text) return;
  try {
    const { writeFileAtomic } = await import("../../atomic-file.ts");
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOwnAlone(lstatSync(folder))) writeFileAtomic(path, text, { hasLock: false });
  } catch {}
}
