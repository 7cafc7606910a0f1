// The text or JSON of a setting -> its value, checked; and back into what people read and profiles store.
import type { SettingDefinition, SettingScalar } from "./keys.ts";
import { parseBaseUrl, parseRedirectUrl, parseUrl } from "./urls.ts";

/** A value, or what is wrong with it: a phrase that follows the name of its source, free of the text of addresses. */
export type SettingParseResult = { readonly value: SettingScalar } | { readonly problem: string };

const headerTokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const namespacePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const utcOffsetPattern = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads what a flag, a variable or a profile holds. A number for a duration is milliseconds; its text needs a unit (ms, s, m, h). */
export function parseSettingValue(key: SettingDefinition, raw: unknown): SettingParseResult {
  if (key.type === "boolean") return parseBooleanSetting(raw);
  if (key.type === "integer") return checkRange(key, parseWholeNumber(raw), "a whole number");
  if (key.type === "duration")
    return checkRange(key, typeof raw === "number" ? raw : parseDurationMs(String(raw)), "a duration such as 30s or 2m");
  if (typeof raw !== "string") return { problem: "must be text" };
  if (raw === "" && key.allowEmpty !== true) return { problem: "is empty" };
  if (/\p{Cc}/u.test(raw)) return { problem: "holds control characters" };
  return parseTextSetting(key, raw);
}

function parseTextSetting(key: SettingDefinition, text: string): SettingParseResult {
  switch (key.type) {
    case "base-url":
      return parseBaseUrl(text);
    case "url":
      return parseUrl(text);
    case "redirect-url":
      return parseRedirectUrl(text);
    case "zone":
      return isZone(text) ? { value: text } : { problem: `"${text}" is no time zone; write it like Europe/Paris` };
    case "namespace": {
      const bare = text.replace(/^\/+|\/+$/g, "");
      return namespacePattern.test(bare) ? { value: bare } : { problem: `"${text}" is no namespace; write it like calendar/events/v1` };
    }
    case "token":
      return text === "" || headerTokenPattern.test(text)
        ? { value: text }
        : { problem: `"${text}" holds characters that a header can't have` };
    case "choice":
      return key.choices?.includes(text) === true ? { value: text } : { problem: `"${text}" is none of ${key.choices?.join(", ")}` };
    default:
      return { value: text };
  }
}

function parseBooleanSetting(raw: unknown): SettingParseResult {
  if (typeof raw === "boolean") return { value: raw };
  if (["1", "true", "yes"].includes(String(raw).toLowerCase())) return { value: true };
  if (["0", "false", "no"].includes(String(raw).toLowerCase())) return { value: false };
  return { problem: `${JSON.stringify(raw)} is neither true nor false` };
}

function parseWholeNumber(raw: unknown): number {
  return typeof raw === "string" && !/^\d+$/.test(raw) ? Number.NaN : Number(raw);
}

function parseDurationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return Number.NaN;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (durationUnits[unit ?? ""] ?? Number.NaN), 0);
}

function checkRange(key: SettingDefinition, value: number, what: string): SettingParseResult {
  if (!Number.isSafeInteger(value)) return { problem: `is not ${what}` };
  if (value < (key.min ?? 0)) return { problem: `is less than ${formatLimit(key, key.min ?? 0)}` };
  if (key.max !== undefined && value > key.max) return { problem: `is more than ${formatLimit(key, key.max)}` };
  return { value };
}

/** A value as people read it and as a profile stores it: durations as `1m30s`, everything else as it is. */
export function formatSettingValue(key: SettingDefinition, value: SettingScalar): SettingScalar {
  if (key.type !== "duration" || typeof value !== "number") return value;
  let rest = value;
  let text = "";
  for (const [unit, size] of Object.entries(durationUnits).reverse()) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === "" ? "0ms" : text;
}

function formatLimit(key: SettingDefinition, value: SettingScalar): string {
  return String(formatSettingValue(key, value));
}

function isZone(name: string): boolean {
  if (utcOffsetPattern.test(name)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
