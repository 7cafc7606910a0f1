// `cal date <expression>`: how an expression of the date grammar is read.
import { type ExplainedMoment, type Explanation, explain } from "../dates/explain.ts";
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

/** Explains the words as one expression. Answers with the keys of `Explanation`, or in words where a table is wanted. */
export const date: Handler = async ({ args }, context) => {
  const { tz } = await context.settings();
  const explanation = explain(args.join(" "), { now: context.clock.now(), zone: tz.value });
  for (const warning of explanation.warnings) await context.warn(warning);
  if (await shouldRenderText(context)) return { kind: "text", text: formatExplanation(explanation) };
  return { kind: "record", columns, fieldNames: ["start", "end"], record: { ...explanation } };
};

function formatExplanation({ expression, zone, own_zone, precision, start, end }: Explanation): string {
  const read = `${expression}: ${precision === "time" ? "a moment" : `a whole ${precision}`}, in ${zone}${own_zone ? " (from the expression)" : ""}`;
  const rows = start.epoch === end.epoch ? [formatMoment("at", start)] : [formatMoment("from", start), formatMoment("to", end)];
  return `${read}\n\n${rows.join("\n")}`;
}

function formatMoment(side: string, { wall, weekday, offset, utc, epoch }: ExplainedMoment): string {
  const name = weekday.charAt(0).toUpperCase() + weekday.slice(1);
  return `  ${side.padEnd(4)}  ${wall} ${offset}, ${name}\n        UTC    ${utc}\n        epoch  ${epoch}\n`;
}
