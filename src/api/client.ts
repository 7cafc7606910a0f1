// The client over a real Transport: binds requests to a site, presents the access, and turns every answer into a reply or an error.
import type { AuthHeader, AuthHeaderProvider } from "../auth/credentials.ts";
import { isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { InvalidJsonError, parseJson, stringifyExact } from "../http/json.ts";
import { extractSecrets, filterUnambiguousSecrets, redactSecrets } from "../http/redact.ts";
import { release } from "../http/release.ts";
import { type HttpRequest, type HttpResponse, NetworkError, type Transport } from "../http/transport.ts";
import { shellQuote } from "../text.ts";
import {
  addNamespaces,
  isErrorBody,
  type LoginState,
  notJsonError,
  outcomeHint,
  responseError,
  unknownOutcomeMessage,
} from "./problems.ts";
import { type ApiReply, type ApiRequest, type Client, createUrlBuilder, type LazyReply } from "./request.ts";

/** What a client is made of. */
export interface ClientOptions {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly tokens: AuthHeaderProvider;
  readonly userAgent: string;
  /** What mends an access from there that the site does not accept, or none, for hints. */
  readonly loginHint: (source: string | undefined) => string;
}

/** An answer, and the access that was presented for it. */
interface AuthenticatedResponse {
  readonly response: HttpResponse;
  readonly authHeader: AuthHeader | undefined;
}

const maxRedirects = 5;

/** A client of one site. A 401 is answered once with another access, where there is one. */
export function createClient(parts: ClientOptions): Client {
  const urlOf = createUrlBuilder(parts.baseUrl);
  const exchange = async (request: ApiRequest): Promise<AuthenticatedResponse> => {
    const authHeader = await parts.tokens.getAuthHeader();
    const url = urlOf(request.path, request.query);
    const response = await followRedirects(parts, request, url, authHeader);
    if (response.status !== 401 || authHeader === undefined) return { response, authHeader };
    const renewed = await parts.tokens.refreshAuthHeader(authHeader);
    return renewed === undefined
      ? { response, authHeader }
      : { response: await followRedirects(parts, request, url, renewed), authHeader: renewed };
  };
  const fetch = async (request: ApiRequest): Promise<LazyReply> => {
    let kept: AuthenticatedResponse | undefined = await exchange(request);
    return async () => {
      if (kept === undefined) throw new Error("an answer is read once");
      const { response, authHeader } = kept;
      // Old garbage that leads here would keep the bytes of hundreds of pages alive, until the old generation is collected.
      kept = undefined;
      try {
        const login = { advice: parts.loginHint(authHeader?.source), ...(authHeader && { source: authHeader.source }) };
        const reply = await parseReply(request, response, login, () => (authHeader === undefined ? [] : extractSecrets(authHeader.value)));
        release(response.body);
        return reply;
      } catch (error) {
        if (
          response.priorOutcomeUnknown === true &&
          request.method === "DELETE" &&
          error instanceof CalError &&
          error.kind === "not-found"
        ) {
          return { status: response.status, headers: response.headers, value: {} };
        }
        throw await addNamespaces(error, request.path, async (path) => (await exchange({ method: "GET", path, query: [] })).response);
      }
    };
  };
  return { fetch, send: async (request) => (await fetch(request))() };
}

/** `secrets` are those that the request held: some sites repeat them in what they refuse. */
async function parseReply(
  request: ApiRequest,
  response: HttpResponse,
  login: LoginState,
  secrets: () => readonly string[],
): Promise<ApiReply> {
  let value: unknown;
  try {
    value = response.status === 204 ? {} : await parseJson(response.body, (text) => redactSecrets(text, secrets()));
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    throw notJsonError(request, response, error.message);
  }
  if (response.status >= 300 || isErrorBody(value)) throw responseError(request, response, redactValue(value, secrets()), login);
  return { status: response.status, headers: response.headers, value };
}

/** The value with no secret in any of its texts. A code decides what an error means: no short secret, which may be a word of it, is sought there. */
function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redactSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets));
  if (!isRecord(value)) return value;
  const told = (key: string, part: unknown) => redactValue(part, key === "code" ? filterUnambiguousSecrets(secrets) : secrets);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, told(key, part)]));
}

/** Follows redirects of reads within the origin; the access never leaves it, and a write is never turned into a read. */
async function followRedirects(
  parts: ClientOptions,
  request: ApiRequest,
  address: string,
  access: AuthHeader | undefined,
): Promise<HttpResponse> {
  let url = address;
  for (let step = 0; ; step++) {
    const response = await parts.transport(buildHttpRequest(parts, request, url, access)).catch((error: unknown) => {
      throw addUnknownOutcome(error, request);
    });
    const location = response.headers["location"];
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined) return response;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next?.origin !== new URL(url).origin || request.method !== "GET" || step === maxRedirects) {
      throw redirectError(parts, request, response.status, next);
    }
    url = next.href;
  }
}

/** A write whose answer was lost may have been done. */
function addUnknownOutcome(error: unknown, request: ApiRequest): unknown {
  if (!(error instanceof NetworkError) || !error.sent || request.method === "GET") return error;
  return new NetworkError(`${error.message}${unknownOutcomeMessage}`, true, { ...error.details, hint: outcomeHint(request) });
}

function redirectError({ baseUrl }: ClientOptions, request: ApiRequest, status: number, next: URL | undefined): CalError {
  const own = new URL(baseUrl);
  const details = { status, request: { method: request.method, path: request.path }, code: "redirected" };
  if (next?.origin === own.origin) {
    const why =
      request.method === "GET"
        ? `more than ${maxRedirects} times, last to ${next.pathname}`
        : `to ${next.pathname}; it was not repeated there`;
    return new CalError("local", `the site sends this ${request.method} on ${why}`, {
      ...details,
      hint: { text: "find the site's REST root", command: "cal init <site-url>" },
    });
  }
  const isSite = next !== undefined && (next.protocol === "https:" || next.protocol === own.protocol);
  const target = isSite ? next.origin : "what is no address of a site";
  return new CalError("local", `the site sends this request on to ${target}; the access stays with ${own.origin}`, {
    ...details,
    hint: isSite
      ? {
          text: "if that is the site's new address",
          command: `cal config set base_url ${shellQuote(`${next.origin}${own.pathname}${own.search}`)}`,
        }
      : { text: "find the site's REST root", command: "cal init <site-url>" },
  });
}

function buildHttpRequest(parts: ClientOptions, request: ApiRequest, url: string, access: AuthHeader | undefined): HttpRequest {
  const headers = {
    accept: "application/json",
    "user-agent": parts.userAgent,
    ...(access === undefined ? {} : { [access.header]: access.value }),
  };
  if (request.body === undefined) return { method: request.method, url, headers };
  return { method: request.method, url, headers: { ...headers, "content-type": "application/json" }, body: stringifyExact(request.body) };
}
