// CSV as another program reads it, one that takes every CR and LF outside of quotes for the end of a record.

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createListReport } from "../output/reports.ts";
import { createTestView, renderText } from "../output/view.ts";

const script = `
import csv, io, json, sys
for text in json.load(sys.stdin):
    print(json.dumps(list(csv.reader(io.StringIO(text, newline=""), strict=True))))
`;

/** The rows of each text, by Python's module csv. */
function readWithPython(texts: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const { stdout, stderr, status } = spawnSync("python3", ["-c", script], {
    input: JSON.stringify(texts),
    encoding: "utf8",
    env: { ...process.env, PYTHONUTF8: "1" },
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as string[][]);
}

describe("Python's csv", () => {
  if (spawnSync("python3", ["--version"]).status !== 0) return test.skip("no python3: apt-get install python3");

  // Python before 3.11 reads no NUL.
  const unit = fc.oneof(fc.constantFrom(..."\r\n\t,;\"'=+-@ \u00a0\u0085\u2028é日"), fc.constantFrom("a", "\r\n", "😀"));
  const cell = fc.array(unit, { maxLength: 10 }).map((parts) => parts.join(""));
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }));

  test("reads every value back", async () => {
    const tables = fc.sample(table, { numRuns: 500, seed: 20_270_115 });
    const texts: string[] = [];
    for (const rows of tables) {
      const names = (rows[0] ?? []).map((_, column) => `c${column}`);
      const records = rows.map((row) => Object.fromEntries(row.map((text, column) => [`c${column}`, text])));
      texts.push(await renderText(createListReport(...records), createTestView("csv", { fields: names, header: false })));
    }
    expect(readWithPython(texts)).toEqual(tables);
  });

  test("reads a text of several paragraphs as one value, also for a spreadsheet", async () => {
    const description = "Jazz\n=1+1\r\rlast";
    for (const excel of [false, true]) {
      const text = await renderText(
        createListReport({ id: 1, description }),
        createTestView("csv", { fields: ["id", "description"], excel }),
      );
      expect(readWithPython([text.replace("\ufeff", "")])).toEqual([
        [
          ["id", "description"],
          ["1", description],
        ],
      ]);
    }
  });
});
