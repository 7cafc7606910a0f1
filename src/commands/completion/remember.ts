// What commands over records see on their way is kept for completion, so that pressing Tab seldom has to ask a site.
import { decodeSlug } from "../../api/address.ts";
import { type DataRecord, getText, idOf } from "../../api/record.ts";
import { isBareSlug } from "../../api/ref.ts";
import type { Context } from "../../context.ts";
import { toPlainText } from "../../http/clean.ts";
import { toBatches } from "../../output/grouped.ts";
import type { Report } from "../../output/report.ts";
import type { Resource, Verb } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { type CompletionEntry, maxEntries, mergeEntries, readCompletionCache, writeCompletionCache } from "./cache.ts";
import { resolveCacheLocation } from "./place.ts";

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
