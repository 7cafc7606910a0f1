// A server that notes what it is sent and answers as little as a client needs: no knowledge of the specs, so it can't agree with them by accident.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface RequestRecorder {
  readonly url: string;
  /** Requests as `METHOD path?query` with decoded brackets, and the JSON body behind a space where there was one. */
  readonly receivedRequests: string[];
  readonly headers: IncomingMessage["headers"][];
  /** What a path answers beside the plain answers; the path without its query. */
  readonly responses: Map<string, unknown>;
  /** Starts again: no requests, and the plain answers alone. */
  reset(): void;
}

/** Starts a recorder; it ends with the test file. */
export async function startRequestRecorder(): Promise<RequestRecorder> {
  const receivedRequests: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const responses = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    receivedRequests.push([`${request.method} ${request.url}`, body].filter((part) => part !== "").join(" "));
    headers.push(request.headers);
    const path = (request.url ?? "").split("?")[0] ?? "";
    const isList = request.method === "GET" && /\/(events|venues|organizers|categories|tags)$/.test(path);
    const answer = responses.get(path) ?? (isList ? [] : { id: 7, ...(body === "" ? {} : (JSON.parse(body) as object)) });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const reset = () => {
    receivedRequests.length = 0;
    headers.length = 0;
    responses.clear();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`, receivedRequests, headers, responses, reset };
}
