// A server for one test, on loopback: it answers what the test says, and records the requests.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { createSession, type Session, type SessionOptions } from "../../helpers/session.ts";

export interface ReceivedRequest {
  readonly method: string;
  /** Below /wp-json, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface TestServer {
  readonly url: string;
  /** `METHOD path?query` and the body, of every request. */
  readonly receivedRequests: string[];
}

/** Starts a server that ends with the test file; where nothing is said, no answer comes. */
export async function startTestServer(say: (asked: ReceivedRequest) => TestResponse | undefined): Promise<TestServer> {
  const receivedRequests: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const url = new URL(request.url ?? "/", "http://x");
    const method = request.method ?? "";
    receivedRequests.push(
      [`${method} ${decodeURIComponent(url.pathname.replace("/wp-json", "") + url.search)}`, body].filter((part) => part !== "").join(" "),
    );
    const said = say({ method, path: url.pathname.replace("/wp-json", ""), query: url.searchParams, body });
    if (said === undefined) return;
    const text = typeof said.body === "string" ? said.body : JSON.stringify(said.body ?? {});
    response.writeHead(said.status ?? 200, { "content-type": "application/json", ...said.headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`, receivedRequests };
}

/** A session at such a server; `tec` is a site that runs The Events Calendar. */
export function createServerSession(url: string, kind: "generic" | "tec" = "generic", options: SessionOptions = {}): Session {
  const own: Readonly<Record<string, string>> =
    kind === "tec" ? { CAL_NAMESPACE: "tribe/events/v1", CAL_USERNAME: "admin", CAL_PASSWORD: "p" } : { CAL_TOKEN: "t" };
  return createSession({ ...options, env: { CAL_SANDBOX: "0", CAL_BASE_URL: url, CAL_TZ: "America/New_York", ...own, ...options.env } });
}
