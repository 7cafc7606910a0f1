// What commands over records see on their way is kept for completion, so that pressing Tab seldom has to ask a site.
import { decodedSlug } from "../../api/address.ts";
import { type DataRecord, idOf, textAt } from "../../api/record.ts";
import type { Context } from "../../context.ts";
import { plainText } from "../../http/clean.ts";
import type { Report } from "../../output/report.ts";
import type { Resource, Verb } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { type Entry, merged, readKnown, writeKnown } from "./cache.ts";
import { cachePlace } from "./place.ts";

/** The same handler; what its report holds is kept when it has been read, and what it deleted is forgotten. */
export function remembering(resource: Resource, verb: Verb, handler: Handler): Handler {
  return async (invocation, context) => {
    const report = await handler(invocation, context);
    return watched(report, async (records) => {
      const entries = records.flatMap((record) => entryOf(resource, record) ?? []);
      if (entries.length > 0) await keep(resource, entries, verb === "delete", context).catch(() => undefined);
    });
  };
}

/** What is kept of a record; undefined where it has no id. */
export function entryOf(resource: Resource, record: DataRecord): Entry | undefined {
  const id = idOf(record);
  if (id === undefined) return undefined;
  return { id, slug: plainText(decodedSlug(textAt(record, "slug"))), name: plainText(textAt(record, resource.title)) };
}

async function keep(resource: Resource, entries: readonly Entry[], gone: boolean, context: Context): Promise<void> {
  const place = await cachePlace(context);
  if (place === undefined) return;
  const { asked, entries: older } = await readKnown(place, resource.name);
  const ids = new Set(entries.map(({ id }) => id));
  await writeKnown(place, resource.name, { asked, entries: gone ? older.filter(({ id }) => !ids.has(id)) : merged(entries, older) });
}

/** The report, of which `seen` is told the records when they have been read. */
async function watched(report: Report, seen: (records: readonly DataRecord[]) => Promise<void>): Promise<Report> {
  switch (report.kind) {
    case "record":
      await seen([report.record]);
      return report;
    case "list":
      return { ...report, records: passing(report.records, (record) => record, seen) };
    case "outcomes":
      return { ...report, outcomes: passing(report.outcomes, ({ record }) => record, seen) };
    default:
      return report;
  }
}

/** More than this is not kept, and a list may be long. */
const recordsAtMost = 500;

async function* passing<T>(
  items: AsyncIterable<T> | Iterable<T>,
  recordOf: (item: T) => DataRecord | undefined,
  seen: (records: readonly DataRecord[]) => Promise<void>,
): AsyncGenerator<T> {
  const records: DataRecord[] = [];
  try {
    for await (const item of items) {
      const record = recordOf(item);
      if (record !== undefined && records.length < recordsAtMost) records.push(record);
      yield item;
    }
  } finally {
    await seen(records);
  }
}
