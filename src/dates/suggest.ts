// Why a text is no date: the forms that users try most, each with what to write instead.
import { findClosest } from "../closest.ts";
import { anchorWords, parseTime } from "./day.ts";
import { parseUnits } from "./duration.ts";

/** The two parts of an error message. */
interface DateSuggestion {
  readonly reason: string;
  readonly hint: string;
  /** The expressions in the hint. Where the grammar refuses one of them, the hint is not used. */
  readonly expressions?: readonly string[];
}

/** The function gets the groups of the pattern, "" where they are absent. Where it returns undefined, the next rule is tried. */
interface SuggestionRule {
  readonly pattern: RegExp;
  readonly suggest: (...groups: string[]) => DateSuggestion | undefined;
}

/** Where no rule knows what the text means. */
export const defaultHint = "write YYYY-MM-DD, with a time YYYY-MM-DD HH:MM, or today, fri@7pm, +2h, 7d-ago";
const wrongOrderReason = "its year, month and day are not in the form YYYY-MM-DD";
const ambiguousReason = "day and month can be in either order";
const missingDayReason = "a time needs a day";
const invalidDaySuggestion: DateSuggestion = { reason: "there is no such day", hint: "write a day as YYYY-MM-DD" };
const keywords = ["now", ...anchorWords];

/** Says what is wrong with a text that is not in the grammar, and what to write instead: only expressions that `canParse` accepts. */
export function findDateSuggestion(text: string, canParse: (expression: string) => boolean): DateSuggestion {
  if (text === "") return { reason: "it is empty", hint: defaultHint };
  let reason: string | undefined;
  for (const { pattern, suggest } of [...numericRules, ...phraseRules, ...timeRules]) {
    const match = pattern.exec(text);
    const found = match === null ? undefined : suggest(...match.slice(1).map((group) => group ?? ""));
    if (found === undefined) continue;
    if (found.expressions?.every(canParse) !== false) return found;
    reason ??= found.reason;
  }
  return { reason: reason ?? "it has no form that this program knows", hint: defaultHint };
}

