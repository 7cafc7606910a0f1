// A record of the site as the text of its file, and as what the ledger knows of it.
import { decodeSlug, type Input } from "../../api/request.ts";
import { type CurrentRecord, toList, toWritableRecord } from "../../api/update.ts";
import type { Values } from "../../changes/compare.ts";
import type { ImageFolder } from "../../changes/image-file.ts";
import type { RecordEntry } from "../../changes/ledger.ts";
import { getText, isRecord } from "../../data-record.ts";
import type { Problem } from "../../errors.ts";
import type { RecordFile } from "../../files/folder.ts";
import { formatRecordFile, isUnwritten } from "../../files/record-file.ts";
import { valueToText } from "../../http/json.ts";
import type { Resource, ResourceName } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { createEntry } from "../import/plan-import.ts";
import { resolveTimes } from "../import/rows.ts";
import { addDefaults, readFileRow } from "./rows.ts";

interface FileOptions {
  readonly serverProfile: ServerProfile;
  /** What a file writes for a linked record. */
  readonly nameLink: (resource: ResourceName, id: string) => string;
  readonly images: ImageFolder | undefined;
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The text of the file of a record. The source of its texts is taken where it can be read. `picture` is a file that the record has on the site. */
export function formatFile(
  resource: Resource,
  current: CurrentRecord,
  { serverProfile, nameLink }: FileOptions,
  picture: string | undefined,
): string {
  const values: Record<string, unknown> = { ...toWritableRecord(resource, current, serverProfile) };
  const { image, slug } = current.record;
  if (isRecord(image)) values["image"] = getText(image, "url") || values["image"];
  if (picture !== undefined) values["image"] = picture;
  if (slug !== undefined) values["slug"] = decodeSlug(valueToText(slug));
  for (const { name, refersTo } of resource.fields)
    if (refersTo !== undefined) values[name] = listIds(values[name]).map((id) => nameLink(refersTo, id));
  return formatRecordFile(resource, values);
}

const listIds = (value: unknown): readonly string[] =>
  toList(value)
    .map((id) => valueToText(id))
    .filter((id) => id !== "0");

/** What the ledger knows of a record whose file was written. `problem` says why it can't be kept in a file. */
export function createFileEntry(
  resource: Resource,
  file: RecordFile,
  { record }: CurrentRecord,
  options: FileOptions,
): { readonly entry: RecordEntry; readonly problem?: undefined } | { readonly problem: Problem } {
  const all = Object.fromEntries(resource.fields.map(({ name }) => [name, ""]));
  const row = addDefaults(readFileRow(file, options), all);
  const [problem] = row.problems;
  if (problem !== undefined) return { problem };
  const current: Input = toWritableRecord(resource, { record }, options.serverProfile);
  const links = resource.fields.flatMap(({ name, refersTo, type }) => {
    if (refersTo === undefined) return [];
    return [[name, type === "integers" ? (current[name] ?? []) : (current[name] ?? 0)] as const];
  });
  const times = row.times === undefined ? {} : resolveTimes(row.times, row.times.zone ?? options.zone, options.now).values;
  const desired: Values = { ...row.fields, ...Object.fromEntries(links), ...times };
  const agreed = resource.fields.filter((field) => !isUnwritten(field) || row.lines.has(field.name)).map(({ name }) => name);
  return { entry: createEntry(resource, { row, desired, agreed, entry: undefined, keepsText: false }, record, current) };
}
