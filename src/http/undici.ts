// The Transport of the program, over undici. The only file that imports it, but for the proxy beside it.

import { Agent, type buildConnector, type Dispatcher } from "undici";
import { CalError, codeOf } from "../errors.ts";
import { networkError } from "./network-errors.ts";
import { formatRequestTarget, type HttpRequest, type HttpResponse, isLoopback, NetworkError, type Transport } from "./transport.ts";

/** How the wire is used. */
export interface HttpConnectionOptions {
  /** Milliseconds for one attempt, from connecting to the last byte. */
  readonly timeout: number;
  /** Connections to one origin at most. */
  readonly connections: number;
  /** Certificates of additional authorities, as PEM. */
  readonly ca?: readonly string[];
  /** Accept any certificate; for this transport only, never for the process. */
  readonly insecure?: boolean;
  /** The environment's proxies. */
  readonly proxies?: ProxySettings;
  /** Who gave an address, as it follows on "check the address": ` in --base-url`. */
  readonly addressSource?: (url: string) => string;
}

/** A transport with connections that can be closed. */
export interface HttpConnection {
  readonly send: Transport;
  /** Drops all connections; requests under way are lost. */
  readonly close: () => Promise<void>;
}

/** Opens a transport; nothing is connected before the first request. */
export function createHttpConnection(options: HttpConnectionOptions): HttpConnection {
  const connect = {
    timeout: options.timeout,
    rejectUnauthorized: options.insecure !== true,
    ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
  };
  const kept = createAgentPool(options, connect, 1);
  // On a kept connection that the server has just closed nobody could tell whether a POST arrived, and it can't be repeated.
  const single = createAgentPool(options, connect, 0);
  return {
    send: async (request) => {
      const url = new URL(request.url);
      const proxy = resolveProxy(url, options.proxies ?? {});
      const dispatcher = await (request.method === "POST" ? single : kept).getDispatcher(proxy);
      return roundTrip(dispatcher, request, {
        url,
        timeout: options.timeout,
        proxy: proxy?.host,
        ...(options.addressSource === undefined ? {} : { addressSource: options.addressSource }),
      });
    },
    close: async () => {
      await Promise.all([kept.close(), single.close()]);
    },
  };
}

interface AgentPool {
  readonly getDispatcher: (proxy: URL | undefined) => Promise<Dispatcher>;
  readonly close: () => Promise<unknown>;
}

/** Connections that are used alike: `pipelining` is 1 where they are kept for the next request, 0 where each is for one. */
function createAgentPool(options: HttpConnectionOptions, connect: buildConnector.BuildOptions, pipelining: 0 | 1): AgentPool {
  const usage = { connections: options.connections, connect, pipelining, headersTimeout: 0, bodyTimeout: 0 };
  const open = new Map<string | undefined, Promise<Dispatcher>>();
  const make = async (proxy: URL | undefined): Promise<Dispatcher> =>
    proxy === undefined ? new Agent(usage) : (await import("./undici-proxy.ts")).createProxyAgent(proxy, usage);
  return {
    getDispatcher: (proxy) => {
      const dispatcher = open.get(proxy?.href) ?? make(proxy);
      open.set(proxy?.href, dispatcher);
      return dispatcher;
    },
    close: async () => Promise.all([...open.values()].map(async (dispatcher) => (await dispatcher).destroy())),
  };
}

/** How one exchange is made. */
interface RoundTripOptions {
  /** Of the request, parsed. */
  readonly url: URL;
  /** Milliseconds, to the last byte. */
  readonly timeout: number;
  /** `host:port` of the proxy that it goes through. */
  readonly proxy: string | undefined;
  readonly addressSource?: (url: string) => string;
}

function roundTrip(dispatcher: Dispatcher, request: HttpRequest, way: RoundTripOptions): Promise<HttpResponse> {
  const { url } = way;
  const options: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method as Dispatcher.HttpMethod,
    headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
    body: request.body ?? null,
  };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, createDispatchHandler(request, way, resolve, reject));
  });
}

/** Collects an answer; calls one of the two functions once. */
function createDispatchHandler(
  request: HttpRequest,
  { timeout, proxy, addressSource }: RoundTripOptions,
  resolve: (answer: HttpResponse | Promise<HttpResponse>) => void,
  reject: (error: NetworkError) => void,
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
    reject(networkError(error, request, { sent: stage !== "connecting", proxy, addressSource: addressSource?.(request.url) ?? "" }));
    if (controller?.aborted === false) controller.abort(error);
  };
  const timer = setTimeout(() => fail(timeoutError(request, stage, timeout)), timeout);
  return {
    onRequestStart(control) {
      // Connected too late: what was given up is not sent any more.
      if (over) return control.abort(new Error("given up"));
      controller = control;
      stage = "sent";
    },
    onResponseStart(_control, status, headers) {
      stage = "answering";
      head = { status, headers: joinHeaders(headers) };
    },
    onResponseData(_control, chunk) {
      size += chunk.length;
      if (size > maxBodySize) fail(bodyTooLargeError(request));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      clearTimeout(timer);
      const body = Buffer.concat(chunks);
      resolve(head.headers["content-encoding"] === undefined ? { ...head, body } : decodeResponse(request, head, body));
    },
    onResponseError(_control, error) {
      fail(error);
    },
  };
}

