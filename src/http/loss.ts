// What went wrong on the wire, in words: the system's error codes and undici's, translated once.
import { codeOf, messageOf } from "../errors.ts";
import { type HttpRequest, LostExchange, placeOf } from "./transport.ts";

interface Loss {
  readonly says: string;
  readonly hint?: string;
  /** Known not to have reached the server. */
  readonly unsent?: true;
}

const proxyHint = "check the address and the network; behind a proxy, set HTTPS_PROXY";
const trustHint = "a certificate authority of your own: --ca-file ca.pem; a test server: --insecure";

const losses: Readonly<Record<string, Loss>> = {
  ENOTFOUND: { says: "the host name is not known", hint: "check the address: cal config get base_url", unsent: true },
  EAI_AGAIN: { says: "the host name could not be looked up", hint: "check the network, then try again", unsent: true },
  ECONNREFUSED: { says: "the connection was refused", hint: "is the server running, and is the port right? cal config get base_url", unsent: true },
  EHOSTUNREACH: { says: "the host can't be reached", hint: proxyHint, unsent: true },
  ENETUNREACH: { says: "the network can't be reached", hint: proxyHint, unsent: true },
  UND_ERR_CONNECT_TIMEOUT: { says: "no connection was made in time", hint: proxyHint, unsent: true },
  ECONNRESET: { says: "the connection was reset" },
  EPIPE: { says: "the connection was closed while the request was sent" },
  UND_ERR_SOCKET: { says: "the server closed the connection before its answer was complete" },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { says: "the answer's length is not what its header says" },
  UND_ERR_HEADERS_OVERFLOW: { says: "the answer's headers are too large" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { says: "the certificate is self-signed", hint: trustHint, unsent: true },
  SELF_SIGNED_CERT_IN_CHAIN: { says: "a certificate of the chain is self-signed", hint: trustHint, unsent: true },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { says: "the certificate's issuer is not known", hint: trustHint, unsent: true },
  UNABLE_TO_GET_ISSUER_CERT: { says: "the certificate's issuer is not known", hint: trustHint, unsent: true },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { says: "the certificate's issuer is not known", hint: trustHint, unsent: true },
  CERT_HAS_EXPIRED: { says: "the certificate has expired", hint: trustHint, unsent: true },
  CERT_NOT_YET_VALID: { says: "the certificate is not valid yet", hint: "is this machine's clock right?", unsent: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { says: "the certificate is for another name", hint: "check the address: cal config get base_url", unsent: true },
  EPROTO: { says: "the server does not speak TLS here", hint: "is it http:// rather than https://?", unsent: true },
  ERR_SSL_WRONG_VERSION_NUMBER: { says: "the server does not speak TLS here", hint: "is it http:// rather than https://?", unsent: true },
};

/** Translates what the wire threw; `sent` tells whether the request had been started. */
export function lostExchange(error: Error, request: HttpRequest, sent: boolean): LostExchange {
  if (error instanceof LostExchange) return error;
  const code = codeOf(error) ?? codeOf(error.cause);
  const loss: Loss = (code === undefined ? undefined : losses[code]) ?? firstOf(error) ?? { says: messageOf(error) };
  return new LostExchange(`${placeOf(request)}: ${loss.says}`, sent && loss.unsent !== true, {
    cause: error,
    ...(code === undefined ? {} : { code }),
    ...(loss.hint === undefined ? {} : { hint: loss.hint }),
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
