// The sandbox answers whatever is sent, and survives it; and it has faults only where a test injects them.

import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { callApi, createBasicHeader, day, fetchApiJson, getValueAt, noon, sendRequest, startTestSandbox } from "./client.ts";

const event = { title: "x", start_date: "2027-04-01 20:00:00", end_date: "2027-04-01 23:00:00" };

/** Sends bytes as they are and reads until the sandbox hangs up. */
function raw(sandbox: Sandbox, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(sandbox.port, "127.0.0.1", () => socket.end(bytes));
    socket.on("data", (data) => (answer += data));
    socket.on("error", () => resolve(answer));
    socket.on("close", () => resolve(answer));
  });
}

describe("bad requests", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", "HTTP/1.1 400"],
    ["a header without end", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, "HTTP/1.1 431"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 400"],
    ["a whole address", "GET http://127.0.0.1/wp-json/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", "HTTP/1.1 200"],
    [
      "half a percent sign",
      "GET /wp-json/calendar/events/v1/events/by-slug/%e6% HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "HTTP/1.1 401",
    ],
    ["a method of its own", "BREW /wp-json/ HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "HTTP/1.1 400"],
    ["CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", ""],
  ])("%s", async (_what, bytes, start) => {
    const sandbox = await startTestSandbox();
    expect((await raw(sandbox, bytes)).startsWith(start)).toBe(true);
    expect((await callApi(sandbox, "events?per_page=1")).status).toBe(200);
  });

  test("a client that leaves in the middle of its body does no harm", async () => {
    const sandbox = await startTestSandbox();
    await new Promise<void>((resolve) => {
      const socket = connect(sandbox.port, "127.0.0.1", () => {
        socket.write(
          "POST /wp-json/calendar/events/v1/tags HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        );
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on("close", () => resolve());
    });
    expect((await callApi(sandbox, "tags")).status).toBe(200);
  });

  test.each([
    ["broken JSON", "{", 400],
    ["a list", "[]", 400],
    ["deep nesting", `{"title":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, 400],
    ["over a megabyte", `{"title":"${"x".repeat(1_100_000)}"}`, 413],
    ["a prototype", '{"__proto__":{"title":"x"},"constructor":1}', 400],
  ])("%s is an error as JSON", async (_what, form, status) => {
    const sandbox = await startTestSandbox();
    const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
    expect(await fetchApiJson(sandbox, "events", { form, headers })).toMatchObject({ status, body: { data: { status } } });
  });

  test("reading a body without an end stops", async () => {
    const sandbox = await startTestSandbox();
    const socket = connect(sandbox.port, "127.0.0.1");
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write("POST /wp-json/calendar/events/v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
    const piece = Buffer.alloc(1_000_000);
    let sent = 0;
    // What the system holds on its way counts as sent.
    for (; sent < 100 && !socket.destroyed; sent += 1)
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    expect(sent).toBeGreaterThan(30);
    expect(sent).toBeLessThan(100);
  });

  test("of many requests the last thousand are remembered", async () => {
    const sandbox = await startTestSandbox();
    for (let at = 0; at < 1010; at += 10)
      await Promise.all(Array.from({ length: 10 }, (_, step) => sendRequest(`${sandbox.baseUrl}/nothing/${at + step}`)));
    const paths = sandbox.requests().map(({ path }) => path);
    expect([paths.length, paths.includes("/wp-json/nothing/1009"), paths.includes("/wp-json/nothing/0")]).toEqual([1000, true, false]);
  });

  test("of large requests as many are remembered as 16 MB hold", async () => {
    const sandbox = await startTestSandbox();
    const form = "x".repeat(1_000_000);
    for (let at = 0; at < 20; at += 1) await sendRequest(`${sandbox.baseUrl}/nothing/${at}`, { form });
    const kept = sandbox.requests();
    expect(kept.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(8_000_000);
    expect([kept.length, kept.at(-1)?.path]).toEqual([7, "/wp-json/nothing/19"]);
  });

  test.each([
    ["127.0.0.1", 200],
    ["127.0.0.1:8123", 200],
    ["LOCALHOST:80", 200],
    ["[::1]:8123", 200],
    ["evil.example", 421],
    ["127.0.0.1.evil.example:8123", 421],
    ["a.localhost", 421],
    ["127.0.0.2", 421],
    ["localhost@evil.example", 421],
    ["", 421],
  ])("the host %s is answered with %i", async (host, status) => {
    const sandbox = await startTestSandbox();
    const bytes = `GET /wp-json/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await raw(sandbox, bytes)).split(" ")[1]).toBe(String(status));
  });

  test("a whole address counts more than the host beside it", async () => {
    const sandbox = await startTestSandbox();
    const bytes = "GET http://evil.example/wp-json/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    expect((await raw(sandbox, bytes)).split(" ")[1]).toBe("421");
  });

  test("only this machine's own address is listened at", async () => {
    const { port } = await startTestSandbox();
    const socket = connect(port, "127.0.0.2");
    const outcome = await new Promise((resolve) => {
      socket.on("connect", () => resolve("connected"));
      socket.on("error", () => resolve("refused"));
    });
    socket.destroy();
    expect(outcome).toBe("refused");
  });

  test("strange but right texts are stored as they are", async () => {
    const sandbox = await startTestSandbox();
    const title = "\0 \ud83d\ude00 \u202e ' \" <x> \\ \u2028";
    expect(await fetchApiJson(sandbox, "events", { json: { ...event, title } })).toMatchObject({ status: 201, body: { title } });
  });

  const paths = ["events", "events/100", "venues", "venues/by-slug/town-hall", "categories/3", "tags", "doc", "nothing/1"];
  const anything = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
    path: fc.constantFrom(...paths),
    query: fc.dictionary(
      fc.constantFrom("page", "per_page", "start_date", "venue[]", "include[a][b]", "search", "id", "_method", "a".repeat(99)),
      fc.string(),
    ),
    json: fc.option(
      fc.dictionary(
        fc.constantFrom(
          "title",
          "venue",
          "start_date",
          "end_date",
          "name",
          "parent",
          "image",
          "cost",
          "timezone",
          "organizer",
          "slug",
          "categories",
          "author",
          "date",
        ),
        fc.jsonValue(),
      ),
    ),
  });

  test.each(["generic", "the-events-calendar"] as const)("anything at all gets an answer below 500 (%s)", async (serverProfile) => {
    const sandbox = await startTestSandbox({ serverProfile });
    await fc.assert(
      fc.asyncProperty(anything, async ({ method, path, query, json }) => {
        const body = method === "GET" || json === null ? {} : { json };
        const { status, text } = await callApi(sandbox, `${path}?${new URLSearchParams(query)}`, {
          headers: { authorization: `Bearer ${sandbox.token}` },
          method,
          ...body,
        });
        // A list in a list of terms is a fatal error on the real server too.
        return status < 500 || text.includes("critical error");
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

test("50 clients at once: everyone gets an answer, and every write is there", async () => {
  const sandbox = await startTestSandbox();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => fetchApiJson(sandbox, "tags", { json: { name: `client ${index}` } })),
  );
  expect(new Set(replies.map(({ body }) => getValueAt(body, "id"))).size).toBe(50);
  expect((await fetchApiJson(sandbox, "tags?hide_empty=0&search=client&per_page=1")).body).toMatchObject({ total: 50 });
});

describe("injected faults", () => {
  test("an answer instead, for the next two after the first", async () => {
    const sandbox = await startTestSandbox({
      faults: [
        { method: "GET", path: "/events", skip: 1, times: 2, response: { status: 503, headers: { "retry-after": "1" }, body: "{}" } },
      ],
    });
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await callApi(sandbox, "events")).status);
    expect([statuses, (await callApi(sandbox, "tags")).status]).toEqual([[200, 503, 503, 200], 200]);
  });

  test("garbage, and nothing once cleared", async () => {
    const sandbox = await startTestSandbox();
    sandbox.faults.add({ bodyOverride: "<html>proxy</html>" });
    expect((await callApi(sandbox, "tags")).text).toBe("<html>proxy</html>");
    sandbox.faults.clear();
    expect((await fetchApiJson(sandbox, "tags")).status).toBe(200);
  });

  test.each([
    ["at-once", 404],
    ["before-answer", 200],
    ["mid-answer", 200],
  ] as const)("a connection cut %s leaves the write at %i", async (disconnect, status) => {
    const sandbox = await startTestSandbox();
    const made = await fetchApiJson(sandbox, "tags", { json: { name: "one" } });
    sandbox.faults.add({ method: "POST", times: 1, disconnect });
    await expect(fetchApiJson(sandbox, "tags", { json: { name: "two" } })).rejects.toThrow();
    expect((await fetchApiJson(sandbox, `tags/${Number(getValueAt(made.body, "id")) + 1}`)).status).toBe(status);
  });

  test("a delay is at least as long as it says", async () => {
    const sandbox = await startTestSandbox({ faults: [{ delay: 60 }] });
    const started = performance.now();
    await callApi(sandbox, "tags");
    expect(performance.now() - started).toBeGreaterThan(55);
  });
});

test("a port that is taken is an error; a closed sandbox frees its port", async () => {
  const sandbox = await startTestSandbox();
  const again = { file: ":memory:", day, now: () => noon, port: sandbox.port };
  await expect(startSandbox(again)).rejects.toMatchObject({
    kind: "local",
    message: `port ${sandbox.port} of 127.0.0.1 is taken by another program`,
  });
  await sandbox.close();
  const next = await startSandbox(again);
  expect(next.port).toBe(sandbox.port);
  await next.close();
  await next.close();
});

test("a date that does not exist is refused", async () => {
  await expect(startTestSandbox({ day: "2027-02-30" })).rejects.toMatchObject({ kind: "usage" });
});

test("requests are remembered", async () => {
  const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar" });
  await sendRequest(`${sandbox.baseUrl}/wp/v2/users/me?context=edit`, { headers: createBasicHeader(sandbox, "admin") });
  expect(sandbox.requests()).toEqual([
    { method: "GET", path: "/wp-json/wp/v2/users/me", query: "context=edit", scheme: "basic", contentType: "", body: "", status: 200 },
  ]);
});
