// The first day of the week: as typed, else as the user's locale has it.

import type { Context } from "../../context.ts";
import { type Weekday, weekdays } from "../../dates/day.ts";

/** The value of `--week-start`, else what the locale of LC_ALL, LC_TIME or LANG says, else Monday. */
export function resolveWeekStart(typed: unknown, env: Context["env"]): Weekday {
  return weekdays.find((day) => day === typed) ?? getLocaleWeekStart(env["LC_ALL"] || env["LC_TIME"] || env["LANG"] || "") ?? "monday";
}

/** The days of the week in the order in which they stand in a row. */
export function rotateWeekdays(start: Weekday): readonly Weekday[] {
  const at = weekdays.indexOf(start);
  return [...weekdays.slice(at), ...weekdays.slice(0, at)];
}

/** Reads `en_US.UTF-8`; undefined for `C`, for what is no locale, and where Node doesn't know. */
function getLocaleWeekStart(name: string): Weekday | undefined {
  const tag = name.replace(/[.@].*$/, "").replaceAll("_", "-");
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
  try {
    const firstDay = getLocaleFirstDay(new Intl.Locale(tag));
    return typeof firstDay === "number" ? weekdays[firstDay - 1] : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Older engines have a property, newer ones a method; Monday is 1. */
function getLocaleFirstDay(locale: Intl.Locale): unknown {
  const info: unknown =
    "getWeekInfo" in locale && typeof locale.getWeekInfo === "function"
      ? locale.getWeekInfo()
      : "weekInfo" in locale
        ? locale.weekInfo
        : undefined;
  return typeof info === "object" && info !== null && "firstDay" in info ? info.firstDay : undefined;
}
