// When there is colour, and what it is.

import { describe, expect, test } from "vitest";
import { type ColorFlag, createStyle, isColorEnabled } from "../../src/terminal/style.ts";

describe("whether there is colour", () => {
  test.each<[isTTY: boolean, env: Record<string, string>, flag: ColorFlag, color: boolean]>([
    [true, {}, "auto", true],
    [false, {}, "auto", false],
    [true, { TERM: "dumb" }, "auto", false],
    [true, { TERM: "xterm" }, "auto", true],
    [true, { NO_COLOR: "1" }, "auto", false],
    [true, { NO_COLOR: "" }, "auto", true],
    [false, { FORCE_COLOR: "1" }, "auto", true],
    [false, { FORCE_COLOR: "" }, "auto", true],
    [true, { FORCE_COLOR: "0" }, "auto", false],
    [true, { FORCE_COLOR: "false" }, "auto", false],
    [false, { FORCE_COLOR: "1", TERM: "dumb" }, "auto", true],
    [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, "auto", false],
    [false, { NO_COLOR: "1", TERM: "dumb" }, "always", true],
    [true, { FORCE_COLOR: "1" }, "never", false],
  ])("terminal %s, %j, %s: %s", (isTTY, env, flag, color) => {
    expect(isColorEnabled(isTTY, env, flag)).toBe(color);
  });
});

test("styles", async () => {
  const all = async (color: boolean) => Object.entries(await createStyle({ color })).map(([name, paint]) => [name, paint("x")]);
  expect(await all(false)).toEqual(["bold", "dim", "red", "green", "magenta", "cyan"].map((name) => [name, "x"]));
  expect(await all(true)).toEqual([
    ["bold", "\u001b[1mx\u001b[22m"],
    ["dim", "\u001b[2mx\u001b[22m"],
    ["red", "\u001b[31mx\u001b[39m"],
    ["green", "\u001b[32mx\u001b[39m"],
    ["magenta", "\u001b[35mx\u001b[39m"],
    ["cyan", "\u001b[36mx\u001b[39m"],
  ]);
});
