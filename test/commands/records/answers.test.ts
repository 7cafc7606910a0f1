// Answers with another shape than the interface says: what the user reads, and the exit code.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer, type TestResponse } from "./server.ts";

const html = { "content-type": "text/html" };

/** What each path answers, whatever the method. */
const answers: Readonly<Record<string, TestResponse>> = {
  "events/1": { headers: html, body: "<!DOCTYPE html><title>Home</title>" },
  "events/2": { body: '<br />\n<b>Warning</b>: oops<br />{"id":2}' },
  "events/3": { body: { errors: { "event-not-found": ["The requested post ID does not exist"] }, error_data: [] } },
  "events/4": { status: 404, body: { code: "rest_no_route", message: "No route was found", data: { status: 404 } } },
  "events/5": { status: 403, body: { code: "event-no-longer-available", message: "gone", data: { status: 403 } } },
  "events/6": {
    status: 400,
    body: { code: "rest_invalid_param", message: "Invalid parameter(s): id", data: { status: 400, params: { id: "Invalid parameter." } } },
  },
  "events/7": {
    status: 400,
    body: {
      code: "rest_invalid_param",
      message: "Invalid parameter(s): id, cost",
      data: { status: 400, params: { id: "Invalid parameter.", cost: "<b>cost</b> &amp; all" } },
    },
  },
  "events/8": { status: 503, headers: html, body: "<h1>Down</h1>" },
  "events/9": { status: 429, body: { code: "slow", message: "slow down" } },
  "events/10": { status: 401, headers: html, body: "<h1>Password</h1>" },
  "events/11": { body: "" },
  "events/12": { status: 200, body: { code: "event-not-found", message: "none", data: { status: 404 } } },
  "events/13": { status: 404, headers: html, body: "<h1>Not found</h1>" },
  "events/14": { status: 409, body: { code: "conflict", message: "stale" } },
  "events/15": { body: [] },
};

const server = await startTestServer(({ path }) => {
  if (path === "/") return { body: { namespaces: ["wp/v2", "tribe/events/v1"] } };
  return answers[path.replace(/^.*v1\//, "")] ?? { status: 500, body: {} };
});

const codes: readonly (readonly [id: number, code: number, says: string])[] = [
  [1, 7, "can't be read (200, text/html)"],
  [2, 7, "can't be read"],
  [3, 3, "The requested post ID does not exist"],
  [4, 10, "the site has: wp/v2, tribe/events/v1"],
  [5, 3, "in the trash"],
  [6, 3, "there is no event 6"],
  [7, 6, "cost: cost & all"],
  [8, 7, "503"],
  [9, 7, "slow down"],
  [10, 4, "before the site"],
  [11, 7, "it is empty"],
  [12, 3, "none"],
  [13, 10, "no calendar interface"],
  [14, 6, "stale"],
  [15, 7, "holds no event"],
];

describe.each(["generic", "tec"] as const)("%s", (kind) => {
  const cal = createServerSession(server.url, kind);

  test.each(codes)("events get %i ends with %i", async (id, code, says) => {
    const { stdout, stderr } = await expectExitCode(cal(`events get ${id} --retries 0`), code);
    expect({ stdout, says: stderr.includes(says) }, stderr).toEqual({ stdout: "", says: true });
  });

  test("as JSON it is one line on stderr", async () => {
    const { stdout, stderr } = await expectExitCode(cal("events get 7 --json"), 6);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "rest_invalid_param", status: 400, request: { method: "GET" } } });
    expect(stderr.trim()).not.toContain("\n");
  });

  test("of a write that was answered with a web page the outcome is unknown", async () => {
    const { stderr } = await expectExitCode(cal("events update 1 --title X --raw"), 7);
    expect(stderr).toContain("the outcome is unknown");
  });
});

describe("what the server did not keep is a warning", () => {
  test("on a site that runs The Events Calendar", async () => {
    const { cal, fetchJson } = await openSandboxSession("the-events-calendar");
    const dates = "--start-date '2027-05-01 10:00' --duration 1h";
    expect((await expectExitCode(cal(`events create --title X ${dates} --cost 0`), 0)).stderr).toContain(
      'the server keeps cost as "", sent was "0"',
    );
    await fetchJson("events", "POST", { title: "Y", start_date: "2027-05-01", end_date: "2027-05-02", slug: "taken" });
    expect((await expectExitCode(cal(`events create --title Z ${dates} --slug taken`), 0)).stderr).toContain("the server keeps slug as");
    const backslashes = cal.runArgs(["venues", "create", "--venue", "Hall \\ Annex", "--address", "C:\\x"]);
    expect((await expectExitCode(backslashes, 0)).stderr).not.toContain("the server keeps");
    const whole = `events create --title 'Q & "A" 2x4' ${dates} --cost 12 --description 'a "b" & c' --website https://x.example/?a=1&b=2 --venue 21 --organizer 31,32 --category 3 --tag 12 --image 41 --status private`;
    expect((await expectExitCode(cal(whole), 0)).stderr).not.toContain("warning");
  });

  test("links are reported by name", async () => {
    const keepingServer = await startTestServer(({ method }) => {
      const tags = [
        { id: 7, name: "Free &amp; easy", slug: "free" },
        { id: 8, name: "Late", slug: "late" },
      ];
      return { body: { id: 1, title: "X", tags, venue: method === "GET" ? [] : { id: 4, venue: "Hall" } } };
    });
    const { stderr } = await expectExitCode(createServerSession(keepingServer.url)("events update 1 --clear tags --venue 5 --title X"), 0);
    expect(stderr).toContain("the server keeps tags as Free & easy (7), Late (8), sent was none\n");
    expect(stderr).toContain("the server keeps venue as Hall (4), sent was 5\n");
  });

  test("on a server that does not know the field", async () => {
    const ignorant = await startTestServer(({ method, body }) => {
      const { categories: _, ...known } = JSON.parse(method === "POST" ? body : "{}") as Readonly<Record<string, unknown>>;
      return { body: { id: 1, ...known } };
    });
    const { stderr } = await expectExitCode(
      createServerSession(ignorant.url)("events create --title X --start-date 2027-05-01 --duration 1h --category 3 --tag 4"),
      0,
    );
    expect(stderr).toContain("the answer does not show categories, sent was 3; this server may not know it");
    expect(stderr).not.toContain("tags");
  });
});
