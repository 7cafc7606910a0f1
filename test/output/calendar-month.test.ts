// The calendar of a month as a whole, at several widths; and what holds at every width.

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { CalendarEvent } from "../../src/output/calendar/day.ts";
import { renderMonth } from "../../src/output/calendar/month.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { createAllDayEvent, createCalendarStyle, createMonthDays, createTimedEvent, getWeekdaysFrom } from "./calendar-days.ts";

const music = [{ id: "2", name: "Music" }];
const sport = [{ id: "6", name: "Sports & Games" }];

const events: readonly CalendarEvent[] = [
  createAllDayEvent("Festival", "2027-01-30", "2027-02-09", { categories: music }),
  createAllDayEvent("Camp", "2027-02-26", "2027-03-02", { categories: sport, startTime: "09:00", endTime: "17:00" }),
  createAllDayEvent("Retreat", "2027-02-04", "2027-02-05", { status: "draft" }),
  createAllDayEvent("Open house", "2027-02-17"),
  createTimedEvent("東京ジャズ", "2027-02-10", "18:30", "22:30", { categories: music }),
  createTimedEvent("مهرجان", "2027-02-11", "10:00", "12:00"),
  createTimedEvent("Night train", "2027-02-12", "22:30", "01:00", { lastDay: "2027-02-13", categories: sport }),
  ...[1, 2, 3, 4, 5, 6, 7].map((number) => createTimedEvent(`Workshop ${number} 🎉`, "2027-02-16", `1${number}:00`, `1${number}:45`)),
];
const february = createMonthDays("2027-02", events, "2027-02-15");

function drawn(width: number, changes = {}): readonly string[] {
  return renderMonth(february, createCalendarStyle(width, changes)).split("\n");
}

