// Whole outputs of every format for the same reports.

import { describe, expect, test } from "vitest";
import type { DataRecord } from "../../src/data-record.ts";
import type { ListReport } from "../../src/output/report.ts";
import { createListReport, createRecordReport, jazzEvent, outcomesReport, yogaEvent } from "./reports.ts";
import { createTestView, renderChunks, renderText } from "./view.ts";

const small = createListReport(
  { id: 1, title: "a\tb\nc &amp; d", custom: null },
  { id: 9007199254740993n, title: "", custom: { n: 9007199254740993n } },
);
const wide: DataRecord = { id: 1, slug: "x" };

describe("a list", () => {
  const cases: readonly [name: string, how: ReturnType<typeof createTestView>, report: ListReport, text: string][] = [
    [
      "json",
      createTestView("json"),
      createListReport(wide, { id: 2 }),
      '[\n  {\n    "id": 1,\n    "slug": "x"\n  },\n  {\n    "id": 2\n  }\n]\n',
    ],
    ["json, empty", createTestView("json"), createListReport(), "[]\n"],
    [
      "json, big integers",
      createTestView("json", { fields: ["id", "custom"] }),
      small,
      '[\n  {\n    "id": 1,\n    "custom": null\n  },\n  {\n    "id": 9007199254740993,\n    "custom": {\n      "n": 9007199254740993\n    }\n  }\n]\n',
    ],
    [
      "json, fields",
      createTestView("json", { fields: ["slug", "categories.name", "venue.city", "website"] }),
      createListReport(jazzEvent),
      '[\n  {\n    "slug": "jazz-night",\n    "categories.name": [\n      "Music",\n      "Jazz"\n    ],\n    "venue.city": "Paris",\n    "website": null\n  }\n]\n',
    ],
    [
      "json, envelope",
      createTestView("json", { envelope: true }),
      { ...createListReport(wide), summary: () => ({ total: 3, total_pages: 3, page: 1, per_page: 1, truncated: true }) },
      '{\n  "items": [\n    {\n      "id": 1,\n      "slug": "x"\n    }\n  ],\n  "total": 3,\n  "total_pages": 3,\n  "page": 1,\n  "per_page": 1,\n  "truncated": true\n}\n',
    ],
    [
      "ndjson",
      createTestView("ndjson"),
      small,
      '{"id":1,"title":"a\\tb\\nc &amp; d","custom":null}\n{"id":9007199254740993,"title":"","custom":{"n":9007199254740993}}\n',
    ],
    ["ndjson, empty", createTestView("ndjson"), createListReport(), ""],
    [
      "tsv",
      createTestView("tsv", { fields: ["id", "title", "custom"] }),
      small,
      'id\ttitle\tcustom\n1\ta b c & d\t\n9007199254740993\t\t{"n":9007199254740993}\n',
    ],
    [
      "tsv, columns",
      createTestView("tsv"),
      createListReport(jazzEvent),
      "id\tstart_date\tend_date\ttitle\tvenue.venue\tcategories.name\tstatus\tslug\ttimezone\tall_day\n19\t2026-11-22 09:30:00\t2026-11-22 10:30:00\tJazz “Night” & more\tCafé de l’Été\tMusic, Jazz\tpublish\tjazz-night\tEurope/Paris\tfalse\n",
    ],
    [
      "tsv, line ends and escapes that are entities",
      createTestView("tsv", { fields: ["id", "title"] }),
      createListReport({ id: 1, title: "a&#9;b&#10;c&#x1b;[2J&NewLine;d" }),
      "id\ttitle\n1\ta b c\u001b[2J d\n",
    ],
    ["tsv, empty", createTestView("tsv", { fields: ["id", "title"] }), createListReport(), "id\ttitle\n"],
    ["tsv, no header", createTestView("tsv", { fields: ["id", "venue.venue"], header: false }), createListReport(yogaEvent), "176\t\n"],
    [
      "csv",
      createTestView("csv", { fields: ["id", "title", "featured"] }),
      createListReport({ id: -5, title: 'say "a,b"\nc', featured: true }),
      'id,title,featured\r\n-5,"say ""a,b""\nc",true\r\n',
    ],
    [
      "csv, an empty value alone in its line",
      createTestView("csv", { fields: ["title"] }),
      createListReport({ title: "" }),
      'title\r\n""\r\n',
    ],
    ["csv, empty", createTestView("csv", { fields: ["id"] }), createListReport(), "id\r\n"],
    ["csv, no header, empty", createTestView("csv", { fields: ["id"], header: false }), createListReport(), ""],
    [
      "csv, on a terminal",
      createTestView("csv", { fields: ["id", "title"], tty: true }),
      createListReport({ id: 1, title: "a\u001b]0;owned\u0007\u202eb\nc" }),
      "id,title\r\n1,a\\u001b]0;owned\\u0007\\u202eb\\u000ac\r\n",
    ],
    [
      "tsv, on a terminal",
      createTestView("tsv", { fields: ["id", "title"], tty: true }),
      createListReport({ id: 1, title: "a\u001b[2J\tb\u200e\nc" }),
      "id\ttitle\n1\ta\\u001b[2J b\\u200e c\n",
    ],
    [
      "yaml, on a terminal",
      createTestView("yaml", { fields: ["title"], tty: true }),
      createListReport({ title: "a\u009b31mb\u202e" }, { title: "b" }),
      '- "title": "a\\u009b31mb\\u202e"\n- "title": "b"\n',
    ],
    [
      "csv, in a pipe",
      createTestView("csv", { fields: ["id", "title"] }),
      createListReport({ id: 1, title: "a\u001b[2J\u202eb" }),
      "id,title\r\n1,a\u001b[2J\u202eb\r\n",
    ],
    [
      "csv, lines and paragraphs",
      createTestView("csv", { fields: ["id", "title"] }),
      createListReport({ id: 1, title: "Jazz\n=1+1" }, { id: 2, title: "a\rb" }),
      'id,title\r\n1,"Jazz\n=1+1"\r\n2,"a\rb"\r\n',
    ],
    [
      "csv, excel, a column whose name is a formula",
      createTestView("csv", { fields: ["=1+1"], excel: true }),
      createListReport({ "=1+1": "x" }),
      "\ufeff'=1+1\r\nx\r\n",
    ],
    [
      "csv, excel",
      createTestView("csv", { fields: ["id", "title", "slug"], excel: true }),
      createListReport({ id: -5, title: "=1+1", slug: "-5" }, { id: 1, title: "@x", slug: "+4" }, { id: 2, title: "\tx", slug: "a=b" }),
      "\ufeffid,title,slug\r\n-5,'=1+1,'-5\r\n1,'@x,'+4\r\n2,x,a=b\r\n",
    ],
    [
      "yaml",
      createTestView("yaml", { fields: ["id", "title"] }),
      small,
      '- id: 1\n  title: |-\n    a\tb\n    c &amp; d\n- id: 9007199254740993\n  title: ""\n',
    ],
    [
      "yaml, what looks like something else",
      createTestView("yaml"),
      createListReport({ id: 1, a: "yes", b: "12:30", c: "2026-11-22" }),
      '- id: 1\n  a: "yes"\n  b: "12:30"\n  c: "2026-11-22"\n',
    ],
    ["yaml, empty", createTestView("yaml"), createListReport(), "[]\n"],
    ["ids", createTestView("ids"), small, "1\n9007199254740993\n"],
    ["count", createTestView("count"), small, "2\n"],
    ["count, empty", createTestView("count"), createListReport(), "0\n"],
    ["field", createTestView("tsv", { field: "title" }), small, "a\tb c &amp; d\n\n"],
    [
      "field on a terminal",
      createTestView("table", { field: "title", tty: true }),
      createListReport({ id: 1, title: "a\u001b[31mb\tc" }),
      "ab c\n",
    ],
    ["field, json", createTestView("json", { field: "title" }), small, '"a\\tb\\nc &amp; d"\n""\n'],
    ["field of several", createTestView("table", { field: "categories.name" }), createListReport(jazzEvent, yogaEvent), "Music, Jazz\n\n"],
  ];
  test.each(cases)("%s", async (_, how, report, text) => {
    expect(await renderText(report, how)).toEqual(text);
  });
});

