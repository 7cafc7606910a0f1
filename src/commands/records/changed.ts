// What an update changed, a line for each field, as the server answered it.
import type { DataRecord } from "../../api/record.ts";
import type { Input } from "../../api/request.ts";
import type { FieldChange } from "../../api/update.ts";
import { toWritableValue } from "../../api/writable.ts";
import type { Field } from "../../spec/field.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerProfile } from "../../spec/server-kinds.ts";
import { formatFieldValue } from "./told.ts";

/** The record before and after an update. */
export interface UpdateResult {
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
