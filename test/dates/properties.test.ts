// Properties of every expression and every text.

import fc from "fast-check";
import { expect, test } from "vitest";
import { anchorWords } from "../../src/dates/day.ts";
import { parseDate } from "../../src/dates/parse.ts";
import { epochToWall, wallToEpoch } from "../../src/dates/zone.ts";
import { CalError, formatHints } from "../../src/errors.ts";

const zone = fc.constantFrom(
  "UTC",
  "America/New_York",
  "Europe/Paris",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Cairo",
  "+05:45",
);
const now = fc.integer({ min: Date.parse("1990-01-01"), max: Date.parse("2100-01-01") });
const day = fc
  .date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc.constantFrom("00:00", "02:30", "23:59:59", "7pm", "12:15am", "noon", "midnight");
const offset = fc
  .tuple(fc.constantFrom("+", "-"), fc.integer({ min: 0, max: 60 }), fc.constantFrom("m", "h", "d", "w", "mo", "y"))
  .map((parts) => parts.join(""));
const head = fc.oneof(day, fc.constantFrom(...anchorWords, "now"));
const expression = fc.oneof(
  head,
  offset,
  fc.tuple(head, offset).map((parts) => parts.join("")),
  fc.tuple(day, fc.constantFrom(" ", "T", "@"), time).map((parts) => parts.join("")),
  fc.tuple(day, time, zone).map((parts) => parts.join(" ")),
  fc.tuple(head, offset, fc.constantFrom(" ", "@"), time).map((parts) => parts.join("")),
  fc.tuple(head, offset, time, zone).map(([word, shift, ...rest]) => [word + shift, ...rest].join(" ")),
);

/** The moment, or undefined for a usage error with a hint. Any other error fails the test. */
function parseOrUndefined(text: string, options: Parameters<typeof parseDate>[1]): ReturnType<typeof parseDate> | undefined {
  try {
    return parseDate(text, options);
  } catch (error) {
    if (error instanceof CalError && error.kind === "usage" && error.details.hint) return undefined;
    throw error;
  }
}

test("a start is never after its end, and both say what their instant says", () => {
  fc.assert(
    fc.property(expression, zone, now, (text, name, at) => {
      const [start, end] = [
        parseOrUndefined(text, { now: at, zone: name, side: "start" }),
        parseOrUndefined(text, { now: at, zone: name, side: "end" }),
      ];
      if (start === undefined || end === undefined) return;
      expect(start.epoch).toBeLessThanOrEqual(end.epoch);
      for (const moment of [start, end]) expect(epochToWall(moment.epoch, moment.zone)).toBe(moment.wall);
    }),
    { numRuns: 1000 },
  );
});

test("a wall time that was parsed is read back as itself", () => {
  fc.assert(
    fc.property(expression, zone, now, (text, name, at) => {
      const moment = parseOrUndefined(text, { now: at, zone: name, side: "start" });
      if (moment === undefined) return;
      const again = parseDate(moment.wall, { now: 0, zone: moment.zone, side: "end" });
      expect([again.wall, again.epoch]).toEqual([moment.wall, wallToEpoch(moment.wall, moment.zone)]);
    }),
    { numRuns: 500 },
  );
});

test("case and outer space change nothing", () => {
  fc.assert(
    fc.property(expression, zone, now, (text, name, at) => {
      const options = { now: at, zone: name, side: "end" } as const;
      expect(parseOrUndefined(` ${text.toUpperCase()}  `, options)).toEqual(parseOrUndefined(text, options));
    }),
    { numRuns: 300 },
  );
});

test("whatever is entered, the answer is a moment or a usage error with a hint", () => {
  const scraps = fc.constantFrom(
    "2026",
    "-",
    "+",
    "01",
    "/",
    ".",
    ":",
    "@",
    " ",
    "T",
    "Z",
    "am",
    "now",
    "fri",
    "next",
    "jan",
    "d",
    "ago",
    "Europe/",
    "99999",
  );
  const dateInput = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.array(scraps, { maxLength: 8 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(dateInput, fc.constantFrom("start", "end"), (text, side) => {
      parseOrUndefined(text, { now: 1.8e12, zone: "Europe/Paris", side });
    }),
    { numRuns: 3000 },
  );
});

/** Texts close to the grammar that it refuses, combined from parts; some of the parts are valid. */
const nearMiss = fc
  .tuple(
    fc.constantFrom(
      ...["next friday", "last tues", "this sat", "next week", "tomorow", "noon", "5 sept", "feb 31", "jan 10 2027", "31 june 2027"],
      ...["1/2/2027", "31.12.2027", "2027/1/2", "2027-1-32", "20270102", "20270102T2561", "1800000000", "1800000000000", "2027-W05"],
      ...[
        "7d",
        "99999y",
        "3 days ago",
        "in 99999 years",
        "now",
        "this-week",
        "2027-03",
        "frI",
        "foo",
        "today",
        "fri+2h",
        "sun + 2d",
        "+3d",
      ],
    ),
    fc.constantFrom("", " ", "@", "T", " at ", " + ", "+"),
    fc.constantFrom("", "", "8pm", "8 pm", "7:30", "25:00", "02:30", "noon", "7d", "7d 8pm", "2h 9:00", "99999y", "today", "PST"),
    fc.constantFrom("", "", " Europe/Paris", " PST", "+25:00"),
  )
  .map((parts) => parts.join(""));

/** The expressions in a hint: everything in quotes, and words with a digit or a sign. Placeholders are filled in. */
function suggested(hint: string): readonly string[] {
  if (/^(?:the (?:months|years) go|take a smaller)/.test(hint)) return [];
  const zones = /^write an IANA name|^did you mean [A-Z]\w*\/\w+\?$/.test(hint);
  const quoted = [...hint.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);
  const bare = hint
    .replace(/"[^"]+"|\(.*?\)/g, " ")
    .replace("YYYY-MM-DD HH:MM", " ")
    .split(/[\s,?;]+/)
    .filter((word) => /[\d@+]|YYYY|-ago$|^[A-Z]\w*\//.test(word) || anchorWords.includes(word));
  const clock = hint.startsWith("write a time as");
  return [...quoted, ...bare].map((text) => {
    const filled = text.replace("YYYY", "2028").replace("MM", "01").replace("DD", "02");
    return zones ? `2028-01-02 10:00 ${filled}` : clock ? `today ${filled}` : filled;
  });
}

test("every suggestion that a refusal prints can be read", () => {
  const options = { now: Date.parse("2027-03-12T17:00:00Z"), zone: "America/New_York", side: "start" } as const;
  let seen = 0;
  fc.assert(
    fc.property(nearMiss, (text) => {
      let hint = "";
      try {
        parseDate(text, options);
      } catch (error) {
        if (!(error instanceof CalError)) throw error;
        hint = formatHints(error.details.hint);
      }
      for (const one of suggested(hint)) {
        seen++;
        expect(() => parseDate(one, options), `${text} -> ${hint}`).not.toThrow();
      }
    }),
    { numRuns: 4000 },
  );
  expect(seen).toBeGreaterThan(1000);
});
