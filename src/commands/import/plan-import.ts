// The plan of an import: what each row changes, what is kept because it was edited on the site, and what nobody has decided yet.
import { normalizeTypography, type RecordSource } from "../../api/refs.ts";
import { isSlug } from "../../api/request.ts";
import { findDifferences, toWritableRecord } from "../../api/update.ts";
import { type Change, type Conflict, findNeeds, isKeyRef, isLinkToNew, sortChanges } from "../../changes/change.ts";
import { type Base, type Comparison, type ConflictRule, compareRecord, createBase, hashText, type Values } from "../../changes/compare.ts";
import { filePrefix } from "../../changes/image-file.ts";
import type { LedgerEntry, RecordEntry } from "../../changes/ledger.ts";
import { createCreateChange, createDeleteChange, hashRecord } from "../../changes/plan.ts";
import { type Keep, keepFields, keepInMemory, type StoredValue } from "../../changes/value-store.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { toProblem } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { stringifyExact, valueToText } from "../../http/json.ts";
import type { Field, Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { LinkResolver, ResolvedLink } from "./links.ts";
import { getSlug, isOutOfScope, type Match, matchRows, readSiteRecords, type Scope, type SiteRecords, type WantedRow } from "./matching.ts";
import { findName, type ImportRow, type RowValues, resolveTimes } from "./rows.ts";

/** `--cancelled`: what is done with events that the source calls cancelled. */
export const cancelledRules = ["draft", "delete", "skip"] as const;

/** `--missing`: what is done with records of the source that are no longer in it. */
export const missingRules = ["keep", "draft", "delete"] as const;

/** `zone` is that of rows and records without one. */
export interface PlanImportOptions extends Scope {
  readonly site: RecordSource;
  readonly resource: Resource;
  readonly label: string;
  readonly links: LinkResolver;
  /** Of this resource. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly onConflict: ConflictRule;
  /** `keep` unless every row was read, and none was refused. */
  readonly missing: (typeof missingRules)[number];
  readonly cancelled: (typeof cancelledRules)[number];
  /** The records that other ledgers manage. */
  readonly getManagedIds: () => ReadonlySet<string>;
  /** `missing` also concerns events that are over. */
  readonly includesPast?: boolean;
  /** Where they were read already. */
  readonly records?: SiteRecords | undefined;
  /** Whether the picture of a record can be this file, a value of `toImageValue`. Absent: it is, where nothing is known of an earlier write. */
  readonly isSamePicture?: ((value: string, record: DataRecord) => boolean) | undefined;
  /** Whether a record is also found by the slug of its row. */
  readonly findsBySlug?: boolean;
  /** Keeps what is large of each change. Absent: in memory. */
  readonly keep?: Keep;
  /** Called for each row beside its record. */
  readonly onCompared?: (compared: ComparedRow) => void;
}

type PlanRowsOptions = Omit<PlanImportOptions, "missing" | "getManagedIds"> & {
  /** The keys that the source still has; entries with others have left it, and a row with a new key may continue one of them. */
  readonly keys: ReadonlySet<string>;
  readonly findsBySlug: boolean;
  /** Fields that only a new record gets. */
  readonly createOnly: readonly string[];
};

/** What has to be known of a change when its answer comes, for the ledger. */
export interface RowChange {
  readonly resource: Resource;
  readonly row: ImportRow;
  readonly values: StoredValue<RowAgreement>;
  readonly entry: RecordEntry | undefined;
  /** A text that was edited on the site stays. */
  readonly keepsText: boolean;
}

interface RowAgreement {
  readonly desired: Values;
  /** Fields of which both sides agree after the write. */
  readonly agreed: readonly string[];
}

/** A row beside the record that it belongs to. */
export interface ComparedRow {
  readonly resource: Resource;
  readonly row: ImportRow;
  readonly match: Extract<Match, { readonly record: DataRecord }>;
  readonly desired: Values;
  /** What the site shows, as it would be sent. */
  readonly current: Values;
  readonly comparison: Comparison;
}

export interface ImportConflict extends Conflict {
  readonly row: ImportRow;
  readonly message: string;
  /** With other events, and not with the site's values of the same record. */
  readonly isOverlap?: true;
}

export interface PlannedImport {
  readonly changes: readonly Change[];
  /** By the keys of their changes. */
  readonly rowChanges: ReadonlyMap<string, RowChange>;
  readonly unchanged: number;
  readonly conflicts: readonly ImportConflict[];
  /** Rows whose records are gone from the site. */
  readonly gone: readonly { readonly resource: Resource; readonly row: ImportRow; readonly entry: RecordEntry; readonly desired: Values }[];
  /** What the user should know of single rows: moved, renamed, adopted, kept. */
  readonly notices: readonly string[];
  /** Entries that change although nothing is sent. */
  readonly entries: readonly RecordEntry[];
  /** Keys that belong to other keys now, or whose records were deleted by `--missing`; by the key of the change after which they go. */
  readonly obsolete: ReadonlyMap<string, string>;
}

/** Plans the rows, and what is done with records that are no longer in the source. */
export async function planImport(rows: readonly ImportRow[], options: PlanImportOptions): Promise<PlannedImport> {
  const keys = new Set(rows.map(({ key }) => key));
  const { records, missing, ...planned } = await planRows(rows, {
    ...options,
    keys,
    findsBySlug: options.findsBySlug ?? false,
    createOnly: [],
  });
  const gone = await planMissing(missing, records, rows, options);
  for (const { op, key } of gone) if (op === "delete") planned.obsolete.set(key, key);
  const created = findNeeded(planned.changes, options.links.created);
  return { ...planned, changes: sortChanges([...created, ...planned.changes, ...gone]) };
}

/**
 * Plans the rows of one resource. A row with problems is not planned; problems that only the site shows are added to it. `ids` are the ids of the
 * records that exist, by the keys of their rows.
 */
export async function planRows(rows: readonly ImportRow[], options: PlanRowsOptions) {
  const { site, resource, entries, zone, now, keys, findsBySlug } = options;
  const wantedRows: WantedRow[] = [];
  const sameLinks = new Map<string, WantedRow["links"]>();
  const ownLinks = createOwnLinks(resource, rows);
  for (const row of rows) {
    if (row.problems.length > 0) continue;
    const values = row.read();
    const resolved = await resolveLinks(row, values, options, ownLinks);
    if (row.problems.length > 0) continue;
    try {
      const { times } = values;
      // Most rows have the same links as others.
      const text = JSON.stringify(resolved);
      const links = sameLinks.get(text) ?? resolved;
      sameLinks.set(text, links);
      wantedRows.push({ row, links, start: times && resolveTimes(times, times.zone ?? zone, now).start?.epoch });
    } catch (error) {
      row.problems.push(toProblem(error));
    }
  }
  const starts = wantedRows.map(({ start }) => start);
  const unknown = wantedRows.filter(({ row }) => !entries.has(row.key));
  const slugs = findsBySlug ? unknown.map(({ row }) => getSlug(row)).filter(isSlug) : [];
  const records = options.records ?? (await readSiteRecords(site, resource, starts, zone, slugs));
  const { matches, missing } = await matchRows(wantedRows, {
    ...{ site, resource, records, entries, keys, findsBySlug, scope: options },
    getDesired: (wanted, record) => createDesired(wanted, record, options),
  });
  return { ...collectChanges(wantedRows, matches, options), records, missing };
}

/** The creates that these changes need, and those that these need in turn. */
function findNeeded(changes: readonly Change[], created: ReadonlyMap<string, Change>): readonly Change[] {
  const own = new Set(changes.map(({ key }) => key));
  const needed = new Set<Change>();
  const add = ({ needs }: Change): void => {
    for (const key of needs) {
      const change = created.get(key);
      if (change === undefined || own.has(key) || needed.has(change)) continue;
      needed.add(change);
      add(change);
    }
  };
  changes.forEach(add);
  return [...needed];
}

// What a row wants.

/** Finds rows by the ids and the names that other rows of the source use for them: the parents of categories. */
function createOwnLinks(resource: Resource, rows: readonly ImportRow[]) {
  const byRef = new Map<string, ImportRow>();
  if (!resource.fields.some(({ refersTo }) => refersTo === resource.name)) return byRef;
  for (const row of rows) {
    const { source, fields } = row.read();
    const id = valueToText(source.values["id"]);
    const name = valueToText(fields[resource.titleField]);
    if (id !== "") byRef.set(id, row);
    if (name !== "" && !byRef.has(name)) byRef.set(name, row);
  }
  return byRef;
}

async function resolveLinks(
  row: ImportRow,
  values: RowValues,
  { resource, links }: PlanRowsOptions,
  own: ReadonlyMap<string, ImportRow>,
): Promise<WantedRow["links"]> {
  const resolved: Record<string, readonly ResolvedLink[]> = {};
  for (const [name, items] of values.links) {
    const field = resource.fields.find((one) => one.name === name);
    if (field === undefined) continue;
    const isOwn = field.refersTo === resource.name;
    const [item] = items;
    const other = isOwn && item !== undefined ? own.get(typeof item === "string" ? item : findName(item)) : undefined;
    resolved[name] =
      other !== undefined && other !== row ? [{ key: other.key }] : await links.resolve(row, field, items, values.linkedData);
  }
  return resolved;
}

/** The values of a row for a record; of a new one also its zone. Throws a usage error for dates that do not exist. */
function createDesired(
  { row, links }: WantedRow,
  record: DataRecord | undefined,
  { resource, zone, now, createOnly }: PlanRowsOptions,
): Values {
  const { fields, times } = row.read();
  const linkValues = Object.entries(links).map(([name, ids]) => {
    const field = resource.fields.find((one) => one.name === name);
    return [name, field?.type === "integers" ? ids : (ids[0] ?? 0)] as const;
  });
  const own = times?.zone ?? (record === undefined ? zone : getText(record, "timezone") || zone);
  const dates = times === undefined ? {} : resolveTimes(times, own, now).values;
  const values = { ...fields, ...Object.fromEntries(linkValues), ...dates };
  return record === undefined ? values : Object.fromEntries(Object.entries(values).filter(([name]) => !createOnly.includes(name)));
}

// Rows against records.

interface Collected {
  readonly changes: Change[];
  readonly rowChanges: Map<string, RowChange>;
  readonly conflicts: ImportConflict[];
  readonly gone: { resource: Resource; row: ImportRow; entry: RecordEntry; desired: Values }[];
  readonly notices: string[];
  readonly entries: RecordEntry[];
  readonly obsolete: Map<string, string>;
  readonly ids: Map<string, string>;
  unchanged: number;
}

function collectChanges(rows: readonly WantedRow[], matches: ReadonlyMap<WantedRow, Match>, options: PlanRowsOptions): Collected {
  const collected: Collected = {
    changes: [],
    rowChanges: new Map(),
    conflicts: [],
    gone: [],
    notices: [],
    entries: [],
    obsolete: new Map(),
    ids: new Map(),
    unchanged: 0,
  };
  // A link to another row is the id of its record, or the change that creates it.
  for (const [{ row }, match] of matches) if ("record" in match) collected.ids.set(row.key, idOf(match.record) ?? "");
  const createdKeys = new Set(options.links.created.keys());
  for (const [{ row }, match] of matches) if (match.kind === "new") createdKeys.add(row.key);
  const settleLinks = (row: ImportRow, desired: Values): Values =>
    Object.fromEntries(
      Object.entries(desired).map(([name, value]) => {
        const settle = (one: unknown): unknown => {
          if (!isKeyRef(one) || createdKeys.has(one.key)) return one;
          const id = collected.ids.get(one.key);
          if (id === undefined) row.problems.push({ message: `${name}: ${one.key} can't be written` });
          return id === undefined ? one : Number(id);
        };
        return [name, Array.isArray(value) ? value.map(settle) : settle(value)];
      }),
    );
  for (const wanted of rows) planRow(wanted, matches.get(wanted) ?? { kind: "new" }, options, collected, settleLinks);
  return collected;
}

function planRow(
  wanted: WantedRow,
  match: Match,
  options: PlanRowsOptions,
  collected: Collected,
  settleLinks: (row: ImportRow, desired: Values) => Values,
): void {
  const { resource } = options;
  const { row } = wanted;
  const record = "record" in match ? match.record : undefined;
  const isDraft = row.source.cancelled === true && options.cancelled === "draft";
  const own = settleLinks(row, createDesired(wanted, record, options));
  const desired: Values = { ...own, ...getStatus(row, own, match, isDraft) };
  if (row.problems.length > 0) return;
  if (row.source.cancelled === true && (record === undefined || !isDraft)) {
    const isDeleted = record !== undefined && options.cancelled === "delete";
    if (isDeleted) collected.changes.push({ ...createDeleteChange(resource, row.key, record), source: toSource(row, options.label) });
    if (isDeleted) collected.obsolete.set(row.key, row.key);
    else collected.unchanged += 1;
    collected.notices.push(`${row.place}: cancelled: ${isDeleted ? "it is deleted" : "nothing is written"}`);
    return;
  }
  const addConflict: AddConflict = (message, fields, more) =>
    void collected.conflicts.push({ key: row.key, resource: resource.name, fields, ...more, row, message });
  if (match.kind === "several") addConflict(`several ${resource.name} match: ${match.ids.join(", ")}`, [], { candidates: match.ids });
  else if (match.kind === "new") planCreate(row, desired, options, collected);
  else if (match.kind === "deleted") {
    collected.gone.push({ resource, row, entry: match.entry, desired });
    planDeleted(row, desired, match.entry, options, collected, addConflict);
  } else planUpdate(row, desired, match, options, collected, addConflict);
}

/** The status of an event that the calendar calls cancelled, and of one that it calls so, or tentative, no longer. */
function getStatus({ source }: ImportRow, { status }: Values, match: Match, isDraft: boolean): Values {
  if (isDraft) return { status: "draft" };
  const isCalendar = source.key !== undefined;
  const wasDraft = "record" in match && "entry" in match && match.entry.sent["status"] === hashText("draft");
  return isCalendar && wasDraft && status === undefined ? { status: "publish" } : {};
}

type AddConflict = (message: string, fields: Conflict["fields"], more: Partial<Conflict>) => void;

/** A record that was deleted on the site: an unchanged row does not bring it back. */
function planDeleted(
  row: ImportRow,
  desired: Values,
  entry: RecordEntry,
  options: PlanRowsOptions,
  collected: Collected,
  addConflict: AddConflict,
): void {
  const { resource, onConflict } = options;
  const { sent } = createBase(resource, Object.keys(desired), desired, {});
  const changed = Object.keys(sent).filter((name) => sent[name] !== entry.sent[name]);
  if (changed.length > 0 && onConflict === "source") planCreate(row, desired, options, collected);
  else if (changed.length > 0 && onConflict === "skip")
    addConflict(
      `${resource.singular} ${entry.id} was deleted on the site, and the source has changed ${changed.join(", ")}`,
      changed.map((name) => ({ name, source: desired[name], site: undefined })),
      { id: entry.id },
    );
  else {
    collected.notices.push(`${row.place}: ${resource.singular} ${entry.id} was deleted on the site, and is not created again`);
    collected.unchanged += 1;
  }
}

function toSource({ source }: ImportRow, label: string): NonNullable<Change["source"]> {
  const { line, item, file = label } = source;
  return { file, ...(line !== undefined && { line }), ...(item !== undefined && { item }) };
}

function planCreate(
  row: ImportRow,
  desired: Values,
  { resource, label, zone, keep = keepInMemory }: PlanRowsOptions,
  { changes, rowChanges }: Collected,
): void {
  const missing = resource.fields.filter(
    ({ name, required }) => required === true && (desired[name] === undefined || desired[name] === ""),
  );
  for (const { name } of missing) row.problems.push({ message: `${name} is missing, and a new ${resource.singular} needs it` });
  if (missing.length > 0) return;
  const hasZone = resource.fields.some(({ format }) => format === "time-zone");
  const values = hasZone ? { ...desired, timezone: desired["timezone"] ?? zone } : desired;
  changes.push(keepFields({ ...createCreateChange(resource, row.key, values, findNeeds(values)), source: toSource(row, label) }, keep));
  rowChanges.set(row.key, { resource, row, values: keep({ desired, agreed: Object.keys(desired) }), entry: undefined, keepsText: false });
}

function planUpdate(
  row: ImportRow,
  desired: Values,
  match: Extract<Match, { readonly record: DataRecord }>,
  options: PlanRowsOptions,
  collected: Collected,
  addConflict: AddConflict,
): void {
  const { site, resource, label, onConflict, isSamePicture, keep = keepInMemory } = options;
  const { serverProfile } = site;
  const { record } = match;
  const entry = match.kind === "adopted" ? undefined : match.entry;
  const id = idOf(record) ?? "";
  const current = toWritableRecord(resource, { record }, serverProfile);
  const isText = (field: Field) => field.format === "html" && serverProfile.rendersText;
  const unmodified = entry?.modified !== undefined && entry.modified === getModified(record);
  const comparison = compareRecord({
    resource,
    desired,
    current,
    base: row.source.cancelled === true ? addStatus(entry, current) : entry,
    onConflict,
    unmodified: unmodified ? resource.fields.filter(isText).map(({ name }) => name) : [],
    isAlike: (field) =>
      isAlike(field, desired[field.name], current[field.name], {
        ...{ resource, record, serverProfile, isSamePicture },
        isKnown: entry?.answered[field.name] !== undefined,
      }),
  });
  options.onCompared?.({ resource, row, match, desired, current, comparison });
  const name = `${resource.singular} ${id} ${JSON.stringify(toPlainText(getText(record, resource.titleField)))}`;
  if (comparison.conflicts.length > 0) {
    const fields = comparison.conflicts.map((one) => `${one.name} (source ${formatValue(one.source)}, site ${formatValue(one.site)})`);
    const reason = entry === undefined ? "the site has other values" : "changed in the source and on the site";
    addConflict(`${name}: ${reason}: ${fields.join(", ")}`, comparison.conflicts, { id });
    return;
  }
  if (match.kind === "adopted") collected.notices.push(`${row.place}: adopted ${name}`);
  if (match.kind === "moved") {
    const changes = (field: string) => comparison.changes.some((change) => change.name === field);
    const what = changes(resource.titleField) ? "renamed" : changes("start_date") || changes("venue") ? "moved" : "it has a new key";
    collected.notices.push(`${row.place}: ${what}: ${name}`);
  }
  if (comparison.kept.length > 0)
    collected.notices.push(`${row.place}: ${name}: kept as edited on the site: ${comparison.kept.join(", ")}`);
  const { agreed } = comparison;
  const keepsText = resource.fields.some((field) => isText(field) && comparison.kept.includes(field.name));
  if (match.kind === "moved") collected.obsolete.set(row.key, match.entry.key);
  if (comparison.changes.length === 0) {
    collected.unchanged += 1;
    if (agreed.length > 0 || entry?.key !== row.key)
      collected.entries.push(createEntry(resource, { row, desired, agreed, entry, keepsText }, record, current));
    return;
  }
  collected.rowChanges.set(row.key, { resource, row, values: keep({ desired, agreed }), entry, keepsText });
  const change: Change = {
    op: "update",
    resource: resource.name,
    key: row.key,
    id,
    title: toPlainText(getText(record, resource.titleField)),
    read: hashRecord(resource, { record }, serverProfile),
    fields: comparison.changes,
    needs: findNeeds(Object.fromEntries(comparison.changes.map(({ name: field, to }) => [field, to]))),
    source: toSource(row, label),
  };
  collected.changes.push(keepFields(change, keep));
}

/** A link to a record that is not there yet is shown as its key. */
function formatValue(value: unknown): string {
  const showKey = (one: unknown): unknown => (isKeyRef(one) ? one.key : one);
  return stringifyExact(Array.isArray(value) ? value.map(showKey) : (showKey(value) ?? null));
}

/** The base with the status of the site, where the base has none: that a calendar cancels an event is no conflict with it. */
function addStatus(entry: RecordEntry | undefined, { status }: Values): Base {
  const answered = { status: hashText(valueToText(status)), ...entry?.answered };
  return { sent: entry?.sent ?? {}, answered };
}

interface AlikeOptions extends Pick<PlanRowsOptions, "resource" | "isSamePicture"> {
  readonly record: DataRecord;
  readonly serverProfile: ServerProfile;
  /** Whether there is a base for the field. */
  readonly isKnown: boolean;
}

/** Whether a server shows a value in its own form: a rendered text, a price with its currency, typographic quotes. */
function isAlike(
  field: Field,
  to: unknown,
  from: unknown,
  { resource, record, serverProfile, isKnown, isSamePicture }: AlikeOptions,
): boolean {
  const { name, format, type } = field;
  // That the site has a picture does not say that it is this file.
  if (format === "image" && valueToText(to).startsWith(filePrefix)) return isSamePicture?.(valueToText(to), record) ?? !isKnown;
  if (format === "html" || format === "date-time" || format === "url" || format === "image" || name === "cost" || name === "slug")
    return findDifferences(resource, { [name]: to }, record, serverProfile).length === 0;
  if (type !== "string" || format !== undefined || !serverProfile.rendersText) return false;
  return normalizeTypography(valueToText(to)) === normalizeTypography(valueToText(from));
}

const getModified = (record: DataRecord): string => getText(record, "modified_utc") || getText(record, "modified");

/** What the ledger knows of a row after its record was written, or found as it should be. */
export function createEntry(
  resource: Resource,
  { row, desired, agreed, entry, keepsText }: Pick<RowChange, "row" | "entry" | "keepsText"> & RowAgreement,
  record: DataRecord,
  current: Values,
): RecordEntry {
  // A link to a record of the same plan has its id now.
  const sentValues = Object.fromEntries(Object.entries(desired).map(([name, value]) => [name, isLinkToNew(value) ? current[name] : value]));
  const { sent, answered } = createBase(resource, agreed, sentValues, current);
  const others = row.isWhole === true ? resource.fields.filter(({ name }) => !Object.hasOwn(desired, name)) : [];
  const seen = createBase(
    resource,
    others.map(({ name }) => name),
    {},
    current,
  );
  const modified = getModified(record);
  return {
    key: row.key,
    id: idOf(record) ?? entry?.id ?? "",
    sent: { ...entry?.sent, ...sent },
    answered: { ...entry?.answered, ...seen.answered, ...answered },
    ...(modified !== "" && !keepsText && { modified }),
  };
}

// Records that are no longer in the source.

async function planMissing(
  missing: readonly RecordEntry[],
  records: SiteRecords,
  rows: readonly ImportRow[],
  options: PlanImportOptions,
): Promise<readonly Change[]> {
  const { site, resource, label } = options;
  if (options.missing === "keep" || rows.some(({ problems }) => problems.length > 0)) return [];
  const managed = options.getManagedIds();
  const changes: Change[] = [];
  for (const { key, id } of missing) {
    const record = managed.has(id) ? undefined : await records.get(id);
    if (record === undefined || (options.includesPast !== true && resource.hasDates && isOutOfScope(record, options))) continue;
    const source = { file: label };
    if (options.missing === "delete") changes.push({ ...createDeleteChange(resource, key, record), source });
    else if (getText(record, "status") !== "draft")
      changes.push({
        op: "update",
        resource: resource.name,
        key,
        id,
        title: toPlainText(getText(record, resource.titleField)),
        read: hashRecord(resource, { record }, site.serverProfile),
        fields: [{ name: "status", from: record["status"], to: "draft", origin: "input" }],
        needs: [],
        source,
      });
  }
  return changes;
}
