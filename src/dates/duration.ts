// Durations as users type them: 90m, 1h30m, 2d, PT1H30M. Does not load Temporal.
import { usageError } from "../errors.ts";

/** In calendar and clock units. Absent units are 0, and all have the same sign. */
export interface Duration {
  readonly years?: number;
  readonly months?: number;
  readonly weeks?: number;
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

const units: Record<string, keyof Duration> = { y: "years", mo: "months", w: "weeks", d: "days", h: "hours", m: "minutes", s: "seconds" };

/** Parses units with their letters, each once, with numbers of at most five digits, or ISO 8601. Undefined for anything else. */
export function parseUnits(text: string): Duration | undefined {
  // `P1Y2M3DT4H5M6S` becomes `1y2mo3d4h5m6s`.
  const short = text
    .toLowerCase()
    .replace(/^p(?!$)([^t]*)(?:t(.+))?$/, (_whole, date: string, time = "") => `${date.replace("m", "mo")}${time}`);
  if (!/^(?:\d{1,5}(?:mo|[ywdhms]))+$/.test(short)) return undefined;
  const duration: { -readonly [K in keyof Duration]: number } = {};
  for (const [, count, letter = ""] of short.matchAll(/(\d+)(mo|[ywdhms])/g)) {
    const unit = units[letter];
    if (unit === undefined || Object.hasOwn(duration, unit)) return undefined;
    duration[unit] = Number(count);
  }
  return duration;
}

const unitWordPattern = /(\d) *(mo|[ymwdhs]|years?|yrs?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?)(?![a-z]) */gi;

/** The short form of a duration in words: `3h` for `3 hours`. Undefined where the text is no duration. */
export function abbreviateUnits(text: string): string | undefined {
  const letter = (word: string) => (word.startsWith("mo") ? "mo" : word.slice(0, 1));
  const short = text.trim().replace(unitWordPattern, (_whole, digit: string, word: string) => digit + letter(word.toLowerCase()));
  return parseUnits(short) === undefined ? undefined : short;
}

/** Parses `90m`, `1h30m`, `2d`, `1mo` or `PT1H30M`, else throws a usage error. `m` is minutes, `mo` months. */
export function parseDuration(text: string): Duration {
  const duration = parseUnits(text.trim());
  if (duration !== undefined) return duration;
  const number = /^(\d{1,5})$/.exec(text.trim())?.[1];
  const short = abbreviateUnits(text);
  const form = short === undefined ? "write 90m, 1h30m, 2d, 1w, 1mo or PT1H30M" : `write ${short}`;
  const hint = number === undefined ? form : `write ${number}m for minutes or ${number}h for hours`;
  throw usageError(`"${text}" is not a length of time`, hint);
}

/** The milliseconds of a duration, else throws a usage error: months and years have no fixed length. */
export function parseFixedDuration(text: string): number {
  const { years, months, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parseDuration(text);
  if (years !== undefined || months !== undefined) throw usageError("months and years have no fixed length", "write 30m, 1h or 2d");
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** Parses `+2h`, `-1d` or `7d-ago` in any case. */
export function parseOffset(text: string): Duration | undefined {
  const [, ago, sign, ahead = ago] = /^(?:(\d\w*)-ago|([+-])(.+))$/i.exec(text) ?? [];
  const units = ahead === undefined ? undefined : parseUnits(ahead);
  if (units === undefined || sign === "+") return units;
  return Object.fromEntries(Object.entries(units).map(([unit, count]) => [unit, -count]));
}

/** Milliseconds as a duration that can be typed: `6d12h`, `1h30m`. Rounded up to minutes, because days end a second before midnight. */
export function formatDuration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const parts = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const text = parts.map((count, at) => (count === 0 ? "" : `${count}${["d", "h", "m"][at]}`)).join("");
  return text === "" ? "0m" : text;
}
