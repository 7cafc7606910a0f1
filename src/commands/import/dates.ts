// The dates of a source: spreadsheets write them in many ways, in one column or two.
import { parseTime } from "../../dates/day.ts";
import type { Problem } from "../../errors.ts";

/** How dates with slashes are written: the month first, or the day. */
const dateOrders = ["mdy", "dmy"] as const;

export type DateOrder = (typeof dateOrders)[number];

/** A date as it is written: a day, a time where there is one, and an offset from UTC where the text has one. */
export interface WrittenDate {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:MM:SS`. */
  readonly time?: string;
  /** `Z` or `+02:00`. */
  readonly offset?: string;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const slashes = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?:,? +(.*)|)$/;

/** Reads a cell of a date column; undefined where it is no date. Dates with slashes need an order. */
export function parseWrittenDate(text: string, order: DateOrder | undefined): WrittenDate | undefined {
  const written = text.trim();
  const iso = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:(?:T|,? +)(.*)|)$/i.exec(written);
  if (iso !== null) return join(iso[1], iso[3], iso[4], iso[5]);
  const dayFirst = /^(\d{1,2})([-.])(\d{1,2})\2(\d{4}|\d{2})(?:,? +(.*)|)$/.exec(written);
  if (dayFirst !== null) return join(dayFirst[4], dayFirst[3], dayFirst[1], dayFirst[5]);
  const slash = slashes.exec(written);
  if (slash !== null && order !== undefined)
    return order === "mdy" ? join(slash[3], slash[1], slash[2], slash[4]) : join(slash[3], slash[2], slash[1], slash[4]);
  const words = /^(?:[a-z]+,? +)?([a-z]{3,9})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})(?:,? +(.*)|)$/i.exec(written);
  if (words !== null) return join(words[3], monthNumber(words[1]), words[2], words[4]);
  const dayMonth = /^(?:[a-z]+,? +)?(\d{1,2})(?:st|nd|rd|th)?\.? +([a-z]{3,9})\.?,? +(\d{4})(?:,? +(.*)|)$/i.exec(written);
  return dayMonth === null ? undefined : join(dayMonth[3], monthNumber(dayMonth[2]), dayMonth[1], dayMonth[4]);
}

function monthNumber(name = ""): string {
  const word = name.toLowerCase();
  const fullNames = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
  ];
  const at = fullNames.findIndex((full, month) => word === full || word === months[month] || (word === "sept" && month === 8));
  return String(at + 1);
}

function join(year = "", month = "", day = "", time: string | undefined): WrittenDate | undefined {
  const fullYear = year.length === 2 ? `20${year}` : year;
  const text = `${fullYear}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const epoch = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(epoch) || new Date(epoch).getUTCDate() !== Number(day)) return undefined;
  if (time === undefined || time.trim() === "") return { day: text };
  const clock = parseWrittenTime(time);
  return clock === undefined ? undefined : { day: text, ...clock };
}

/** `7:30:00`, `12:30`, `7:30 pm`, `7pm`, and with an offset `20:00+02:00`; undefined for any other text. */
export function parseWrittenTime(text: string): Pick<WrittenDate, "time" | "offset"> | undefined {
  const [, clock = "", offset] = /^(.*?)(?: ?(z|[+-]\d{2}:?\d{2}))?$/i.exec(text.trim()) ?? [];
  const plain = clock
    .toLowerCase()
    .replace(/[\s.]+(?=[ap]\.?m\.?$)/, "")
    .replace(/([ap])\.?m\.?$/, "$1m")
    .replace(/^(\d):/, (whole, hour: string) => (/[ap]m$/.test(clock.toLowerCase()) ? whole : `0${hour}:`))
    .replace(/:\d{2}(?=[ap]m$)/, (part, at: number, whole: string) => (whole.slice(0, at).includes(":") ? "" : part));
  const time = parseTime(plain);
  return time === undefined ? undefined : { time, ...(offset !== undefined && { offset }) };
}

/** The order of the dates with slashes in a source, where they read in one order only; a problem where they do not. */
export function findDateOrder(texts: Iterable<string>): { readonly order?: DateOrder; readonly problem?: Problem } {
  let anyDate: string | undefined;
  let dayFirst: string | undefined;
  let monthFirst: string | undefined;
  for (const text of texts) {
    const match = slashes.exec(text.trim());
    if (match === null) continue;
    const [first, second] = [Number(match[1]), Number(match[2])];
    anyDate ??= text;
    if (first > 12 && second <= 12) dayFirst ??= text;
    if (second > 12 && first <= 12) monthFirst ??= text;
  }
  if (anyDate === undefined) return {};
  if (dayFirst !== undefined && monthFirst === undefined) return { order: "dmy" };
  if (monthFirst !== undefined && dayFirst === undefined) return { order: "mdy" };
  const hint = "--date-order mdy reads 2/1/2027 as February 1, --date-order dmy as 2 January";
  if (dayFirst === undefined) return { problem: { message: `dates such as ${JSON.stringify(anyDate)} can be read in two ways`, hint } };
  return { problem: { message: `dates are written in two ways: ${JSON.stringify(dayFirst)} and ${JSON.stringify(monthFirst)}`, hint } };
}
