// What a terminal shows of a record that was written: what was done is told on stderr, and the whole of it is a screen long.
import { idOf } from "../../api/record.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";

/** Of a new record these are shown beside what was given. */
const createdSummaryFields = ["id", "slug", "url", "status"];

/** The report of a created record. */
export function summarizeCreated({ name }: Resource, report: Report, given: object): Report {
  if (report.kind !== "record") return report;
  const id = idOf(report.record);
  const all = id === undefined ? {} : { all: `cal ${name} get ${id}` };
  return { ...report, recordSummary: { fields: [...createdSummaryFields, ...Object.keys(given)], ...all } };
}

/** The report of a changed record: its changes have been told. */
export function summarizeUpdated(report: Report): Report {
  return report.kind === "record" ? { ...report, recordSummary: { fields: [] } } : report;
}