const numericRules: readonly SuggestionRule[] = [
  {
    pattern: /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b(.*)$/,
    suggest: (a, b, year, rest = "") =>
      suggestCalendarDates(
        Number(a) > 12 || Number(b) > 12 ? wrongOrderReason : ambiguousReason,
        [`${year}-${a}-${b}`, `${year}-${b}-${a}`],
        rest,
      ),
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
    pattern: /^last[ _-]?weekend$/i,
    suggest: () => suggestExpressions("the grammar has only this weekend and the next one", "weekend-7d"),
  },
  {
    pattern: /^(next|this)[ _]?(weekend)$|^(next|last|this)[ _]?(week|month)$/i,
    suggest: (...words) => suggestExpressions("its two words need a hyphen", words.filter(Boolean).join("-").toLowerCase()),
  },
  {
    pattern: /^(next|last|this|coming)[ -]((?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b(?:[ @T](?:at )?(.+))?/i,
    suggest: (which = "", weekday = "", typedTime = "") => {
      const day = weekday.slice(0, 3).toLowerCase();
      const time = isTime(typedTime) ? ` ${typedTime}` : "";
      const reason = "different people mean different days by it";
      const [before, coming, next] = [`${day}-7d${time}`, `${day}${time}`, `${day}+7d${time}`];
      if (which.toLowerCase() === "last") {
        const hint = `write ${quoteIfNeeded(before)} for the one before the coming ${day}, or YYYY-MM-DD`;
        return { reason, hint, expressions: [before] };
      }
      const hint = `write ${quoteIfNeeded(coming)} for the coming one (today included), ${quoteIfNeeded(next)} for the one after it`;
      return { reason, hint, expressions: [coming, next] };
    },
  },
  {
    pattern:
      /^(?:in )?([+-]?) ?(\d{1,5}) ?(mins?|minutes?|m|hrs?|hours?|h|days?|d|weeks?|w|months?|mo|years?|y)(?:[ -](ago|from now|later))?$/i,
    suggest: (sign, count = "", unit = "", after = "") => {
      const letter = unit.toLowerCase().startsWith("mo") ? "mo" : unit.slice(0, 1).toLowerCase();
      const isPast = sign === "-" || after.toLowerCase() === "ago";
      const reason = "an offset begins with + or -, or ends in -ago, and has no spaces";
      return suggestExpressions(reason, isPast ? `${count}${letter}-ago` : `+${count}${letter}`);
    },
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
    suggest: (text = "", name = "") => {
      const month = monthAbbreviations.indexOf(name.toLowerCase()) + 1;
      const year = /\b\d{4}\b/.exec(text)?.[0];
      const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!:)/i.exec(text)?.[1];
      const reason = "months are written as numbers";
      if (year !== undefined && day !== undefined) return suggestCalendarDates(reason, [`${year}-${month}-${day}`], "");
      // Without a year, 29 February is possible.
      if (!isCalendarDate(padDate(`${year ?? "2028"}-${month}-${day ?? "1"}`))) return invalidDaySuggestion;
      const whole = padDate(`${year ?? "YYYY"}-${month}`);
      return { reason, hint: day === undefined ? `write ${whole}, or ${whole}-DD for a day of it` : `write ${padDate(`${whole}-${day}`)}` };
    },
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
      isTime(time) && (anchorWords.includes(day.toLowerCase()) || /^\d{4}-\d{2}-\d{2}$/.test(day))
        ? suggestExpressions("the day comes before the time", `${day} ${time}`)
        : undefined,
  },
  {
    pattern: /^(?:(?:this-|next-)?weekend)(?:[+-][^ @]+)?[ @T](.+)$/i,
    suggest: (time = "") => (isTime(time) ? { reason: "a weekend has two days", hint: `write "sat ${time}" or "sun ${time}"` } : undefined),
  },
  {
    pattern: /^(?:now|\d{4}|\d{4}-\d{2}|[a-z]+-(?:week|month))(?:[+-][^ @]+)?[ @T](.+)$/i,
    suggest: (time = "") =>
      isTime(time) ? { reason: missingDayReason, hint: `write "today ${time}" or "YYYY-MM-DD ${time}"` } : undefined,
  },
  {
    pattern: /^([a-z]+(?:-[a-z]+)?)(.*)$/i,
    suggest: (word = "", rest = "") => {
      const closest = keywords.includes(word.toLowerCase()) ? undefined : findClosest(word, keywords);
      if (closest === undefined) return undefined;
      const expression = closest + rest;
      return { reason: `"${word}" is not a word for a day`, hint: `did you mean ${quoteIfNeeded(expression)}?`, expressions: [expression] };
    },
  },
  {
    pattern: /[ @T](\d{1,2}(?::\d*)*)$/i,
    suggest: (time = "") => {
      const hint = "write a time as 00:00 to 23:59, 7pm, 7:30pm, noon or midnight";
      return isTime(time) ? undefined : { reason: `${time} is not a time of day`, hint };
    },
  },
  {
    pattern: /(?:\d|am|pm|noon|midnight) ([a-z]{2,5})$/i,
    suggest: (zone) => ({
      reason: `"${zone}" is not a single time zone`,
      hint: "write an IANA name such as Europe/Paris, or an offset such as +01:00",
    }),
  },
];

function isTime(text: string): boolean {
  return parseTime(text.toLowerCase()) !== undefined;
}

/** Quotes a text with a space for the shell. */
function quoteIfNeeded(text: string): string {
  return text.includes(" ") ? `"${text}"` : text;
}

function suggestExpressions(reason: string, ...expressions: readonly string[]): DateSuggestion {
  return { reason, hint: `write ${expressions.map(quoteIfNeeded).join(" or ")}`, expressions };
}

const monthAbbreviations = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const monthNamePattern =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;

/** The month of an English name, or of a number from 1 to 12. */
export function parseMonthNumber(text: string): number | undefined {
  const month = monthNamePattern.test(text)
    ? monthAbbreviations.indexOf(text.slice(0, 3).toLowerCase()) + 1
    : Number(/^\d{1,2}$/.exec(text)?.[0] ?? 0);
  return month >= 1 && month <= 12 ? month : undefined;
}

function padDate(date: string): string {
  return date.replace(/-(\d)(?!\d)/g, "-0$1");
}

function isCalendarDate(date: string): boolean {
  const epoch = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(epoch) && new Date(epoch).toISOString().startsWith(date);
}

/** Suggests those of the dates (`2026-1-2`) that exist, each with the rest of the text. */
function suggestCalendarDates(reason: string, dates: readonly string[], rest: string): DateSuggestion {
  const existing = [...new Set(dates.map(padDate).filter(isCalendarDate))];
  return existing.length === 0 ? invalidDaySuggestion : suggestExpressions(reason, ...existing.map((date) => date + rest));
}
