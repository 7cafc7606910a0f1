// The occurrences of a recurrence rule (RFC 5545, 3.3.10). The only importer of rrule-temporal.
import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "../dates/temporal.ts";

/** Steps of one rule at most, whether they give an occurrence or not: a daily rule takes 270 years for them. */
const maxSteps = 100_000;

interface RuleExpansion {
  /** The value of RRULE without UNTIL. */
  readonly rule: string;
  /** Wall time `YYYY-MM-DD HH:MM:SS` of the first occurrence. */
  readonly start: string;
  readonly zone: string;
  /** No occurrence after this instant, in milliseconds since 1970. */
  readonly last: number;
  /** The start is an occurrence also where the rule does not name it. */
  readonly withStart: boolean;
}

/**
 * Calls `visit` with the instant of each occurrence in order, until it returns false. Wall times that the clocks skip are left out, as RFC 5545
 * says. Throws an Error for a malformed rule, and for one that takes too many steps.
 */
export function expandRule({ rule, start, zone, last, withStart }: RuleExpansion, visit: (epoch: number) => boolean): void {
  const until = new Date(Math.max(last, -62_135_596_800_000)).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const dtstart = Temporal.PlainDateTime.from(start.replace(" ", "T")).toZonedDateTime(zone);
  if (dtstart.epochMilliseconds > last) return;
  const expansion = new RRuleTemporal({
    rruleString: `${rule};UNTIL=${until}`,
    dtstart,
    includeDtstart: withStart,
    maxIterations: maxSteps,
    maxCandidateEvaluations: maxSteps,
    cache: false,
  });
  expansion.all(({ epochMilliseconds }) => epochMilliseconds <= last && visit(epochMilliseconds));
}
