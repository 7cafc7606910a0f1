// Plan files are not trusted: everything that is unknown is refused before anything is sent.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Change, Plan } from "../../src/changes/change.ts";
import { readPlanFile, writePlanFile } from "../../src/changes/plan-file.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-plan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const site = "https://example.org/wp-json/tribe/events/v1";
const event: Change = {
  op: "create",
  resource: "events",
  key: "jazz",
  fields: [
    { name: "title", to: "Jazz", origin: "input" },
    { name: "start_date", to: "2027-01-16 20:00:00", origin: "input" },
    { name: "end_date", to: "2027-01-16 23:00:00", origin: "input" },
    { name: "venue", to: [{ key: "hall" }], origin: "resolved" },
  ],
  needs: ["hall"],
};
const venue: Change = {
  op: "create",
  resource: "venues",
  key: "hall",
  fields: [{ name: "venue", to: "Hall", origin: "input" }],
  needs: [],
};
const update: Change = {
  op: "update",
  resource: "events",
  key: "12",
  id: "12",
  title: "Old",
  read: { hash: "0123456789abcdef", how: "view" },
  fields: [{ name: "title", from: "Old", to: "New", origin: "input" }],
  needs: [],
};
const plan: Plan = { version: 1, site, changes: [event, venue, update], unchanged: 0, skipped: [], conflicts: [] };

function write(value: unknown): string {
  const path = join(folder, "plan.json");
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

test("a plan is read back in the order in which it is carried out", async () => {
  const path = join(folder, "written.json");
  writePlanFile(path, plan);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  const { changes } = await readPlanFile(path, site);
  expect(changes).toEqual([venue, event, update]);
});

describe("refused", () => {
  const withChange = (change: object) => ({ ...plan, changes: [change] });
  const rows: readonly (readonly [name: string, value: unknown, message: string])[] = [
    ["no JSON", "{", "is not valid JSON"],
    ["no object", "[]", "no list of changes"],
    ["another version", { ...plan, version: 2 }, "its version is 2"],
    ["another site", { ...plan, site: "https://other.example/wp-json/tribe/events/v1" }, "for another site"],
    ["conflicts", { ...plan, conflicts: [{}] }, "1 conflicts that are not decided"],
    ["an operation", withChange({ ...update, op: "destroy" }), 'unknown operation "destroy"'],
    ["an operation of every object", withChange({ ...update, op: "constructor" }), "unknown operation"],
    ["a resource", withChange({ ...update, resource: "users" }), 'unknown resource "users"'],
    ["an upload", withChange({ ...update, resource: "media" }), 'unknown resource "media"'],
    ["a part", withChange({ ...update, path: "/wp/v2/users/1" }), 'unknown part "path"'],
    ["a field", withChange({ ...update, fields: [{ name: "id", to: "1", origin: "input" }] }), 'unknown field "id"'],
    ["__proto__", withChange({ ...update, fields: [{ name: "__proto__", to: "1", origin: "input" }] }), 'unknown field "__proto__"'],
    ["a field twice", withChange({ ...update, fields: [...update.fields, ...update.fields] }), "the field title is there twice"],
    ["an origin", withChange({ ...update, fields: [{ name: "title", to: "1", origin: "guess" }] }), "unknown origin"],
    ["no new value", withChange({ ...update, fields: [{ name: "title", origin: "input" }] }), "no new value"],
    ["an id that is a path", withChange({ ...update, id: "12/../13" }), "its id is not digits"],
    ["an id that is a number", withChange({ ...update, id: 12 }), "its id is not digits"],
    ["no id", withChange({ ...update, id: undefined }), "its id is not digits"],
    ["an id of a create", withChange({ ...venue, id: "1" }), "a create must have no id"],
    ["no key", withChange({ ...update, key: "" }), "it has no key"],
    ["a key twice", { ...plan, changes: [venue, venue] }, 'two changes have the key "hall"'],
    ["a create without its required fields", withChange({ ...venue, fields: [] }), "a new venue needs venue"],
    ["a link to nothing", withChange({ ...event, needs: [] }), 'it links to "hall"'],
    ["a need that is not there", withChange(event), "needs hall, which is not in the plan"],
    ["no list of fields", withChange({ ...update, fields: {} }), "no list of fields"],
  ];

  test.each(rows)("%s", async (_name, value, message) => {
    await expect(readPlanFile(write(value), site)).rejects.toMatchObject({ kind: "usage", message: expect.stringContaining(message) });
  });

  test("all problems at once", async () => {
    const bad = { ...plan, site: "x", changes: [{ ...update, op: "x", id: "y" }, 7] };
    const error = await readPlanFile(write(bad), site).catch((caught: Error) => caught);
    for (const part of ["another site", "change 1: unknown operation", "change 1: its id", "change 2: it is not an object"])
      expect((error as Error).message).toContain(part);
  });

  test("no file", async () => {
    await expect(readPlanFile(join(folder, "none.json"), site)).rejects.toMatchObject({ kind: "usage" });
    await expect(readPlanFile(folder, site)).rejects.toMatchObject({ kind: "local" });
  });
});
