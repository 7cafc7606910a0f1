// The iCalendar files of real programs, with what other programs read in them. They are not in the project: CAL_ICS_FILES names their folder.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { CalError } from "../../src/errors.ts";
import type { CalendarOptions } from "../../src/ical/read.ts";
import { toOctets } from "../../src/import/encoding.ts";
import { event, instants, parse, starts } from "./parsed.ts";

const folder = resolve(process.env["CAL_ICS_FILES"] ?? "../shared/facts/ics");
const isMissing = !existsSync(resolve(folder, "index.csv"));
// They are no part of a system that can be installed: without them there is nothing to test, and CI does not count that as a failure.
if (isMissing) {
  console.warn("the iCalendar files of real programs are not read: name their folder in CAL_ICS_FILES");
  test("a folder that is named has the files", () => expect(process.env["CAL_ICS_FILES"]).toBeUndefined());
}
const describeFiles = isMissing ? () => undefined : describe;

function read(name: string, options: Partial<CalendarOptions> = {}) {
  const { bytes, encoding } = toOctets(readFileSync(resolve(folder, `${name}.ics`)));
  return parse(bytes, { label: name, ...(encoding !== undefined && { encoding }), ...options });
}

const instantOf = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

interface Expected extends Partial<CalendarOptions> {
  /** Of the first rows. */
  readonly times: readonly string[];
  readonly count?: number;
  readonly end?: string;
}

/** By file: what index.csv says. */
const expected: Readonly<Record<string, Expected>> = {
  "khal-event_d_same_start_end": { times: ["2014-04-09/2014-04-09"], count: 1 },
  "khal-event_d_rdate": {
    times: ["2015-08-12/2015-08-12", "2015-08-13/2015-08-13", "2015-08-14/2015-08-14", "2015-08-15/2015-08-15"],
    count: 4,
  },
  "khal-event_dt_no_end": { times: ["2016-01-16T07:00Z/2016-01-16T07:00Z"], count: 1 },
  "khal-event_dt_floating": { times: ["2014-04-09T07:30Z/2014-04-09T08:30Z"], count: 1 },
  "khal-event_dt_two_tz": { times: ["2014-04-09T07:30Z/2014-04-09T14:30Z"], count: 1 },
  "khal-event_dt_local_missing_tz": { times: ["2014-04-09T07:30Z/2014-04-09T08:30Z"], count: 1 },
  "khal-event_dt_mixed_awareness": { times: ["2015-05-30T10:00Z/2015-05-30T14:00Z", "2015-06-02T10:00Z/2015-06-02T14:00Z"], count: 2 },
  "khal-event_dt_recuid_no_master": { times: ["2017-03-29T14:00Z/2017-03-29T14:25Z"], count: 1 },
  "khal-event_dtr_no_tz_exdatez": {
    times: ["2012-04-03T08:00Z", "2012-05-03T08:00Z", "2012-07-03T08:00Z", "2012-08-03T08:00Z", "2012-09-03T08:00Z"],
    count: 5,
  },
  "khal-event_dtr_notz_untilz": { zone: "America/New_York", times: ["2012-07-26T17:00Z/2012-07-26T18:00Z"], count: 7 },
  "khal-event_dt_rrule_invalid_until": { times: ["2007-12-01/2007-12-01", "2008-01-01/2008-01-01", "2008-02-01/2008-02-01"], count: 3 },
  "khal-tz_windows_format": { times: ["2019-11-20T00:00Z/2019-11-20T01:30Z"], count: 1 },
  "khal-invalid_tzoffset": { times: ["2012-12-02T07:00Z"], count: 1 },
  "node-ical-bad_ms_tz": { times: ["2020-08-25T14:35Z/2020-08-25T15:50Z"] },
  "node-ical-Office-2012-owa": {
    times: ["2020-10-28T02:30Z/2020-10-28T04:00Z", "2020-10-28T17:30Z/2020-10-28T19:00Z", "2020-11-02T18:30Z/2020-11-02T20:00Z"],
  },
  "node-ical-exchange_whole_day_moved_recurrence": {
    until: Date.UTC(2026, 2, 1),
    times: ["2026-02-19/2026-02-19", "2026-02-24/2026-02-24", "2026-02-27/2026-02-27"],
    count: 3,
  },
  "node-ical-google-calendar-kiev-tz": { times: ["2016-08-25T11:00Z", "2016-08-26T11:00Z"] },
  "node-ical-duplicate-uid-sequence": { times: ["2024-01-15T10:00Z", "2024-01-20T14:00Z"], count: 2 },
  "node-ical-meetup-timed-tz": { times: ["2011-11-10T02:00Z"], count: 1 },
  "node-ical-test_with_multiple_tzids_in_vtimezone": { zone: "America/Los_Angeles", times: ["2024-06-27T07:00Z/2024-06-28T06:00Z"] },
  "node-ical-test_date_duration": { times: ["2024-02-15/2024-02-21"], count: 1 },
  "node-ical-vtimezone-year-0001-dtstart": { times: ["2024-06-01T08:00Z"], count: 1 },
  "icalendar-issue_237_fail_to_parse_timezone_with_non_ascii_tzid": { times: ["2017-05-11T16:30Z/2017-05-11T17:00Z"], count: 1 },
  "icalendar-issue_351_whitespace_in_property_and_params": { times: ["2026-03-19T09:00Z"], count: 1 },
  "icalendar-issue_466_convert_tzid_with_slash": {
    until: Date.UTC(2022, 10, 8),
    times: ["2022-10-21T18:00Z", "2022-10-28T18:00Z", "2022-11-04T19:00Z"],
  },
  "ical-recurring_with_single_change": { times: ["2026-02-01T15:00Z", "2026-02-02T15:00Z", "2026-02-03T15:00Z"], count: 3 },
  "ical-google_dtstart_until_mismatch": { times: ["2023-10-05T13:00Z"], count: 13, end: "2023-12-28T14:00Z" },
  "biweekly-outlook-2010": { times: ["2013-06-10T16:00Z/2013-06-10T17:00Z"], count: 1 },
  "biweekly-issue115-1": { times: ["2022-10-29T06:00Z/2022-10-29T06:30Z"], count: 1 },
  "ical.net-Bug2912657": { times: ["2009-12-04T01:00Z"], count: 10 },
  "ical.net-Bug2916581": {
    from: Date.UTC(2009, 11, 25),
    until: Date.UTC(2010, 0, 3),
    times: ["2009-12-25T02:00Z", "2010-01-01T02:00Z", "2009-12-26T02:00Z", "2010-01-02T02:00Z"],
    count: 4,
  },
  "ical.net-Empty1": { times: ["2009-09-27T03:30Z/2009-09-30T04:00Z"], count: 1 },
  "ical.net-Google1": {
    from: instantOf("2006-12-18T00:00Z"),
    until: instantOf("2006-12-23T00:00Z"),
    times: ["2006-12-18T06:00Z", "2006-12-19T06:00Z", "2006-12-20T06:00Z", "2006-12-21T06:00Z", "2006-12-22T06:00Z"],
    count: 5,
  },
  "ical.net-RecurrenceDates1": {
    times: ["1996-04-03T02:00Z/1996-04-03T04:00Z", "1996-04-04T01:00Z/1996-04-04T04:00Z", "1997-01-01"],
    count: 14,
  },
};

