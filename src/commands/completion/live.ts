// The records that completion offers: from the cache, and where that is old from one short request.
import type { Context } from "../../context.ts";
import type { Resource } from "../../spec/resource.ts";
import { type Entry, merged, readKnown, writeKnown } from "./cache.ts";
import { cachePlace } from "./place.ts";

/** Milliseconds for which an answer of the site is good enough. */
const goodFor = 600_000;

/** The records of a resource that are known; none where no site is chosen. Rejects where the settings can't be read. */
export async function knownRecords(resource: Resource, context: Context): Promise<readonly Entry[]> {
  const place = await cachePlace(context);
  if (place === undefined) return [];
  const known = readKnown(place, resource.name);
  const now = context.clock.now();
  if (Math.abs(now - known.asked) < goodFor) return known.entries;
  // Noted before it is asked: a site that does not answer is not asked again at the next press of the key.
  writeKnown(place, resource.name, { ...known, asked: now });
  try {
    const { askedFor } = await import("./ask.ts");
    const { entries, whole } = await askedFor(resource, context);
    const all = whole ? entries : merged(entries, known.entries);
    writeKnown(place, resource.name, { asked: now, entries: all });
    return all;
  } catch {
    return known.entries;
  }
}
