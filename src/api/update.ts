// What an update sends, so that nothing is lost: the changes alone, or with what the server would otherwise reset.
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerProfile } from "../spec/server-kinds.ts";
import { isSameValue } from "./compare.ts";
import { type DataRecord, idOf } from "./record.ts";
import { buildBody, type Input, type UpdateMethod } from "./request.ts";
import { pickFieldsLostOnUpdate, toExactId, toWritableRecord, toWritableValue } from "./writable.ts";

/** One field that the update changes. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A planned update: nothing to send where `changes` is empty. */
export interface UpdatePlan {
  readonly changes: readonly FieldChange[];
  readonly body: Input;
}

/** Two names of one thing: who sends one must not send the other's old value along. */
const fieldAliases: Readonly<Record<string, string>> = { date: "date_utc", date_utc: "date" };

/** Fields whose stored value can't be read back, so that equality proves nothing. */
function isOpaque(field: Field): boolean {
  return field.format === "html" || field.name === "cost";
}

/** Lays what the user gave over the record as it was read. */
export function planUpdate(resource: Resource, current: DataRecord, given: Input, kind: ServerProfile, method: UpdateMethod): UpdatePlan {
  const changes = resource.fields.flatMap((field) => {
    const to = given[field.name];
    if (to === undefined) return [];
    const from = toWritableValue(field, current, kind);
    return !isOpaque(field) && isSameValue(field, to, from, kind) ? [] : [{ field: field.name, from, to }];
  });
  const partial = kind.lostOnUpdate[resource.name] === undefined;
  const kept = !partial
    ? pickFieldsLostOnUpdate(resource, current, kind)
    : method === "PUT"
      ? toWritableRecord(resource, current, kind)
      : {};
  // What such a server refuses to be sent empty needs no keeping where it is empty.
  const unclearable = kind.cannotClear[resource.name] ?? {};
  const others = Object.entries(kept).filter(
    ([name, value]) => given[fieldAliases[name] ?? ""] === undefined && !(isClearingValue(value) && name in unclearable),
  );
  return { changes, body: buildWriteBody(resource, { ...Object.fromEntries(others), ...given }, kind, idOf(current)) };
}

/** The body of a write, with the fields that this kind of server empties in a way of its own; `id` is the record's, where it has one that is known. */
export function buildWriteBody(resource: Resource, values: Input, kind: ServerProfile, id: string | undefined): Input {
  const result: Record<string, unknown> = { ...values };
  for (const [name, how] of Object.entries(kind.clearMethods[resource.name] ?? {})) {
    if (!isClearingValue(result[name])) continue;
    if (how === "own-id" && id !== undefined) result[name] = toExactId(id);
    else delete result[name];
  }
  return buildBody(resource, result, kind);
}

/** Whether a given value empties its field. */
export function isClearingValue(value: unknown): boolean {
  return value === "" || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}
