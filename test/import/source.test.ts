// Sources that are imported: formats, encodings, delimiters, rows of wrong length, and what is refused.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { CalError } from "../../src/errors.ts";
import { readSource, type SourceOptions, type SourceRow } from "../../src/import/source.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function read(content: string | Uint8Array, options: Partial<SourceOptions> = {}) {
  const stdin = chunk(typeof content === "string" ? Buffer.from(content) : content);
  const source = await readSource({ location: "-", resource: "events", stdin, timeout: 5000, zone: "Europe/Berlin", ...options });
  const rows: SourceRow[] = [];
  for await (const row of source.rows) rows.push(row);
  return { ...source, rows, whole: source.isWhole() };
}

async function values(content: string | Uint8Array, options: Partial<SourceOptions> = {}) {
  return (await read(content, options)).rows.map((row) => row.values);
}

/** The message of the usage error. */
async function refusal(content: string | Uint8Array, options: Partial<SourceOptions> = {}): Promise<string> {
  const error: unknown = await read(content, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CalError);
  expect((error as CalError).exitCode).toBe(2);
  return (error as CalError).message;
}

const jazz = [{ title: "Jazz Night", city: "Köln" }];

describe("formats", () => {
  test.each<[string, string]>([
    ["csv", "title,city\nJazz Night,Köln\n"],
    ["csv", 'title;city\r\n"Jazz Night";"Köln"\r\n'],
    ["csv", "title|city\rJazz Night|Köln"],
    ["csv", "'title','city'\n'Jazz Night','Köln'\n"],
    ["csv", "sep=;\r\ntitle;city\r\nJazz Night;Köln\r\n"],
    ["tsv", "title\tcity\nJazz Night\tKöln\n"],
    ["json", '[{"title":"Jazz Night","city":"Köln"}]'],
    ["json", '{"title":"Jazz Night",\n"city":"Köln"}'],
    ["json", '{"items":[{"title":"Jazz Night","city":"Köln"}],"total":1}'],
    ["json", '{"events":[{"title":"Jazz Night","city":"Köln"}],"total":1}'],
    ["ndjson", '{"title":"Jazz Night","city":"Köln"}\n\n{"title":"Jazz Night","city":"Köln"}\n'],
    ["yaml", "- title: Jazz Night\n  city: Köln\n"],
  ])("%s by its content: %j", async (format, content) => {
    const source = await read(content);
    expect(source.format).toBe(format);
    expect(source.rows[0]?.values).toEqual(jazz[0]);
    expect([source.name, source.label, source.whole]).toEqual(["stdin", "stdin", true]);
  });

  test("by its extension, and by --input-format before it", async () => {
    const path = join(folder, "list.YML");
    writeFileSync(path, "title: Jazz Night\ncity: Köln\n");
    expect(await values("", { location: path })).toEqual(jazz);
    const text = join(folder, "list.txt");
    writeFileSync(text, "title\nJazz Night\n");
    expect(await values("", { location: text, format: "csv" })).toEqual([{ title: "Jazz Night" }]);
    expect(await refusal("", { location: text })).toBe(`the format of ${text} is not known`);
  });

  test("iCalendar: its events have keys; into other resources it is refused", async () => {
    const content =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:7@example.com\nDTSTART:20270116T190000Z\nSUMMARY:Jazz Night\nEND:VEVENT\nEND:VCALENDAR\n";
    expect((await read(content)).rows).toMatchObject([{ key: "7@example.com", line: 2, values: { title: "Jazz Night", timezone: "UTC" } }]);
    expect(await refusal(content, { resource: "venues" })).toBe("stdin is iCalendar: it has events, not venues");
    const utf16 = Buffer.from(`\ufeff${content}`, "utf16le");
    expect((await read(utf16)).rows).toHaveLength(1);
  });

  test("a file that is not there", async () => {
    const missing = read("", { location: join(folder, "none.csv") });
    await expect(missing).rejects.toMatchObject({ kind: "local", details: { code: "unreadable-file" } });
    await expect(read("", { location: folder })).rejects.toMatchObject({ kind: "local" });
  });

  test("--url-file needs --source, and one address in the file", async () => {
    expect(await refusal("", { urlFile: "feed.txt" })).toBe("--url-file needs --source");
    const path = join(folder, "feed.txt");
    for (const content of ["", "not an address\n", "https://example.com/a\nhttps://example.com/b\n", "file:///etc/passwd"]) {
      writeFileSync(path, content);
      expect(await refusal("", { urlFile: path, name: "feed" })).toContain("must have one line: the address");
    }
  });
});

