// Requests and answers as plain values: everything behind server.ts can be called without a socket.

/** A request with its whole body. Header names are lower case. */
export interface SandboxRequest {
  readonly method: string;
  /** Percent-encoded, as sent, without the query. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Each character of the body is a byte. */
  readonly isBinary?: true;
}

type Headers = SandboxResponse["headers"];

/** Thrown anywhere below the router to answer with an error. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly response: SandboxResponse;

  constructor(response: SandboxResponse) {
    super(`refused with ${response.status}`);
    this.response = response;
  }
}

export function jsonResponse(status: number, value: unknown, headers: Headers = {}): SandboxResponse {
  const own = { "content-type": "application/json; charset=UTF-8", "cache-control": "no-store" };
  return { status, headers: { ...own, ...headers }, body: JSON.stringify(value) };
}

export function htmlResponse(status: number, body: string, headers: Headers = {}): SandboxResponse {
  return { status, headers: { "content-type": "text/html; charset=UTF-8", ...headers }, body };
}

/** A redirect that the browser follows with GET. */
export function redirectResponse(location: string): SandboxResponse {
  return { status: 303, headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" }, body: "" };
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#039;");
}

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

// The errors of the calendar interface. The interface document shows none (section 7); these were recorded from a real server.

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

export type ParameterErrors = Readonly<Record<string, ParameterError>>;

export function createTypeError(name: string, type: string): ParameterError {
  return { message: `${name} is not of type ${type}.`, code: "rest_invalid_type", data: { param: name } };
}

/** 400 for all required parameters that were not sent. */
export function createMissingParametersError(names: readonly string[]): ResponseError {
  return createApiError(400, "rest_missing_callback_param", `Missing parameter(s): ${names.join(", ")}`, { params: names });
}

/** Throws 400 if any parameter is wrong. */
export function throwParameterErrors(errors: ParameterErrors): void {
  if (Object.keys(errors).length > 0) throw createInvalidParametersError(errors);
}

export function createInvalidParametersError(errors: ParameterErrors): ResponseError {
  const entries = Object.entries(errors);
  const names = Object.keys(errors).join(", ");
  const params = Object.fromEntries(entries.map(([name, { message }]) => [name, message]));
  const coded = entries.filter(([, { code }]) => code !== undefined);
  // An empty list of details is an empty array on real servers.
  const details =
    coded.length === 0 ? [] : Object.fromEntries(coded.map(([name, { code, message, data }]) => [name, { code, message, data }]));
  return createApiError(400, "rest_invalid_param", `Invalid parameter(s): ${names}`, { params, details });
}

/** 404 for a path or method that has no route. */
export function createNoRouteError(): ResponseError {
  return createApiError(404, "rest_no_route", "No route was found matching the URL and request method.");
}

// Parameters as PHP reads them: `a[]=1&a[]=2`, `a[0]=1`, `venue[city]=Rome`. Of repeated names the last one counts.

/** Parameters by name. Values are texts, or what a JSON body has. */
export type Params = Readonly<Record<string, unknown>>;

type NestedParams = Map<string, string | NestedParams>;

/** Reads a query or a form body. Bracketed names become arrays where all keys are numbers, else objects. */
export function parseParameters(text: string): Params {
  const root: NestedParams = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
    const path = keys?.[1] === undefined ? [name] : [keys[1], ...(keys[2] ?? "").slice(1, -1).split("][")];
    if (path.length <= 4) setNestedValue(root, path, value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, toPlainValue(value)]));
}

function setNestedValue(into: NestedParams, [first = "", ...rest]: readonly string[], value: string): void {
  const key = first === "" ? String(into.size) : first;
  if (rest.length === 0) {
    into.set(key, value);
    return;
  }
  const known = into.get(key);
  const next: NestedParams = typeof known === "object" ? known : new Map();
  into.set(key, next);
  setNestedValue(next, rest, value);
}

function toPlainValue(value: string | NestedParams): unknown {
  if (typeof value === "string") return value;
  const entries = [...value].map(([key, inner]) => [key, toPlainValue(inner)] as const);
  return entries.every(([key]) => /^\d+$/.test(key)) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** The items of an array, of a comma-separated text, or of a single value. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "string" ? value.split(",").map((part) => part.trim()) : [value];
}

export interface Payload {
  readonly params: Params;
  /** Whether the values have JSON's types; otherwise they are all texts. */
  readonly hasJsonTypes: boolean;
}

/** Reads a body by its content type; 400 for broken JSON. A body of another type counts as empty, as on real servers. */
export function parsePayload({ headers, body }: SandboxRequest): Payload {
  const contentType = headers["content-type"] ?? "";
  const type = contentType.toLowerCase().split(";")[0]?.trim() ?? "";
  if (/^application\/(.+\+)?json$/.test(type)) return { params: parseJsonBody(body), hasJsonTypes: true };
  if (type === "application/x-www-form-urlencoded") return { params: parseParameters(body), hasJsonTypes: false };
  if (type === "multipart/form-data") return { params: parseMultipartBody(contentType, body), hasJsonTypes: false };
  return { params: {}, hasJsonTypes: false };
}

function parseJsonBody(body: string): Params {
  if (body.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(body);
    // A JSON list or text is no set of parameters; real servers read none from it.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    throw createApiError(400, "rest_invalid_json", "Invalid JSON body passed.", { json_error_code: 4, json_error_message: "Syntax error" });
  }
}

/** Fields only; files are left out. */
function parseMultipartBody(contentType: string, body: string): Params {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return {};
  const pairs = body.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const name = /name="([^"]+)"/i.exec(head)?.[1];
    return name === undefined || /filename=/i.test(head) ? [] : [[name, rest.join("\r\n\r\n").replace(/\r\n$/, "")]];
  });
  return parseParameters(new URLSearchParams(pairs).toString());
}
