// `cal date <expression>`: how an expression of the date grammar is read.
import { weekdays } from "../dates/day.ts";
import { type DateReference, type Moment, type Precision, toZonedDateTime } from "../dates/parse.ts";
import { parseRange } from "../dates/range.ts";
import type { Column } from "../model/resource.ts";
import type { Handler } from "./command.ts";
import { shouldRenderText } from "./views.ts";

const momentPaths = ["start", "end"].flatMap((side) => ["wall", "weekday", "offset", "utc", "epoch"].map((part) => `${side}.${part}`));
const columns: readonly Column[] = ["expression", "zone", "own_zone", "precision", ...momentPaths, "warnings"].map((path, index) => ({
  header: path.toUpperCase(),
  path,
  kind: "text",
  priority: index + 1,
}));

/** Explains all words as one expression. Answers with an `Explanation`, or with text where a table is wanted. */
export const date: Handler = async ({ args }, context) => {
  const { tz } = await context.settings();
  const explanation = explain(args.join(" "), { now: context.clock.now(), zone: tz.value });
  for (const warning of explanation.warnings) await context.warn(warning);
  if (!(await shouldRenderText(context))) return { kind: "record", columns, fieldNames: ["start", "end"], record: { ...explanation } };
  const { expression, zone, own_zone, precision, start, end } = explanation;
  const read = `${expression}: ${precision === "time" ? "a moment" : `a whole ${precision}`}, in ${zone}${own_zone ? " (from the expression)" : ""}`;
  const rows = start.epoch === end.epoch ? [formatMoment("at", start)] : [formatMoment("from", start), formatMoment("to", end)];
  return { kind: "text", text: `${read}\n\n${rows.join("\n")}` };
};

/** What an expression means as a start and as an end; the keys are those of the JSON output. */
interface Explanation {
  readonly expression: string;
  readonly zone: string;
  /** Whether the zone came from the expression. */
  readonly own_zone: boolean;
  readonly precision: Precision;
  readonly start: ExplainedMoment;
  readonly end: ExplainedMoment;
  readonly warnings: readonly string[];
}

interface ExplainedMoment {
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

/** The usage errors are those of `parseDate`. */
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

function formatMoment(side: string, { wall, weekday, offset, utc, epoch }: ExplainedMoment): string {
  const name = weekday.charAt(0).toUpperCase() + weekday.slice(1);
  return `  ${side.padEnd(4)}  ${wall} ${offset}, ${name}\n        UTC    ${utc}\n        epoch  ${epoch}\n`;
}
