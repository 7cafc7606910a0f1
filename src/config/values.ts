// The text or JSON of a setting -> its value, checked; and back into what people read and profiles store.
import type { Key, Value } from "./keys.ts";
import { readBaseUrl, readRedirectUrl, readUrl } from "./urls.ts";

/** A value, or what is wrong with it: a phrase that follows the name of its source, free of the text of addresses. */
export type Reading = { readonly value: Value } | { readonly problem: string };

const tokens = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const segments = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const offset = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads what a flag, a variable or a profile holds. A number for a duration is milliseconds; its text needs a unit (ms, s, m, h). */
export function readValue(key: Key, raw: unknown): Reading {
  if (key.type === "boolean") return readBoolean(raw);
  if (key.type === "integer") return within(key, wholeNumber(raw), "a whole number");
  if (key.type === "duration")
    return within(key, typeof raw === "number" ? raw : milliseconds(String(raw)), "a duration such as 30s or 2m");
  if (typeof raw !== "string") return { problem: "must be text" };
  if (raw === "" && key.empty !== true) return { problem: "is empty" };
  if (/\p{Cc}/u.test(raw)) return { problem: "holds control characters" };
  return readText(key, raw);
}

function readText(key: Key, text: string): Reading {
  switch (key.type) {
    case "base-url":
      return readBaseUrl(text);
    case "url":
      return readUrl(text);
    case "redirect-url":
      return readRedirectUrl(text);
    case "zone":
      return isZone(text) ? { value: text } : { problem: `"${text}" is no time zone; write it like Europe/Paris` };
    case "namespace": {
      const bare = text.replace(/^\/+|\/+$/g, "");
      return segments.test(bare) ? { value: bare } : { problem: `"${text}" is no namespace; write it like calendar/events/v1` };
    }
    case "token":
      return text === "" || tokens.test(text) ? { value: text } : { problem: `"${text}" holds characters that a header can't have` };
    case "choice":
      return key.choices?.includes(text) === true ? { value: text } : { problem: `"${text}" is none of ${key.choices?.join(", ")}` };
    default:
      return { value: text };
  }
}

function readBoolean(raw: unknown): Reading {
  if (typeof raw === "boolean") return { value: raw };
  if (["1", "true", "yes"].includes(String(raw).toLowerCase())) return { value: true };
  if (["0", "false", "no"].includes(String(raw).toLowerCase())) return { value: false };
  return { problem: `${JSON.stringify(raw)} is neither true nor false` };
}

function wholeNumber(raw: unknown): number {
  return typeof raw === "string" && !/^\d+$/.test(raw) ? Number.NaN : Number(raw);
}

function milliseconds(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return Number.NaN;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? Number.NaN), 0);
}

function within(key: Key, value: number, what: string): Reading {
  if (!Number.isSafeInteger(value)) return { problem: `is not ${what}` };
  if (value < (key.min ?? 0)) return { problem: `is less than ${display(key, key.min ?? 0)}` };
  if (key.max !== undefined && value > key.max) return { problem: `is more than ${display(key, key.max)}` };
  return { value };
}

/** A value as people read it and as a profile stores it: durations as `1m30s`, everything else as it is. */
export function readable(key: Key, value: Value): Value {
  if (key.type !== "duration" || typeof value !== "number") return value;
  let rest = value;
  let text = "";
  for (const [unit, size] of Object.entries(units).reverse()) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === "" ? "0ms" : text;
}

function display(key: Key, value: Value): string {
  return String(readable(key, value));
}

function isZone(name: string): boolean {
  if (offset.test(name)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
