// What is written as iCalendar is read again as the same events.
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import type { DataRecord } from "../../src/data-record.ts";
import { createEvent, writeCalendar } from "./calendar.ts";
import { instants, parse } from "./parsed.ts";

const zones = ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"];
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 90 }).map((one) =>
  one
    .replace(/[<>&\p{C}\u2028\u2029]/gu, "x")
    .replace(/\s+/g, " ")
    .trim(),
);
const wall = fc
  .integer({ min: Date.UTC(2026, 0) / 1000, max: Date.UTC(2029, 0) / 1000 })
  .map((second) => new Date(second * 1000).toISOString().slice(0, 19).replace("T", " "));

/** An event whose times the clocks of its zone show. */
const event = fc
  .record({
    title: text,
    description: text,
    start: wall,
    zone: fc.constantFrom(...zones),
    hours: fc.integer({ min: 0, max: 60 }),
    allDay: fc.boolean(),
  })
  // A title of which nothing is seen is none.
  .filter(({ title }) => /[^\p{Default_Ignorable_Code_Point}\u2800\s]/u.test(title))
  .map(({ title, description, start, zone, hours, allDay }): DataRecord => {
    const first = Temporal.PlainDateTime.from(start.replace(" ", "T")).toZonedDateTime(zone);
    const format = (at: Temporal.ZonedDateTime) => at.toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
    const last = first.add({ hours });
    const days = { start_date: `${start.slice(0, 10)} 00:00:00`, end_date: `${format(last).slice(0, 10)} 23:59:59` };
    const times = allDay ? days : { start_date: format(first), end_date: format(last) };
    return createEvent(7, { title, description, timezone: zone, all_day: allDay, ...times });
  });

test("any event comes back with its texts and its instants, and keeps its key", async () => {
  await fc.assert(
    fc.asyncProperty(event, async (record) => {
      const { rows } = parse(Buffer.from(await writeCalendar([record])));
      const [row] = rows;
      expect(rows.map(({ key, problems }) => [key, problems])).toEqual([["7@events.example.org", []]]);
      const { title, description, start_date, end_date, all_day } = record;
      expect([row?.values["title"], row?.values["description"] ?? ""]).toEqual([title, description]);
      const days = { start_date: String(start_date).slice(0, 10), end_date: String(end_date).slice(0, 10), all_day };
      const expected = instants({ values: all_day === true ? days : record, problems: [], warnings: [] });
      expect(row === undefined ? "" : instants(row)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

test("links, places and states come back", async () => {
  const record = createEvent(7, {
    status: "draft",
    venue: { id: 3, venue: "Blue Note Cellar", geo_lat: "48.2", geo_lng: "16.37" },
    organizer: [{ id: 4, organizer: "Cellar, Ltd.", email: "jazz@example.com" }],
    categories: [{ name: "Jazz; late" }, { name: "Live, loud" }],
    description: "<p>Bring <b>your</b> horn</p>",
  });
  expect(parse(Buffer.from(await writeCalendar([record]))).rows[0]?.values).toMatchObject({
    status: "draft",
    venue: { venue: "Blue Note Cellar", geo_lat: 48.2, geo_lng: 16.37 },
    organizer: [{ organizer: "Cellar, Ltd.", email: "jazz@example.com" }],
    categories: ["Jazz; late", "Live, loud"],
    description: "<p>Bring <b>your</b> horn</p>",
    timezone: "America/New_York",
  });
});
