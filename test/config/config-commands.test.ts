// `cal config`: the reports, and the file afterwards.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConfigTestContext, createConfigTestContext } from "./context.ts";

let at: ConfigTestContext;
beforeEach(async () => {
  at = await createConfigTestContext();
});
afterEach(() => at.remove());

const two = { version: 1, current: "home", profiles: { home: { base_url: "https://home.example" }, work: { tz: "Europe/Oslo" } } };

describe("config set", () => {
  it("makes the first profile and the file", async () => {
    expect(await at.runForRecord("config set", ["base-url", "https://Example.com/wp-json/"])).toEqual({
      profile: "default",
      key: "base_url",
      value: "https://example.com/wp-json",
    });
    expect(await at.readConfig()).toEqual({
      version: 1,
      current: "default",
      profiles: { default: { base_url: "https://example.com/wp-json" } },
    });
  });

  it.each([
    [{}, {}, "home"],
    [{}, { CAL_PROFILE: "work" }, "work"],
    [{ profile: "work" }, { CAL_PROFILE: "home" }, "work"],
  ])("acts on the profile that is meant: %o %o", async (globals, env, profile) => {
    await at.writeConfig(two);
    Object.assign(at, { globals, env });
    expect(await at.runForRecord("config set", ["timeout", "90s"])).toEqual({ profile, key: "timeout", value: "1m30s" });
    expect(await at.readConfig()).toMatchObject({ profiles: { [profile]: { timeout: "1m30s" } } });
  });

  it.each([
    [["password", "hunter2"], '"password" is a secret, and secrets are never in the config file'],
    [["client-secret", "hunter2"], '"client_secret" is a secret, and secrets are never in the config file'],
    [["base_urls", "x"], 'there is no setting "base_urls"; did you mean base_url?'],
    [["debug", "1"], '"debug" is not stored; it is given with each call: --debug or CAL_DEBUG=1'],
    [["base_url", "https://a:hunter2@b"], "base_url: holds a user name or password; they are given at cal auth login"],
    [["retries", "many"], 'retries: "many" is not a whole number'],
  ])("refuses %j and stores nothing", async (args, message) => {
    await expect(at.runCommand("config set", args)).rejects.toMatchObject({
      kind: "usage",
      message: message.replace("client_secret", "client-secret"),
    });
    expect(await at.readConfig()).toBeNull();
  });

  it("mends a value that commands refuse", async () => {
    await at.writeConfig({ profiles: { default: { timeout: "soon" } } });
    await expect(at.runCommand("config list")).rejects.toMatchObject({
      kind: "local",
      details: { hint: expect.arrayContaining([{ command: "cal -p default config set <key> <value>" }]) },
    });
    await at.runCommand("config set", ["timeout", "10s"]);
    expect(await at.runForRecord("config get", ["timeout"], { "show-origin": true })).toEqual({
      key: "timeout",
      value: "10s",
      origin: "profile default",
    });
  });

  it("refuses a profile that is not there", async () => {
    await at.writeConfig(two);
    at.globals = { profile: "wrok" };
    await expect(at.runCommand("config set", ["tz", "UTC"])).rejects.toMatchObject({
      kind: "usage",
      message: 'flag --profile: there is no profile "wrok"; did you mean work?',
    });
    expect(await at.readConfig()).toEqual(two);
  });

  it("writes nothing under --dry-run", async () => {
    at.globals = { "dry-run": true };
    expect(await at.runForRecord("config set", ["tz", "UTC"])).toEqual({ profile: "default", key: "tz", value: "UTC" });
    expect([await at.readConfig(), at.messages]).toEqual([null, [`dry run: ${at.path} was not changed`]]);
  });
});

describe("config unset", () => {
  it.each([
    ["base_url", { tz: "UTC", readonly: true }],
    ["tz", { base_url: "https://a", readonly: true }],
    ["readonly", { base_url: "https://a", tz: "UTC" }],
    ["site_tz", { base_url: "https://a", tz: "UTC", readonly: true }],
  ])("%s", async (key, left) => {
    await at.writeConfig({ profiles: { default: { base_url: "https://a", tz: "UTC", readonly: true } } });
    expect(await at.runForRecord("config unset", [key])).toEqual({ profile: "default", key });
    expect(await at.readConfig()).toMatchObject({ profiles: { default: left } });
  });
});

describe("config get, list, path", () => {
  it("get answers with the bare value, and with its origin on request", async () => {
    at.env = { CAL_TIMEOUT: "500ms" };
    expect(await at.runCommand("config get", ["timeout"])).toEqual({ kind: "value", value: "500ms", text: "500ms" });
    expect(await at.runForRecord("config get", ["timeout"], { "show-origin": true })).toEqual({
      key: "timeout",
      value: "500ms",
      origin: "environment CAL_TIMEOUT",
    });
  });

  it("get of what is not set is not found", async () => {
    await expect(at.runCommand("config get", ["auth_url"])).rejects.toMatchObject({
      kind: "not-found",
      message: "auth_url is not set (profile default)",
    });
  });

  it("list reports where each value comes from", async () => {
    await at.writeConfig({ current: "work", profiles: { work: { base_url: "https://a", site_tz: "Europe/Oslo", readonly: true } } });
    at.globals = { namespace: "tribe/events/v1" };
    at.env = { CI: "1", CAL_USERNAME: "ann" };
    expect(await at.runForRows("config list", { "show-origin": true })).toEqual([
      { key: "profile", value: "work", origin: "config file" },
      { key: "base_url", value: "https://a", origin: "profile work" },
      { key: "namespace", value: "tribe/events/v1", origin: "flag --namespace" },
      { key: "server", value: "the-events-calendar", origin: "namespace" },
      { key: "tz", value: "Europe/Oslo", origin: "site_tz of profile work" },
      { key: "site_tz", value: "Europe/Oslo", origin: "profile work" },
      { key: "auth_header", value: "Authorization", origin: "default" },
      { key: "auth_scheme", value: "Bearer", origin: "default" },
      { key: "username", value: "ann", origin: "environment CAL_USERNAME" },
      { key: "read_only", value: false, origin: "default" },
      { key: "allow_http", value: false, origin: "default" },
      { key: "timeout", value: "30s", origin: "default" },
      { key: "retries", value: 3, origin: "default" },
      { key: "concurrency", value: 4, origin: "default" },
      { key: "journal", value: true, origin: "default" },
      { key: "no_input", value: true, origin: "environment CI" },
      { key: "insecure", value: false, origin: "default" },
      { key: "debug", value: false, origin: "default" },
      { key: "quiet", value: false, origin: "default" },
      { key: "sandbox", value: false, origin: "default" },
    ]);
    expect(at.messages).toEqual([`${at.path}: profile work has unknown settings: readonly`]);
  });

  it.each(["config get", "config list"])("%s refuses a profile that is not there", async (words) => {
    await at.writeConfig(two);
    at.globals = { profile: "hom" };
    await expect(at.runCommand(words, ["tz"])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining("did you mean home?"),
    });
  });

  it("path answers also where the file is broken", async () => {
    await at.writeConfig("{");
    expect(await at.runCommand("config path")).toEqual({ kind: "value", value: at.path, text: at.path });
  });
});
