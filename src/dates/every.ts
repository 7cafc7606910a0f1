// `--every`: how often an event comes again, in words, as a recurrence rule (RFC 5545, 3.3.10).
import { usageError } from "../errors.ts";
import { weekdays } from "./day.ts";

/** What can be said, for messages and the help. */
const everyForms =
  'day, 3 days, week, 2 weeks, month, year; tue, "tue,thu", weekday, "other tue", "2 weeks on tue,thu"; "2nd tue", "1st,3rd mon", "last fri", "15th", "last day"';

const units: Readonly<Record<string, string>> = {
  day: "DAILY",
  week: "WEEKLY",
  month: "MONTHLY",
  year: "YEARLY",
  d: "DAILY",
  w: "WEEKLY",
  mo: "MONTHLY",
  y: "YEARLY",
};

const ordinalWords = ["first", "second", "third", "fourth", "fifth"];

/** The value of RRULE for a text such as `2 weeks`, `tue,thu` or `2nd tue`. Throws a usage error that says what can be written. */
export function parseEvery(text: string): string {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^every /, "");
  const rule = parseUnit(words) ?? parseDays(words) ?? parseDaysOfMonth(words);
  if (rule !== undefined) return rule;
  throw usageError(
    `${JSON.stringify(text)} is not how often`,
    `${suggest(words)}--every takes ${everyForms}; anything else: --rule "FREQ=..."`,
  );
}

/** `week`, `2 weeks`, `other week`, `2w`, `2 weeks on tue,thu`. */
function parseUnit(words: string): string | undefined {
  const [, count, unit = "", short = "", days] =
    /^(?:(\d{1,3}|other) ?)?(?:(day|week|month|year)s?|(d|w|mo|y))(?: on (.+))?$/.exec(words) ?? [];
  const frequency = units[unit] ?? units[short];
  if (frequency === undefined || (short !== "" && !/^\d+$/.test(count ?? "")) || count === "0") return undefined;
  const interval = formatInterval(count);
  if (days === undefined) return `FREQ=${frequency}${interval}`;
  const list = parseWeekdays(days);
  return frequency === "WEEKLY" && list !== undefined ? `FREQ=WEEKLY${interval};BYDAY=${list.join(",")}` : undefined;
}

function formatInterval(count: string | undefined): string {
  return count === undefined ? "" : `;INTERVAL=${count === "other" ? 2 : Number(count)}`;
}

/** `tue`, `tue,thu`, `mon-fri`, `weekday`, `other tue`. */
function parseDays(words: string): string | undefined {
  const [, other, days = ""] = /^(other )?(.+)$/.exec(words) ?? [];
  const list = parseWeekdays(days);
  return list === undefined ? undefined : `FREQ=WEEKLY${formatInterval(other?.trim())};BYDAY=${list.join(",")}`;
}

/** `2nd tue`, `1st,3rd mon`, `last fri`, `15th`, `last day`; also of every second month: `last fri of 2 months`. */
function parseDaysOfMonth(words: string): string | undefined {
  const [, body = "", count] = /^(.+?)(?: of (?:(?:the|each|every) )?(?:(\d{1,3}|other) )?months?)?$/.exec(words) ?? [];
  const [, first = "", day = "day"] = /^([a-z\d]+(?:(?:, ?| and | ?& ?)[a-z\d]+)*?)(?: ([a-z]+))?$/.exec(body) ?? [];
  const ordinals = splitList(first).map(parseOrdinal);
  const [weekday, ...others] = day === "day" ? [] : (parseWeekdays(day) ?? []);
  const limit = day === "day" ? 31 : 5;
  const isValid = ordinals.length > 0 && ordinals.every((one) => one !== undefined && one <= limit);
  if (!isValid || count === "0" || others.length > 0 || (day !== "day" && weekday === undefined)) return undefined;
  const part = day === "day" ? `BYMONTHDAY=${ordinals.join(",")}` : `BYDAY=${ordinals.map((one) => `${one}${weekday}`).join(",")}`;
  return `FREQ=MONTHLY${formatInterval(count)};${part}`;
}

function splitList(text: string): readonly string[] {
  return text.split(/, ?| and | ?& ?/).filter((word) => word !== "");
}

/** -1 for `last`. */
function parseOrdinal(word: string): number | undefined {
  if (word === "last") return -1;
  const named = ordinalWords.indexOf(word);
  if (named !== -1) return named + 1;
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word) ?? [];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
}

/** `TU,TH`; undefined where a word is no weekday. */
function parseWeekdays(text: string): readonly string[] | undefined {
  if (/^weekdays?$/.test(text)) return ["MO", "TU", "WE", "TH", "FR"];
  if (/^weekends?$/.test(text)) return ["SA", "SU"];
  const days = splitList(text).flatMap((word) => {
    const [first, last = first] = word.split("-").map(findWeekday);
    if (first === undefined || last === undefined || last < first) return [undefined];
    return weekdays.slice(first, last + 1).map((name) => name.slice(0, 2).toUpperCase());
  });
  return days.length === 0 || !days.every((day) => day !== undefined) ? undefined : [...new Set(days)];
}

/** The number of a weekday from Monday: `tue`, `tues`, `tuesday`, `tuesdays`. */
function findWeekday(word: string): number | undefined {
  const singular = word.replace(/(?<=day)s$/, "");
  const found = weekdays.findIndex((name) => singular.length >= 3 && name.startsWith(singular));
  return found === -1 ? undefined : found;
}

/** What a text that is near to the grammar may mean. */
function suggest(words: string): string {
  const [, count = "", day = ""] = /^(\d{1,2}) ([a-z]+)$/.exec(words) ?? [];
  const weekday = findWeekday(day);
  const name = weekday === undefined ? undefined : weekdays[weekday]?.slice(0, 3);
  if (name === undefined || Number(count) === 0) return "";
  const ordinal = ["1st", "2nd", "3rd", "4th", "5th"][Number(count) - 1];
  const monthly = ordinal === undefined ? "" : `write "${ordinal} ${name}" for one day of a month, or `;
  return `${monthly === "" ? "write " : monthly}"${Number(count)} weeks on ${name}"; `;
}
