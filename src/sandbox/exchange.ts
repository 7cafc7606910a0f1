// One request on its socket: read, answered, written, noted; or spoiled by a fault that a test ordered.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CalError, messageOf } from "../errors.ts";
import { answerOf, type World } from "./answer.ts";
import { authorizePath } from "./auth/authorize.ts";
import { type FaultList, faultAnswer, type OrderedFault } from "./faults.ts";
import { bodyOf } from "./intake.ts";
import type { SeenRequest } from "./options.ts";
import { type Answer, type Incoming, json } from "./wire.ts";

/** How many requests are remembered. */
const remembered = 1000;

/** What every exchange shares. */
export interface Exchanges {
  readonly world: World;
  readonly faults: FaultList;
  readonly seen: SeenRequest[];
  readonly log: (line: string) => void;
  readonly onTrouble: (trouble: CalError) => void;
}

/** Answers a request. Rejects where its client goes away. */
export async function exchange(shared: Exchanges, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { path, query } = target(request.url ?? "/");
  const method = request.method ?? "GET";
  const fault = shared.faults.take(method, path);
  if (fault?.delay !== undefined) await sleep(fault.delay);
  const body = fault?.cut === "at-once" ? "" : await bodyOf(request);
  const incoming: Incoming = { method, path, query, headers: headersOf(request), body: body ?? "" };
  const answer = fault?.cut === "at-once" ? undefined : await answered(shared, incoming, body === undefined, fault);
  const status = answer === undefined || fault?.cut === "before-answer" ? 0 : answer.status;
  note(shared, incoming, status);
  if (answer === undefined || status === 0) response.destroy();
  else send(response, answer, method === "HEAD", fault?.cut === "mid-answer");
}

/** The path and the query of a request line; some clients send whole addresses. */
function target(url: string): { readonly path: string; readonly query: string } {
  const relative = url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  return mark < 0 ? { path: relative || "/", query: "" } : { path: relative.slice(0, mark) || "/", query: relative.slice(mark + 1) };
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

async function answered(
  { world, log, onTrouble }: Exchanges,
  incoming: Incoming,
  tooLarge: boolean,
  fault: OrderedFault | undefined,
): Promise<Answer> {
  if (tooLarge)
    return json(413, { code: "rest_body_too_large", message: "The body is over 1 MB.", data: { status: 413 } }, { connection: "close" });
  if (fault?.answer !== undefined) return faultAnswer(fault.answer);
  const answer = await answerOf(world, incoming, (error) => {
    log(`sandbox: ${messageOf(error)}`);
    if (error instanceof CalError) onTrouble(error);
  });
  return fault?.garble === undefined ? answer : { ...answer, body: fault.garble };
}

function note({ seen, log }: Exchanges, { method, path, query, headers, body }: Incoming, status: number): void {
  const secret = path.startsWith("/api/auth/") || path === authorizePath;
  const scheme = (headers["authorization"] ?? "").split(" ")[0]?.toLowerCase() ?? "";
  seen.push({ method, path, query, scheme, contentType: headers["content-type"] ?? "", body: secret ? "" : body, status });
  if (seen.length > remembered) seen.shift();
  log(`${method} ${path} ${status === 0 ? "cut" : status}`);
}

function send(response: ServerResponse, answer: Answer, headOnly: boolean, half: boolean): void {
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, "content-length": bytes.length });
  if (!half) {
    response.end(headOnly ? undefined : bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}
