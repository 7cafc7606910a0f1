// The plan of a copy: each resource after those that its records link to, in one plan for the target.
import type { RecordSource } from "../../api/refs.ts";
import { toExactId } from "../../api/update.ts";
import { type Change, sortChanges } from "../../changes/change.ts";
import type { ConflictRule } from "../../changes/compare.ts";
import type { LedgerEntry, RecordEntry } from "../../changes/ledger.ts";
import type { Keep } from "../../changes/value-store.ts";
import type { Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { type Failure, listFailures } from "../import/carry-out.ts";
import type { LinkResolver, ResolvedLink } from "../import/links.ts";
import { type ImportConflict, planRows, type RowChange } from "../import/plan-import.ts";
import type { ImportRow } from "../import/rows.ts";
import type { SourcePictures } from "./pictures.ts";
import { type CopyRow, createCopyRow } from "./rows.ts";
import { formatKey, type SourceRecord, type SourceRecords } from "./source-records.ts";

export interface PlanCopyOptions {
  readonly source: { readonly profile: ServerProfile; readonly zone: string };
  readonly target: RecordSource;
  /** The zone of records of the target without one. */
  readonly zone: string;
  /** The source, for the plan. */
  readonly label: string;
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly onConflict: ConflictRule;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly pictures: SourcePictures;
  /** Keeps what is large of each change. */
  readonly keep: Keep;
  /** Fields that the target does not know. */
  findUnknownFields(resource: Resource): Promise<ReadonlySet<string>>;
}

/** A loss, and the records that it concerns. */
export type Losses = ReadonlyMap<string, readonly string[]>;

const { categories, tags, organizers, venues, events } = resources;

/** Records whose pictures are read at the same time. */
const batchSize = 4;

/** Links go to what stands before. */
const order = [categories, tags, organizers, venues, events];

export async function planCopy(records: SourceRecords, options: PlanCopyOptions) {
  const { source, target, entries, pictures, findUnknownFields } = options;
  const changes: Change[] = [];
  const rowChanges = new Map<string, RowChange>();
  const conflicts: ImportConflict[] = [];
  const notices: string[] = [];
  const newEntries: RecordEntry[] = [];
  const failures: Failure[] = [];
  const rows: ImportRow[] = [];
  const losses = new Map<string, string[]>();
  const linkTargets: LinkTargets = { ids: new Map(), created: new Map(), gone: new Set(), notices };
  let unchanged = 0;
  for (const resource of order) {
    const ofResource = [...records.values()].filter((one) => one.resource === resource);
    if (ofResource.length === 0) continue;
    const unknownFields = await findUnknownFields(resource);
    const createCopy = async (one: SourceRecord): Promise<CopyRow> => {
      const entry = entries.get(formatKey(resource, one.id));
      const picture = await pictures.read(one, options.onConflict === "source" ? undefined : entry);
      return createCopyRow(one, { source, target: target.serverProfile, records, entry, picture, unknownFields });
    };
    const copies: CopyRow[] = [];
    while (copies.length < ofResource.length)
      copies.push(...(await Promise.all(ofResource.slice(copies.length, copies.length + batchSize).map(createCopy))));
    const ownRows = copies.map(({ row }) => row);
    const planned = await planRows(ownRows, {
      ...options,
      site: target,
      resource,
      links: createLinks(linkTargets),
      cancelled: "draft",
      // A copy of some records says nothing of the others.
      keys: new Set([...entries.keys(), ...ownRows.map(({ key }) => key)]),
      findsBySlug: true,
      createOnly: ["slug"],
    });
    for (const [key, id] of planned.ids) linkTargets.ids.set(key, id);
    for (const change of planned.changes) if (change.op === "create") linkTargets.created.set(change.key, change);
    for (const { row } of planned.gone) linkTargets.gone.add(row.key);
    const changed = new Set(planned.changes.map(({ key }) => key));
    for (const copy of copies)
      if (changed.has(copy.row.key))
        for (const loss of copy.losses) {
          const names = losses.get(loss);
          if (names === undefined) losses.set(loss, [copy.name]);
          else names.push(copy.name);
        }
    changes.push(...planned.changes);
    for (const [key, change] of planned.rowChanges) rowChanges.set(key, change);
    conflicts.push(...planned.conflicts);
    notices.push(...planned.notices);
    newEntries.push(...planned.entries);
    failures.push(...listFailures(resource, ownRows, planned));
    rows.push(...ownRows);
    unchanged += planned.unchanged;
  }
  return {
    changes: sortChanges(changes),
    rowChanges,
    conflicts,
    notices,
    entries: newEntries,
    obsolete: new Map(),
    failures,
    rows,
    losses,
    unchanged,
  };
}

/** What became of the records that others link to, by their keys. */
interface LinkTargets {
  readonly ids: Map<string, string>;
  readonly created: Map<string, Change>;
  /** Deleted at the target since an earlier copy. */
  readonly gone: Set<string>;
  readonly notices: string[];
}

/** Finds the records of the target for ids of the source. */
function createLinks({ ids, created, gone, notices }: LinkTargets): LinkResolver {
  return {
    created,
    warnings: [],
    resolve: async (row, { name, refersTo }, items) =>
      items.flatMap((item): readonly ResolvedLink[] => {
        const key = formatKey({ name: refersTo ?? "events" }, String(item));
        const id = ids.get(key);
        if (id !== undefined) return [toExactId(id)];
        if (created.has(key)) return [{ key }];
        if (gone.has(key)) notices.push(`${row.place}: ${name}: ${key} was deleted at the target and is left out`);
        else row.problems.push({ message: `${name}: ${key} can't be written` });
        return [];
      }),
  };
}