test("JSON on a terminal keeps the value and no character that the terminal obeys", async () => {
  const title = "a\u009b31mb\u202e\u001b[1m";
  const text = await renderText(createRecordReport({ id: 1, title }), createTestView("json", { tty: true }));
  expect(text).toEqual('{\n  "id": 1,\n  "title": "a\\u009b31mb\\u202e\\u001b[1m"\n}\n');
  expect(JSON.parse(text)).toEqual({ id: 1, title });
});

test("a long JSON list is one document", async () => {
  const records = Array.from({ length: 1201 }, (_, id) => ({ id }));
  const texts = await renderChunks(createListReport(...records), createTestView("json"));
  expect(texts.join("")).toEqual(`${JSON.stringify(records, undefined, 2)}\n`);
  expect(texts.length).toBeGreaterThan(1);
});

describe("a record", () => {
  test.each([
    ["json", '{\n  "id": 1,\n  "slug": "x"\n}\n'],
    ["ndjson", '{"id":1,"slug":"x"}\n'],
    ["yaml", "id: 1\nslug: x\n"],
    ["ids", "1\n"],
    ["count", "1\n"],
    ["tsv", "id\tstart_date\tend_date\ttitle\tvenue.venue\tcategories.name\tstatus\tslug\ttimezone\tall_day\n1\t\t\t\t\t\t\tx\t\t\n"],
  ] as const)("%s", async (format, text) => {
    expect(await renderText(createRecordReport(wide), createTestView(format))).toEqual(text);
  });
});

