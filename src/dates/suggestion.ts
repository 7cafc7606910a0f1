// What to write instead of a date that was refused.

/** The two halves of a message: the reason, and the hint. */
export interface DateSuggestion {
  readonly reason: string;
  readonly hint: string;
  /** The texts among the hint that stand for themselves: where one of them can't be read either, the hint is not given. */
  readonly expressions?: readonly string[];
}

/** The text as it is pasted into a shell: quoted where it has a space. */
export function quoteIfNeeded(text: string): string {
  return text.includes(" ") ? `"${text}"` : text;
}

/** Suggests texts that can be pasted as they are. */
export function suggestExpressions(reason: string, ...expressions: readonly string[]): DateSuggestion {
  return { reason, hint: `write ${expressions.map(quoteIfNeeded).join(" or ")}`, expressions };
}

const invalidDaySuggestion: DateSuggestion = { reason: "there is no such day", hint: "write a day as YYYY-MM-DD" };

const monthAbbreviations = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const monthNamePattern =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;

/** The month that a number from 1 to 12 or an English name is, without a year. */
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

/** Suggests those of the dates (`2026-1-2`) that there are, each with the rest of the text. */
export function suggestCalendarDates(why: string, dates: readonly string[], rest: string): DateSuggestion {
  const real = [...new Set(dates.map(padDate).filter(isCalendarDate))];
  return real.length === 0 ? invalidDaySuggestion : suggestExpressions(why, ...real.map((date) => date + rest));
}

/** For a text with the name of a month in it, of which the first three letters are given. */
export function suggestNamedMonth(text: string, name: string): DateSuggestion {
  const month = monthAbbreviations.indexOf(name.toLowerCase()) + 1;
  const year = /\b\d{4}\b/.exec(text)?.[0];
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!:)/i.exec(text)?.[1];
  const reason = "months are written as numbers";
  if (year !== undefined && day !== undefined) return suggestCalendarDates(reason, [`${year}-${month}-${day}`], "");
  // Any day of a month is in one of the leap years.
  if (!isCalendarDate(padDate(`${year ?? "2028"}-${month}-${day ?? "1"}`))) return invalidDaySuggestion;
  const whole = padDate(`${year ?? "YYYY"}-${month}`);
  return { reason, hint: day === undefined ? `write ${whole}, or ${whole}-DD for a day of it` : `write ${padDate(`${whole}-${day}`)}` };
}

/** For `next friday` and the like; `time` is what follows, or "". */
export function suggestWeekday(which: string, weekday: string, time: string): DateSuggestion {
  const short = weekday.slice(0, 3).toLowerCase();
  const reason = "different people mean different days by it";
  const day = (offset: string) => (time === "" ? short + offset : `${short}${offset} ${time}`);
  if (which.toLowerCase() === "last")
    return {
      reason,
      hint: `write ${quoteIfNeeded(day("-7d"))} for the one before the coming ${short}, or YYYY-MM-DD`,
      expressions: [day("-7d")],
    };
  const hint = `write ${quoteIfNeeded(day(""))} for the coming one (today included), ${quoteIfNeeded(day("+7d"))} for the one after it`;
  return { reason, hint, expressions: [day(""), day("+7d")] };
}

/** For `in 3 days`, `3 days ago` and the like. */
export function suggestOffset(count: string, unit: string, after: string): DateSuggestion {
  const letter = unit.toLowerCase();
  const short = count + (letter.startsWith("mo") ? "mo" : letter.slice(0, 1));
  const why = "an offset begins with + or -, or ends in -ago, and has no spaces";
  return suggestExpressions(why, after.toLowerCase() === "ago" ? `${short}-ago` : `+${short}`);
}
