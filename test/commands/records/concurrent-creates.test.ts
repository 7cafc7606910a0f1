// --create-missing beside other programs: a record that is created between the look-up and the create is used, not refused.

import { expect, test } from "vitest";
import { createServerSession, startTestServer, type TestResponse } from "./server.ts";

const exists: TestResponse = {
  status: 400,
  body: { code: "term_exists", message: "A term with the name provided already exists in this taxonomy.", data: { status: 400 } },
};

/** An event is updated with a tag that is refused; afterwards the list of tags is this. */
async function updated(afterwards: readonly { readonly id: number; readonly name: string }[]) {
  let refused = false;
  const server = await startTestServer(({ method, path }) => {
    const isTag = path.endsWith("/tags");
    if (isTag && method === "POST") {
      refused = true;
      return exists;
    }
    if (isTag) return { body: refused ? afterwards : [] };
    return { body: { id: 7, title: "A", tags: method === "GET" ? [] : [{ id: 9, name: "Jazz" }] } };
  });
  const { stdout, stderr, code } = await createServerSession(server.url)("events update 7 --tag jazz --create-missing --field id");
  return { stdout, stderr, code, written: server.receivedRequests.filter((request) => /^P\w+ \S+\/events\/7/.test(request)) };
}

test("a tag that another job has just created is linked", async () => {
  expect(await updated([{ id: 9, name: "Jazz" }])).toMatchObject({
    stdout: "7\n",
    code: 0,
    written: [expect.stringContaining('"tags":[9]')],
  });
});

test("a tag that is refused and not there is reported as it was refused", async () => {
  const { code, stderr, written } = await updated([]);
  expect({ code, written }).toEqual({ code: 6, written: [] });
  expect(stderr).toContain("A term with the name provided already exists");
});

test("a venue that another job has just created is linked, where a second one would be merged into it", async () => {
  let lookups = 0;
  const server = await startTestServer(({ method, path }) => {
    if (path.endsWith("/venues") && method === "GET") {
      lookups += 1;
      return { body: { venues: lookups > 1 ? [{ id: 4, venue: "New Hall", slug: "new-hall" }] : [], total: lookups > 1 ? 1 : 0 } };
    }
    if (path.includes("/by-slug/")) return { status: 404, body: { code: "not-found", message: "none", data: { status: 404 } } };
    return { status: 201, body: { id: 8, title: "A", venue: { id: 4, venue: "New Hall" } } };
  });
  const line = "events create --title A --start-date '2027-02-01 20:00' --duration 2h --venue 'New Hall' --create-missing --field id";
  const { stdout, stderr, code } = await createServerSession(server.url, "tec")(line);
  expect({ stdout, code }, stderr).toEqual({ stdout: "8\n", code: 0 });
  expect(server.receivedRequests.filter((request) => request.startsWith("POST"))).toEqual([
    expect.stringMatching(/^POST \S+\/events .*"venue":"?4\b/),
  ]);
});
