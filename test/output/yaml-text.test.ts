// YAML comes back as it was written, and is read as people mean it.

import process from "node:process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseYaml, stringifyYaml } from "../../src/output/yaml.ts";
import { createRecordReport } from "./reports.ts";
import { createTestView, renderText } from "./view.ts";

test.each([
  [
    "title: Jazz\nvenue: [5, 12345678901234567890]\nall_day: true\ncost: 1.5\nwebsite: null\n",
    { title: "Jazz", venue: [5, 12345678901234567890n], all_day: true, cost: 1.5, website: null },
  ],
  ["start_date: 2026-11-22 09:30:00\nslug: yes\n", { start_date: "2026-11-22 09:30:00", slug: "yes" }],
  ["a: &x {b: 1}\nc: *x\n", { a: { b: 1 }, c: { b: 1 } }],
  ["", null],
])("%j is read", (text, value) => {
  expect(parseYaml(text)).toEqual(value);
});

test("what is no YAML, and what would blow up, is refused", () => {
  expect(() => parseYaml("a: [1")).toThrow();
  const bomb = [
    "a0: &a0 [x, x, x, x, x, x, x, x, x, x]",
    ...Array.from({ length: 8 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`),
  ];
  expect(() => parseYaml(bomb.join("\n"))).toThrow();
});

test("any value comes back, for readers of YAML 1.1 and 1.2 alike", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary-ascii" }),
    fc.constantFrom("yes", "no", "~", "12:30", "2026-11-22", "0x1f", "1e3", "<<", "- a", "# x", "a: b", "\n", "on", "0o7"),
  );
  fc.assert(
    fc.property(fc.array(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)))), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      expect(parseYaml(stringifyYaml(plain))).toEqual(plain);
      expect(parse(stringifyYaml(plain), { version: "1.1", merge: false })).toEqual(plain);
    }),
  );
});

test("YAML on a terminal holds nothing that the terminal obeys, and keeps the value", async () => {
  const text = await renderText(createRecordReport({ id: 1, title: "a\u009b31mb\u202e" }), createTestView("yaml", { tty: true }));
  expect(text).toBe('"id": 1\n"title": "a\\u009b31mb\\u202e"\n');
  expect(parse(text)).toEqual({ id: 1, title: "a\u009b31mb\u202e" });
});

test("tags, numbers without an end and bottomless nesting are refused, and Node warns of nothing", async () => {
  const warnings: Error[] = [];
  const listener = (warning: Error) => warnings.push(warning);
  process.on("warning", listener);
  expect(() => parseYaml("title: !shout Jazz")).toThrow("!shout");
  expect(() => parseYaml("cost: .inf")).toThrow("Infinity");
  expect(() => parseYaml(`a: ${"[".repeat(600)}${"]".repeat(600)}`)).toThrow("500 levels");
  expect(parseYaml("[1]: x")).toEqual({ "[ 1 ]": "x" });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listener);
  expect(warnings).toEqual([]);
});
