// The calendar of a week and an agenda as a whole; and what holds at every width.

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { renderAgenda } from "../../src/output/calendar/agenda.ts";
import { renderWeek } from "../../src/output/calendar/week.ts";
import { createAllDayEvent, createCalendarStyle, createDays, createTimedEvent } from "./calendar-days.ts";

const music = [{ id: "2", name: "Music" }];
const events = [
  createAllDayEvent("Festival", "2027-02-05", "2027-02-09", { categories: music, venue: "Town Hall" }),
  createAllDayEvent("Camp", "2027-02-10", "2027-02-13", { startTime: "09:00", endTime: "17:00" }),
  createTimedEvent("Quartett in der Alten Brauerei", "2027-02-10", "18:30", "20:30", {
    categories: music,
    venue: "Alte Brauerei am Fluss",
    startInEventZone: "19:30 Europe/Berlin",
    featured: true,
  }),
  createTimedEvent("Night train", "2027-02-12", "22:30", "01:00", { lastDay: "2027-02-13", status: "draft" }),
  createTimedEvent("مهرجان", "2027-02-12", "23:00", "23:00"),
];
const week = createDays("2027-02-08", "2027-02-14", events, "2027-02-11");

describe("a week", () => {
  test("at 100 columns has its days side by side, titles and venues wrapped", () => {
    expect(renderWeek(week, createCalendarStyle(100)).split("\n")).toEqual([
      "Week of 2027-02-08                                                                            UTC",
      " Monday      │ Tuesday     │ Wednesday   │ Thursday    │ Friday      │ Saturday    │ Sunday",
      " 2027-02-08  │ 2027-02-09  │ 2027-02-10  │[2027-02-11] │ 2027-02-12  │ 2027-02-13  │ 2027-02-14",
      "─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────┼─────────────",
      "◂ ▲ Festival ═════════════╡│╞ · Camp 09:00 ═══════════════════════════════════════╡│",
      "             │             │▲ 18:30–20:30│             │· 22:30–01:00│· –01:00     │",
      "             │             │Quartett in  │             │Night train  │Night train  │",
      "             │             │der Alten    │             │(draft)      │(draft)      │",
      "             │             │Brauerei     │             │             │             │",
      "             │             │Alte Brauerei│             │· 23:00      │             │",
      "             │             │am Fluss     │             │\u2068مهرجان\u2069       │             │",
      "",
      "▲ Music",
    ]);
  });

  test("at 160 columns names today", () => {
    expect(renderWeek(week, createCalendarStyle(160)).split("\n").slice(0, 4)).toEqual([
      "Week of 2027-02-08                                                                                                                                           UTC",
      " Monday               │ Tuesday              │ Wednesday            │ Thursday, today      │ Friday               │ Saturday             │ Sunday",
      " 2027-02-08           │ 2027-02-09           │ 2027-02-10           │[2027-02-11]          │ 2027-02-12           │ 2027-02-13           │ 2027-02-14",
      "──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────┼──────────────────────",
    ]);
  });

  test("at 60 columns has all its days one below the other", () => {
    expect(renderWeek(week, createCalendarStyle(60)).split("\n")).toEqual([
      "2027-02-08 to 2027-02-14                                 UTC",
      "",
      "Monday 2027-02-08",
      "  all day      ▲ Festival · day 4 of 5 · Town Hall · Music",
      "",
      "Tuesday 2027-02-09",
      "  all day      ▲ Festival · day 5 of 5 · Town Hall · Music",
      "",
      "Wednesday 2027-02-10",
      "  09:00–       · Camp · day 1 of 4",
      "  18:30–20:30  ▲ Quartett in der Alten Brauerei",
      "                 Alte Brauerei am Fluss · Music · 19:30",
      "                 Europe/Berlin · featured",
      "",
      "Thursday 2027-02-11  [today]",
      "  all day      · Camp · day 2 of 4",
      "",
      "Friday 2027-02-12",
      "  all day      · Camp · day 3 of 4",
      "  22:30–01:00  · Night train (draft)",
      "  23:00        · \u2068مهرجان\u2069",
      "",
      "Saturday 2027-02-13",
      "  –17:00       · Camp · day 4 of 4",
      "  –01:00       · Night train (draft)",
      "",
      "Sunday 2027-02-14",
    ]);
  });
});

describe("an agenda", () => {
  test("leaves out days without events, but for today", () => {
    const quiet = createDays("2027-02-10", "2027-02-15", events.slice(3, 4), "2027-02-11");
    expect(renderAgenda(quiet, createCalendarStyle(60), false).split("\n")).toEqual([
      "2027-02-10 to 2027-02-15                                 UTC",
      "",
      "Thursday 2027-02-11  [today]",
      "",
      "Friday 2027-02-12",
      "  22:30–01:00  · Night train (draft)",
      "",
      "Saturday 2027-02-13",
      "  –01:00       · Night train (draft)",
    ]);
  });

  test("of one day is headed by it", () => {
    expect(renderAgenda(createDays("2027-02-20", "2027-02-20", events), createCalendarStyle(40), false)).toBe(
      "2027-02-20                           UTC",
    );
  });

  test("with --wide wraps nothing", () => {
    const text = renderAgenda(createDays("2027-02-10", "2027-02-10", events.slice(2, 3)), createCalendarStyle(40, { wide: true }), false);
    expect(text.split("\n").at(-1)).toBe(
      "  18:30–20:30  ▲ Quartett in der Alten Brauerei · Alte Brauerei am Fluss · Music · 19:30 Europe/Berlin · featured",
    );
  });
});

test("no line is wider than the terminal", () => {
  const words = fc
    .array(fc.constantFrom("a", "東京ドーム", "👨‍👩‍👧‍👦", "مرحبا", "Donaudampfschifffahrtsgesellschaft", "jazz"), { maxLength: 9 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(words, words, fc.integer({ min: 40, max: 250 }), (title, venue, width) => {
      const some = createDays("2027-02-08", "2027-02-14", [
        createTimedEvent(title, "2027-02-09", "10:00", "12:00", { venue }),
        createAllDayEvent(venue, "2027-02-09", "2027-02-20", { venue: title }),
      ]);
      for (const text of [renderWeek(some, createCalendarStyle(width)), renderAgenda(some, createCalendarStyle(width), true)])
        expect(text.split("\n").filter((line) => stringWidth(line) > width)).toEqual([]);
    }),
  );
});