describeFiles("files of real programs", () => {
  test.each(Object.entries(expected))("%s: its times", (name, { times, count, end, ...options }) => {
    const { rows } = read(name, options);
    const found = rows.map((row) => instants(row));
    expect(found.slice(0, times.length).map((one, at) => (times[at]?.includes("/") ? one : one.split("/")[0]))).toEqual(times);
    if (count !== undefined) expect(rows).toHaveLength(count);
    if (end !== undefined) expect(starts(rows).at(-1)).toBe(end);
  });

  test("every file is read, or refused with a usage error that names the file", () => {
    const refused: string[] = [];
    const counts = new Map<string, number>();
    for (const file of readdirSync(folder).filter((one) => one.endsWith(".ics"))) {
      const name = file.slice(0, -4);
      try {
        counts.set(name, read(name, { until: Date.UTC(2027, 0) }).rows.length);
      } catch (error) {
        if (!(error instanceof CalError) || error.kind !== "usage") throw error;
        expect(error.message).toContain(name);
        refused.push(name);
      }
    }
    expect(counts.size + refused.length).toBe(81);
    expect(refused.toSorted()).toEqual(["ical-empty", "icalendar-big_bad_calendar"]);
    expect(
      [...counts]
        .filter(([, count]) => count === 0)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(["icalendar-bom_calendar", "node-ical-test_with_tz_list"]);
  });

  test("an exception replaces its occurrence, also before its series and with a cancelled state", () => {
    const { rows } = read("khal-event_rrule_recuid_cancelled");
    expect(rows.filter(({ cancelled }) => cancelled).map(instants)).toEqual(["2014-07-14T05:00Z/2014-07-14T10:00Z"]);
    expect(rows.map(instants)).toContain("2014-07-07T07:00Z/2014-07-07T12:00Z");
    const kiev = read("node-ical-google-calendar-kiev-tz").rows;
    expect(kiev.map(({ values }) => values["title"])).toEqual(["repeated", "bla bla", "repeated", "repeated"]);
  });

  test("of several versions the highest SEQUENCE is taken", () => {
    const titles = read("node-ical-recurrence-sequence").rows.map(({ values }) => values["title"]);
    expect(titles).toContain("Moved to afternoon (SEQUENCE 3)");
    expect(titles).toContain("Newer override (SEQUENCE 5) - should win");
    expect(titles).toHaveLength(7);
  });

  test("two readings of a file without UIDs, and a file whose folds split characters, give the same", () => {
    expect(read("khal-without_uid").rows).toEqual(read("khal-without_uid").rows);
    const until = Date.UTC(2020, 0);
    const values = (name: string) => read(name, { until }).rows.map((row) => row.values);
    expect(values("ical.net-Language3-folded-in-characters")).toEqual(values("ical.net-Language3"));
  });

  test("texts, places and categories", () => {
    const categories = read("icalendar-issue_127_categories_with_commas").rows[0]?.values["categories"];
    expect(categories).toEqual(["Meeting, John", "Work, Sarah", "Project"]);
    const venue = read("ical.net-GeographicLocation1").rows[0]?.values["venue"];
    expect(venue).toMatchObject({ geo_lat: 37.386013, geo_lng: -122.082932 });
    const long = read("ical.net-Outlook2007LineFolds").rows[0]?.values["venue"];
    expect(long).toMatchObject({
      venue:
        "The Exceptionally Long Named Meeting Room Whose Name Wraps Over Several Lines When Exported From Leading Calendar and Office Software Application Microsoft Office 2007",
    });
    expect(read("ical.net-Bug2148092").rows.map(({ values }) => values["title"])).toContain("Möte kontoret");
  });

  test("a bad event is a problem of its row, and the others stay", () => {
    const { rows } = read("node-ical-large-file-with-late-error");
    expect(rows).toHaveLength(401);
    const lines = rows.filter(({ problems }) => problems.length > 0).map(({ problems }) => problems[0]?.message);
    // Its maker gave every month 31 days.
    expect(lines.filter((message) => !/^DTSTART: "2024\d{4}T100000Z" is not a date$/.test(message ?? ""))).toEqual([
      "DTSTART stands in the event twice, in line 2407 too",
    ]);
  });
});

interface Rule {
  readonly id: string;
  readonly rule: string;
  readonly dtstart: string;
  readonly kind: "floating" | "utc" | "date";
  readonly expected: readonly string[];
  readonly flags: readonly string[];
}

describeFiles("recurrence rules with every start that they give", () => {
  const rules: readonly Rule[] = JSON.parse(readFileSync(resolve(folder, "rules.json"), "utf8")).rules;
  // Nobody but the library that they come from reads these so.
  const judged = rules.filter(({ flags }) => !flags.includes("only-libical"));

  test.each(judged.map((rule) => [`${rule.id} ${rule.rule}`, rule] as const))(
    "%s",
    (_name, { rule, dtstart, kind, expected: times, flags }) => {
      const start = kind === "date" ? `DTSTART;VALUE=DATE:${dtstart}` : `DTSTART:${dtstart}`;
      const last = Temporal.PlainDateTime.from(times.at(-1) ?? "2000-01-01T00:00:00").add({ days: 1 });
      const until = /UNTIL|COUNT/.test(rule) ? {} : { until: last.toZonedDateTime("UTC").epochMilliseconds };
      const { rows } = parse(event(start, `RRULE:${rule}`), { zone: "UTC", ...until });
      // What the library for rules can't do is refused.
      if (/BYYEARDAY=.*;BYDAY=|BYDAY=.*;BYYEARDAY=/.test(rule)) {
        expect(rows.map(({ problems }) => problems.length)).toEqual([1]);
        return;
      }
      const found = rows.map(({ values }) => String(values["start_date"]).replace(" ", "T").padEnd(19, "T00:00:00"));
      // A DTSTART outside of its rule is undefined: here it is an occurrence, and counts.
      if (flags.includes("dtstart-not-in-rule")) {
        const others = found.filter((time) => !times.includes(time));
        expect(others.length).toBeLessThanOrEqual(1);
        expect(times.filter((time) => !found.includes(time)).length).toBeLessThanOrEqual(1);
      } else expect(found).toEqual(times);
    },
  );

  test("all but seven of 145 rules were judged", () => {
    expect([rules.length, judged.length]).toEqual([145, 138]);
  });
});
