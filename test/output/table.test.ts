// Tables: what they show, how they fit, and that they never run over.

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { OutputOptions } from "../../src/output/report.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { createListReport, jazzEvent, yogaEvent } from "./reports.ts";
import { createTestView, renderText } from "./view.ts";
import "./table-width.ts";

function terminal(width: number, changes: Partial<OutputOptions> = {}): OutputOptions {
  return createTestView("table", { tty: true, width, zone: "America/New_York", ...changes });
}

describe("a table", () => {
  test("shows words: dates to the minute with a foreign zone, all-day events, entities decoded, tags gone", async () => {
    const event = { ...jazzEvent, utc_start_date: "2026-11-22 08:30:00", utc_end_date: "2026-11-22 09:30:00" };
    expect(await renderText(createListReport(event, yogaEvent), terminal(200))).toEqual(
      [
        "ID   START                 END                   TITLE                VENUE          CATEGORIES   STATUS             SLUG",
        "19   2026-11-22 09:30 CET  2026-11-22 10:30 CET  Jazz “Night” & more  Café de l’Été  Music, Jazz  publish, featured  jazz-night",
        "176  2026-11-27 all day    2026-11-27            Yoga                                             draft              yoga",
        "",
      ].join("\n"),
    );
  });
  test.each([
    [
      "Europe/Paris",
      "CET",
      ["2027-03-27 23:00:00", "2027-03-27 22:00:00"],
      ["2027-03-28 04:00:00", "2027-03-28 02:00:00"],
      "+01:00",
      "+02:00",
    ],
    [
      "Europe/Paris",
      "CEST",
      ["2027-10-30 23:00:00", "2027-10-30 21:00:00"],
      ["2027-10-31 03:30:00", "2027-10-31 02:30:00"],
      "+02:00",
      "+01:00",
    ],
    [
      "America/New_York",
      "EST",
      ["2027-03-13 22:00:00", "2027-03-14 03:00:00"],
      ["2027-03-14 05:00:00", "2027-03-14 09:00:00"],
      "-05:00",
      "-04:00",
    ],
    [
      "Australia/Lord_Howe",
      "+11",
      ["2027-04-03 22:00:00", "2027-04-03 11:00:00"],
      ["2027-04-04 04:00:00", "2027-04-03 17:30:00"],
      "+11:00",
      "+10:30",
    ],
    [
      "Europe/Paris",
      "CEST",
      ["2027-10-31 01:00:00", "2027-10-30 23:00:00"],
      ["2027-10-31 02:30:00", "2027-10-31 00:30:00"],
      "CEST",
      "CEST",
    ],
    ["Europe/Paris", "CET", ["2027-03-27 23:00:00", undefined], ["2027-03-28 04:00:00", undefined], "CET", "Europe/Paris"],
  ])(
    "in %s the letters of a start (%s) never stand beside an end of another offset",
    async (timezone, timezone_abbr, start, end, startLabel, endLabel) => {
      const night = { timezone, timezone_abbr, start_date: start[0], utc_start_date: start[1], end_date: end[0], utc_end_date: end[1] };
      const [from, to] = [start[0], end[0]].map((wall) => String(wall).slice(0, 16));
      const row = await renderText(
        createListReport(night),
        terminal(200, { zone: "Asia/Tokyo", fields: ["start_date", "end_date"], header: false }),
      );
      expect(row).toEqual(`${from} ${startLabel}  ${to} ${endLabel}\n`);
    },
  );
  test("gives up columns by priority, reports which, then cuts text and never ids or dates", async () => {
    const dropped: (readonly string[])[] = [];
    const how = (width: number) => terminal(width, { zone: "Europe/Paris", onDropped: (headers) => dropped.push(headers) });
    expect(await renderText(createListReport(jazzEvent), how(80))).toEqual(
      "ID  START             TITLE                VENUE          STATUS\n19  2026-11-22 09:30  Jazz “Night” & more  Café de l’Été  publish, featured\n",
    );
    expect(await renderText(createListReport(jazzEvent), how(40))).toEqual(
      "ID  START             TITLE\n19  2026-11-22 09:30  Jazz “Night” & mo…\n",
    );
    expect(dropped).toEqual([
      ["END", "CATEGORIES", "SLUG"],
      ["END", "VENUE", "CATEGORIES", "STATUS", "SLUG"],
    ]);
  });
  test("at 60 columns keeps venue and status: dates shorten first, without their zone", async () => {
    const dropped: (readonly string[])[] = [];
    const how = (width: number) =>
      terminal(width, { now: Date.parse("2026-11-20T12:00:00Z"), onDropped: (headers) => dropped.push(headers) });
    const late = { ...jazzEvent, id: 48210, title: "An Evening with the Quartet", start_date: "2031-01-16 20:00:00" };
    expect(await renderText(createListReport(jazzEvent, yogaEvent, late), how(60))).toEqual(
      [
        "ID     START             TITLE          VENUE      STATUS",
        "19     Sun 22 Nov 09:30  Jazz “Night”…  Café de …  publish,…",
        "176    Fri 27 Nov        Yoga                      draft",
        "48210  2031-01-16 20:00  An Evening w…  Café de …  publish,…",
        "",
      ].join("\n"),
    );
    expect(dropped).toEqual([["END", "CATEGORIES", "SLUG", "time zones"]]);
    expect(await renderText(createListReport(jazzEvent), how(100))).toContain("2026-11-22 09:30 CET");
  });
  test("is whole with --wide or off a terminal", async () => {
    const whole = await renderText(createListReport(jazzEvent), createTestView("table"));
    expect(await renderText(createListReport(jazzEvent), terminal(40, { wide: true, zone: undefined }))).toEqual(whole);
    expect(whole).toContain("jazz-night");
  });
  test("shows the columns that are requested, by header or path", async () => {
    expect(await renderText(createListReport(jazzEvent), terminal(40, { fields: ["status", "venue.venue", "ID"] }))).toEqual(
      "STATUS             VENUE          ID\npublish, featured  Café de l’Été  19\n",
    );
    expect(
      await renderText(createListReport(jazzEvent), terminal(60, { fields: ["featured", "venue.city", "title"], header: false })),
    ).toEqual("yes  Paris  Jazz “Night” & more\n");
  });
  test("of nothing is nothing", async () => {
    expect(await renderText(createListReport(), terminal(80))).toEqual("");
  });
  test("colours the status, whose word says the same without colour", async () => {
    const style = await createStyle({ color: true });
    expect(await renderText(createListReport(yogaEvent), terminal(80, { style, fields: ["id", "status"] }))).toEqual(
      "\u001b[1mID\u001b[22m   \u001b[1mSTATUS\u001b[22m\n176  \u001b[35mdraft\u001b[39m\n",
    );
  });
  test("leans counts to the right", async () => {
    const columns = [
      { header: "COUNT", path: "count", kind: "count", priority: 1 },
      { header: "NAME", path: "name", kind: "name", priority: 1 },
    ] as const;
    const report = { ...createListReport({ count: 7, name: "a" }, { count: 1234567, name: "b" }), columns };
    expect(await renderText(report, terminal(80))).toEqual("  COUNT  NAME\n      7  a\n1234567  b\n");
  });
});

