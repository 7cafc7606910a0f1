// Look-ups of records in lists.
import { expect, test } from "vitest";
import { listRecords } from "../../src/api/refs.ts";
import type { Client } from "../../src/api/request.ts";
import { resources } from "../../src/model/resources.ts";
import { serverProfiles } from "../../src/model/server-profiles.ts";

const venue = { id: 7, venue: "Town Hall", city: "Springfield" };
const events = [
  { id: 1, title: "A", venue, categories: [{ id: 2, name: "Music" }], tags: [], cost_details: { values: ["5"] } },
  { id: 2, title: "B", venue, categories: [{ id: 2, name: "Music" }], tags: [], cost_details: { values: ["5"] } },
  { id: 3, title: "C", venue: { ...venue, city: "Shelbyville" }, categories: [], organizer: false, image: false },
];

test("the records of a list are what the server sent; equal links of them are one object", async () => {
  const reply = { status: 200, headers: {}, value: JSON.parse(JSON.stringify({ events, total: 3, total_pages: 1 })) };
  const client: Client = { fetch: async () => async () => reply, send: async () => reply, write: async () => reply };
  const records = await listRecords({ client, namespace: "x", serverProfile: serverProfiles.generic }, resources.events, {});
  expect(records).toEqual(events);
  const [first, second, third] = records;
  expect(second?.["venue"]).toBe(first?.["venue"]);
  expect(second?.["categories"]).toBe(first?.["categories"]);
  expect(third?.["venue"]).not.toBe(first?.["venue"]);
});
