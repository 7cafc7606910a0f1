// The three-way compare as a table: what the source wants, what was agreed, what the site has.
import { describe, expect, test } from "vitest";
import { compareRecord, createBase, type Values } from "../../src/changes/compare.ts";
import { resources } from "../../src/model/resources.ts";

const resource = resources.events;

interface Row {
  readonly title: string;
  /** What was sent, and what the site answered; absent is adoption. */
  readonly base?: readonly [sent: Values, answered: Values];
  readonly desired: Values;
  readonly current: Values;
  readonly changed?: readonly string[];
  readonly kept?: readonly string[];
  readonly conflicts?: readonly string[];
}

const rows: readonly Row[] = [
  { title: "nothing differs", base: [{ title: "A" }, { title: "A" }], desired: { title: "A" }, current: { title: "A" } },
  { title: "the source", base: [{ title: "A" }, { title: "A" }], desired: { title: "B" }, current: { title: "A" }, changed: ["title"] },
  { title: "the site", base: [{ title: "A" }, { title: "A" }], desired: { title: "A" }, current: { title: "C" }, kept: ["title"] },
  { title: "both", base: [{ title: "A" }, { title: "A" }], desired: { title: "B" }, current: { title: "C" }, conflicts: ["title"] },
  { title: "both, alike", base: [{ title: "A" }, { title: "A" }], desired: { title: "B" }, current: { title: "B" } },
  {
    title: "the site reformats what is sent",
    base: [{ description: "two\nlines" }, { description: "<p>two<br />lines</p>" }],
    desired: { description: "two\nlines" },
    current: { description: "<p>two<br />lines</p>" },
  },
  {
    title: "one field of each side",
    base: [
      { title: "A", cost: "5" },
      { title: "A", cost: "$5" },
    ],
    desired: { title: "B", cost: "5" },
    current: { title: "A", cost: "$6" },
    changed: ["title"],
    kept: ["cost"],
  },
  {
    title: "a conflict holds back the other fields of the record",
    base: [
      { title: "A", cost: "5" },
      { title: "A", cost: "5" },
    ],
    desired: { title: "B", cost: "6" },
    current: { title: "A", cost: "7" },
    conflicts: ["cost"],
  },
  { title: "a field that the source does not have", base: [{ title: "A" }, { title: "A" }], desired: {}, current: { title: "C" } },
  {
    title: "entities and Unicode forms",
    base: [{ title: "Cafe\u0301 & bar" }, { title: "Café &#038; bar" }],
    desired: { title: "Café & bar" },
    current: { title: "Cafe\u0301 &amp; bar" },
  },
  {
    title: "links are sets",
    base: [{ categories: [3, 4] }, { categories: [{ id: 4 }, { id: 3 }] }],
    desired: { categories: [4, "3"] },
    current: { categories: [{ id: 3 }, { id: 4 }] },
  },
  {
    title: "a link more",
    base: [{ categories: [3] }, { categories: [3] }],
    desired: { categories: [3, 5] },
    current: { categories: [3] },
    changed: ["categories"],
  },
  { title: "adoption: equal", desired: { title: "A &amp; B" }, current: { title: "A & B" } },
  { title: "adoption: empty on the site", desired: { cost: "5" }, current: { cost: "" }, changed: ["cost"] },
  { title: "adoption: no links on the site", desired: { tags: [1] }, current: { tags: [] }, changed: ["tags"] },
  { title: "adoption: another value", desired: { title: "A" }, current: { title: "B" }, conflicts: ["title"] },
  {
    title: "a field that is new in the source counts as adoption",
    base: [{ title: "A" }, { title: "A" }],
    desired: { title: "A", cost: "5" },
    current: { title: "A", cost: "6" },
    conflicts: ["cost"],
  },
];

function compare({ base, desired, current }: Row, onConflict: "skip" | "source" | "site" = "skip") {
  const made = base && createBase(resource, Object.keys(base[0]), base[0], base[1]);
  return compareRecord({ resource, desired, current, base: made, onConflict });
}

test.each(rows)("$title", (row) => {
  const { changes, kept, conflicts } = compare(row);
  expect(changes.map(({ name }) => name)).toEqual(row.changed ?? []);
  expect(kept).toEqual(row.kept ?? []);
  expect(conflicts.map(({ name }) => name)).toEqual(row.conflicts ?? []);
});

describe("a rule for conflicts", () => {
  const [row] = rows.filter(({ title }) => title === "both");

  test("source: the file is right, and the base moves", () => {
    const result = row && compare(row, "source");
    expect(result).toMatchObject({ conflicts: [], changes: [{ name: "title", from: "C", to: "B" }], agreed: ["title"] });
  });

  test("site: the site is right, and the base moves", () => {
    const result = row && compare(row, "site");
    expect(result).toMatchObject({ conflicts: [], changes: [], agreed: ["title"] });
  });

  test("skip: nothing is written and the base stays", () => {
    expect(row && compare(row)).toMatchObject({ changes: [], agreed: [] });
  });
});

test("a rendered text counts as unchanged where the record was not modified", () => {
  const base = createBase(resource, ["description"], { description: "a" }, { description: "<p>a</p>" });
  const input = { resource, desired: { description: "b" }, current: { description: "<p>a </p>!" }, base, onConflict: "skip" } as const;
  expect(compareRecord(input).conflicts).toHaveLength(1);
  expect(compareRecord({ ...input, unmodified: ["description"] }).changes.map(({ name }) => name)).toEqual(["description"]);
});

test("after a write with the base of its answer, the same source has nothing to change", () => {
  for (const { desired, current } of rows) {
    const names = Object.keys(desired);
    const base = createBase(resource, names, desired, current);
    expect(compareRecord({ resource, desired, current, base, onConflict: "skip" })).toMatchObject({ changes: [], conflicts: [], kept: [] });
  }
});
