// Hints that depend on what was requested and as whom.

import { expect, test } from "vitest";
import { createServerSession, startTestServer } from "../commands/records/server.ts";
import { createSession } from "../helpers/session.ts";

const { url } = await startTestServer(({ path }) => {
  if (path === "/") return { body: { namespaces: ["oembed/1.0", "calendar/events/v1", "tribe/events/v1"] } };
  if (path.endsWith("/nope"))
    return { status: 404, body: { code: "rest_no_route", message: "No route was found.", data: { status: 404 } } };
  const params = { status: "Invalid parameter." };
  return { status: 400, body: { code: "rest_invalid_param", message: "Invalid parameter(s): status", data: { status: 400, params } } };
});

test("where the namespace is there, a path that is not has nothing to do with it", async () => {
  const { stderr, code } = await createServerSession(url)("api GET nope");
  expect({ stderr, code }).toEqual({
    stderr:
      "cal: No route was found; the site has: oembed/1.0, calendar/events/v1, tribe/events/v1\nhint: the namespace is right, but this path or method is not in it; see those that are: cal doc\n",
    code: 10,
  });
});

test("a WordPress site without the namespace may have its plugin switched off", async () => {
  const site = await startTestServer(({ path }) =>
    path === "/"
      ? { body: { namespaces: ["oembed/1.0", "wp/v2"] } }
      : { status: 404, body: { code: "rest_no_route", message: "No route was found.", data: { status: 404 } } },
  );
  const { stderr, code } = await createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: site.url, CAL_NAMESPACE: "tribe/events/v1" } })(
    "tags list --quiet",
  );
  expect({ stderr, code }).toEqual({
    stderr:
      "cal: No route was found; the site has: oembed/1.0, wp/v2\nhint: is The Events Calendar installed and active on this site? Another calendar's namespace: --namespace <name>, or change CAL_NAMESPACE: export CAL_NAMESPACE=<name>\n",
    code: 10,
  });
});

test("a visitor who asks for drafts gets the hint to log in, any other user does not", async () => {
  const visitor = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: url } });
  const said = "cal: Invalid parameter(s): status\n";
  const drafts = "events list --status draft --all-dates --quiet";
  expect(await visitor(drafts)).toMatchObject({
    stderr: `${said}hint: records that are not published need a login\nhint: cal auth login\n`,
    code: 6,
  });
  expect(await visitor("events list --status publish --all-dates --quiet")).toMatchObject({ stderr: said, code: 6 });
  expect(await createServerSession(url)(drafts)).toMatchObject({ stderr: said, code: 6 });
});
