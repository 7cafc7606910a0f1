// What an update changed, a line for each field, as the server answered it.
import type { DataRecord } from "../../api/record.ts";
import type { Input } from "../../api/request.ts";
import type { Change } from "../../api/update.ts";
import { writableValue } from "../../api/writable.ts";
import type { Field } from "../../spec/field.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerKind } from "../../spec/server-kinds.ts";
import { told } from "./told.ts";

/** The record before and after an update. */
export interface Turn {
  readonly current: DataRecord;
  readonly answer: DataRecord;
}

/** An update, as far as its lines depend on it. */
interface Job {
  readonly resource: Resource;
  readonly site: { readonly kind: ServerKind };
  /** Whether it is one of several alike. */
  readonly many?: boolean;
}

/** The changes, each on a line of its own: first what was asked for, then what the server did besides. What stayed has no line. */
export function changedLines({ resource, site, many }: Job, changes: readonly Change[], given: Input, turn: Turn): string {
  const { fields } = resource;
  const { current, answer } = turn;
  const line = (field: Field, from: unknown, to: unknown, by = "") => {
    const texts = [from, to].map((value) => told(field, value, [current, answer]));
    return texts[0] === texts[1] ? "" : `\n  ${field.name}: ${texts.join(" -> ")}${by}`;
  };
  const asked = changes.flatMap(({ field: name, from, to }) => {
    const field = fields.find((one) => one.name === name);
    // What the answer does not show is warned of.
    return field === undefined ? [] : line(field, from, writableValue(field, answer, site.kind) ?? to);
  });
  const besides = fields.flatMap((field) => {
    if (given[field.name] !== undefined || !isTold(field, turn)) return [];
    // Sites fill and empty an address by themselves, and of many records that would be a line each.
    if (many === true && field.format === "url") return [];
    return line(field, valueIn(field, current, site.kind), valueIn(field, answer, site.kind), " (by the server)");
  });
  return [...asked, ...besides].join("");
}

/** Only what both records hold, and differently. A page is rendered anew each time, and the publication date of a draft is the moment. */
function isTold({ name, format }: Field, { current, answer }: Turn): boolean {
  const isFleeting = format === "html" || name === "date" || name === "date_utc";
  return !isFleeting && current[name] !== undefined && answer[name] !== undefined && current[name] !== answer[name];
}

/** As the record has it; linked records and pictures, which are told with all that is known of them, by their ids. */
function valueIn(field: Field, record: DataRecord, kind: ServerKind): unknown {
  return field.refersTo !== undefined || field.name === "image" ? writableValue(field, record, kind) : record[field.name];
}
