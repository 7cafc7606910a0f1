// The records that are copied, and all that they link to, as the source has them.
import { getLinkedIds } from "../../api/linked-events.ts";
import { readRawRecord } from "../../api/raw-record.ts";
import { fetchIfThere, type RecordSource } from "../../api/refs.ts";
import type { CurrentRecord } from "../../api/update.ts";
import { type DataRecord, idOf } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";

export interface SourceRecord extends CurrentRecord {
  readonly resource: Resource;
  readonly id: string;
}

/** By their keys: `venues/23`. */
export type SourceRecords = ReadonlyMap<string, SourceRecord>;

/** Names a record of the source in the plan and in the ledger. */
export const formatKey = (resource: Pick<Resource, "name">, id: string): string => `${resource.name}/${id}`;

/** The ids that a record has in a field that links to other records, without those that are none. */
export function getValidLinkedIds(field: Field, record: DataRecord, serverProfile: ServerProfile): readonly string[] {
  return getLinkedIds({ serverProfile }, field, record).filter((id) => /^[1-9]\d*$/.test(id));
}

interface Unread {
  readonly resource: Resource;
  readonly id: string;
  readonly read: () => Promise<DataRecord | undefined>;
}

/**
 * The records, those that they link to, and so on. A linked record that is in the trash, or that this user may not see, is left out. `readsRaw`:
 * also as they are stored.
 */
export async function readLinkedRecords(
  site: RecordSource,
  resource: Resource,
  records: readonly DataRecord[],
  readsRaw: boolean,
): Promise<SourceRecords> {
  const found = new Map<string, SourceRecord>();
  const seen = new Set<string>();
  let next: readonly Unread[] = records.map((record) => ({ resource, id: idOf(record) ?? "", read: async () => record }));
  while (next.length > 0) {
    const fresh = next.filter(({ resource: its, id }) => {
      const key = formatKey(its, id);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    const read = await Promise.all(
      fresh.map(async ({ resource: its, id, read: readRecord }) => {
        const [record, raw] = await Promise.all([readRecord(), readsRaw ? readRawRecord(site, its, id) : undefined]);
        return record === undefined ? [] : [{ resource: its, id, record, raw }];
      }),
    );
    for (const one of read.flat()) found.set(formatKey(one.resource, one.id), one);
    next = read.flat().flatMap(({ resource: its, record }) =>
      its.fields.flatMap((field) => {
        const target = field.refersTo === undefined ? undefined : resources[field.refersTo];
        if (target === undefined) return [];
        return getValidLinkedIds(field, record, site.serverProfile).map((id) => ({
          resource: target,
          id,
          read: () => readLinked(site, target, id),
        }));
      }),
    );
  }
  return found;
}

async function readLinked(site: RecordSource, resource: Resource, id: string): Promise<DataRecord | undefined> {
  try {
    return await fetchIfThere(site, resource, { by: "id", id });
  } catch (error) {
    if (error instanceof CalError && error.kind === "forbidden") return undefined;
    throw error;
  }
}