describe("a month", () => {
  test("at 40 columns has symbols", () => {
    expect(drawn(40)).toEqual([
      "February 2027                  UTC",
      " Mon│ Tue│ Wed│ Thu│ Fri│ Sat│ Sun",
      "────┼────┼────┼────┼────┼────┼────",
      "  1 │  2 │  3 │  4 │  5 │  6 │  7",
      "◂ ▲ Festival ════════════════════▸",
      "    │    │    │╞·Retre…╡│    │",
      "────┼────┼────┼────┼────┼────┼────",
      "  8 │  9 │ 10 │ 11 │ 12 │ 13 │ 14",
      "◂▲Festi…╡│▲   │·   │□   │□   │",
      "────┼────┼────┼────┼────┼────┼────",
      "[15]│ 16 │ 17 │ 18 │ 19 │ 20 │ 21",
      "    │··+5│╞·═╡│    │    │    │",
      "────┼────┼────┼────┼────┼────┼────",
      " 22 │ 23 │ 24 │ 25 │ 26 │ 27 │ 28",
      "    │    │    │    │╞□ Camp══════▸",
      "",
      "▲ Music  □ Sports & Games",
      "+n more: cal agenda 2027-02-16",
    ]);
  });

  test("at 60 columns has the beginnings of titles", () => {
    expect(drawn(60)).toEqual([
      "February 2027                                       UTC",
      " Mon   │ Tue   │ Wed   │ Thu   │ Fri   │ Sat   │ Sun",
      "───────┼───────┼───────┼───────┼───────┼───────┼───────",
      "  1    │  2    │  3    │  4    │  5    │  6    │  7",
      "◂ ▲ Festival ═════════════════════════════════════════▸",
      "       │       │       │╞· Retreat (d…╡│       │",
      "───────┼───────┼───────┼───────┼───────┼───────┼───────",
      "  8    │  9    │ 10    │ 11    │ 12    │ 13    │ 14",
      "◂ ▲ Festival ═╡│▲東京… │·\u2068مهرجان\u2069│□Night…│□…Nigh…│",
      "───────┼───────┼───────┼───────┼───────┼───────┼───────",
      "[15]   │ 16    │ 17    │ 18    │ 19    │ 20    │ 21",
      "       │·Works…│╞·Ope…╡│       │       │       │",
      "       │·Works…│       │       │       │       │",
      "       │·Works…│       │       │       │       │",
      "       │·Works…│       │       │       │       │",
      "       │·Works…│       │       │       │       │",
      "       │+2     │       │       │       │       │",
      "───────┼───────┼───────┼───────┼───────┼───────┼───────",
      " 22    │ 23    │ 24    │ 25    │ 26    │ 27    │ 28",
      "       │       │       │       │╞ □ Camp 09:00 ═══════▸",
      "",
      "▲ Music  □ Sports & Games",
      "+n more: cal agenda 2027-02-16",
    ]);
  });

  test("at 100 columns has titles", () => {
    expect(drawn(100)).toEqual([
      "February 2027                                                                                 UTC",
      " Monday      │ Tuesday     │ Wednesday   │ Thursday    │ Friday      │ Saturday    │ Sunday",
      "─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────",
      "  1          │  2          │  3          │  4          │  5          │  6          │  7",
      "◂ ▲ Festival ═══════════════════════════════════════════════════════════════════════════════════▸",
      "             │             │             │╞ · Retreat (draft) ══════╡│             │",
      "─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────",
      "  8          │  9          │ 10          │ 11          │ 12          │ 13          │ 14",
      "◂ ▲ Festival ═════════════╡│▲ 東京ジャズ │· \u2068مهرجان\u2069     │□ Night train│□ …Night tra…│",
      "─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────",
      "[15] today   │ 16          │ 17          │ 18          │ 19          │ 20          │ 21",
      "             │· Workshop 1…│╞· Open hou…╡│             │             │             │",
      "             │· Workshop 2…│             │             │             │             │",
      "             │· Workshop 3…│             │             │             │             │",
      "             │· Workshop 4…│             │             │             │             │",
      "             │· Workshop 5…│             │             │             │             │",
      "             │+2 more      │             │             │             │             │",
      "─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────",
      " 22          │ 23          │ 24          │ 25          │ 26          │ 27          │ 28",
      "             │             │             │             │╞ □ Camp 09:00 ═════════════════════════▸",
      "",
      "▲ Music  □ Sports & Games",
      "+n more: cal agenda 2027-02-16",
    ]);
  });

  test("at 160 columns has times too", () => {
    expect(drawn(160)).toEqual([
      "February 2027                                                                                                                                                UTC",
      " Monday               │ Tuesday              │ Wednesday            │ Thursday             │ Friday               │ Saturday             │ Sunday",
      "──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────",
      "  1                   │  2                   │  3                   │  4                   │  5                   │  6                   │  7",
      "◂ ▲ Festival ══════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════▸",
      "                      │                      │                      │╞ · Retreat (draft) ════════════════════════╡│                      │",
      "──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────",
      "  8                   │  9                   │ 10                   │ 11                   │ 12                   │ 13                   │ 14",
      "◂ ▲ Festival ═══════════════════════════════╡│ ▲ 東京ジャズ 18:30   │ · \u2068مهرجان\u2069 10:00       │ □ Night train 22:30  │ □ Night train –01:00 │",
      "──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────",
      "[15] today            │ 16                   │ 17                   │ 18                   │ 19                   │ 20                   │ 21",
      "                      │ · Workshop 1 🎉 11:00│╞ · Open house ══════╡│                      │                      │                      │",
      "                      │ · Workshop 2 🎉 12:00│                      │                      │                      │                      │",
      "                      │ · Workshop 3 🎉 13:00│                      │                      │                      │                      │",
      "                      │ · Workshop 4 🎉 14:00│                      │                      │                      │                      │",
      "                      │ · Workshop 5 🎉 15:00│                      │                      │                      │                      │",
      "                      │ +2 more              │                      │                      │                      │                      │",
      "──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────",
      " 22                   │ 23                   │ 24                   │ 25                   │ 26                   │ 27                   │ 28",
      "                      │                      │                      │                      │╞ □ Camp 09:00 ════════════════════════════════════════════════════▸",
      "",
      "▲ Music  □ Sports & Games",
      "+n more: cal agenda 2027-02-16",
    ]);
  });

  test("with --wide is as wide as it takes, and nothing is left out", () => {
    expect(drawn(40, { wide: true })).toEqual([
      "February 2027                                                                                                                                                              UTC",
      " Monday                 │ Tuesday                │ Wednesday              │ Thursday               │ Friday                 │ Saturday               │ Sunday",
      "────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────",
      "  1                     │  2                     │  3                     │  4                     │  5                     │  6                     │  7",
      "◂ ▲ Festival ════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════════▸",
      "                        │                        │                        │╞ · Retreat (draft) ════════════════════════════╡│                        │",
      "────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────",
      "  8                     │  9                     │ 10                     │ 11                     │ 12                     │ 13                     │ 14",
      "◂ ▲ Festival ═══════════════════════════════════╡│ ▲ 東京ジャズ 18:30     │ · \u2068مهرجان\u2069 10:00         │ □ Night train 22:30    │ □ Night train –01:00   │",
      "────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────",
      "[15] today              │ 16                     │ 17                     │ 18                     │ 19                     │ 20                     │ 21",
      "                        │ · Workshop 1 🎉 11:00  │╞ · Open house ════════╡│                        │                        │                        │",
      "                        │ · Workshop 2 🎉 12:00  │                        │                        │                        │                        │",
      "                        │ · Workshop 3 🎉 13:00  │                        │                        │                        │                        │",
      "                        │ · Workshop 4 🎉 14:00  │                        │                        │                        │                        │",
      "                        │ · Workshop 5 🎉 15:00  │                        │                        │                        │                        │",
      "                        │ · Workshop 6 🎉 16:00  │                        │                        │                        │                        │",
      "                        │ · Workshop 7 🎉 17:00  │                        │                        │                        │                        │",
      "────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────┼────────────────────────",
      " 22                     │ 23                     │ 24                     │ 25                     │ 26                     │ 27                     │ 28",
      "                        │                        │                        │                        │╞ □ Camp 09:00 ══════════════════════════════════════════════════════════▸",
      "",
      "▲ Music  □ Sports & Games",
    ]);
  });

  test("from Sunday breaks its bars at other days", () => {
    expect(drawn(40, { weekdays: getWeekdaysFrom("sunday") })).toEqual([
      "February 2027                  UTC",
      " Sun│ Mon│ Tue│ Wed│ Thu│ Fri│ Sat",
      "────┼────┼────┼────┼────┼────┼────",
      "    │  1 │  2 │  3 │  4 │  5 │  6",
      "    │◂ ▲ Festival ═══════════════▸",
      "    │    │    │    │╞·Retre…╡│",
      "────┼────┼────┼────┼────┼────┼────",
      "  7 │  8 │  9 │ 10 │ 11 │ 12 │ 13",
      "◂ ▲ Festival ╡│▲   │·   │□   │□",
      "────┼────┼────┼────┼────┼────┼────",
      " 14 │[15]│ 16 │ 17 │ 18 │ 19 │ 20",
      "    │    │··+5│╞·═╡│    │    │",
      "────┼────┼────┼────┼────┼────┼────",
      " 21 │ 22 │ 23 │ 24 │ 25 │ 26 │ 27",
      "    │    │    │    │    │╞□Camp══▸",
      "────┼────┼────┼────┼────┼────┼────",
      " 28 │    │    │    │    │    │",
      "◂□═▸│    │    │    │    │    │",
      "",
      "▲ Music  □ Sports & Games",
      "+n more: cal agenda 2027-02-16",
    ]);
  });

  test("reports nothing of more where all just fits", () => {
    const talks = Array.from({ length: 6 }, (_, index) => createTimedEvent(`Talk ${index + 1}`, "2027-02-01", "10:00", "11:00"));
    const cells = (count: number, width: number) =>
      renderMonth(createMonthDays("2027-02", talks.slice(0, count)), createCalendarStyle(width))
        .split("\n")
        .slice(4, 10)
        .map((line) => line.split("│")[0]?.trim());
    expect(cells(6, 100)).toEqual(["· Talk 1", "· Talk 2", "· Talk 3", "· Talk 4", "· Talk 5", "· Talk 6"]);
    expect(cells(4, 40)[0]).toBe("····");
  });

  test("counts the bars that it has no room for", () => {
    const many = Array.from({ length: 8 }, (_, index) => createAllDayEvent(`Fair ${index + 1}`, "2027-02-01", "2027-02-02"));
    const lines = renderMonth(
      createMonthDays("2027-02", [...many, createTimedEvent("Talk", "2027-02-02", "10:00", "11:00")]),
      createCalendarStyle(100),
    ).split("\n");
    expect(lines.slice(3, 10)).toEqual([
      "  1          │  2          │  3          │  4          │  5          │  6          │  7",
      "╞ · Fair 1 ═══════════════╡│             │             │             │             │",
      "╞ · Fair 2 ═══════════════╡│             │             │             │             │",
      "╞ · Fair 3 ═══════════════╡│             │             │             │             │",
      "╞ · Fair 4 ═══════════════╡│             │             │             │             │",
      "╞ · Fair 5 ═══════════════╡│             │             │             │             │",
      "+3 more      │+4 more      │             │             │             │             │",
    ]);
  });

  test("has colour by category, a symbol for each, and today in bold beside its brackets", async () => {
    const style = await createStyle({ color: true });
    const lines = renderMonth(
      createMonthDays("2027-02", [createTimedEvent("Gig", "2027-02-01", "20:00", "21:00", { categories: music })], "2027-02-01"),
      createCalendarStyle(60, { style }),
    ).split("\n");
    expect(lines[3]?.startsWith("\u001b[1m[ 1]\u001b[22m   ")).toBe(true);
    expect(lines[4]?.startsWith("\u001b[35m▲\u001b[39m\u001b[35mGig\u001b[39m   ")).toBe(true);
    expect(lines.at(-1)).toBe("\u001b[35m▲ Music\u001b[39m");
  });
});

