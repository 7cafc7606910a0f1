// Bytes of every kind on the sandbox's socket: they get a refusal or no answer, never an internal error, and the sandbox goes on.

import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { fixedNow } from "../helpers/session.ts";
import { getRunOptions } from "./runs.ts";
import { arbitraryHostileText } from "./words.ts";

const defects: string[] = [];
const sandboxes = await Promise.all(
  (["generic", "the-events-calendar"] as const).map((serverProfile) =>
    startSandbox({
      file: ":memory:",
      day: fixedNow.slice(0, 10),
      now: () => Date.parse(fixedNow),
      serverProfile,
      log: (line) => (line.startsWith("sandbox: ") ? defects.push(line) : undefined),
    }),
  ),
);
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));
const anySandbox = fc.constantFrom(...sandboxes);

/** How a client ends: it says that it has no more, it hangs up hard, or it stays silent and is left standing. */
type End = "end" | "reset" | "half-open";

/** Sends bytes and reads what comes until the sandbox hangs up, or, of a client that waits, until there is an answer. */
function raw({ port }: Sandbox, bytes: Buffer, end: End): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      if (end === "end") socket.end(bytes);
      else socket.write(bytes, () => (end === "reset" ? socket.resetAndDestroy() : setTimeout(() => socket.destroy(), 5)));
    });
    socket.on("data", (data) => {
      answer += data.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(answer));
  });
}

async function isAlive({ baseUrl, namespace, token }: Sandbox): Promise<boolean> {
  const response = await fetch(`${baseUrl}/${namespace}/events?per_page=1`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status === 200;
}

/** Every answer on a connection is a status of HTTP below 500. The real server's fatal error (a list in a list of terms) is its habit. */
function strange(answer: string): readonly string[] {
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  if (answer !== "" && !/^HTTP\/1\.1 \d{3}/.test(answer)) return ["no HTTP"];
  return statuses.filter((status) => status >= 500 && !answer.includes("critical error")).map(String);
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", "", "\u00e9"];
const paths = [
  "/",
  "*",
  "http://x/",
  "//",
  "/wp-json",
  "/wp-json/",
  "/?rest_route=/",
  "/?rest_route=%",
  "/api/auth/token",
  "/api/auth/app",
  "/login",
  "/wp-admin/authorize-application.php",
  "/wp-json/wp/v2/users/me",
];
const calendars = ["calendar/events/v1", "tribe/events/v1"].flatMap((namespace) =>
  [
    "events",
    "events/100",
    "events/999999999999999999999",
    "events/by-slug/x",
    "events/by-slug/%",
    "events/by-slug/%c3%28",
    "venues/by-slug/%2e%2e%2f",
    "categories/-1",
    "tags/1e3",
    "doc",
    "nothing",
  ].map((path) => `/wp-json/${namespace}/${path}`),
);
const tail = fc.oneof(
  fc.constant(""),
  arbitraryHostileText.map((text) => `?${text}`),
  fc.constantFrom(
    "?page=%",
    "?page[]=1&page[][]=2",
    "?%ff=%fe",
    "?start_date[$gt]=1",
    `?${"a=1&".repeat(2000)}`,
    "?per_page=1e3",
    "?include[]=a&include[0]=b&include=c",
    "?_method=DELETE",
    "?page=999999999999999999999999",
  ),
);
const header = fc.oneof(
  fc.constantFrom(
    "Host: x",
    "Host:",
    "Host: x\r\nHost: y",
    "Connection: close",
    "Connection: upgrade\r\nUpgrade: websocket",
    "Expect: 100-continue",
    "Expect: x",
    "Authorization: Basic %%%",
    "Authorization: Bearer",
    "Authorization: x y",
    "Content-Type: application/json",
    "Content-Type: multipart/form-data; boundary=x",
    "Content-Type: application/x-www-form-urlencoded",
    "Cookie: a=b; __proto__=c",
    `X: ${"y".repeat(20_000)}`,
    "no colon",
    ": x",
    " folded: x",
    "X-HTTP-Method-Override: DELETE",
    "Range: bytes=0-1",
    "Accept-Encoding: gzip;q=9",
    "__proto__: x",
  ),
  arbitraryHostileText.map((text) => `X-Fuzz: ${text}`),
);
const body = fc.oneof(
  fc.constantFrom(
    "",
    "Content-Length: 5\r\n\r\nab",
    "Content-Length: -1\r\n\r\n",
    "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    "Transfer-Encoding: chunked\r\n\r\n5\r\nab\r\n",
    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx",
    "Transfer-Encoding: gzip\r\n\r\n",
  ),
  fc
    .oneof(
      arbitraryHostileText,
      fc.json(),
      fc.constantFrom("a[b][c]=1&a[b]=2", "grant_type=x&client_id[]=y", "%=%&=", '{"title":"\\ud800"}'),
    )
    .map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
);
const request = fc
  .tuple(fc.constantFrom(...methods), fc.constantFrom(...paths, ...calendars), tail, fc.array(header, { maxLength: 4 }), body, fc.boolean())
  .map(([method, path, query, headers, content, token]) => ({ method, path: `${path}${query}`, headers, content, token }));
const end: fc.Arbitrary<End> = fc.constantFrom("end", "end", "end", "reset", "half-open");

test("requests in every broken form", async () => {
  await fc.assert(
    fc.asyncProperty(anySandbox, request, end, async (sandbox, { method, path, headers, content, token }, how) => {
      const access = token ? [`Authorization: Bearer ${sandbox.token}`] : [];
      const text = [`${method} ${path} HTTP/1.1`, ...access, ...headers, content].join("\r\n");
      expect(strange(await raw(sandbox, Buffer.from(text), how))).toEqual([]);
      expect(defects).toEqual([]);
    }),
    getRunOptions(600),
  );
  expect(await Promise.all(sandboxes.map(isAlive))).toEqual([true, true]);
}, 300_000);

test("bytes that are no request at all", async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .constantFrom(
        "\u0016\u0003\u0001",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /\r\n",
        "\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
      )
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(anySandbox, bytes, end, async (sandbox, sent, how) => {
      expect(strange(await raw(sandbox, Buffer.from(sent), how))).toEqual([]);
    }),
    getRunOptions(200),
  );
  expect(await Promise.all(sandboxes.map(isAlive))).toEqual([true, true]);
}, 300_000);