describe("encodings", () => {
  test.each<[string, Uint8Array]>([
    ["UTF-8", Buffer.from("title,city\nJazz Night,Köln\n")],
    ["UTF-8 with a byte order mark", Buffer.from("\ufefftitle,city\nJazz Night,Köln\n")],
    ["UTF-16LE with a byte order mark", Buffer.from("\ufefftitle,city\nJazz Night,Köln\n", "utf16le")],
    ["UTF-16LE without one", Buffer.from("title,city\nJazz Night,Köln\n", "utf16le")],
    ["UTF-16BE with a byte order mark", Buffer.from("\ufefftitle,city\nJazz Night,Köln\n", "utf16le").swap16()],
    ["Latin-1", Buffer.from("title,city\nJazz Night,Köln\n", "latin1")],
  ])("%s is recognised", async (_name, bytes) => {
    expect(await values(bytes)).toEqual(jazz);
  });

  test("--encoding names it", async () => {
    expect(await values(Buffer.from("title,city\nJazz Night,Köln\n", "latin1"), { encoding: "Latin1" })).toEqual(jazz);
    expect(await refusal(Buffer.from("title,city\nJazz Night,Köln\n", "latin1"), { encoding: "utf-8" })).toBe(
      "stdin is not in UTF-8: a byte after line 1 is not part of it",
    );
    expect(await refusal("title\n", { encoding: "klingon" })).toBe('--encoding "klingon" is not known');
  });

  test("a letter of Latin-1 far into a file that began as ASCII is an error with its line", async () => {
    const bytes = Buffer.concat([Buffer.from(`title\n${"Jazz Night\n".repeat(20_000)}`), Buffer.from("Köln\n", "latin1")]);
    expect(await refusal(bytes, { format: "csv" })).toMatch(/^stdin: after line \d+ there is a byte that is not UTF-8$/);
    expect(await values(bytes, { encoding: "latin1", format: "csv" })).toHaveLength(20_001);
  });
});