describe("alignment", () => {
  const titles = [
    "plain",
    "東京ドーム",
    "👨‍👩‍👧‍👦 family",
    "e\u0301te\u0301",
    "नमस्ते",
    "ภาษาไทย",
    "שָׁלוֹם עולם",
    "مرحبا",
    "🇨🇭 flag",
    "한국어",
  ];
  test("every cell after a title starts in the same column", async () => {
    const text = await renderText(
      createListReport(...titles.map((title, id) => ({ id, title, slug: "S" }))),
      terminal(80, { fields: ["title", "slug"], header: false }),
    );
    const starts = text
      .trimEnd()
      .split("\n")
      .map((line) => stringWidth(line.slice(0, line.lastIndexOf("S"))));
    expect(starts).toEqual(titles.map(() => 12));
  });
  test("right-to-left text is isolated, and only that", async () => {
    expect(
      await renderText(createListReport({ title: "مرحبا" }, { title: "abc" }), terminal(80, { fields: ["title"], header: false })),
    ).toEqual("\u2068مرحبا\u2069\nabc\n");
  });
  test("a cut never splits what is read as one character", async () => {
    const cut = (title: string) => renderText(createListReport({ title }), terminal(20, { fields: ["title"], header: false }));
    expect(await cut("東京東京東京東京東京東京")).toEqual("東京東京東京東京東…\n");
    expect(await cut("e\u0301".repeat(30))).toEqual(`${"e\u0301".repeat(19)}…\n`);
    expect(await cut("👨‍👩‍👧‍👦".repeat(20))).toEqual(`${"👨‍👩‍👧‍👦".repeat(9)}…\n`);
  });
});

const letters = fc.constantFrom(
  ..."abc xyz&<>東京é",
  "e\u0301",
  "👨‍👩‍👧‍👦",
  "🇨🇭",
  "ש",
  "ا",
  "\u202e",
  "\u001b[31m",
  "\u001b]0;t\u0007",
  "\n",
  "\t",
  "\u0600",
  "ดำ",
  "ﷺ",
  "\ud800",
  "&#38;",
  "\u0d4e",
);
const text = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(""));
const record = fc.record(
  {
    id: fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n })),
    title: text,
    slug: text,
    status: fc.constantFrom("publish", "draft"),
    featured: fc.boolean(),
    all_day: fc.boolean(),
    start_date: fc.constant("2026-11-22 09:30:00"),
    timezone: fc.constantFrom("Europe/Paris", "America/Argentina/Buenos_Aires"),
    venue: fc.record({ venue: text }),
    categories: fc.array(fc.record({ name: text }), { maxLength: 4 }),
  },
  { requiredKeys: ["id"] },
);

test("no line is wider than the terminal or holds a character that the terminal obeys", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), fc.integer({ min: 20, max: 250 }), async (records, width) => {
      const lines = (await renderText(createListReport(...records), terminal(width))).split("\n");
      expect(lines.length).toBe(records.length + 2);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
    { numRuns: 200 },
  );
});

test("two thousand rows are drawn, with a title that would be a megabyte wide", async () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, title: id === 7 ? "x".repeat(1_000_000) : `Event ${id}` }));
  const lines = (await renderText(createListReport(...rows), terminal(80))).split("\n");
  expect(lines.length).toBe(2002);
  expect(lines[8]).toMatch(/^7 +x+…/);
});
