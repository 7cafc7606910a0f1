// What writes, what --dry-run and read-only keep from the wire, and that no output shows the token.

import { beforeEach, describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const { commands } = commandTree;

const server = await startRequestRecorder();
const token = "s3cr3t-t0k3n-value";
const env = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: token, CAL_TZ: "America/New_York" };
const cal = createSession({ env });
const readOnlyCal = createSession({ env: { ...env, CAL_READ_ONLY: "1" } });
const stored = createSession({ env });
const gone = createSession({ env: { ...env, CAL_BASE_URL: "http://127.0.0.1:9/wp-json", CAL_RETRIES: "0" } });
await stored("profile add p --read-only");
const ns = "/wp-json/calendar/events/v1";

beforeEach(server.reset);

/** A call of every command that writes to the site, and the write that it plans. */
const writes: Readonly<Record<string, readonly [line: string, request: string]>> = {
  "events create": ["--title X --start-date '2027-01-10 10:00' --duration 1h", "POST /events"],
  "events update": ["7 --title X", "PATCH /events/7"],
  "events delete": ["7 --yes", "DELETE /events/7"],
  "venues create": ["--venue X", "POST /venues"],
  "venues update": ["7 --venue X", "PATCH /venues/7"],
  "venues delete": ["7 --yes", "DELETE /venues/7"],
  "organizers create": ["--organizer X", "POST /organizers"],
  "organizers update": ["7 --organizer X", "PATCH /organizers/7"],
  "organizers delete": ["7 --yes", "DELETE /organizers/7"],
  "categories create": ["--name X", "POST /categories"],
  "categories update": ["7 --name X", "PATCH /categories/7"],
  "categories delete": ["7 --yes", "DELETE /categories/7"],
  "tags create": ["--name X", "POST /tags"],
  "tags update": ["7 --name X", "PATCH /tags/7"],
  "tags delete": ["7 --yes", "DELETE /tags/7"],
};
const apiWrites = ["POST", "PUT", "PATCH", "DELETE"].map(
  (method) => [`api ${method} tags/7${method === "DELETE" ? "" : " --set name=X"}`, `${method} /tags/7`] as const,
);
const writeLines = [...Object.entries(writes).map(([path, [line, request]]) => [`${path} ${line}`, request] as const), ...apiWrites];

function writesSeen(): readonly string[] {
  return server.receivedRequests.filter((line) => !line.startsWith("GET "));
}

describe("writing", () => {
  test("every command of a writing verb is here", () => {
    const verbs = commands
      .filter(({ path }) => path[0] !== "series" && /^(?:create|update|delete)$/.test(path[1] ?? ""))
      .map(({ path }) => path.join(" "));
    expect(Object.keys(writes).sort()).toEqual(verbs.sort());
  });

  test.each(writeLines)("cal %s writes", async (line, request) => {
    const { code, stderr } = await cal(line);
    expect(code, stderr).toBe(0);
    expect(writesSeen()).toEqual([expect.stringMatching(new RegExp(`^${request.replace(" ", ` ${ns}`)}(?: \\{|$)`))]);
  });

  test.each(writeLines)("cal %s --dry-run prints the plan and sends nothing", async (line, request) => {
    const [method = "", path = ""] = request.split(" ");
    const text = await cal(`${line} --dry-run`);
    const json = await cal(`-n ${line} --json`);
    expect({ codes: [text.code, json.code], writes: writesSeen() }, text.stderr).toEqual({ codes: [0, 0], writes: [] });
    expect(text.stdout.split("\n")[0]).toBe(`${method} ${server.url}/calendar/events/v1${path}`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      method,
      url: `${server.url}/calendar/events/v1${path}`,
      ...(method === "DELETE" ? {} : { body: expect.any(Object) }),
    });
    expect(`${text.stdout}${json.stdout}`).not.toContain(token);
  });

  test.each(writeLines)("cal %s under --read-only, CAL_READ_ONLY or a read-only profile is exit 5, and nothing is sent", async (line) => {
    for (const outcome of [await cal(`${line} --read-only`), await readOnlyCal(line), await stored(line)]) {
      expect({ stdout: outcome.stdout, code: outcome.code }, outcome.stderr).toEqual({ stdout: "", code: 5 });
      expect(outcome.stderr).toMatch(/^cal: nothing was sent: /m);
    }
    expect(writesSeen()).toEqual([]);
  });

  test("--no-read-only lifts what the environment forbids", async () => {
    expect((await readOnlyCal("tags delete 7 --yes --no-read-only")).code).toBe(0);
    expect(writesSeen()).toEqual([`DELETE ${ns}/tags/7`]);
  });

  test("--dry-run of many refs plans each; a read-only profile may plan too", async () => {
    const { stdout, code } = await cal("events delete - --dry-run --read-only --json", "7\n8\njazz\n");
    expect(JSON.parse(stdout)).toEqual(
      ["7", "8", "by-slug/jazz"].map((ref) => ({ method: "DELETE", url: `${server.url}/calendar/events/v1/events/${ref}` })),
    );
    expect({ code, seen: server.receivedRequests }).toEqual({ code: 0, seen: [`GET ${ns}/events/by-slug/jazz`] });
  });
});

