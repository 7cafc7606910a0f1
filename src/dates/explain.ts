// How an expression of the date grammar is read, as plain data: what `cal date` prints.
import { weekdays } from "./day.ts";
import { type DateReference, type Moment, type Precision, toZonedDateTime } from "./parse.ts";
import { parseRange } from "./range.ts";

/** One moment in every form that a person or a script may want. */
export interface ExplainedMoment {
  /** `YYYY-MM-DD HH:MM:SS` in the zone. */
  readonly wall: string;
  readonly weekday: string;
  /** The distance from UTC, as `+HH:MM`. */
  readonly offset: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly utc: string;
  /** Seconds since 1970. */
  readonly epoch: number;
}

/** What an expression means as a start and as an end; keys are as JSON shows them. */
export interface Explanation {
  readonly expression: string;
  readonly zone: string;
  /** Whether the zone came from the expression. */
  readonly own_zone: boolean;
  readonly precision: Precision;
  readonly start: ExplainedMoment;
  readonly end: ExplainedMoment;
  readonly warnings: readonly string[];
}

/** Reads an expression of the date grammar for both sides; the usage errors are those of `parseDate`. */
export function explain(text: string, reference: DateReference): Explanation {
  const { from, to } = parseRange(text, reference);
  const { zone, ownZone, precision } = from;
  const warnings = [...new Set([...from.warnings, ...to.warnings])];
  return { expression: text, zone, own_zone: ownZone, precision, start: explainMoment(from), end: explainMoment(to), warnings };
}

function explainMoment(moment: Moment): ExplainedMoment {
  const at = toZonedDateTime(moment);
  const weekday = weekdays[at.dayOfWeek - 1] ?? "";
  const utc = at.toInstant().toString({ smallestUnit: "second" });
  return { wall: moment.wall, weekday, offset: at.offset, utc, epoch: moment.epoch / 1000 };
}
