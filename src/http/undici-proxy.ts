// Requests through a proxy; loaded only where one is used.

import { type Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { ProxyConnectError } from "./network-errors.ts";

type ProxyAgentOptions = Agent.Options & { readonly connect: buildConnector.BuildOptions };

/** A dispatcher that asks a proxy: for a tunnel to https, for the answer itself from http. A proxy that speaks TLS is trusted as a site is. */
export function createProxyAgent(proxy: URL, usage: ProxyAgentOptions): Dispatcher {
  const { timeout: _, ...trust } = usage.connect;
  const options = { ...usage, uri: proxy.href, requestTls: usage.connect, proxyTls: trust, proxyTunnel: false };
  return new ProxyAgent({ ...options, ...proxyAuthorization(proxy), clientFactory: (origin) => createProxyPool(origin, trust) });
}

/** undici sends a user name only where a password is with it. */
function proxyAuthorization({ username, password }: URL): { readonly token?: string } {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { token: `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** The connections to the proxy itself: what fails there is not the site's fault. */
function createProxyPool(origin: URL, trust: buildConnector.BuildOptions): Dispatcher {
  const connect = buildConnector(trust);
  return new Pool(origin, {
    connect: (options, callback) => {
      // undici names the host to the proxy also where it is a number, of which Node warns; the connector knows better.
      const { servername: _, ...unnamed } = options;
      connect(unnamed, (...[error, socket]) => (error === null ? callback(null, socket) : callback(new ProxyConnectError(error), null)));
    },
  });
}
