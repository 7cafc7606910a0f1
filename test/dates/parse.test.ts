// The date grammar as tables: what each expression means in zones with and without daylight saving time, at year ends and where the clocks change.

import { expect, test } from "vitest";
import type { Side } from "../../src/dates/day.ts";
import { parseDate } from "../../src/dates/parse.ts";

const wednesday = Date.parse("2026-12-09T20:30:15.900Z");

function wall(text: string, side: Side, zone = "America/New_York", now = wednesday): string {
  return parseDate(text, { now, zone, side }).wall;
}

function walls(text: string, zone?: string, now?: number): readonly [start: string, end: string] {
  return [wall(text, "start", zone, now), wall(text, "end", zone, now)];
}

test("a parsed date is whole: wall time, zone, instant, precision", () => {
  expect(parseDate("2027-01-10 10:00", { now: wednesday, zone: "America/New_York", side: "start" })).toEqual({
    wall: "2027-01-10 10:00:00",
    zone: "America/New_York",
    epoch: Date.parse("2027-01-10T15:00:00Z"),
    ownZone: false,
    precision: "time",
    warnings: [],
  });
  expect(parseDate("2027-01", { now: wednesday, zone: "UTC+5.5", side: "end" })).toEqual({
    wall: "2027-01-31 23:59:59",
    zone: "+05:30",
    epoch: Date.parse("2027-01-31T18:29:59Z"),
    ownZone: false,
    precision: "month",
    warnings: [],
  });
});

test.each([
  ["2027-01-10", "2027-01-10 00:00:00", "2027-01-10 23:59:59"],
  ["2028-02", "2028-02-01 00:00:00", "2028-02-29 23:59:59"],
  ["2027", "2027-01-01 00:00:00", "2027-12-31 23:59:59"],
  ["0001", "0001-01-01 00:00:00", "0001-12-31 23:59:59"],
  ["9999-12-31", "9999-12-31 00:00:00", "9999-12-31 23:59:59"],
  ["today", "2026-12-09 00:00:00", "2026-12-09 23:59:59"],
  ["  ToDaY  ", "2026-12-09 00:00:00", "2026-12-09 23:59:59"],
  ["tomorrow", "2026-12-10 00:00:00", "2026-12-10 23:59:59"],
  ["yesterday", "2026-12-08 00:00:00", "2026-12-08 23:59:59"],
  ["wed", "2026-12-09 00:00:00", "2026-12-09 23:59:59"],
  ["wednesday", "2026-12-09 00:00:00", "2026-12-09 23:59:59"],
  ["tue", "2026-12-15 00:00:00", "2026-12-15 23:59:59"],
  ["thu", "2026-12-10 00:00:00", "2026-12-10 23:59:59"],
  ["sunday", "2026-12-13 00:00:00", "2026-12-13 23:59:59"],
  ["this-week", "2026-12-07 00:00:00", "2026-12-13 23:59:59"],
  ["next-week", "2026-12-14 00:00:00", "2026-12-20 23:59:59"],
  ["last-week", "2026-11-30 00:00:00", "2026-12-06 23:59:59"],
  ["this-month", "2026-12-01 00:00:00", "2026-12-31 23:59:59"],
  ["next-month", "2027-01-01 00:00:00", "2027-01-31 23:59:59"],
  ["last-month", "2026-11-01 00:00:00", "2026-11-30 23:59:59"],
  ["today+7d", "2026-12-16 00:00:00", "2026-12-16 23:59:59"],
  ["today +1w", "2026-12-16 00:00:00", "2026-12-16 23:59:59"],
  ["mon-7d", "2026-12-07 00:00:00", "2026-12-07 23:59:59"],
  ["2026-01-31+1mo", "2026-02-28 00:00:00", "2026-02-28 23:59:59"],
  ["weekend", "2026-12-12 00:00:00", "2026-12-13 23:59:59"],
  ["this-weekend", "2026-12-12 00:00:00", "2026-12-13 23:59:59"],
  ["next-weekend", "2026-12-19 00:00:00", "2026-12-20 23:59:59"],
  ["weekend-7d", "2026-12-05 00:00:00", "2026-12-06 23:59:59"],
  ["this-month+2mo", "2027-02-01 00:00:00", "2027-02-28 23:59:59"],
  ["this-month+1d", "2026-12-02 00:00:00", "2027-01-01 23:59:59"],
  ["2027+1y", "2028-01-01 00:00:00", "2028-12-31 23:59:59"],
])("%j is whole days, from first to last moment", (text, start, end) => {
  expect(walls(text)).toEqual([start, end]);
});

