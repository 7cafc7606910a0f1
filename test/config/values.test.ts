// Parsing and formatting of setting values.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSettingDefinition, formatSettingValue, parseSettingValue, type SettingDefinition } from "../../src/config/settings.ts";

function key(name: string): SettingDefinition {
  const found = findSettingDefinition(name);
  if (found === undefined) throw new Error(`no setting ${name}`);
  return found;
}

describe("parseSettingValue accepts", () => {
  it.each([
    ["base_url", "https://Example.com", "https://example.com"],
    ["base_url", "https://example.com:443/wp-json///", "https://example.com/wp-json"],
    ["base_url", "http://127.0.0.1:8089/index.php?rest_route=/", "http://127.0.0.1:8089/index.php?rest_route=/"],
    ["base_url", "https://example.com?rest_route=", "https://example.com/?rest_route=/"],
    ["base_url", "https://example.com/?rest_route=%2F&lang=de", "https://example.com/?lang=de&rest_route=/"],
    ["auth_url", "https://id.example.com/", "https://id.example.com"],
    ["redirect_url", "http://127.0.0.1:8976/callback/", "http://127.0.0.1:8976/callback/"],
    ["namespace", "/tribe/events/v1/", "tribe/events/v1"],
    ["server", "the-events-calendar", "the-events-calendar"],
    ["tz", "Europe/Paris", "Europe/Paris"],
    ["site_tz", "+05:30", "+05:30"],
    ["auth_header", "X-API-Token", "X-API-Token"],
    ["auth_scheme", "", ""],
    ["read_only", "YES", true],
    ["read_only", "0", false],
    ["read_only", true, true],
    ["per_page", "50", 50],
    ["retries", 0, 0],
    ["timeout", "2m", 120_000],
    ["timeout", "1m30s", 90_000],
    ["timeout", "500ms", 500],
    ["timeout", 30_000, 30_000],
  ])("%s %j", (name, raw, value) => {
    expect(parseSettingValue(key(name), raw)).toEqual({ value });
  });
});

describe("parseSettingValue refuses", () => {
  it.each([
    ["base_url", "example.com", "is not an address that begins with https:// or http://"],
    ["base_url", "ftp://example.com", "is not an address that begins with https:// or http://"],
    ["base_url", "https://ann:hunter2@example.com", "holds a user name or password; they are given at cal auth login"],
    ["base_url", "https://example.com/#top", "holds a fragment (#)"],
    ["base_url", "https://example.com/?key=hunter2", "holds a query other than ?rest_route=/"],
    ["base_url", "https://example.com/?rest_route=/tribe/events/v1", "holds a route; end it with ?rest_route=/"],
    ["auth_url", "https://example.com/?rest_route=/", "holds a query"],
    ["auth_url", "", "is empty"],
    ["client_id", 12, "must be text"],
    ["username", "ann\n", "holds control characters"],
    ["namespace", "tribe/../wp", '"tribe/../wp" is not a namespace; write it like calendar/events/v1'],
    ["server", "tec", '"tec" is not one of generic, the-events-calendar'],
    ["tz", "Europe/Pari", '"Europe/Pari" is not a time zone; write it like Europe/Paris'],
    ["auth_header", "X Token", '"X Token" holds characters that a header can\'t have'],
    ["read_only", "maybe", '"maybe" is neither true nor false'],
    ["per_page", "0", "is less than 1"],
    ["per_page", "1e2", '"1e2" is not a whole number'],
    ["retries", "21", "is more than 20"],
    ["timeout", "30", '"30" is not a duration such as 30s or 2m'],
    ["timeout", "0s", "is less than 1ms"],
    ["timeout", "2d", '"2d" is not a duration such as 30s or 2m'],
    ["timeout", "25h", "is more than 24h"],
    ["timeout", { s: 30 }, '{"s":30} is not a duration such as 30s or 2m'],
  ])("%s %j", (name, raw, problem) => {
    expect(parseSettingValue(key(name), raw)).toEqual({ problem });
  });
});

describe("readable", () => {
  it.each([
    [90_000, "1m30s"],
    [30_000, "30s"],
    [3_600_001, "1h1ms"],
  ])("%i ms is %s", (value, text) => {
    expect(formatSettingValue(key("timeout"), value)).toBe(text);
  });

  it("is read back as the same duration", () => {
    const timeout = key("timeout");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400_000 }), (value) => {
        expect(parseSettingValue(timeout, formatSettingValue(timeout, value))).toEqual({ value });
      }),
    );
  });

  it("leaves an address that was read as it is, for every address", () => {
    const baseUrl = key("base_url");
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: false }), fc.constantFrom("", "/", "?rest_route=/", "/?rest_route=%2F"), (url, tail) => {
        const once = parseSettingValue(baseUrl, url + tail);
        if (!("value" in once)) throw new Error(`${url + tail} ${once.problem}`);
        expect(parseSettingValue(baseUrl, once.value)).toEqual(once);
      }),
    );
  });
});
