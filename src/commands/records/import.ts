// `cal <resource> import`: reads a source, compares each row with the site through the ledger, shows the plan, and carries it out.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RecordSource } from "../../api/refs.ts";
import { createSiteId } from "../../changes/change.ts";
import { type ConflictRule, conflictRules } from "../../changes/compare.ts";
import type { ImageFolder } from "../../changes/image-file.ts";
import { getLedgerPath, type LedgerOptions, listManagedIds } from "../../changes/ledger.ts";
import { assertWithinLimits } from "../../changes/limits.ts";
import { addUploads, requireMediaPath, toImageValue } from "../../changes/media.ts";
import { keepInMemory, type StoredValue } from "../../changes/value-store.ts";
import { type Problem, usageError } from "../../errors.ts";
import { readSource, type Source, type SourceFormat, type SourceRow } from "../../import/source.ts";
import type { Resource } from "../../model/resource.ts";
import { getTexts, type Handler, parseNames } from "../command.ts";
import { carryOutRows, createPlan, type Failure, listFailures, warnOfFailures } from "../import/carry-out.ts";
import { mapColumns } from "../import/columns.ts";
import { type DateOrder, findDateOrder } from "../import/dates.ts";
import { createLinkResolver } from "../import/links.ts";
import { groupBy } from "../import/matching.ts";
import { cancelledRules, missingRules, type PlannedImport, planImport } from "../import/plan-import.ts";
import { writeRejects } from "../import/rejects.ts";
import { type ImportRow, readRow } from "../import/rows.ts";
import { createLedgerLock, planWithLedger } from "../ledger.ts";
import { parseLimits } from "../limits.ts";
import { createRecordCommand, openSite, type RecordCommand, tryParseFlag } from "./command.ts";
import { loadDateParser } from "./dates.ts";

/** The handler that imports records of a resource. */
export function importRecords(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems];
    const command = await createRecordCommand(resource, "import", invocation, context, problems);
    const options = parseOptions(command);
    const { from, until } = await readRange(command);
    const site = await openSite(command);
    const source = await openSource(command, { from, until });
    if (source.format === "ics" && invocation.flags["rejects"] !== undefined)
      throw usageError("--rejects: the rows of a calendar can't be written back; each problem names its UID");
    const images = await openImages(command);
    const rows = await readRows(command, source, images);
    const siteId = createSiteId(command.settings);
    const ledgerOptions = locateLedger(command, siteId, source);
    if (ledgerOptions === undefined && options.missing !== "keep")
      throw usageError("--missing needs a ledger, and stdin has none", "--source <name> names one, --ledger <file> keeps it in a file");
    return planWithLedger(context, ledgerOptions, async (known, open) => {
      const entries = new Map([...known].filter(([key]) => key.startsWith(`${resource.name}/`)));
      const links = createLinkResolver(site, invocation.flags["create-missing"] === true);
      const allPlanned = await planImport(rows, {
        site,
        resource,
        label: source.label,
        links,
        entries,
        onConflict: options.onConflict,
        zone: command.settings.tz.value,
        now: context.clock.now(),
        missing: source.isWhole() ? options.missing : "keep",
        cancelled: options.cancelled,
        keep: await context.openStore(),
        from,
        until,
        getManagedIds: () =>
          listManagedIds(context.folders.state, siteId, { prefix: `${resource.name}/`, except: ledgerOptions?.path ?? "" }),
      });
      const planned = invocation.flags["no-overlap"] === true ? await refuseOverlaps(command, site, allPlanned) : allPlanned;
      const changes = images === undefined ? planned.changes : addUploads(planned.changes, images);
      const plan = createPlan(siteId, rows, { ...planned, changes });
      const failures = listFailures(resource, rows, planned);
      await reportRows(command, source, rows, planned, [...links.warnings], failures);
      const managed = [...entries.values()].filter((entry) => "id" in entry).length;
      assertWithinLimits(plan.changes, { ...parseLimits(invocation), source: { managed, isEmpty: rows.length === 0 } });
      const rejects = invocation.flags["rejects"];
      const saveRejects = async (failed: ReadonlySet<string>) => {
        const failedRows = rows.filter((row) => failed.has(row.place));
        if (rejects !== undefined) await writeRejects(String(rejects), source, failedRows);
      };
      const { settings } = command;
      const { flags } = invocation;
      const total = rows.length;
      return carryOutRows({ context, settings, site, plan, planned, failures, total, open, flags, images, saveRejects });
    });
  };
}

// The flags.

function parseOptions({ resource, invocation, problems }: RecordCommand) {
  const { flags, args } = invocation;
  const missing = missingRules.find((rule) => rule === flags["missing"]) ?? "keep";
  const onConflict: ConflictRule = conflictRules.find((rule) => rule === flags["on-conflict"]) ?? "skip";
  if (missing === "draft" && resource.isTerm) problems.push(`--missing draft: ${resource.name} have no status`);
  if (flags["url-file"] !== undefined && flags["source"] === undefined) problems.push("--url-file needs --source with it");
  for (const text of getTexts(flags["map"]))
    if (!/^.+=.+$/s.test(text)) problems.push(`--map takes Header=field, not ${JSON.stringify(text)}`);
  if (args[0] === undefined && flags["url-file"] === undefined) problems.push("import needs a file, an address, or - for stdin");
  if (args[0] !== undefined && flags["url-file"] !== undefined) problems.push("--url-file takes the place of the file");
  const cancelled = cancelledRules.find((rule) => rule === flags["cancelled"]) ?? "draft";
  return { missing, onConflict, cancelled };
}

