// The Transport of the program over undici, which only this file and undici-proxy.ts import.
import type { Transform } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import { CalError, codeOf } from "../errors.ts";
import { networkError } from "./network-errors.ts";
import { formatRequestTarget, type HttpRequest, type HttpResponse, isLoopback, NetworkError, type Transport } from "./transport.ts";

export interface HttpConnectionOptions {
  /** Milliseconds for one attempt, from connecting to the last byte. */
  readonly timeout: number;
  /** Connections to one origin at most. */
  readonly connections: number;
  /** Certificates of additional authorities, as PEM. */
  readonly ca?: readonly string[];
  /** Accept any certificate; for this transport only, never for the process. */
  readonly insecure?: boolean;
  readonly proxies?: ProxySettings;
  /** Where an address is from, as the end of the hint "check the address": ` in --base-url`. */
  readonly addressSource?: (url: string) => string | { readonly command: string };
}

export interface HttpConnection {
  readonly send: Transport;
  /** Closes all connections; pending requests are rejected. */
  readonly close: () => Promise<void>;
}

/** Nothing is connected before the first request. */
export function createHttpConnection(options: HttpConnectionOptions): HttpConnection {
  const connect = {
    timeout: options.timeout,
    rejectUnauthorized: options.insecure !== true,
    ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
  };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  const createDispatcher = async (proxy: URL | undefined, pipelining: 0 | 1): Promise<Dispatcher> => {
    const agentOptions = { connections: options.connections, connect, pipelining, headersTimeout: 0, bodyTimeout: 0 };
    return proxy === undefined ? new Agent(agentOptions) : (await import("./undici-proxy.ts")).createProxyAgent(proxy, agentOptions);
  };
  return {
    send: async (request) => {
      const url = new URL(request.url);
      const proxy = resolveProxy(url, options.proxies ?? {});
      // A POST has a connection of its own (no keep-alive): where the server closes a reused one, it is unknown whether the POST arrived,
      // and it can't be repeated.
      const pipelining = request.method === "POST" ? 0 : 1;
      const key = `${pipelining} ${proxy?.href}`;
      const dispatcher = dispatchers.get(key) ?? createDispatcher(proxy, pipelining);
      dispatchers.set(key, dispatcher);
      return roundTrip(await dispatcher, request, url, proxy?.host, options);
    },
    close: async () => {
      await Promise.all([...dispatchers.values()].map(async (dispatcher) => (await dispatcher).destroy()));
    },
  };
}

/** Messages for a timeout, by how far the request had come. */
const timeoutMessages = {
  connecting: "no connection was made",
  sent: "no answer came",
  answering: "the answer was not complete",
} as const;

function roundTrip(
  dispatcher: Dispatcher,
  request: HttpRequest,
  url: URL,
  proxy: string | undefined,
  { timeout, addressSource }: HttpConnectionOptions,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let stage: keyof typeof timeoutMessages = "connecting";
    let failed = false;
    let controller: Dispatcher.DispatchController | undefined;
    let head: Pick<HttpResponse, "status" | "headers"> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let size = 0;
    let decoding: AbortController | undefined;
    const fail = (error: Error) => {
      if (failed) return;
      failed = true;
      decoding?.abort();
      clearTimeout(timer);
      reject(networkError(error, request, { sent: stage !== "connecting", proxy, addressSource: addressSource?.(request.url) ?? "" }));
      if (controller?.aborted === false) controller.abort(error);
    };
    const timer = setTimeout(() => {
      const message = `${formatRequestTarget(request)}: ${timeoutMessages[stage]} within ${timeout / 1000} s`;
      const hint = "try again, or give it more time: --timeout 2m";
      fail(new NetworkError(message, stage !== "connecting", { code: "timeout", hint }));
    }, timeout);
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method as Dispatcher.HttpMethod,
      headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
      body: request.body ?? null,
    };
    dispatcher.dispatch(options, {
      onRequestStart(control) {
        // The connection came after the timeout: the request must not be sent any more.
        if (failed) return control.abort(new Error("given up"));
        controller = control;
        stage = "sent";
      },
      onResponseStart(_control, status, headers) {
        stage = "answering";
        // undici has made the names lower case.
        const joined: Record<string, string> = {};
        for (const [name, value] of Object.entries(headers))
          if (value !== undefined) joined[name] = typeof value === "string" ? value : value.join(", ");
        head = { status, headers: joined };
      },
      onResponseData(_control, chunk) {
        size += chunk.length;
        if (size > maxBodySize) fail(bodyTooLargeError(request));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        const body = Buffer.concat(chunks);
        const finish = (unpacked: Uint8Array) => {
          clearTimeout(timer);
          resolve({ ...head, body: unpacked });
        };
        const coding = head.headers["content-encoding"];
        const codings = coding === undefined || size === 0 ? [] : parseCodings(coding);
        if (codings.length === 0) return finish(body);
        // The timer goes on while the body is unpacked; there is nothing left to abort but that.
        controller = undefined;
        decoding = new AbortController();
        decodeBody(body, codings, decoding.signal).then(finish, (error: Error) => {
          const isTooLarge = codeOf(error) === "ERR_BUFFER_TOO_LARGE";
          fail(isTooLarge ? bodyTooLargeError(request) : networkError(error, request, { sent: true, proxy: undefined }));
        });
      },
      onResponseError(_control, error) {
        fail(error);
      },
    });
  });
}

