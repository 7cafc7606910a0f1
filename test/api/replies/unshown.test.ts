// Replies whose shape the interface does not show: whatever a server may send is read, or refused with a reason.

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { createSession } from "../../helpers/session.ts";
import { startTestServer, type TestResponse } from "./canned.ts";

let answer: TestResponse = { body: "" };
const requested: string[] = [];
const url = await startTestServer((line) => {
  requested.push(line);
  return answer;
});
const env = { CAL_SANDBOX: "0", CAL_TOKEN: "t0k3n", CAL_BASE_URL: url, CAL_RETRIES: "0" };
const cal = createSession({ env });
const terminal = createSession({ env: { ...env, NO_COLOR: "1" }, columns: 100 });
const formats = ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "count"] as const;

beforeEach(() => {
  requested.length = 0;
});

async function listed(input: TestResponse, line = "events list --json --per-page 50") {
  answer = input;
  const { stdout, code, stderr } = await cal(line);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const one = { id: 1, title: "A" };
const two = { id: 2, title: "B" };

describe("a list", () => {
  const rows: readonly (readonly [shape: string, body: unknown, records: readonly unknown[]])[] = [
    ["a bare array", [one, two], [one, two]],
    ["an empty array", [], []],
    ["an envelope with the resource's name", { events: [one, two] }, [one, two]],
    ["an envelope of another name", { items: [one] }, [one]],
    ["an envelope of a third name", { data: [one] }, [one]],
    ["an envelope of a fourth name", { results: [one] }, [one]],
    ["an empty object for an empty list", { events: {} }, []],
    ["null for an empty list", { events: null }, []],
    ["false for an empty list", { events: false, total: 0 }, []],
    ["a bare object that counts", { "0": one, "2": two }, [one, two]],
    ["an object that counts in an envelope", { events: { "0": one, "2": two } }, [one, two]],
    ["records of any keys", [{ title: "no id" }, { id: "7" }, {}], [{ title: "no id" }, { id: "7" }, {}]],
  ];

  test.each(rows)("in %s", async (_shape, body, records) => {
    expect(await listed({ body: JSON.stringify(body) })).toEqual(records);
  });

  const totals: readonly (readonly [where: string, headers: Readonly<Record<string, string>>, rest: object])[] = [
    ["the body", {}, { total: 3, total_pages: 2 }],
    ["the body, as text", {}, { total: "3", total_pages: "2" }],
    ["X-TEC headers", { "X-TEC-Total": "3", "X-TEC-TotalPages": "2" }, {}],
    ["X-WP headers", { "X-WP-Total": "3", "X-WP-TotalPages": "2" }, {}],
  ];

  test.each(totals)("reports its totals in %s", async (_where, headers, rest) => {
    expect(
      await listed({ headers, body: JSON.stringify({ events: [one, two], ...rest }) }, "events list --json --envelope --per-page 2"),
    ).toEqual({
      items: [one, two],
      total: 3,
      total_pages: 2,
      page: 1,
      per_page: 2,
      truncated: true,
    });
  });

  test("in an empty object where a header says that there are none", async () => {
    expect(await listed({ headers: { "X-WP-Total": "0" }, body: "{}" })).toEqual([]);
  });

  test("of no records is not made of an answer without a body", async () => {
    answer = { status: 204, body: "" };
    const { code, stdout, stderr } = await cal("tags list");
    expect({ code, stdout, stderr }).toEqual({ code: 7, stdout: "", stderr: expect.stringContaining("is not a list of tags") });
  });

  test.each(["null", "5", '"x"', "true", "{}", '{"code":7}', "[1]", "[null]", "[[]]", '{"events":[5]}', '{"events":"x"}'])(
    "is not %s",
    async (body) => {
      answer = { body };
      const { code, stdout, stderr } = await cal("events list --json");
      expect({ code, stdout, error: JSON.parse(stderr) }).toEqual({
        code: 7,
        stdout: "",
        error: {
          error: {
            code: "unreadable-answer",
            message: expect.stringMatching(/is not a list of events|holds an entry that is not a record|holds no event/),
            hint: expect.any(String),
          },
        },
      });
    },
  );
});

describe("one record", () => {
  test.each([one, { event: one }, { events: one }, { data: one }, [one]])("in %j", async (body) => {
    expect(await listed({ body: JSON.stringify(body) }, "events get 1 --json")).toEqual(one);
  });

  test.each(["null", "5", '"x"', "true", "{}", "[]", "[1]", "[{}]", '[{"id":1},{"id":2}]'])("is not %s", async (body) => {
    answer = { body };
    const { code, stdout } = await cal("events get 1");
    expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
  });

  test("is not an answer without a body, and nothing is written after it", async () => {
    answer = { status: 204, body: "" };
    expect(await cal("events get 1")).toEqual({
      code: 7,
      stdout: "",
      stderr: expect.stringContaining("the server's answer holds no event"),
    });
    expect((await cal("events update 1 --title x")).code).toBe(7);
    expect(requested.filter((line) => !line.startsWith("GET"))).toEqual([]);
  });
});

describe("any JSON", () => {
  test.each([null, 5, -0.5, "x", true, [], {}, [[]], [null, 1], { a: { b: [] } }])(
    "%j goes through cal api in every format, or is refused where it has no rows",
    async (value) => {
      const whole = ["json", "ndjson", "yaml", ...(Array.isArray(value) ? ["count"] : [])];
      const rows = JSON.stringify(value) === "[]" || (typeof value === "object" && value !== null && !Array.isArray(value));
      const hasIds = ["[]", "{}"].includes(JSON.stringify(value));
      const refused = (format: string) => (format === "ids" ? !hasIds : !whole.includes(format) && !rows);
      answer = { body: JSON.stringify(value) };
      const outcomes = await Promise.all(formats.map((format) => cal(`api GET x --format ${format}`)));
      expect(outcomes.map(({ code }) => code)).toEqual(formats.map((format) => (refused(format) ? 2 : 0)));
      expect(JSON.parse(outcomes[1]?.stdout ?? "")).toEqual(value);
      expect(parseYaml(outcomes[5]?.stdout ?? "")).toEqual(value);
    },
  );

  test("integers beyond 2^53 stay exact in every format", async () => {
    answer = { body: '[{"id":9007199254740993,"title":"x","n":-12345678901234567890,"near":9007199254740991,"f":0.1}]' };
    const fields = "--fields id,n,near,f";
    const outcomes = await Promise.all(formats.map((format) => cal(`events list --per-page 9 --format ${format} ${fields}`)));
    expect(outcomes.map(({ stdout }) => stdout)).toEqual([
      "ID                N                      NEAR              F\n9007199254740993  -12345678901234567890  9007199254740991  0.1\n",
      '[\n  {\n    "id": 9007199254740993,\n    "n": -12345678901234567890,\n    "near": 9007199254740991,\n    "f": 0.1\n  }\n]\n',
      '{"id":9007199254740993,"n":-12345678901234567890,"near":9007199254740991,"f":0.1}\n',
      "id,n,near,f\r\n9007199254740993,-12345678901234567890,9007199254740991,0.1\r\n",
      "id\tn\tnear\tf\n9007199254740993\t-12345678901234567890\t9007199254740991\t0.1\n",
      '- id: 9007199254740993\n  "n": -12345678901234567890\n  near: 9007199254740991\n  f: 0.1\n',
      "9007199254740993\n",
      "1\n",
    ]);
    const bare = await cal("events list --field n");
    expect(bare.stdout).toBe("-12345678901234567890\n");
  });

  test("an id beyond 2^53 is requested and sent back to its last digit", async () => {
    answer = { body: '{"id":9007199254740993,"title":"x"}' };
    const { code, stderr } = await cal("events update 9007199254740993 --title y");
    expect({ code, asked: requested.map((line) => line.replace("/wp-json/calendar/events/v1", "")) }, stderr).toEqual({
      code: 0,
      asked: ["GET /events/9007199254740993", "PATCH /events/9007199254740993"],
    });
  });

  test.each(['[{"id":1,"title":"no","title":"yes"}]', '[{"id":9007199254740993,"id":1,"title":{"a":1},"title":"yes"}]'])(
    "the last of duplicate keys wins: %s",
    async (body) => {
      expect(await listed({ body })).toEqual([{ id: 1, title: "yes" }]);
    },
  );

  test.each(["1", "9007199254740993"])("a key __proto__ is a key like any other, id %s", async (id) => {
    answer = { body: `[{"id":${id},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]` };
    const outcomes = await Promise.all(
      formats.map((format) => cal(`events list --format ${format} --fields id,__proto__.polluted,constructor`)),
    );
    expect(outcomes.map(({ code }) => code)).toEqual(formats.map(() => 0));
    expect(outcomes[4]?.stdout).toBe(`id\t__proto__.polluted\tconstructor\n${id}\ttrue\t{"prototype":{"polluted":true}}\n`);
    expect((await cal("events list --format ndjson")).stdout).toBe(`${String(answer.body).slice(1, -1)}\n`);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("nesting", () => {
  const nested = (depth: number, id: string) => `[{"id":${id},"x":${"[".repeat(depth)}${"]".repeat(depth)}}]`;

  test.each(["1", "9007199254740993"])("of 400 levels is shown in every format, id %s", async (id) => {
    answer = { body: nested(400, id) };
    const outcomes = await Promise.all(formats.map((format) => cal(`events list --format ${format} --fields id,x`)));
    expect(outcomes.map(({ code }) => code)).toEqual(formats.map(() => 0));
  });

  test.each(["1", "9007199254740993"].flatMap((id) => [600, 200_000].map((depth) => [depth, id] as const)))(
    "of %d levels is refused, id %s",
    async (depth, id) => {
      answer = { body: nested(depth, id) };
      for (const line of ["events list", "events list --format yaml", "api GET events --json"]) {
        const { code, stdout, stderr } = await cal(line);
        expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
        expect(stderr).toContain("nested deeper than 500 levels");
      }
    },
  );
});

describe("bytes", () => {
  const text = JSON.stringify([one]);
  test.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
    ["identity", Buffer.from(text)],
  ])("in %s are decoded", async (coding, body) => {
    expect(await listed({ headers: { "content-encoding": coding }, body })).toEqual([one]);
  });

  test("after a byte order mark are read", async () => {
    expect(await listed({ body: `\ufeff${text}` })).toEqual([one]);
  });

  test.each([
    ["none at all", {}, "", "it is empty"],
    ["blanks", {}, " \n", "it is empty"],
    ["no UTF-8", {}, Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), "not UTF-8"],
    ["a JSON that is cut", {}, text.slice(0, -1), "it starts with"],
    ["warnings before the JSON", {}, `<br />\n<b>Warning</b>: x${text}`, "it starts with"],
    ["no gzip", { "content-encoding": "gzip" }, "<html></html>", "can't be unpacked as gzip"],
    ["a gzip that is cut", { "content-encoding": "gzip" }, gzipSync(text).subarray(0, 20), "can't be unpacked as gzip"],
    ["an unknown coding", { "content-encoding": "zstd" }, "x", "unknown content coding: zstd"],
    [
      "a coding with the name of a property of all objects",
      { "content-encoding": "constructor" },
      "x",
      "unknown content coding: constructor",
    ],
    ["packed three times", { "content-encoding": "gzip, gzip, br" }, "x", "has 3 content codings, and 2 are read"],
    ["packed sixty-one times", { "content-encoding": Array(61).fill("gzip").join() }, "x", "has 61 content codings, and 2 are read"],
    ["two million values", { "content-encoding": "gzip" }, gzipSync(`[${"{},".repeat(2_000_000)}{}]`), "it has more than 1,000,000 values"],
    ["a number without an end", {}, `[{"id":1e400}]`, "the number 1e400 is too large"],
    ["a number of a million digits", {}, `[{"id":${"9".repeat(1_000_000)}}]`, "999… is too large"],
  ])("that are %s are refused", async (_what, headers, body, why) => {
    answer = { headers, body };
    const { code, stdout, stderr } = await cal("events list");
    expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
    expect(stderr).toContain(why);
  });

  test("are refused beyond 32 MB, and the rest is not waited for", async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    let sent = 0;
    answer = {
      body: (response) => {
        const more = () => {
          while (!response.destroyed && sent < 1000) if (++sent && !response.write(megabyte)) return;
        };
        response.on("drain", more).on("error", () => undefined);
        more();
      },
    };
    const { code, stdout, stderr } = await cal("events list");
    expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
    expect(stderr).toMatch(/over 32 MB.*\nhint: /);
    expect(sent).toBeLessThan(100);
    expect(requested).toHaveLength(1);
  });

  test("are refused where they unpack to more than 32 MB", async () => {
    answer = { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(33 * 1024 * 1024, 0x20), { level: 1 }) };
    const { code, stderr } = await cal("events list");
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining("over 32 MB") });
  });

  test("no body is what a DELETE may answer with", async () => {
    answer = { status: 204, body: "" };
    const { code, stdout } = await cal("events delete 7 --yes --json");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "{}\n" });
  });
});

