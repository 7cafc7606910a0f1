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
    expect.stringMatching(/^Log in with your browser\. If it does not open by itself, open this address in it:\n {2}http:/),
    "no browser could be started here",
    "cal waits 3 minutes for the login. Ctrl-C ends that; without a browser here: cal auth login --method browser --no-browser",
  ]);
});

test("where another program has the port, the hint is a way that needs none", async () => {
  const { cal } = await site();
  expect((await cal("login", { flags, answers: [] })).error).toMatchObject({
    code: "EADDRINUSE",
    hint: "without a port: cal auth login --method browser --no-browser\nor end that program, perhaps another login that waits",
  });
});
