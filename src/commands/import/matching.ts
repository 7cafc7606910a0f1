// Which record of the site belongs to which row: by the ledger, as moved or renamed, or found by what it is.
import { fetchRecord, listRecords, normalizeTypography, type RecordSource } from "../../api/refs.ts";
import { decodeSlug, normalizeSlug, type PathRef } from "../../api/request.ts";
import { toWritableValue } from "../../api/update.ts";
import { findNeeds, isKeyRef } from "../../changes/change.ts";
import { createBase, normalizeValue, type Values } from "../../changes/compare.ts";
import type { LedgerEntry, RecordEntry } from "../../changes/ledger.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import type { Resource } from "../../model/resource.ts";
import { createDateWindow, instantOf } from "../records/date-window.ts";
import type { ImportRow } from "./rows.ts";

/** A row with what it wants of a record; its dates depend on the zone of the record. */
export interface WantedRow {
  readonly row: ImportRow;
  getDesired(record: DataRecord | undefined): Values;
}

/** What a row belongs to. */
export type Match =
  | { readonly kind: "new" }
  | { readonly kind: "known"; readonly entry: RecordEntry; readonly record: DataRecord }
  /** The record is gone from the site. */
  | { readonly kind: "deleted"; readonly entry: RecordEntry }
  /** The row has a new key. */
  | { readonly kind: "moved"; readonly entry: RecordEntry; readonly record: DataRecord }
  | { readonly kind: "adopted"; readonly record: DataRecord }
  | { readonly kind: "several"; readonly ids: readonly string[] };

export interface SiteRecords {
  readonly all: readonly DataRecord[];
  /** The record; undefined where it is gone, or in the trash. */
  get(id: string): Promise<DataRecord | undefined>;
}

const dayInMilliseconds = 86_400_000;

/**
 * Reads the records that rows can belong to, page by page; others that the ledger knows are read by their ids when they are needed. `slugs` are
 * looked for on any day.
 */
export async function readSiteRecords(
  site: RecordSource,
  resource: Resource,
  starts: readonly (number | undefined)[],
  zone: string,
  slugs: readonly string[],
): Promise<SiteRecords> {
  const times = starts.filter((start) => start !== undefined);
  const isLimited = resource.hasDates && times.length > 0 && times.length === starts.length;
  const from = times.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY) - dayInMilliseconds;
  const to = times.reduce((most, start) => Math.max(most, start), Number.NEGATIVE_INFINITY) + dayInMilliseconds;
  const filters = isLimited ? createDateWindow({ from, to, running: false }, zone, site.serverProfile).filters : {};
  const listed = starts.length === 0 ? [] : await listRecords(site, resource, filters);
  const read = async (path: PathRef): Promise<DataRecord | undefined> => {
    try {
      const record = await fetchRecord(site, resource, path);
      return getText(record, "status") === "trash" ? undefined : record;
    } catch (error) {
      if (error instanceof CalError && (error.kind === "not-found" || error.details.code === "event-no-longer-available")) return undefined;
      throw error;
    }
  };
  const known = new Set(listed.map((record) => normalizeSlug(getText(record, "slug"))));
  const others = isLimited ? slugs.filter((slug) => !known.has(normalizeSlug(slug))) : [];
  const found = await Promise.all(others.map((slug) => read({ by: "slug", slug })));
  const all = [...listed, ...found.filter((record) => record !== undefined)];
  const byId = new Map<string, Promise<DataRecord | undefined>>();
  for (const record of all) byId.set(idOf(record) ?? "", Promise.resolve(record));
  return {
    all,
    get: (id) => {
      const record = byId.get(id) ?? read({ by: "id", id });
      byId.set(id, record);
      return record;
    },
  };
}

