// How many records one command may write and delete. Everything that has a plan calls `assertWithinLimits` before it asks or writes.
import { type Problem, usageError } from "../errors.ts";
import type { Change } from "./change.ts";

/** The limits of one command. */
export interface Limits {
  /** `--max-changes`. */
  readonly maxChanges?: number | undefined;
  /** `--max-delete`; typing it also switches off the rule of 30 %. */
  readonly maxDelete?: number | undefined;
  /** Of a plan that is made from a source: a file, a feed or a folder. */
  readonly source?: ManagedSource | undefined;
}

/** What is known of a source whose missing records are deleted. */
export interface ManagedSource {
  /** The records that the ledger of the source knows, before the plan is carried out. */
  readonly managed: number;
  /** Whether the source holds no record any more. */
  readonly isEmpty: boolean;
}

/** A source that manages fewer records may delete any of them. */
const minManaged = 10;
const maxDeletedShare = 0.3;

/**
 * Throws a usage error where more would be written than the limits allow. `changes` are those that would really be written. A plan from a
 * source is refused where the source is empty, or where more than 30 % of the records that it manages would be deleted, unless `--max-delete`
 * was typed.
 */
export function assertWithinLimits(changes: readonly Change[], limits: Limits): void {
  const problem = findLimitProblem(countWrites(changes), limits);
  if (problem !== undefined) throw usageError([problem]);
}

/** How many records would be written; deletions are writes too. */
interface WriteCounts {
  readonly writes: number;
  readonly deletions: number;
}

export function countWrites(changes: readonly Change[]): WriteCounts {
  return { writes: changes.length, deletions: changes.filter(({ op }) => op === "delete").length };
}

/** The same as a problem, for a command that reports all its problems at once. */
export function findLimitProblem({ writes, deletions }: WriteCounts, { maxChanges, maxDelete, source }: Limits): Problem | undefined {
  const excess: readonly (readonly [problem: string | undefined, flag: string])[] = [
    [findChangesProblem(writes, maxChanges), `--max-changes ${writes}`],
    [
      maxDelete === undefined ? source && findSourceProblem(deletions, source) : findDeleteProblem(deletions, maxDelete),
      `--max-delete ${deletions}`,
    ],
  ];
  const found = excess.filter(([problem]) => problem !== undefined);
  if (found.length === 0) return undefined;
  return {
    message: `${found.map(([problem]) => problem).join("; ")}; nothing was sent`,
    hint: { text: "if that is meant", flags: found.map(([, flag]) => flag).join(" ") },
  };
}

function findChangesProblem(count: number, allowed: number | undefined): string | undefined {
  return allowed !== undefined && count > allowed ? `${count} records would be written, --max-changes allows ${allowed}` : undefined;
}

function findDeleteProblem(deletions: number, allowed: number): string | undefined {
  return deletions > allowed ? `${deletions} records would be deleted, --max-delete allows ${allowed}` : undefined;
}

function findSourceProblem(deletions: number, { managed, isEmpty }: ManagedSource): string | undefined {
  if (deletions === 0) return undefined;
  if (isEmpty) return `the source is empty, and ${deletions} records would be deleted`;
  if (managed < minManaged || deletions <= managed * maxDeletedShare) return undefined;
  return `${deletions} of ${managed} records of this source would be deleted, which is more than 30 %`;
}
