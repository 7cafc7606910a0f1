// The series of a site: which events belong together, and what each was when a series last wrote it. The ledger of the state folder knows them.
import type { RecordSource } from "../../api/refs.ts";
import { fetchIfThere } from "../../api/refs.ts";
import { toWritableValue } from "../../api/update.ts";
import { createSiteId, type FieldChange, isLinkToNew, type SiteId } from "../../changes/change.ts";
import { hashText, normalizeValue } from "../../changes/compare.ts";
import { getLedgerPath, type LedgerEntry, type LedgerOptions, type RecordEntry, readLedger } from "../../changes/ledger.ts";
import { formatSuggestion } from "../../closest.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { valueToText } from "../../http/json.ts";
import type { Field } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { createLedgerLock } from "../ledger.ts";
import { instantOf } from "../records/date-window.ts";

const { events } = resources;

/** Two events or more that belong together. */
export interface Series {
  readonly name: string;
  readonly entries: readonly RecordEntry[];
}

/** An event of a series, as the site has it now. */
export interface Member {
  readonly id: string;
  readonly entry: RecordEntry;
  readonly record: DataRecord;
  /** It has ended. */
  readonly isPast: boolean;
  /** Fields that were edited since a series last wrote them. */
  readonly edited: readonly string[];
}

// The ledger.

export function getSeriesLedger(context: Context, site: SiteId): LedgerOptions {
  return {
    path: getLedgerPath(context.folders.state, site, "series"),
    site,
    source: "series",
    work: "another command with the series of this site",
    lock: createLedgerLock(context),
  };
}

/** The ledger as it is, for commands that do not write. */
export async function readSeriesEntries(context: Context): Promise<ReadonlyMap<string, LedgerEntry>> {
  const { path, site } = getSeriesLedger(context, createSiteId(await context.settings()));
  return readLedger(path, site);
}

const getKey = (name: string, id: string) => `series/${name}/${id}`;

export function getSeriesName({ key }: LedgerEntry): string {
  return key.split("/")[1] ?? "";
}

/** The entry of an event. One that was deleted is found too. */
export function findEntry(entries: ReadonlyMap<string, LedgerEntry>, id: string): RecordEntry | undefined {
  const found = [...entries.values()].filter((entry): entry is RecordEntry => "id" in entry && entry.id === id);
  return found.find(({ gone }) => gone !== true) ?? found[0];
}

/** The series by their names. One of which a single event is left is none. */
export function groupSeries(entries: ReadonlyMap<string, LedgerEntry>): ReadonlyMap<string, Series> {
  const groups = new Map<string, RecordEntry[]>();
  for (const entry of entries.values()) {
    if (!("id" in entry) || entry.gone === true) continue;
    const name = getSeriesName(entry);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [entry]);
    else group.push(entry);
  }
  return new Map([...groups].filter(([, own]) => own.length > 1).map(([name, own]) => [name, { name, entries: own }]));
}

/** A series by its name, or by the id of one of its events. Rejects with kind `not-found`. */
export function findSeries(entries: ReadonlyMap<string, LedgerEntry>, text: string): Series {
  const all = groupSeries(entries);
  const id = /^(?:id:)?(\d+)$/.exec(text)?.[1];
  const found = id === undefined ? all.get(text) : [...all.values()].find((one) => one.entries.some((entry) => entry.id === id));
  if (found !== undefined) return found;
  const what = id === undefined ? `there is no series ${JSON.stringify(text)}` : `event ${id} is in no series`;
  throw new CalError("not-found", `${what}${id === undefined ? formatSuggestion(text, [...all.keys()]) : ""}`, {
    code: "no-series",
    hint: [
      { text: "see them", command: "cal series list" },
      { text: "to make a series of events that are there", command: "cal series adopt <ref> <ref>" },
    ],
  });
}

