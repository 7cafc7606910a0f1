// One request on its socket: read, answered, written, noted; or spoiled by a fault that a test ordered.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CalError, messageOf } from "../errors.ts";
import { dispatchRequest, type SandboxState } from "./answer.ts";
import { authorizePath } from "./auth/authorize.ts";
import { createFaultResponse, type FaultList, type InjectedFault } from "./faults.ts";
import { readBody } from "./intake.ts";
import type { LoggedRequest } from "./options.ts";
import { jsonResponse, type SandboxRequest, type SandboxResponse } from "./wire.ts";

/** How many requests are remembered. */
const maxLoggedRequests = 1000;

/** What every exchange shares. */
export interface RequestHandlerContext {
  readonly state: SandboxState;
  readonly faults: FaultList;
  readonly requestLog: LoggedRequest[];
  readonly log: (line: string) => void;
  readonly onStoreError: (trouble: CalError) => void;
}

/** Answers a request. Rejects where its client goes away. */
export async function handleRequest(shared: RequestHandlerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { path, query } = parseRequestTarget(request.url ?? "/");
  const method = request.method ?? "GET";
  const fault = shared.faults.matchRequest(method, path);
  if (fault?.delay !== undefined) await sleep(fault.delay);
  const body = fault?.disconnect === "at-once" ? "" : await readBody(request);
  const incoming: SandboxRequest = { method, path, query, headers: getRequestHeaders(request), body: body ?? "" };
  const answer = fault?.disconnect === "at-once" ? undefined : await createResponse(shared, incoming, body === undefined, fault);
  const status = answer === undefined || fault?.disconnect === "before-answer" ? 0 : answer.status;
  recordRequest(shared, incoming, status);
  if (answer === undefined || status === 0) response.destroy();
  else writeResponse(response, answer, method === "HEAD", fault?.disconnect === "mid-answer");
}

/** The path and the query of a request line; some clients send whole addresses. */
function parseRequestTarget(url: string): { readonly path: string; readonly query: string } {
  const relative = url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  return mark < 0 ? { path: relative || "/", query: "" } : { path: relative.slice(0, mark) || "/", query: relative.slice(mark + 1) };
}

function getRequestHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

async function createResponse(
  { state, log, onStoreError }: RequestHandlerContext,
  incoming: SandboxRequest,
  tooLarge: boolean,
  fault: InjectedFault | undefined,
): Promise<SandboxResponse> {
  if (tooLarge)
    return jsonResponse(
      413,
      { code: "rest_body_too_large", message: "The body is over 1 MB.", data: { status: 413 } },
      { connection: "close" },
    );
  if (fault?.response !== undefined) return createFaultResponse(fault.response);
  const answer = await dispatchRequest(state, incoming, (error) => {
    log(`sandbox: ${messageOf(error)}`);
    if (error instanceof CalError) onStoreError(error);
  });
  return fault?.bodyOverride === undefined ? answer : { ...answer, body: fault.bodyOverride };
}

function recordRequest(
  { requestLog, log }: RequestHandlerContext,
  { method, path, query, headers, body }: SandboxRequest,
  status: number,
): void {
  const secret = path.startsWith("/api/auth/") || path === authorizePath;
  const scheme = (headers["authorization"] ?? "").split(" ")[0]?.toLowerCase() ?? "";
  requestLog.push({ method, path, query, scheme, contentType: headers["content-type"] ?? "", body: secret ? "" : body, status });
  if (requestLog.length > maxLoggedRequests) requestLog.shift();
  log(`${method} ${path} ${status === 0 ? "cut" : status}`);
}

function writeResponse(response: ServerResponse, answer: SandboxResponse, headOnly: boolean, half: boolean): void {
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, "content-length": bytes.length });
  if (!half) {
    response.end(headOnly ? undefined : bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}
