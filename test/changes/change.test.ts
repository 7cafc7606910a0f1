// The order of changes, their counts, and the site of a plan.
import { expect, test } from "vitest";
import { type Change, createSiteId, formatCounts, sortChanges } from "../../src/changes/change.ts";

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
