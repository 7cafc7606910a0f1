// What went wrong on the wire, in words: the system's error codes and undici's, translated once.
import { codeOf, messageOf } from "../errors.ts";
import { sanitizeLine } from "../text.ts";
import { formatRequestTarget, type HttpRequest, NetworkError } from "./transport.ts";

interface NetworkErrorDescription {
  readonly message: string;
  readonly hint?: string;
  /** What the hint begins with where the address may be wrong; the rest says where it came from. */
  readonly addressHint?: string;
}

const connectionHint = "check the address and the network; behind a proxy, set HTTPS_PROXY";
const certificateHint = "a certificate authority of your own: --ca-file ca.pem; a test server: --insecure";

const networkErrorDescriptions: Readonly<Record<string, NetworkErrorDescription>> = {
  ENOTFOUND: { message: "the host name is not known", addressHint: "check the address" },
  EAI_AGAIN: { message: "the host name could not be looked up", hint: "check the network, then try again" },
  ECONNREFUSED: { message: "the connection was refused", addressHint: "is the server running? check the address" },
  EHOSTUNREACH: { message: "the host can't be reached", hint: connectionHint },
  ENETUNREACH: { message: "the network can't be reached", hint: connectionHint },
  ETIMEDOUT: { message: "nothing came back in time", hint: connectionHint },
  UND_ERR_CONNECT_TIMEOUT: { message: "no connection was made in time", hint: connectionHint },
  ECONNRESET: { message: "the connection was reset" },
  EPIPE: { message: "the connection was closed while the request was sent" },
  UND_ERR_SOCKET: { message: "the server closed the connection before its answer was complete" },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { message: "the answer's length is not what its header says" },
  UND_ERR_HEADERS_OVERFLOW: { message: "the answer's headers are too large" },
  "not-http": { message: "the answer is not HTTP", addressHint: "is something else listening there? check the address" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { message: "the certificate is self-signed", hint: certificateHint },
  SELF_SIGNED_CERT_IN_CHAIN: { message: "a certificate of the chain is self-signed", hint: certificateHint },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { message: "the certificate's issuer is not known", hint: certificateHint },
  UNABLE_TO_GET_ISSUER_CERT: { message: "the certificate's issuer is not known", hint: certificateHint },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { message: "the certificate's issuer is not known", hint: certificateHint },
  CERT_HAS_EXPIRED: { message: "the certificate has expired", hint: certificateHint },
  CERT_NOT_YET_VALID: { message: "the certificate is not valid yet", hint: "is this machine's clock right?" },
  ERR_TLS_CERT_ALTNAME_INVALID: { message: "the certificate is for another name", addressHint: "check the address" },
  EPROTO: { message: "the server does not speak TLS here", hint: "is it http:// rather than https://?" },
  ERR_SSL_WRONG_VERSION_NUMBER: { message: "the server does not speak TLS here", hint: "is it http:// rather than https://?" },
};

/** How far a request had come, and through whose hands. */
interface ConnectionState {
  /** Whether it had been started. */
  readonly sent: boolean;
  /** `host:port` of the proxy that it went through. */
  readonly proxy: string | undefined;
  /** Who gave the address, as it follows on "check the address". */
  readonly addressSource?: string;
}

/** No connection to the proxy itself came about; `cause` is why. */
export class ProxyConnectError extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Translates what the wire threw. */
export function networkError(thrown: Error, request: HttpRequest, { sent, proxy, addressSource = "" }: ConnectionState): NetworkError {
  if (thrown instanceof NetworkError) return thrown;
  const atProxy = thrown instanceof ProxyConnectError;
  const error = atProxy ? thrown.cause : thrown;
  // The parser of HTTP gives its errors a name, and not always a code.
  const code = error.name === "HTTPParserError" ? "not-http" : (codeOf(error) ?? codeOf(error.cause));
  const loss = (code === undefined ? undefined : findDescription(code)) ??
    findFirstDescription(error) ?? { message: sanitizeLine(messageOf(error)) };
  if (proxy !== undefined && !sent && (atProxy || !isCertificateError(code))) return proxyError(error, request, proxy, loss);
  const hint = loss.addressHint === undefined ? loss.hint : `${loss.addressHint}${addressSource}`;
  return new NetworkError(`${formatRequestTarget(request)}: ${loss.message}`, sent, {
    cause: error,
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
  });
}

function findDescription(code: string): NetworkErrorDescription | undefined {
  if (code.startsWith("ERR_SSL_"))
    return networkErrorDescriptions[code] ?? { message: `no secure connection could be agreed on (${code})`, hint: certificateHint };
  return networkErrorDescriptions[code];
}

/** What the site itself said about its certificate, behind any proxy. */
function isCertificateError(code: string | undefined): boolean {
  return code !== undefined && networkErrorDescriptions[code]?.hint === certificateHint;
}

/** The proxy could not be reached, or made no way to the site: `Proxy response (403)` is undici's word for its refusal. */
function proxyError(error: Error, request: HttpRequest, proxy: string, loss: NetworkErrorDescription): NetworkError {
  const [, status] = /\((\d{3})\)/.exec(messageOf(error)) ?? [];
  const why = status === undefined ? loss.message : status === "407" ? "it wants a user name and a password" : `it answered ${status}`;
  return new NetworkError(`${formatRequestTarget(request)}: the proxy ${proxy} made no connection: ${why}`, false, {
    cause: error,
    code: "proxy",
    hint:
      loss.hint === certificateHint
        ? certificateHint
        : "check HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists the hosts that are asked directly",
  });
}

/** A host with several addresses fails with one error for each. */
function findFirstDescription(error: Error): NetworkErrorDescription | undefined {
  if (!(error instanceof AggregateError)) return undefined;
  for (const part of error.errors) {
    const code = codeOf(part);
    const loss = code === undefined ? undefined : networkErrorDescriptions[code];
    if (loss !== undefined) return loss;
  }
  return undefined;
}
