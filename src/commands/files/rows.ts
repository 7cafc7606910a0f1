// The file of a record as a row that an import can plan: its values by field, its links and dates, and what is wrong with it.
import { normalizeDateTime } from "../../api/reply.ts";
import { filePrefix, type ImageFolder } from "../../changes/image-file.ts";
import { toImageValue } from "../../changes/media.ts";
import { formatSuggestion } from "../../closest.ts";
import { findZone } from "../../dates/zone.ts";
import { type Problem, toProblem } from "../../errors.ts";
import type { RecordFile } from "../../files/folder.ts";
import { getDefaultText, isUnwritten, parseRecordFile } from "../../files/record-file.ts";
import type { SourceRow } from "../../import/row.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { parseWrittenDate, type WrittenDate } from "../import/dates.ts";
import { type ImportRow, type LinkItem, type RowTimes, type RowValues, readItself, resolveTimes } from "../import/rows.ts";
import { parseTextValue } from "../records/input.ts";

export interface FileRow extends ImportRow, RowValues {
  readonly source: SourceRow;
  readonly resource: Resource;
  readonly file: RecordFile;
  /** The lines of its fields, from 1. */
  readonly lines: ReadonlyMap<string, number>;
  readonly warnings: { readonly file: string; readonly line: number; readonly message: string }[];
  /** The file of its picture as it is written: `@posters/jazz.jpg`. */
  readonly picture?: string | undefined;
}

/** Where a field of a file is: `events/jazz.yaml:7`. */
export function locate({ file, lines }: Pick<FileRow, "file" | "lines">, field?: string): string {
  const line = field === undefined ? undefined : lines.get(field);
  return line === undefined ? file.path : `${file.path}:${line}`;
}

