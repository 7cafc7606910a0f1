// The data of a new sandbox is what the documentation says.

import { describe, expect, test } from "vitest";
import { createSeed } from "../../src/sandbox/seed.ts";
import { createMemoryStore, type StoreReader } from "../../src/sandbox/store.ts";

const seeded = (day: string): Promise<StoreReader> => createMemoryStore(createSeed(day)).read((data) => data);

async function everythingOf(day: string): Promise<unknown> {
  const data = await seeded(day);
  const tables = ["events", "venues", "organizers", "categories", "tags", "users", "applications", "passwords", "pictures"] as const;
  return tables.map((table) => data.all(table));
}

describe("the seed", () => {
  test("is a pure function of its day", async () => {
    expect(await everythingOf("2027-03-10")).toEqual(await everythingOf("2027-03-10"));
    expect(await everythingOf("2027-03-11")).not.toEqual(await everythingOf("2027-03-10"));
  });

  test("has the documented number of each resource, with small ids", async () => {
    const rows = await seeded("2027-03-10");
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

  test("links only to what there is, under slugs that are unique", async () => {
    const rows = await seeded("2027-03-10");
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

  test("has drafts, private, all-day, several-day and featured events, five zones, and categories three deep", async () => {
    const events = (await seeded("2028-02-29")).all("events");
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
    const categories = await seeded("2028-02-29");
    expect(categories.find("categories", 4)?.fields).toMatchObject({ name: "Bebop", parent: 3 });
    expect(categories.find("categories", 3)?.fields).toMatchObject({ name: "Jazz", parent: 2 });
  });
});
