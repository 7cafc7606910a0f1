// The precedence of the sources of settings, and the errors for invalid values.

import { describe, expect, it } from "vitest";
import type { ConfigData, Profile } from "../../src/config/config-file.ts";
import { resolveSettings, type SettingSources } from "../../src/config/resolve.ts";
import { type Settings, settingDefinitions } from "../../src/config/settings.ts";

function data(profiles: Record<string, Profile>, current?: string): ConfigData {
  return { version: 1, profiles, ...(current === undefined ? {} : { current }) };
}

function resolve(sources: Partial<SettingSources>): Settings {
  return resolveSettings({ globals: {}, env: {}, data: data({}), path: "/c/config.json", systemZone: "Asia/Tokyo", ...sources });
}

// The "Global flags" table of the command line's conventions, copied by hand.
const conventions: Record<string, [flag: string | undefined, variable: string | undefined]> = {
  base_url: ["base-url", "CAL_BASE_URL"],
  auth_url: ["auth-url", "CAL_AUTH_URL"],
  namespace: ["namespace", "CAL_NAMESPACE"],
  server: [undefined, undefined],
  tz: ["tz", "CAL_TZ"],
  site_tz: [undefined, undefined],
  auth_method: [undefined, "CAL_AUTH_METHOD"],
  auth_header: [undefined, undefined],
  auth_scheme: [undefined, undefined],
  client_id: ["client-id", "CAL_CLIENT_ID"],
  username: ["username", "CAL_USERNAME"],
  redirect_url: [undefined, undefined],
  read_only: ["read-only", "CAL_READ_ONLY"],
  allow_http: [undefined, "CAL_ALLOW_HTTP"],
  ca_file: ["ca-file", undefined],
  format: ["format", "CAL_FORMAT"],
  per_page: ["per-page", "CAL_PER_PAGE"],
  journal: [undefined, "CAL_JOURNAL"],
  shared_venues: [undefined, undefined],
  pager: [undefined, "CAL_PAGER"],
  timeout: ["timeout", "CAL_TIMEOUT"],
  retries: ["retries", "CAL_RETRIES"],
  concurrency: ["concurrency", "CAL_CONCURRENCY"],
  no_input: ["no-input", "CAL_NO_INPUT"],
  insecure: ["insecure", undefined],
  debug: ["debug", "CAL_DEBUG"],
  quiet: ["quiet", undefined],
  sandbox: ["sandbox", "CAL_SANDBOX"],
};

it("keys have the flags and variables of the conventions", () => {
  expect(Object.fromEntries(settingDefinitions.map((key) => [key.name, [key.flag, key.env]]))).toEqual(conventions);
});

it("no settings: the defaults", () => {
  expect(resolve({})).toEqual({
    profile: { value: "default", origin: "default" },
    namespace: { value: "calendar/events/v1", origin: "default" },
    server: { value: "generic", origin: "namespace" },
    tz: { value: "Asia/Tokyo", origin: "system" },
    auth_header: { value: "Authorization", origin: "default" },
    auth_scheme: { value: "Bearer", origin: "default" },
    read_only: { value: false, origin: "default" },
    allow_http: { value: false, origin: "default" },
    timeout: { value: 30_000, origin: "default" },
    retries: { value: 3, origin: "default" },
    concurrency: { value: 4, origin: "default" },
    no_input: { value: false, origin: "default" },
    insecure: { value: false, origin: "default" },
    journal: { value: true, origin: "default" },
    debug: { value: false, origin: "default" },
    quiet: { value: false, origin: "default" },
    sandbox: { value: false, origin: "default" },
  });
});

describe("precedence", () => {
  const flag = { globals: { "base-url": "https://flag" } };
  const override = { override: { origin: "sandbox", values: { base_url: "http://127.0.0.1:9" } } };
  const env = { env: { CAL_BASE_URL: "https://env" } };
  const file = { data: data({ work: { base_url: "https://profile" } }, "work") };
  it.each([
    [
      { ...flag, ...override, ...env, ...file },
      { value: "https://flag", origin: "flag --base-url" },
    ],
    [
      { ...override, ...env, ...file },
      { value: "http://127.0.0.1:9", origin: "sandbox" },
    ],
    [
      { ...env, ...file },
      { value: "https://env", origin: "environment CAL_BASE_URL" },
    ],
    [
      { env: { CAL_BASE_URL: "" }, ...file },
      { value: "https://profile", origin: "profile work" },
    ],
    [{}, undefined],
  ])("%o", (sources, expected) => {
    expect(resolve(sources).base_url).toEqual(expected);
  });

  it("the profile's own addresses stay known under a flag, a variable and the sandbox", () => {
    const own = data({ work: { base_url: "https://site/wp-json/", auth_url: "https://id" } }, "work");
    const { profile_base_url, profile_auth_url } = resolve({ ...flag, ...override, env: { CAL_AUTH_URL: "https://evil" }, data: own });
    expect({ profile_base_url, profile_auth_url }).toEqual({ profile_base_url: "https://site/wp-json", profile_auth_url: "https://id" });
  });

  it("a switch that is for one call is not taken from a profile", () => {
    expect(resolve({ data: data({ work: { insecure: true, no_input: true } }, "work") }).insecure).toEqual({
      value: false,
      origin: "default",
    });
  });
});

