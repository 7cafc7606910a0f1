// What is said on stderr after a write: what was done, and what the server did not keep.
import type { Input } from "../../api/request.ts";
import { type FieldChange, findDifferences, toList, toWritableValue } from "../../api/update.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { stringifyExact, valueToText } from "../../http/json.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Report } from "../../output/report.ts";
import { toPlainText } from "../../text.ts";
import type { Scene } from "./command.ts";

/** `event 123 "Jazz Night"`. */
export function formatRecordName(resource: Resource, record: DataRecord): string {
  const name = toPlainText(getText(record, resource.titleField));
  return joinNonEmpty(resource.singular, idOf(record), name === "" ? "" : JSON.stringify(name));
}

/** `event 123 "Jazz Night" https://...`; `when` it is stands before its address. */
export function describeRecord(resource: Resource, record: DataRecord, when?: string): string {
  return joinNonEmpty(formatRecordName(resource, record), when, getText(record, "url"));
}

function joinNonEmpty(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** Warns of every field that the answer shows otherwise than it was sent, and of links that it does not show at all. */
export async function warnOfDifferences({ context, resource, site }: Scene, sent: Input, answer: DataRecord): Promise<void> {
  for (const { field, sentValue: given, returnedValue } of findDifferences(resource, sent, answer, site.serverProfile)) {
    const spec = resource.fields.find(({ name }) => name === field);
    const said =
      returnedValue === undefined
        ? `the answer does not show ${field}`
        : `the server keeps ${field} as ${formatFieldValue(spec, returnedValue, [answer])}`;
    const beyond = spec?.nonStandard === true && returnedValue === undefined ? "; this server may not know it" : "";
    await context.warn(`${describeRecord(resource, answer)}: ${said}, sent was ${formatFieldValue(spec, given, [answer])}${beyond}`);
  }
}

// What a terminal shows of a record that was written: what was done is told on stderr, and the whole of it is a screen long.

/** Of a new record these are shown beside what was given. */
const createdSummaryFields = ["id", "slug", "url", "status"];

/** The report of a created record. */
export function summarizeCreated({ name }: Resource, report: Report, given: object): Report {
  if (report.kind !== "record") return report;
  const id = idOf(report.record);
  const all = id === undefined ? {} : { all: `cal ${name} get ${id}` };
  return { ...report, recordSummary: { fields: [...createdSummaryFields, ...Object.keys(given)], ...all } };
}

/** The report of a changed record: its changes have been told. */
export function summarizeUpdated(report: Report): Report {
  return report.kind === "record" ? { ...report, recordSummary: { fields: [] } } : report;
}

// What an update changed, a line for each field, as the server answered it.

/** The record before and after an update. */
interface UpdateResult {
  readonly current: DataRecord;
  readonly response: DataRecord;
}

/** An update, as far as its lines depend on it. */
interface UpdateContext {
  readonly resource: Resource;
  readonly site: { readonly serverProfile: ServerProfile };
  /** Whether it is one of several alike. */
  readonly many?: boolean;
}

/** The changes, each on a line of its own: first what was asked for, then what the server did besides. What stayed has no line. */
export function formatChanges(
  { resource, site, many }: UpdateContext,
  changes: readonly FieldChange[],
  given: Input,
  turn: UpdateResult,
): string {
  const { fields } = resource;
  const { current, response } = turn;
  const line = (field: Field, from: unknown, to: unknown, by = "") => {
    const texts = [from, to].map((value) => formatFieldValue(field, value, [current, response]));
    return texts[0] === texts[1] ? "" : `\n  ${field.name}: ${texts.join(" -> ")}${by}`;
  };
  const asked = changes.flatMap(({ field: name, from, to }) => {
    const field = fields.find((one) => one.name === name);
    // What the answer does not show is warned of.
    return field === undefined ? [] : line(field, from, toWritableValue(field, response, site.serverProfile) ?? to);
  });
  const besides = fields.flatMap((field) => {
    if (given[field.name] !== undefined || !isReportedChange(field, turn)) return [];
    // Sites fill and empty an address by themselves, and of many records that would be a line each.
    if (many === true && field.format === "url") return [];
    return line(
      field,
      getFieldValue(field, current, site.serverProfile),
      getFieldValue(field, response, site.serverProfile),
      " (by the server)",
    );
  });
  return [...asked, ...besides].join("");
}

/** Only what both records hold, and differently. A page is rendered anew each time, and the publication date of a draft is the moment. */
function isReportedChange({ name, format }: Field, { current, response }: UpdateResult): boolean {
  const isFleeting = format === "html" || name === "date" || name === "date_utc";
  return !isFleeting && current[name] !== undefined && response[name] !== undefined && current[name] !== response[name];
}

/** As the record has it; linked records and pictures, which are told with all that is known of them, by their ids. */
function getFieldValue(field: Field, record: DataRecord, kind: ServerProfile): unknown {
  return field.refersTo !== undefined || field.name === "image" ? toWritableValue(field, record, kind) : record[field.name];
}

// Values as messages tell them: JSON, and links by the names that the records know.

/** A value in a message: JSON, whole, on one line. */
export function formatValue(value: unknown): string {
  return value === undefined ? "nothing" : stringifyExact(value);
}

/** The value of a field: `Jazz (3), Blues (4)` for links, a link without a known name by its id. `records` is where they may stand with names. */
function formatFieldValue(field: Field | undefined, value: unknown, records: readonly DataRecord[]): string {
  if (field?.type !== "integers") return formatValue(value);
  const title = field.refersTo === undefined ? undefined : resources[field.refersTo].titleField;
  const known = records.flatMap((record) => toList(record[field.name])).filter(isRecord);
  const texts = toList(value).map((link) => {
    const id = isRecord(link) ? idOf(link) : valueToText(link);
    if (id === undefined) return formatValue(link);
    const record = known.find((one) => idOf(one) === id);
    const name = record === undefined || title === undefined ? "" : toPlainText(getText(record, title));
    return name === "" ? id : `${name} (${id})`;
  });
  return texts.length === 0 ? "none" : texts.join(", ");
}
