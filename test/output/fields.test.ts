// --fields and --field: what is requested, and unknown names.

import { describe, expect, test } from "vitest";
import { usageError } from "../../src/errors.ts";
import { getValueAtPath } from "../../src/output/rows.ts";
import { createListReport, jazzEvent, outcomesReport } from "./reports.ts";
import { createTestView, renderChunks, renderText } from "./view.ts";

test.each([
  [jazzEvent, "id", 19],
  [jazzEvent, "venue.city", "Paris"],
  [jazzEvent, "categories.name", ["Music", "Jazz"]],
  [{ a: [{ b: [{ c: 1 }, { c: 2 }] }, { b: { c: 3 } }, {}] }, "a.b.c", [1, 2, 3]],
  [{ venue: [] }, "venue.city", []],
  [{ a: "text" }, "a.length", undefined],
  [{}, "constructor.name", undefined],
  [{}, "__proto__", undefined],
  [{ a: null }, "a.b", undefined],
])("the value of %j at %s", (record, path, value) => {
  expect(getValueAtPath(record, path)).toEqual(value);
});

describe("an unknown field", () => {
  const report = { ...createListReport({ id: 1, custom: 2 }, { id: 2, late: 3 }), columns: [], fieldNames: ["title"] };
  test.each(["json", "ndjson", "csv", "tsv", "yaml", "table", "ids", "count"] as const)("is a usage error in %s", async (format) => {
    await expect(renderText(report, createTestView(format, { fields: ["id", "titel", "x.y"] }))).rejects.toEqual(
      usageError(
        ['unknown field "titel" in --fields; did you mean title?', 'unknown field "x" in --fields'],
        "valid names: title, id, custom, late",
      ),
    );
  });
  test("is a usage error in --field", async () => {
    await expect(renderText(report, createTestView("json", { field: "zzzzzz" }))).rejects.toEqual(
      usageError(['unknown field "zzzzzz" in --field'], "valid names: title, id, custom, late"),
    );
  });
  test("is none where one record has it, where it is known, or where there are no records", async () => {
    expect(await renderText(report, createTestView("tsv", { fields: ["late"] }))).toEqual("late\n\n3\n");
    expect(await renderText(report, createTestView("tsv", { fields: ["title"] }))).toEqual("title\n\n\n");
    expect(await renderText({ ...report, records: [] }, createTestView("tsv", { fields: ["nowhere"] }))).toEqual("nowhere\n");
    const failed = { ...outcomesReport, outcomes: [{ ref: "1", ok: false }] };
    expect(await renderText(failed, createTestView("ndjson", { fields: ["nowhere"] }))).toEqual('{"ref":"1","ok":false}\n');
  });
});

describe("the header of a column is the name of its field", () => {
  test.each([
    ["tsv", ["ID", "Start", "VENUE"], "id\tstart_date\tvenue.venue\n19\t2026-11-22 09:30:00\tCafé de l’Été\n"],
    ["json", ["ID", "start"], '[\n  {\n    "id": 19,\n    "start_date": "2026-11-22 09:30:00"\n  }\n]\n'],
  ] as const)("in %s", async (format, fields, text) => {
    expect(await renderText(createListReport(jazzEvent), createTestView(format, { fields }))).toEqual(text);
  });
  test("but the field of that very name is the field", async () => {
    const text = await renderText(createListReport(jazzEvent), createTestView("json", { fields: ["venue"] }));
    expect(JSON.parse(text)).toEqual([{ venue: jazzEvent["venue"] }]);
  });
});

test.each([
  [["id"], "ref\tok\tid\terror\n"],
  [["REF", "id"], "ref\tid\n"],
  [["error", "ref"], "error\tref\n"],
])("of outcomes the fields %j are beside their own columns, unless these are named too", async (fields, header) => {
  expect(await renderText(outcomesReport, createTestView("tsv", { fields }))).toContain(header);
});

describe("streams", () => {
  async function* pages(events: string[]) {
    yield [{ id: 1 }, { id: 2 }];
    await new Promise((resolve) => setTimeout(resolve, 5));
    events.push("second page");
    yield [{ id: 3 }];
    throw new Error("third page");
  }
  test.each(["ndjson", "tsv", "csv"] as const)("%s prints a page before the next one comes", async (format) => {
    const log: string[] = [];
    const report = {
      ...createListReport(),
      columns: [{ header: "ID", path: "id", kind: "id", priority: 1 } as const],
      records: pages(log),
    };
    const print = async () => {
      const { render } = await import("../../src/output/render.ts");
      for await (const text of render(report, createTestView(format, { header: false }))) log.push(text.replaceAll("\r", ""));
    };
    await expect(print()).rejects.toThrow("third page");
    const line = (id: number) => (format === "ndjson" ? `{"id":${id}}\n` : `${id}\n`);
    expect(log).toEqual([line(1) + line(2), "second page", line(3)]);
  });
  test.each(["json", "yaml", "table", "ids", "count"] as const)("%s prints nothing when a page fails", async (format) => {
    const texts: string[] = [];
    const { render } = await import("../../src/output/render.ts");
    const print = async () => {
      for await (const text of render({ ...createListReport(), records: pages([]) }, createTestView(format))) texts.push(text);
    };
    await expect(print()).rejects.toThrow("third page");
    expect(texts).toEqual([]);
  });
  test("many rows come in few chunks, and leaving early ends the source", async () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id }));
    expect((await renderChunks(createListReport(...rows), createTestView("ids"))).length).toBe(5);
    let ended = false;
    async function* endless() {
      try {
        for (let id = 0; ; id += 2) yield [{ id }, { id: id + 1 }];
      } finally {
        ended = true;
      }
    }
    const { render } = await import("../../src/output/render.ts");
    for await (const text of render({ ...createListReport(), records: endless() }, createTestView("ndjson"))) {
      expect(text.startsWith('{"id":0}\n{"id":1}\n')).toBe(true);
      break;
    }
    expect(ended).toBe(true);
  });
});

test("records with a field of their own each are no table, however many there are", async () => {
  const value = Array.from({ length: 20_000 }, (_, index) => ({ [`k${index}`]: index }));
  await expect(renderText({ kind: "value", value }, createTestView("csv"))).rejects.toThrow("20000 records with 20000 different fields");
});
