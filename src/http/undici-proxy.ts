// Requests through a proxy. A file of its own because it is loaded only where a proxy is used.
import { type Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { ProxyConnectError } from "./network-errors.ts";

/** A dispatcher with a tunnel through the proxy for https, and without one for http. The certificate of a proxy is verified as that of a site. */
export function createProxyAgent(proxy: URL, options: Agent.Options & { readonly connect: buildConnector.BuildOptions }): Dispatcher {
  const { timeout: _, ...tlsOptions } = options.connect;
  const { username, password } = proxy;
  // undici sends a user name only where there is a password.
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  return new ProxyAgent({
    ...options,
    uri: proxy.href,
    requestTls: options.connect,
    proxyTls: tlsOptions,
    proxyTunnel: false,
    ...(username === "" ? {} : { token: `Basic ${credentials}` }),
    clientFactory: (origin) => createProxyPool(origin, tlsOptions),
  });
}

/** The connections to the proxy itself: an error there is not the site's. */
function createProxyPool(origin: URL, tlsOptions: buildConnector.BuildOptions): Dispatcher {
  const connect = buildConnector(tlsOptions);
  return new Pool(origin, {
    connect: (options, callback) => {
      // undici sets the server name also for an IP address, of which Node warns; the connector sets the right one.
      const { servername: _, ...withoutName } = options;
      connect(withoutName, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(new ProxyConnectError(error), null);
      });
    },
  });
}