type Stage = "connecting" | "sent" | "answering";

const timeoutMessages: Readonly<Record<Stage, string>> = {
  connecting: "no connection was made",
  sent: "no answer came",
  answering: "the answer was not complete",
};

function timeoutError(request: HttpRequest, stage: Stage, timeout: number): NetworkError {
  return new NetworkError(`${formatRequestTarget(request)}: ${timeoutMessages[stage]} within ${timeout / 1000} s`, stage !== "connecting", {
    code: "timeout",
    hint: "try again, or give it more time: --timeout 2m",
  });
}

async function decodeResponse(
  request: HttpRequest,
  head: Pick<HttpResponse, "status" | "headers">,
  body: Uint8Array,
): Promise<HttpResponse> {
  try {
    return { ...head, body: await decodeBody(body, head.headers["content-encoding"]) };
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw bodyTooLargeError(request);
    throw error instanceof Error ? networkError(error, request, { sent: true, proxy: undefined }) : error;
  }
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}

function bodyTooLargeError(request: HttpRequest): NetworkError {
  return new NetworkError(`${formatRequestTarget(request)}: the answer is over 64 MB, which is refused`, true, {
    code: "too-large",
    hint: "ask for less at once: --per-page 50",
  });
}

// Which proxy a request goes through, by the environment's variables.

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY as they are set; an unset or empty one is absent. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  readonly no?: string;
}

/** The proxy for an address, or undefined where it is asked directly, as this machine always is. Throws `local` for what is no address of a proxy. */
export function resolveProxy(url: URL, { http, https, no = "" }: ProxySettings): URL | undefined {
  const [name, given] = url.protocol === "https:" && https !== undefined ? ["HTTPS_PROXY", https] : ["HTTP_PROXY", http];
  if (given === undefined || isLoopback(url.hostname) || matchesNoProxy(url, no)) return undefined;
  const address = given.includes("://") ? given : `http://${given}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy !== undefined && (proxy.protocol === "http:" || proxy.protocol === "https:")) return checkProxyCredentials(proxy, name);
  // The value is not told: it may hold a password.
  throw new CalError("local", `${name} is no address of a proxy`, {
    code: "bad-proxy",
    hint: `set it to http://<host>:<port>, or take it away: unset ${name}`,
  });
}

function checkProxyCredentials(proxy: URL, name: string): URL {
  try {
    decodeURIComponent(`${proxy.username}:${proxy.password}`);
    return proxy;
  } catch {
    throw new CalError("local", `the user name and the password in ${name} can't be read: a % stands there as it is`, {
      code: "bad-proxy",
      hint: "write %25 for it",
    });
  }
}

/** NO_PROXY lists hosts, with their subdomains, and ports where they matter; `*` is all. */
function matchesNoProxy({ hostname, protocol, port }: URL, no: string): boolean {
  const at = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return no.split(/[,\s]+/).some((entry) => {
    const [, host = "", only = at] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    return entry === "*" || (host !== "" && only === at && (hostname === host || hostname.endsWith(`.${host}`)));
  });
}

// Content codings of an answer: what gzip, deflate and brotli bodies hold, within a limit.

/** The largest body that is read, in bytes, decompressed. */
const maxBodySize = 64 * 1024 * 1024;

/** The body behind its content codings. Rejects where a coding is unknown or broken, or the result is over the limit. */
async function decodeBody(body: Uint8Array, coding = ""): Promise<Uint8Array> {
  const codings = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (codings.length === 0 || body.length === 0) return body;
  const { gunzip, inflate, inflateRaw, brotliDecompress } = await import("node:zlib");
  const { promisify } = await import("node:util");
  const limit = { maxOutputLength: maxBodySize };
  const decoders: Readonly<Record<string, (data: Uint8Array) => Promise<Uint8Array>>> = {
    gzip: (data) => promisify(gunzip)(data, limit),
    "x-gzip": (data) => promisify(gunzip)(data, limit),
    // Some old servers leave out the zlib header that the standard asks for.
    deflate: (data) => promisify(((data[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(data, limit),
    br: (data) => promisify(brotliDecompress)(data, limit),
  };
  let result = body;
  for (const name of codings.reverse()) {
    const decode = decoders[name];
    if (decode === undefined) throw new Error(`the answer has an unknown content coding: ${name}`);
    result = await decode(result).catch((error: Error) => {
      throw codeOf(error) === "ERR_BUFFER_TOO_LARGE"
        ? error
        : new Error(`the answer can't be unpacked as ${name}: ${error.message}`, { cause: error });
    });
  }
  return result;
}
