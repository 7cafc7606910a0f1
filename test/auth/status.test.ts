// What auth status and auth logout say of logins in several profiles, and of one that was interrupted.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSession } from "../helpers/session.ts";

const login = (profile: string) => ({
  profile,
  id: `id-${profile}`,
  store: "file",
  method: "application-password",
  holds: ["password"],
  base_origin: "https://site.example",
  identity: `ann-${profile}`,
  stored_at: Date.UTC(2027, 0, 1),
});

/** A user with these logins, and secrets of another one that was interrupted. */
function createUserWithLogins(...profiles: readonly string[]) {
  const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: "https://site.example/wp-json" } });
  const state = join(cal.folder, "state");
  mkdirSync(state, { mode: 0o700 });
  const secrets = Object.fromEntries([...profiles, "cut"].map((profile) => [`${profile}/id-${profile}/password`, "s3cret"]));
  const { profile, id, store, holds } = login("cut");
  const list = { logins: profiles.map(login), unowned: [{ profile, id, store, holds }] };
  writeFileSync(join(state, "logins.json"), JSON.stringify(list), { mode: 0o600 });
  writeFileSync(join(state, "credentials.json"), JSON.stringify(secrets), { mode: 0o600 });
  return { cal, readSecretNames: () => Object.keys(JSON.parse(readFileSync(join(state, "credentials.json"), "utf8"))) };
}

test("auth status lists every profile with a login, also where the current one has none", async () => {
  const { cal } = createUserWithLogins("home", "work");
  const { stdout, stderr, code } = await cal("auth status --json");
  const rows: readonly { readonly profile: string; readonly logged_in: boolean }[] = JSON.parse(stdout);
  expect(rows.map(({ profile, logged_in }) => [profile, logged_in])).toEqual([
    ["default", false],
    ["home", true],
    ["work", true],
  ]);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "not-logged-in", hint: "cal auth login" } });
  expect(code).toBe(4);
  expect((await cal("auth status --format ids --field profile")).stdout.trim().split("\n")).toEqual(["default", "home", "work"]);
});

test("auth logout says in words what is deleted, and what is still valid", async () => {
  const { cal, readSecretNames } = createUserWithLogins("default");
  expect(await cal("auth logout")).toMatchObject({
    stdout:
      "Logged out ann-default at site.example (profile default). The application password was deleted here. It stays valid at the site until it is revoked there, under Users > Profile > Application Passwords.\n",
    code: 0,
  });
  expect(readSecretNames()).toEqual([]);
});

test("auth logout of a profile whose login was interrupted deletes what that left", async () => {
  const { cal, readSecretNames } = createUserWithLogins();
  await cal("profile add cut --base-url https://site.example/wp-json");
  expect(await cal("-p cut auth logout")).toMatchObject({
    stdout: "Profile cut was not logged in. What an interrupted login had left was deleted.\n",
    code: 0,
  });
  expect(readSecretNames()).toEqual([]);
});