describe("rows of a table", () => {
  test("lines are those on which the rows begin", async () => {
    const { rows } = await read('title,description\n\n"A","one\r\ntwo\nthree"\nB,x\n\n\n"C","y\n"\nD,z');
    expect(rows.map(({ line, values: cells }) => [line, cells["title"]])).toEqual([
      [3, "A"],
      [6, "B"],
      [9, "C"],
      [11, "D"],
    ]);
  });

  test("lines of files with CRLF and a line for Excel", async () => {
    const { rows } = await read('sep=,\r\ntitle,description\r\n"A","one\r\ntwo"\r\nB,x\r\n');
    expect(rows.map(({ line }) => line)).toEqual([3, 5]);
  });

  test("short rows lack the cells; long rows, and cells without a header, are said", async () => {
    const { rows, header } = await read("title,city,\nA\nB,Köln,,\nC,Köln,x,y\n");
    expect(header).toEqual(["title", "city", ""]);
    expect(rows.map((row) => [row.values, row.warnings])).toEqual([
      [{ title: "A" }, ["it has 1 of 3 cells: the others are taken as absent"]],
      [{ title: "B", city: "Köln" }, ["it has 4 cells, and the header 3"]],
      [{ title: "C", city: "Köln" }, ["it has 4 cells, and the header 3", "cell 3, 4 has no header and is not read"]],
    ]);
    expect(rows[2]?.cells).toEqual(["C", "Köln", "x", "y"]);
  });

  test("quotes that are doubled, and those that a backslash escapes", async () => {
    expect(await values('title,city\n"The ""Cellar""",x\n')).toEqual([{ title: 'The "Cellar"', city: "x" }]);
    expect(await values('title,city\n"The \\"Cellar\\" band",x\n')).toEqual([{ title: 'The "Cellar" band', city: "x" }]);
  });

  test.each([
    ['title,city\nA,x\n"B,y\nC,z\n', "stdin:3: in the row that begins here a quote is opened and not closed"],
    ['title,city\nA,x\n"B"y,z\n', "stdin:3: in the row that begins here something follows the quote that ends a cell"],
    ['title,city\nA,x\nB 12" y,z\n', "stdin:3: in the row that begins here a quote stands within a cell"],
    ["title,title\nA,B\n", 'stdin:1: two columns are named "title"'],
    [",,\nA,B,C\n", "stdin:1: the first row has no names of columns"],
  ])("%j is refused with its line", async (content, message) => {
    expect(await refusal(content)).toBe(message);
  });

  test("any cells come back as they were written", async () => {
    const { stringify } = await import("csv-stringify/sync");
    const cell = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !/[\r\ufeff\0]/.test(text));
    const table = fc.tuple(
      fc.constantFrom(",", ";", "\t", "|"),
      fc.array(fc.tuple(cell, cell, fc.constant("end")), { minLength: 1, maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(table, async ([delimiter, rows]) => {
        const text = stringify([["first", "second", "third"], ...rows], { delimiter, quoted: true });
        const found = await values(text, { format: "csv" });
        expect(found.map((row) => Object.values(row))).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what is no source", () => {
  const zip = Buffer.concat([Buffer.from([0x50, 0x4b, 0x03, 0x04]), Buffer.alloc(100)]);

  test.each<[string, string | Uint8Array, Partial<SourceOptions>, string]>([
    ["an .xlsx", zip, {}, "stdin is a spreadsheet of Excel or LibreOffice (.xlsx, .ods), or another ZIP file: it can't be imported"],
    ["an .xlsx that is said to be csv", zip, { format: "csv" }, "stdin is a spreadsheet of Excel"],
    ["an .xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), {}, "stdin is a file of an old Excel (.xls)"],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0]), { format: "csv" }, "stdin is compressed with gzip"],
    ["a PDF", "%PDF-1.7", {}, "stdin is a PDF"],
    ["zeros", Buffer.alloc(100_000), { format: "csv" }, "stdin is not a text file: it has zero bytes"],
    [
      "a zero later",
      Buffer.concat([Buffer.from(`title\n${"A\n".repeat(40_000)}`), Buffer.alloc(3)]),
      { format: "csv" },
      "there is a zero byte: this is not a text file",
    ],
    ["a web page", "<!DOCTYPE html><html></html>", {}, "stdin is a web page"],
    ["nothing", "", { format: "csv" }, "stdin is empty"],
    ["nothing as JSON", "", { format: "json" }, "stdin is empty"],
    ["nothing as JSON lines", " \n\n", { format: "ndjson" }, "stdin is empty"],
    ["empty lines", Buffer.alloc(1_000_000, "\n"), { format: "csv" }, "stdin begins with nothing but spaces and empty lines"],
    [
      "a row without an end",
      Buffer.concat([Buffer.from('title\n"'), Buffer.alloc(9_000_000, "a")]),
      { format: "csv" },
      "stdin:2: the row that begins here is longer than 4 MB",
    ],
    ["a line of JSON without an end", Buffer.alloc(9_000_000, "["), { format: "ndjson" }, "stdin:1: this line is longer than 4 MB"],
    ["JSON that is cut", '[{"a":1},\n{"b":', { format: "json" }, "stdin is not valid JSON: "],
    ["JSON lines that are cut", '{"a":1}\n{"b":', { format: "ndjson" }, "stdin:2: this line is not valid JSON: "],
    ["a list of numbers", "[1]", {}, "stdin: record 1 is not an object with fields"],
    ["a text", '"x"', { format: "json" }, "stdin is not a list of records"],
    ["YAML that is no YAML", "- a: [", {}, "stdin is not valid YAML: "],
    [
      "YAML that multiplies itself",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".replaceAll(/./g, (name) => `${name}: &${name} [${`*${String.fromCharCode(name.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
      { format: "yaml" },
      "stdin is not valid YAML: ",
    ],
  ])("%s", async (_name, content, options, message) => {
    expect(await refusal(content, options)).toContain(message);
  });

  test("a document beyond its limit", async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(1_000_000, " ");
    }
    expect(await refusal("", { stdin: endless(), format: "json" })).toContain("stdin is larger than 64 MB");
    expect(await refusal("", { stdin: endless(), format: "yaml" })).toContain("stdin is larger than 8 MB");
    expect(await refusal("", { stdin: endless(), format: "ics" })).toContain("stdin is larger than 64 MB");
    expect(await refusal("", { stdin: endless(), format: "csv" })).toContain("nothing but spaces");
  });

  test("any bytes are rows or a usage error", async () => {
    const formats = ["csv", "tsv", "json", "ndjson", "yaml", "ics"] as const;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(undefined, ...formats), async (bytes, format) => {
        await read(bytes, format === undefined ? {} : { format }).catch((error: unknown) => expect(error).toMatchObject({ kind: "usage" }));
      }),
      { numRuns: 300 },
    );
  });
});

test("a source that is not read to its end is not whole", async () => {
  const stdin = chunk(Buffer.from("title\nA\nB\n"));
  const source = await readSource({ location: "-", resource: "events", stdin, timeout: 5000, zone: "UTC", format: "csv" });
  for await (const _row of source.rows) break;
  expect(source.isWhole()).toBe(false);
});

test("CSV is read as its rows are taken, not ahead of them", async () => {
  let sent = 0;
  async function* rows(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("title,description\n");
    for (; sent < 20_000; sent += 100) yield Buffer.from(`Jazz Night,${"x".repeat(990)}\n`.repeat(100));
  }
  const source = await readSource({ location: "-", resource: "events", stdin: rows(), timeout: 5000, zone: "UTC", format: "csv" });
  let taken = 0;
  let most = 0;
  for await (const _row of source.rows) {
    taken += 1;
    most = Math.max(most, sent - taken);
  }
  expect(taken).toBe(20_000);
  expect(most).toBeLessThan(2000);
});
