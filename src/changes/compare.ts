// Compares records: what a source wants, what was agreed before, and what the site has (three-way compare).
import { hash } from "node:crypto";
import { type DataRecord, isRecord } from "../data-record.ts";
import { decodeEntities } from "../html-text.ts";
import { valueToText } from "../http/json.ts";
import type { Field, Resource } from "../model/resource.ts";
import { normalizeText } from "../text.ts";
import type { FieldChange } from "./change.ts";

/** Values of one record by the names of its fields. Links are lists of ids. */
export type Values = Readonly<Record<string, unknown>>;

/** What was agreed at the last write, by field. A field that one side does not have was not written then. */
export interface Base {
  /** Hashes of what was sent. */
  readonly sent: Readonly<Record<string, string>>;
  /** Hashes of what the site answered. */
  readonly answered: Readonly<Record<string, string>>;
}

/** `skip` leaves a record with a conflict alone; the others say which side is right. */
export type ConflictRule = "skip" | "source" | "site";

export const conflictRules: readonly ConflictRule[] = ["skip", "source", "site"];

export interface Comparison {
  /** What to send. Empty where there is a conflict that nobody has decided. */
  readonly changes: readonly FieldChange[];
  /** What the source alone has changed, also where a conflict elsewhere keeps it back. */
  readonly edits: readonly FieldChange[];
  /** Fields that differ on both sides; empty where a rule has decided them. */
  readonly conflicts: readonly { readonly name: string; readonly source: unknown; readonly site: unknown }[];
  /** Fields that were edited on the site alone: they stay. */
  readonly kept: readonly string[];
  /** Fields whose base becomes the current state: equal ones, sent ones, and decided ones. */
  readonly agreed: readonly string[];
}

export interface ComparisonInput {
  readonly resource: Resource;
  /** What the source wants; a field that it does not have is not compared. */
  readonly desired: Values;
  /** What the site has, raw where it can be read raw. */
  readonly current: DataRecord;
  /** Absent: the record was found on the site, and nothing is known of earlier writes (adoption). */
  readonly base?: Base | undefined;
  readonly onConflict: ConflictRule;
  /** Fields of which only rendered text can be read, and that count as unchanged because the record was not modified since the base. */
  readonly unmodified?: readonly string[];
  /** Whether the site shows this value in its own way. Asked where both sides differ from the base, or where there is none. */
  readonly isAlike?: (field: Field) => boolean;
}

/** Compares field by field. Without a base, an empty field of the site is filled, and any other difference is a conflict. */
export function compareRecord({ resource, desired, current, base, onConflict, unmodified = [], isAlike }: ComparisonInput): Comparison {
  const changes: FieldChange[] = [];
  const conflicts: { name: string; source: unknown; site: unknown }[] = [];
  const kept: string[] = [];
  const agreed: string[] = [];
  for (const field of resource.fields) {
    const { name } = field;
    if (!Object.hasOwn(desired, name)) continue;
    const [to, from] = [desired[name], current[name]];
    const [source, site] = [normalizeValue(field, to), normalizeValue(field, from)];
    const change = { name, from, to, origin: "input" } as const;
    const sent = base?.sent[name];
    const answered = base?.answered[name];
    const isSourceChanged = sent === undefined || hashText(source) !== sent;
    const isSiteChanged = !unmodified.includes(name) && (answered === undefined || hashText(site) !== answered);
    if (!isSourceChanged && !isSiteChanged) continue;
    if (source === site) agreed.push(name);
    else if (!isSourceChanged) kept.push(name);
    else if (!isSiteChanged || (answered === undefined && site === "")) changes.push(change);
    else if (isAlike?.(field) === true) agreed.push(name);
    else if (onConflict === "source") changes.push(change);
    else if (onConflict === "site") agreed.push(name);
    else conflicts.push({ name, source: to, site: from });
  }
  if (conflicts.length > 0) return { changes: [], edits: changes, conflicts, kept, agreed: [] };
  return { changes, edits: changes, conflicts, kept, agreed: [...agreed, ...changes.map(({ name }) => name)] };
}

/** The base of these fields after they were written or found equal: the hashes of both sides. */
export function createBase(resource: Resource, names: readonly string[], desired: Values, answered: DataRecord): Base {
  const hashAll = (values: Values) =>
    Object.fromEntries(
      resource.fields
        .filter(({ name }) => names.includes(name))
        .map((field) => [field.name, hashText(normalizeValue(field, values[field.name]))]),
    );
  return { sent: hashAll(desired), answered: hashAll(answered) };
}

/** A value for comparisons: Unicode and entities normalized, links as a sorted set of ids; "" is empty. */
export function normalizeValue(field: Field, value: unknown): string {
  if (field.type === "integers") {
    const items: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null || value === "" ? [] : [value];
    const ids = items.map((item) => valueToText(isRecord(item) ? (item["id"] ?? item) : item));
    return [...new Set(ids)].sort().join(",");
  }
  if (value === false && field.type !== "boolean") return "";
  return normalizeText(decodeEntities(valueToText(value)).replace(/\r\n?/g, "\n"), "NFC").trim();
}

/** A short hash of a text: it tells values apart. "" has the hash "". */
export function hashText(text: string): string {
  // A slice of the digits would keep all of them in memory.
  return text === "" ? "" : Buffer.from(hash("sha256", text)).toString("latin1", 0, 16);
}
