// What to write instead of a date that was refused.

/** The two halves of a message: the reason, and the hint. */
export interface Refusal {
  readonly why: string;
  readonly write: string;
  /** The texts among the hint that stand for themselves: where one of them can't be read either, the hint is not given. */
  readonly texts?: readonly string[];
}

/** The text as it is pasted into a shell: quoted where it has a space. */
export function quoted(text: string): string {
  return text.includes(" ") ? `"${text}"` : text;
}

/** Suggests texts that can be pasted as they are. */
export function instead(why: string, ...texts: readonly string[]): Refusal {
  return { why, write: `write ${texts.map(quoted).join(" or ")}`, texts };
}

const noSuchDay: Refusal = { why: "there is no such day", write: "write a day as YYYY-MM-DD" };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const monthNames =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;

/** The month that a number from 1 to 12 or an English name is, without a year. */
export function monthNumber(text: string): number | undefined {
  const month = monthNames.test(text) ? months.indexOf(text.slice(0, 3).toLowerCase()) + 1 : Number(/^\d{1,2}$/.exec(text)?.[0] ?? 0);
  return month >= 1 && month <= 12 ? month : undefined;
}

function padded(date: string): string {
  return date.replace(/-(\d)(?!\d)/g, "-0$1");
}

function exists(date: string): boolean {
  const epoch = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(epoch) && new Date(epoch).toISOString().startsWith(date);
}

/** Suggests those of the dates (`2026-1-2`) that there are, each with the rest of the text. */
export function calendarDays(why: string, dates: readonly string[], rest: string): Refusal {
  const real = [...new Set(dates.map(padded).filter(exists))];
  return real.length === 0 ? noSuchDay : instead(why, ...real.map((date) => date + rest));
}

/** For a text with the name of a month in it, of which the first three letters are given. */
export function namedMonth(text: string, name: string): Refusal {
  const month = months.indexOf(name.toLowerCase()) + 1;
  const year = /\b\d{4}\b/.exec(text)?.[0];
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!:)/i.exec(text)?.[1];
  const why = "months are written as numbers";
  if (year !== undefined && day !== undefined) return calendarDays(why, [`${year}-${month}-${day}`], "");
  // Any day of a month is in one of the leap years.
  if (!exists(padded(`${year ?? "2028"}-${month}-${day ?? "1"}`))) return noSuchDay;
  const whole = padded(`${year ?? "YYYY"}-${month}`);
  return { why, write: day === undefined ? `write ${whole}, or ${whole}-DD for a day of it` : `write ${padded(`${whole}-${day}`)}` };
}

/** For `next friday` and the like; `time` is what follows, or "". */
export function weekdayPhrase(which: string, weekday: string, time: string): Refusal {
  const short = weekday.slice(0, 3).toLowerCase();
  const why = "different people mean different days by it";
  const day = (offset: string) => (time === "" ? short + offset : `${short}${offset} ${time}`);
  if (which.toLowerCase() === "last")
    return { why, write: `write ${quoted(day("-7d"))} for the one before the coming ${short}, or YYYY-MM-DD`, texts: [day("-7d")] };
  const write = `write ${quoted(day(""))} for the coming one (today included), ${quoted(day("+7d"))} for the one after it`;
  return { why, write, texts: [day(""), day("+7d")] };
}

/** For `in 3 days`, `3 days ago` and the like. */
export function amount(count: string, unit: string, after: string): Refusal {
  const letter = unit.toLowerCase();
  const short = count + (letter.startsWith("mo") ? "mo" : letter.slice(0, 1));
  const why = "an offset begins with + or -, or ends in -ago, and has no spaces";
  return instead(why, after.toLowerCase() === "ago" ? `${short}-ago` : `+${short}`);
}
