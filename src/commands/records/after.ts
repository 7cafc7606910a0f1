// What is said on stderr after a write: what was done, and what the server did not keep.
import { differences } from "../../api/compare.ts";
import { type DataRecord, idOf, textAt } from "../../api/record.ts";
import type { Input } from "../../api/request.ts";
import { plainText } from "../../http/clean.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Scene } from "./site.ts";
import { told } from "./told.ts";

/** `event 123 "Jazz Night"`. */
export function named(resource: Resource, record: DataRecord): string {
  const name = plainText(textAt(record, resource.title));
  return joined(resource.singular, idOf(record), name === "" ? "" : JSON.stringify(name));
}

/** `event 123 "Jazz Night" https://...`; `when` it is stands before its address. */
export function described(resource: Resource, record: DataRecord, when?: string): string {
  return joined(named(resource, record), when, textAt(record, "url"));
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** Warns of every field that the answer shows otherwise than it was sent, and of links that it does not show at all. */
export async function warnOfDifferences({ context, resource, site }: Scene, sent: Input, answer: DataRecord): Promise<void> {
  for (const { field, sent: given, kept } of differences(resource, sent, answer, site.kind)) {
    const spec = resource.fields.find(({ name }) => name === field);
    const said = kept === undefined ? `the answer does not show ${field}` : `the server keeps ${field} as ${told(spec, kept, [answer])}`;
    const beyond = spec?.beyond === true && kept === undefined ? "; this server may not know it" : "";
    await context.warn(`${described(resource, answer)}: ${said}, sent was ${told(spec, given, [answer])}${beyond}`);
  }
}
