// `cal diff DIR`: how the files of a folder and the site differ, and which side has changed.
import { createSiteId, isKeyRef } from "../changes/change.ts";
import { readLedger } from "../changes/ledger.ts";
import { type DataRecord, idOf } from "../data-record.ts";
import { exitCodes } from "../errors.ts";
import { openRecordFolder, toPath } from "../files/folder.ts";
import { stringifyExact, valueToText } from "../http/json.ts";
import type { Column, Field, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { OutputOptions } from "../output/report.ts";
import { escapeControls } from "../text.ts";
import type { Handler } from "./command.ts";
import { mergePlanned, type PlannedFiles, planFolder } from "./files/plan-folder.ts";
import { showPicture } from "./files/rows.ts";
import { assertPlannable, assertReadable, type FolderState, listDeletedHere, readFolderState } from "./files/state.ts";
import { openSource } from "./log.ts";

const columns: readonly Column[] = [
  { header: "CHANGED", path: "changed", kind: "text", priority: 1 },
  { header: "FILE", path: "file", kind: "name", priority: 1 },
  { header: "ID", path: "id", kind: "id", priority: 3 },
  { header: "FIELD", path: "field", kind: "text", priority: 1 },
  { header: "HERE", path: "here", kind: "text", priority: 2 },
  { header: "SITE", path: "site", kind: "text", priority: 2 },
];

const headings = {
  here: "changed here: - site, + here",
  site: "changed on the site: - here, + site",
  both: "changed on both sides: - site, + here",
  new: "not on the site",
  "deleted here": "deleted here: cal apply --missing delete deletes the record",
  "deleted on the site": "deleted on the site: cal pull removes the file",
} as const;

/** One field that differs; a file or a record that the other side does not have is one row without a field, or a row for each field of a new file. */
interface Difference extends DataRecord {
  readonly changed: keyof typeof headings;
  readonly file: string;
  readonly resource: Resource["name"];
  readonly id?: string | undefined;
  readonly field?: string;
  readonly here?: unknown;
  readonly site?: unknown;
}

export const diff: Handler = async ({ args }, context) => {
  const [path = "."] = args;
  const settings = await context.settings();
  const folder = openRecordFolder(path);
  const site = await openSource(context);
  const options = { zone: settings.tz.value, now: context.clock.now() };
  const state = readFolderState(folder, readLedger(folder.ledgerPath, createSiteId(settings)), options);
  assertReadable(state, options);
  const planned = mergePlanned(await planFolder(state, { ...options, site, onConflict: "skip", missing: "keep" }));
  assertPlannable(state);
  for (const { row, message, candidates } of planned.conflicts)
    if (candidates !== undefined) await context.warn(`${row.place}: ${message}`);
  const differences = listDifferences(state, planned);
  return {
    kind: "list",
    columns,
    fieldNames: ["changed", "file", "resource", "id", "field", "here", "site"],
    records: differences,
    text: (output) => formatDifferences(differences, output),
    exitCode: () => (differences.length + planned.conflicts.length === 0 ? 0 : exitCodes.findings),
  };
};

function listDifferences(state: FolderState, planned: PlannedFiles): readonly Difference[] {
  const name = createLinkNames(state, planned);
  const found: Difference[] = [];
  for (const { resource, row, match, desired, current, comparison } of planned.compared) {
    const { edits, conflicts, kept } = comparison;
    const add = (changed: Difference["changed"], fields: readonly string[]) => {
      for (const field of resource.fields.filter((one) => fields.includes(one.name)))
        found.push({
          changed,
          file: toPath(row.key),
          resource: resource.name,
          id: idOf(match.record),
          field: field.name,
          here: name(field, desired[field.name]),
          site: name(field, current[field.name]),
        });
    };
    const namesOf = (list: readonly { readonly name: string }[]) => list.map((one) => one.name);
    add("here", namesOf(edits));
    add("site", kept);
    add("both", namesOf(conflicts));
  }
  for (const { op, key, resource, fields } of planned.changes) {
    if (op !== "create" || resource === "media") continue;
    for (const field of resources[resource].fields) {
      const change = fields.find((one) => one.name === field.name);
      if (change !== undefined)
        found.push({ changed: "new", file: toPath(key), resource, field: field.name, here: name(field, change.to) });
    }
  }
  for (const { resource, row, entry } of planned.gone)
    found.push({ changed: "deleted on the site", file: toPath(row.key), resource: resource.name, id: entry.id });
  for (const { key, id } of listDeletedHere(state)) {
    const resource = Object.values(resources).find((one) => key.startsWith(`${one.name}/`));
    if (resource !== undefined) found.push({ changed: "deleted here", file: toPath(key), resource: resource.name, id });
  }
  return found.sort((left, right) => (left.file < right.file ? -1 : left.file > right.file ? 1 : 0));
}

/** Values for people: linked records by the names of their files, pictures by their paths. */
function createLinkNames({ entries, images }: FolderState, { compared }: PlannedFiles) {
  const keys = new Map<string, string>();
  for (const [key, entry] of entries) if ("id" in entry) keys.set(`${key.split("/")[0]}/${entry.id}`, key);
  for (const { resource, row, match } of compared) keys.set(`${resource.name}/${idOf(match.record) ?? ""}`, row.key);
  return ({ refersTo }: Field, value: unknown): unknown => {
    if (refersTo === undefined) return showPicture(value ?? "", images);
    const name = (link: unknown): string => {
      const key = isKeyRef(link) ? link.key : keys.get(`${refersTo}/${valueToText(link)}`);
      return key === undefined ? `id:${valueToText(link)}` : key.slice(refersTo.length + 1);
    };
    return Array.isArray(value) ? value.map(name) : value === undefined || valueToText(value) === "0" ? "" : name(value);
  };
}

// For people.

function formatDifferences(differences: readonly Difference[], { style, tty }: OutputOptions): string {
  const lines: string[] = [];
  const add = (text: string, mark: (text: string) => string = (one) => one) =>
    lines.push(mark(tty ? escapeControls(text, { keepLines: true }) : text));
  let file = "";
  let changed = "";
  for (const one of differences) {
    if (one.file !== file) add(`${one.file}${one.id === undefined ? "" : ` (${resources[one.resource].singular} ${one.id})`}`, style.bold);
    if (one.file !== file || one.changed !== changed) add(`@@ ${headings[one.changed]} @@`, style.cyan);
    [file, changed] = [one.file, one.changed];
    if (one.field === undefined) continue;
    const { here, site } = { here: toLines(one.field, one.here), site: toLines(one.field, one.site) };
    const [before, after] = one.changed === "site" ? [here, site] : one.changed === "new" ? [[], here] : [site, here];
    for (const [sign, line] of compareLines(before, after))
      add(`${sign}${line}`, sign === "-" ? style.red : sign === "+" ? style.green : undefined);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function toLines(field: string, value: unknown): readonly string[] {
  const text =
    typeof value === "string" ? value : Array.isArray(value) ? value.map((one) => valueToText(one)).join(", ") : stringifyExact(value);
  const [first = "", ...others] = text.replace(/\r\n?/g, "\n").trimEnd().split("\n");
  return others.length === 0 ? [`${field}: ${first}`] : [`${field}:`, ...[first, ...others].map((line) => `  ${line}`)];
}

/** The lines that differ, between those that are the same at the beginning and the end. */
function compareLines(before: readonly string[], after: readonly string[]): readonly (readonly [sign: string, line: string])[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const sign = (mark: string, lines: readonly string[]) => lines.map((line) => [mark, line] as const);
  return [
    ...sign(" ", before.slice(0, start).slice(0, 1)),
    ...sign("-", before.slice(start, before.length - end)),
    ...sign("+", after.slice(start, after.length - end)),
  ];
}
