// Which record of the site belongs to which row: by the ledger, as moved or renamed, or found by what it is.
import { fetchIfThere, fetchRecord, listRecords, normalizeTypography, type RecordSource } from "../../api/refs.ts";
import { decodeSlug, normalizeSlug } from "../../api/request.ts";
import { toWritableValue } from "../../api/update.ts";
import { findNeeds, isKeyRef } from "../../changes/change.ts";
import { createBase, normalizeValue, type Values } from "../../changes/compare.ts";
import type { LedgerEntry, RecordEntry } from "../../changes/ledger.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { createDateWindow, instantOf } from "../records/date-window.ts";
import type { ResolvedLink } from "./links.ts";
import type { ImportRow } from "./rows.ts";

/** A row with what it wants of a record; its dates depend on the zone of the record. */
export interface WantedRow {
  readonly row: ImportRow;
  /** The instant of its start, in milliseconds since 1970. */
  readonly start: number | undefined;
  readonly links: Readonly<Record<string, readonly ResolvedLink[]>>;
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
  const read = (record: DataRecord) =>
    readWhole(site, resource, record).catch((error: unknown) => {
      // Who may not read an event with a password can still write others.
      if (error instanceof CalError && ["forbidden", "unauthenticated"].includes(error.kind)) return record;
      throw error;
    });
  const known = new Set(listed.map((record) => normalizeSlug(getText(record, "slug"))));
  const others = isLimited ? slugs.filter((slug) => !known.has(normalizeSlug(slug))) : [];
  const found = await Promise.all(others.map((slug) => fetchIfThere(site, resource, { by: "slug", slug })));
  const all = [...listed, ...found.filter((record) => record !== undefined)];
  return createSiteRecords(site, resource, await Promise.all(all.map(read)));
}

/** Recorded: a list hides most of an event with a password. */
export async function readWhole(site: RecordSource, resource: Resource, record: DataRecord): Promise<DataRecord> {
  const id = idOf(record);
  return resource.hasDates && record["all_day"] === null && id !== undefined ? fetchRecord(site, resource, { by: "id", id }) : record;
}

