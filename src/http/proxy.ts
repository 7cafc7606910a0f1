// Which proxy a request goes through, by the environment's variables.
import { CalError } from "../errors.ts";
import { isLoopback } from "./transport.ts";

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
