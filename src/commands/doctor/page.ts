// The findings as people read them: nothing is cut, because an advice that is cut can't be pasted.
import { oneLine } from "../../http/line.ts";
import type { View } from "../../output/view.ts";
import { wrap } from "../../output/width.ts";
import type { Row, State } from "./finding.ts";

const colors: Readonly<Record<State, "green" | "magenta" | "red" | "dim">> = {
  ok: "green",
  warning: "magenta",
  failure: "red",
  skipped: "dim",
};

/** Narrower than this, text is not readable, whatever the terminal. */
const leastWidth = 20;

/** A paragraph for each finding, then how many there are of each state. */
export function page(rows: readonly Row[], view: View): string {
  const indent = Math.max(...rows.map(({ check }) => check.length)) + 2;
  const width = view.width === undefined || view.wide ? Number.POSITIVE_INFINITY : Math.max(leastWidth, view.width - indent - 9);
  const lines = rows.flatMap(({ check, state, found, advice }) => {
    const head = `${check.padEnd(indent)}${view.style[colors[state]](state)}${" ".repeat(9 - state.length)}`;
    const rest = " ".repeat(indent + 9);
    const [first = "", ...more] = wrap(oneLine(found), width);
    const todo = advice === undefined ? [] : wrap(`do: ${oneLine(advice)}`, width).map((line) => view.style.cyan(line));
    return [`${head}${first}`, ...[...more, ...todo].map((line) => `${rest}${line}`)];
  });
  return `${[...lines, "", counted(rows)].join("\n")}\n`;
}

function counted(rows: readonly Row[]): string {
  const states = ["ok", "warning", "failure", "skipped"] as const;
  return states
    .map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(", ");
}
