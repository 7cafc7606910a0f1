// The findings as people read them: nothing is cut, because an advice that is cut can't be pasted.
import { sanitizeLine } from "../../http/line.ts";
import type { OutputOptions } from "../../output/view.ts";
import { wrapToWidth } from "../../output/width.ts";
import type { CheckState, NamedFinding } from "./finding.ts";

const stateColors: Readonly<Record<CheckState, "green" | "magenta" | "red" | "dim">> = {
  ok: "green",
  warning: "magenta",
  failure: "red",
  skipped: "dim",
};

/** Narrower than this, text is not readable, whatever the terminal. */
const minWidth = 20;

/** A paragraph for each finding, then how many there are of each state. */
export function renderFindings(rows: readonly NamedFinding[], view: OutputOptions): string {
  const indent = Math.max(...rows.map(({ check }) => check.length)) + 2;
  const width = view.width === undefined || view.wide ? Number.POSITIVE_INFINITY : Math.max(minWidth, view.width - indent - 9);
  const lines = rows.flatMap(({ check, state, found, advice }) => {
    const head = `${check.padEnd(indent)}${view.style[stateColors[state]](state)}${" ".repeat(9 - state.length)}`;
    const rest = " ".repeat(indent + 9);
    const [first = "", ...more] = wrapToWidth(sanitizeLine(found), width);
    const todo = advice === undefined ? [] : wrapToWidth(`do: ${sanitizeLine(advice)}`, width).map((line) => view.style.cyan(line));
    return [`${head}${first}`, ...[...more, ...todo].map((line) => `${rest}${line}`)];
  });
  return `${[...lines, "", formatStateCounts(rows)].join("\n")}\n`;
}

function formatStateCounts(rows: readonly NamedFinding[]): string {
  const states = ["ok", "warning", "failure", "skipped"] as const;
  return states
    .map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(", ");
}
