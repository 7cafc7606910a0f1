// How many records one command may write and delete. Everything that has a plan calls `assertWithinLimits` before it asks or writes.
import { usageError } from "../errors.ts";
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
export function assertWithinLimits(changes: readonly Pick<Change, "op">[], { maxChanges, maxDelete, source }: Limits): void {
  const deletions = changes.filter(({ op }) => op === "delete").length;
  const problems: string[] = [];
  const flags: string[] = [];
  if (maxChanges !== undefined && changes.length > maxChanges) {
    problems.push(`${changes.length} records would be written, --max-changes allows ${maxChanges}; nothing was sent`);
    flags.push(`--max-changes ${changes.length}`);
  }
  const problem = maxDelete === undefined ? source && findSourceProblem(deletions, source) : findDeleteProblem(deletions, maxDelete);
  if (problem !== undefined) {
    problems.push(`${problem}; nothing was sent`);
    flags.push(`--max-delete ${deletions}`);
  }
  if (problems.length > 0) throw usageError(problems, { text: "if that is meant", flags: flags.join(" ") });
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
