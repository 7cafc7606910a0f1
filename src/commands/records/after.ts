// What is said on stderr after a write: what was done, and what the server did not keep.
import { findDifferences } from "../../api/compare.ts";
import { type DataRecord, getText, idOf } from "../../api/record.ts";
import type { Input } from "../../api/request.ts";
import { toPlainText } from "../../http/clean.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Scene } from "./site.ts";
import { formatFieldValue } from "./told.ts";

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
