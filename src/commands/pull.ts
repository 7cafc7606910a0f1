// `cal pull DIR`: the records of a site as files. What was edited in a file stays.
import { readRawRecord } from "../api/raw-record.ts";
import { listRecords, type RecordSource } from "../api/refs.ts";
import { decodeSlug } from "../api/request.ts";
import { createSiteId } from "../changes/change.ts";
import { type ConflictRule, conflictRules, createBase, normalizeValue } from "../changes/compare.ts";
import type { Ledger } from "../changes/ledger.ts";
import type { Settings } from "../config/settings.ts";
import type { Context } from "../context.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import { exitCodes, formatProblem, usageError } from "../errors.ts";
import { openRecordFolder, toPath } from "../files/folder.ts";
import { createStem, foldName } from "../files/names.ts";
import { getDefaultText, isUnwritten } from "../files/record-file.ts";
import { stringifyExact } from "../http/json.ts";
import type { Column, Resource, ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { Report } from "../output/report.ts";
import { type Handler, type Invocation, parseNames } from "./command.ts";
import { type PlannedFiles, planFolder } from "./files/plan-folder.ts";
import { type FileRow, showPicture } from "./files/rows.ts";
import { type FolderState, fileResources, locateFolderLedger, readFolderState } from "./files/state.ts";
import { createFileEntry, formatFile } from "./files/values.ts";
import { createSiteRecords, readWhole, type SiteRecords } from "./import/matching.ts";
import { type ComparedRow, createEntry } from "./import/plan-import.ts";
import { resolveTimes } from "./import/rows.ts";
import { useLedger } from "./ledger.ts";
import { openSource } from "./log.ts";
import { type Problems, tryParseFlag } from "./records/command.ts";
import { createDateWindow } from "./records/date-window.ts";
import { loadDateParser } from "./records/dates.ts";

const columns: readonly Column[] = [
  { header: "STATUS", path: "status", kind: "text", priority: 1 },
  { header: "FILE", path: "file", kind: "name", priority: 1 },
  { header: "ID", path: "id", kind: "id", priority: 3 },
  { header: "FIELDS", path: "changes", kind: "text", priority: 2 },
];

type Status = "new" | "updated" | "removed" | "edited" | "conflict" | "refused";

/** What became of one file; files that are as they were have no row. */
interface FileResult extends DataRecord {
  readonly status: Status;
  readonly file: string;
  readonly resource: ResourceName;
  readonly id?: string | undefined;
  readonly changes: string;
}

/** One run over the folder and the site. */
interface Pull {
  readonly context: Context;
  readonly settings: Settings;
  readonly site: RecordSource;
  readonly state: FolderState;
  readonly rule: ConflictRule;
  readonly range: Range;
  readonly planned: ReadonlyMap<ResourceName, PlannedFiles>;
  readonly records: ReadonlyMap<ResourceName, SiteRecords>;
  /** The keys of records by `resource/id`. */
  readonly keys: Map<string, string>;
  /** Undefined where nothing is written. */
  readonly ledger: Ledger | undefined;
  readonly results: FileResult[];
  unchanged: number;
}

export const pull: Handler = async (invocation, context) => {
  const [path = ""] = invocation.args;
  const problems: Problems = [...invocation.problems];
  const settings = await context.settings();
  const chosen = parseResources(invocation, problems);
  const range = await parseRange(invocation, context, settings, problems);
  if (problems.length > 0) throw usageError(problems, { text: "see the flags", command: "cal pull --help" });
  const rule = conflictRules.find((one) => one === invocation.flags["on-conflict"]) ?? "skip";
  const site = await openSource(context);
  const siteId = createSiteId(settings);
  const folder = openRecordFolder(path, { mayBeNew: true });
  return useLedger(context, locateFolderLedger(context, folder, siteId), async (entries, ledger) => {
    const options = { zone: settings.tz.value, now: context.clock.now() };
    const state = readFolderState(folder, entries, options);
    const records = await readSite(site, chosen, range, settings);
    const planned = await planFolder(state, {
      ...options,
      site,
      onConflict: "skip",
      missing: "keep",
      resources: chosen,
      records,
      isIncluded: (row) => isInRange(row, range, options),
    });
    const run: Pull = { context, settings, site, state, rule, range, planned, records, keys: new Map(), ledger, results: [], unchanged: 0 };
    return pullRecords(run);
  });
};

// The flags.

function parseResources({ flags }: Invocation, problems: Problems): ReadonlySet<ResourceName> {
  const names = parseNames(flags["resources"]);
  const known = Object.values(resources).map(({ name }) => name);
  for (const name of names)
    if (!known.some((one) => one === name)) problems.push(`--resources: there is no ${name}; there are ${known.join(", ")}`);
  return new Set(names.length === 0 ? known : known.filter((name) => names.includes(name)));
}

/** Instants in milliseconds since 1970. */
interface Range {
  readonly from?: number;
  readonly to?: number;
}

async function parseRange({ flags }: Invocation, { clock }: Context, { tz }: Settings, problems: Problems): Promise<Range> {
  if (flags["from"] === undefined && flags["until"] === undefined) return {};
  const { parse } = await loadDateParser();
  const options = { now: clock.now(), zone: tz.value };
  const read = (name: string, side: "start" | "end") =>
    flags[name] === undefined
      ? undefined
      : tryParseFlag(name, problems, () => parse.parseDate(String(flags[name]), { ...options, side }).epoch);
  const [from, to] = [read("from", "start"), read("until", "end")];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function isInRange({ times }: FileRow, { from, to }: Range, { zone, now }: { readonly zone: string; readonly now: number }): boolean {
  if (times === undefined || (from === undefined && to === undefined)) return true;
  try {
    const epoch = resolveTimes(times, times.zone ?? zone, now).start?.epoch;
    return epoch === undefined || (epoch >= (from ?? epoch) && epoch <= (to ?? epoch));
  } catch {
    return true;
  }
}

// The site.

async function readSite(
  site: RecordSource,
  chosen: ReadonlySet<ResourceName>,
  range: Range,
  { tz }: Settings,
): Promise<ReadonlyMap<ResourceName, SiteRecords>> {
  const read = new Map<ResourceName, SiteRecords>();
  for (const resource of fileResources) {
    if (!chosen.has(resource.name)) continue;
    const hasRange = resource.hasDates && Object.keys(range).length > 0;
    const window = hasRange ? createDateWindow({ ...range, running: false }, tz.value, site.serverProfile) : undefined;
    const found = await listRecords(site, resource, window?.filters ?? {});
    const all = await Promise.all(
      found.filter((record) => window?.matches?.(record) !== false).map((one) => readWhole(site, resource, one)),
    );
    read.set(resource.name, createSiteRecords(site, resource, all));
  }
  return read;
}

// The files.

async function pullRecords(run: Pull): Promise<Report> {
  const { context, state, records, ledger, results } = run;
  for (const [from, to] of state.renamed) {
    const entry = state.entries.get(to);
    if (entry !== undefined) ledger?.put(entry);
    ledger?.remove(from);
  }
  nameRecords(run);
  for (const resource of fileResources) if (records.has(resource.name)) await pullResource(run, resource);
  results.sort((left, right) => (left.file < right.file ? -1 : 1));
  const count = (status: Status) => results.filter((one) => one.status === status).length;
  const counts = (["new", "updated", "removed", "edited", "conflict", "refused"] as const).flatMap((status) =>
    count(status) === 0 ? [] : [`${count(status)} ${labels[status]}`],
  );
  await context.notice([...counts, `${run.unchanged} unchanged`].join(", "));
  const failed = count("conflict") + count("refused");
  const others = run.unchanged + results.length - failed;
  return {
    kind: "list",
    columns,
    fieldNames: ["status", "file", "resource", "id", "fields", "changes"],
    records: results,
    toData: ({ changes: _changes, ...data }) => data,
    exitCode: () => (failed === 0 ? 0 : others > 0 ? exitCodes.mixed : exitCodes.rejected),
  };
}

const labels: Readonly<Record<Status, string>> = {
  new: "new",
  updated: "updated",
  removed: "removed",
  edited: "edited here and kept",
  conflict: "in conflict",
  refused: "can't be read or written",
};

/** Gives each record the name of its file: its own where it has one, else a new one. */
function nameRecords({ state, planned, records, keys }: Pull): void {
  const taken = new Set<string>();
  for (const [key, entry] of state.entries) {
    taken.add(foldName(key));
    const [resource = ""] = key.split("/");
    if ("id" in entry) keys.set(`${resource}/${entry.id}`, key);
  }
  for (const rows of state.rows.values()) for (const { key } of rows) taken.add(foldName(key));
  for (const [resource, { compared }] of planned)
    for (const { row, match } of compared) keys.set(`${resource}/${idOf(match.record) ?? ""}`, row.key);
  for (const [resource, { all }] of records) {
    for (const record of [...all].sort((left, right) => Number(idOf(left)) - Number(idOf(right)))) {
      const id = idOf(record) ?? "";
      if (keys.has(`${resource}/${id}`)) continue;
      const day = resources[resource].hasDates ? getText(record, "start_date").slice(0, 10) : undefined;
      const stem = createStem({ id, slug: decodeSlug(getText(record, "slug")), day }, (name) => taken.has(`${resource}/${name}`));
      taken.add(foldName(`${resource}/${stem}`));
      keys.set(`${resource}/${id}`, `${resource}/${stem}`);
    }
  }
}

async function pullResource(run: Pull, resource: Resource): Promise<void> {
  const { state, planned, records, rule, ledger, keys } = run;
  const { compared = [], conflicts = [], gone = [] } = planned.get(resource.name) ?? {};
  const report = createReporter(run, resource);
  const rows = state.rows.get(resource.name) ?? [];
  for (const row of rows) if (row.problems.length > 0) report("refused", row.key, { reason: formatProblem(row.problems[0] ?? "") });
  const writes: FileWrite[] = [];
  const known = new Set(compared.map(({ match }) => idOf(match.record)));
  for (const one of compared) {
    const { row, match, comparison } = one;
    const { edits, conflicts: fields, kept } = comparison;
    const isEdited = edits.length + fields.length > 0;
    const differences = describeDifferences(run, one);
    const site = [...kept, ...listUnknown(resource, one)];
    if (isEdited && rule !== "site") {
      const status = fields.length > 0 && rule === "skip" ? "conflict" : "edited";
      report(status, row.key, {
        id: idOf(match.record),
        fields: differences,
        reason: site.length > 0 ? `the site has changed ${site.join(", ")}` : "",
      });
      if (rule === "source" && fields.length > 0) putDecided(run, one);
      else if (match.kind === "adopted" && fields.length === 0) putAgreed(run, one);
    } else if (isEdited || site.length > 0)
      writes.push({ key: row.key, record: match.record, status: "updated", fields: differences, picture: findKeptPicture(one) });
    else {
      run.unchanged += 1;
      putAgreed(run, one);
    }
  }
  for (const { row, message, candidates } of conflicts) if (candidates !== undefined) report("conflict", row.key, { reason: message });
  for (const { row, entry, desired } of gone) {
    const { sent } = createEntry(resource, { row, desired, agreed: Object.keys(desired), entry: undefined, keepsText: false }, {}, {});
    const isEdited = Object.keys(sent).some((name) => sent[name] !== entry.sent[name]);
    const isRemoved = !isEdited || rule === "site";
    report(isRemoved ? "removed" : rule === "source" ? "edited" : "conflict", row.key, {
      id: entry.id,
      reason: "the record is gone from the site",
    });
    if (isRemoved && ledger !== undefined) state.folder.remove(row.key);
    if (isRemoved || rule === "source") ledger?.remove(row.key);
  }
  const present = new Set(rows.map(({ key }) => key));
  for (const record of records.get(resource.name)?.all ?? []) {
    const id = idOf(record) ?? "";
    const key = keys.get(`${resource.name}/${id}`) ?? "";
    if (known.has(id) || present.has(key)) continue;
    if (state.entries.has(key) && rule !== "site")
      report("edited", key, { id, reason: "the file was deleted here: cal apply --missing delete deletes the record" });
    else writes.push({ key, record, status: "new" });
  }
  await removeForgotten(run, resource, present);
  await writeFiles(run, resource, writes);
}

/** Fields with what the file and the site have. */
type FieldDifferences = readonly { readonly name: string; readonly file: unknown; readonly site: unknown }[];

function describeDifferences({ state }: Pull, { desired, current, comparison: { edits, conflicts, kept } }: ComparedRow): FieldDifferences {
  const names = new Set([...edits, ...conflicts].map(({ name }) => name).concat(kept));
  return [...names].map((name) => ({ name, file: showPicture(desired[name] ?? null, state.images), site: current[name] ?? null }));
}

/** The picture of a file, where the site still has it. */
function findKeptPicture({ row, comparison: { edits, conflicts, kept } }: ComparedRow): string | undefined {
  const differs = [...edits, ...conflicts].some(({ name }) => name === "image") || kept.includes("image");
  return "picture" in row && !differs ? (row as FileRow).picture : undefined;
}

/** Fields that only the site has: the file was written before anybody read the whole record. */
function listUnknown({ fields }: Resource, { row, desired, current }: ComparedRow): readonly string[] {
  const lines = "lines" in row ? (row as FileRow).lines : new Map<string, number>();
  return fields
    .filter((field) => !isUnwritten(field) && !lines.has(field.name) && !Object.hasOwn(desired, field.name))
    .filter((field) => {
      const value = normalizeValue(field, current[field.name]);
      return value !== "" && value !== "0" && value !== getDefaultText(field);
    })
    .map(({ name }) => name);
}

function createReporter({ results }: Pull, { name: resource }: Resource) {
  return (
    status: Status,
    key: string,
    { id, fields = [], reason = "" }: { id?: string | undefined; fields?: FieldDifferences; reason?: string },
  ) => {
    const texts = fields.map(({ name, file, site }) => `${name}: ${stringifyExact(file)} here, ${stringifyExact(site)} on the site`);
    results.push({ status, file: toPath(key), resource, id, fields, changes: [...texts, reason].filter((text) => text !== "").join("; ") });
  };
}

/** The base moves where both sides agree now. */
function putAgreed({ ledger }: Pull, { resource, row, match, desired, current, comparison }: ComparedRow): void {
  const edited = new Set([...comparison.edits, ...comparison.conflicts].map(({ name }) => name));
  const known = match.kind === "adopted" ? undefined : match.entry;
  const names = known === undefined ? Object.keys(desired) : comparison.agreed;
  const agreed = names.filter((name) => !edited.has(name) && !comparison.kept.includes(name));
  const entry = createEntry(resource, { row, desired, agreed, entry: known, keepsText: false }, match.record, current);
  if (stringifyExact(entry) !== stringifyExact(known)) ledger?.put(entry);
}

/** `--on-conflict source`: the values of the site are known now, so that the next apply replaces them. */
function putDecided({ ledger }: Pull, { resource, row, match, desired, current, comparison }: ComparedRow): void {
  const names = comparison.conflicts.map(({ name }) => name);
  const known = match.kind === "adopted" ? undefined : match.entry;
  const agreed = known === undefined ? Object.keys(desired).filter((name) => !names.includes(name)) : [];
  const entry = createEntry(resource, { row, desired, agreed, entry: known, keepsText: true }, match.record, current);
  const { answered } = createBase(resource, names, {}, current);
  ledger?.put({ ...entry, answered: { ...entry.answered, ...answered } });
}

/** Records without a file that are gone from the site too: the ledger forgets them. */
async function removeForgotten({ state, records, ledger, range }: Pull, { name, hasDates }: Resource, present: ReadonlySet<string>) {
  if (hasDates && Object.keys(range).length > 0) return;
  for (const entry of [...state.entries.values()]) {
    if (!("id" in entry) || !entry.key.startsWith(`${name}/`) || present.has(entry.key)) continue;
    if ((await records.get(name)?.get(entry.id)) === undefined) ledger?.remove(entry.key);
  }
}

interface FileWrite {
  readonly key: string;
  readonly record: DataRecord;
  readonly status: Status;
  readonly fields?: FieldDifferences;
  readonly picture?: string | undefined;
}

async function writeFiles(run: Pull, resource: Resource, writes: readonly FileWrite[]): Promise<void> {
  const { context, site, settings, state, ledger } = run;
  const report = createReporter(run, resource);
  const options = {
    serverProfile: site.serverProfile,
    nameLink: await createLinkNames(run, writes.length > 0 ? resource : undefined),
    images: state.images,
    zone: settings.tz.value,
    now: context.clock.now(),
  };
  const write = async ({ key, record, status, fields = [], picture }: FileWrite) => {
    const id = idOf(record) ?? "";
    const current = { record, raw: await readRawRecord(site, resource, id) };
    const text = formatFile(resource, current, options, picture);
    const created = createFileEntry(resource, { resource: resource.name, key, path: toPath(key), text }, current, options);
    if (created.problem !== undefined) return report("refused", key, { id, reason: formatProblem(created.problem) });
    if (ledger !== undefined) state.folder.write(key, text);
    ledger?.put(created.entry);
    report(status, key, { id, fields });
  };
  const size = settings.concurrency.value;
  for (let at = 0; at < writes.length; at += size) await Promise.all(writes.slice(at, at + size).map(write));
}

/** What a file writes for a linked record: the name of its file, else its slug, else its id. */
async function createLinkNames({ site, keys }: Pull, resource: Resource | undefined) {
  const slugs = new Map<string, string>();
  for (const target of new Set((resource?.fields ?? []).flatMap(({ refersTo }) => refersTo ?? []))) {
    if ([...keys.keys()].some((key) => key.startsWith(`${target}/`))) continue;
    for (const record of await listRecords(site, resources[target], {}))
      slugs.set(`${target}/${idOf(record) ?? ""}`, decodeSlug(getText(record, "slug")));
  }
  return (target: ResourceName, id: string): string => {
    const key = keys.get(`${target}/${id}`);
    if (key !== undefined) return key.slice(target.length + 1);
    const slug = slugs.get(`${target}/${id}`) ?? "";
    return slug === "" || /^\d+$/.test(slug) ? `id:${id}` : slug;
  };
}
