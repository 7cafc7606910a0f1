// CSV is read back as it was written, by another program.

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { removeMarkup } from "../../src/html-text.ts";
import { createListReport } from "./reports.ts";
import { createTestView, renderText } from "./view.ts";

const cell = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...'",;\r\n\t=+-@ ax'), { maxLength: 8 }).map((letters) => letters.join("")),
);
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }));

function csvOf(rows: readonly (readonly string[])[], excel: boolean): Promise<string> {
  const names = (rows[0] ?? []).map((_, index) => `c${index}`);
  const records = rows.map((row) => Object.fromEntries(row.map((text, index) => [`c${index}`, text])));
  return renderText(createListReport(...records), createTestView("csv", { fields: names, excel }));
}

test("every value comes back", async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const [header, ...body] = parse(await csvOf(rows, false), { record_delimiter: "\r\n" }) as string[][];
      expect({ header, body }).toEqual({ header: (rows[0] ?? []).map((_, index) => `c${index}`), body: rows });
    }),
    { numRuns: 300 },
  );
});

test("with --excel no cell begins as a formula, and behind the guard every value comes back without the space around it", async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const plain = rows.map((row) => row.map((text) => removeMarkup(text).trim()));
      const [, ...body] = parse(await csvOf(rows, true), { bom: true, record_delimiter: "\r\n" }) as string[][];
      for (const text of body.flat()) expect(text).not.toMatch(/^[\s\p{C}]*[=+\-@]/u);
      const unguarded = body.map((row, line) => row.map((text, index) => (text === plain[line]?.[index] ? text : text.replace(/^'/, ""))));
      expect(unguarded).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

test.each([" =1", "\u00a0=1", "\u200b=1", "\t+1", "\u0001-1", "＝1", "&#61;1", "<b>=1</b>"])(
  "%j is guarded in a spreadsheet",
  async (text) => {
    const [, [cell] = []] = parse(await csvOf([[text]], true), { bom: true, record_delimiter: "\r\n" }) as string[][];
    expect(cell).toMatch(/^'/);
  },
);

test("a spreadsheet, TSV and a table remove tags and decode entities alike", async () => {
  const title = "<p>Salt &amp; <b>Pepper</b></p><script>x</script>";
  const fields = { fields: ["title"], header: false };
  expect(await renderText(createListReport({ title }), createTestView("csv", { ...fields, excel: true }))).toBe("\ufeffSalt & Pepper\r\n");
  expect(await renderText(createListReport({ title }), createTestView("tsv", fields))).toBe("Salt & Pepper\n");
  expect(await renderText(createListReport({ title }), createTestView("table", fields))).toBe("Salt & Pepper\n");
});

test("a spreadsheet gets plain words for entities, guarded after they are decoded; plain CSV what the server sent", async () => {
  const records = createListReport({ title: "Salt &#038; &#8220;Pepper&#8221;" }, { title: "&#061;1+1" });
  expect(await renderText(records, createTestView("csv", { fields: ["title"], excel: true }))).toBe(
    "\ufefftitle\r\nSalt & “Pepper”\r\n'=1+1\r\n",
  );
  expect(await renderText(records, createTestView("csv", { fields: ["title"] }))).toBe(
    "title\r\nSalt &#038; &#8220;Pepper&#8221;\r\n&#061;1+1\r\n",
  );
});