test.each([
  ["now", "2026-12-09 15:30:15"],
  ["now+90m", "2026-12-09 17:00:15"],
  ["+2h", "2026-12-09 17:30:15"],
  ["-7d", "2026-12-02 15:30:15"],
  ["7d-ago", "2026-12-02 15:30:15"],
  ["1h30m-ago", "2026-12-09 14:00:15"],
  ["+1y2mo3d", "2028-02-12 15:30:15"],
  ["+3mo", "2027-03-09 15:30:15"],
  ["+3m", "2026-12-09 15:33:15"],
  ["eod", "2026-12-09 23:59:59"],
  ["eow", "2026-12-13 23:59:59"],
  ["eom", "2026-12-31 23:59:59"],
  ["fri+7d 8pm", "2026-12-18 20:00:00"],
  ["fri +7d@8pm", "2026-12-18 20:00:00"],
  ["FRI-1W 8 PM", "2026-12-04 20:00:00"],
  ["today+1mo noon", "2027-01-09 12:00:00"],
  ["2027-01-31+1mo 19:30", "2027-02-28 19:30:00"],
  ["eom+1d 08:00", "2027-01-01 08:00:00"],
  ["tomorrow 7:30 pm", "2026-12-10 19:30:00"],
  ["fri+7d 8 pm Europe/Paris", "2026-12-18 20:00:00"],
  ["fri+7d 20:00-05:00", "2026-12-18 20:00:00"],
  ["eom-1d", "2026-12-30 23:59:59"],
  ["eom+2mo", "2027-02-28 23:59:59"],
  ["eom 17:00", "2026-12-31 17:00:00"],
  ["today+2h", "2026-12-09 02:00:00"],
  ["today noon", "2026-12-09 12:00:00"],
  ["today midnight", "2026-12-09 00:00:00"],
  ["today 12am", "2026-12-09 00:00:00"],
  ["today 12pm", "2026-12-09 12:00:00"],
  ["tomorrow 19:30", "2026-12-10 19:30:00"],
  ["tomorrowT19:30", "2026-12-10 19:30:00"],
  ["fri@7pm", "2026-12-11 19:00:00"],
  ["sat@07:05:09", "2026-12-12 07:05:09"],
  ["satT7:30PM", "2026-12-12 19:30:00"],
  ["2027-01-10t10:00", "2027-01-10 10:00:00"],
  ["2027-01-10 9:15am", "2027-01-10 09:15:00"],
  ["@1799575200", "2027-01-10 05:00:00"],
  ["@-86400", "1969-12-30 19:00:00"],
])("%j is one moment on both sides", (text, moment) => {
  expect(walls(text)).toEqual([moment, moment]);
});

