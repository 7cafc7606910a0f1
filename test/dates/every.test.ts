// `--every`: words to rules. The rules are those that RFC 5545 gives for the same words.

import { describe, expect, test } from "vitest";
import { parseEvery } from "../../src/dates/every.ts";
import { CalError } from "../../src/errors.ts";

describe("what can be said", () => {
  test.each([
    ["day", "FREQ=DAILY"],
    ["3 days", "FREQ=DAILY;INTERVAL=3"],
    ["week", "FREQ=WEEKLY"],
    ["2 weeks", "FREQ=WEEKLY;INTERVAL=2"],
    ["2w", "FREQ=WEEKLY;INTERVAL=2"],
    ["other week", "FREQ=WEEKLY;INTERVAL=2"],
    ["month", "FREQ=MONTHLY"],
    ["6mo", "FREQ=MONTHLY;INTERVAL=6"],
    ["year", "FREQ=YEARLY"],
    ["tue", "FREQ=WEEKLY;BYDAY=TU"],
    ["Tuesdays and Thursdays", "FREQ=WEEKLY;BYDAY=TU,TH"],
    ["mon-wed,sat", "FREQ=WEEKLY;BYDAY=MO,TU,WE,SA"],
    ["weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
    ["weekend", "FREQ=WEEKLY;BYDAY=SA,SU"],
    ["every other tue", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"],
    ["2 weeks on tue,thu", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"],
    ["2nd tue", "FREQ=MONTHLY;BYDAY=2TU"],
    ["1st, 3rd mon", "FREQ=MONTHLY;BYDAY=1MO,3MO"],
    ["first and last friday of the month", "FREQ=MONTHLY;BYDAY=1FR,-1FR"],
    ["last fri of 2 months", "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR"],
    ["15th", "FREQ=MONTHLY;BYMONTHDAY=15"],
    ["1st,15th of each month", "FREQ=MONTHLY;BYMONTHDAY=1,15"],
    ["last day", "FREQ=MONTHLY;BYMONTHDAY=-1"],
  ])("%s", (text, rule) => {
    expect(parseEvery(text)).toBe(rule);
  });
});

describe("what is refused, with what can be said", () => {
  test.each(["", "fortnight", "0 weeks", "tu", "6th tue", "32nd", "2nd tue,thu", "fri-mon", "last week", "w", "3m", "month on tue", "  "])(
    "%j",
    (text) => {
      expect(() => parseEvery(text)).toThrow(CalError);
    },
  );

  test("a number before a weekday may mean two things", () => {
    expect(() => parseEvery("2 tue")).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ hint: expect.stringMatching(/^write "2nd tue" .* or "2 weeks on tue"; --every takes day, /) }),
      }),
    );
  });
});
