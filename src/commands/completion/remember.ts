// What commands over records see on their way is kept for completion, so that pressing Tab seldom has to ask a site.
import { decodedSlug } from "../../api/address.ts";
import { type DataRecord, idOf, textAt } from "../../api/record.ts";
import { isPlainSlug } from "../../api/ref.ts";
import type { Context } from "../../context.ts";
import { plainText } from "../../http/clean.ts";
import { grouped } from "../../output/grouped.ts";
import type { Report } from "../../output/report.ts";
import type { Resource, Verb } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { type Entry, entriesAtMost, merged, readKnown, writeKnown } from "./cache.ts";
import { cachePlace } from "./place.ts";

/** The same handler; what its report holds is kept when it has been read, and what it deleted is forgotten. */
export function remembering(resource: Resource, verb: Verb, handler: Handler): Handler {
  return async (invocation, context) => {
    const report = await handler(invocation, context);
    const kept = (record: DataRecord) => entryOf(resource, record);
    return watched(report, kept, async (entries) => {
      if (entries.length > 0) await keep(resource, entries, verb === "delete", context).catch(() => undefined);
    });
  };
}

/** What is kept of a record; undefined where it has no id. */
export function entryOf(resource: Resource, record: DataRecord): Entry | undefined {
  const id = idOf(record);
  if (id === undefined) return undefined;
  const slug = plainText(decodedSlug(textAt(record, "slug")));
  return { id, slug, name: plainText(textAt(record, resource.title)), ref: refOf(id, slug) };
}

/** A slug may look like something else: an id, a flag, or the list on stdin. */
function refOf(id: string, slug: string): string {
  if (slug === "" || slug.includes("/")) return id;
  return isPlainSlug(slug) && !/^\d+$|^-/.test(slug) ? slug : `slug:${slug}`;
}

async function keep(resource: Resource, entries: readonly Entry[], gone: boolean, context: Context): Promise<void> {
  const place = await cachePlace(context);
  if (place === undefined) return;
  const { asked, entries: older } = readKnown(place, resource.name);
  const ids = new Set(entries.map(({ id }) => id));
  writeKnown(place, resource.name, { asked, entries: gone ? older.filter(({ id }) => !ids.has(id)) : merged(entries, older) });
}

/** The report, of which `seen` is told what is kept of its records when they have been read. */
async function watched(
  report: Report,
  kept: (record: DataRecord) => Entry | undefined,
  seen: (entries: readonly Entry[]) => Promise<void>,
): Promise<Report> {
  const entriesOf = (records: readonly DataRecord[]) => records.flatMap((record) => kept(record) ?? []);
  switch (report.kind) {
    case "record":
      await seen(entriesOf([report.record]));
      return report;
    case "list":
      if (Symbol.asyncIterator in report.records) return { ...report, records: passing(report.records, entriesOf, seen) };
      await seen(entriesOf(report.records.slice(0, entriesAtMost)));
      return report;
    case "outcomes":
      return {
        ...report,
        outcomes: passing(
          grouped(report.outcomes),
          (group) => entriesOf(group.flatMap(({ record }) => (record === undefined ? [] : [record]))),
          seen,
        ),
      };
    default:
      return report;
  }
}

async function* passing<T>(
  items: AsyncIterable<T>,
  entriesOf: (item: T) => readonly Entry[],
  seen: (entries: readonly Entry[]) => Promise<void>,
): AsyncGenerator<T> {
  const entries: Entry[] = [];
  try {
    for await (const item of items) {
      if (entries.length < entriesAtMost) entries.push(...entriesOf(item));
      yield item;
    }
  } finally {
    await seen(entries);
  }
}
