// A site that answers 401: first what it means for the user, then what the site said.
import { afterAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { session } from "../helpers/session.ts";

const options = { file: ":memory:", day: "2027-01-15", now: () => Date.parse("2027-01-15T12:00:00Z") };
const plain = await startSandbox(options);
const wordpress = await startSandbox({ ...options, habits: "the-events-calendar" });
afterAll(() => Promise.all([plain.close(), wordpress.close()]));
const wordpressSite = { CAL_BASE_URL: wordpress.baseUrl, CAL_NAMESPACE: "tribe/events/v1" };

test.each([
  [
    "who is not logged in",
    { CAL_BASE_URL: plain.baseUrl },
    "cal: not logged in; the site says: A Bearer token is needed in the Authorization header.",
  ],
  ["who is not logged in at a WordPress site", wordpressSite, "cal: not logged in; the site says: Sorry, you are not allowed to do that."],
  [
    "whose token is not the site's",
    { CAL_BASE_URL: plain.baseUrl, CAL_TOKEN: "t0k3n" },
    "cal: the site does not accept this login (from CAL_TOKEN); the site says: The token is unknown, expired or revoked.",
  ],
])("%s", async (_who, site, told) => {
  const cal = session({ env: { CAL_SANDBOX: "0", ...site } });
  const { code, stderr } = await cal("tags create --name free");
  expect([code, stderr]).toEqual([4, `${told}\nhint: cal auth login; in a script: cal help auth\n`]);
});

test("the hint of a profile logs in to that profile", async () => {
  const cal = session({ env: { CAL_SANDBOX: "0" } });
  await cal(`profile add work --base-url ${plain.baseUrl}`);
  expect((await cal("tags list")).stderr).toContain("hint: cal auth login --profile work; in a script: cal help auth\n");
});
