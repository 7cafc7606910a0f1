// What a check of `cal doctor` is, and what it finds.
import type { CheckContext } from "./evidence.ts";

/** `skipped`: the check can't be made, which another check or the set-up explains. */
export type CheckState = "ok" | "warning" | "failure" | "skipped";

/** What was seen, and what to do about it: where there is something to do, a command that can be pasted. */
export interface Finding {
  readonly state: CheckState;
  readonly found: string;
  readonly advice?: string;
}

/** A finding by the name of its check: a row of the answer. */
export interface NamedFinding extends Finding {
  readonly check: string;
}

/** A check. It may reject: with Unready it is skipped, with anything else it has failed. */
export interface Check {
  readonly name: string;
  readonly run: (evidence: CheckContext) => Promise<Finding>;
}
