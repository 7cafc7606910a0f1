// The records that completion offers: from the cache, and where that is old from one short request.
import type { Context } from "../../context.ts";
import type { Resource } from "../../spec/resource.ts";
import { type CompletionEntry, mergeEntries, readCompletionCache, writeCompletionCache } from "./cache.ts";
import { resolveCacheLocation } from "./place.ts";

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
