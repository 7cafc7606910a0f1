// The occurrences of a recurrence rule (RFC 5545, 3.3.10). The only importer of rrule-temporal.
import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "../dates/temporal.ts";

/** Steps of one rule at most, whether they give an occurrence or not: a daily rule takes 270 years for them. */
const maxSteps = 100_000;

/** Days, or parts of a day, from one step to the next. */
const stepLengths: Readonly<Record<string, number>> = {
  YEARLY: 365,
  MONTHLY: 28,
  WEEKLY: 7,
  DAILY: 1,
  HOURLY: 1 / 24,
  MINUTELY: 1 / 1440,
  SECONDLY: 1 / 86_400,
};

/** The steps that a rule may take: those from its start to `last`, and for COUNT those of a year for each occurrence. */
export function countSteps({ rule, start, last }: Pick<RuleExpansion, "rule" | "start" | "last">): number {
  const [, frequency = ""] = /(?:^|;)FREQ=(\w+)/i.exec(rule) ?? [];
  const [, interval = "1"] = /(?:^|;)INTERVAL=(\d+)/i.exec(rule) ?? [];
  const [, count] = /(?:^|;)COUNT=(\d+)/i.exec(rule) ?? [];
  const days = (last - Date.parse(`${start.replace(" ", "T")}Z`)) / 86_400_000;
  const span = days / ((stepLengths[frequency.toUpperCase()] ?? 1) * Math.max(Number(interval), 1));
  const most = count === undefined ? maxSteps : Math.min(maxSteps, Number(count) * 366);
  return Math.max(1000, Math.min(most, Math.ceil(span) + 10));
}

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
  // rrule-temporal 2.2.8 leaves BYDAY out where a year has BYYEARDAY.
  if (/FREQ=YEARLY/i.test(rule) && /(?:^|;)BYYEARDAY=/i.test(rule) && /(?:^|;)BYDAY=/i.test(rule))
    throw new Error("BYYEARDAY and BYDAY together are not supported");
  const until = new Date(Math.max(last, -62_135_596_800_000)).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const dtstart = Temporal.PlainDateTime.from(start.replace(" ", "T")).toZonedDateTime(zone);
  const first = dtstart.epochMilliseconds;
  const steps = countSteps({ rule, start, last });
  if (first > last) return;
  const expansion = new RRuleTemporal({
    rruleString: `${rule};UNTIL=${until}`,
    dtstart,
    includeDtstart: withStart,
    maxIterations: steps,
    maxCandidateEvaluations: Math.min(maxSteps, steps * 20),
    cache: false,
  });
  // The start is counted here: the library does not name it where it is in the last week of the year before.
  const [, count] = /(?:^|;)COUNT=(\d+)/i.exec(rule) ?? [];
  let left = count === undefined ? Number.POSITIVE_INFINITY : Number(count);
  const next = (epoch: number): boolean => {
    left -= 1;
    return left >= 0 && epoch <= last && visit(epoch);
  };
  if (withStart && !next(first)) return;
  expansion.all(({ epochMilliseconds }) => (withStart && epochMilliseconds === first) || next(epochMilliseconds));
}