interface ReadOptions {
  /** Where the pictures are that files name; undefined where the folder is a new one. */
  readonly images: ImageFolder | undefined;
  /** The zone of events without one. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reads the values of a file. Each problem begins with the file and the line. */
export function readFileRow(file: RecordFile, options: ReadOptions): FileRow {
  const resource = resources[file.resource];
  const { entries, problems: found } = file.text === undefined ? { entries: [], problems: [] } : parseRecordFile(file.text);
  const problems: Problem[] = found.map(({ line, message }) => ({ message: `${file.path}:${line}: ${message}` }));
  if (file.problem !== undefined) problems.push(file.problem);
  const isReadable = problems.length === 0;
  const lines = new Map(entries.map(({ name, line }) => [name, line]));
  const warnings: FileRow["warnings"] = [];
  const fields: Record<string, unknown> = {};
  const links = new Map<string, readonly LinkItem[]>();
  const dates = new Map<string, WrittenDate>();
  let picture: string | undefined;
  for (const { name, line, value } of entries) {
    const place = `${file.path}:${line}`;
    const field = resource.fields.find((one) => one.name === name);
    if (field === undefined) {
      problems.push({ message: `${place}: ${describeUnknown(resource, name)}` });
      continue;
    }
    const texts = typeof value === "string" ? [value].filter((text) => text !== "") : value;
    const isList = typeof value !== "string";
    if (field.refersTo !== undefined) {
      if (field.type === "integer" && texts.length > 1)
        problems.push({ message: `${place}: ${name} takes one ${resources[field.refersTo].singular}` });
      links.set(name, texts);
    } else if (isList) problems.push({ message: `${place}: ${name} takes one value, not a list` });
    else if (resource.hasDates && /^(?:start|end)_date$/.test(name)) {
      const date = parseWrittenDate(value, undefined);
      if (date === undefined)
        problems.push({ message: `${place}: ${name}: ${JSON.stringify(value)} is not a date`, hint: "write YYYY-MM-DD HH:MM" });
      else dates.set(name, date);
    } else {
      const parsed = parseField(field, value === "" ? getDefaultText(field) : value, options);
      if (field.format === "image" && value.startsWith(filePrefix)) picture = value;
      if ("problem" in parsed) problems.push({ message: `${place}: ${name} ${parsed.problem}` });
      else fields[name] = parsed.value;
      if (name === "status" && field.values?.includes(value) === false)
        warnings.push({
          file: file.path,
          line,
          message: `status ${JSON.stringify(value)} is not one that is known${formatSuggestion(value, field.values) || `: ${field.values.join(", ")}`}`,
        });
    }
  }
  const zone = typeof fields["timezone"] === "string" && findZone(fields["timezone"]) !== undefined ? fields["timezone"] : undefined;
  const [start, end] = [dates.get("start_date"), dates.get("end_date")];
  const times: RowTimes | undefined =
    start === undefined && end === undefined
      ? undefined
      : { start, end, endTime: undefined, isAllDay: fields["all_day"] === true, zone: zone && findZone(zone)?.name };
  const row: FileRow = {
    resource,
    isWhole: true,
    source: { values: { slug: findSlug(file, resource, fields) }, problems: [], warnings: [], file: file.path },
    place: file.path,
    problems,
    key: file.key,
    read: readItself,
    fields,
    links,
    linkedData: {},
    times,
    file,
    lines,
    warnings,
    picture,
  };
  if (isReadable) addMissing(row);
  if (times !== undefined) addTimeProblems(row, times, options);
  return row;
}

/** The slug that the record had when its file was written. The slug of a venue or an organizer can't be written: the file was named after it. */
function findSlug({ key }: RecordFile, { name, fields }: Resource, values: Readonly<Record<string, unknown>>): unknown {
  return fields.some((field) => field.name === "slug") ? values["slug"] : key.slice(name.length + 1);
}

function describeUnknown(resource: Resource, name: string): string {
  const names = resource.fields.map((one) => one.name);
  if (resource.readOnlyFields.includes(name)) return `${name} can't be written; ${resource.name} have ${names.join(", ")}`;
  return `${name} is not a field of ${resource.name}${formatSuggestion(name, names) || `; they have ${names.join(", ")}`}`;
}

type Parsed = ReturnType<typeof parseTextValue>;

function parseField(field: Field, text: string, { images }: ReadOptions): Parsed {
  const { name, format } = field;
  const quoted = JSON.stringify(text);
  if (format === "date-time" && normalizeDateTime(text) === undefined)
    return { problem: `${quoted} is not a date: write YYYY-MM-DD HH:MM` };
  if (format === "time-zone" && findZone(text) === undefined)
    return { problem: `${quoted} is not a time zone: write an IANA name such as Europe/Paris` };
  if (name === "slug" && /[\s/?#]/.test(text)) return { problem: `${quoted} is not a slug: write letters, digits and hyphens` };
  if (format === "image" && text.startsWith(filePrefix)) return readPicture(text.slice(filePrefix.length), images);
  if (format === "image" && text !== "" && !/^(?:\d+|https?:\/\/\S+)$/i.test(text))
    return { problem: `takes the id or the address of a picture, or a file below the folder as "@file", not ${quoted}` };
  return parseTextValue(field, text);
}

function readPicture(path: string, images: ImageFolder | undefined): Parsed {
  try {
    return images === undefined ? { problem: "can't be read: there is no folder" } : { value: toImageValue(images.take(path)) };
  } catch (error) {
    return { problem: `can't be read: ${toProblem(error).message}` };
  }
}

/** The picture of a file by its path, where it has only the hash of its content. */
export function showPicture(value: unknown, images: ImageFolder | undefined): unknown {
  const file = typeof value === "string" && value.startsWith(filePrefix) ? images?.find(value.slice(filePrefix.length)) : undefined;
  return file === undefined ? value : `${filePrefix}${file.path}`;
}

function addMissing({ file, lines, problems, resource }: FileRow): void {
  for (const name of [resource.titleField, ...(resource.hasDates ? ["start_date"] : [])])
    if (!lines.has(name)) problems.push({ message: `${file.path}: ${name} is missing` });
}

function addTimeProblems(row: FileRow, times: RowTimes, { zone, now }: Pick<ReadOptions, "zone" | "now">): void {
  try {
    resolveTimes(times, times.zone ?? zone, now);
  } catch (error) {
    const problem = toProblem(error);
    const field = /^the end /.test(problem.message) ? "end_date" : "start_date";
    row.problems.push({ ...problem, message: `${locate(row, field)}: ${problem.message}` });
  }
}

/** A record always has these: without a line they stay as they are. */
const isKept = ({ name, format }: Field): boolean => name === "slug" || format === "time-zone";

/** Adds what the file does not say: fields that are known from an earlier write, and that have their default now. */
export function addDefaults(row: FileRow, sent: Readonly<Record<string, string>>): FileRow {
  const { resource } = row;
  const fields: Record<string, unknown> = { ...row.fields };
  const links = new Map(row.links);
  for (const field of resource.fields) {
    const { name, refersTo } = field;
    const isDate = resource.hasDates && /^(?:start|end)_date$/.test(name);
    if (sent[name] === undefined || row.lines.has(name) || isUnwritten(field) || isDate || isKept(field)) continue;
    if (refersTo !== undefined) links.set(name, []);
    else {
      const parsed = parseTextValue(field, getDefaultText(field));
      if ("value" in parsed) fields[name] = parsed.value;
    }
  }
  return { ...row, fields, links };
}
