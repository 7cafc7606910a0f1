// Messages on a terminal: broken between words, and what can be pasted stays in one piece.

import fc from "fast-check";
import { expect, test } from "vitest";
import { wrapMessage } from "../../src/output/message.ts";
import { unbreakable } from "../../src/text.ts";

test.each<[string, number, string, string[]]>([
  ["prose", 20, "one two three four five six", ["one two three four", "  five six"]],
  ["what fits", 20, "one two three four", ["one two three four"]],
  ["letters of two columns", 10, "日本 日本語 日本", ["日本", "  日本語", "  日本"]],
  ["an address", 20, "open this: https://example.com/a/b/c?d=e please", ["open this:", "  https://example.com/a/b/c?d=e", "  please"]],
  [
    "a command behind a colon",
    40,
    `keep it in a file: ${unbreakable("cal auth login --insecure-storage")}; or set CAL_TOKEN`,
    ["keep it in a file:", "  cal auth login --insecure-storage; or", "  set CAL_TOKEN"],
  ],
  [
    "a command with quotes, longer than the terminal",
    30,
    `correct it and: ${unbreakable("cal events update 103 --data @'/home/ana b/edit; x/event.yaml'")}`,
    ["correct it and:", "  cal events update 103 --data @'/home/ana b/edit; x/event.yaml'"],
  ],
  [
    "the name of the program in prose",
    20,
    "this is a defect of cal; please report it",
    ["this is a defect of", "  cal; please report", "  it"],
  ],
  ["a flag and its value", 18, "move the event: --shift <offset>", ["move the event:", "  --shift <offset>"]],
  [
    "lines that are laid out",
    10,
    "next steps of all:\n  cal events list --all\n- a: b c d e f g",
    ["next steps", "  of all:", "  cal events list --all", "- a: b c d e f g"],
  ],
  ["a word of the shell", 30, "no ref (by its name: 'name:Town Meeting'; or)", ["no ref (by its name:", "  'name:Town Meeting'; or)"]],
  ["a quote that does not end", 12, "say 'so it is and goes", ["say 'so it", "  is and", "  goes"]],
  [
    "a command in brackets",
    30,
    `what still runs is left out (${unbreakable("cal help dates")})`,
    ["what still runs is left out", "  (cal help dates)"],
  ],
  ["a date with its time", 30, "for the later write (2027-11-07 01:30:00-05:00)", ["for the later write", "  (2027-11-07 01:30:00-05:00)"]],
])("%s", (_what, width, text, lines) => {
  expect(wrapMessage(text, width).split("\n")).toEqual(lines);
});

test.each([undefined, 2, 10, 80])("at %s columns a command has ordinary spaces", (width) => {
  expect(wrapMessage(`see: ${unbreakable("cal events list")}`, width)).toMatch(/^see:\n? +cal events list$/);
});

test("without a terminal a message is one line", () => {
  expect(wrapMessage("one two three", undefined)).toBe("one two three");
});

test("nothing is lost and nothing added but line ends and blanks", () => {
  const words = fc.array(fc.oneof(fc.constantFrom("cal", "or", "--all", "it's", '"a', "'b", "x;", "<ref>"), fc.string()), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (list, width) => {
      const text = list.join(" ").replace(/\s+/g, " ");
      expect(wrapMessage(text, width).replace(/\s+/g, " ").trim()).toBe(text.trim());
    }),
  );
});
