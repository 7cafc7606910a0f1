// A report on stdout, the way the user wants to see it.
import type { Invocation } from "./commands/command.ts";
import { parseNames } from "./commands/command.ts";
import type { Settings } from "./config/settings.ts";
import type { Context } from "./context.ts";
import { adviceOf, CalError } from "./errors.ts";
import { sanitizeLine } from "./http/line.ts";
import { toBatches } from "./output/grouped.ts";
import type { Report } from "./output/report.ts";
import { type Format, formats, type OutputOptions } from "./output/view.ts";
import { resolveStyle } from "./terminal/style.ts";

/** Prints a report; stops reading it where nobody listens any more (`| head`). */
export async function printReport(report: Report, invocation: Invocation, context: Context): Promise<void> {
  if (report.kind === "nothing") return;
  const { stdout } = context.io;
  if (report.kind === "text") return stdout.write(report.text);
  const { render } = await import("./output/render.ts");
  const dropped: string[] = [];
  const nested: { readonly path: string; readonly part: string }[] = [];
  const view = await createView(report, invocation, context, {
    onDropped: (headers) => dropped.push(...headers),
    onNested: (path, part) => nested.push({ path, part }),
  });
  try {
    for await (const text of render(withFailuresOnStderr(report, view, context), view)) {
      await stdout.write(text);
      if (stdout.closed) return;
    }
  } catch (error) {
    throw toDisplayError(report, error);
  }
  if (report.kind === "record" && report.nextStep !== undefined) await context.notice(report.nextStep);
  if (dropped.length > 0) await context.notice(`no room for ${dropped.join(", ")}: --wide shows all`);
  if (nested.length > 0) {
    const paths = nested.map(({ path }) => path).join(", ");
    const parts = nested.map(({ part }) => part).join(",");
    await context.notice(`printed as JSON: ${paths}; for parts of them: --fields ${parts}`);
  }
}

/** Usage errors mean that nothing was sent; what is wrong only with how the answer of a write is to be shown must not look like one. */
function toDisplayError(report: Report, error: unknown): unknown {
  if (report.kind !== "value" || report.completedRequest === undefined || !(error instanceof CalError) || error.kind !== "usage")
    return error;
  return new CalError("local", `${report.completedRequest}; only the answer can't be shown so: ${error.message}`, {
    ...error.details,
    code: "not-shown",
  });
}

/** Formats that have no place for a ref that failed: it is told on stderr. */
function withFailuresOnStderr(report: Report, { format, field }: OutputOptions, { say }: Context): Report {
  if (report.kind !== "outcomes" || (format !== "ids" && format !== "count" && field === undefined)) return report;
  const told = async function* (outcomes: typeof report.outcomes) {
    for await (const group of toBatches(outcomes)) {
      for (const { ref, error } of group) if (error !== undefined) await say(sanitizeLine(`cal: ${ref}: ${adviceOf(error)}`));
      yield group;
    }
  };
  return { ...report, outcomes: told(report.outcomes) };
}

async function createView(
  report: Report,
  invocation: Invocation,
  context: Context,
  told: Pick<OutputOptions, "onDropped" | "onNested">,
): Promise<OutputOptions> {
  const { globals, io, env } = context;
  const settings = await context.settings().catch((error: unknown) => {
    if (report.kind === "list" && report.withoutSettings === true) return undefined;
    throw error;
  });
  const { stdout } = io;
  const width = stdout.columns;
  return {
    format: getRequestedFormat(settings, context) ?? getDefaultFormat(report, stdout.isTTY, globals["columns"] !== undefined),
    header: globals["no-header"] !== true,
    envelope: invocation.flags["envelope"] === true,
    excel: globals["excel"] === true,
    wide: globals["wide"] === true,
    tty: stdout.isTTY,
    style: await resolveStyle(stdout, env, globals),
    get zone() {
      return settings?.tz.value;
    },
    ...told,
    ...(globals["fields"] === undefined ? {} : { fields: parseNames(globals["fields"]) }),
    ...(globals["field"] === undefined ? {} : { field: String(globals["field"]) }),
    ...(globals["columns"] === undefined ? {} : { columns: parseNames(globals["columns"]) }),
    ...(width === undefined ? {} : { width }),
  };
}

/** The format that a flag, the environment or the profile asks for; undefined where none does. Without settings only the flags are known. */
export function getRequestedFormat(settings: Settings | undefined, { globals }: Pick<Context, "globals">): Format | undefined {
  const asked = settings?.format?.value ?? (globals["json"] === true ? "json" : globals["format"]);
  return formats.find((format) => format === asked);
}

/** What a server answers to `cal api` stays JSON, as people and scripts expect of it; records, and what has columns, are a table or TSV. */
function getDefaultFormat(report: Report, isTTY: boolean, columns: boolean): Format {
  if (report.kind === "value" && report.text === undefined && !columns) return "json";
  return isTTY ? "table" : "tsv";
}
