// Durations.

import { expect, test } from "vitest";
import { formatDuration, parseDuration, parseOffset } from "../../src/dates/duration.ts";
import { catchCalError } from "./problem.ts";

test.each([
  ["90m", { minutes: 90 }],
  ["1h30m", { hours: 1, minutes: 30 }],
  ["30s", { seconds: 30 }],
  ["2d", { days: 2 }],
  ["1W", { weeks: 1 }],
  ["1mo", { months: 1 }],
  ["1y2mo3w4d5h6m7s", { years: 1, months: 2, weeks: 3, days: 4, hours: 5, minutes: 6, seconds: 7 }],
  ["PT1H30M", { hours: 1, minutes: 30 }],
  ["P1M", { months: 1 }],
  ["PT1M", { minutes: 1 }],
  ["P1Y2M3DT4H5M6S", { years: 1, months: 2, days: 3, hours: 4, minutes: 5, seconds: 6 }],
  ["p2w", { weeks: 2 }],
  [" 0m ", { minutes: 0 }],
])("%j", (text, expected) => {
  expect(parseDuration(text)).toEqual(expected);
});

test.each([
  ["90", "write 90m for minutes or 90h for hours"],
  ["", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["1.5h", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["-2h", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["2h2h", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["P", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["PT", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["123456m", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
  ["two hours", "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M"],
])("%j is refused", (text, hint) => {
  expect(catchCalError(() => parseDuration(text))).toEqual({ kind: "usage", message: `"${text}" is not a length of time`, hint });
});

test.each([
  [0, "0m"],
  [1, "1m"],
  [5_400_000, "1h30m"],
  [86_399_000, "1d"],
  [561_600_000, "6d12h"],
])("%i milliseconds are %s", (length, text) => {
  expect(formatDuration(length)).toBe(text);
});

test.each([
  ["+1h30m", { hours: 1, minutes: 30 }],
  ["-PT2H", { hours: -2 }],
  ["7D-ago", { days: -7 }],
  ["1h", undefined],
  ["+", undefined],
  ["+7d-ago", undefined],
  ["tomorrow", undefined],
])("the offset %s", (text, offset) => {
  expect(parseOffset(text)).toEqual(offset);
});
