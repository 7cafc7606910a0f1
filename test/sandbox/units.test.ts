// Slugs, time zones and parameters.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slugify } from "../../src/sandbox/entry.ts";
import { parseParameters } from "../../src/sandbox/http.ts";
import { formatUtcTime, getTimeZoneAbbreviation, isTimeZone, parseUtcTime, toUtc, toWallTime } from "../../src/sandbox/time.ts";

describe("slugs", () => {
  test.each([
    ["Café de l’Été", "cafe-de-lete"],
    ["Smith & Sons <Ltd>", "smith-sons"],
    ['A & B <b>bold</b> "q" \'s', "a-b-bold-q-s"],
    ["My Slug Ünï", "my-slug-uni"],
    ["C++", "c"],
    [
      "東京ジャズ・フェスティバル",
      "%e6%9d%b1%e4%ba%ac%e3%82%b8%e3%83%a3%e3%82%ba%e3%83%bb%e3%83%95%e3%82%a7%e3%82%b9%e3%83%86%e3%82%a3%e3%83%90%e3%83%ab",
    ],
    ["🎉 Party", "%f0%9f%8e%89-party"],
    ["!!!", ""],
  ])("%s is %s", (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  test("are short, of letters that need no encoding, and whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const slug = slugify(text);
        expect(slug).toMatch(/^(?:[a-z0-9_-]|%[0-9a-f]{2}){0,200}$/);
        expect(() => decodeURIComponent(slug)).not.toThrow();
      }),
    );
  });
});

describe("zones", () => {
  test.each([
    ["2027-01-10 10:00:00", "America/New_York", "2027-01-10 15:00:00"],
    ["2027-07-10 10:00:00", "America/New_York", "2027-07-10 14:00:00"],
    // The clock goes from 02:00 to 03:00 here.
    ["2027-03-14 02:30:00", "America/New_York", "2027-03-14 07:30:00"],
    ["2027-03-14 01:59:59", "America/New_York", "2027-03-14 06:59:59"],
    ["2027-03-14 03:00:00", "America/New_York", "2027-03-14 07:00:00"],
    // And back from 02:00 to 01:00 here: the earlier one counts.
    ["2027-11-07 01:30:00", "America/New_York", "2027-11-07 05:30:00"],
    ["2027-11-07 02:00:00", "America/New_York", "2027-11-07 07:00:00"],
    ["2025-12-02 20:15:00", "UTC+5.5", "2025-12-02 14:45:00"],
    ["2027-01-10 10:00:00", "+02:00", "2027-01-10 08:00:00"],
    ["2027-01-10 10:00:00", "Asia/Kolkata", "2027-01-10 04:30:00"],
  ])("%s in %s is %s", (wall, zone, utc) => {
    expect(toUtc(wall, zone)).toBe(utc);
  });

  test("a moment goes to the wall clock and back, but for the hour that comes twice", () => {
    const zones = fc.constantFrom(
      "America/New_York",
      "Europe/Paris",
      "Asia/Tokyo",
      "Asia/Kolkata",
      "UTC",
      "UTC-3.5",
      "Australia/Lord_Howe",
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), zones, (seconds, zone) => {
        const utc = formatUtcTime(seconds * 1000);
        const again = parseUtcTime(toUtc(toWallTime(utc, zone), zone));
        expect([0, 1_800_000, 3_600_000]).toContain(parseUtcTime(utc) - again);
      }),
    );
  });

  test("names and letters", () => {
    expect(["Europe/Paris", "UTC+2", "EST", "Mars/Olympus", ""].map(isTimeZone)).toEqual([true, true, true, false, false]);
    expect([
      getTimeZoneAbbreviation("2027-07-10 10:00:00", "Europe/Paris"),
      getTimeZoneAbbreviation("2027-01-10 10:00:00", "America/New_York"),
      getTimeZoneAbbreviation("2027-01-10 10:00:00", "UTC+5.5"),
    ]).toEqual(["CEST", "EST", "UTC+5.5"]);
    expect([parseUtcTime("2027-02-30 10:00:00"), parseUtcTime("2027-02-28")]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("parameters", () => {
  test.each([
    ["a=1&a=2", { a: "2" }],
    ["a[]=1&a[]=2", { a: ["1", "2"] }],
    ["a[0]=1&a[1]=2", { a: ["1", "2"] }],
    ["v[city]=Rome&v[tags][]=x", { v: { city: "Rome", tags: ["x"] } }],
    ["a=b+c%26d", { a: "b c&d" }],
    ["a[=1&[]=2", { "a[": "1", "[]": "2" }],
    ["", {}],
  ])("%s", (text, expected) => {
    expect(parseParameters(text)).toEqual(expected);
  });

  test("never throw, and never touch a prototype", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof parseParameters(`${text}&__proto__[x]=1`)).toBe("object");
      }),
    );
    expect(Reflect.get({}, "x")).toBeUndefined();
  });
});
