// What an update sends, so that nothing is lost: the changes alone, or with what the server would otherwise reset.
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerKind } from "../spec/server-kinds.ts";
import { sameValue } from "./compare.ts";
import { type DataRecord, idOf } from "./record.ts";
import { bodyOf, type Input, type UpdateMethod } from "./request.ts";
import { carriedRecord, exactId, writableRecord, writableValue } from "./writable.ts";

/** One field that the update changes. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A planned update: nothing to send where `changes` is empty. */
export interface UpdatePlan {
  readonly changes: readonly Change[];
  readonly body: Input;
}

/** Two names of one thing: who sends one must not send the other's old value along. */
const twins: Readonly<Record<string, string>> = { date: "date_utc", date_utc: "date" };

/** Fields whose stored value can't be read back, so that equality proves nothing. */
function isOpaque(field: Field): boolean {
  return field.format === "html" || field.name === "cost";
}

/** Lays what the user gave over the record as it was read. */
export function planUpdate(resource: Resource, current: DataRecord, given: Input, kind: ServerKind, method: UpdateMethod): UpdatePlan {
  const changes = resource.fields.flatMap((field) => {
    const to = given[field.name];
    if (to === undefined) return [];
    const from = writableValue(field, current, kind);
    return !isOpaque(field) && sameValue(field, to, from, kind) ? [] : [{ field: field.name, from, to }];
  });
  const partial = kind.lostOnUpdate[resource.name] === undefined;
  const kept = !partial ? carriedRecord(resource, current, kind) : method === "PUT" ? writableRecord(resource, current, kind) : {};
  // What such a server refuses to be sent empty needs no keeping where it is empty.
  const unclearable = kind.cannotClear[resource.name] ?? {};
  const others = Object.entries(kept).filter(
    ([name, value]) => given[twins[name] ?? ""] === undefined && !(isCleared(value) && name in unclearable),
  );
  return { changes, body: writeBody(resource, { ...Object.fromEntries(others), ...given }, kind, idOf(current)) };
}

/** The body of a write, with the fields that this kind of server empties in a way of its own; `id` is the record's, where it has one that is known. */
export function writeBody(resource: Resource, values: Input, kind: ServerKind, id: string | undefined): Input {
  const result: Record<string, unknown> = { ...values };
  for (const [name, how] of Object.entries(kind.clears[resource.name] ?? {})) {
    if (!isCleared(result[name])) continue;
    if (how === "own-id" && id !== undefined) result[name] = exactId(id);
    else delete result[name];
  }
  return bodyOf(resource, result, kind);
}

/** Whether a given value empties its field. */
export function isCleared(value: unknown): boolean {
  return value === "" || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}
