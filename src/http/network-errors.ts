// Turns the error codes of the system, of TLS and of undici into messages.
import { codeOf, type Hint, messageOf } from "../errors.ts";
import { sanitizeLine } from "../text.ts";
import { formatRequestTarget, type HttpRequest, NetworkError } from "./transport.ts";

interface NetworkErrorDescription {
  readonly message: string;
  readonly hint?: string;
  /** Instead of a hint where the address may be wrong; followed by where the address is from. */
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

interface ConnectionState {
  /** Whether a byte of the request may have been sent. */
  readonly sent: boolean;
  /** `host:port` of the proxy. */
  readonly proxy: string | undefined;
  /** Where the address is from, as the end of the hint "check the address". */
  readonly addressSource?: string | { readonly command: string };
}

/** There is no connection to the proxy itself; `cause` says why. */
export class ProxyConnectError extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/** The NetworkError for what undici threw. */
export function networkError(thrown: Error, request: HttpRequest, { sent, proxy, addressSource = "" }: ConnectionState): NetworkError {
  if (thrown instanceof NetworkError) return thrown;
  const isProxyConnection = thrown instanceof ProxyConnectError;
  const error = isProxyConnection ? thrown.cause : thrown;
  // The errors of undici's HTTP parser have a name, and not always a code. For some statuses, such as 000 and 101, an assertion of it fails.
  const isNotHttp = error.name === "HTTPParserError" || codeOf(error) === "ERR_ASSERTION";
  const code = isNotHttp ? "not-http" : (codeOf(error) ?? codeOf(error.cause));
  // A host with several addresses fails with one error for each.
  const codes = [code, ...(error instanceof AggregateError ? error.errors.map(codeOf) : [])];
  const description = codes.map(findDescription).find((one) => one !== undefined) ?? { message: sanitizeLine(messageOf(error)) };
  const { message, addressHint } = description;
  // Behind a proxy, too, the certificate is the site's, except where the connection is the one to the proxy.
  const isSiteCertificate = !isProxyConnection && code !== undefined && networkErrorDescriptions[code]?.hint === certificateHint;
  if (proxy !== undefined && !sent && !isSiteCertificate) {
    // undici reports the refusal of a proxy as `Proxy response (403)`.
    const [, status] = /\((\d{3})\)/.exec(messageOf(error)) ?? [];
    const why = status === undefined ? message : status === "407" ? "it wants a user name and a password" : `it answered ${status}`;
    return new NetworkError(`${formatRequestTarget(request)}: the proxy ${proxy} made no connection: ${why}`, false, {
      cause: error,
      code: "proxy",
      hint:
        description.hint === certificateHint
          ? certificateHint
          : "check HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists the hosts that are asked directly",
    });
  }
  const hint = addressHint === undefined ? description.hint : addSource(addressHint, addressSource);
  return new NetworkError(`${formatRequestTarget(request)}: ${message}`, sent, {
    cause: error,
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
  });
}

function addSource(addressHint: string, source: string | { readonly command: string }): Hint {
  return typeof source === "string" ? `${addressHint}${source}` : { text: addressHint, ...source };
}

function findDescription(code: string | undefined): NetworkErrorDescription | undefined {
  if (code === undefined) return undefined;
  const known = networkErrorDescriptions[code];
  if (known !== undefined || !code.startsWith("ERR_SSL_")) return known;
  return { message: `no secure connection could be agreed on (${code})`, hint: certificateHint };
}
