// `cal init`: what it stores, what it asks, and what it says to do next.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { init } from "../../../src/commands/init.ts";
import { type ConfigTestContext, createConfigTestContext } from "../../config/context.ts";
import { createJsonResponse, readRecordedResponse, startTestSite, type TestResponse } from "./site.ts";

let at: ConfigTestContext;
let site: Awaited<ReturnType<typeof startTestSite>>;
const served: { close(): Promise<void> }[] = [];

async function open(answers: Readonly<Record<string, TestResponse>>): Promise<void> {
  site = await startTestSite(answers);
  served.push(site);
  at.send = site.send;
}

const authorization = "https://town.example/wp-admin/authorize-application.php";
const index = {
  name: "Town Hall",
  namespaces: ["tribe/events/v1", "wp/v2"],
  timezone_string: "Europe/Oslo",
  authentication: { "application-passwords": { endpoints: { authorization } } },
};
const plain = {
  "/": readRecordedResponse("plain_home_head"),
  "/wp-json/": readRecordedResponse("plain_wpjson_events_slash"),
  "/index.php?rest_route=/": createJsonResponse(index),
};
const note =
  "It needs your user name there and an application password: the site's dashboard makes one under Users > Profile > Application Passwords.";
const found = { namespace: "tribe/events/v1", server: "the-events-calendar", site_tz: "Europe/Oslo", auth_method: "application-password" };

beforeEach(async () => {
  at = await createConfigTestContext();
  await open(plain);
});
afterEach(async () => {
  await Promise.all(served.splice(0).map(({ close }) => close()));
  await at.remove();
});

describe("init", () => {
  it("does not ask for a login where the profile is logged in to that very site", async () => {
    at.login = { base_origin: site.origin };
    await at.runHandler(init, [site.origin]);
    expect(at.messages).toEqual(["next:\n  cal events list"]);
    at.login = { base_origin: "https://other.example" };
    await at.runHandler(init, [site.origin]);
    expect(at.messages.at(-1)).toContain("cal auth login");
  });

  it("writes the first profile, makes it current and says what to do next", async () => {
    const base_url = `${site.origin}/index.php?rest_route=/`;
    expect(await at.runHandler(init, [site.origin])).toMatchObject({
      kind: "record",
      record: {
        profile: "default",
        name: "Town Hall",
        base_url,
        namespace: "tribe/events/v1",
        server: "the-events-calendar",
        site_tz: "Europe/Oslo",
        auth_methods: ["application-password"],
        authorization_page: authorization,
        namespaces: ["tribe/events/v1", "wp/v2"],
      },
    });
    expect(await at.readConfig()).toEqual({ version: 1, current: "default", profiles: { default: { base_url, ...found } } });
    expect(at.messages).toEqual([`next:\n  cal events list\n  cal auth login\n${note}`]);
  });

  it("writes a profile of another name with what flags give, and leaves the current one", async () => {
    await at.writeConfig({ current: "home", profiles: { home: {} } });
    at.globals = { profile: "work", tz: "Asia/Kolkata", username: "ann", json: true, timeout: "5s" };
    await at.runHandler(init, [site.origin]);
    expect(await at.readConfig()).toMatchObject({
      current: "home",
      profiles: { home: {}, work: { base_url: `${site.origin}/index.php?rest_route=/`, ...found, tz: "Asia/Kolkata", username: "ann" } },
    });
    expect(at.messages).toEqual([`next:\n  cal profile use work\n  cal -p work events list\n  cal -p work auth login\n${note}`]);
  });

  it("says who gives what a login at a generic server needs", async () => {
    await open({ "/": createJsonResponse({ namespaces: ["calendar/events/v1"] }) });
    await at.runHandler(init, [site.origin]);
    expect(await at.readConfig()).toMatchObject({
      profiles: { default: { base_url: site.origin, namespace: "calendar/events/v1", server: "generic" } },
    });
    expect(at.messages).toEqual([
      "next:\n  cal events list\n  cal auth login --auth-url <address> --client-id <id>\nBoth come from the administrator of the authentication service; what they are: cal help auth",
    ]);
  });

  it("takes the namespace of the environment, and refuses a broken one before anything is sent", async () => {
    await open({ "/": createJsonResponse({ namespaces: ["calendar/events/v1", "tribe/events/v1"] }) });
    at.env = { CAL_NAMESPACE: "tribe/events/v1" };
    await at.runHandler(init, [site.origin]);
    expect(await at.readConfig()).toMatchObject({ profiles: { default: { namespace: "tribe/events/v1", server: "the-events-calendar" } } });
    const before = site.seen.length;
    at.globals = { namespace: "../x", profile: "b ad" };
    await expect(at.runHandler(init, [site.origin])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining("--namespace"),
    });
    at.globals = { profile: "b ad" };
    await expect(at.runHandler(init, [site.origin])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining('"b ad" can\'t name'),
    });
    expect(site.seen.length).toBe(before);
  });

  it("leaves out a time zone that nobody knows here", async () => {
    await open({ "/": createJsonResponse({ ...index, timezone_string: "Mars/Phobos" }) });
    await at.runHandler(init, [site.origin]);
    expect(await at.readConfig()).not.toHaveProperty("profiles.default.site_tz");
    expect(at.messages[0]).toBe("the site's time zone is not known here and was left out: Mars/Phobos");
  });

  it("says where a login will not be possible", async () => {
    await open({ "/": createJsonResponse({ ...index, authentication: [] }) });
    await at.runHandler(init, [site.origin]);
    expect(at.messages[0]).toBe("the site offers no application passwords: they need https, and may be switched off");
  });

  it("stores nothing where nothing is found", async () => {
    await open({});
    await expect(at.runHandler(init, [site.origin])).rejects.toMatchObject({ kind: "local" });
    expect(await at.readConfig()).toBeNull();
  });

  it("stores nothing under --dry-run", async () => {
    at.globals = { "dry-run": true };
    await at.runHandler(init, [site.origin]);
    expect([await at.readConfig(), at.messages[0]]).toEqual([null, `dry run: ${at.path} was not changed`]);
  });
});