export interface MatchOptions {
  readonly site: RecordSource;
  readonly resource: Resource;
  readonly records: SiteRecords;
  /** Of this resource. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** The keys of all rows of the source, those with problems too. */
  readonly keys: ReadonlySet<string>;
  readonly findsBySlug: boolean;
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The matches of all rows, and the entries of records that are no longer in the source. */
export async function matchRows(rows: readonly WantedRow[], options: MatchOptions) {
  const { records, entries, keys } = options;
  const matches = new Map<WantedRow, Match>();
  const unmatched: WantedRow[] = [];
  for (const wanted of rows) {
    const entry = entries.get(wanted.row.key);
    if (entry === undefined || !("id" in entry)) {
      unmatched.push(wanted);
      continue;
    }
    const record = await records.get(entry.id);
    matches.set(wanted, record === undefined ? { kind: "deleted", entry } : { kind: "known", entry, record });
  }
  const missing = [...entries.values()].filter((entry): entry is RecordEntry => "id" in entry && !keys.has(entry.key));
  const moved = await findMoved(unmatched, missing, options);
  for (const [wanted, match] of moved) matches.set(wanted, match);
  const movedIds = new Set([...moved.values()].flatMap((match) => ("entry" in match ? [match.entry.id] : "ids" in match ? match.ids : [])));
  const ids = new Map<string, string>();
  for (const [{ row }, match] of matches) if ("record" in match) ids.set(row.key, idOf(match.record) ?? "");
  const adopt = createAdopter(options, ids);
  let rest = unmatched.filter((wanted) => !matches.has(wanted));
  while (rest.length > 0) {
    // Parents come before their child terms: a term is found by its parent too.
    const open = new Set(rest.map(({ row }) => row.key));
    const ready = rest.filter(({ row, getDesired }) => !findNeeds(getDesired(undefined)).some((key) => key !== row.key && open.has(key)));
    const next = ready.length > 0 ? ready : rest;
    for (const wanted of next) {
      const match = adopt(wanted);
      matches.set(wanted, match);
      if ("record" in match) ids.set(wanted.row.key, idOf(match.record) ?? "");
    }
    rest = rest.filter((wanted) => !matches.has(wanted));
  }
  return { matches, missing: missing.filter(({ id }) => !movedIds.has(id)) };
}

/** Rows with a new key and records whose key left the source are one where two of title, start and venue are the same, and nothing else matches. */
async function findMoved(rows: readonly WantedRow[], missing: readonly RecordEntry[], options: MatchOptions) {
  const { resource, records, zone, now } = options;
  const found = new Map<WantedRow, Match>();
  if (!resource.hasDates || rows.length === 0 || missing.length === 0) return found;
  const names = [resource.titleField, "start_date", "venue"];
  const getPairs = (sent: Readonly<Record<string, string>>) =>
    names.flatMap((one, at) =>
      names.slice(at + 1).flatMap((other) => (sent[one] && sent[other] ? [`${one}=${sent[one]} ${other}=${sent[other]}`] : [])),
    );
  const rowsByPair = new Map<string, WantedRow[]>();
  for (const wanted of rows) {
    const desired = wanted.getDesired(undefined);
    for (const pair of getPairs(createBase(resource, names, desired, {}).sent))
      rowsByPair.set(pair, [...(rowsByPair.get(pair) ?? []), wanted]);
  }
  const rowsOf = new Map<RecordEntry, readonly WantedRow[]>();
  const entriesOf = new Map<WantedRow, Set<RecordEntry>>();
  for (const entry of missing) {
    const candidates = [...new Set(getPairs(entry.sent).flatMap((pair) => rowsByPair.get(pair) ?? []))];
    if (candidates.length === 0) continue;
    const record = await records.get(entry.id);
    // An event that is over is not moved: a row that is like it is the next one.
    if (record === undefined || (instantOf(record, "end_date", zone) ?? now) < now) continue;
    rowsOf.set(entry, candidates);
    for (const wanted of candidates) entriesOf.set(wanted, (entriesOf.get(wanted) ?? new Set()).add(entry));
  }
  for (const [wanted, candidates] of entriesOf) {
    const [entry] = candidates;
    const isOnly = candidates.size === 1 && entry !== undefined && rowsOf.get(entry)?.length === 1;
    const record = isOnly ? await records.get(entry.id) : undefined;
    if (isOnly && record !== undefined) found.set(wanted, { kind: "moved", entry, record });
    else found.set(wanted, { kind: "several", ids: [...candidates].map(({ id }) => id) });
  }
  return found;
}

/** The slug that the source has for a record; servers may write it with escapes. */
export const getSlug = ({ source }: ImportRow): string => decodeSlug(valueToText(source.values["slug"]));

/** Fields beside the name that a record must have in common with a row; one that the row does not have is not compared. */
const identityFields: Readonly<Record<Resource["name"], readonly string[]>> = {
  events: ["start_date", "venue"],
  venues: ["city"],
  organizers: [],
  categories: ["parent"],
  tags: [],
};

/** Finds the record that a row without an entry belongs to. A record that the ledger knows belongs to another row. */
function createAdopter({ site, resource, records, entries, findsBySlug }: MatchOptions, ids: ReadonlyMap<string, string>) {
  const settle = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(settle) : isKeyRef(value) ? (ids.get(value.key) ?? value) : value;
  const normalizeTitle = (text: string) => normalizeTypography(text).normalize("NFC").toLowerCase();
  const taken = new Set([...entries.values()].flatMap((entry) => ("id" in entry ? [entry.id] : [])));
  const byTitle = new Map<string, DataRecord[]>();
  for (const record of records.all) {
    const title = normalizeTitle(getText(record, resource.titleField));
    byTitle.set(title, [...(byTitle.get(title) ?? []), record]);
  }
  const fields = resource.fields.filter(({ name }) => identityFields[resource.name].includes(name));
  return (wanted: WantedRow): Match => {
    const title = normalizeTitle(valueToText(wanted.row.fields[resource.titleField]));
    const found = (byTitle.get(title) ?? []).filter((record) => {
      if (taken.has(idOf(record) ?? "")) return false;
      const desired = wanted.getDesired(record);
      return fields.every((field) => {
        if (desired[field.name] === undefined) return true;
        const [left, right] = [settle(desired[field.name]), toWritableValue(field, record, site.serverProfile)].map((value) =>
          normalizeValue(field, value),
        );
        if (field.format === "date-time") return left?.slice(0, 16) === right?.slice(0, 16);
        return (left === "0" ? "" : left?.toLowerCase()) === (right === "0" ? "" : right?.toLowerCase());
      });
    });
    const slug = findsBySlug ? normalizeSlug(getSlug(wanted.row)) : "";
    const sameSlug =
      slug === "" ? undefined : records.all.find((one) => normalizeSlug(getText(one, "slug")) === slug && !taken.has(idOf(one) ?? ""));
    const candidates = sameSlug === undefined ? found : found.length === 0 || found.includes(sameSlug) ? [sameSlug] : [sameSlug, ...found];
    const [record] = candidates;
    if (record === undefined) return { kind: "new" };
    if (candidates.length > 1) return { kind: "several", ids: candidates.flatMap((one) => idOf(one) ?? []) };
    taken.add(idOf(record) ?? "");
    return { kind: "adopted", record };
  };
}
