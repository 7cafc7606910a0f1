// What a write reports on stderr: what was done, and what the server stored differently.
import type { Input } from "../../api/request.ts";
import { type FieldChange, findDifferences, toList, toWritableValue } from "../../api/update.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { toPlainText } from "../../html-text.ts";
import { stringifyExact, valueToText } from "../../http/json.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { RecordCommand } from "./command.ts";

/** `event 123 "Jazz Night"`. */
export function formatRecordName(resource: Resource, record: DataRecord): string {
  const name = toPlainText(getText(record, resource.titleField));
  return joinNonEmpty(resource.singular, idOf(record), name === "" ? "" : JSON.stringify(name));
}

/** `event 123 "Jazz Night" https://...`; `when` comes before the address. */
export function describeRecord(resource: Resource, record: DataRecord, when?: string): string {
  return joinNonEmpty(formatRecordName(resource, record), when, getText(record, "url"));
}

function joinNonEmpty(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** Prints what a write will lose or change besides, before it is sent. */
export async function warnBeforeWrite(
  { context, resource }: RecordCommand,
  record: DataRecord,
  warnings: readonly string[],
): Promise<void> {
  for (const warning of warnings) await context.warn(`${formatRecordName(resource, record)}: ${warning}`);
}

/** Warns of each field whose value in the answer is not the one that was sent, and of links that the answer does not show. */
export async function warnOfDifferences(
  { context, resource, serverProfile }: RecordCommand,
  sent: Input,
  response: DataRecord,
): Promise<void> {
  for (const { field: name, sentValue, returnedValue } of findDifferences(resource, sent, response, serverProfile)) {
    const field = resource.fields.find((one) => one.name === name);
    const problem =
      returnedValue === undefined
        ? `the answer does not show ${name}`
        : `the server keeps ${name} as ${formatFieldValue(field, returnedValue, [response])}`;
    const nonStandard = field?.nonStandard === true && returnedValue === undefined ? "; this server may not know it" : "";
    const text = `${problem}, sent was ${formatFieldValue(field, sentValue, [response])}${nonStandard}`;
    await context.warn(`${describeRecord(resource, response)}: ${text}`);
  }
}

/** The record before and after an update. */
interface UpdateResult {
  readonly current: DataRecord;
  readonly response: DataRecord;
  /** Whether it is one of several updates. */
  readonly many: boolean;
}

/** The changes as lines: first those of the user, then those that the server made besides. A field without a change has no line. */
export function formatChanges(
  { resource: { fields }, serverProfile }: RecordCommand,
  changes: readonly FieldChange[],
  input: Input,
  { current, response, many }: UpdateResult,
): string {
  const formatLine = (field: Field, from: unknown, to: unknown, suffix = "") => {
    const texts = [from, to].map((value) => formatFieldValue(field, value, [current, response]));
    return texts[0] === texts[1] ? "" : `\n  ${field.name}: ${texts.join(" -> ")}${suffix}`;
  };
  const requested = changes.flatMap(({ field: name, from, to }) => {
    const field = fields.find((one) => one.name === name);
    // What the answer does not show is reported by a warning.
    if (field === undefined) return [];
    // A text that was read as it is stored is not compared with how it looks on the page.
    const isSource = field.format === "html" && from !== undefined && from !== toWritableValue(field, current, serverProfile);
    return formatLine(field, from, isSource ? to : (toWritableValue(field, response, serverProfile) ?? to));
  });
  const others = fields.flatMap((field) => {
    const { name, format } = field;
    // A page is rendered anew each time, and the publication date of a draft is the current time.
    const isVolatile = format === "html" || name === "date" || name === "date_utc";
    // Sites that run The Events Calendar show the page of an event as its website where it has none.
    const [before, after] = [current, response].map((record) => (format === "url" && record[name] === record["url"] ? "" : record[name]));
    if (input[name] !== undefined || isVolatile || before === undefined || after === undefined || before === after) return [];
    // Sites fill and empty an address by themselves, and with many records that would be a line each.
    if (many && format === "url") return [];
    const [from, to] = [current, response].map((record) => getFieldValue(field, record, serverProfile));
    return formatLine(field, from, to, " (by the server)");
  });
  return [...requested, ...others].join("");
}

/** Linked records and pictures, which an answer may contain whole, are their ids. */
function getFieldValue(field: Field, record: DataRecord, profile: ServerProfile): unknown {
  return field.refersTo !== undefined || field.name === "image" ? toWritableValue(field, record, profile) : record[field.name];
}

/** A value in a message: JSON, whole, on one line. */
export function formatValue(value: unknown): string {
  return value === undefined ? "nothing" : stringifyExact(value);
}

/** The value of a field: `Jazz (3), Blues (4)` for links. A link whose name is not in the records is its id. */
function formatFieldValue(field: Field | undefined, value: unknown, records: readonly DataRecord[]): string {
  if (field?.type !== "integers") return formatValue(value);
  const titleField = field.refersTo === undefined ? undefined : resources[field.refersTo].titleField;
  const linked = records.flatMap((record) => toList(record[field.name])).filter(isRecord);
  const texts = toList(value).map((link) => {
    const id = isRecord(link) ? idOf(link) : valueToText(link);
    if (id === undefined) return formatValue(link);
    const record = linked.find((one) => idOf(one) === id);
    const name = record === undefined || titleField === undefined ? "" : toPlainText(getText(record, titleField));
    return name === "" ? id : `${name} (${id})`;
  });
  return texts.length === 0 ? "none" : texts.join(", ");
}
