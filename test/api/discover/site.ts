// A small website on loopback that answers with recordings, with its own origin in place of the recorded one.

import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createHttpConnection } from "../../../src/http/undici.ts";

/** An answer of the site. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

const recordedAt = "http://127.0.0.1:8089";

/** A recorded answer, by the name of its file. */
export function readRecordedResponse(name: string): TestResponse {
  const text = readFileSync(new URL(`../../recorded/${name}.http`, import.meta.url), "utf8");
  const [head = "", ...rest] = text.split(/\r?\n\r?\n/);
  const [first = "", ...lines] = head.split(/\r?\n/);
  const headers: Record<string, string[]> = {};
  for (const line of lines) {
    const at = line.indexOf(":");
    const header = line.slice(0, at).toLowerCase();
    if (header !== "transfer-encoding" && header !== "connection")
      headers[header] = [...(headers[header] ?? []), line.slice(at + 1).trim()];
  }
  return { status: Number(first.split(" ")[1]), headers, body: rest.join("\n\n") };
}

/** A JSON answer. */
export function createJsonResponse(value: unknown, status = 200): TestResponse {
  return { status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(value) };
}

/** A page that names no interface. */
export const notFoundResponse: TestResponse = { status: 404, headers: { "content-type": "text/html" }, body: "<h1>404 Not Found</h1>" };

/** Serves answers by path and query; everything else is `notFoundResponse`. */
export async function startTestSite(answers: Readonly<Record<string, TestResponse>>) {
  const seen: { readonly line: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    const { status, headers, body } = answers[request.url ?? ""] ?? notFoundResponse;
    for (const [name, value] of Object.entries(headers))
      response.setHeader(name, Array.isArray(value) ? value.map(replaceOrigin) : replaceOrigin(value));
    response.writeHead(status).end(replaceOrigin(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const replaceOrigin = (text: string) =>
    text.replaceAll(recordedAt, origin).replaceAll(recordedAt.replaceAll("/", "\\/"), origin.replaceAll("/", "\\/"));
  const connection = createHttpConnection({ timeout: 5000, connections: 4 });
  const close = async () => {
    await connection.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, port: address.port, seen, send: connection.send, close };
}
