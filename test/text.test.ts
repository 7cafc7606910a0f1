// Text of a server made safe and plain.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEntities, replaceTags, toPlainText } from "../src/html-text.ts";
import { normalizeText, sanitizeLine } from "../src/text.ts";

describe("one line", () => {
  test.each([
    ["a\tb\r\nc\u0000d\u0085e\u2028f", "a b c d e f"],
    ["\u001b[31mred\u001b[0m \u001b[2J\u001b[1;1Hhome", "red home"],
    ["\u001b]0;title\u0007x\u001b]8;;http://evil.test\u001b\\link\u001b]8;;\u001b\\", "xlink"],
    ["\u009b31mx\u009dtitle\u009cy\u0090dcs\u001b\\z", "xyz"],
    ["\u001b]0;never ended", "0;never ended"],
    ["caf\u0090e", "caf e"],
    ["\u001bcreset\u001b(Bset\u001b", "resetset"],
    ["a\u202eb\u2066c\u2069d\u200be\ufefff", "abcdef"],
    ["\ud800 and \ude00", "\ufffd and \ufffd"],
    ["👨‍👩‍👧‍👦 e\u0301 <b>&amp;</b>", "👨‍👩‍👧‍👦 e\u0301 <b>&amp;</b>"],
  ])("%j", (text, line) => {
    expect(sanitizeLine(text)).toEqual(line);
  });
  test("never holds what a terminal obeys", () => {
    const hostile = fc.array(
      fc.constantFrom("\u001b", "[", "]", "\\", "\u0007", "\u009b", "\u009d", "\u009c", "\u0090", "0", ";", "m", "a", "\u202e", "\n"),
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(sanitizeLine(parts.join(""))).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("plain text", () => {
  test.each([
    ["Rock &#038; Roll &#8217;s &quot;x&quot;&hellip;", 'Rock & Roll ’s "x"…'],
    ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
    ["AT&T &copy 2026 &unknown;", "AT&T &copy 2026 &unknown;"],
    ["<strong>Error:</strong> one<br>two<p>three</p>", "Error: one two three"],
    ["C++ Meetup <script>alert(1)</script> #155", "C++ Meetup #155"],
    ["a < b > c <3", "a < b > c <3"],
    ["&#27;[31mred &#x202e;", "red"],
    ["&lt;script&gt;", "<script>"],
    ["x <!-- <b>no</b> --> y --> z", "x y --> z"],
    ["  a \u00a0 b  ", "a b"],
  ])("%j", (html, text) => {
    expect(toPlainText(html)).toEqual(text);
  });
  test.each(["<script>", "<!--", "<a ", "<", "\u001b]", "\u009d", "&#", "-->"])(
    "half a megabyte of %j is done at once",
    (part) => {
      const hostile = part.repeat(500_000 / part.length);
      expect(toPlainText(hostile).length).toBeLessThanOrEqual(hostile.length);
    },
    2000,
  );
});

test("tags are handed over one by one", () => {
  const seen: string[] = [];
  replaceTags('<p class="x">a</p><br/><not', (tag) => {
    seen.push(tag);
    return "";
  });
  expect(seen).toEqual(['<p class="x">', "</p>", "<br/>"]);
});

test("entities are decoded once", () => {
  expect(decodeEntities("&amp;#038; &#x1F600; &eacute;")).toEqual("&#038; 😀 é");
});

describe("normal forms", () => {
  test.each([
    ["e\u0301\u0316 \uff21", "NFC", "\u00e9\u0316 \uff21"],
    ["e\u0301 \uff21", "NFC", "\u00e9 \uff21"],
    ["e\u0301 \uff21", "NFKC", "\u00e9 A"],
    ["\u00e9 \uff21", "NFKD", "e\u0301 A"],
    [`x${"\u0301\u0316".repeat(15)}`, "NFC", `x${"\u0316".repeat(15)}${"\u0301".repeat(15)}`],
  ] as const)("%j as %s", (text, form, expected) => {
    expect(normalizeText(text, form)).toEqual(expected);
  });

  test("more than 30 marks in a row stay as they are, and what is beside them is normalized", () => {
    const marks = "\u0301\u0316".repeat(16);
    expect(normalizeText(`e\u0301 x${marks} e\u0301`, "NFC")).toEqual(`\u00e9 x${marks} \u00e9`);
  });
});
