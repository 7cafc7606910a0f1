// The order of changes and the limits.
import { describe, expect, test } from "vitest";
import { type Change, createSiteId, formatCounts, sortChanges } from "../../src/changes/change.ts";
import { assertWithinLimits, type Limits } from "../../src/changes/limits.ts";

const change = (op: Change["op"], resource: Change["resource"], key: string, needs: readonly string[] = []): Change => ({
  op,
  resource,
  key,
  fields: [],
  needs,
});

test("a record comes after those that it can link to, deletions last, events before what they link to", () => {
  const changes = [
    change("delete", "venues", "dv"),
    change("delete", "categories", "dc"),
    change("delete", "events", "de"),
    change("create", "events", "e"),
    change("update", "venues", "v"),
    change("create", "organizers", "o"),
    change("create", "tags", "t"),
    change("create", "categories", "child", ["parent"]),
    change("create", "categories", "parent"),
    change("create", "media", "m"),
  ];
  expect(sortChanges(changes).map(({ key }) => key)).toEqual(["m", "parent", "child", "t", "o", "v", "e", "de", "dv", "dc"]);
});

test("changes that can't be ordered are refused", () => {
  expect(() => sortChanges([change("create", "tags", "a", ["b"]), change("create", "tags", "b", ["a"])])).toThrow(
    "need each other: a, b, a",
  );
  expect(() => sortChanges([change("create", "tags", "a", ["x"])])).toThrow("x, which is not in the plan");
  expect(() => sortChanges([change("create", "tags", "a"), change("update", "tags", "a")])).toThrow("the same key");
});

describe("limits", () => {
  const plan = (deletions: number, updates = 0) => [
    ...Array.from({ length: deletions }, (_, at) => change("delete", "events", `d${at}`)),
    ...Array.from({ length: updates }, (_, at) => change("update", "events", `u${at}`)),
  ];
  const rows: readonly (readonly [string, readonly Change[], Limits, string | undefined])[] = [
    ["no limit", plan(50, 50), {}, undefined],
    ["as many changes as allowed", plan(1, 2), { maxChanges: 3 }, undefined],
    ["one change more", plan(1, 3), { maxChanges: 3 }, "--max-changes 4"],
    ["as many deletions as allowed", plan(2, 9), { maxDelete: 2 }, undefined],
    ["one deletion more", plan(3), { maxDelete: 2 }, "--max-delete 3"],
    ["more of both", plan(3, 2), { maxChanges: 4, maxDelete: 2 }, "--max-changes 5 --max-delete 3"],
    ["30 % of a source", plan(3), { source: { managed: 10, isEmpty: false } }, undefined],
    ["more than 30 % of a source", plan(4), { source: { managed: 10, isEmpty: false } }, "--max-delete 4"],
    ["a small source", plan(9), { source: { managed: 9, isEmpty: false } }, undefined],
    ["more than 30 %, allowed", plan(4), { source: { managed: 10, isEmpty: false }, maxDelete: 4 }, undefined],
    ["an empty source", plan(1), { source: { managed: 3, isEmpty: true } }, "--max-delete 1"],
    ["an empty source that deletes nothing", plan(0, 1), { source: { managed: 3, isEmpty: true } }, undefined],
  ];
  test.each(rows)("%s", (_name, changes, limits, flag) => {
    const check = () => assertWithinLimits(changes, limits);
    if (flag === undefined) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ kind: "usage", details: expect.objectContaining({ hint: { text: "if that is meant", flags: flag } }) }),
      );
  });
});

test("counts", () => {
  expect(formatCounts([])).toBe("nothing to change");
  expect(formatCounts([change("delete", "tags", "a"), change("create", "tags", "b"), change("create", "tags", "c")])).toBe(
    "2 to create, 1 to delete",
  );
});

test("a site is its address without what may be secret in it", () => {
  const site = (base_url: string) =>
    createSiteId({ base_url: { value: base_url }, namespace: { value: "tribe/events/v1" }, sandbox: { value: false } });
  expect(site("https://example.org/wp-json/")).toBe("https://example.org/wp-json/tribe/events/v1");
  expect(site("https://u:p@example.org/index.php?rest_route=/&key=s3cret")).toBe(
    "https://example.org/index.php?rest_route=/tribe/events/v1",
  );
});
