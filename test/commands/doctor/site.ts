// A test site: a few paths below /wp-json with their answers.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or unchanged text. `{}` by default. */
  readonly body?: unknown;
}

export type TestResponses = Readonly<Record<string, TestResponse | ((query: URLSearchParams, request: IncomingMessage) => TestResponse)>>;

export interface TestSite {
  /** The REST root. */
  readonly url: string;
  /** Every request, as `METHOD /path`, the path below the root. */
  readonly receivedRequests: string[];
}

/** Serves the answers until the test file ends. Other paths get the 404 of WordPress. */
export async function startTestSite(answers: TestResponses): Promise<TestSite> {
  const receivedRequests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://site");
    const path = url.pathname.replace(/^\/wp-json/, "");
    receivedRequests.push(`${request.method} ${path}`);
    const found = answers[path] ?? { status: 404, body: { code: "rest_no_route", message: "No route was found.", data: { status: 404 } } };
    const { status = 200, headers = {}, body = {} } = typeof found === "function" ? found(url.searchParams, request) : found;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`, receivedRequests };
}