/** A name that no series has, made of a title. It is never digits alone, which name an event. */
export function createSeriesName(title: string, entries: ReadonlyMap<string, LedgerEntry>): string {
  const taken = new Set([...entries.values()].map(getSeriesName));
  const words = toPlainText(title)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  const name = /^\d*$/.test(words) ? `series-${words}`.replace(/-$/, "") : words;
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** What is wrong with a name that a user gives a series; undefined for a good one. */
export function validateSeriesName(name: string): string | undefined {
  if (/^[\p{L}\p{M}\p{N}._-]{1,80}$/u.test(name) && !/^\d+$/.test(name)) return undefined;
  return `the name of a series has letters, digits, dots and dashes, and is not only digits: ${JSON.stringify(name)}`;
}

// What an event was, and what it is.

/** Fields whose values servers change by themselves, or that name the record. */
const volatileFields = ["date", "date_utc", "slug", "author"];

const seriesFields = events.fields.filter(({ name }) => !volatileFields.includes(name));

/** Fields of which a server changes one with the others. */
const dateFields = ["start_date", "end_date", "timezone", "all_day"];

/** The hash of a value. Of a rendered text the words count. */
function hashValue(field: Field, value: unknown, profile: ServerProfile): string {
  const isRendered = field.format === "html" && profile.rendersText;
  return hashText(normalizeValue(field, isRendered ? toPlainText(valueToText(value ?? "")).replace(/\s+/g, " ") : value));
}

/** Statuses that end with the publication of the event, which is no edit. */
const unpublishedHashes = ["draft", "pending", "future"].map(hashText);

/** The fields that were edited by hand since the entry was written. */
function findEdited({ answered }: RecordEntry, record: DataRecord, profile: ServerProfile): readonly string[] {
  const now = hashEvent(record, profile);
  const isPublication = (name: string) =>
    name === "status" && record["status"] === "publish" && unpublishedHashes.includes(answered[name] ?? "");
  return Object.keys(answered).filter((name) => now[name] !== undefined && now[name] !== answered[name] && !isPublication(name));
}

function hashEvent(record: DataRecord, profile: ServerProfile): RecordEntry["answered"] {
  return Object.fromEntries(
    seriesFields.map((field) => [field.name, hashValue(field, toWritableValue(field, record, profile), profile)] as const),
  );
}

/** An event that joins a series as it is. */
export function createEntry(name: string, record: DataRecord, profile: ServerProfile): RecordEntry {
  const id = idOf(record) ?? "";
  return { key: getKey(name, id), id, sent: {}, answered: hashEvent(record, profile) };
}

/** The entry of an event that began at this wall time when a series last wrote it. */
export function findByStart(entries: readonly RecordEntry[], wall: string, profile: ServerProfile): RecordEntry | undefined {
  const field = seriesFields.find(({ name }) => name === "start_date");
  const hash = field && hashValue(field, wall, profile);
  return hash === undefined ? undefined : entries.find(({ answered }) => answered["start_date"] === hash);
}

function pick(hashes: RecordEntry["answered"], names: readonly string[]): RecordEntry["answered"] {
  return Object.fromEntries(names.map((name) => [name, hashes[name] ?? ""]));
}

function withDates(names: readonly string[]): readonly string[] {
  return names.some((name) => dateFields.includes(name)) ? [...new Set([...names, ...dateFields])] : names;
}

/** The entry after a series has written these fields. What was edited besides stays edited. */
export function updateEntry(entry: RecordEntry, names: readonly string[], record: DataRecord, profile: ServerProfile): RecordEntry {
  const now = hashEvent(record, profile);
  const written = withDates(names).filter((name) => now[name] !== undefined && now[name] !== entry.answered[name]);
  const former = { ...entry.former, ...pick(entry.answered, written) };
  return { ...entry, answered: { ...entry.answered, ...pick(now, written) }, former };
}

/** The fields that a series wrote last, and that had its value before this change. */
export function findOwnFields({ answered }: RecordEntry, fields: readonly FieldChange[], profile: ServerProfile): readonly string[] {
  return fields.flatMap(({ name, from }) => {
    const field = seriesFields.find((one) => one.name === name);
    return field !== undefined && answered[name] === hashValue(field, from, profile) ? [name] : [];
  });
}

/** The entry after an undo has written these fields: a write of the series is taken back, an edit by hand is not. */
export function revertEntry(entry: RecordEntry, fields: readonly FieldChange[], record: DataRecord, profile: ServerProfile): RecordEntry {
  const now = hashEvent(record, profile);
  const { answered, former = {} } = entry;
  const own = findOwnFields(entry, fields, profile);
  const names = withDates(fields.map(({ name }) => name)).filter(
    (name) => former[name] !== undefined && (own.includes(name) || now[name] === former[name]),
  );
  // A linked record that the undo creates anew has another id.
  const relinked = fields.filter(({ name, to }) => own.includes(name) && isLinkToNew(to)).map(({ name }) => name);
  const before = { ...pick(former, names), ...pick(now, relinked) };
  return { ...entry, answered: { ...answered, ...before }, former: { ...former, ...pick(answered, names) } };
}

/** The entry of an event that has a new id. */
export function moveEntry(entry: RecordEntry, id: string): RecordEntry {
  return { ...entry, key: getKey(getSeriesName(entry), id), id };
}

/** Reads the events of a series, in the order of time, and the ids of those that are no longer there. */
export async function readMembers(
  site: RecordSource,
  { entries }: Series,
  { now, zone }: { readonly now: number; readonly zone: string },
): Promise<{ readonly members: readonly Member[]; readonly missing: readonly string[] }> {
  const { serverProfile } = site;
  const read = await Promise.all(
    entries.map(async (entry) => ({ entry, record: await fetchIfThere(site, events, { by: "id", id: entry.id }) })),
  );
  const members = read.flatMap(({ entry, record }): readonly Member[] => {
    if (record === undefined) return [];
    const end = instantOf(record, "end_date", zone) ?? instantOf(record, "start_date", zone);
    return [{ id: entry.id, entry, record, isPast: end !== undefined && end < now, edited: findEdited(entry, record, serverProfile) }];
  });
  const startOf = ({ record }: Member) => instantOf(record, "start_date", zone) ?? 0;
  members.sort((left, right) => startOf(left) - startOf(right));
  return { members, missing: read.flatMap(({ entry, record }) => (record === undefined ? [entry.id] : [])) };
}

/** `event 105 "Jazz Night, 2027-03-09 20:00"`. */
export function formatMember({ id, record }: Member): string {
  return `event ${id} ${JSON.stringify(`${toPlainText(getText(record, events.titleField))}, ${formatStart(record)}`)}`;
}

/** The start of an event; its day where it lasts all day. */
export function formatStart(record: DataRecord): string {
  return getText(record, "start_date").slice(0, record["all_day"] === true ? 10 : 16);
}
