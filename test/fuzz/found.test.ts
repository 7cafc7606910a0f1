// What fuzzing has found, each as a user saw it.

import { beforeEach, expect, test } from "vitest";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const server = await startRequestRecorder();
const ns = "/wp-json/calendar/events/v1";
const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t", CAL_RETRIES: "0" } });

beforeEach(server.reset);

test("a record whose name is an object with the key toString is an odd name, not an internal error", async () => {
  server.responses.set(`${ns}/categories/7`, { id: 7, name: { toString: true } });
  const { code, stderr } = await cal("categories update 7 --name y --json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^warning: /m) });
});

test("an error whose reasons are objects is reported with them", async () => {
  server.responses.set(`${ns}/tags/7`, { errors: { bad: [{ toString: 1 }] } });
  expect(await cal("tags get 7")).toEqual({ stdout: "", stderr: expect.stringContaining('{"toString":1}'), code: 6 });
});

test("a list that holds a huge number is no list of records, and says so", async () => {
  server.responses.set(`${ns}/events`, [9007199254740992]);
  expect(await cal("events list")).toEqual({ stdout: "", stderr: expect.stringContaining("not a record: 90071992547409"), code: 7 });
});

test("half a letter in a ref is sent as the sign for it, also when another ref is under way", async () => {
  expect(await cal.runArgs(["venues", "get", "slug:\ud800", "hall"])).toMatchObject({ code: 0 });
  expect([...server.receivedRequests].sort()).toEqual([`GET ${ns}/venues/by-slug/%EF%BF%BD`, `GET ${ns}/venues/by-slug/hall`]);
});

test("half a letter in the path of cal api is sent as the sign for it", async () => {
  expect(await cal.runArgs(["api", "GET", "events/\ud800"])).toMatchObject({ code: 0 });
  expect(server.receivedRequests).toEqual([`GET ${ns}/events/%EF%BF%BD`]);
});

test("cal api --all ends at an empty page, and at one that repeats the page before it, whatever total the server claims", async () => {
  server.responses.set(`${ns}/events`, { events: [], total: 1e6, total_pages: 1e5 });
  expect(await cal("api GET events --all")).toMatchObject({ stdout: "[]\n", code: 0 });
  expect(server.receivedRequests.length).toBe(2);
  server.responses.set(`${ns}/events`, { events: [{ id: 1 }], total: 1e6, total_pages: 1e5 });
  expect(await cal("api GET events --all --format count")).toMatchObject({ stdout: "1\n", code: 0 });
  expect(server.receivedRequests.length).toBe(4);
});

test.each(["--format ids", "--format count", "--field title"])("with %s, a ref that failed is reported on stderr", async (format) => {
  server.responses.set(`${ns}/events/2`, { errors: { "event-not-found": ["There is none"] } });
  const { stderr, code } = await cal(`events get 1 2 ${format}`);
  expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^cal: 2: .*There is none.*\n$/), code: 8 });
});

test("a number beyond 2^53 in the wrong field of --data is reported exactly", async () => {
  const { stderr, code } = await cal.runArgs(["tags", "create", "--data", '{"name":{"a":9007199254740993}}']);
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('not {"a":9007199254740993}'), code: 2 });
  expect(server.receivedRequests).toEqual([]);
});
