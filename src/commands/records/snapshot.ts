// What `watch` knew of the records after its last round: a file of the state folder for each site, login and filters; and what has changed since.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { toWritableValue } from "../../api/update.ts";
import { writeFileAtomic } from "../../atomic-file.ts";
import { hashText } from "../../changes/compare.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { CalError, codeOf, messageOf } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { parseExactJson, stringifyExact } from "../../http/json.ts";
import type { Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { shellQuote } from "../../text.ts";

/** `entered` and `left`: the record was there before, or is still there, but did not or does not match the filters. */
export type ChangeKind = "created" | "updated" | "deleted" | "entered" | "left";

/** A change of the site, as programs get it. */
export interface SiteChange {
  readonly change: ChangeKind;
  readonly resource: string;
  readonly id: string;
  readonly title: string;
  /** When it was noticed: ISO 8601, UTC. */
  readonly noticed: string;
  /** Of a record that was there before. */
  readonly fields?: readonly { readonly name: string; readonly from: unknown; readonly to: unknown }[];
  /** Its fields as they are, or as they were before it was deleted. */
  readonly record: DataRecord;
}

/** What is known of a record. */
interface KnownRecord {
  readonly fields: DataRecord;
  readonly modified?: string;
}

export interface Snapshot {
  /** When its round began: milliseconds since 1970. */
  readonly taken: number;
  /** By id. */
  readonly records: ReadonlyMap<string, KnownRecord>;
  /** The highest id that a list ever had. */
  readonly highest: string;
  /** Changes that nobody has taken yet. */
  readonly pending: readonly SiteChange[];
}

export function getSnapshotPath(stateFolder: string, resource: Resource, parts: readonly unknown[]): string {
  return join(stateFolder, "watch", `${resource.name}-${hashText(stringifyExact(parts))}.json`);
}

/** The snapshot of a file; undefined where there is none. Rejects with kind `local` where it can't be read. */
export async function readSnapshot(path: string): Promise<Snapshot | undefined> {
  try {
    const value = await parseExactJson(readFileSync(path, "utf8"));
    if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["records"])) throw new Error("it is no snapshot of this version");
    const { taken, highest, records, pending } = value;
    return {
      taken: Number(taken),
      highest: /^\d+$/.test(String(highest)) ? String(highest) : "0",
      records: new Map(Object.entries(records).flatMap(([id, one]) => (isKnownRecord(one) ? [[id, one] as const] : []))),
      pending: Array.isArray(pending) ? pending.filter(isSiteChange) : [],
    };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new CalError("local", `the snapshot ${path} can't be read: ${messageOf(error)}`, {
      code: "snapshot",
      cause: error,
      hint: { text: "to begin again, without what has changed since", command: `rm ${shellQuote(path)}` },
    });
  }
}

const isKnownRecord = (value: unknown): value is KnownRecord => isRecord(value) && isRecord(value["fields"]);
const isSiteChange = (value: unknown): value is SiteChange =>
  isRecord(value) && typeof value["id"] === "string" && isRecord(value["record"]);

/** Replaces the file as a whole. Throws a CalError of kind `local`. */
export function writeSnapshot(path: string, { taken, highest, records, pending }: Snapshot): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, `${stringifyExact({ version: 1, taken, highest, records: Object.fromEntries(records), pending })}\n`);
  } catch (error) {
    throw new CalError("local", `the snapshot can't be written: ${messageOf(error)}`, { code: "snapshot", cause: error });
  }
}

// The comparison.

/** A record that the list does not have any more: as it is now, or `gone`, or `hidden` from this login. */
export type Missing = DataRecord | "gone" | "hidden";

interface ComparisonOptions {
  readonly resource: Resource;
  readonly profile: ServerProfile;
  readonly now: number;
}

/** The clocks of this machine and of the site may differ by so much. */
const clockToleranceMs = 300_000;

/**
 * The records of a whole list as the next snapshot knows them, and what has changed since the one before. Without one nothing has. `missing`
 * has each record of the snapshot that the list does not have.
 */
export function compareWithSnapshot(
  before: Snapshot | undefined,
  listed: readonly DataRecord[],
  missing: ReadonlyMap<string, Missing>,
  options: ComparisonOptions,
) {
  const records = new Map<string, KnownRecord>();
  const changes: SiteChange[] = [];
  const previous = BigInt(before?.highest ?? 0);
  let highest = previous;
  for (const record of listed) {
    const id = idOf(record);
    if (id === undefined || records.has(id)) continue;
    const known = before?.records.get(id);
    const current = toKnownRecord(record, options, known);
    records.set(id, current);
    const number = toNumber(id);
    if (number > highest) highest = number;
    if (before === undefined) continue;
    if (known === undefined) {
      const isCreated = number > previous && isNew(record, before.taken);
      changes.push(createChange(isCreated ? "created" : "entered", id, current, options));
      continue;
    }
    const fields = findFieldChanges(known, current);
    if (fields.length > 0) changes.push(createChange("updated", id, current, options, fields));
  }
  for (const [id, found] of missing) {
    const known = before?.records.get(id);
    if (known === undefined || records.has(id)) continue;
    const current = typeof found === "string" ? known : toKnownRecord(found, options, known);
    if (found === "gone") changes.push(createChange("deleted", id, known, options));
    else changes.push(createChange("left", id, current, options, findFieldChanges(known, current)));
  }
  return { records, highest: String(highest), changes };
}

const toNumber = (id: string): bigint => (/^\d+$/.test(id) ? BigInt(id) : 0n);

/** A record that was published before the last round was there, and did not match. Terms have no such date. */
function isNew(record: DataRecord, lastRound: number): boolean {
  const published = Date.parse(`${getText(record, "date_utc").replace(" ", "T")}Z`);
  return Number.isNaN(published) || published > lastRound - clockToleranceMs;
}

/**
 * The fields of a record as they would be written. Texts that a site renders can look different each time: while the record's date of change
 * is the same, they count as unchanged.
 */
function toKnownRecord(record: DataRecord, { resource, profile }: ComparisonOptions, known?: KnownRecord): KnownRecord {
  const modified = getText(record, "modified_utc") || getText(record, "modified");
  const isUntouched = known !== undefined && modified !== "" && known.modified === modified;
  const fields = resource.fields.flatMap((field) => {
    const isRendered = field.format === "html" && profile.rendersText && isUntouched;
    const value = isRendered ? known.fields[field.name] : toWritableValue(field, record, profile);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const url = getText(record, "url");
  return { fields: { ...Object.fromEntries(fields), ...(url && { url }) }, ...(modified && { modified }) };
}

/** `url` follows the slug, and is no change of its own. A site can return a field that is empty as null, as an empty text, or not at all. */
function findFieldChanges(before: KnownRecord, after: KnownRecord): NonNullable<SiteChange["fields"]> {
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].filter((name) => name !== "url");
  return names.flatMap((name) => {
    const [from, to] = [before.fields[name], after.fields[name]].map((value) => (value === undefined || value === "" ? null : value));
    return isDeepStrictEqual(from, to) ? [] : [{ name, from, to }];
  });
}

function createChange(
  change: ChangeKind,
  id: string,
  { fields: record }: KnownRecord,
  { resource, now }: ComparisonOptions,
  fields?: SiteChange["fields"],
): SiteChange {
  const title = toPlainText(getText(record, resource.titleField));
  const noticed = new Date(now).toISOString();
  return { change, resource: resource.name, id, title, noticed, ...(fields && { fields }), record: { id, ...record } };
}
