// Requests and answers as plain values, so that everything behind server.ts can be called without a socket.

/** A request as it came in, its body read whole. Header names are lower case. */
export interface SandboxRequest {
  readonly method: string;
  /** Percent-encoded, as sent, without the query. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer before it is written. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Thrown anywhere below the router to answer with something else than success. */
export class ResponseError extends Error {
  override readonly name = "Refusal";
  readonly response: SandboxResponse;

  constructor(answer: SandboxResponse) {
    super(`refused with ${answer.status}`);
    this.response = answer;
  }
}

/** A JSON answer, never to be cached. */
export function jsonResponse(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): SandboxResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", "cache-control": "no-store", ...headers },
    body: JSON.stringify(value),
  };
}

/** An HTML answer. */
export function htmlResponse(status: number, body: string, headers: Readonly<Record<string, string>> = {}): SandboxResponse {
  return { status, headers: { "content-type": "text/html; charset=UTF-8", ...headers }, body };
}

/** A redirect that the browser follows with GET. */
export function redirectResponse(location: string): SandboxResponse {
  return { status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" }, body: "" };
}

/** Text made safe for HTML, inside attributes too. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#039;");
}

/** An address, read; undefined where it is none. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

// The error bodies of the calendar interface. The contract shows none (section 7); these are the recorded ones of a real server.

/** `{code, message, data: {status, ...}}`. */
export function createApiError(status: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}): ResponseError {
  return new ResponseError(jsonResponse(status, { code, message, data: { status, ...data } }));
}

/** What is wrong with one parameter; a code makes it a row of `data.details` too. */
export interface ParameterError {
  readonly message: string;
  readonly code?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** 400 for required parameters that were not sent: all of them. */
export function createMissingParametersError(names: readonly string[]): ResponseError {
  return createApiError(400, "rest_missing_callback_param", `Missing parameter(s): ${names.join(", ")}`, { params: names });
}

/** 400 for parameters that can't be used: all of them. */
export function createInvalidParametersError(faults: Readonly<Record<string, ParameterError>>): ResponseError {
  const names = Object.keys(faults);
  const params = Object.fromEntries(names.map((name) => [name, faults[name]?.message]));
  const coded = Object.entries(faults).flatMap(([name, { code, message, data }]) =>
    code === undefined ? [] : [[name, { code, message, data }]],
  );
  // An empty list of details is an empty array on real servers.
  const details = coded.length === 0 ? [] : Object.fromEntries(coded);
  return createApiError(400, "rest_invalid_param", `Invalid parameter(s): ${names.join(", ")}`, { params, details });
}

/** 404 for a path or method that nothing answers to. */
export function createNoRouteError(): ResponseError {
  return createApiError(404, "rest_no_route", "No route was found matching the URL and request method.");
}
