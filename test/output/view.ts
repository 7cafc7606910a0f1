// What the tests of this folder look at reports with.
import { render } from "../../src/output/render.ts";
import type { Report } from "../../src/output/report.ts";
import type { Format, View } from "../../src/output/view.ts";
import { plainStyle } from "../../src/terminal/style.ts";

/** A view off a terminal, without width and colour, as changed. */
export function view(format: Format, changes: Partial<View> = {}): View {
  return { format, header: true, envelope: false, excel: false, wide: false, tty: false, style: plainStyle, ...changes };
}

/** Everything that is printed. */
export async function printed(report: Report, how: View): Promise<string> {
  return (await chunks(report, how)).join("");
}

/** What is printed, in the chunks it comes in. */
export async function chunks(report: Report, how: View): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const text of render(report, how)) texts.push(text);
  return texts;
}