test("JSON of every shape, on every route, as the admin", async () => {
  const field = fc.constantFrom(
    "title",
    "name",
    "venue",
    "organizer",
    "slug",
    "parent",
    "start_date",
    "end_date",
    "timezone",
    "cost",
    "image",
    "author",
    "date",
    "status",
    "categories",
    "tags",
    "website",
    "show_map",
    "all_day",
    "id",
    "__proto__",
    "constructor",
  );
  const shape = fc.oneof(
    fc.dictionary(field, fc.oneof(arbitraryHostileText, fc.jsonValue({ maxDepth: 3 })), { maxKeys: 6 }),
    fc.jsonValue({ maxDepth: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(
      anySandbox,
      fc.constantFrom("POST", "PUT", "PATCH", "DELETE"),
      fc.constantFrom("events", "venues", "organizers", "categories", "tags"),
      fc.constantFrom("", "/1", "/100", "/by-slug/town-hall"),
      shape,
      async (sandbox, method, resource, record, json) => {
        const admin = sandbox.users.find(({ username }) => username === "admin")?.applicationPassword ?? "";
        const authorization = sandbox.namespace.startsWith("tribe/")
          ? `Basic ${Buffer.from(`admin:${admin}`).toString("base64")}`
          : `Bearer ${sandbox.token}`;
        const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/${resource}${record}`, {
          method,
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify(json),
        });
        const text = await response.text();
        expect({ fine: response.status < 500 || text.includes("critical error"), defects }).toEqual({ fine: true, defects: [] });
      },
    ),
    getRunOptions(300),
  );
  expect(await Promise.all(sandboxes.map(isAlive))).toEqual([true, true]);
}, 300_000);
