// Changes made from records: what was read, what a delete removes besides, and the records that a create would double.

import { findNameMatches, listRecords, normalizeRecordName, type RecordSource } from "../api/refs.ts";
import type { Input } from "../api/request.ts";
import { type CurrentRecord, toWritableValue, type UpdatePlan } from "../api/update.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { toPlainText } from "../html-text.ts";
import { stringifyExact, valueToText } from "../http/json.ts";
import type { Field, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import type { Change, FieldChange } from "./change.ts";
import { hashText, normalizeValue } from "./compare.ts";
import type { RemovedLink } from "./journal.ts";

/** A new record with these values. */
export function createCreateChange(resource: Resource, key: string, values: Input, needs: readonly string[] = []): Change {
  const fields = toFieldChanges(values);
  return { op: "create", resource: resource.name, key, title: toPlainText(valueToText(values[resource.titleField])), fields, needs };
}

function toFieldChanges(values: Input): readonly FieldChange[] {
  return Object.entries(values).flatMap(([name, to]) => (to === undefined ? [] : [{ name, to, origin: "input" as const }]));
}

/** The changes of an update that `planUpdate` found. */
export function createUpdateChange(resource: Resource, key: string, current: DataRecord, changes: UpdatePlan["changes"]): Change {
  const fields = changes.map(({ field, from, to }) => ({
    name: field,
    ...(from === undefined ? {} : { from }),
    to,
    origin: "input" as const,
  }));
  return { op: "update", resource: resource.name, key, ...describe(resource, current), fields, needs: [] };
}

/** `record` has at least its id, where it is known. */
export function createDeleteChange(resource: Resource, key: string, record: DataRecord): Change {
  return { op: "delete", resource: resource.name, key, ...describe(resource, record), fields: [], needs: [] };
}

/** A record of the trash gets this status; its other values stay. */
export function createRestoreChange(resource: Resource, key: string, record: DataRecord, status: string): Change {
  const fields = [{ name: "status", from: "trash", to: status, origin: "input" }] as const;
  return { op: "restore", resource: resource.name, key, ...describe(resource, record), fields, needs: [] };
}

function describe(resource: Resource, record: DataRecord): Pick<Change, "id" | "title"> {
  const id = idOf(record);
  return { ...(id === undefined ? {} : { id }), title: toPlainText(getText(record, resource.titleField)) };
}

/**
 * The fields of a change as the record has them after it. Of a new record all of them, null where it has none, so that an undo knows whether
 * somebody has edited it since.
 */
export function getAfter(resource: Resource, { op, fields }: Change, record: DataRecord, profile: ServerProfile): DataRecord {
  const isNew = op === "create";
  const after = (isNew ? resource.fields : fields).flatMap(({ name }) => {
    const field = resource.fields.find((one) => one.name === name);
    const value = field && (toWritableValue(field, record, profile) ?? (isNew ? null : undefined));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(after);
}

/** The values that a change writes, by field. */
export function getNewValues({ fields }: Change): Input {
  return Object.fromEntries(fields.map(({ name, to }) => [name, to]));
}

/** A hash of what was read: it tells whether somebody has changed the record since. Rendered texts can differ each time they are read. */
export function hashRecord(resource: Resource, { record, raw }: CurrentRecord, profile: ServerProfile): NonNullable<Change["read"]> {
  const isExact = ({ format }: Field) => format !== "html" || !profile.rendersText;
  const values = resource.fields.filter(isExact).map((field) => normalizeValue(field, toWritableValue(field, record, profile)));
  const hash = hashText(stringifyExact([record["modified_utc"] ?? record["modified"], values, raw?.values, raw?.meta]));
  return { hash, how: raw === undefined ? "view" : "raw" };
}

/**
 * The links that a delete removes: the lists of the events that have the record, and the parent of its child terms. Undefined where they can't
 * be read: then an undo does not repair them.
 */
export async function readRemovedLinks(site: RecordSource, resource: Resource, id: string): Promise<readonly RemovedLink[] | undefined> {
  if (!resource.isTerm && site.serverProfile.deleteMode === "trashes") return [];
  const read = async (other: Resource, field: Field): Promise<readonly RemovedLink[]> => {
    const found = await listRecords(site, other, { [field.name]: field.type === "integers" ? [id] : id });
    return found.flatMap((record) => {
      const own = idOf(record);
      const value = toWritableValue(field, record, site.serverProfile);
      // A filter by a category also finds the events of its child terms.
      const isLinked = [value].flat().some((one) => valueToText(one) === id);
      return own === undefined || !isLinked ? [] : [{ resource: other.name, id: own, field: field.name, value }];
    });
  };
  const links = Object.values(resources).flatMap((other) => {
    const field = other.fields.find(({ refersTo }) => refersTo === resource.name);
    return field === undefined ? [] : [{ other, field }];
  });
  try {
    return (await Promise.all(links.map(({ other, field }) => read(other, field)))).flat();
  } catch (error) {
    if (error instanceof CalError) return undefined;
    throw error;
  }
}

/** Fields beside the name by which a record is found again: the same name alone can be another record. */
const identityFields: Readonly<Record<string, readonly string[]>> = {
  events: ["start_date", "venue"],
  venues: ["city"],
  organizers: [],
  categories: ["parent"],
  tags: [],
};

/** The records that are what a create would make: the same name, and the same start and venue, city, or parent. */
export async function findSameRecords(site: RecordSource, resource: Resource, values: Input): Promise<readonly DataRecord[]> {
  const fields = resource.fields.filter(({ name }) => name === resource.titleField || identityFields[resource.name]?.includes(name));
  const identityOf = (value: (field: Field) => unknown) => fields.map((field) => normalizeIdentity(field, value(field))).join("\n");
  const wanted = identityOf(({ name }) => values[name]);
  const { records } = await findNameMatches(site, resource, valueToText(values[resource.titleField]));
  return records.filter((record) => identityOf((field) => toWritableValue(field, record, site.serverProfile)) === wanted);
}

function normalizeIdentity(field: Field, value: unknown): string {
  const text = normalizeValue(field, value);
  if (field.name === "parent" && text === "0") return "";
  if (field.format === "date-time") return text.replace("T", " ").slice(0, 16);
  return field.type === "string" ? normalizeRecordName(text) : text;
}