describe("hostile text", () => {
  const title = "\u001b]0;owned\u0007Jazz\u001b[2J &amp; <b>Blues</b>\u202e\u0000\r\n\tend\u009b31m";
  const record = { id: 1, title, description: `<p>${title}</p>`, [`k\u001b[31m`]: "v", status: "\u001b[8mhidden" };

  test("never reaches a terminal", async () => {
    answer = { body: JSON.stringify([record]) };
    const lists = await Promise.all(formats.map((format) => terminal(`events list --format ${format}`)));
    answer = { body: JSON.stringify(record) };
    const records = await Promise.all(formats.map((format) => terminal(`events get 1 --format ${format}`)));
    const bare = await terminal("events get 1 --field title");
    for (const { stdout, stderr, code } of [...lists, ...records, bare]) {
      expect(code).toBe(0);
      expect(`${stdout}${stderr}`.replaceAll("\t", "").replaceAll("\r\n", "\n")).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e]/u);
    }
    expect(lists[0]?.stdout).toContain("Jazz & Blues");
  });

  test("keeps its value in JSON and YAML", async () => {
    expect(await listed({ body: JSON.stringify([record]) })).toEqual([record]);
    expect(parseYaml((await cal("events list --format yaml")).stdout)).toEqual([record]);
  });
});
