// --method put sends categories and tags only where they were given or the server documents them: a strict server refuses unknown fields.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer } from "./server.ts";

const event = {
  id: 7,
  title: "A",
  start_date: "2027-02-01 10:00:00",
  end_date: "2027-02-01 11:00:00",
  categories: [{ id: 3, name: "Jazz" }],
  tags: [{ id: 12, name: "Free" }],
};

const schemaOf = (properties: object) => ({
  paths: {
    "/events/{id}": { put: { requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Event" } } } } } },
  },
  components: { schemas: { Event: { type: "object", properties } } },
});

/** Updates the event at a server with this document; resolves with the bodies of the writes, the reads and what was said. */
async function update(line: string, document: unknown) {
  const server = await startTestServer(({ path, method }) => {
    if (path.endsWith("/doc"))
      return document === undefined ? { status: 404, body: { code: "rest_no_route", message: "x" } } : { body: document };
    return { body: { ...event, ...(method === "PUT" ? { title: "B" } : {}) } };
  });
  const { stderr } = await expectExitCode(createServerSession(server.url)(line), 0);
  const bodies = server.receivedRequests.flatMap((request) => /^PUT \S+ (.*)$/.exec(request)?.[1] ?? []).map((body) => JSON.parse(body));
  return { bodies, reads: server.receivedRequests.filter((request) => request.endsWith("/doc")).length, stderr };
}

const own = { title: "B", start_date: event.start_date, end_date: event.end_date };
const line = "events update 7 --title B --method put";

describe("events update --method put", () => {
  test.each([
    ["no document", undefined],
    ["a document without them", schemaOf({ title: {}, venue: { properties: { tags: {} } } })],
  ])("with %s", async (_what, document) => {
    const { bodies, stderr } = await update(line, document);
    expect(bodies).toEqual([own]);
    expect(stderr).toContain(
      'warning: event 7 "A": categories and tags not sent: the server\'s documentation does not name them; --method patch leaves',
    );
  });

  test("with a document that names one of them", async () => {
    const { bodies } = await update(line, schemaOf({ title: {}, tags: {} }));
    expect(bodies).toEqual([{ ...own, tags: [12] }]);
  });

  test("what was given is sent, and the document is read once for all records", async () => {
    const given = await update("events update 7 --title B --category 3 --method put", undefined);
    expect(given.bodies).toEqual([{ ...own, categories: [3] }]);
    const many = await update("events update 7 8 9 --title B --method put", undefined);
    expect([many.bodies.length, many.reads]).toEqual([3, 1]);
  });

  test("in the sandbox, whose document names them, they stay", async () => {
    const { cal, fetchJson } = await openSandboxSession("generic");
    const before = await fetchJson("events/103");
    await expectExitCode(cal("events update 103 --title B --method put"), 0);
    expect(await fetchJson("events/103")).toMatchObject({ title: "B", categories: before["categories"], tags: before["tags"] });
  });
});
