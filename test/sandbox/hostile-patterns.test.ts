// Texts of a megabyte that would keep a pattern busy for minutes if its work grew with the square of their length.

import { describe, expect, test } from "vitest";
import { formatCost, formatCostDetails, parseSentCost } from "../../src/sandbox/costs.ts";
import { slugify } from "../../src/sandbox/entry.ts";
import { parseParameters } from "../../src/sandbox/http.ts";
import {
  foldText,
  parseDate,
  renderDescription,
  renderTermName,
  renderTitle,
  sanitizeTextField,
  stripTags,
  stripUnsafeTags,
} from "../../src/sandbox/tec/values.ts";
import { createBasicHeader, fetchApiJson, startTestSandbox } from "./client.ts";

const pieces: readonly string[] = [
  ..."a1 -,.&%€日<>[]=\n\\\"'",
  "<a",
  "<script",
  "<a href=",
  "a[]=&",
  "a[b][c]=&",
  "&a",
  "&#1",
  "1,",
  "1 ",
  "1€ ",
  "a ",
  "\u0301\u0316",
  "\n\n ",
  "\r\n",
  "2027-01-01 ",
];

/** Of about a megabyte, with an end that no run of the piece has. */
const texts = pieces.map((piece) => [JSON.stringify(piece), `${piece.repeat(Math.ceil(1_000_000 / piece.length))}\u0000x`] as const);

const functions: Readonly<Record<string, (text: string) => unknown>> = {
  slugify,
  parseSentCost,
  formatCost: (text) => formatCost({ rows: [text], symbol: "", position: "" }),
  "formatCost of an array": (text) => formatCost({ rows: text.slice(0, 200_000).split(""), symbol: "", position: "" }),
  formatCostDetails: (text) => formatCostDetails({ rows: [text], symbol: "", position: "" }),
  renderTitle,
  renderTermName,
  renderDescription,
  sanitizeTextField,
  stripTags,
  stripUnsafeTags,
  foldText,
  parseParameters,
  parseDate: (text) => parseDate(`2027-01-01${text}`, "2027-03-10 12:00:00") ?? parseDate(text, "2027-03-10 12:00:00"),
};

describe.each(Object.keys(functions))("%s ends soon", (name) => {
  test.each(texts)("for a megabyte of %s", { timeout: 20_000 }, (_piece, text) => {
    expect(() => functions[name]?.(text)).not.toThrow();
  });
});

const writtenPieces = new Set(["a", "-", "日", "<a", "&a", "1,", "1€ ", "a ", "\u0301\u0316"].map((piece) => JSON.stringify(piece)));

test.each(texts.filter(([piece]) => writtenPieces.has(piece)))(
  "a record with texts of %s is written and listed",
  { timeout: 30_000 },
  async (_piece, text) => {
    for (const serverProfile of ["generic", "the-events-calendar"] as const) {
      const sandbox = await startTestSandbox({ serverProfile });
      const headers = serverProfile === "generic" ? {} : { headers: createBasicHeader(sandbox, "author") };
      const half = text.slice(0, 80_000);
      const json = {
        title: half,
        description: half,
        excerpt: half,
        cost: half,
        start_date: "2027-04-01 20:00:00",
        end_date: "2027-04-01 23:00:00",
      };
      const { status } = await fetchApiJson(sandbox, "events", { json, ...headers });
      // Titles and texts of white space alone are refused.
      expect([201, 400]).toContain(status);
      expect((await fetchApiJson(sandbox, "venues", { json: { venue: half, address: half }, ...headers })).status).toBeLessThan(500);
      expect((await fetchApiJson(sandbox, "categories", { json: { name: half }, ...headers })).status).toBeLessThan(500);
      expect((await fetchApiJson(sandbox, "events?start_date=2027-04-01+00:00:00", headers)).status).toBe(200);
    }
  },
);
