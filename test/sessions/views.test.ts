// How the user asks to see things: fields, columns, headers, envelopes, and what a pipe and a terminal get by default.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../helpers/session.ts";

const pipe = createSession();
const env = { CAL_CONFIG_DIR: `${pipe.folder}/config`, CAL_STATE_DIR: `${pipe.folder}/state`, CAL_CACHE_DIR: `${pipe.folder}/cache` };
const terminal = createSession({ env: { ...env, NO_COLOR: "1" }, columns: 100 });
const narrow = createSession({ env: { ...env, NO_COLOR: "1" }, columns: 30 });
const colourful = createSession({ env, columns: 100 });
const other = createSession({ env: { ...env, CAL_FORMAT: "ndjson" } });
const wrong = createSession({ env: { ...env, CAL_FORMAT: "xml" } });

const tags = "tags list --include 12,14";

/** What is entered behind a list of two tags, and the whole of stdout. */
const outputs: readonly (readonly [flags: string, stdout: string])[] = [
  ["", "id\tname\tslug\tcount\tdescription\n12\tfree\tfree\t26\t\n14\tkids & teens\tkids-teens\t8\t\n"],
  ["--fields name,id", "name\tid\nfree\t12\nkids & teens\t14\n"],
  ["--fields name --fields id", "name\tid\nfree\t12\nkids & teens\t14\n"],
  ["--no-header", "12\tfree\tfree\t26\t\n14\tkids & teens\tkids-teens\t8\t\n"],
  ["--fields name,id --format csv --no-header", "free,12\r\nkids & teens,14\r\n"],
  ["--fields name,id --format csv --excel", "\ufeffname,id\r\nfree,12\r\nkids & teens,14\r\n"],
  [
    "--fields name,count --json",
    '[\n  {\n    "name": "free",\n    "count": 26\n  },\n  {\n    "name": "kids & teens",\n    "count": 8\n  }\n]\n',
  ],
  ["--fields name --format yaml", "- name: free\n- name: kids & teens\n"],
  ["--fields name --format ids", "12\n14\n"],
  ["--fields name --format count", "2\n"],
  ["--field name", "free\nkids & teens\n"],
  ["--field name --json", '"free"\n"kids & teens"\n'],
  ["--field id --format csv", "12\n14\n"],
  ["--field urls.nothing", "\n\n"],
  [
    "--format table",
    "ID  NAME          SLUG        COUNT  DESCRIPTION\n12  free          free           26\n14  kids & teens  kids-teens      8\n",
  ],
  ["--format table --no-header", "12  free          free        26\n14  kids & teens  kids-teens   8\n"],
  ["--format table --columns slug,ID", "SLUG        ID\nfree        12\nkids-teens  14\n"],
  ["--columns slug,ID", "slug\tid\nfree\t12\nkids-teens\t14\n"],
  ["--format csv --columns slug,ID --excel", "\ufeffslug,id\r\nfree,12\r\nkids-teens,14\r\n"],
  ["--json --fields id --wide --no-header", '[\n  {\n    "id": 12\n  },\n  {\n    "id": 14\n  }\n]\n'],
];

describe("in a pipe", () => {
  test.each(outputs)(`${tags} %s`, async (flags, stdout) => {
    expect(await pipe(`${tags} ${flags}`)).toEqual({ stdout, stderr: "", code: 0 });
  });

  test("--envelope reports what is known of the list, in JSON and YAML", async () => {
    const { stdout } = await pipe("tags list --include 12,14 --per-page 1 --fields id --json --envelope");
    expect(JSON.parse(stdout)).toEqual({ items: [{ id: 12 }], total: 2, total_pages: 2, page: 1, per_page: 1, truncated: true });
    expect((await pipe("tags list --include 12 --fields id --format yaml --envelope")).stdout).toBe(
      "items:\n  - id: 12\ntotal: 1\ntotal_pages: 1\npage: 1\ntruncated: false\n",
    );
  });

  test("what was left out is said on stderr, unless --quiet", async () => {
    expect(await pipe("tags list --include 12,14 --limit 1 --format ids")).toEqual({
      stdout: "12\n",
      stderr: "showing 1 of 2, use --all\n",
      code: 0,
    });
    expect(await pipe("tags list --include 12,14 --limit 1 --format ids -q")).toEqual({ stdout: "12\n", stderr: "", code: 0 });
  });

  test("CAL_FORMAT chooses the format, --format wins over it, and errors follow it", async () => {
    expect((await other(`${tags} --fields id`)).stdout).toBe('{"id":12}\n{"id":14}\n');
    expect((await other(`${tags} --fields id --format ids`)).stdout).toBe("12\n14\n");
    expect(JSON.parse((await other("tags get 999")).stderr)).toHaveProperty("error.code");
  });
});

