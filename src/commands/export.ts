// Records for other programs and for people: iCalendar, Markdown, HTML, and the CSV of an importer.
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import type { Resource } from "../model/resource.ts";
import { type DocumentFormatter, exportFormats, type Report } from "../output/report.ts";
import { unbreakable } from "../text.ts";
import type { Handler, Invocation } from "./command.ts";

/** Runs the handler, and prints its records in the export format that a flag chooses. A report without records stays as it is. */
export async function exportRecords(resource: Resource, handler: Handler, invocation: Invocation, context: Context): Promise<Report> {
  const format = exportFormats.find((one) => one === invocation.flags["format"]);
  const chosen = ["fields", "field"].filter((name) => context.globals[name] !== undefined);
  const problems = format === undefined ? [] : chosen.map((name) => `--${name} and --format ${format} exclude each other`);
  const report = await handler({ ...invocation, problems: [...invocation.problems, ...problems] }, context);
  if (report.kind !== "list" && report.kind !== "record" && report.kind !== "outcomes") return report;
  if (format === "ics") return { ...report, toDocument: (records) => formatIcs(records, context) };
  if (format !== undefined) return { ...report, toDocument: (records) => formatProgrammeOf(format, records, context) };
  return report.kind === "list" ? (await import("./export-for-importer.ts")).toImportReport(resource, report, context) : report;
}

async function* formatIcs(records: Parameters<DocumentFormatter>[0], context: Context): AsyncGenerator<string> {
  const { formatCalendar } = await import("../ical/write.ts");
  const { base_url } = await context.settings();
  const host = base_url === undefined ? "localhost" : new URL(base_url.value).hostname;
  let unreadable = 0;
  const onUnreadable = () => {
    unreadable += 1;
  };
  yield* formatCalendar(records, { host, onUnreadable });
  await warnAboutUnreadable(unreadable, context);
}

/** A programme is printed when the list is complete, because it is in order of time. */
async function* formatProgrammeOf(
  format: "markdown" | "html",
  records: Parameters<DocumentFormatter>[0],
  context: Context,
): AsyncGenerator<string> {
  const { createProgramme, groupEventsByFirstDay } = await import("./programme.ts");
  const { formatProgramme } = await import("../output/programme.ts");
  const { tz } = await context.settings();
  const all: DataRecord[] = [];
  for await (const batch of records) all.push(...batch);
  const { days, unreadable } = groupEventsByFirstDay(all, tz.value);
  yield formatProgramme(createProgramme(days, tz.value), format);
  await warnAboutUnreadable(unreadable, context);
}

async function warnAboutUnreadable(count: number, context: Context): Promise<void> {
  if (count > 0)
    await context.warn(
      `${count} of the events have a date that can't be read and are left out: ${unbreakable("cal events list --json")} shows them`,
    );
}
