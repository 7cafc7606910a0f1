// How the tests of this folder render reports.
import { render } from "../../src/output/render.ts";
import type { Format, OutputOptions, Report } from "../../src/output/report.ts";
import { plainStyle } from "../../src/terminal/style.ts";

/** A view off a terminal, without width and colour, as changed. */
export function createTestView(format: Format, changes: Partial<OutputOptions> = {}): OutputOptions {
  return { format, header: true, envelope: false, excel: false, wide: false, tty: false, style: plainStyle, ...changes };
}

/** Everything that is printed. */
export async function renderText(report: Report, how: OutputOptions): Promise<string> {
  return (await renderChunks(report, how)).join("");
}

/** What is printed, in the chunks it comes in. */
export async function renderChunks(report: Report, how: OutputOptions): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const text of render(report, how)) texts.push(text);
  return texts;
}
