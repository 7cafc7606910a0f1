// Requests through the environment's proxy; loaded only where one is set and used.
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { WireOptions } from "./undici.ts";

/** A dispatcher that follows HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export function createProxyAgent(options: WireOptions, connect: object): Dispatcher {
  const { http, https, no } = options.proxies ?? {};
  return new EnvHttpProxyAgent({
    connections: options.connections,
    connect,
    requestTls: connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(http === undefined ? {} : { httpProxy: http }),
    ...(https === undefined ? {} : { httpsProxy: https }),
    ...(no === undefined ? {} : { noProxy: no }),
  });
}
