// One record for people.

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { htmlToLines } from "../../src/output/record.ts";
import { createRecordReport, jazzEvent } from "./reports.ts";
import { createTestView, renderText } from "./view.ts";

test("a record is shown field by field, columns first, nothing empty, long text wrapped", async () => {
  const record = {
    ...jazzEvent,
    excerpt: "",
    image: false,
    cost_details: { values: [10] },
    meta: [],
    organizer: [
      { id: 12, organizer: "Jane &amp; Joe" },
      { id: 14, name: "Minimal" },
    ],
    description:
      '<p>Come and <b>listen</b> to the best of the whole wide town.</p><ul><li>one</li><li>two <a href="https://x.test/?a=1&amp;b=2">here</a></li></ul>',
  };
  expect(await renderText(createRecordReport(record), createTestView("table", { tty: true, width: 50, zone: "Europe/Paris" }))).toEqual(
    `${[
      "id             19",
      "start_date     2026-11-22 09:30",
      "end_date       2026-11-22 10:30",
      "title          Jazz “Night” & more",
      "venue          Café de l’Été (5)",
      "categories     Music (2), Jazz (3)",
      "status         publish, featured",
      "slug           jazz-night",
      "all_day        no",
      "timezone       Europe/Paris",
      "timezone_abbr  CET",
      "featured       yes",
      "image          no",
      "organizer      Jane & Joe (12), Minimal (14)",
      "description    Come and listen to the best of the",
      "               whole wide town.",
      "",
      "               - one",
      "               - two here",
      "               (https://x.test/?a=1&b=2)",
      "…              cost_details (--json shows them)",
    ].join("\n")}\n`,
  );
});

test("the fields that are requested are shown whole", async () => {
  expect(await renderText(createRecordReport(jazzEvent), createTestView("table", { fields: ["venue.city", "venue", "title"] }))).toEqual(
    "venue.city  Paris\nvenue       Café de l’Été (5)\ntitle       Jazz “Night” & more\n",
  );
  expect(await renderText(createRecordReport({ id: 1, cost: { a: [1] } }), createTestView("table", { fields: ["cost"] }))).toEqual(
    'cost  {"a":[1]}\n',
  );
});

test("an address that is too long for the terminal stays whole, to be clicked and copied", async () => {
  const url = `https://calendar.example/events/${"jazz-".repeat(12)}night/?a=1&b=2`;
  const record = { id: 1, url, description: `<p>Tickets at the door or at</p><p>${url}</p>`, excerpt: `At ${url}` };
  const text = await renderText(createRecordReport(record), createTestView("table", { tty: true, width: 60 }));
  expect(text.split("\n").filter((line) => line.endsWith(url))).toEqual([`url          ${url}`, `             ${url}`]);
  for (const line of text.split("\n").filter((one) => !one.endsWith(url))) expect(stringWidth(line)).toBeLessThanOrEqual(60);
});

test("no line is wider than the terminal, addresses aside", async () => {
  const word = fc.oneof(fc.string({ unit: "grapheme", maxLength: 80 }), fc.constantFrom("<p>", "</p>", "<br>", "東京".repeat(40)));
  await fc.assert(
    fc.asyncProperty(fc.array(word), fc.integer({ min: 30, max: 120 }), async (words, width) => {
      const text = await renderText(
        createRecordReport({ id: 1, description: words.join(" "), title: words.join("") }),
        createTestView("table", { width, tty: true }),
      );
      for (const line of text.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

describe("HTML as lines", () => {
  test.each([
    ["plain\ntext &amp; more", ["plain", "text & more"]],
    ["<p>one\ntwo</p>\n<p>three<br />four</p>", ["one two", "", "three", "four"]],
    ["<h2>Head</h2><script>alert(1)</script><style>p{}</style><!-- <p>no</p> -->tail", ["Head", "", "tail"]],
    ["<a href='https://x.test'>site</a> <a name=x>anchor</a>", ["site (https://x.test) anchor"]],
    ["<p>a &lt;b&gt; c</p>", ["a <b> c"]],
    ["<p>\u001b[31mred\u0007</p>&#27;[2J", ["red", "", ""].slice(0, 1)],
    ["1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]],
    ["<p>unclosed <b", ["unclosed <b"]],
    ["<script>never closed", []],
    ["", []],
  ])("%j", (html, lines) => {
    expect(htmlToLines(html)).toEqual(lines);
  });
});

describe("a record that was just written", () => {
  const recordSummary = { fields: ["id", "title", "cost", "website"], all: "cal events get 19" };
  const record = { id: 19, title: "Jazz", cost: "10", website: "", author: 1, meta: { a: 1 } };
  const report = { ...createRecordReport(record), recordSummary };

  test("shows on a terminal the fields of its summary, and the command that shows all of it", async () => {
    expect(await renderText(report, createTestView("table", { tty: true, width: 50 }))).toBe(
      "id     19\ntitle  Jazz\ncost   10\n…      all of it: cal events get 19\n",
    );
  });

  test("shows nothing on a terminal where its changes were already shown", async () => {
    expect(
      await renderText({ ...createRecordReport(record), recordSummary: { fields: [] } }, createTestView("table", { tty: true, width: 50 })),
    ).toBe("");
  });

  test.each([
    ["off a terminal", createTestView("table"), /^author +1$/m],
    ["with --wide", createTestView("table", { tty: true, width: 50, wide: true }), /^author +1$/m],
    ["with --fields", createTestView("table", { tty: true, width: 50, fields: ["author"] }), /^author +1\n$/],
    ["as JSON", createTestView("json", { tty: true }), /"author": 1/],
  ])("is whole %s", async (_how, how, shown) => {
    expect(await renderText(report, how)).toMatch(shown);
  });
});
