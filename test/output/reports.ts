// Reports that the tests of this folder share; the records are cut from answers of a real server.
import type { DataRecord } from "../../src/data-record.ts";
import { CalError } from "../../src/errors.ts";
import { events } from "../../src/model/events.ts";
import type { ListReport, OutcomesReport, RecordReport } from "../../src/output/report.ts";

export const jazzEvent: DataRecord = {
  id: 19,
  title: "Jazz &#8220;Night&#8221; &#038; <b>more</b>",
  start_date: "2026-11-22 09:30:00",
  end_date: "2026-11-22 10:30:00",
  all_day: false,
  timezone: "Europe/Paris",
  timezone_abbr: "CET",
  status: "publish",
  featured: true,
  venue: { id: 5, venue: "Café de l&#8217;Été", city: "Paris" },
  categories: [
    { id: 2, name: "Music" },
    { id: 3, name: "Jazz" },
  ],
  slug: "jazz-night",
};

export const yogaEvent: DataRecord = {
  id: 176,
  title: "Yoga",
  start_date: "2026-11-27 00:00:00",
  end_date: "2026-11-27 23:59:59",
  all_day: true,
  timezone: "America/New_York",
  status: "draft",
  featured: false,
  venue: [],
  categories: [],
  slug: "yoga",
};

export function createListReport(...records: readonly DataRecord[]): ListReport {
  return { kind: "list", columns: events.columns, fieldNames: ["id", "title", "website"], records };
}

export function createRecordReport(record: DataRecord): RecordReport {
  return { kind: "record", columns: events.columns, fieldNames: ["id", "title"], record };
}

export const outcomesReport: OutcomesReport = {
  kind: "outcomes",
  columns: events.columns,
  fieldNames: ["id", "title"],
  outcomes: [
    { ref: "19", ok: true, record: jazzEvent },
    {
      ref: "slug:gone",
      ok: false,
      error: new CalError("not-found", "no event slug:gone", {
        code: "rest-event-not-found",
        status: 404,
        request: { method: "GET", path: "/calendar/events/v1/events/by-slug/gone" },
      }),
    },
  ],
  exitCode: () => 8,
};
