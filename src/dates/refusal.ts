// Why a text is no date: the forms that people try most, each with what to write instead.

import { findClosest } from "../closest.ts";
import { anchorWords } from "./day.ts";
import { parseUnits } from "./duration.ts";
import {
  type DateSuggestion,
  quoteIfNeeded,
  suggestCalendarDates,
  suggestExpressions,
  suggestNamedMonth,
  suggestOffset,
  suggestWeekday,
} from "./suggestion.ts";
import { parseTime } from "./time.ts";

/** The answer is made from the groups of the pattern, as typed (empty where absent); undefined hands the text on. */
interface SuggestionRule {
  readonly pattern: RegExp;
  readonly suggest: (...groups: string[]) => DateSuggestion | undefined;
}

const defaultHint = "write YYYY-MM-DD, with a time YYYY-MM-DD HH:MM, or today, fri@7pm, +2h, 7d-ago";
const wrongOrderReason = "its year, month and day are not in the form YYYY-MM-DD";
const missingDayReason = "a time needs a day";

const keywords = ["now", ...anchorWords];

const numericRules: readonly SuggestionRule[] = [
  {
    pattern: /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b(.*)$/,
    suggest: (a, b, year, rest = "") =>
      suggestCalendarDates("day and month can stand in either order", [`${year}-${a}-${b}`, `${year}-${b}-${a}`], rest),
  },
  {
    pattern: /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b/,
    suggest: () => ({ reason: "a year has four digits", hint: "write the date as YYYY-MM-DD" }),
  },
  {
    pattern: /^(\d{4})(?:[/.]|-(?=\d-|\d\d?-\d\b))(\d{1,2})[/.-](\d{1,2})\b(.*)$/,
    suggest: (year, month, day, rest = "") => suggestCalendarDates(wrongOrderReason, [`${year}-${month}-${day}`], rest),
  },
  {
    pattern: /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(?:\d{2})?(Z?))?$/i,
    suggest: (year, month, day, hour, minute, zone) =>
      suggestCalendarDates(wrongOrderReason, [`${year}-${month}-${day}`], hour ? ` ${hour}:${minute}${zone}` : ""),
  },
  { pattern: /^(\d{9,11})$/, suggest: (seconds) => suggestExpressions("seconds since 1970 begin with @", `@${seconds}`) },
  {
    pattern: /^@?(\d{9,10})\d{3}$/,
    suggest: (seconds) => ({ reason: "it has the length of milliseconds since 1970", hint: `write @${seconds}, in seconds` }),
  },
  {
    pattern: /^\d{4}-?w\d{2}/i,
    suggest: () => ({ reason: "weeks have no numbers here", hint: "write this-week, next-week, or the date of a day in it" }),
  },
];

