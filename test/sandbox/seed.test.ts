// The data of a fresh sandbox: what the documentation promises of it.

import { describe, expect, test } from "vitest";
import { createSeed } from "../../src/sandbox/seed.ts";
import { MemoryTables } from "../../src/sandbox/store.ts";

function seeded(day: string): MemoryTables {
  const rows = new MemoryTables();
  createSeed(day)(rows);
  return rows;
}

describe("the seed", () => {
  test("is a pure function of its day", () => {
    expect(seeded("2027-03-10").changes()).toEqual(seeded("2027-03-10").changes());
    expect(seeded("2027-03-11").changes()).not.toEqual(seeded("2027-03-10").changes());
  });

  test("has the promised number of everything, with small ids", () => {
    const rows = seeded("2027-03-10");
    const counts = ["events", "venues", "organizers", "categories", "tags", "users"] as const;
    expect(Object.fromEntries(counts.map((name) => [name, rows.all(name).length]))).toEqual({
      events: 60,
      venues: 8,
      organizers: 6,
      categories: 10,
      tags: 8,
      users: 5,
    });
    expect(rows.all("events").map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, index) => 100 + index));
    expect([rows.find("counters", "posts")?.last, rows.find("counters", "terms")?.last]).toEqual([159, 19]);
  });

  test("links only to what there is, under slugs that are unique", () => {
    const rows = seeded("2027-03-10");
    const fields = { venue: "venues", organizer: "organizers", categories: "categories", tags: "tags" } as const;
    for (const event of rows.all("events")) {
      for (const [field, table] of Object.entries(fields)) {
        const ids = event.fields[field];
        expect(Array.isArray(ids) && ids.every((id) => rows.find(table, id) !== undefined)).toBe(true);
      }
    }
    const slugs = rows.all("events").map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs).not.toContain("");
  });

  test("has drafts, private, all-day, several-day and featured events, five zones, and categories three deep", () => {
    const events = seeded("2028-02-29").all("events");
    expect(new Set(events.map(({ fields }) => fields["timezone"]))).toEqual(
      new Set(["America/New_York", "Europe/Paris", "Asia/Tokyo", "Asia/Kolkata", "UTC"]),
    );
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(["publish", "draft", "private", "pending"]));
    const spring = events.find(({ slug }) => slug === "spring-fair");
    expect(spring?.fields).toMatchObject({
      all_day: true,
      sticky: true,
      featured: true,
      start_date: "2028-06-28 00:00:00",
      end_date: "2028-06-30 23:59:59",
    });
    const categories = seeded("2028-02-29");
    expect(categories.find("categories", 4)?.fields).toMatchObject({ name: "Bebop", parent: 3 });
    expect(categories.find("categories", 3)?.fields).toMatchObject({ name: "Jazz", parent: 2 });
  });
});
