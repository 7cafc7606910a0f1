// Texts that are no dates: each is a usage error, and what its hint suggests is a date.

import { expect, test } from "vitest";
import { parseDate } from "../../src/dates/parse.ts";
import { catchCalError } from "./problem.ts";

const reference = { now: Date.parse("2026-12-09T20:30:15Z"), zone: "America/New_York" } as const;
const general = "write YYYY-MM-DD, with a time YYYY-MM-DD HH:MM, or today, fri@7pm, +2h, 7d-ago";
const time = "write a time as 00:00 to 23:59, 7pm, 7:30pm, noon or midnight";
const zone = "write an IANA name such as Europe/Paris, or an offset such as +01:00";

test.each([
  ["", general],
  ["   ", general],
  ["01/02/2026", "write 2026-01-02 or 2026-02-01"],
  ["1.2.2026", "write 2026-01-02 or 2026-02-01"],
  ["31/12/2026", "write 2026-12-31"],
  ["31/02/2026", "write a day as YYYY-MM-DD"],
  ["13.02.2027 17:00", 'write "2027-02-13 17:00"'],
  ["26-01-02", "write the date as YYYY-MM-DD"],
  ["1/2/26", "write the date as YYYY-MM-DD"],
  ["2026/01/02", "write 2026-01-02"],
  ["2026-1-2", "write 2026-01-02"],
  ["20260102", "write 2026-01-02"],
  ["20260102T100000Z", 'write "2026-01-02 10:00Z"'],
  ["1799575200", "write @1799575200"],
  ["1799575200000", "write @1799575200, in seconds"],
  ["@1799575200000", "write @1799575200, in seconds"],
  ["2026-W05", "write this-week, next-week, or the date of a day in it"],
  ["next week", "write next-week"],
  ["next weekend", "write next-weekend"],
  ["last weekend", "write weekend-7d"],
  ["weekend 8pm", 'write "sat 8pm" or "sun 8pm"'],
  ["wekend", "did you mean weekend?"],
  ["next", "write next-week or next-month"],
  ["Last", "write last-week or last-month"],
  ["Next Friday", "write fri for the coming one (today included), fri+7d for the one after it"],
  ["next friday 8pm", 'write "fri 8pm" for the coming one (today included), "fri+7d 8pm" for the one after it'],
  ["last mon", "write mon-7d for the one before the coming mon, or YYYY-MM-DD"],
  ["last mon at noon", 'write "mon-7d noon" for the one before the coming mon, or YYYY-MM-DD'],
  ["in 3 days", "write +3d"],
  ["+3 days", "write +3d"],
  ["- 1 week", "write 1w-ago"],
  ["december", "write YYYY-12, or YYYY-12-DD for a day of it"],
  ["Dec 2026", "write 2026-12, or 2026-12-DD for a day of it"],
  ["2 months ago", "write 2mo-ago"],
  ["7d", "write +7d"],
  ["7d ago", "write 7d-ago"],
  ["1h30m", "write +1h30m"],
  ["today + 2h", "write today+2h"],
  ["Jan 10 2026", "write 2026-01-10"],
  ["10 january 2026 7pm", "write 2026-01-10"],
  ["5 sept", "write YYYY-09-05"],
  ["7pm", 'write "today 7pm"'],
  ["noon", 'write "today noon"'],
  ["noon today", 'write "today noon"'],
  ["7 pm", 'write "today 7pm"'],
  ["+7d 8pm", 'write "today+7d 8pm"'],
  ["now-2d 08:30", 'write "today-2d 08:30"'],
  ["fri+2h 8pm", 'write "fri 8pm" or fri+2h'],
  ["fri + 7d 8pm", 'write "fri+7d 8pm"'],
  ["this-week+7d 10:00", 'write "today 10:00" or "YYYY-MM-DD 10:00"'],
  ["today 7:30", 'write "today 07:30"'],
  ["now 10:00", 'write "today 10:00" or "YYYY-MM-DD 10:00"'],
  ["this-week 10:00", 'write "today 10:00" or "YYYY-MM-DD 10:00"'],
  ["2026-01 10:00", 'write "today 10:00" or "YYYY-MM-DD 10:00"'],
  ["today 25:00", time],
  ["2026-01-10 24:00", time],
  ["2026-01-10 10:00:60", time],
  ["2026-01-10 13pm", general],
  ["2026-01-10 10:00 PST", zone],
  ["2026-01-10 10:00+99:00", zone],
  ["2026-01-10 10:00 Europe/Pari", "did you mean Europe/Paris?"],
  ["tomorow 10:00", 'did you mean "tomorrow 10:00"?'],
  ["tommorrow", "did you mean tomorrow?"],
  ["2026-02-30", "write 2026-02-28"],
  ["2028-02-30 10:00", "write 2028-02-29"],
  ["2026-04-31", "write 2026-04-30"],
  ["2026-01-00", "write 2026-01-01"],
  ["2026-13-01", "the months go from 01 to 12, in the form YYYY-MM-DD"],
  ["0000-01-01", "the years go from 0001 to 9999"],
  ["10000-01-01", general],
  ["9999-12-31+1d", "take a smaller offset, or write the date"],
  ["-99999y", "take a smaller offset, or write the date"],
  ["@999999999999", "take a smaller offset, or write the date"],
  ["+1d1d", general],
  ["+100000d", general],
  ["now now", general],
  ["heute", general],
])("%j is refused: %s", (text, hint) => {
  const problem = catchCalError(() => parseDate(text, { ...reference, side: "start" }));
  expect([problem.kind, problem.hint]).toEqual(["usage", hint]);
});

test.each([
  ["2026-02-30", "2026-02-30 does not exist: 2026-02 has 28 days"],
  ["01/02/2026", '"01/02/2026" is not a date: day and month can be in either order'],
  ["31/12/2026", '"31/12/2026" is not a date: its year, month and day are not in the form YYYY-MM-DD'],
  ["today 25:00", '"today 25:00" is not a date: 25:00 is not a time of day'],
  ["heute", '"heute" is not a date: it has no form that this program knows'],
])("%j says why", (text, message) => {
  expect(catchCalError(() => parseDate(text, { ...reference, side: "end" })).message).toBe(message);
});

test("the zone of the settings may be wrong too", () => {
  expect(catchCalError(() => parseDate("today", { ...reference, zone: "America/New York", side: "start" }))).toEqual({
    kind: "usage",
    message: '"America/New York" is not a time zone',
    hint: "did you mean America/New_York?",
  });
});