const phraseRules: readonly SuggestionRule[] = [
  {
    pattern: /^(next|last|this)$/i,
    suggest: (which = "") => ({ reason: "it lacks a week or a month", hint: `write ${which}-week or ${which}-month`.toLowerCase() }),
  },
  {
    pattern: /^(next|last|this)[ _]?(week|month)$/i,
    suggest: (which = "", what = "") => suggestExpressions("its two words need a hyphen", `${which}-${what}`.toLowerCase()),
  },
  {
    pattern: /^(next|last|this|coming)[ -]((?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b(?:[ @T](?:at )?(.+))?/i,
    suggest: (which = "", weekday = "", time = "") => suggestWeekday(which, weekday, isTime(time) ? time : ""),
  },
  {
    pattern:
      /^(?:in )?([+-]?) ?(\d{1,5}) ?(mins?|minutes?|m|hrs?|hours?|h|days?|d|weeks?|w|months?|mo|years?|y)(?:[ -](ago|from now|later))?$/i,
    suggest: (sign, count = "", unit = "", after = "") => suggestOffset(count, unit, sign === "-" ? "ago" : after),
  },
  {
    pattern: /^(\S+)$/,
    suggest: (text = "") => (parseUnits(text) ? suggestExpressions("an offset begins with + or -", `+${text}`) : undefined),
  },
  {
    pattern: /^(.*?) ?([+-]) (\d+[a-z].*)$/i,
    suggest: (head, sign, units) => suggestExpressions("an offset has no spaces", `${head}${sign}${units}`),
  },
  {
    pattern: /^(.*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*)$/i,
    suggest: (text = "", name = "") => suggestNamedMonth(text, name),
  },
];

const timeRules: readonly SuggestionRule[] = [
  {
    pattern: /^(?:now)?([+-][^ @]+)[ @](.+)$/i,
    suggest: (offset, time = "") => (isTime(time) ? suggestExpressions(missingDayReason, `today${offset} ${time}`) : undefined),
  },
  {
    pattern: /^([^+]+?) ?([+-]\d[^ @-]*)[ @](.+)$/i,
    suggest: (head, offset, time = "") =>
      isTime(time)
        ? suggestExpressions("hours and minutes are not added to a time of day", `${head} ${time}`, `${head}${offset}`)
        : undefined,
  },
  {
    pattern: /^(.*[ @T])(\d:\d{2}(?::\d{2})?)$/i,
    suggest: (head, time) => suggestExpressions("an hour has two digits", `${head}0${time}`),
  },
  { pattern: /^(\S+)$/, suggest: (time = "") => (isTime(time) ? suggestExpressions(missingDayReason, `today ${time}`) : undefined) },
  {
    pattern: /^(\S+) (\S+)$/,
    suggest: (time = "", day = "") =>
      isTime(time) && isDay(day) ? suggestExpressions("the day stands before the time", `${day} ${time}`) : undefined,
  },
  {
    pattern: /^(?:now|\d{4}|\d{4}-\d{2}|[a-z]+-(?:week|month))(?:[+-][^ @]+)?[ @T](.+)$/i,
    suggest: (time = "") =>
      isTime(time) ? { reason: missingDayReason, hint: `write "today ${time}" or "YYYY-MM-DD ${time}"` } : undefined,
  },
  {
    pattern: /^([a-z]+(?:-[a-z]+)?)(.*)$/i,
    suggest: (word = "", rest = "") => {
      const meant = keywords.includes(word.toLowerCase()) ? undefined : findClosest(word, keywords);
      if (meant === undefined) return undefined;
      return {
        reason: `"${word}" is no word for a day`,
        hint: `did you mean ${quoteIfNeeded(meant + rest)}?`,
        expressions: [meant + rest],
      };
    },
  },
  {
    pattern: /[ @T](\d{1,2}(?::\d*)*)$/i,
    suggest: (time = "") => {
      const reason = `${time} is not a time of day`;
      return isTime(time) ? undefined : { reason, hint: "write a time as 00:00 to 23:59, 7pm, 7:30pm, noon or midnight" };
    },
  },
  {
    pattern: /(?:\d|am|pm|noon|midnight) ([a-z]{2,5})$/i,
    suggest: (zone) => ({
      reason: `"${zone}" is no single time zone`,
      hint: "write an IANA name such as Europe/Paris, or an offset such as +01:00",
    }),
  },
];

function isTime(text: string): boolean {
  return parseTime(text.toLowerCase()) !== undefined;
}

function isDay(text: string): boolean {
  return anchorWords.includes(text.toLowerCase()) || /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** Says what is wrong with a text that the grammar does not know, and what to write: nothing that `reads` would refuse too. */
export function findDateSuggestion(text: string, reads: (suggested: string) => boolean): DateSuggestion {
  if (text === "") return { reason: "it is empty", hint: defaultHint };
  let why: string | undefined;
  for (const { pattern, suggest } of [...numericRules, ...phraseRules, ...timeRules]) {
    const match = pattern.exec(text);
    const found = match === null ? undefined : suggest(...match.slice(1).map((group) => group ?? ""));
    if (found === undefined) continue;
    if (found.expressions?.every(reads) !== false) return found;
    why ??= found.reason;
  }
  return { reason: why ?? "it has no form that this program knows", hint: defaultHint };
}
