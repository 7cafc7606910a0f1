// A folder of record files and its ledger, as they are before the site is asked: rows, links between files, and what is wrong with them.
import { normalizeName } from "../../api/refs.ts";
import { normalizeSlug } from "../../api/request.ts";
import type { SiteId } from "../../changes/change.ts";
import { createBase, type Values } from "../../changes/compare.ts";
import { type ImageFolder, openImageFolder } from "../../changes/image-file.ts";
import type { LedgerEntry, LedgerOptions, RecordEntry } from "../../changes/ledger.ts";
import { formatSuggestion } from "../../closest.ts";
import type { Context } from "../../context.ts";
import { type Problem, usageError } from "../../errors.ts";
import { isFolder, type RecordFolder, toPath } from "../../files/folder.ts";
import { foldName } from "../../files/names.ts";
import { valueToText } from "../../http/json.ts";
import type { Field, Resource, ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { identityFields } from "../import/matching.ts";
import { resolveTimes } from "../import/rows.ts";
import { createLedgerLock } from "../ledger.ts";
import { findOverlaps, getInterval, type TimedEvent } from "../records/overlaps.ts";
import { addDefaults, type FileRow, locate, readFileRow } from "./rows.ts";

/** The resources in the order in which records can link to others. */
export const fileResources: readonly Resource[] = (["categories", "tags", "organizers", "venues", "events"] as const).map(
  (name) => resources[name],
);

export interface FolderState {
  readonly folder: RecordFolder;
  readonly rows: ReadonlyMap<ResourceName, readonly FileRow[]>;
  /** The ledger, with the keys that files have now. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** Former keys of files that have another name now; "" where another file has the record. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly links: LinkIndex;
  /** The pictures that the files name; undefined where the folder is a new one. */
  readonly images: ImageFolder | undefined;
}

/** Finds the file that a link names. */
export interface LinkIndex {
  /** The keys of the files: one by its name, else all with this title. */
  find(resource: ResourceName, text: string): readonly string[];
  listNames(resource: ResourceName): readonly string[];
}

/** The ledger of a folder, for one command at a time. */
export function locateFolderLedger(context: Context, { path, ledgerPath }: RecordFolder, site: SiteId): LedgerOptions {
  return { path: ledgerPath, site, source: path, work: `another command on ${path}`, lock: createLedgerLock(context) };
}

interface StateOptions {
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function readFolderState(folder: RecordFolder, ledger: ReadonlyMap<string, LedgerEntry>, options: StateOptions): FolderState {
  const entries = new Map(ledger);
  const renamed = new Map<string, string>();
  const rows = new Map<ResourceName, readonly FileRow[]>();
  const images = isFolder(folder.path) ? openImageFolder(folder.path, "the folder") : undefined;
  for (const resource of fileResources) {
    const read = folder.read(resource.name).map((file) => readFileRow(file, { ...options, images }));
    for (const [from, to] of findRenamed(resource, read, entries, options)) {
      const entry = entries.get(from);
      entries.delete(from);
      renamed.set(from, to);
      if (entry !== undefined && "id" in entry && to !== "") entries.set(to, { ...entry, key: to });
    }
    const own = read.map((row) => {
      const entry = entries.get(row.key);
      return entry !== undefined && "id" in entry ? addDefaults(row, entry.sent) : row;
    });
    rows.set(resource.name, own);
  }
  return { folder, rows, entries, renamed, links: createLinkIndex(rows), images };
}

/** The records whose files are gone. */
export function listDeletedHere({ rows, entries }: Pick<FolderState, "rows" | "entries">): readonly RecordEntry[] {
  const present = new Set([...rows.values()].flat().map(({ key }) => key));
  return [...entries.values()].flatMap((entry) => ("id" in entry && !present.has(entry.key) ? [entry] : []));
}

/** Records whose file has another name now: the new file has the same title, and differs in nothing else that tells records apart. */
function findRenamed(
  resource: Resource,
  rows: readonly FileRow[],
  entries: ReadonlyMap<string, LedgerEntry>,
  options: StateOptions,
): readonly (readonly [from: string, to: string])[] {
  const keys = new Set(rows.map(({ key }) => key));
  const own = [...entries.values()].filter((one): one is RecordEntry => "id" in one && one.key.startsWith(`${resource.name}/`));
  const missing = own.filter(({ key }) => !keys.has(key));
  const present = new Set(own.filter(({ key }) => keys.has(key)).map(({ id }) => id));
  const twice = missing.filter(({ id }) => present.has(id)).map(({ key }) => [key, ""] as const);
  const rest = missing.filter(({ id }) => !present.has(id));
  const names = [resource.titleField, "slug", ...(resource.hasDates ? ["start_date"] : []), "city"];
  const fresh = rest.length === 0 ? [] : rows.filter((row) => row.problems.length === 0 && !entries.has(row.key));
  const candidates = fresh.map((row) => {
    const { sent } = createBase(resource, names, getPlainValues(row, options), {});
    const isSame = (entry: RecordEntry) =>
      sent[resource.titleField] === entry.sent[resource.titleField] &&
      names.every((name) => !sent[name] || !entry.sent[name] || sent[name] === entry.sent[name]);
    return { row, found: rest.filter(isSame) };
  });
  const renamed = candidates.flatMap(({ row, found: [first, ...others] }) => {
    const isOnly = first !== undefined && others.length === 0 && candidates.filter(({ found }) => found.includes(first)).length === 1;
    return isOnly ? [[first.key, row.key] as const] : [];
  });
  return [...twice, ...renamed];
}

/** The values of a file without its links. */
function getPlainValues({ fields, times }: FileRow, { zone, now }: StateOptions): Values {
  return { ...fields, ...(times === undefined ? {} : resolveTimes(times, times.zone ?? zone, now).values) };
}

function createLinkIndex(rows: ReadonlyMap<ResourceName, readonly FileRow[]>): LinkIndex {
  const byName = new Map<string, string>();
  const byTitle = new Map<string, string[]>();
  const names = new Map<ResourceName, string[]>();
  for (const [resource, own] of rows) {
    const { titleField } = resources[resource];
    for (const { key, fields } of own) {
      const stem = key.slice(resource.length + 1);
      const title = valueToText(fields[titleField]);
      byName.set(`${resource}/${foldName(stem)}`, key);
      if (title !== "")
        byTitle.set(`${resource}/${normalizeName(title)}`, [...(byTitle.get(`${resource}/${normalizeName(title)}`) ?? []), key]);
      names.set(resource, [...(names.get(resource) ?? []), stem]);
    }
  }
  return {
    find: (resource, text) => {
      const named = byName.get(`${resource}/${foldName(normalizeSlug(text))}`);
      return named === undefined ? (byTitle.get(`${resource}/${normalizeName(text)}`) ?? []) : [named];
    },
    listNames: (resource) => names.get(resource) ?? [],
  };
}

// What can be wrong with the files together.

export interface Findings {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

/** Something that may be wrong. */
export interface Warning {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Everything that is wrong with the files, and what may be. */
function checkFolder(state: FolderState, options: StateOptions): Findings {
  const problems: Problem[] = [];
  const warnings: Warning[] = [];
  for (const resource of fileResources) {
    const rows = state.rows.get(resource.name) ?? [];
    for (const row of rows) {
      problems.push(...row.problems, ...listBrokenLinks(state, resource, row));
      warnings.push(...row.warnings);
    }
    problems.push(...listDoubles(state, resource, rows));
    if (resource.hasDates) warnings.push(...listOverlaps(state, rows, options));
  }
  return { problems, warnings };
}

/** A link to a record that has no file: `id:12`. */
export const isIdLink = (text: unknown): text is string => typeof text === "string" && /^id:\d+$/.test(text);

/** Links are checked where the folder has files of the linked resource: else they name records of the site. */
function listBrokenLinks({ folder, links }: FolderState, { fields }: Resource, row: FileRow): readonly Problem[] {
  return [...row.links].flatMap(([name, texts]) => {
    const { refersTo } = fields.find((field) => field.name === name) ?? {};
    if (refersTo === undefined || !folder.has(refersTo)) return [];
    return texts.flatMap((text): readonly Problem[] => {
      const found = links.find(refersTo, String(text));
      if (found.length === 1 || isIdLink(text)) return [];
      const place = `${locate(row, name)}: ${name}`;
      if (found.length > 1)
        return [
          {
            message: `${place}: ${JSON.stringify(text)} is the title of several files: ${found.map(toPath).join(", ")}`,
            hint: "name one by its file",
          },
        ];
      const suggestion = formatSuggestion(String(text), links.listNames(refersTo));
      return [
        {
          message: `${place}: there is no ${resources[refersTo].singular} ${JSON.stringify(text)}: no file ${toPath(`${refersTo}/${text}`)}${suggestion}`,
        },
      ];
    });
  });
}

/** Two files for one record: the same identity or slug, unless the ledger knows that they are two records. */
function listDoubles({ entries, links }: FolderState, resource: Resource, rows: readonly FileRow[]): readonly Problem[] {
  const names = [resource.titleField, ...identityFields[resource.name]];
  const seen = new Map<string, FileRow>();
  const problems: Problem[] = [];
  const idOf = ({ key }: FileRow) => {
    const entry = entries.get(key);
    return entry !== undefined && "id" in entry ? entry.id : undefined;
  };
  const partOf = (row: FileRow, name: string): string => {
    const field: Field | undefined = resource.fields.find((one) => one.name === name);
    const target = field?.refersTo;
    if (target !== undefined)
      return (row.links.get(name) ?? []).map((text) => links.find(target, String(text))[0] ?? String(text)).join(",");
    if (name === "start_date") return [row.times?.start?.day, row.times?.start?.time, row.times?.zone].join(" ");
    return normalizeName(valueToText(row.fields[name]));
  };
  for (const row of rows) {
    if (!row.lines.has(resource.titleField)) continue;
    const slug = valueToText(row.fields["slug"]);
    const marks = [`${names.join(", ")}\n${names.map((name) => partOf(row, name)).join("\n")}`, ...(slug === "" ? [] : [`slug\n${slug}`])];
    const id = idOf(row);
    if (id !== undefined) marks.push(`id in the ledger\n${id}`);
    for (const mark of marks) {
      const other = seen.get(mark);
      seen.set(mark, other ?? row);
      const isKnown = id !== undefined && other !== undefined && idOf(other) !== undefined && idOf(other) !== id;
      if (other === undefined || isKnown) continue;
      const [what = ""] = mark.split("\n", 1);
      const line = what.startsWith("slug") ? "slug" : resource.titleField;
      problems.push({
        message: `${locate(row, line)}: two files for one ${resource.singular}: the same ${what} as ${locate(other, line)}`,
      });
      break;
    }
  }
  return problems;
}

function listOverlaps({ links }: FolderState, rows: readonly FileRow[], { zone, now }: StateOptions): readonly Warning[] {
  const ids = new Map<string, number>();
  const events = rows.flatMap((row): readonly (TimedEvent & { row: FileRow })[] => {
    const venues = (row.links.get("venue") ?? []).map((text) => links.find("venues", String(text))[0] ?? String(text));
    if (row.problems.length > 0 || row.times === undefined || venues.length === 0) return [];
    const { values } = resolveTimes(row.times, row.times.zone ?? zone, now);
    const venue = venues.map((key) => {
      const id = ids.get(key) ?? ids.size + 1;
      ids.set(key, id);
      return { id, venue: key };
    });
    const record = { ...values, timezone: row.times.zone ?? zone, all_day: row.times.isAllDay, venue, row };
    const interval = getInterval(record, zone);
    return interval === undefined ? [] : [{ ...interval, record, row }];
  });
  const rowOf = new Map(events.map((event) => [event.record, event.row]));
  return [...findOverlaps(events, { by: ["venue"], gap: 0, exempt: [] })].flatMap(({ shared, first, second }) => {
    const [one, other] = [rowOf.get(first.record), rowOf.get(second.record)];
    if (one === undefined || other === undefined) return [];
    const message = `at the same time in ${shared.name ?? ""} as ${locate(one, "start_date")}`;
    return [{ file: other.file.path, line: other.lines.get("start_date") ?? 1, message }];
  });
}

/** Throws a usage error where a comparison with the site has found something wrong with the files. */
export function assertPlannable({ rows }: FolderState, others: readonly Problem[] = []): void {
  const problems = [...[...rows.values()].flat().flatMap((row) => row.problems), ...others];
  if (problems.length > 0) throw usageError([...problems, "nothing was sent"]);
}

/** Throws a usage error that lists everything that is wrong with the files. */
export function assertReadable(state: FolderState, options: StateOptions): Findings {
  const findings = checkFolder(state, options);
  if (findings.problems.length > 0) throw usageError(findings.problems);
  return findings;
}
