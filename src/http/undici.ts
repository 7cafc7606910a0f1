// The Transport of the program, over undici. The only file that imports it, but for the proxy beside it.
import { Agent, type Dispatcher } from "undici";
import { decoded, sizeLimit } from "./encoding.ts";
import { lostExchange } from "./loss.ts";
import { type HttpRequest, type HttpResponse, isLoopback, LostExchange, placeOf, type Transport } from "./transport.ts";

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
  /** The environment's HTTP_PROXY, HTTPS_PROXY and NO_PROXY; loopback is never asked through a proxy. */
  readonly proxies?: { readonly http?: string; readonly https?: string; readonly no?: string };
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
  const direct = new Agent({ connections: options.connections, connect, headersTimeout: 0, bodyTimeout: 0 });
  let proxied: Promise<Dispatcher> | undefined;
  const dispatcherFor = async (url: URL): Promise<Dispatcher> => {
    const { http, https } = options.proxies ?? {};
    if (isLoopback(url.hostname) || (url.protocol === "https:" ? (https ?? http) : http) === undefined) return direct;
    proxied ??= import("./undici-proxy.ts").then(({ createProxyAgent }) => createProxyAgent(options, connect));
    return proxied;
  };
  return {
    send: async (request) => exchange(await dispatcherFor(new URL(request.url)), request, options.timeout),
    close: async () => {
      await direct.destroy();
      await (await proxied)?.destroy();
    },
  };
}

function exchange(dispatcher: Dispatcher, request: HttpRequest, timeout: number): Promise<HttpResponse> {
  const url = new URL(request.url);
  return new Promise((resolve, reject) => {
    let sent = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(lostExchange(error, request, sent));
      if (controller !== undefined && !controller.aborted) controller.abort(error);
    };
    const timer = setTimeout(() => {
      const doing = status > 0 ? "the answer was not complete" : sent ? "no answer came" : "no connection was made";
      fail(new LostExchange(`${placeOf(request)}: ${doing} within ${timeout / 1000} s`, sent, { code: "timeout", hint: "try again, or give it more time: --timeout 2m" }));
    }, timeout);
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method as Dispatcher.HttpMethod,
        headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
        body: request.body ?? null,
      },
      {
        onRequestStart(control) {
          controller = control;
          sent = true;
        },
        onResponseStart(_control, code, incoming) {
          status = code;
          headers = joined(incoming);
        },
        onResponseData(_control, chunk) {
          size += chunk.length;
          if (size > sizeLimit) fail(tooLarge(request));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          decoded(Buffer.concat(chunks), headers["content-encoding"]).then(
            (body) => resolve({ status, headers, body }),
            (error: Error) => reject(codeIs(error, "ERR_BUFFER_TOO_LARGE") ? tooLarge(request) : lostExchange(error, request, true)),
          );
        },
        onResponseError(_control, error) {
          fail(error);
        },
      },
    );
  });
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

function codeIs(error: Error, code: string): boolean {
  return "code" in error && error.code === code;
}