describe("outcomes", () => {
  const failed =
    '"error":{"code":"rest-event-not-found","message":"no event slug:gone","status":404,"request":{"method":"GET","path":"/calendar/events/v1/events/by-slug/gone"}}';
  test.each([
    ["ndjson", `{"ref":"19","ok":true,"record":{"id":19}}\n{"ref":"slug:gone","ok":false,${failed}}\n`, { fields: ["id"] }],
    ["tsv", "ref\tok\tid\tname\terror\n19\ttrue\t19\tJazz “Night” & more\t\nslug:gone\tfalse\t\t\tno event slug:gone\n", {}],
    ["tsv", "ref\tok\tvenue.city\terror\n19\ttrue\tParis\t\nslug:gone\tfalse\t\tno event slug:gone\n", { fields: ["venue.city"] }],
    [
      "table",
      "REF        OK   ID  NAME                 ERROR\n19         yes  19  Jazz “Night” & more\nslug:gone  no                            no event slug:gone\n",
      {},
    ],
    ["ids", "19\n", {}],
    ["count", "1\n", {}],
    ["json", "19\n", { field: "id" }],
  ] as const)("%s", async (format, text, changes) => {
    expect(await renderText(outcomesReport, createTestView(format, changes))).toEqual(text);
  });
  test("json is an array, also of one", async () => {
    const one = { ...outcomesReport, outcomes: [{ ref: "1", ok: true, record: { id: 1 } }] };
    expect(JSON.parse(await renderText(one, createTestView("json")))).toEqual([{ ref: "1", ok: true, record: { id: 1 } }]);
  });
});

describe("other reports", () => {
  const post = { method: "POST", url: "https://x.test/events", body: '{"title":"x","n":9007199254740993}' };
  const get = { method: "GET", url: "https://x.test/events" };
  test.each([
    ["nothing", { kind: "nothing" }, createTestView("json"), ""],
    ["text", { kind: "text", text: "as\u0000is" }, createTestView("json"), "as\u0000is"],
    [
      "plan",
      { kind: "plan", requests: [post, get] },
      createTestView("table"),
      'POST https://x.test/events\n{\n  "title": "x",\n  "n": 9007199254740993\n}\n\nGET https://x.test/events\n',
    ],
    [
      "plan, json",
      { kind: "plan", requests: [get] },
      createTestView("json"),
      '{\n  "method": "GET",\n  "url": "https://x.test/events"\n}\n',
    ],
    ["plan, ndjson", { kind: "plan", requests: [get, get] }, createTestView("ndjson"), `${JSON.stringify(get)}\n${JSON.stringify(get)}\n`],
    ["plan, yaml", { kind: "plan", requests: [get] }, createTestView("yaml"), "method: GET\nurl: https://x.test/events\n"],
    ["value", { kind: "value", value: { a: 1 } }, createTestView("table"), "a  1\n"],
    ["value, text", { kind: "value", value: { a: 1 }, text: "a is 1" }, createTestView("table"), "a is 1\n"],
    ["value, text in json", { kind: "value", value: { a: 1 }, text: "a is 1" }, createTestView("json"), '{\n  "a": 1\n}\n'],
    ["value, rows", { kind: "value", value: [{ a: 1 }, { b: "x" }] }, createTestView("tsv"), "a\tb\n1\t\n\tx\n"],
    ["value, rows as text", { kind: "value", value: [{ a: 1 }], text: "one" }, createTestView("table"), "one\n"],
    ["value, rows as csv", { kind: "value", value: [{ a: 1 }, { b: "x" }] }, createTestView("csv"), "a,b\r\n1,\r\n,x\r\n"],
    ["value, rows in a table", { kind: "value", value: [{ a: 1 }, { b: "x" }] }, createTestView("table"), "A  B\n1\n   x\n"],
    [
      "value, rows with keys of any kind",
      { kind: "value", value: [{ "a.b": 1, "c\td\u001b[31m": 2 }] },
      createTestView("tsv"),
      "a.b\tc d\u001b[31m\n1\t2\n",
    ],
    [
      "value, rows with such keys in a table",
      { kind: "value", value: [{ "c\td\u001b[31m": 2 }] },
      createTestView("table", { tty: true, width: 40 }),
      "C D\n2\n",
    ],
    ["value, no rows", { kind: "value", value: [] }, createTestView("tsv"), "id\n"],
    ["value, no rows, ids", { kind: "value", value: [] }, createTestView("ids"), ""],
    ["value, field", { kind: "value", value: { a: { b: 1 } } }, createTestView("table", { field: "a.b" }), "1\n"],
    ["value, scalars", { kind: "value", value: [1, "x"] }, createTestView("ndjson"), '1\n"x"\n'],
    ["value, count", { kind: "value", value: [1, "x"] }, createTestView("count"), "2\n"],
    ["value, yaml", { kind: "value", value: { a: [1] } }, createTestView("yaml"), "a:\n  - 1\n"],
  ] as const)("%s", async (_, report, how, text) => {
    expect(await renderText(report, how)).toEqual(text);
  });
});
