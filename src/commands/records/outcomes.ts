// Many refs worked through, so many at once; what became of each, in the order given.
import { CalError } from "../../errors.ts";
import type { Outcome } from "../../output/report.ts";
import type { RefArgument } from "./refs.ts";

/** Outcomes that may wait for an earlier one, for each ref that is under way. A reader who stops should not find much more done. */
const bufferFactor = 4;

/** Outcomes in one group at most. */
const maxGroupSize = 200;

/** A ref that was begun, until its outcome has been yielded. */
interface PendingOutcome<T> {
  readonly outcome: Promise<Outcome<T> | undefined>;
  isSettled: boolean;
}

/** Does the work for each ref, so many at once, and yields the outcomes in the order of the refs: those that are there, in groups. */
export async function* runConcurrently<T>(
  refs: readonly RefArgument[],
  atOnce: number,
  work: (ref: RefArgument) => Promise<T | undefined>,
): AsyncGenerator<readonly Outcome<T>[]> {
  const begun: PendingOutcome<T>[] = [];
  let next = 0;
  let active = 0;
  let stopped: CalError | undefined;
  const begin = (ref: RefArgument): PendingOutcome<T> => {
    active += 1;
    const one: PendingOutcome<T> = {
      isSettled: false,
      outcome: runForOutcome(ref, stopped, work)
        .then((outcome) => {
          stopped ??= findFatalError(outcome);
          return outcome;
        })
        .finally(() => {
          one.isSettled = true;
          active -= 1;
          fill();
        }),
    };
    // A defect in one of them ends the loop below; those still under way must not end the process after it.
    one.outcome.catch(() => undefined);
    return one;
  };
  const fill = () => {
    for (let ref = refs[next]; ref !== undefined && active < atOnce && begun.length < atOnce * bufferFactor; ref = refs[++next])
      begun.push(begin(ref));
  };
  try {
    for (fill(); begun.length > 0; fill()) {
      const group: Outcome<T>[] = [];
      do {
        const outcome = await begun[0]?.outcome;
        begun.shift();
        if (outcome !== undefined) group.push(outcome);
      } while (begun[0]?.isSettled === true && group.length < maxGroupSize);
      if (group.length > 0) yield group;
    }
  } finally {
    next = refs.length;
  }
}

/** Without access or with a broken set-up the rest would fail alike, thousands of times. */
function findFatalError(outcome: Outcome<unknown> | undefined): CalError | undefined {
  const { error } = outcome ?? {};
  return error?.kind === "unauthenticated" || error?.kind === "local" ? error : undefined;
}

async function runForOutcome<T>(
  { text, ref }: RefArgument,
  stopped: CalError | undefined,
  work: (ref: RefArgument) => Promise<T | undefined>,
): Promise<Outcome<T> | undefined> {
  if (stopped !== undefined) return { ref: text, ok: false, error: stopped };
  try {
    const record = await work({ text, ref });
    return record === undefined ? undefined : { ref: text, ok: true, record };
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { ref: text, ok: false, error };
  }
}
