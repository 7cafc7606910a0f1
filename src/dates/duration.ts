// Lengths of time as they are typed: 90m, 1h30m, 2d, PT1H30M. Free of Temporal, so that whoever only looks for a length does not load it.
import { usageError } from "../errors.ts";

/** A length in calendar and clock units; absent units are none, and all have the same sign. */
export interface Duration {
  readonly years?: number;
  readonly months?: number;
  readonly weeks?: number;
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

const unitsByLetter = { y: "years", mo: "months", w: "weeks", d: "days", h: "hours", m: "minutes", s: "seconds" } as const;

function isUnitLetter(text: string): text is keyof typeof unitsByLetter {
  return Object.hasOwn(unitsByLetter, text);
}

/** Brings `P1Y2M3DT4H5M6S` to `1y2mo3d4h5m6s`. */
function normalizeIsoDuration(text: string): string {
  const match = /^p(?!$)([^t]*)(?:t(.+))?$/.exec(text);
  return match === null ? text : `${(match[1] ?? "").replace("m", "mo")}${match[2] ?? ""}`;
}

/** Reads units with their letters, each once, numbers of at most five digits; undefined where it is anything else. */
export function parseUnits(text: string): Duration | undefined {
  const units = normalizeIsoDuration(text.toLowerCase());
  if (!/^(?:\d{1,5}(?:mo|[ywdhms]))+$/.test(units)) return undefined;
  const duration: { -readonly [K in keyof Duration]: number } = {};
  for (const [, count, letter = ""] of units.matchAll(/(\d+)(mo|[ywdhms])/g)) {
    if (!isUnitLetter(letter) || Object.hasOwn(duration, unitsByLetter[letter])) return undefined;
    duration[unitsByLetter[letter]] = Number(count);
  }
  return duration;
}

const unitWordPattern = /(\d) *(mo|[ymwdhs]|years?|yrs?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?)(?![a-z]) */gi;

/** The units of a text that spells them out: `3h` of `3 hours`; undefined where that is no length either. */
export function abbreviateUnits(text: string): string | undefined {
  const letter = (word: string) => (word.startsWith("mo") ? "mo" : word.slice(0, 1));
  const short = text.trim().replace(unitWordPattern, (_whole, digit: string, word: string) => digit + letter(word.toLowerCase()));
  return parseUnits(short) === undefined ? undefined : short;
}

/** Reads `90m`, `1h30m`, `2d`, `1mo` or `PT1H30M`; usage error otherwise. `m` is minutes, `mo` months. */
export function parseDuration(text: string): Duration {
  const duration = parseUnits(text.trim());
  if (duration !== undefined) return duration;
  const number = /^(\d{1,5})$/.exec(text.trim())?.[1];
  const short = abbreviateUnits(text);
  const usual = short === undefined ? "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M" : `write ${short}`;
  const hint = number === undefined ? usual : `write ${number}m for minutes or ${number}h for hours`;
  throw usageError(`"${text}" is not a length of time`, hint);
}

/** Reads `+2h`, `-1d` or `7d-ago` in any case; undefined where it is none. */
export function parseOffset(text: string): Duration | undefined {
  const [, ago, sign, ahead = ago] = /^(?:(\d\w*)-ago|([+-])(.+))$/i.exec(text) ?? [];
  const units = ahead === undefined ? undefined : parseUnits(ahead);
  return units === undefined || sign === "+" ? units : negateDuration(units);
}

/** The same length backwards. */
function negateDuration(duration: Duration): Duration {
  return Object.fromEntries(Object.entries(duration).map(([unit, count]) => [unit, -count]));
}

/** Milliseconds as a length that can be typed: `6d12h`, `1h30m`; parts below a minute are rounded up, for days end a second before midnight. */
export function formatDuration(length: number): string {
  const minutes = Math.ceil(length / 60_000);
  const parts = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const text = parts.map((count, at) => (count === 0 ? "" : `${count}${["d", "h", "m"][at]}`)).join("");
  return text === "" ? "0m" : text;
}
