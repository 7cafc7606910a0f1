// A server that gives whatever answer a test has put under a path.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ((response: ServerResponse) => void);
}

/** Starts the server; `answerOf` is asked with `METHOD path` for every request. */
export async function startTestServer(answerOf: (asked: string) => TestResponse): Promise<string> {
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body } = answerOf(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    if (typeof body === "function") body(response);
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`;
}
