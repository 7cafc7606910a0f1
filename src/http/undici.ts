// The Transport of the program, over undici. The only file that imports it, but for the proxy beside it.
import { Agent, type buildConnector, type Dispatcher } from "undici";
import { codeOf } from "../errors.ts";
import { decoded, sizeLimit } from "./encoding.ts";
import { lostExchange } from "./loss.ts";
import { type Proxies, proxyFor } from "./proxy.ts";
import { type HttpRequest, type HttpResponse, LostExchange, placeOf, type Transport } from "./transport.ts";
import { youngHeap } from "./young-heap.ts";

/** How the wire is used. */
export interface WireOptions {
  /** Milliseconds for one attempt, from connecting to the last byte. */
  readonly timeout: number;
  /** Connections to one origin at most. */
  readonly connections: number;
  /** Certificates of additional authorities, as PEM. */
  readonly ca?: readonly string[];
  /** Accept any certificate; for this transport only, never for the process. */
  readonly insecure?: boolean;
  /** The environment's proxies. */
  readonly proxies?: Proxies;
  /** Who gave an address, as it follows on "check the address": ` in --base-url`. */
  readonly whence?: (url: string) => string;
}

/** A transport with connections that can be closed. */
export interface Wire {
  readonly send: Transport;
  /** Drops all connections; requests under way are lost. */
  readonly close: () => Promise<void>;
}

/** Opens a transport; nothing is connected before the first request. */
export function createWire(options: WireOptions): Wire {
  const connect = {
    timeout: options.timeout,
    rejectUnauthorized: options.insecure !== true,
    ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
  };
  const kept = lane(options, connect, 1);
  // On a kept connection that the server has just closed nobody could tell whether a POST arrived, and it can't be repeated.
  const single = lane(options, connect, 0);
  const heap = youngHeap();
  return {
    send: async (request) => {
      heap.watch();
      const url = new URL(request.url);
      const proxy = proxyFor(url, options.proxies ?? {});
      const dispatcher = await (request.method === "POST" ? single : kept).to(proxy);
      return exchange(dispatcher, request, {
        url,
        timeout: options.timeout,
        proxy: proxy?.host,
        ...(options.whence === undefined ? {} : { whence: options.whence }),
      });
    },
    close: async () => {
      heap.release();
      await Promise.all([kept.close(), single.close()]);
    },
  };
}

interface Lane {
  readonly to: (proxy: URL | undefined) => Promise<Dispatcher>;
  readonly close: () => Promise<unknown>;
}

/** Connections that are used alike: `pipelining` is 1 where they are kept for the next request, 0 where each is for one. */
function lane(options: WireOptions, connect: buildConnector.BuildOptions, pipelining: 0 | 1): Lane {
  const usage = { connections: options.connections, connect, pipelining, headersTimeout: 0, bodyTimeout: 0 };
  const open = new Map<string | undefined, Promise<Dispatcher>>();
  const make = async (proxy: URL | undefined): Promise<Dispatcher> =>
    proxy === undefined ? new Agent(usage) : (await import("./undici-proxy.ts")).createProxyAgent(proxy, usage);
  return {
    to: (proxy) => {
      const dispatcher = open.get(proxy?.href) ?? make(proxy);
      open.set(proxy?.href, dispatcher);
      return dispatcher;
    },
    close: async () => Promise.all([...open.values()].map(async (dispatcher) => (await dispatcher).destroy())),
  };
}

/** How one exchange is made. */
interface Way {
  /** Of the request, parsed. */
  readonly url: URL;
  /** Milliseconds, to the last byte. */
  readonly timeout: number;
  /** `host:port` of the proxy that it goes through. */
  readonly proxy: string | undefined;
  readonly whence?: (url: string) => string;
}

function exchange(dispatcher: Dispatcher, request: HttpRequest, way: Way): Promise<HttpResponse> {
  const { url } = way;
  const options: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method as Dispatcher.HttpMethod,
    headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
    body: request.body ?? null,
  };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, handler(request, way, resolve, reject));
  });
}

/** Collects an answer; calls one of the two functions once. */
function handler(
  request: HttpRequest,
  { timeout, proxy, whence }: Way,
  resolve: (answer: HttpResponse | Promise<HttpResponse>) => void,
  reject: (error: LostExchange) => void,
): Dispatcher.DispatchHandler {
  let stage: Stage = "connecting";
  let over = false;
  let controller: Dispatcher.DispatchController | undefined;
  let head: Pick<HttpResponse, "status" | "headers"> = { status: 0, headers: {} };
  const chunks: Buffer[] = [];
  let size = 0;
  const fail = (error: Error) => {
    over = true;
    clearTimeout(timer);
    reject(lostExchange(error, request, { sent: stage !== "connecting", proxy, whence: whence?.(request.url) ?? "" }));
    if (controller?.aborted === false) controller.abort(error);
  };
  const timer = setTimeout(() => fail(tooLate(request, stage, timeout)), timeout);
  return {
    onRequestStart(control) {
      // Connected too late: what was given up is not sent any more.
      if (over) return control.abort(new Error("given up"));
      controller = control;
      stage = "sent";
    },
    onResponseStart(_control, status, headers) {
      stage = "answering";
      head = { status, headers: joined(headers) };
    },
    onResponseData(_control, chunk) {
      size += chunk.length;
      if (size > sizeLimit) fail(tooLarge(request));
      else chunks.push(chunk);
    },
    onResponseEnd(control) {
      clearTimeout(timer);
      forget(control.rawHeaders);
      forget(control.rawTrailers);
      const body = Buffer.concat(chunks.splice(0));
      resolve(head.headers["content-encoding"] === undefined ? { ...head, body } : unpacked(request, head, body));
    },
    onResponseError(_control, error) {
      fail(error);
    },
  };
}

/** Empties what undici keeps of headers: each is a piece of all that came with it, and old garbage would keep it alive for long. */
function forget(raw: unknown): void {
  if (Array.isArray(raw)) raw.length = 0;
}

type Stage = "connecting" | "sent" | "answering";

const waits: Readonly<Record<Stage, string>> = {
  connecting: "no connection was made",
  sent: "no answer came",
  answering: "the answer was not complete",
};

function tooLate(request: HttpRequest, stage: Stage, timeout: number): LostExchange {
  return new LostExchange(`${placeOf(request)}: ${waits[stage]} within ${timeout / 1000} s`, stage !== "connecting", {
    code: "timeout",
    hint: "try again, or give it more time: --timeout 2m",
  });
}

async function unpacked(request: HttpRequest, head: Pick<HttpResponse, "status" | "headers">, body: Uint8Array): Promise<HttpResponse> {
  try {
    return { ...head, body: await decoded(body, head.headers["content-encoding"]) };
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(request);
    throw error instanceof Error ? lostExchange(error, request, { sent: true, proxy: undefined }) : error;
  }
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}

function tooLarge(request: HttpRequest): LostExchange {
  return new LostExchange(`${placeOf(request)}: the answer is over 64 MB, which is refused`, true, {
    code: "too-large",
    hint: "ask for less at once: --per-page 50",
  });
}