describe("profile", () => {
  const two = data({ home: { tz: "Europe/Rome" }, work: { tz: "Europe/Oslo" } }, "home");
  it.each([
    [
      { globals: { profile: "work" }, env: { CAL_PROFILE: "home" } },
      { value: "work", origin: "flag --profile" },
    ],
    [{ env: { CAL_PROFILE: "work" } }, { value: "work", origin: "environment CAL_PROFILE" }],
    [{ env: { CAL_PROFILE: "" } }, { value: "home", origin: "config file" }],
  ])("%o", (sources, expected) => {
    expect(resolve({ data: two, ...sources }).profile).toEqual(expected);
  });

  it.each([
    ["wrok", 'flag --profile: there is no profile "wrok"; did you mean work?'],
    ["constructor", 'flag --profile: there is no profile "constructor"; there are home, work'],
  ])("%s is refused", (profile, message) => {
    expect(() => resolve({ data: two, globals: { profile } })).toThrow(expect.objectContaining({ kind: "usage", message }));
  });

  it("may be missing where it is about to be written", () => {
    expect(resolve({ data: two, globals: { profile: "new" }, allowMissingProfile: true }).tz).toEqual({
      value: "Asia/Tokyo",
      origin: "system",
    });
  });
});

describe("settings that follow from others", () => {
  it.each([
    [
      { globals: { tz: "Europe/Paris" }, env: { CAL_TZ: "Europe/Rome" } },
      { value: "Europe/Paris", origin: "flag --tz" },
    ],
    [{ env: { CAL_TZ: "Europe/Rome" } }, { value: "Europe/Rome", origin: "environment CAL_TZ" }],
    [{ data: data({ default: { tz: "Europe/Oslo", site_tz: "Europe/Riga" } }) }, { value: "Europe/Oslo", origin: "profile default" }],
    [{ data: data({ default: { site_tz: "Europe/Riga" } }) }, { value: "Europe/Riga", origin: "site_tz of profile default" }],
  ])("tz of %o", (sources, expected) => {
    expect(resolve(sources).tz).toEqual(expected);
  });

  it.each([
    [{ env: { CAL_NAMESPACE: "tribe/events/v1" } }, { value: "the-events-calendar", origin: "namespace" }],
    [{ data: data({ default: { namespace: "tribe/events/v1", server: "generic" } }) }, { value: "generic", origin: "profile default" }],
  ])("server of %o", (sources, expected) => {
    expect(resolve(sources).server).toEqual(expected);
  });

  it.each([
    ["true", { value: true, origin: "environment CI" }],
    ["woodpecker", { value: true, origin: "environment CI" }],
    ["false", { value: false, origin: "default" }],
    ["", { value: false, origin: "default" }],
  ])("no_input under CI=%s", (CI, expected) => {
    expect(resolve({ env: { CI } }).no_input).toEqual(expected);
  });

  it("--json is a format", () => {
    expect(resolve({ globals: { json: true }, env: { CAL_FORMAT: "csv" } }).format).toEqual({ value: "json", origin: "flag --json" });
  });
});

describe("problems", () => {
  it("of flags and variables are reported together, with nothing secret", () => {
    const globals = { "base-url": "https://ann:hunter2@x", tz: "Nowhere", json: true, format: "csv" };
    expect(() => resolve({ globals, env: { CAL_TIMEOUT: "soon" } })).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: [
          "--json and --format csv contradict each other",
          "--base-url: holds a user name or password; they are given at cal auth login",
          '--tz: "Nowhere" is not a time zone; write it like Europe/Paris',
          'CAL_TIMEOUT: "soon" is not a duration such as 30s or 2m',
        ].join("\n"),
      }),
    );
  });

  it("of the profile name the file, the profile and the key", () => {
    expect(() => resolve({ data: data({ work: { per_page: "many", read_only: null } }, "work") })).toThrow(
      expect.objectContaining({
        kind: "local",
        message:
          '/c/config.json: profile work: read_only: null is neither true nor false\n/c/config.json: profile work: per_page: "many" is not a whole number',
      }),
    );
  });

  it("do not count where another source wins", () => {
    expect(resolve({ globals: { retries: 1 }, env: { CAL_RETRIES: "x" }, data: data({ default: { retries: "y" } }) }).retries).toEqual({
      value: 1,
      origin: "flag --retries",
    });
  });
});
