// Clock changes: skipped hours, hours that happen twice, days without a midnight, a day that was skipped.

import { expect, test } from "vitest";
import type { Side } from "../../src/dates/day.ts";
import { parseDuration } from "../../src/dates/duration.ts";
import { addDuration, convertToZone, type Moment, parseDate } from "../../src/dates/parse.ts";
import { catchCalError } from "./problem.ts";

function parse(text: string, zone: string, side: Side = "start", now = "2026-12-09T20:30:15Z"): Moment {
  return parseDate(text, { now: Date.parse(now), zone, side });
}

test.each([
  ["2027-03-14 02:30", "America/New_York", "2027-03-14 01:59:59", "2027-03-14 03:00:00"],
  ["2027-03-28 02:00", "Europe/Paris", "2027-03-28 01:59:59", "2027-03-28 03:00:00"],
  ["2027-10-03 02:15", "Australia/Lord_Howe", "2027-10-03 01:59:59", "2027-10-03 02:30:00"],
  ["2027-04-30 00:30", "Africa/Cairo", "2027-04-29 23:59:59", "2027-04-30 01:00:00"],
  ["2011-12-30 12:00", "Pacific/Apia", "2011-12-29 23:59:59", "2011-12-31 00:00:00"],
])("%j does not exist in %s", (text, zone, last, next) => {
  expect(catchCalError(() => parse(text, zone))).toEqual({
    kind: "usage",
    message: `${text}:00 does not exist in ${zone}: its clocks go from ${last} to ${next}`,
    hint: `write "${last}" or "${next}"`,
  });
});

test("a day that a zone skipped does not exist either, but the days around it do", () => {
  expect(catchCalError(() => parse("2011-12-30", "Pacific/Apia"))).toEqual({
    kind: "usage",
    message: "2011-12-30 does not exist in Pacific/Apia: its clocks go from 2011-12-29 23:59:59 to 2011-12-31 00:00:00",
    hint: 'write "2011-12-29 23:59:59" or "2011-12-31 00:00:00"',
  });
  expect(catchCalError(() => parse("2011-12-30", "Pacific/Apia", "end")).kind).toEqual("usage");
  expect([parse("2011-12-29", "Pacific/Apia", "end").wall, parse("2011-12-31", "Pacific/Apia").wall]).toEqual([
    "2011-12-29 23:59:59",
    "2011-12-31 00:00:00",
  ]);
});

test.each([
  ["2026-11-01 01:30", "America/New_York", "2026-11-01T05:30:00Z", "2026-11-01 01:30:00-05:00"],
  ["2026-10-25 02:59:59", "Europe/Paris", "2026-10-25T00:59:59Z", "2026-10-25 02:59:59+01:00"],
  ["2027-04-04 01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00Z", "2027-04-04 01:45:00+10:30"],
])("of %j, which %s has twice, the earlier is taken", (text, zone, utc, later) => {
  const moment = parse(text, zone);
  const wall = later.slice(0, 19);
  expect(moment.warnings).toEqual([`${wall} happens twice in ${zone}: the earlier is taken; write ${later} for the later`]);
  expect(moment.epoch).toBe(Date.parse(utc));
  expect(parse(later, zone).epoch).toBeGreaterThan(moment.epoch);
  expect(convertToZone(parse(later, zone), zone)).toMatchObject({ wall, zone, warnings: [expect.stringContaining("twice")] });
});

test.each([
  ["2027-04-30", "Africa/Cairo", "2027-04-30 01:00:00", "2027-04-30 23:59:59", 23],
  ["2027-03-14", "America/New_York", "2027-03-14 00:00:00", "2027-03-14 23:59:59", 23],
  ["2026-11-01", "America/New_York", "2026-11-01 00:00:00", "2026-11-01 23:59:59", 25],
  ["2027-04-04", "Australia/Lord_Howe", "2027-04-04 00:00:00", "2027-04-04 23:59:59", 24.5],
  ["2026-11-01", "America/Havana", "2026-11-01 00:00:00", "2026-11-01 23:59:59", 25],
  ["2010-04-03", "America/Santiago", "2010-04-03 00:00:00", "2010-04-03 23:59:59", 25],
])("the day %s in %s lasts from %s to %s", (text, zone, first, last, hours) => {
  const [start, end] = [parse(text, zone), parse(text, zone, "end")];
  expect([start.wall, end.wall, (end.epoch + 1000 - start.epoch) / 3_600_000]).toEqual([first, last, hours]);
});

test.each([
  ["2027-03-13 12:00", "1d", "2027-03-14 12:00:00", 23],
  ["2027-03-13 12:00", "24h", "2027-03-14 13:00:00", 24],
  ["2026-10-31 12:00", "1d", "2026-11-01 12:00:00", 25],
  ["2026-10-31 12:00", "1d2h", "2026-11-01 14:00:00", 27],
  ["2027-03-14 01:30", "1h", "2027-03-14 03:30:00", 1],
  ["2026-01-31 10:00", "1mo", "2026-02-28 10:00:00", 28 * 24],
  ["2026-12-31 22:00", "PT3H", "2027-01-01 01:00:00", 3],
])("%s and %s is %s in New York", (from, length, to, hours) => {
  const start = parse(from, "America/New_York");
  const end = addDuration(start, parseDuration(length));
  expect(end).toEqual({ ...start, wall: to, epoch: start.epoch + hours * 3_600_000 });
});

test("a sum that falls into skipped time moves forward, and says so", () => {
  const end = addDuration(parse("2027-03-13 02:30", "America/New_York"), parseDuration("1d"));
  const warning = "2027-03-14 02:30:00 does not exist in America/New_York: 2027-03-14 03:30:00 is taken";
  expect([end.wall, end.warnings]).toEqual(["2027-03-14 03:30:00", [warning]]);
  expect(parse("+1d", "America/New_York", "start", "2027-03-13T07:30:00Z").warnings).toEqual([warning]);
});

test("the second pass of an hour stays the second when hours are added", () => {
  expect(parse("+10m", "America/New_York", "start", "2026-11-01T06:30:00Z").epoch).toBe(Date.parse("2026-11-01T06:40:00Z"));
});

test("a moment is converted into another zone", () => {
  const paris = parse("2027-01-10 10:00 Europe/Paris", "America/New_York");
  expect(convertToZone(paris, "asia/tokyo")).toEqual({ ...paris, wall: "2027-01-10 18:00:00", zone: "Asia/Tokyo" });
  expect(convertToZone(paris, "Europe/Paris")).toEqual(paris);
  expect(catchCalError(() => convertToZone(paris, "Asia/Tokio")).hint).toBe("did you mean Asia/Tokyo?");
});