describe("records inside a record, in a cell", () => {
  const list = "events list --start-date 2027-01-16 --limit 1 --fields id,categories,venue -q";

  test("stay whole, and their parts are named", async () => {
    const { stdout, stderr, code } = await pipe(list.replace(" -q", ""));
    expect({ code, cell: stdout.includes('[{"id":3,') }).toEqual({ code: 0, cell: true });
    expect(stderr).toContain("printed as JSON: categories, venue; for parts of them: --fields categories.name,venue.venue\n");
  });

  test("are as they were in JSON, and where a part is requested", async () => {
    expect((await pipe(`${list} --json`)).stderr).toBe("");
    expect((await pipe(list.replace("id,categories,venue -q", "id,categories.name"))).stderr).not.toContain("JSON");
    expect((await pipe("events get 103 --fields venue,categories --format table")).stderr).toBe("");
  });
});

describe("on a terminal", () => {
  const table =
    "ID  NAME          SLUG        COUNT  DESCRIPTION\n12  free          free           26\n14  kids & teens  kids-teens      8\n";

  test("a table is the default, --format wins over it", async () => {
    expect((await terminal(tags)).stdout).toBe(table);
    expect((await terminal(`${tags} --fields id --format tsv`)).stdout).toBe("id\n12\n14\n");
  });

  test("what has no room is said, and --wide shows it", async () => {
    expect(await narrow(tags)).toEqual({
      stdout: "ID  NAME          SLUG\n12  free          free\n14  kids & teens  kids-teens\n",
      stderr: "no room for COUNT,\n  DESCRIPTION: --wide shows\n  all\n",
      code: 0,
    });
    expect(await narrow(`${tags} --wide`)).toEqual({ stdout: table, stderr: "", code: 0 });
  });

  test("one record is shown field by field", async () => {
    expect((await terminal("tags get 14 --fields name,count,slug")).stdout).toBe("name   kids & teens\ncount  8\nslug   kids-teens\n");
    expect((await terminal("tags get 14 --columns id,name")).stdout).toBe("id    14\nname  kids & teens\n");
  });

  test("colour is for terminals, as the flags and the environment say", async () => {
    const coloured = async (cal: typeof pipe, flags = "") =>
      (await expectExitCode(cal(`${tags} --format table ${flags}`), 0)).stdout.includes("\u001b[");
    expect((await colourful("tags get 999")).stderr).toContain("\u001b[31mcal:");
    for (const flags of ["--no-color", "--color never", "--color=never"])
      expect((await colourful(`tags get 999 ${flags}`)).stderr).toMatch(/^cal: /);
    expect({
      terminal: await coloured(colourful),
      never: await coloured(colourful, "--color never"),
      no: await coloured(colourful, "--no-color"),
      NO_COLOR: await coloured(terminal),
      flagBeatsNO_COLOR: await coloured(terminal, "--color always"),
      pipe: await coloured(pipe),
      always: await coloured(pipe, "--color always"),
    }).toEqual({ terminal: true, never: false, no: false, NO_COLOR: false, flagBeatsNO_COLOR: true, pipe: false, always: true });
  });
});