describe("secrets", () => {
  test("--debug reports the exchange, and no token", async () => {
    for (const line of [
      "events get 7 --debug",
      "events get 7 --debug --json",
      "events create --debug --title X --start-date 2027-01-10 --duration 1h",
      "api GET events --debug --show-headers",
      "tags delete 7 --yes --debug --dry-run",
      "config list --show-origin --debug",
    ]) {
      const { stdout, stderr, code } = await cal(line);
      expect(code, stderr).toBe(0);
      expect(`${stdout}${stderr}`).not.toContain(token);
    }
    expect(server.headers[0]).toMatchObject({ authorization: `Bearer ${token}` });
    const { stderr } = await cal("events get 7 --debug");
    expect(stderr).toContain(`GET ${server.url}/calendar/events/v1/events/7`);
    expect(stderr).toContain("authorization: ***");
    expect(stderr).toMatch(/^< 200 in \d+ ms, \d+ bytes$/m);
  });

  test("nor does an error, whatever the server says", async () => {
    const { stdout, stderr, code } = await gone("events list --debug");
    expect({ code, leaked: `${stdout}${stderr}`.includes(token) }).toEqual({ code: 7, leaked: false });
  });
});

describe("cal sandbox reset", () => {
  const embedded = createSession({ env: { CAL_SANDBOX: "1" } });

  test("keeps the data under --dry-run, in a read-only profile, and where nobody can be asked", async () => {
    await embedded("tags create --name keep-me --field id");
    const unasked = await embedded("sandbox reset");
    expect(unasked.stderr).toMatch(/nothing was changed\nhint: without a question: cal sandbox reset --yes\n$/);
    const dry = await embedded("sandbox reset --yes --dry-run");
    const readOnly = await embedded("sandbox reset --yes --read-only");
    const after = await embedded("tags get slug:keep-me --field name");
    expect([unasked.code, dry.code, readOnly.code, after.stdout]).toEqual([2, 0, 5, "keep-me\n"]);
  });

  test("seeds it anew otherwise", async () => {
    const reset = await embedded("sandbox reset --yes");
    const after = await embedded("tags get slug:keep-me");
    expect([reset.code, after.code]).toEqual([0, 3]);
  });
});

describe("a write whose answer can't be printed as asked", () => {
  const embedded = createSession({ env: { CAL_SANDBOX: "1" } });

  test.each([
    "tags create --name never --field nope",
    "tags update 12 --name never --fields id,nope",
    "tags delete 12 --yes --fields nope",
  ])("%s is exit 2 and not sent", async (line) => {
    const result = await embedded(line);
    const after = await embedded("tags get 12 --field name");
    expect([result.code, result.stderr.includes("nope is not a known field of tags"), after.stdout]).toEqual([2, true, "free\n"]);
  });
});
