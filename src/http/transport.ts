// One exchange over the wire, as a type: every request of the program goes through a Transport.
import { CalError, type ErrorDetails } from "../errors.ts";

/** A request as it goes out. `url` is absolute; header names are lower case. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it came in: decompressed, read to its last byte, at most 64 MB. Header names are lower case; repeated ones are joined with ", ". */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** An earlier attempt of the same request may have reached the server, but its answer was lost. */
  readonly priorOutcomeUnknown?: true;
}

/** Sends a request and resolves with whatever answer came, of any status; redirects are answers. Rejects with a LostExchange where no whole answer came. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** No whole answer came (exit 7). */
export class NetworkError extends CalError {
  /** Whether a byte of the request may have reached the server. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean, details: ErrorDetails = {}) {
    super("unavailable", message, details);
    this.sent = sent;
  }
}

/** Where a request goes, for messages: method, origin and path, never the query, which may hold a secret. */
export function formatRequestTarget(request: HttpRequest): string {
  const url = new URL(request.url);
  return `${request.method} ${url.origin}${url.pathname}`;
}

/** Whether a host name stays on this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