describe("what can't be shown is refused", () => {
  test.each([
    ["--fields nope,count", 'cal: unknown field "nope" in --fields'],
    ["--field nope", 'cal: unknown field "nope" in --field; did you mean name?\n'],
    ["--fields naem", 'cal: unknown field "naem" in --fields; did you mean name?\nhint: valid names: id, name,'],
    ["--fields desc", 'cal: unknown field "desc" in --fields; did you mean description?\n'],
    ["--format json --excel", "--excel is for csv, not for json"],
    ["--format tsv --excel --limit x", 'cal: --limit takes a whole number, not "x"\ncal: --excel is for csv, not for tsv; '],
    ["--format tsv --excel", "cal: --excel is for csv, not for tsv; for a spreadsheet: --format csv --excel\n"],
    ["--excel --envelope", "cal: --envelope is for json and yaml, not for csv; "],
    ["--format csv --excel --field id", "cal: --excel and --field exclude each other\n"],
    ["--format ndjson --envelope", "--envelope is for json and yaml, not for ndjson"],
    ["--envelope", "cal: --envelope is for json and yaml, not for tsv; what is known of a list: --json --envelope\n"],
    ["--fields=", "cal: --fields names nothing"],
    ["--fields ,", "cal: --fields names nothing"],
    ["--format table --columns=", "cal: --fields names nothing"],
    ["--format table --columns nope", 'cal: unknown field "nope" in --fields; did you mean name?\nhint: valid names: id, name, '],
    ["--format xml", 'cal: --format takes table, json, ndjson, csv, tsv, yaml, ids, count, not "xml"'],
    ["--color sometimes", "cal: --color takes auto, always, never"],
    ["--fields id --field id", "cal: --fields and --field exclude each other"],
  ])("%s", async (flags, reported) => {
    const { stdout, stderr, code } = await pipe(`${tags} ${flags}`);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toContain(reported);
  });

  test("a flag that the format has no use for is refused before anything is sent, also where the environment chose the format", async () => {
    const created = await pipe("tags create --name idle --excel --json");
    expect(created).toEqual({ stdout: "", stderr: expect.stringContaining("--excel is for csv, not for json"), code: 2 });
    expect((await other(`${tags} --envelope`)).stderr).toContain("--envelope is for json and yaml, not for ndjson");
    expect((await pipe("tags list --include-empty --search idle --format count")).stdout).toBe("0\n");
  });

  test("--excel alone is CSV, in a pipe and on a terminal, whatever the environment prefers", async () => {
    for (const cal of [pipe, terminal, other, createSession({ env: { ...env, CAL_FORMAT: "csv" } })])
      expect(await cal(`${tags} --fields id --excel`)).toEqual({ stdout: "\ufeffid\r\n12\r\n14\r\n", stderr: "", code: 0 });
  });

  test("a field or column that does not exist is reported before a write is sent", async () => {
    for (const line of [
      "tags create --name idle --columns id,zzzzzz",
      "tags create --name idle --columns SLUG,zzzzzz --fields slug",
      "tags update 12 14 --name idle --columns ref,zzzzzz",
      "tags delete 12 14 --yes --columns zzzzzz --fields slug,error",
    ]) {
      const { stdout, stderr, code } = await pipe(line);
      expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
      expect(stderr).toBe(
        `cal: --fields: zzzzzz is not a known field of tags\nhint: see the flags: cal tags ${line.split(" ")[1]} --help\n`,
      );
    }
    expect((await pipe("tags list --include-empty --search idle --format count")).stdout).toBe("0\n");
  });

  test("`--fields name,strat_date` of events is answered with the names that were meant", async () => {
    const { stderr, code } = await pipe("events list --fields name,strat_date,title -q");
    expect(code).toBe(2);
    expect(stderr).toContain('cal: unknown field "name" in --fields; did you mean title?\n');
    expect(stderr).toContain('cal: unknown field "strat_date" in --fields; did you mean start_date?\n');
  });

  test.each(["doctor", "config list", "profile list"])("`%s --format ids`, which has no ids", async (line) => {
    const { stdout, stderr, code } = await pipe(`${line} --format ids`);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toMatch(/^cal: there are no ids in what this command prints\nhint: --field \w+ prints one value a line\n$/);
  });

  test("a wrong CAL_FORMAT is reported with its name", async () => {
    const { stdout, stderr, code } = await wrong(tags);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toContain("CAL_FORMAT");
  });
});

test("events in TSV and CSV show their zone and whether they last all day, behind the columns of a table", async () => {
  const header = ["id", "start_date", "end_date", "title", "venue.venue", "categories.name", "status", "slug", "timezone", "all_day"];
  const { stdout } = await expectExitCode(pipe("events list --include 150,137 --all-dates"), 0);
  const rows = stdout.split("\n").map((line) => line.split("\t"));
  expect(rows.map((row) => [row[0], row[1], ...row.slice(8)])).toEqual([
    ["id", "start_date", "timezone", "all_day"],
    ["150", "2027-01-20 16:00:00", "UTC", "false"],
    ["137", "2027-05-15 00:00:00", "America/New_York", "true"],
    ["", undefined],
  ]);
  expect(rows[0]).toEqual(header);
  expect((await pipe("events get 150 --format csv")).stdout.split("\r\n")[0]).toBe(header.join(","));
  expect((await pipe("events get 150 --format csv --columns all_day,timezone")).stdout).toBe("all_day,timezone\r\nfalse,UTC\r\n");
  expect((await createSession({ columns: 300 })("events list --limit 1")).stdout).not.toContain("TIMEZONE");
});