interface DateRange {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** `--from` and `--until` as instants, in milliseconds since 1970. */
async function readRange({ invocation: { flags }, settings, context, problems }: RecordCommand): Promise<DateRange> {
  if (flags["from"] === undefined && flags["until"] === undefined) return {};
  const { parse } = await loadDateParser();
  const options = { now: context.clock.now(), zone: settings.tz.value };
  const read = (name: string, side: "start" | "end") =>
    flags[name] === undefined
      ? undefined
      : tryParseFlag(name, problems, () => parse.parseDate(String(flags[name]), { ...options, side }).epoch);
  return { from: read("from", "start"), until: read("until", "end") };
}

/** Occurrences of a calendar that are read at most, unless --max-changes allows more. */
const defaultOccurrences = 10_000;

async function openSource({ resource, invocation, context, settings }: RecordCommand, { from, until }: DateRange): Promise<Source> {
  const { flags, args } = invocation;
  const text = (name: string) => (flags[name] === undefined ? undefined : String(flags[name]));
  const format = text("input-format") as SourceFormat | undefined;
  const [name, encoding, urlFile] = [text("source"), text("encoding"), text("url-file")];
  const { "max-changes": maxChanges } = flags;
  const ca = settings.ca_file === undefined ? undefined : [await readFile(settings.ca_file.value, "utf8")];
  return readSource({
    location: args[0] ?? "-",
    ...(urlFile !== undefined && { urlFile }),
    ...(ca !== undefined && { ca }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(typeof maxChanges === "number" && { maxOccurrences: Math.max(maxChanges, defaultOccurrences) }),
    allowPrivate: flags["allow-private-source"] === true,
    allowHttp: flags["allow-http-source"] === true,
    categoriesAs: (["categories", "tags"] as const).find((name) => name === flags["categories-as"]) ?? "categories",
    ...(name !== undefined && { name }),
    ...(format !== undefined && { format }),
    ...(encoding !== undefined && { encoding }),
    resource: resource.name,
    stdin: readStdin(context),
    timeout: settings.timeout.value,
    zone: settings.tz.value,
  });
}

async function* readStdin({ io }: RecordCommand["context"]): AsyncGenerator<Uint8Array> {
  if (io.stdin.bytes === undefined) yield Buffer.from(await io.stdin.text(), "utf8");
  else yield* io.stdin.bytes();
}

/** Where the ledger is; undefined for stdin without a name, which is not the same source the next time. */
function locateLedger({ resource, invocation, context }: RecordCommand, site: string, source: Source): LedgerOptions | undefined {
  const { flags, args } = invocation;
  const lock = createLedgerLock(context);
  const file = flags["ledger"];
  if (file !== undefined) return { path: resolve(String(file)), site, source: source.name, lock };
  const [location = "-"] = args;
  if (flags["source"] === undefined && location === "-") return undefined;
  const isFile = flags["source"] === undefined && !/^(?:https?|webcals?):/i.test(location);
  const name = isFile ? resolve(location) : source.name;
  return { path: getLedgerPath(context.folders.state, site, `${resource.name}-${name}`), site, source: source.name, lock };
}

/** The folder of `--images`. */
async function openImages({ invocation: { flags } }: RecordCommand): Promise<ImageFolder | undefined> {
  if (flags["images"] === undefined) return undefined;
  return (await import("../../changes/image-file.ts")).openImageFolder(resolve(String(flags["images"])));
}

// The rows.

async function readRows(command: RecordCommand, source: Source, images: ImageFolder | undefined): Promise<readonly ImportRow[]> {
  const { resource, invocation, context, settings, serverProfile } = command;
  const { flags } = invocation;
  const keep = streamedFormats.includes(source.format) ? await context.openStore() : keepInMemory;
  const sourceRows: StoredValue<SourceRow>[] = [];
  const names = new Set<string>();
  for await (const row of source.rows) {
    sourceRows.push(keep(row));
    if (source.header === undefined) for (const name of Object.keys(row.values)) names.add(name);
  }
  const headers = source.header ?? [...names];
  const key = parseNames(flags["key"]);
  const problems: Problem[] = [];
  const map = getTexts(flags["map"]).map((text) => {
    const at = text.lastIndexOf("=");
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const mapped = mapColumns(resource, headers, { map, key, ignoresUnknown: flags["ignore-columns"] === true }, problems);
  const { columns } = mapped;
  const targets = new Set(columns.values());
  if (headers.length > 0 && key.length === 0 && source.format !== "ics")
    for (const name of [resource.titleField, ...(resource.hasDates ? ["start_date"] : [])])
      if (!targets.has(name))
        problems.push({
          message: `there is no column for ${name}; the columns are ${headers.join(", ")}`,
          hint: `--map "<header>=${name}"`,
        });
  for (const name of key)
    if (
      headers.length > 0 &&
      !headers.some((header) => columns.get(header) === name || header.trim().toLowerCase() === name.trim().toLowerCase())
    )
      problems.push({ message: `--key: there is no column ${JSON.stringify(name)}; the columns are ${headers.join(", ")}` });
  const dateHeaders = headers.filter((header) => /^(?:start|end)_date$/.test(columns.get(header) ?? ""));
  const typedOrder = flags["date-order"] as DateOrder | undefined;
  const found = typedOrder === undefined ? findDateOrder(readColumns(sourceRows, dateHeaders)) : {};
  if (found.problem !== undefined) problems.push(found.problem);
  if (problems.length > 0) throw usageError(problems.map((problem) => ({ ...problem, message: `${source.label}: ${problem.message}` })));
  for (const notice of mapped.notices) await context.notice(`${source.label}: ${notice}`);
  if (found.order !== undefined)
    await context.notice(`${source.label}: dates with slashes are read as ${found.order === "dmy" ? "day/month/year" : "month/day/year"}`);
  const dateOrder = typedOrder ?? found.order;
  const options = {
    resource,
    serverProfile,
    label: source.label,
    columns,
    key,
    dateOrder,
    emptyClears: flags["empty-clears"] === true,
    zone: settings.tz.value,
    now: context.clock.now(),
    takeImage: (path: string) => {
      requireMediaPath(command);
      if (images === undefined) throw usageError(`@${path} is a file, and no folder is given`, "--images <folder> names it");
      return toImageValue(images.take(path));
    },
  };
  const rows = sourceRows.map((row) => readRow(row, options));
  addDoubleKeys(rows);
  return rows;
}

/** Formats whose rows are not in memory all at once. */
const streamedFormats: readonly SourceFormat[] = ["csv", "tsv", "ndjson"];

function* readColumns(rows: readonly StoredValue<SourceRow>[], headers: readonly string[]): Generator<string> {
  if (headers.length === 0) return;
  for (const row of rows) {
    const { values } = row.read();
    for (const header of headers) yield String(values[header] ?? "");
  }
}

/** Rows with one key that a message names. */
const maxNamed = 5;

/** Two rows with one key can't be told apart. */
function addDoubleKeys(rows: readonly ImportRow[]): void {
  const byKey = groupBy(
    rows.filter(({ key }) => key !== ""),
    ({ key }) => [key],
  );
  for (const [key, same] of byKey) {
    if (same.length < 2) continue;
    for (const row of same) {
      const others = same.slice(0, maxNamed + 1).filter((one) => one !== row);
      const named = others.slice(0, maxNamed).map(({ place }) => place);
      const rest = same.length - 1 - named.length;
      const names = [named.join(", "), ...(rest === 0 ? [] : [`${rest} more`])].join(" and ");
      row.problems.push({ message: `it has the same key as ${names}: ${key.replace(/^\w+\//, "")}` });
    }
  }
}

// The plan.

/** `--no-overlap`: rows whose events would overlap are not written, nor the records that only they need. */
async function refuseOverlaps({ resource, settings }: RecordCommand, site: RecordSource, planned: PlannedImport): Promise<PlannedImport> {
  const { splitByOverlap } = await import("./no-overlap.ts");
  const { overlapping } = await splitByOverlap(site, settings, planned.changes);
  const conflicts = overlapping.flatMap(({ change, error }) => {
    const { key, id } = change;
    const row = planned.rowChanges.get(key)?.row;
    const message = error.message.replace("; nothing was sent", "");
    const conflict = { key, resource: resource.name, ...(id !== undefined && { id }), fields: [], message, isOverlap: true } as const;
    return row === undefined ? [] : [{ ...conflict, row }];
  });
  const refused = new Set(conflicts.map(({ key }) => key));
  const rowChanges = new Map([...planned.rowChanges].filter(([key]) => !refused.has(key)));
  const left = planned.changes.filter(({ key }) => !refused.has(key));
  const needed = new Set(left.flatMap(({ needs }) => needs));
  const changes = left.filter(({ op, resource: its, key }) => its === resource.name || op !== "create" || needed.has(key));
  return { ...planned, changes, rowChanges, conflicts: [...planned.conflicts, ...conflicts] };
}

/** Says what there is to say of single rows, and what is wrong with them. */
async function reportRows(
  { context }: RecordCommand,
  source: Source,
  rows: readonly ImportRow[],
  { notices }: PlannedImport,
  linkWarnings: readonly string[],
  failures: readonly Failure[],
): Promise<void> {
  for (const warning of [...source.warnings, ...linkWarnings]) await context.warn(warning);
  for (const { place, source: row } of rows) for (const warning of row.warnings) await context.warn(`${place}: ${warning}`);
  for (const notice of notices) await context.notice(notice);
  await warnOfFailures(context, failures);
}