/** The largest body that is read, in bytes, as it arrives and unpacked: a page of 100 records with 300 kB each. */
const maxBodySize = 32 * 1024 * 1024;

function bodyTooLargeError(request: HttpRequest): NetworkError {
  return new NetworkError(`${formatRequestTarget(request)}: the answer is over 32 MB, which is refused`, true, {
    code: "too-large",
    hint: "ask for less at once: --per-page 50",
  });
}

/** A server packs an answer once. */
const maxCodings = 2;

function parseCodings(header: string): readonly string[] {
  return header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

/** Unpacks a body. Rejects where a coding is unknown, there are too many, or the data is damaged or too large; the signal ends the work. */
async function decodeBody(body: Uint8Array, codings: readonly string[], signal: AbortSignal): Promise<Uint8Array> {
  if (codings.length > maxCodings) throw new Error(`the answer has ${codings.length} content codings, and ${maxCodings} are read`);
  const { createGunzip, createInflate, createInflateRaw, createBrotliDecompress } = await import("node:zlib");
  const { pipeline } = await import("node:stream/promises");
  const decoders = new Map<string, (data: Uint8Array) => Transform>([
    ["gzip", () => createGunzip()],
    ["x-gzip", () => createGunzip()],
    // Some old servers leave out the zlib header that the standard requires.
    ["deflate", (data) => (((data[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw())],
    ["br", () => createBrotliDecompress()],
  ]);
  let result = body;
  for (const name of [...codings].reverse()) {
    const createDecoder = decoders.get(name);
    if (createDecoder === undefined) throw new Error(`the answer has an unknown content coding: ${name}`);
    const parts: Uint8Array[] = [];
    let size = 0;
    const collect = async (source: AsyncIterable<Uint8Array>) => {
      for await (const part of source) {
        size += part.length;
        if (size > maxBodySize) throw Object.assign(new Error("too large"), { code: "ERR_BUFFER_TOO_LARGE" });
        parts.push(part);
      }
    };
    await pipeline([result], createDecoder(result), collect, { signal }).catch((error: Error) => {
      throw codeOf(error) === "ERR_BUFFER_TOO_LARGE"
        ? error
        : new Error(`the answer can't be unpacked as ${name}: ${error.message}`, { cause: error });
    });
    result = Buffer.concat(parts);
  }
  return result;
}

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment; an unset or empty one is absent. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  readonly no?: string;
}

/** The proxy for an address; undefined for a direct connection, as always to this machine. Throws `local` where the address of the proxy is wrong. */
export function resolveProxy(url: URL, { http, https, no = "" }: ProxySettings): URL | undefined {
  const [name, value] = url.protocol === "https:" && https !== undefined ? ["HTTPS_PROXY", https] : ["HTTP_PROXY", http];
  if (value === undefined || isLoopback(url.hostname) || matchesNoProxy(url, no)) return undefined;
  const address = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy === undefined || !["http:", "https:"].includes(proxy.protocol)) {
    // The value is not in the message: it may hold a password.
    throw new CalError("local", `${name} is not the address of a proxy`, {
      code: "bad-proxy",
      hint: { text: "set it to http://<host>:<port>, or unset it", command: `unset ${name}` },
    });
  }
  try {
    decodeURIComponent(`${proxy.username}:${proxy.password}`);
    return proxy;
  } catch {
    throw new CalError("local", `the user name and the password in ${name} can't be read: a % in it is not encoded`, {
      code: "bad-proxy",
      hint: "write %25 for it",
    });
  }
}

/** NO_PROXY lists hosts, which include their subdomains, with or without a port; `*` is all. */
function matchesNoProxy({ hostname, protocol, port }: URL, no: string): boolean {
  const urlPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return no.split(/[,\s]+/).some((entry) => {
    const [, host = "", entryPort = urlPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    return entry === "*" || (host !== "" && entryPort === urlPort && (hostname === host || hostname.endsWith(`.${host}`)));
  });
}
