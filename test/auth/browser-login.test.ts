// What a terminal sees while cal waits for the browser of an authentication service.

import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startFixtureSandbox } from "../sandbox/fixtures.ts";
import { createUser } from "./user.ts";

/** A user whose login comes back to a port that another program has. */
async function site() {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const leave = () => new Promise<void>((resolve) => other.close(() => resolve()));
  onTestFinished(leave);
  const { port } = other.address() as AddressInfo;
  const box = await startFixtureSandbox({
    file: ":memory:",
    day: "2030-01-01",
    now: () => Date.UTC(2030, 0, 1),
    anyLoopbackRedirect: true,
  });
  onTestFinished(() => box.close());
  const callback = `http://127.0.0.1:${port}/callback`;
  const profile = { base_url: box.baseUrl, auth_url: box.authUrl, client_id: box.application.clientId, redirect_url: callback };
  return { box, cal: await createUser(profile), callback, leave };
}

const flags = { method: "browser" };

test("cal prints how long it waits and the command without a browser, and the address may be pasted meanwhile", async () => {
  const { box, cal, callback, leave } = await site();
  await leave();
  const pastedText = `${callback}#accessoken=${box.token}`;
  const login = await cal("login", { flags, answers: [true], pastedText });
  expect(login.value).toMatchObject({ method: "browser" });
  expect(login.stderr).toEqual([
    expect.stringMatching(/^logging in at 127\.0\.0\.1:\d+, profile default$/),
    expect.stringMatching(/^Log in with your browser\. If it does not open by itself, open this address in it:\n {2}http:/),
    "no browser could be started here",
    "cal waits 3 minutes for the login. Ctrl-C ends that; without a browser here: cal auth login --method browser --no-browser",
  ]);
});

test.each([
  ["with a browser", {}],
  ["without one", { browser: false }],
])("where another program has the port, the login is refused %s: that program would receive it", async (_way, more) => {
  const { cal } = await site();
  const { error, stderr } = await cal("login", { flags: { ...flags, ...more }, answers: [] });
  expect(error).toMatchObject({
    kind: "local",
    code: "EADDRINUSE",
    message: expect.stringMatching(/another program uses this port, and would receive the login$/),
    hint: "end that program; perhaps it is another login that waits\nor use another address that is registered for this client id: cal auth login --method browser --redirect-url <address>",
  });
  expect(stderr.join("\n")).not.toContain("/api/auth/6/ui");
});

test("without a browser cal holds the port while it waits for the address, and its page only says to copy it", async () => {
  const { box, cal, callback, leave } = await site();
  await leave();
  const held = async (): Promise<string> => {
    const page = await fetch(callback);
    const policy = page.headers.get("content-security-policy");
    expect([page.status, policy]).toEqual([200, "default-src 'none'; frame-ancestors 'none'"]);
    expect(await page.text()).toBe("Copy the whole address of this page, and paste it into your terminal.\n");
    return `${callback}#accessoken=${box.token}`;
  };
  const login = await cal("login", { flags: { ...flags, browser: false }, answers: [held, true] });
  expect(login.value).toMatchObject({ method: "browser" });
  expect(login.stderr.join("\n")).toContain("a program that listens there receives the login. cal holds this port here");
  await expect(fetch(callback)).rejects.toThrow("fetch failed");
});
