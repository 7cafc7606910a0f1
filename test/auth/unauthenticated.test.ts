// A site that answers 401: first what it means for the user, then what the site said.

import { afterAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createSession } from "../helpers/session.ts";

const options = { file: ":memory:", day: "2027-01-15", now: () => Date.parse("2027-01-15T12:00:00Z") };
const plain = await startSandbox(options);
const wordpress = await startSandbox({ ...options, serverProfile: "the-events-calendar" });
afterAll(() => Promise.all([plain.close(), wordpress.close()]));
const wordpressSite = { CAL_BASE_URL: wordpress.baseUrl, CAL_NAMESPACE: "tribe/events/v1" };

test.each([
  [
    "who is not logged in",
    { CAL_BASE_URL: plain.baseUrl },
    "cal: not logged in; the site says: A Bearer token is needed in the Authorization header.",
    "cal auth login",
  ],
  [
    "who is not logged in at a WordPress site",
    wordpressSite,
    "cal: not logged in; the site says: Sorry, you are not allowed to do that.",
    "cal auth login",
  ],
  [
    "whose token is not the site's",
    { CAL_BASE_URL: plain.baseUrl, CAL_TOKEN: "t0k3n" },
    "cal: the site does not accept this login (from CAL_TOKEN); the site says: The token is unknown, expired or revoked.",
    "set another CAL_TOKEN, or unset it and: cal auth login",
  ],
  [
    "whose application password is not the site's",
    { ...wordpressSite, CAL_USERNAME: "admin", CAL_PASSWORD: "n0t-th1s-one", CAL_AUTH_METHOD: "application-password" },
    expect.stringContaining("cal: the site does not accept this login (from CAL_PASSWORD); the site says: "),
    "set another CAL_PASSWORD, or unset it and: cal auth login",
  ],
])("%s", async (_who, site, message, advice) => {
  const cal = createSession({ env: { CAL_SANDBOX: "0", ...site } });
  const { code, stderr } = await cal("tags create --name free");
  const [problem, hint, more] = stderr.split("\n");
  expect([code, problem, hint, more]).toEqual([4, message, `hint: ${advice}`, "hint: in a script: cal help auth"]);
});

test("a refused token of the environment is to be replaced or unset, whichever command finds it", async () => {
  const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: plain.baseUrl, CAL_TOKEN: "t0k3n" } });
  const outcomes = [await cal("auth status --check"), await cal("auth refresh")];
  const advice = "set another CAL_TOKEN, or unset it and: cal auth login";
  expect(outcomes.map(({ code, stderr }) => [code, stderr.includes(`hint: ${advice}\n`)])).toEqual([
    [4, true],
    [4, true],
  ]);
  expect((await cal("doctor")).stdout).toContain(advice);
});

test("the hint of a profile logs in to that profile", async () => {
  const cal = createSession({ env: { CAL_SANDBOX: "0" } });
  await cal(`profile add work --base-url ${plain.baseUrl}`);
  expect((await cal("tags list")).stderr).toContain("hint: cal auth login --profile work\nhint: in a script: cal help auth\n");
});
