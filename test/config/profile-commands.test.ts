// `cal profile`: the reports, and the file afterwards.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setupCommands } from "../../src/cli/declarations/config.ts";
import { createSession } from "../helpers/session.ts";
import { type ConfigTestContext, createConfigTestContext } from "./context.ts";

let at: ConfigTestContext;
beforeEach(async () => {
  at = await createConfigTestContext();
});
afterEach(() => at.remove());

const two = { version: 1, current: "home", profiles: { home: { base_url: "https://home.example" }, work: { tz: "Europe/Oslo" } } };

describe("profile add", () => {
  it("takes what says which site and who, not how this call runs", async () => {
    at.globals = {
      "base-url": "https://a/wp-json/",
      "auth-url": "https://id",
      "read-only": true,
      format: "json",
      timeout: 5000,
      yes: true,
    };
    const added = { base_url: "https://a/wp-json", auth_url: "https://id", auth_method: "browser", auth_scheme: "", read_only: true };
    const flags = { "auth-method": "browser", "auth-scheme": "" };
    expect(await at.runForRecord("profile add", ["work"], flags)).toEqual({ name: "work", current: true, ...added });
    expect(await at.readConfig()).toEqual({ version: 1, current: "work", profiles: { work: added } });
  });

  it.each([
    [{}, "home"],
    [{ use: true }, "third"],
  ])("of a later one with %o leaves %s current", async (flags, current) => {
    await at.writeConfig(two);
    await at.runCommand("profile add", ["third"], flags);
    expect(await at.readConfig()).toEqual({ version: 1, current, profiles: { ...two.profiles, third: {} } });
  });

  it.each([
    ["work", {}, 'there is a profile "work" already'],
    ["-x", {}, '"-x" can\'t name a profile: letters, digits, ".", "_" and "-", at most 64, a letter or digit first'],
    ["__proto__", {}, '"__proto__" can\'t name a profile: letters, digits, ".", "_" and "-", at most 64, a letter or digit first'],
    [
      "new",
      { "base-url": "a.example", tz: "Mars" },
      '--base-url: is not an address that begins with https:// or http://\n--tz: "Mars" is not a time zone; write it like Europe/Paris',
    ],
  ])("%s is refused", async (name, globals, message) => {
    await at.writeConfig(two);
    at.globals = globals;
    await expect(at.runCommand("profile add", [name])).rejects.toMatchObject({ kind: "usage", message });
    expect(await at.readConfig()).toEqual(two);
  });
});

describe("profile list, show, use", () => {
  it.each([
    [{}, "home"],
    [{ CAL_PROFILE: "work" }, "work"],
    [{ CAL_PROFILE: "gone" }, "none"],
  ])("list marks the one that is used under %o", async (env, current) => {
    await at.writeConfig(two);
    at.env = env;
    expect(await at.runForRows("profile list")).toEqual([
      { name: "home", current: current === "home", base_url: "https://home.example" },
      { name: "work", current: current === "work", tz: "Europe/Oslo" },
    ]);
  });

  it("show answers with the current one, or the one that is named", async () => {
    await at.writeConfig(two);
    expect([await at.runForRecord("profile show"), await at.runForRecord("profile show", ["work"])]).toEqual([
      { name: "home", current: true, base_url: "https://home.example" },
      { name: "work", current: false, tz: "Europe/Oslo" },
    ]);
  });

  it("use stores which one is current, and says where that has no effect", async () => {
    await at.writeConfig(two);
    at.env = { CAL_PROFILE: "home" };
    expect(await at.runForRecord("profile use", ["work"])).toEqual({ name: "work", current: true, tz: "Europe/Oslo" });
    expect([await at.readConfig(), at.messages]).toEqual([{ ...two, current: "work" }, ['CAL_PROFILE is set, so "home" is still used']]);
  });

  it.each(["profile show", "profile use", "profile remove"])("%s of an unknown one is not found", async (words) => {
    await at.writeConfig(two);
    await expect(at.runCommand(words, ["hone"])).rejects.toMatchObject({
      kind: "not-found",
      message: 'there is no profile "hone"; did you mean home?',
    });
  });
});

describe("profile remove", () => {
  const without = { version: 1, profiles: { work: { tz: "Europe/Oslo" } } };

  it("asks, and deletes the stored login with it", async () => {
    await at.writeConfig(two);
    at.answer = true;
    expect(await at.runForRecord("profile remove", ["home"])).toEqual({ name: "home", current: false, base_url: "https://home.example" });
    expect([await at.readConfig(), at.deletedSecrets]).toEqual([without, ["home"]]);
    expect(at.messages).toEqual([
      'Delete profile "home" and its stored login?',
      "no profile is current now; choose one: cal profile use work",
    ]);
  });

  it("changes nothing after a No", async () => {
    await at.writeConfig(two);
    at.answer = false;
    await expect(at.runCommand("profile remove", ["home"])).rejects.toMatchObject({ kind: "declined" });
    expect([await at.readConfig(), at.deletedSecrets]).toEqual([two, []]);
  });

  it("does not ask under --yes, and changes nothing under --dry-run", async () => {
    await at.writeConfig(two);
    at.globals = { "dry-run": true };
    await at.runCommand("profile remove", ["home"]);
    expect([await at.readConfig(), at.deletedSecrets]).toEqual([two, []]);
    at.globals = { yes: true };
    await at.runCommand("profile remove", ["home"]);
    expect([await at.readConfig(), at.deletedSecrets]).toEqual([without, ["home"]]);
  });
});

it("every command of the tree can be loaded, is named once, and its examples call it", async () => {
  const handlers = await Promise.all(setupCommands.map(({ load }) => load()));
  expect(handlers.map((handler) => typeof handler)).toEqual(setupCommands.map(() => "function"));
  expect(new Set(setupCommands.map(({ path }) => path.join(" "))).size).toBe(setupCommands.length);
  for (const { path, examples } of setupCommands) {
    for (const { command } of examples) expect(command.replace(/^cal( -p \w+)? /, "").startsWith(path.join(" "))).toBe(true);
  }
});

const cal = createSession({ env: { CAL_SANDBOX: "0" } });

it("takes a setting that is yes or no as a flag without a value", async () => {
  await cal("profile add lab --base-url http://lab.example/wp-json --allow-http");
  expect((await cal("profile show lab --json")).stdout).toContain('"allow_http": true');
});

it.each([
  ["--format ids", {}],
  ["", { CAL_FORMAT: "ids" }],
])("profile add %s %o: there is no id to print, and nothing is stored", async (flag, env) => {
  const cal = createSession({ env });
  expect(await cal(`profile add work --base-url https://calendar.example ${flag}`)).toEqual({
    code: 2,
    stdout: "",
    stderr: "cal: there are no ids in what this command prints\nhint: see: cal profile add --help\n",
  });
  expect((await cal("profile list --format count")).stdout).toBe("0\n");
  expect((await cal(`profile add work --format ids --field name`)).stdout).toBe("work\n");
});

it("profile add without an address warns, and names the next step for that profile", async () => {
  const cal = createSession({ env: { CAL_SANDBOX: "0" } });
  expect(await cal("profile add first --base-url https://first.example/wp-json")).toMatchObject({ stderr: "", code: 0 });
  expect(await cal("profile add work")).toMatchObject({
    stderr: 'warning: profile "work" has no address of a site yet\nnext: cal init <site-url> -p work\n',
    code: 0,
  });
});
