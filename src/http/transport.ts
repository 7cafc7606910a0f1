// One exchange over the wire, as a type: every request of the program goes through a Transport.
import { CalError, type ErrorDetails } from "../errors.ts";
import { sanitizeLine } from "../text.ts";
import { extractSecrets, filterUnambiguousSecrets, redactSecrets } from "./redact.ts";

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

// The one choke point of writing: what a read-only profile or --dry-run forbids never reaches the wire.

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Thrown instead of sending under --dry-run; the program prints the request and exits 0. */
export class PlannedRequest extends Error {
  override readonly name = "PlannedRequest";
  readonly request: HttpRequest;

  constructor(request: HttpRequest) {
    super(`planned: ${formatRequestTarget(request)}`);
    this.request = request;
  }
}

/** Wraps a transport so that only reads pass where writing is not wanted. */
export function guard(send: Transport, rules: { readonly readOnly: boolean; readonly dryRun: boolean }): Transport {
  return (request) => {
    if (safeMethods.has(request.method) || !(rules.dryRun || rules.readOnly)) return send(request);
    return Promise.reject(rules.dryRun ? new PlannedRequest(request) : readOnlyError(formatRequestTarget(request)));
  };
}

/** Why what would write is not sent. */
export function readOnlyError(what: string): CalError {
  return new CalError("forbidden", `nothing was sent: ${what} would write, and this is read-only`, {
    code: "read-only",
    hint: "cal config list --show-origin shows where read_only is set; --no-read-only overrides it",
  });
}

// Over plain http everybody on the way can read and change what is sent: nothing but bare reading goes there without an explicit yes.

/** What everybody may read of a request. */
const nonSecretHeaders: ReadonlySet<string> = new Set(["accept", "accept-encoding", "content-type", "user-agent"]);

/**
 * Wraps a transport so that only GET requests without a secret go over http to another machine, unless it is allowed.
 * Every header that is not known to be harmless counts as a secret: a profile may present its token in any.
 */
export function requireHttps(send: Transport, allowed: boolean): Transport {
  return (request) => {
    if (allowed || request.url.startsWith("https://")) return send(request);
    const { protocol, hostname } = new URL(request.url);
    const bare = request.method === "GET" && Object.keys(request.headers).every((name) => nonSecretHeaders.has(name.toLowerCase()));
    if (bare || protocol !== "http:" || isLoopback(hostname)) return send(request);
    const refusal = new CalError(
      "usage",
      `nothing was sent: over plain http everybody on the way could read the access or the data of ${formatRequestTarget(request)}`,
      {
        code: "plain-http",
        hint: "use https:// where the site has it; to allow http for this profile: cal config set allow_http true; for a call: CAL_ALLOW_HTTP=1",
      },
    );
    return Promise.reject(refusal);
  };
}

// --debug: every exchange on stderr, with times and headers, secrets blanked.

const secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|x-.*(?:token|key|secret).*)$/i;
const secretValues = /((?:token|password|secret|code)[a-z_]*=)[^&\s]*/gi;

/** Wraps a transport so that each exchange is told. Bodies are told by their size only: they may hold secrets. */
export function logRequests(send: Transport, clock: { now(): number }, say: (text: string) => Promise<void>): Transport {
  return async (request) => {
    const start = clock.now();
    // A short one is blanked where its name or place tells it; elsewhere it may be a word of the address.
    const sent = filterUnambiguousSecrets(
      Object.entries(request.headers).flatMap(([name, value]) => (secretHeaders.test(name) ? extractSecrets(value) : [])),
    );
    const tell = (text: string) => say(redactSecrets(text, sent));
    const bytes = request.body === undefined ? "" : `, ${Buffer.byteLength(request.body)} bytes`;
    await tell(`> ${request.method} ${request.url.replace(secretValues, "$1***")}${bytes}${formatHeaders(">", request.headers)}`);
    try {
      const response = await send(request);
      await tell(`< ${response.status} in ${clock.now() - start} ms, ${response.body.length} bytes${formatHeaders("<", response.headers)}`);
      return response;
    } catch (error) {
      await tell(`< no answer in ${clock.now() - start} ms: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  };
}

function formatHeaders(mark: string, headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `\n${mark}   ${name}: ${secretHeaders.test(name) ? "***" : sanitizeLine(value.replace(secretValues, "$1***"))}`)
    .join("");
}
