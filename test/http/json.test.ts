// Exact integers in JSON, in and out.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExactJson, parseJson, stringifyExact } from "../../src/http/json.ts";

describe("parsing", () => {
  test.each([
    ["[9007199254740991,9007199254740992,-9007199254740993]", [9007199254740991, 9007199254740992n, -9007199254740993n]],
    ['{"a":12345678901234567890}', { a: 12345678901234567890n }],
    ["12345678901234567890", 12345678901234567890n],
    [
      "[1.2345678901234567890,12345678901234567890.5,12345678901234567890e2]",
      [1.2345678901234567, 12345678901234567000, 1.2345678901234568e21],
    ],
    ['[1.0,1e3,-0.5,{"n":null}]', [1, 1000, -0.5, { n: null }]],
    ['{"a":1,"a":{"b":2},"a":[12345678901234567890]}', { a: [12345678901234567890n] }],
    ['{"a":12345678901234567890,"a":1}', { a: 1 }],
    ['"12345678901234567890"', "12345678901234567890"],
  ])("%s", async (text, value) => {
    expect(await parseExactJson(text)).toEqual(value);
  });
  test.each(['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":12345678901234567890}}'])(
    "%s is a key like any other",
    async (text) => {
      const value = await parseExactJson(text);
      expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect({}).not.toHaveProperty("polluted");
    },
  );
  test.each(["", "{", "[1,]", "\ufeff[]", "12345678901234567890 x", "<html>"])("%j is no JSON", async (text) => {
    await expect(parseExactJson(text)).rejects.toThrow(SyntaxError);
  });
  test("500 levels are read, 501 are not, nor are 100,000", async () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(JSON.stringify(await parseExactJson(nested(500)))).toEqual(nested(500));
    await expect(parseExactJson(nested(501))).rejects.toThrow("JSON nested deeper than 500 levels");
    await expect(parseExactJson(`[12345678901234567890,${nested(100_000)}]`)).rejects.toThrow("JSON nested deeper than 500 levels");
  });
  test.each(["1e400", "[-1e999]", '{"a":1e400,"b":9007199254740993}', "9".repeat(1001)])(
    "%s is refused: it would not be the same again",
    async (text) => {
      await expect(parseExactJson(text)).rejects.toThrow(/the number .* is too large/);
    },
  );
  test("a million values are read, more are not, and commas in texts do not count", async () => {
    const body = (json: string) => parseJson(new TextEncoder().encode(json));
    expect(await body(`[${"0,".repeat(999_998)}0]`)).toHaveLength(999_999);
    await expect(body(`[${"0,".repeat(999_999)}0]`)).rejects.toThrow("more than 1,000,000 values");
    expect(await body(`["${",[{".repeat(500_000)}\\",","\\\\",1]`)).toHaveLength(3);
  });
  test("a hundred thousand digits in texts take little time", async () => {
    const value = { text: `${"1".repeat(100_000)}.`, list: Array(1000).fill("9".repeat(50)) };
    expect(await parseExactJson(JSON.stringify(value))).toEqual(value);
  });
});

describe("writing", () => {
  test.each([
    [
      '{"a":12345678901234567890,"b":[1,{"d":null}],"e":[],"f":{}}',
      { a: 12345678901234567890n, b: [1n, { c: undefined, d: null }], e: [], f: {} },
      undefined,
    ],
    ['[\n  1,\n  {\n    "a": [\n      2\n    ]\n  },\n  []\n]', [1n, { a: [2n] }, []], 2],
    ["1", 1n, 2],
    ["null", undefined, 2],
  ])("%s", (text, value, indent) => {
    expect(stringifyExact(value, indent)).toEqual(text);
  });
  test("is what JSON.stringify writes, but for the bigint", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const expected = JSON.stringify([value, 7], undefined, indent);
        expect(stringifyExact([value, 7n], indent)).toEqual(expected);
      }),
    );
  });
  test("comes back exactly", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt({ min: 2n ** 53n })), async (values) => {
        expect(await parseExactJson(stringifyExact(values))).toEqual(values);
      }),
    );
  });
});
