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

const upTo = (most: number, isSigned = false) => ({ most, isSigned });

/** What the parts of a rule may hold: a pattern, or a list of numbers up to a limit. */
const ruleParts: Readonly<Record<string, RegExp | { readonly most: number; readonly isSigned: boolean }>> = {
  FREQ: /^(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY)$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  COUNT: /^0*[1-9]\d{0,5}$/,
  INTERVAL: /^0*[1-9]\d{0,3}$/,
  BYSECOND: upTo(59),
  BYMINUTE: upTo(59),
  BYHOUR: upTo(23),
  BYDAY: /^(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU))*$/,
  BYMONTHDAY: upTo(31, true),
  BYYEARDAY: upTo(366, true),
  BYWEEKNO: upTo(53, true),
  BYMONTH: /^(?:0?[1-9]|1[0-2])(?:,(?:0?[1-9]|1[0-2]))*$/,
  BYSETPOS: upTo(366, true),
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
};

/** What is wrong with a rule that a user typed. Feeds are read with more tolerance. */
export function findRuleProblems(rule: string): readonly string[] {
  const seen = new Set<string>();
  const problems = rule.split(";").flatMap((part) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    const key = name.toUpperCase();
    const allowed = Object.hasOwn(ruleParts, key) ? ruleParts[key] : undefined;
    if (allowed === undefined) return [`${JSON.stringify(part)} is no part of a rule; the parts are ${Object.keys(ruleParts).join(", ")}`];
    if (seen.has(key)) return [`${key} is there twice`];
    seen.add(key);
    const isValid = allowed instanceof RegExp ? allowed.test(value.toUpperCase()) : value.split(",").every((one) => isNumber(one, allowed));
    return isValid ? [] : [`${key} can't be ${JSON.stringify(value)}`];
  });
  const has = (pattern: RegExp) => pattern.test(rule);
  return [
    ...problems,
    ...(has(/(?:^|;)FREQ=/i) ? [] : ["it has no FREQ"]),
    ...(has(/(?:^|;)COUNT=/i) && has(/(?:^|;)UNTIL=/i) ? ["COUNT and UNTIL exclude each other"] : []),
    ...(has(/(?:^|;)BYDAY=[^;]*\d/i) && !has(/(?:^|;)FREQ=(?:MONTHLY|YEARLY)/i)
      ? ["a number in BYDAY needs FREQ=MONTHLY or FREQ=YEARLY"]
      : []),
  ];
}

function isNumber(text: string, { most, isSigned }: { readonly most: number; readonly isSigned: boolean }): boolean {
  const pattern = isSigned ? /^[+-]?0*[1-9]\d{0,2}$/ : /^\d{1,3}$/;
  const least = isSigned ? 1 : 0;
  return pattern.test(text) && Math.abs(Number(text)) <= most && Math.abs(Number(text)) >= least;
}
