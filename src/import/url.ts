// A source at an address. Nothing of the site's login goes along: no cookie, no credential, no proxy.
import { lookup as resolveName } from "node:dns";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import type { SourceOptions } from "./source-options.ts";

const maxRedirects = 5;
const maxSize = 64 * 1024 * 1024;

/** Addresses that are not of the public internet: a feed must not read what only this machine or its network can. */
const privateAddresses = new BlockList();
const ranges: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
  // IPv4 addresses within IPv6: NAT64, 6to4 and Teredo.
  ["64:ff9b::", 32],
  ["2002::", 16],
  ["2001::", 32],
];
for (const [network, prefix] of ranges) privateAddresses.addSubnet(network, prefix, network.includes(":") ? "ipv6" : "ipv4");

/** Whether an IP address is loopback, private, link-local, unique-local, or otherwise not public. IPv4 within IPv6 counts as IPv4. */
export function isPrivateAddress(address: string): boolean {
  const [ip = ""] = address.split("%");
  const family = isIP(ip);
  return family === 0 || privateAddresses.check(ip, family === 6 ? "ipv6" : "ipv4");
}

class PrivateAddressError extends Error {}

/** Resolves a name once, for the connection that is then made: what was checked is what is connected to. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null) return callback(error, "", 0);
    if (first === undefined || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new PrivateAddressError(), "", 0);
    if (options.all === true) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};

interface UrlOptions extends Pick<SourceOptions, "timeout" | "allowPrivate" | "allowHttp" | "ca"> {
  /** Any other origin is refused, also where a redirect leads to it. */
  readonly onlyOrigin?: string;
}

interface UrlBody {
  /** As it was asked for: `webcal:` is `https:`. */
  readonly url: URL;
  readonly contentType: string;
  /** Unpacked. Its errors are usage errors or kind `unavailable`, and name the origin only. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Asks for the address and follows at most five redirects. A usage error for what is not allowed; kind `unavailable` where no answer comes. */
export async function openUrl(address: string, options: UrlOptions): Promise<UrlBody> {
  const first = parseAddress(address, options);
  const signal = AbortSignal.timeout(options.timeout);
  let url = first;
  for (let hops = 0; ; hops += 1) {
    const response = await send(url, options, signal).catch((error: unknown) => Promise.reject(describe(error, url, signal, options)));
    const status = response.statusCode ?? 0;
    const location = response.headers.location;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
      if (status === 200) return { url: first, contentType: mediaType(response), body: readBody(response, url, options, signal) };
      response.destroy();
      throw new CalError("unavailable", `${url.origin} answered ${status}`, {
        status,
        hint: "does the address still exist? open it in a browser",
      });
    }
    response.destroy();
    if (hops === maxRedirects) throw usageError(`${first.origin} redirects more than ${maxRedirects} times`);
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined) throw usageError(`${url.origin} redirects to something that is not an address`);
    if (url.protocol === "https:" && next.protocol !== "https:")
      throw usageError(`${url.origin} redirects to ${next.origin}, which is not encrypted`);
    url = checkUrl(next, options);
  }
}

function parseAddress(address: string, options: UrlOptions): URL {
  const text = address.trim().replace(/^webcals?:/i, "https:");
  if (!URL.canParse(text)) throw usageError("the address of the source is not valid", "it begins with https:// or webcal://");
  return checkUrl(new URL(text), options);
}

function checkUrl(url: URL, { allowPrivate, allowHttp, onlyOrigin }: UrlOptions): URL {
  if (url.protocol !== "https:" && url.protocol !== "http:") throw usageError(`an address of the form ${url.protocol} is not read`);
  if (onlyOrigin !== undefined && url.origin !== onlyOrigin) throw usageError(`${url.origin} is another site than ${onlyOrigin}`);
  if (url.username !== "" || url.password !== "")
    throw usageError(`the address at ${url.origin} has a user name or a password: none is sent`);
  if (url.protocol === "http:" && allowHttp !== true)
    throw usageError(`${url.origin} is not encrypted`, "write https://, or allow it: --allow-http-source");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (allowPrivate !== true && isIP(host) !== 0 && isPrivateAddress(host)) throw privateError(url);
  return url;
}

function privateError({ origin }: URL): Error {
  return usageError(`${origin} is an address of this machine or of a private network`, "if that is meant: --allow-private-source");
}

function send(url: URL, { allowPrivate, ca }: UrlOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions = {
    signal,
    agent: false,
    headers: {
      accept: "text/calendar, text/csv, application/json, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "cal",
    },
    ...(allowPrivate !== true && { lookup: lookupPublic }),
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === "https:" ? requestHttps(url, { ...options, ...(ca !== undefined && { ca: [...ca] }) }) : requestHttp(url, options);
    request.on("response", resolve).on("error", reject).end();
  });
}

function mediaType({ headers }: IncomingMessage): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

async function* readBody(response: IncomingMessage, url: URL, options: UrlOptions, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of unpack(response) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxSize) throw usageError(`${url.origin} sends more than ${maxSize / 1024 / 1024} MB`);
      yield chunk;
    }
  } catch (error) {
    throw describe(error, url, signal, options);
  } finally {
    response.destroy();
  }
}

function unpack(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  if (decoder === undefined) throw new Error("it is compressed in a way that was not asked for");
  return pipeline(response, decoder, () => {});
}

/** An error that names the origin and not the path, which can be secret. */
function describe(error: unknown, url: URL, signal: AbortSignal, { timeout }: UrlOptions): Error {
  if (error instanceof CalError) return error;
  if (error instanceof PrivateAddressError) return privateError(url);
  if (signal.aborted)
    return new CalError("unavailable", `${url.origin}: the answer was not complete within ${timeout / 1000} s`, {
      hint: "give it more time: --timeout 2m",
    });
  const reasons: Readonly<Record<string, string>> = {
    ENOTFOUND: "there is no such host",
    EAI_AGAIN: "the name of the host can't be resolved now",
    ECONNREFUSED: "it accepts no connections",
    ECONNRESET: "it closed the connection",
  };
  const code = codeOf(error);
  return new CalError("unavailable", `${url.origin}: ${reasons[code ?? ""] ?? code ?? messageOf(error)}`, {
    ...(code !== undefined && { code }),
  });
}