describe("a profile that is there", () => {
  const old = { base_url: "https://old.example", auth_url: "https://id.old.example", username: "ann", tz: "UTC", per_page: 20 };
  const before = { version: 1, current: "default", profiles: { default: old } };

  it("for another site is replaced after a Yes: only how commands run stays of it", async () => {
    await at.writeConfig(before);
    at.answer = true;
    await at.runHandler(init, [site.origin]);
    const base_url = `${site.origin}/index.php?rest_route=/`;
    expect(await at.readConfig()).toEqual({ ...before, profiles: { default: { per_page: 20, base_url, ...found } } });
    expect(at.messages.slice(0, 2)).toEqual([
      'profile "default" is for https://old.example; another name keeps it: cal init -p <name> ...',
      `Make "default" the profile of ${base_url} instead?`,
    ]);
  });

  it("for another site stays as it is after a No, and where nobody can be asked", async () => {
    await at.writeConfig(before);
    at.answer = false;
    await expect(at.runHandler(init, [site.origin])).rejects.toMatchObject({ kind: "declined" });
    delete at.answer;
    await expect(at.runHandler(init, [site.origin])).rejects.toThrow("not available in this test");
    expect(await at.readConfig()).toEqual(before);
  });

  it("for another site is replaced without a question under --yes", async () => {
    await at.writeConfig(before);
    at.globals = { yes: true };
    await at.runHandler(init, [site.origin]);
    expect(await at.readConfig()).toMatchObject({ profiles: { default: { base_url: `${site.origin}/index.php?rest_route=/` } } });
  });

  it("for the same site keeps everything else, without a question", async () => {
    const base_url = `${site.origin}/index.php?rest_route=/`;
    await at.writeConfig({ ...before, profiles: { default: { ...old, base_url } } });
    await at.runHandler(init, [site.origin]);
    expect(await at.readConfig()).toEqual({ ...before, profiles: { default: { ...old, base_url, ...found } } });
  });
});