describe("every month", () => {
  const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
  const months = Array.from(
    { length: 28 * 12 },
    (_, index) => `${2000 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`,
  );

  test.each(["monday", "sunday", "saturday"])("of 28 years has each day once, under its weekday, in weeks from %s", (start) => {
    const columns = getWeekdaysFrom(start);
    for (const month of months) {
      const lines = renderMonth(createMonthDays(month), createCalendarStyle(80, { weekdays: columns })).split("\n");
      const found = lines
        .slice(3)
        .flatMap((line) =>
          line.split("│").flatMap((cell, column) => (/^ [ \d]\d *$/.test(cell) ? [`${Number(cell)} ${columns[column]}`] : [])),
        );
      const [year = 0, number = 0] = month.split("-").map(Number);
      const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
      const wanted = Array.from(
        { length: last },
        (_, day) => `${day + 1} ${weekdays[new Date(Date.UTC(year, number - 1, day + 1)).getUTCDay()]}`,
      );
      expect(found, month).toEqual(wanted);
    }
  });
});

const titles = [
  "plain",
  "東京ドームで音楽",
  "👨‍👩‍👧‍👦 family",
  "e\u0301te\u0301",
  "שָׁלוֹם עולם",
  "مرحبا بالعالم",
  "🇨🇭 flag",
  "한국어",
  "a very long title that has no room anywhere at all",
  "",
];
const dayText = (day: number) => new Date(Date.UTC(2027, 0, 20) + day * 86_400_000).toISOString().slice(0, 10);
const anything = fc
  .record({
    title: fc.constantFrom(...titles),
    first: fc.nat(50),
    length: fc.nat(20),
    long: fc.boolean(),
    category: fc.constantFrom(...titles.slice(0, 9)),
    id: fc.nat(40),
    status: fc.constantFrom("publish", "draft"),
  })
  .map(({ title, first, length, long: shownAsBar, category, id, status }) =>
    createAllDayEvent(title, dayText(first), dayText(first + (shownAsBar ? length : length % 2)), {
      shownAsBar,
      status,
      categories: [{ id: String(id), name: category }],
      ...(shownAsBar ? {} : { startTime: "20:00", endTime: "01:00" }),
    }),
  );

test("no line is wider than the terminal, and every line between two days is where it should be", () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 25 }), fc.integer({ min: 40, max: 250 }), (some, width) => {
      const lines = renderMonth(createMonthDays("2027-02", some), createCalendarStyle(width)).split("\n");
      expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
      const column = Math.floor((width - 6) / 7) + 1;
      const strayed = lines.filter((line) =>
        [...line.matchAll(/│/g)].some(({ index }) => (stringWidth(line.slice(0, index)) + 1) % column !== 0),
      );
      expect(strayed).toEqual([]);
    }),
  );
});
