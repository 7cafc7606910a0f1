// The ranges of lists, and the explanation of `cal date`.

import { expect, test } from "vitest";
import { explain } from "../../src/commands/date.ts";
import { getTodayRange, parseMonthRange, parseNextRange, parseRange, parseWeekRange, type Range } from "../../src/dates/range.ts";
import { catchCalError } from "./problem.ts";

const reference = { now: Date.parse("2026-12-30T20:30:15Z"), zone: "Europe/Paris" };
const sundays = { ...reference, weekStart: "sunday" } as const;

test.each<[string, Range, string, string]>([
  ["--today", getTodayRange(reference), "2026-12-30 00:00:00", "2026-12-30 23:59:59"],
  ["--on fri", parseRange("fri", reference), "2027-01-01 00:00:00", "2027-01-01 23:59:59"],
  ["--on 2027-02", parseRange("2027-02", reference), "2027-02-01 00:00:00", "2027-02-28 23:59:59"],
  ["--on weekend", parseRange("weekend", reference), "2027-01-02 00:00:00", "2027-01-03 23:59:59"],
  ["--on a time", parseRange("2027-01-10 10:00", reference), "2027-01-10 10:00:00", "2027-01-10 10:00:00"],
  ["--week", parseWeekRange(undefined, reference), "2026-12-28 00:00:00", "2027-01-03 23:59:59"],
  ["--week from Sunday", parseWeekRange(undefined, sundays), "2026-12-27 00:00:00", "2027-01-02 23:59:59"],
  ["--week next-week", parseWeekRange("next-week", reference), "2027-01-04 00:00:00", "2027-01-10 23:59:59"],
  ["--week 2027-03-28", parseWeekRange("2027-03-28", reference), "2027-03-22 00:00:00", "2027-03-28 23:59:59"],
  ["--week next", parseWeekRange("next", reference), "2027-01-04 00:00:00", "2027-01-10 23:59:59"],
  ["--month last", parseMonthRange("last", reference), "2026-11-01 00:00:00", "2026-11-30 23:59:59"],
  ["--month", parseMonthRange(undefined, reference), "2026-12-01 00:00:00", "2026-12-31 23:59:59"],
  ["--month 2028-02", parseMonthRange("2028-02", reference), "2028-02-01 00:00:00", "2028-02-29 23:59:59"],
  ["--month +7d", parseMonthRange("+7d", reference), "2027-01-01 00:00:00", "2027-01-31 23:59:59"],
  ["--next 30d", parseNextRange("30d", reference), "2026-12-30 21:30:15", "2027-01-29 21:30:15"],
  ["--next 12h", parseNextRange("12h", reference), "2026-12-30 21:30:15", "2026-12-31 09:30:15"],
])("%s", (_name, range, from, to) => {
  expect([range.from.wall, range.to.wall]).toEqual([from, to]);
});

test("a range is whole moments of one zone", () => {
  const shared = { zone: "America/New_York", ownZone: true, precision: "week", warnings: [] };
  expect(parseWeekRange("2027-03-10 America/New_York", reference)).toEqual({
    from: { ...shared, wall: "2027-03-08 00:00:00", epoch: Date.parse("2027-03-08T05:00:00Z") },
    to: { ...shared, wall: "2027-03-14 23:59:59", epoch: Date.parse("2027-03-15T03:59:59Z") },
  });
});

test("more than a week is no week, more than a month no month", () => {
  expect(catchCalError(() => parseWeekRange("2027-01", reference)).message).toBe('"2027-01" is more than a week');
  expect(catchCalError(() => parseMonthRange("2027", reference)).message).toBe('"2027" is more than a month');
  expect(catchCalError(() => parseNextRange("30", reference)).hint).toBe("write 30m for minutes or 30h for hours");
});

test.each([
  ["12", "write 2026-12"],
  ["december", "write 2026-12"],
  ["Dec", "write 2026-12"],
  ["1", "write 2027-01"],
  ["mar", "write 2027-03"],
  ["11", "write 2027-11"],
])("--month %s lacks its year; the coming one is offered", (text, hint) => {
  expect(catchCalError(() => parseMonthRange(text, reference))).toMatchObject({ message: `"${text}" is a month without its year`, hint });
});

test.each(["13", "0", "marchx", "deca"])("--month %s is none", (text) => {
  expect(catchCalError(() => parseMonthRange(text, reference)).message).not.toContain("without its year");
});

test("the hint of a wrong month is the form of a month", () => {
  expect(catchCalError(() => parseMonthRange("foo", reference))).toMatchObject({ hint: "write a month: YYYY-MM" });
});

test("an explanation reports both sides", () => {
  expect(explain("2027-03-28", reference)).toEqual({
    expression: "2027-03-28",
    zone: "Europe/Paris",
    own_zone: false,
    precision: "day",
    start: { wall: "2027-03-28 00:00:00", weekday: "sunday", offset: "+01:00", utc: "2027-03-27T23:00:00Z", epoch: 1806188400 },
    end: { wall: "2027-03-28 23:59:59", weekday: "sunday", offset: "+02:00", utc: "2027-03-28T21:59:59Z", epoch: 1806271199 },
    warnings: [],
  });
  expect(explain("2026-10-25 02:30", reference).warnings).toEqual([
    "2026-10-25 02:30:00 happens twice in Europe/Paris: the earlier is taken; write 2026-10-25 02:30:00+01:00 for the later",
  ]);
});
