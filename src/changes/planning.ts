// What a command would write, without sending it: the writes are planned, and the changes are collected.
import type { RecordSource } from "../api/refs.ts";
import { PlannedRequest } from "../http/transport.ts";
import { type Change, isKeyRef } from "./change.ts";
import { type Journal, noJournal } from "./journal.ts";
import { type Keep, keepFields } from "./value-store.ts";

/** The journal of a command that sends nothing: it takes the changes into a plan. */
export function createPlanCollector(keep: Keep): Journal & { readonly planned: readonly Change[] } {
  const planned: Change[] = [];
  const keys = new Set<string>();
  const names = new Map<Change, string>();
  const findFreeKey = (key: string, number = 2): string => {
    const name = number === 2 ? key : `${key} #${number - 1}`;
    return keys.has(name) ? findFreeKey(key, number + 1) : name;
  };
  return {
    ...noJournal,
    // A plan has a hash of what was read.
    isOn: true,
    planned,
    plan: (change) => {
      const key = findFreeKey(change.key);
      keys.add(key);
      const needs = change.fields.flatMap(({ to }) => [to].flat().filter(isKeyRef)).map((ref) => ref.key);
      const collected = keepFields({ ...change, key, needs }, keep);
      names.set(collected, change.key);
      planned.push(collected);
    },
    sortPlan: (order) => {
      const positions = new Map(order.map((name, at) => [name, at]));
      // What is not among them comes first: linked records that are created.
      const positionOf = (change: Change) => positions.get(names.get(change) ?? "") ?? -1;
      planned.sort((left, right) => positionOf(left) - positionOf(right));
    },
  };
}

/** The same site, where no write is sent. */
export function createPlanningSite<S extends Pick<RecordSource, "client">>(site: S): S {
  const write: RecordSource["client"]["write"] = async ({ method, path }) => new PlannedRequest({ method, url: path, headers: {} });
  return { ...site, client: { ...site.client, write } };
}
