// Text that is taken for plain is as wide as the package of widths says.

import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { measureWidth, truncateText } from "../../src/output/width.ts";

const all = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code));

test("every single character of the first plane", () => {
  expect(all.filter((letter) => measureWidth(letter) !== stringWidth(letter))).toEqual([]);
});

test("every two that are plain by themselves keep their widths side by side", () => {
  const plain = all.filter((letter) => measureWidth(letter) === 1 && letter.charCodeAt(0) < 0x3000);
  const pairs = fc.tuple(fc.constantFrom(...plain), fc.constantFrom(...plain)).map((two) => two.join(""));
  fc.assert(fc.property(pairs, (pair) => measureWidth(pair) === stringWidth(pair)));
});

test("what is cut fits, whatever it is", () => {
  const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.string());
  fc.assert(fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, width) => stringWidth(truncateText(text, width)) <= width));
});
