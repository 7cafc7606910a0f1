// A write as a value: what it changes, the order of changes, and how many are allowed.
import { usageError } from "../errors.ts";
import type { ResourceName } from "../model/resource.ts";

export const operations = ["create", "update", "delete", "restore"] as const;

export type Operation = (typeof operations)[number];

/** What a change is about: a record of a resource, or an uploaded file. */
export type ChangeResource = ResourceName | "media";

/** Where a value comes from: the user or the source gave it, it is repeated so that the server does not lose it, or it was looked up. */
export const origins = ["input", "preserved", "resolved"] as const;

export interface FieldChange {
  readonly name: string;
  /** The former value as it would be written; absent where there was none. */
  readonly from?: unknown;
  /** The new value as it is written. In links an id can be a `KeyRef`. */
  readonly to: unknown;
  readonly origin: (typeof origins)[number];
}

/** Stands for the id of the record that another change of the plan creates. */
export interface KeyRef {
  readonly key: string;
}

/** One record to be written. */
export interface Change {
  readonly op: Operation;
  readonly resource: ChangeResource;
  /** Names the change inside its plan: a ref, an import key, a file name. */
  readonly key: string;
  /** Digits; absent for a create. */
  readonly id?: string;
  /** The name of the record, for people. */
  readonly title?: string;
  /** What was read when it was planned; a saved plan refuses a record that has another hash. */
  readonly read?: { readonly hash: string; readonly how: "raw" | "view" };
  /** Of a deletion, values that the record must still have: from and to are the same. */
  readonly fields: readonly FieldChange[];
  /** Keys of the changes that must be done first. */
  readonly needs: readonly string[];
  /** Of a delete: it is refused where an event still links to the record. */
  readonly onlyIfUnused?: true;
  readonly source?: { readonly file: string; readonly line?: number; readonly item?: string };
}

/** A record that is not written, with the reason. */
export interface Skipped {
  readonly key: string;
  readonly reason: string;
}

/** A record that is not written because the site and the source disagree, or because several records match. */
export interface Conflict {
  readonly key: string;
  readonly resource: ChangeResource;
  readonly id?: string;
  readonly fields: readonly { readonly name: string; readonly source: unknown; readonly site: unknown }[];
  /** The ids of several records that match. */
  readonly candidates?: readonly string[];
}

/** What identifies a site in plans, journals and ledgers: the address of its interface, or `sandbox`. */
export type SiteId = string;

export interface Plan {
  readonly version: 1;
  readonly site: SiteId;
  /** In the order in which they are carried out. */
  readonly changes: readonly Change[];
  /** Records that were compared and are as they should be. */
  readonly unchanged: number;
  readonly skipped: readonly Skipped[];
  readonly conflicts: readonly Conflict[];
}

/** The site of these settings. Other parameters of the address can be secret, so only its path and `rest_route` count. */
export function createSiteId({ base_url, namespace, sandbox }: SiteSettings): SiteId {
  if (sandbox.value) return "sandbox";
  if (base_url === undefined) throw new Error("no site is chosen");
  const { origin, pathname, searchParams } = new URL(base_url.value);
  const route = searchParams.get("rest_route");
  const root = `${origin}${pathname}${route === null ? "" : `?rest_route=${route}`}`;
  return `${root.replace(/\/+$/, "")}/${namespace.value}`;
}

interface SiteSettings {
  readonly base_url?: { readonly value: string };
  readonly namespace: { readonly value: string };
  readonly sandbox: { readonly value: boolean };
}

/** Whether a value stands for the id of a record that is created first. */
export function isKeyRef(value: unknown): value is KeyRef {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string" && Object.keys(value).length === 1;
}

/** Whether a value of a field links to such a record, alone or among others. */
export function isLinkToNew(value: unknown): boolean {
  return [value].flat().some(isKeyRef);
}

/** The keys of the changes that must be done before a record with these values is written. */
export function findNeeds(values: Readonly<Record<string, unknown>>): readonly string[] {
  const links = Object.values(values).flat().filter(isKeyRef);
  return [...new Set(links.map(({ key }) => key))];
}

/** The order of resources: a record comes after those that it can link to. */
const resourceOrder: readonly ChangeResource[] = ["media", "categories", "tags", "organizers", "venues", "events"];

/** Deletions are last, and in the reverse order: events before the records that they link to. */
function getRank({ op, resource }: Change): number {
  const rank = resourceOrder.indexOf(resource);
  return op === "delete" ? 2 * resourceOrder.length - rank : rank;
}

/** The changes in the order in which they are carried out: by resource, and each after those that it needs. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
  const byKey = new Map(changes.map((change) => [change.key, change]));
  if (byKey.size < changes.length) throw usageError("two changes of the plan have the same key");
  const sorted = new Set<Change>();
  const visit = (change: Change, path: readonly string[]): void => {
    if (sorted.has(change)) return;
    if (path.includes(change.key)) throw usageError(`changes of the plan need each other: ${[...path, change.key].join(", ")}`);
    for (const key of change.needs) {
      const needed = byKey.get(key);
      if (needed === undefined) throw usageError(`${change.key} needs ${key}, which is not in the plan`);
      visit(needed, [...path, change.key]);
    }
    sorted.add(change);
  };
  for (const change of [...changes].sort((left, right) => getRank(left) - getRank(right))) visit(change, []);
  return [...sorted];
}

/** `2 to create, 14 to update, 1 to delete`. */
export function formatCounts(changes: readonly Change[]): string {
  const counts = operations.flatMap((op) => {
    const count = changes.filter((change) => change.op === op).length;
    return count === 0 ? [] : [`${count} to ${op}`];
  });
  return counts.length === 0 ? "nothing to change" : counts.join(", ");
}
