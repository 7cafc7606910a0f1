// The type of all transports, and those that wrap another one: read-only and dry run, https only, and the log of --debug.
import { CalError, type ErrorDetails, messageOf } from "../errors.ts";
import { sanitizeLine } from "../text.ts";

/** `url` is absolute; header names are lower case. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** What the bytes of the body are. */
  readonly file?: { readonly name: string; readonly type: string; readonly size: number };
}

/** A complete answer, decompressed, at most 32 MB. Header names are lower case; repeated ones are joined with ", ". */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** An earlier attempt of the same request may have been executed, but its answer was lost. */
  readonly priorOutcomeUnknown?: true;
}

/** Resolves with an answer of any status; redirects are answers. Rejects with a NetworkError where no complete answer came. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** No complete answer came (exit 7). */
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

/** Whether a host name always means this machine. The system resolves names such as `x.localhost`, and may find another machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** A write that was not sent because of --dry-run. */
export class PlannedRequest {
  readonly request: HttpRequest;

  constructor(request: HttpRequest) {
    this.request = request;
  }
}

/** A transport that resolves with a write instead of sending it where --dry-run forbids it. */
export type GuardedTransport = (request: HttpRequest) => Promise<HttpResponse | PlannedRequest>;

/** Wraps a transport so that a read-only profile and --dry-run send no writes. */
export function guard(send: Transport, rules: { readonly readOnly: boolean; readonly dryRun: boolean }): GuardedTransport {
  return (request) => {
    if (safeMethods.has(request.method)) return send(request);
    if (rules.dryRun) return Promise.resolve(new PlannedRequest(request));
    return rules.readOnly ? Promise.reject(readOnlyError(formatRequestTarget(request))) : send(request);
  };
}

export function readOnlyError(what: string): CalError {
  return new CalError("forbidden", `nothing was sent: ${what} would write, and this is read-only`, {
    code: "read-only",
    hint: [{ text: "see where read_only is set", command: "cal config list --show-origin" }, "--no-read-only overrides it"],
  });
}

/** Headers that need no encryption. Any other counts as a secret, for a profile may send its token in any header. */
const nonSecretHeaders: ReadonlySet<string> = new Set(["accept", "accept-encoding", "content-type", "user-agent"]);

/** Wraps a transport so that only GET requests without a secret are sent over http to another machine, unless it is allowed. */
export function requireHttps(send: Transport, allowed: boolean): Transport {
  // Most requests of a command go to one site: its address is parsed once.
  let safeSite = "https://";
  return (request) => {
    if (allowed || request.url.startsWith("https://") || request.url.startsWith(safeSite)) return send(request);
    const { protocol, hostname, origin } = new URL(request.url);
    const isLocal = isLoopback(hostname);
    if (isLocal) safeSite = `${origin}/`;
    const isPublic = request.method === "GET" && Object.keys(request.headers).every((name) => nonSecretHeaders.has(name.toLowerCase()));
    if (isPublic || protocol !== "http:" || isLocal) return send(request);
    const refusal = new CalError(
      "usage",
      `nothing was sent: over plain http everybody on the network could read the login or the data of ${formatRequestTarget(request)}`,
      {
        code: "plain-http",
        hint: [
          "use https:// where the site has it",
          { text: "to allow http for this profile", command: "cal config set allow_http true" },
          { text: "for one call", command: "CAL_ALLOW_HTTP=1" },
        ],
      },
    );
    return Promise.reject(refusal);
  };
}

const secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|x-.*(?:token|key|secret).*)$/i;
const secretParameters = /((?:token|password|secret|code)[a-z_]*=)[^&\s]*/gi;

/** Wraps a transport so that each exchange is logged without secrets. Of a body only the size is logged: it may hold secrets. */
export function logRequests(send: Transport, clock: { now(): number }, write: (text: string) => Promise<void>): Transport {
  return async (request) => {
    const start = clock.now();
    // A short secret is redacted only in its own header or parameter: elsewhere it may be a part of the address.
    const secrets = filterUnambiguousSecrets(
      Object.entries(request.headers).flatMap(([name, value]) => (secretHeaders.test(name) ? extractSecrets(value) : [])),
    );
    const log = (text: string) => write(redactSecrets(text, secrets));
    const size = request.body === undefined ? "" : `, ${Buffer.byteLength(request.body)} bytes`;
    await log(`> ${request.method} ${request.url.replace(secretParameters, "$1***")}${size}${formatHeaders(">", request.headers)}`);
    try {
      const response = await send(request);
      await log(`< ${response.status} in ${clock.now() - start} ms, ${response.body.length} bytes${formatHeaders("<", response.headers)}`);
      return response;
    } catch (error) {
      await log(`< no answer in ${clock.now() - start} ms: ${messageOf(error)}`);
      throw error;
    }
  };
}

function formatHeaders(mark: string, headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => {
      const shown = secretHeaders.test(name) ? "***" : sanitizeLine(value.replace(secretParameters, "$1***"));
      return `\n${mark}   ${name}: ${shown}`;
    })
    .join("");
}

// Redaction: some servers repeat in their answers what they were sent.

/** A shorter secret may be a part of any word, so it is redacted only as a whole word. */
const minUnambiguousLength = 8;

/** Replaces every secret by `***`, also in its form for a query or a form body. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => {
    const encoded = new URLSearchParams([["", secret]]).toString().slice(1);
    return [secret, encoded, encoded.replaceAll("+", "%20")];
  });
  // The longest first and in one pass: a secret may be a part of another, or of `***`.
  const patterns = [...new Set(forms)]
    .filter((form) => form !== "")
    .sort((left, right) => right.length - left.length)
    .map((form) => {
      const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return form.length < minUnambiguousLength ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
    });
  return patterns.length === 0 ? text : text.replace(new RegExp(patterns.join("|"), "gu"), "***");
}

/** The secrets in the value of a header: the token of `Bearer`, the encoded pair of `Basic` and the password in it. */
export function extractSecrets(value: string): readonly string[] {
  const [, scheme = "", rest = value] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [rest, pair.slice(pair.indexOf(":") + 1)];
}

/** The secrets that are too long to be a part of an ordinary word. */
export function filterUnambiguousSecrets(secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => secret.length >= minUnambiguousLength);
}
