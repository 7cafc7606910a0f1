// `cal api`: any request below the site's address, and none beside it.

import { beforeEach, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const server = await startRequestRecorder();
const env = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n", CAL_TZ: "America/New_York" };
const cal = createSession({ env });
const sandbox = createSession();
const ns = "/wp-json/calendar/events/v1";

beforeEach(server.reset);

/** Refused as a whole before anything is sent. */
async function refused(line: string) {
  const { stdout, stderr, code } = await cal(line);
  expect({ stdout, code, seen: server.receivedRequests }, stderr).toEqual({ stdout: "", code: 2, seen: [] });
  return stderr;
}

describe("cal api", () => {
  test.each([
    "https://evil.example/x",
    "http://127.0.0.1/x",
    "//evil.example/x",
    "HTTPS://evil.example",
    "javascript:x",
    "\\\\evil.example/x",
    "/\\evil.example/x",
    "../../x",
    "/../x",
    "a/../../x",
    "a/%2e%2e/x",
    "/%2E%2E/x",
    "./x",
    "a#b",
  ])("refuses %s", async (path) => {
    const { stdout, stderr, code } = await cal.runArgs(["api", "GET", path]);
    expect({ stdout, code, seen: server.receivedRequests }, stderr).toEqual({ stdout: "", code: 2, seen: [] });
  });

  test.each([
    ["api GET events", `GET ${ns}/events`],
    ["api get /wp/v2/users/me", "GET /wp-json/wp/v2/users/me"],
    ["api GET /", "GET /wp-json/"],
    ["api GET ''", `GET ${ns}`],
    ["api GET events?per_page=1 --query search=a=b", `GET ${ns}/events?per_page=1&search=a%3Db`],
    ["api GET events/by-slug/%E6%97%A5", `GET ${ns}/events/by-slug/%E6%97%A5`],
    ["api GET events/by-slug/日", `GET ${ns}/events/by-slug/%E6%97%A5`],
    ["api GET events --query 'tags[]=1' --query 'tags[]=2'", `GET ${ns}/events?tags[]=1&tags[]=2`],
    ["api DELETE tags/7", `DELETE ${ns}/tags/7`],
    ['api PUT tags/7 --data \'{"name":"a","n":9007199254740993}\'', `PUT ${ns}/tags/7 {"name":"a","n":9007199254740993}`],
    ["api DELETE 'tags/7?include=1&search=a?b&confirm=1'", `DELETE ${ns}/tags/7?include=1&search=a%3Fb&confirm=1`],
    ["api PATCH tags/7 --set-json a=9007199254740993", `PATCH ${ns}/tags/7 {"a":9007199254740993}`],
    ["api PATCH tags/7 --data 'name: a' --set slug=b --set-json 'x=[1]'", `PATCH ${ns}/tags/7 {"name":"a","slug":"b","x":[1]}`],
  ])("cal %s", async (line, request) => {
    const { code, stderr } = await cal(line);
    expect({ seen: server.receivedRequests, code }, stderr).toEqual({ seen: [request], code: 0 });
  });

  test.each([
    ["api FETCH events", "FETCH is not a method"],
    ["api GET events --set a=b", "a GET has no body"],
    ["api POST events --all", "--all needs GET"],
    ["api POST tags --set nothing", "--set takes name=value"],
    ["api POST tags --set-json a={", "--set-json a takes JSON"],
    ["api POST tags --set-json a=1e400", "the number 1e400 is too large"],
    [`api POST tags --set-json a=${"[".repeat(1000)}${"]".repeat(1000)}`, "nested deeper than 500 levels"],
    ["api POST tags --data '{\"a\":1e400}'", "the number 1e400 is too large"],
    ["api POST tags --data 'a: .inf'", "Infinity"],
    ["api POST tags --data 'a: !!set {b}'", "!!set"],
    ["api GET events --query nothing", "--query takes name=value"],
  ])("cal %s is refused", async (line, reported) => {
    expect(await refused(line)).toContain(reported);
  });

  test("--show-headers reports status and headers, and stdout stays data", async () => {
    server.responses.set(`${ns}/x`, { a: 1 });
    const { stdout, stderr, code } = await cal("api GET x --show-headers --json");
    expect({ stdout, code }).toEqual({ stdout: '{\n  "a": 1\n}\n', code: 0 });
    expect(stderr).toMatch(/^HTTP 200\n(?:[a-z-]+: .*\n)*content-type: application\/json\n/);
  });

  test("--all reads all pages of a list into one array", async () => {
    const { stdout, code } = await sandbox("api GET tags --query per_page=3 --query hide_empty=false --all --json --field id");
    expect({ stdout: stdout.trim().split("\n").sort(), code }).toEqual({
      stdout: ["12", "13", "14", "15", "16", "17", "18", "19"],
      code: 0,
    });
  });

  describe("a write whose answer can't be shown as asked reports that it was sent", () => {
    test.each([
      ["--columns nope", 'unknown field "nope" in --fields'],
      ["--fields nope", 'unknown field "nope" in --fields'],
      ["--field nope --json", 'unknown field "nope" in --field'],
    ])("%s", async (flag, what) => {
      const { code, stdout, stderr } = await cal(`api POST tags --set name=x ${flag}`);
      expect({ code, stdout, seen: server.receivedRequests }).toEqual({ code: 10, stdout: "", seen: [`POST ${ns}/tags {"name":"x"}`] });
      const reported = stderr.startsWith("{") ? JSON.parse(stderr).error.message : stderr;
      expect(reported).toContain(`POST /calendar/events/v1/tags was sent and answered 200; only the answer can't be shown so: ${what}`);
    });

    test("a read is a usage error as everywhere", async () => {
      expect((await cal("api GET x --fields nope")).code).toBe(2);
    });
  });

  test("--all is for lists", async () => {
    server.responses.set(`${ns}/x`, { a: 1 });
    const { stderr, code } = await cal("api GET x --all");
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--all is for lists") });
  });
});
