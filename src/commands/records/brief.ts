// What a terminal shows of a record that was written: what was done is told on stderr, and the whole of it is a screen long.
import type { Report } from "../../output/report.ts";

/** Of a new record these are shown beside what was given. */
const ofNew = ["id", "slug", "url", "status"];

/** The report of a created record. */
export function createdBriefly(report: Report, given: object): Report {
  return report.kind === "record" ? { ...report, brief: [...ofNew, ...Object.keys(given)] } : report;
}

/** The report of a changed record: its changes have been told. */
export function changedBriefly(report: Report): Report {
  return report.kind === "record" ? { ...report, brief: [] } : report;
}
