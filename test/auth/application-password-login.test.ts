// Logging in with an application password at a terminal, as somebody does who read the README.

import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createUser } from "./user.ts";

const password = "edit orde moed itor demo edit";
const page = "an application password is made on this page of the site, or in its dashboard under Users > Profile";

async function site() {
  const box = await startSandbox({
    file: ":memory:",
    day: "2030-01-01",
    now: () => Date.UTC(2030, 0, 1),
    serverProfile: "the-events-calendar",
  });
  onTestFinished(() => box.close());
  return { box, cal: await createUser({ base_url: box.baseUrl, namespace: box.namespace }) };
}

test("cal auth login --username asks for the application password: nothing is opened, and nothing waits", async () => {
  const { box, cal } = await site();
  const login = await cal("login", { globals: { username: "editor" }, answers: [password], browser: async () => undefined });
  expect([login.value, cal.questions, cal.openedUrls]).toEqual([
    expect.objectContaining({ method: "application-password", identity: "editor" }),
    ["Application password (spaces are fine)"],
    [],
  ]);
  expect(login.stderr).toEqual([
    `logging in for editor at ${new URL(box.baseUrl).host}, profile default`,
    expect.stringMatching(new RegExp(`^${page}:\\n  ${box.siteUrl}/wp-admin/authorize-application\\.php\\?app_name=cal\\+on\\+[^&]*$`)),
  ]);
});

test("--browser opens the page that makes the password, and asks for it all the same", async () => {
  const { cal } = await site();
  const answers = ["editor", password];
  const login = await cal("login", { flags: { browser: true }, answers, browser: async () => undefined });
  expect([login.value, cal.questions, cal.openedUrls]).toEqual([
    expect.objectContaining({ identity: "editor" }),
    ["User name at the site", "Application password (spaces are fine)"],
    [expect.stringContaining("/wp-admin/authorize-application.php?app_name=cal")],
  ]);
  const without = await cal("login", { flags: { browser: true }, answers });
  expect(without.stderr.at(-1)).toBe("no browser could be started here");
});

test.each([
  ["--redirect-url", { "redirect-url": "http://127.0.0.1:1/" }, "--redirect-url is for --method browser, and this is application-password"],
  ["--endpoint", { endpoint: "app" }, "--endpoint is for --method password, and this is application-password"],
  ["--remember", { remember: true }, "--remember is for --method password, and this is application-password"],
])("%s, which would have no effect, is refused", async (_flag, flags, message) => {
  const { cal } = await site();
  expect((await cal("login", { flags, answers: [] })).error).toMatchObject({ kind: "usage", message });
});
