// The ids, slugs and names of records that completion offers, kept in the cache folder: a small file for each site and resource.
// It is read and written at once, without promises: Node loads more for those than these small files are worth.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceName } from "../../spec/field.ts";

/** What is kept of a record. The name is plain words, the slug not percent-encoded. */
export interface CompletionEntry {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** What points at it where a ref is expected: its slug, with `slug:` where it is none as it stands; without a slug its id. */
  readonly ref: string;
}

/** The content of a file. */
export interface CompletionCache {
  /** When the site was last asked by a completion, in milliseconds since 1970; 0 is never. */
  readonly asked: number;
  /** The newest first. */
  readonly entries: readonly CompletionEntry[];
}

/** Where the cache is and which site it is of; the process id keeps the drafts of two writers apart. */
export interface CacheLocation {
  readonly folder: string;
  /** Whatever tells the site, and who looks at it, from others. */
  readonly site: string;
  readonly pid: number;
}

/** More than this is not kept, and a list may be long. */
export const maxEntries = 500;

/** What is known of a resource; nothing where there is no file or it can't be read. */
export function readCompletionCache(place: CacheLocation, resource: ResourceName): CompletionCache {
  try {
    const { asked, entries } = JSON.parse(readTextFile(getCacheFile(place, resource)) ?? "") as Partial<CompletionCache>;
    return { asked: Number(asked) || 0, entries: (entries ?? []).filter(isValidEntry) };
  } catch {
    return { asked: 0, entries: [] };
  }
}

/** Replaces what is known, for this user's eyes only. Failures are of no matter: the cache only makes typing faster. */
export function writeCompletionCache(place: CacheLocation, resource: ResourceName, { asked, entries }: CompletionCache): void {
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
export function mergeEntries(newer: readonly CompletionEntry[], older: readonly CompletionEntry[]): readonly CompletionEntry[] {
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
