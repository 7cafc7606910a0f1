// Why a text is no date: the forms that people try most, each with what to write instead.

import { closest } from "../closest.ts";
import { anchorWords } from "./day.ts";
import { readUnits } from "./duration.ts";
import { amount, calendarDays, instead, namedMonth, quoted, type Refusal, weekdayPhrase } from "./suggestion.ts";
import { readTime } from "./time.ts";

/** The answer is made from the groups of the pattern, as typed (empty where absent); undefined hands the text on. */
interface Form {
  readonly pattern: RegExp;
  readonly answer: (...groups: string[]) => Refusal | undefined;
}

const general = "write YYYY-MM-DD, with a time YYYY-MM-DD HH:MM, or today, fri@7pm, +2h, 7d-ago";
const order = "its year, month and day are not in the form YYYY-MM-DD";
const dayless = "a time needs a day";

const words = ["now", ...anchorWords];

const numbers: readonly Form[] = [
  {
    pattern: /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b(.*)$/,
    answer: (a, b, year, rest = "") =>
      calendarDays("day and month can stand in either order", [`${year}-${a}-${b}`, `${year}-${b}-${a}`], rest),
  },
  {
    pattern: /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b/,
    answer: () => ({ why: "a year has four digits", write: "write the date as YYYY-MM-DD" }),
  },
  {
    pattern: /^(\d{4})(?:[/.]|-(?=\d-|\d\d?-\d\b))(\d{1,2})[/.-](\d{1,2})\b(.*)$/,
    answer: (year, month, day, rest = "") => calendarDays(order, [`${year}-${month}-${day}`], rest),
  },
  {
    pattern: /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(?:\d{2})?(Z?))?$/i,
    answer: (year, month, day, hour, minute, zone) =>
      calendarDays(order, [`${year}-${month}-${day}`], hour ? ` ${hour}:${minute}${zone}` : ""),
  },
  { pattern: /^(\d{9,11})$/, answer: (seconds) => instead("seconds since 1970 begin with @", `@${seconds}`) },
  {
    pattern: /^@?(\d{9,10})\d{3}$/,
    answer: (seconds) => ({ why: "it has the length of milliseconds since 1970", write: `write @${seconds}, in seconds` }),
  },
  {
    pattern: /^\d{4}-?w\d{2}/i,
    answer: () => ({ why: "weeks have no numbers here", write: "write this-week, next-week, or the date of a day in it" }),
  },
];

const phrases: readonly Form[] = [
  {
    pattern: /^(next|last|this)$/i,
    answer: (which = "") => ({ why: "it lacks a week or a month", write: `write ${which}-week or ${which}-month`.toLowerCase() }),
  },
  {
    pattern: /^(next|last|this)[ _]?(week|month)$/i,
    answer: (which = "", what = "") => instead("its two words need a hyphen", `${which}-${what}`.toLowerCase()),
  },
  {
    pattern: /^(next|last|this|coming)[ -]((?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b(?:[ @T](?:at )?(.+))?/i,
    answer: (which = "", weekday = "", time = "") => weekdayPhrase(which, weekday, isTime(time) ? time : ""),
  },
  {
    pattern:
      /^(?:in )?([+-]?) ?(\d{1,5}) ?(mins?|minutes?|m|hrs?|hours?|h|days?|d|weeks?|w|months?|mo|years?|y)(?:[ -](ago|from now|later))?$/i,
    answer: (sign, count = "", unit = "", after = "") => amount(count, unit, sign === "-" ? "ago" : after),
  },
  {
    pattern: /^(\S+)$/,
    answer: (text = "") => (readUnits(text) ? instead("an offset begins with + or -", `+${text}`) : undefined),
  },
  {
    pattern: /^(.*?) ?([+-]) (\d+[a-z].*)$/i,
    answer: (head, sign, units) => instead("an offset has no spaces", `${head}${sign}${units}`),
  },
  {
    pattern: /^(.*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*)$/i,
    answer: (text = "", name = "") => namedMonth(text, name),
  },
];

const times: readonly Form[] = [
  {
    pattern: /^(?:now)?([+-][^ @]+)[ @](.+)$/i,
    answer: (offset, time = "") => (isTime(time) ? instead(dayless, `today${offset} ${time}`) : undefined),
  },
  {
    pattern: /^([^+]+?) ?([+-]\d[^ @-]*)[ @](.+)$/i,
    answer: (head, offset, time = "") =>
      isTime(time) ? instead("hours and minutes are not added to a time of day", `${head} ${time}`, `${head}${offset}`) : undefined,
  },
  {
    pattern: /^(.*[ @T])(\d:\d{2}(?::\d{2})?)$/i,
    answer: (head, time) => instead("an hour has two digits", `${head}0${time}`),
  },
  { pattern: /^(\S+)$/, answer: (time = "") => (isTime(time) ? instead(dayless, `today ${time}`) : undefined) },
  {
    pattern: /^(\S+) (\S+)$/,
    answer: (time = "", day = "") => (isTime(time) && isDay(day) ? instead("the day stands before the time", `${day} ${time}`) : undefined),
  },
  {
    pattern: /^(?:now|\d{4}|\d{4}-\d{2}|[a-z]+-(?:week|month))(?:[+-][^ @]+)?[ @T](.+)$/i,
    answer: (time = "") => (isTime(time) ? { why: dayless, write: `write "today ${time}" or "YYYY-MM-DD ${time}"` } : undefined),
  },
  {
    pattern: /^([a-z]+(?:-[a-z]+)?)(.*)$/i,
    answer: (word = "", rest = "") => {
      const meant = words.includes(word.toLowerCase()) ? undefined : closest(word, words);
      if (meant === undefined) return undefined;
      return { why: `"${word}" is no word for a day`, write: `did you mean ${quoted(meant + rest)}?`, texts: [meant + rest] };
    },
  },
  {
    pattern: /[ @T](\d{1,2}(?::\d*)*)$/i,
    answer: (time = "") => {
      const why = `${time} is not a time of day`;
      return isTime(time) ? undefined : { why, write: "write a time as 00:00 to 23:59, 7pm, 7:30pm, noon or midnight" };
    },
  },
  {
    pattern: /(?:\d|am|pm|noon|midnight) ([a-z]{2,5})$/i,
    answer: (zone) => ({
      why: `"${zone}" is no single time zone`,
      write: "write an IANA name such as Europe/Paris, or an offset such as +01:00",
    }),
  },
];

function isTime(text: string): boolean {
  return readTime(text.toLowerCase()) !== undefined;
}

function isDay(text: string): boolean {
  return anchorWords.includes(text.toLowerCase()) || /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** Says what is wrong with a text that the grammar does not know, and what to write: nothing that `reads` would refuse too. */
export function refusal(text: string, reads: (suggested: string) => boolean): Refusal {
  if (text === "") return { why: "it is empty", write: general };
  let why: string | undefined;
  for (const { pattern, answer } of [...numbers, ...phrases, ...times]) {
    const match = pattern.exec(text);
    const found = match === null ? undefined : answer(...match.slice(1).map((group) => group ?? ""));
    if (found === undefined) continue;
    if (found.texts?.every(reads) !== false) return found;
    why ??= found.why;
  }
  return { why: why ?? "it has no form that this program knows", write: general };
}
