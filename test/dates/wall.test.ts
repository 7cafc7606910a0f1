// Wall times and instants, compared with Temporal over many zones; the code under test does not use it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Temporal } from "../../src/dates/temporal.ts";
import { epochToWall, shiftDays, wallToEpoch } from "../../src/dates/zone.ts";
import { catchCalError } from "./problem.ts";

const zones = [
  ...[
    "UTC",
    "America/New_York",
    "Europe/Paris",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Africa/Cairo",
  ],
  ...[
    "America/Scoresbysund",
    "America/Havana",
    "America/Santiago",
    "Asia/Tehran",
    "Pacific/Kwajalein",
    "Antarctica/Troll",
    "Europe/Dublin",
  ],
];
const zone = fc.constantFrom(...zones);
const second = fc.integer({ min: Date.parse("1800-01-02T00:00:00Z") / 1000, max: Date.parse("2200-01-01T00:00:00Z") / 1000 });

/** Seconds around the changes of a zone's clocks, where mistakes are. */
const nearChange = fc
  .tuple(zone, fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: -100_000, max: 100_000 }))
  .map(([name, from, by]) => {
    const start = Temporal.Instant.fromEpochMilliseconds(from * 1000).toZonedDateTimeISO(name);
    return { name, at: (start.getTimeZoneTransition("next") ?? start).epochMilliseconds / 1000 + by };
  });
const anywhere = fc.record({ name: zone, at: second });

function show(at: Temporal.PlainDateTime): string {
  return at.toString({ smallestUnit: "second" }).replace("T", " ");
}

test("epochToWall shows what Temporal shows", () => {
  fc.assert(
    fc.property(fc.oneof(anywhere, nearChange), ({ name, at }) => {
      const expected = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(name);
      expect(epochToWall(at * 1000, name)).toBe(show(expected.toPlainDateTime()));
    }),
    { numRuns: 1500 },
  );
});

test("wallToEpoch finds what Temporal finds: skipped times move forward, of twofold times the earlier", () => {
  fc.assert(
    fc.property(fc.oneof(anywhere, nearChange), ({ name, at }) => {
      const wall = Temporal.Instant.fromEpochMilliseconds(at * 1000)
        .toZonedDateTimeISO("UTC")
        .toPlainDateTime();
      const offset = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(name).offsetNanoseconds / 1e9;
      const near = wall.add({ seconds: Math.round(offset) });
      expect(wallToEpoch(show(near), name)).toBe(near.toZonedDateTime(name).epochMilliseconds);
    }),
    { numRuns: 1500 },
  );
});

test.each([
  ["2027-03-14 02:30:00", "America/New_York", "2027-03-14T07:30:00Z"],
  ["2026-11-01 01:30:00", "America/New_York", "2026-11-01T05:30:00Z"],
  ["2011-12-30 12:00:00", "Pacific/Apia", "2011-12-30T22:00:00Z"],
  ["2027-01-10 10:00:00", "UTC+5.5", "2027-01-10T04:30:00Z"],
  ["2027-01-10 10:00:00", "EST", "2027-01-10T15:00:00Z"],
  ["0001-01-01 00:00:00", "UTC", "0001-01-01T00:00:00Z"],
])("%s in %s", (wall, name, utc) => {
  expect(wallToEpoch(wall, name)).toBe(Date.parse(utc));
});

test.each([
  "0000-00-00 00:00:00",
  "2026-02-30 10:00:00",
  "2026-01-10 24:00:00",
  "2026-01-10T10:00:00",
  "2026-01-10",
  "2026-01-10 10:00",
  "",
  "soon",
])("%j is no wall time", (text) => {
  expect(wallToEpoch(text, "UTC")).toBeUndefined();
});

test("an unknown zone or a year that has no form has no answer", () => {
  expect(wallToEpoch("2026-01-10 10:00:00", "Mars/Base")).toBeUndefined();
  expect(epochToWall(0, "Mars/Base")).toBeUndefined();
  expect(epochToWall(Date.parse("0001-01-01T00:00:00Z"), "America/New_York")).toBeUndefined();
  expect(epochToWall(Date.parse("9999-12-31T23:59:59Z"), "Asia/Tokyo")).toBeUndefined();
  expect(epochToWall(-1, "UTC")).toBe("1969-12-31 23:59:59");
});

test.each([
  ["2026-12-31", 1, "2027-01-01"],
  ["2026-03-01", -1, "2026-02-28"],
  ["2028-02-28 23:59:59", 1, "2028-02-29 23:59:59"],
  ["0099-12-31", 1, "0100-01-01"],
])("%s shifted by %i days is %s", (text, days, expected) => {
  expect(shiftDays(text, days)).toBe(expected);
});

test("shiftDays refuses what is no day and what leaves the years", () => {
  expect(catchCalError(() => shiftDays("2026-02-30", 1)).message).toBe('"2026-02-30" is not a day');
  expect(catchCalError(() => shiftDays("9999-12-31", 1)).kind).toBe("usage");
});