/** The records of a list; any other is read by its id when it is needed. */
export function createSiteRecords(site: RecordSource, resource: Resource, all: readonly DataRecord[]): SiteRecords {
  const byId = new Map<string, Promise<DataRecord | undefined>>();
  for (const record of all) byId.set(idOf(record) ?? "", Promise.resolve(record));
  return {
    all,
    get: (id) => {
      const record = byId.get(id) ?? fetchIfThere(site, resource, { by: "id", id });
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
  readonly scope: Scope;
  getDesired(wanted: WantedRow, record: DataRecord | undefined): Values;
}

/** Which events can be missing from the source. Instants in milliseconds since 1970. */
export interface Scope {
  readonly zone: string;
  readonly now: number;
  /** Occurrences that the source was read for. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Whether an event is over, or outside of the time that the source was read for: that the source does not have it says nothing. */
export function isOutOfScope(record: DataRecord, { zone, now, from, until }: Scope): boolean {
  const [start, end] = [instantOf(record, "start_date", zone), instantOf(record, "end_date", zone)];
  const isOutside = start !== undefined && (start < (from ?? start) || start > (until ?? start));
  return isOutside || (end ?? now) < now;
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
  let rest = unmatched.filter((wanted) => !matches.has(wanted));
  // Most second imports have no such row, and the site may have many records.
  const adopt = rest.length === 0 ? undefined : createAdopter(options, ids);
  while (adopt !== undefined && rest.length > 0) {
    // Parents come before their child terms: a term is found by its parent too.
    const open = new Set(rest.map(({ row }) => row.key));
    const ready = rest.filter(({ row, links }) => !findNeeds(links).some((key) => key !== row.key && open.has(key)));
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

/** A row with a new key, or an entry whose key left the source, with what tells whether they are one record. */
interface Unpaired<T> {
  readonly item: T;
  /** Of the title, the start and the venue those that are not empty. */
  readonly hashes: readonly string[];
  /** Names two of the three fields, with their values. */
  readonly pairs: readonly string[];
  /** The UID of an occurrence of a calendar. */
  readonly uid: string;
  readonly start: number;
}

/**
 * The rows with a new key that are records whose key left the source. They are one where title, start and venue are the same; then, of
 * occurrences of one UID, in order of their start; then where two of the three are the same, and nothing else matches.
 */
async function findMoved(rows: readonly WantedRow[], missing: readonly RecordEntry[], options: MatchOptions) {
  const { resource, records, scope } = options;
  const found = new Map<WantedRow, Match>();
  if (!resource.hasDates || rows.length === 0 || missing.length === 0) return found;
  const names = [resource.titleField, "start_date", "venue"];
  const describe = <T>(item: T, sent: Readonly<Record<string, string>>, uid: string, start = Number.NaN): Unpaired<T> => {
    const hashes = names.map((name) => sent[name] ?? "");
    const isSet = (at: number) => hashes[at] !== "";
    const pairs = [[0, 1] as const, [0, 2] as const, [1, 2] as const].flatMap(([one, other]) =>
      isSet(one) && isSet(other) ? [`${one}${other} ${hashes[one]} ${hashes[other]}`] : [],
    );
    return { item, hashes, pairs, uid, start };
  };
  let openRows = rows.map((wanted) => {
    const desired = options.getDesired(wanted, undefined);
    const { key, source } = wanted.row;
    const isCalendar = source.key !== undefined && key === `${resource.name}/${source.key}`;
    return describe(wanted, createBase(resource, names, desired, {}).sent, isCalendar ? getUid(key) : "", wanted.start);
  });
  let openEntries = missing.map((entry) => describe(entry, entry.sent, getUid(entry.key)));
  const take = async (row: Unpaired<WantedRow>, { item: entry }: Unpaired<RecordEntry>) => {
    const record = await records.get(entry.id);
    if (record !== undefined) found.set(row.item, { kind: "moved", entry, record });
  };
  const dropFound = () => {
    const taken = new Set([...found.values()].flatMap((match) => ("entry" in match ? [match.entry] : [])));
    openRows = openRows.filter(({ item }) => !found.has(item));
    openEntries = openEntries.filter(({ item }) => !taken.has(item));
  };

  const sameEntries = groupBy(openEntries, ({ hashes }) => [hashes.join(" ")]);
  for (const [same, group] of groupBy(openRows, ({ hashes }) => [hashes.join(" ")])) {
    const [row, otherRow] = group;
    const [entry, otherEntry] = sameEntries.get(same) ?? [];
    if (row === undefined || entry === undefined || otherRow !== undefined || otherEntry !== undefined) continue;
    if (row.hashes[0] !== "" && row.hashes[1] !== "") await take(row, entry);
  }
  dropFound();

  const rowPairs = groupBy(openRows, ({ pairs }) => pairs);
  const movable: Unpaired<RecordEntry>[] = [];
  for (const open of openEntries) {
    if (!open.pairs.some((pair) => rowPairs.has(pair))) continue;
    const record = await records.get(open.item.id);
    // An event that is over, or that the source was not read for, is not moved: a row that is like it is the next one.
    if (record !== undefined && !isOutOfScope(record, scope))
      movable.push({ ...open, start: instantOf(record, "start_date", scope.zone) ?? 0 });
  }
  openEntries = movable;

  const byStart = (one: { readonly start: number }, other: { readonly start: number }) => one.start - other.start;
  const entriesOfUid = groupBy(openEntries, ({ uid }) => (uid === "" ? [] : [uid]));
  for (const [uid, group] of groupBy(openRows, (row) => (row.uid === "" ? [] : [row.uid]))) {
    const left = (entriesOfUid.get(uid) ?? []).toSorted(byStart);
    for (const row of group.toSorted(byStart)) {
      const at = left.findIndex(({ pairs }) => pairs.some((pair) => row.pairs.includes(pair)));
      const [entry] = at === -1 ? [] : left.splice(at, 1);
      if (entry !== undefined) await take(row, entry);
    }
  }
  dropFound();

  const entryPairs = groupBy(openEntries, ({ pairs }) => pairs);
  const openRowPairs = groupBy(openRows, ({ pairs }) => pairs);
  for (const row of openRows) {
    const [entry, ...others] = listMatches(row, entryPairs);
    if (entry === undefined) continue;
    if (others.length === 0 && listMatches(entry, openRowPairs).length === 1) await take(row, entry);
    else found.set(row.item, { kind: "several", ids: [entry, ...others].map(({ item }) => item.id) });
  }
  return found;
}

/** The slug that the source has for a record; servers may write it with escapes. */
export const getSlug = (row: ImportRow): string => decodeSlug(valueToText(row.read().source.values["slug"]));

/** Matches that are named in a message. */
const maxNamed = 10;

function listMatches<T>({ pairs }: Unpaired<unknown>, byPair: ReadonlyMap<string, readonly T[]>): readonly T[] {
  return [...new Set(pairs.flatMap((pair) => byPair.get(pair)?.slice(0, maxNamed) ?? []))].slice(0, maxNamed);
}

/** The key of an occurrence without its RECURRENCE-ID. */
const getUid = (key: string): string => key.replace(/ \d{8}(?:T\d{6}Z?)?$/, "");

export function groupBy<T>(items: Iterable<T>, getKeys: (item: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of getKeys(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}

/** Fields beside the name that a record must have in common with a row; one that the row does not have is not compared. */
export const identityFields: Readonly<Record<Resource["name"], readonly string[]>> = {
  events: ["start_date", "venue"],
  venues: ["city"],
  organizers: [],
  categories: ["parent"],
  tags: [],
};

/** Finds the record that a row without an entry belongs to. A record that the ledger knows belongs to another row. */
function createAdopter({ site, resource, records, entries, findsBySlug, getDesired }: MatchOptions, ids: ReadonlyMap<string, string>) {
  const settle = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(settle) : isKeyRef(value) ? (ids.get(value.key) ?? value) : value;
  const normalizeTitle = (text: string) => normalizeTypography(text).normalize("NFC").toLowerCase();
  const taken = new Set([...entries.values()].flatMap((entry) => ("id" in entry ? [entry.id] : [])));
  const fields = resource.fields.filter(({ name }) => identityFields[resource.name].includes(name));
  const normalizeField = (field: Field, value: unknown): string => {
    const text = normalizeValue(field, value);
    if (field.format === "date-time") return text.slice(0, 16);
    return text === "0" ? "" : text.toLowerCase();
  };
  // Many events can have one title: what is compared is computed once.
  const described = records.all.map((record) => ({
    record,
    zone: getText(record, "timezone"),
    values: fields.map((field) => normalizeField(field, toWritableValue(field, record, site.serverProfile))),
  }));
  const byTitle = groupBy(described, ({ record }) => [normalizeTitle(getText(record, resource.titleField))]);
  const bySlug = groupBy(findsBySlug ? records.all : [], (record) => [normalizeSlug(getText(record, "slug"))]);
  return (wanted: WantedRow): Match => {
    if (records.all.length === 0) return { kind: "new" };
    const title = normalizeTitle(valueToText(wanted.row.read().fields[resource.titleField]));
    const desiredByZone = new Map<string, readonly (string | undefined)[]>();
    const describeDesired = (record: DataRecord) => {
      const desired = getDesired(wanted, record);
      return fields.map((field) => (desired[field.name] === undefined ? undefined : normalizeField(field, settle(desired[field.name]))));
    };
    const found = (byTitle.get(title) ?? []).flatMap(({ record, zone, values }) => {
      if (taken.has(idOf(record) ?? "")) return [];
      const desired = desiredByZone.get(zone) ?? describeDesired(record);
      desiredByZone.set(zone, desired);
      return desired.every((value, at) => value === undefined || value === values[at]) ? [record] : [];
    });
    const slug = findsBySlug ? normalizeSlug(getSlug(wanted.row)) : "";
    const sameSlug = slug === "" ? undefined : bySlug.get(slug)?.find((one) => !taken.has(idOf(one) ?? ""));
    const candidates = sameSlug === undefined ? found : found.length === 0 || found.includes(sameSlug) ? [sameSlug] : [sameSlug, ...found];
    const [record] = candidates;
    if (record === undefined) return { kind: "new" };
    if (candidates.length > 1) return { kind: "several", ids: candidates.flatMap((one) => idOf(one) ?? []) };
    taken.add(idOf(record) ?? "");
    return { kind: "adopted", record };
  };
}
