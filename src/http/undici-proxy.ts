// Requests through a proxy; loaded only where one is used.
import { type Agent, type buildConnector, type Dispatcher, ProxyAgent } from "undici";

/** A dispatcher that asks a proxy: for a tunnel to https, for the answer itself from http. */
export function createProxyAgent(proxy: URL, usage: Agent.Options & { readonly connect: buildConnector.BuildOptions }): Dispatcher {
  return new ProxyAgent({ ...usage, uri: proxy.href, requestTls: usage.connect, proxyTunnel: false });
}
