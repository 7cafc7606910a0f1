// Words of a shell's line are parsed, and inserted again so that the shell reads them as one word.

import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCompletionLine } from "../../src/cli/completion/words.ts";

const breaks = " \t\n\"'@><=;|&(:";
const bash = (line: string) => parseCompletionLine(["bash", breaks, line]);
const powershell = (line: string) => parseCompletionLine(["powershell", Buffer.from(line).toString("base64")]);

describe("parsing", () => {
  test.each<readonly [string, readonly string[], string]>([
    ["cal ", [], ""],
    ["cal ev", [], "ev"],
    ["cal events  list\t--venue ", ["events", "list", "--venue"], ""],
    ["cal get Blue\\ No", ["get"], "Blue No"],
    ["cal get 'Blue \"No", ["get"], 'Blue "No'],
    ['cal get "Blue \\"No \\x', ["get"], 'Blue "No \\x'],
    ["cal get 'it'\\''s' \"\" x", ["get", "it's", ""], "x"],
    ["./bin/cal $(rm -rf) `x`", ["$(rm", "-rf)"], "`x`"],
  ])("bash: %s", (line, words, current) => {
    const read = bash(line);
    expect({ words: read.words, current: read.current }).toEqual({ words, current });
  });

  test.each<readonly [string, readonly string[], string]>([
    ["cal get 'it''s", ["get"], "it's"],
    ['cal get "a`"b `$x', ["get"], 'a"b $x'],
    ["cal get `'x C:\\dir", ["get", "'x"], "C:\\dir"],
  ])("powershell: %s", (line, words, current) => {
    const read = powershell(line);
    expect({ words: read.words, current: read.current }).toEqual({ words, current });
  });

  test("fish and zsh pass the words; fish leaves the quotes on the last", () => {
    const zsh = parseCompletionLine(["zsh", "events", "a b", "Bl"]);
    expect([zsh.words, zsh.current]).toEqual([["events", "a b"], "Bl"]);
    const fish = parseCompletionLine(["fish", "events", "'it\\'s "]);
    expect([fish.words, fish.current]).toEqual([["events"], "it's "]);
  });

  test("no arguments at all are an empty line", () => {
    expect([parseCompletionLine([]).words, parseCompletionLine([]).current]).toEqual([[], ""]);
  });
});

describe("inserting", () => {
  test.each<readonly [string, string, string]>([
    ["cal get ", "a b", "a\\ b"],
    ["cal get name:", "name:a b", "a\\ b"],
    ["cal get --x=name:", "--x=name:a", "a"],
    ["cal get me@", "me@home", "@home"],
    ["cal get 'a", "a'b", "a'\\''b"],
    ['cal get "a', 'a $x `y` "', 'a \\$x \\`y\\` \\""'],
    ['cal get name:"a', "name:a!b", `a"'!'"b`],
    ["cal get ", "Ünï 渋谷", "Ünï\\ 渋谷"],
  ])("bash: after %s, %s is %s", (line, candidate, inserted) => {
    expect(bash(line).escapeCandidate(candidate)).toBe(inserted);
  });

  test.each<readonly [string, string]>([
    ["jazz-night", "jazz-night"],
    ["a b", "'a b'"],
    ["it's", "'it''s'"],
    ["it\u2019s $x", "'it\u2019\u2019s $x'"],
    ["a,b", "'a,b'"],
    ["`$(x)", "'`$(x)'"],
    ["", "''"],
  ])("powershell: %s is %s", (candidate, inserted) => {
    expect(powershell("cal get ").escapeCandidate(candidate)).toBe(inserted);
  });

  // Control characters are filtered out before.
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((one) => !/[\p{Cc}\p{Cs}]/u.test(one));
  const hostile = fc.oneof(text, fc.string({ unit: fc.constantFrom(..."'\"\\$`!*?[]{}()<>|&;#~ :=@,-%ab"), minLength: 1, maxLength: 12 }));

  test("in PowerShell a word that is read back is the same", () => {
    fc.assert(
      fc.property(hostile, (candidate) => {
        // Typographic quotes are only handled where a candidate is inserted.
        fc.pre(!/[\u2018-\u201b]/.test(candidate));
        expect(powershell(`cal ${powershell("cal ").escapeCandidate(candidate)}`).current).toBe(candidate);
      }),
    );
  });

  test("a real bash reads the same words, without quotes and inside both kinds", () => {
    const rows = fc.sample(hostile, { numRuns: 300, seed: 7 }).flatMap((candidate) => [
      { candidate, line: bash("cal ").escapeCandidate(candidate) },
      { candidate, line: addQuotes('"', bash('cal "').escapeCandidate(candidate)) },
      { candidate, line: addQuotes("'", bash("cal '").escapeCandidate(candidate)) },
    ]);
    const script = rows.map(({ line }) => `printf '%s\\0' ${line}`).join("\n");
    const read = execFileSync("bash", ["--norc", "--noprofile"], {
      input: script,
      env: { LANG: "C.UTF-8", PATH: process.env["PATH"] ?? "" },
      encoding: "utf8",
    });
    expect(read.split("\0").slice(0, -1)).toEqual(rows.map(({ candidate }) => candidate));
  });
});

/** Like readline: the user opened the quote, and it is closed where the text does not end with it. */
function addQuotes(quote: string, inserted: string): string {
  return `${quote}${inserted}${inserted.endsWith(quote) ? "" : quote}`;
}
