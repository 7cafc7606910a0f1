// What went wrong on the wire, in words: the system's error codes and undici's, translated once.
import { codeOf, messageOf } from "../errors.ts";
import { oneLine } from "./line.ts";
import { type HttpRequest, LostExchange, placeOf } from "./transport.ts";

interface Loss {
  readonly says: string;
  readonly hint?: string;
  /** What the hint begins with where the address may be wrong; the rest says where it came from. */
  readonly doubt?: string;
}

const networkHint = "check the address and the network; behind a proxy, set HTTPS_PROXY";
const trustHint = "a certificate authority of your own: --ca-file ca.pem; a test server: --insecure";

const losses: Readonly<Record<string, Loss>> = {
  ENOTFOUND: { says: "the host name is not known", doubt: "check the address" },
  EAI_AGAIN: { says: "the host name could not be looked up", hint: "check the network, then try again" },
  ECONNREFUSED: { says: "the connection was refused", doubt: "is the server running? check the address" },
  EHOSTUNREACH: { says: "the host can't be reached", hint: networkHint },
  ENETUNREACH: { says: "the network can't be reached", hint: networkHint },
  ETIMEDOUT: { says: "nothing came back in time", hint: networkHint },
  UND_ERR_CONNECT_TIMEOUT: { says: "no connection was made in time", hint: networkHint },
  ECONNRESET: { says: "the connection was reset" },
  EPIPE: { says: "the connection was closed while the request was sent" },
  UND_ERR_SOCKET: { says: "the server closed the connection before its answer was complete" },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { says: "the answer's length is not what its header says" },
  UND_ERR_HEADERS_OVERFLOW: { says: "the answer's headers are too large" },
  "not-http": { says: "the answer is not HTTP", doubt: "is something else listening there? check the address" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { says: "the certificate is self-signed", hint: trustHint },
  SELF_SIGNED_CERT_IN_CHAIN: { says: "a certificate of the chain is self-signed", hint: trustHint },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { says: "the certificate's issuer is not known", hint: trustHint },
  UNABLE_TO_GET_ISSUER_CERT: { says: "the certificate's issuer is not known", hint: trustHint },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { says: "the certificate's issuer is not known", hint: trustHint },
  CERT_HAS_EXPIRED: { says: "the certificate has expired", hint: trustHint },
  CERT_NOT_YET_VALID: { says: "the certificate is not valid yet", hint: "is this machine's clock right?" },
  ERR_TLS_CERT_ALTNAME_INVALID: { says: "the certificate is for another name", doubt: "check the address" },
  EPROTO: { says: "the server does not speak TLS here", hint: "is it http:// rather than https://?" },
  ERR_SSL_WRONG_VERSION_NUMBER: { says: "the server does not speak TLS here", hint: "is it http:// rather than https://?" },
};

/** How far a request had come, and through whose hands. */
export interface Reached {
  /** Whether it had been started. */
  readonly sent: boolean;
  /** `host:port` of the proxy that it went through. */
  readonly proxy: string | undefined;
  /** Who gave the address, as it follows on "check the address". */
  readonly whence?: string;
}

/** No connection to the proxy itself came about; `cause` is why. */
export class ProxyUnreached extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Translates what the wire threw. */
export function lostExchange(thrown: Error, request: HttpRequest, { sent, proxy, whence = "" }: Reached): LostExchange {
  if (thrown instanceof LostExchange) return thrown;
  const atProxy = thrown instanceof ProxyUnreached;
  const error = atProxy ? thrown.cause : thrown;
  // The parser of HTTP gives its errors a name, and not always a code.
  const code = error.name === "HTTPParserError" ? "not-http" : (codeOf(error) ?? codeOf(error.cause));
  const loss = (code === undefined ? undefined : lossOf(code)) ?? firstOf(error) ?? { says: oneLine(messageOf(error)) };
  if (proxy !== undefined && !sent && (atProxy || !isTrust(code))) return lostAtProxy(error, request, proxy, loss);
  const hint = loss.doubt === undefined ? loss.hint : `${loss.doubt}${whence}`;
  return new LostExchange(`${placeOf(request)}: ${loss.says}`, sent, {
    cause: error,
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
  });
}

function lossOf(code: string): Loss | undefined {
  if (code.startsWith("ERR_SSL_")) return losses[code] ?? { says: `no secure connection could be agreed on (${code})`, hint: trustHint };
  return losses[code];
}

/** What the site itself said about its certificate, behind any proxy. */
function isTrust(code: string | undefined): boolean {
  return code !== undefined && losses[code]?.hint === trustHint;
}

/** The proxy could not be reached, or made no way to the site: `Proxy response (403)` is undici's word for its refusal. */
function lostAtProxy(error: Error, request: HttpRequest, proxy: string, loss: Loss): LostExchange {
  const [, status] = /\((\d{3})\)/.exec(messageOf(error)) ?? [];
  const why = status === undefined ? loss.says : status === "407" ? "it wants a user name and a password" : `it answered ${status}`;
  return new LostExchange(`${placeOf(request)}: the proxy ${proxy} made no connection: ${why}`, false, {
    cause: error,
    code: "proxy",
    hint: loss.hint === trustHint ? trustHint : "check HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists the hosts that are asked directly",
  });
}

/** A host with several addresses fails with one error for each. */
function firstOf(error: Error): Loss | undefined {
  if (!(error instanceof AggregateError)) return undefined;
  for (const part of error.errors) {
    const code = codeOf(part);
    const loss = code === undefined ? undefined : losses[code];
    if (loss !== undefined) return loss;
  }
  return undefined;
}