test.each([
  ["2027-01-10T10:00Z", "2027-01-10 10:00:00", "UTC", "2027-01-10T10:00:00Z"],
  ["2027-01-10T10:00:00.123z", "2027-01-10 10:00:00", "UTC", "2027-01-10T10:00:00Z"],
  ["2027-01-10T10:00+09:00", "2027-01-10 10:00:00", "+09:00", "2027-01-10T01:00:00Z"],
  ["2027-01-10 10:00:00 -0500", "2027-01-10 10:00:00", "-05:00", "2027-01-10T15:00:00Z"],
  ["2027-01-10 10:00 Europe/Paris", "2027-01-10 10:00:00", "Europe/Paris", "2027-01-10T09:00:00Z"],
  ["2027-01-10 10:00 asia/kolkata", "2027-01-10 10:00:00", "Asia/Kolkata", "2027-01-10T04:30:00Z"],
  ["2027-01-10 10:00 EST", "2027-01-10 10:00:00", "EST", "2027-01-10T15:00:00Z"],
  ["2027-01-10 Australia/Lord_Howe", "2027-01-10 00:00:00", "Australia/Lord_Howe", "2027-01-09T13:00:00Z"],
  ["2027-01-10Z", "2027-01-10 00:00:00", "UTC", "2027-01-10T00:00:00Z"],
  ["fri@7pm+02:00", "2026-12-11 19:00:00", "+02:00", "2026-12-11T17:00:00Z"],
  ["today Asia/Kolkata", "2026-12-10 00:00:00", "Asia/Kolkata", "2026-12-09T18:30:00Z"],
])("%j carries its own zone", (text, local, zone, utc) => {
  const { warnings, precision, ...moment } = parseDate(text, { now: wednesday, zone: "America/New_York", side: "start" });
  expect(moment).toEqual({ wall: local, zone, epoch: Date.parse(utc), ownZone: true });
});

test("seconds since 1970 fix the instant, but not the zone it is shown in", () => {
  const moment = parseDate("@1799575200", { now: wednesday, zone: "Europe/Paris", side: "start" });
  expect([moment.wall, moment.zone, moment.ownZone]).toEqual(["2027-01-10 11:00:00", "Europe/Paris", true]);
});

const newYear = Date.parse("2026-12-31T23:30:00Z");

test.each([
  ["today", "UTC", "2026-12-31 00:00:00", "2026-12-31 23:59:59"],
  ["today", "Asia/Kolkata", "2027-01-01 00:00:00", "2027-01-01 23:59:59"],
  ["today", "Pacific/Apia", "2027-01-01 00:00:00", "2027-01-01 23:59:59"],
  ["this-week", "Europe/Paris", "2026-12-28 00:00:00", "2027-01-03 23:59:59"],
  ["this-month", "Europe/Paris", "2027-01-01 00:00:00", "2027-01-31 23:59:59"],
  ["last-month", "America/New_York", "2026-11-01 00:00:00", "2026-11-30 23:59:59"],
  ["now", "Australia/Lord_Howe", "2027-01-01 10:30:00", "2027-01-01 10:30:00"],
  ["eom", "America/New_York", "2026-12-31 23:59:59", "2026-12-31 23:59:59"],
])("at the end of the year %j in %s", (text, zone, start, end) => {
  expect(walls(text, zone, newYear)).toEqual([start, end]);
});

test.each([
  ["monday", "2026-12-07 00:00:00", "2026-12-13 23:59:59"],
  ["sunday", "2026-12-06 00:00:00", "2026-12-12 23:59:59"],
  ["saturday", "2026-12-05 00:00:00", "2026-12-11 23:59:59"],
  ["wednesday", "2026-12-09 00:00:00", "2026-12-15 23:59:59"],
] as const)("a week that starts on %s", (weekStart, start, end) => {
  const options = { now: wednesday, zone: "America/New_York", weekStart };
  expect([parseDate("this-week", { ...options, side: "start" }).wall, parseDate("eow", { ...options, side: "start" }).wall]).toEqual([
    start,
    end,
  ]);
});

test.each(["2026-12-07", "2026-12-11", "2026-12-12", "2026-12-13"])("the weekend of the week that %s is in, in every locale", (today) => {
  for (const weekStart of ["monday", "sunday", "saturday"] as const) {
    const reference = { now: Date.parse(`${today}T12:00:00Z`), zone: "UTC", weekStart };
    expect(parseDate("weekend", { ...reference, side: "start" })).toMatchObject({ wall: "2026-12-12 00:00:00", precision: "weekend" });
    expect(parseDate("next-weekend", { ...reference, side: "end" }).wall).toBe("2026-12-20 23:59:59");
  }
});
