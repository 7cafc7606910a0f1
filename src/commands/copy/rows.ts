// A record of the source as a row for the target, and what of it gets lost on the way.
import { planPrice } from "../../api/price.ts";
import { normalizeDateTime } from "../../api/reply.ts";
import { decodeSlug } from "../../api/request.ts";
import { getEmptyValue, isClearingValue, toWritableValue } from "../../api/update.ts";
import { findNewPriceWarnings, findUrlWarnings } from "../../api/write-warnings.ts";
import type { LedgerEntry } from "../../changes/ledger.ts";
import { getText } from "../../data-record.ts";
import type { Problem } from "../../errors.ts";
import type { Field } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { type ImportRow, type RowTimes, type RowValues, readItself } from "../import/rows.ts";
import { formatRecordName } from "../records/messages.ts";
import { formatKey, getValidLinkedIds, type SourceRecord, type SourceRecords } from "./source-records.ts";

export interface CopyRow {
  readonly row: ImportRow;
  /** `event 103 "Jazz Night"`, as it is in the source. */
  readonly name: string;
  /** What the target will not have, each as `image: it is not uploaded`. */
  readonly losses: readonly string[];
}

export interface CopyRowOptions {
  /** `zone` is that of records without one. */
  readonly source: { readonly profile: ServerProfile; readonly zone: string };
  readonly target: ServerProfile;
  readonly records: SourceRecords;
  readonly entry: LedgerEntry | undefined;
  /** Absent where the record has none. */
  readonly picture: CopiedPicture | undefined;
  /** Fields that the target does not know, by resource. */
  readonly unknownFields: ReadonlySet<string>;
}

/** What the target gets for the picture of a record: the value of the field, or why there is none. */
export interface CopiedPicture {
  readonly value?: string;
  readonly loss?: string;
}

/** Fields that the target gives its records itself. */
const targetFields: readonly string[] = ["author", "date", "date_utc"];

/** Statuses that need a date of publication. */
const scheduledStatus = "future";

/**
 * The row of a record. A field that is empty in the source is emptied at the target only where an earlier copy has filled it: without a base it is
 * not known what is right.
 */
export function createCopyRow(one: SourceRecord, options: CopyRowOptions): CopyRow {
  const { resource, id, record } = one;
  const { source, target, entry, picture, unknownFields } = options;
  const losses: string[] = [];
  const fields: Record<string, unknown> = {};
  const links = new Map<string, readonly string[]>();
  const wasSent = (name: string) => entry !== undefined && "id" in entry && entry.sent[name] !== undefined;
  for (const field of resource.fields) {
    const { name, refersTo } = field;
    if (targetFields.includes(name) || (resource.hasDates && /^(?:start|end)_date$/.test(name))) continue;
    if (name === "image" && picture?.loss !== undefined) {
      losses.push(`image: ${picture.loss}`);
      continue;
    }
    const value = refersTo === undefined ? getValue(field, one, options, losses) : getLinks(field, one, options, losses);
    const isEmpty = value === undefined || isClearingValue(value);
    if (isEmpty && !wasSent(name)) continue;
    const reason = isEmpty
      ? target.cannotClear[resource.name]?.[name]
      : unknownFields.has(name)
        ? "the target does not know it"
        : undefined;
    if (reason !== undefined) losses.push(`${name}: ${reason}`);
    else if (refersTo !== undefined) links.set(name, isEmpty ? [] : (value as readonly string[]));
    else fields[name] = isEmpty ? getEmptyValue(field) : value;
  }
  losses.push(...findNewPriceWarnings(fields, target), ...findUrlWarnings(resource, fields, target));
  // Recorded: only an update stores it.
  if (target.rendersText && entry === undefined && fields["cost"] === "0")
    losses.push("cost: the target drops a price of 0 from a new event");
  if (resource.hasDates) fields["timezone"] = getText(record, "timezone") || source.zone;
  const problems: Problem[] = getText(record, "status") === "trash" ? [{ message: "it is in the trash" }] : [];
  const key = formatKey(resource, id);
  const row: ImportRow & RowValues = {
    source: { values: record, item: key, problems: [], warnings: [] },
    place: key,
    problems,
    key,
    read: readItself,
    fields,
    links,
    linkedData: {},
    times: resource.hasDates ? getTimes(one, String(fields["timezone"]), problems) : undefined,
  };
  return { row, name: formatRecordName(resource, record), losses };
}

function getValue(
  field: Field,
  { resource, record, raw }: SourceRecord,
  { source, target, picture }: CopyRowOptions,
  losses: string[],
): unknown {
  const { name, format } = field;
  if (name === "image") return picture?.value;
  if (name === "slug") return decodeSlug(getText(record, name));
  if (name === "status" && record[name] === scheduledStatus) {
    losses.push(`status: without its publication date a record that is ${scheduledStatus} becomes a draft`);
    return "draft";
  }
  // Only a server of the same kind understands what is stored.
  const isSameKind = source.profile.rendersText && target.rendersText;
  if (name === "cost" && isSameKind) return planPrice(record, raw)?.cost;
  const stored = isSameKind ? raw?.values[name] : undefined;
  if (stored !== undefined) return stored;
  if (format !== "html" || !source.profile.rendersText) return toWritableValue(field, record, source.profile);
  const shown = getText(record, name).trim();
  if (shown !== "" && isSameKind && source.profile.rawPaths[resource.name] !== undefined)
    losses.push(`${name}: only its HTML for the page can be read, and that is copied`);
  return shown;
}

/** The ids in the source. */
function getLinks(
  field: Field,
  { resource, record }: SourceRecord,
  { source, target, records }: CopyRowOptions,
  losses: string[],
): readonly string[] {
  const linked = resources[field.refersTo ?? "events"];
  const ids = getValidLinkedIds(field, record, source.profile);
  const readable = ids.filter((id) => records.has(formatKey(linked, id)));
  for (const id of ids) if (!readable.includes(id)) losses.push(`${field.name}: ${linked.singular} ${id} can't be read`);
  const isSingle = target.scalarFields[resource.name]?.includes(field.name) === true;
  if (!isSingle || readable.length < 2) return readable;
  losses.push(`${field.name}: the target takes only the first of several`);
  return readable.slice(0, 1);
}

function getTimes({ record }: SourceRecord, zone: string, problems: Problem[]): RowTimes | undefined {
  const [start, end] = ["start_date", "end_date"].map((name) => {
    const [day = "", time = ""] = normalizeDateTime(record[name])?.split(" ") ?? [];
    if (day === "") problems.push({ message: `its ${name} can't be read: ${JSON.stringify(record[name] ?? null)}` });
    return day === "" ? undefined : { day, time };
  });
  return { start, end, endTime: undefined, isAllDay: record["all_day"] === true, zone };
}
