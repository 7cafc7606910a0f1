// The client of one site: sends requests with the login, follows redirects, and turns every answer into a reply or an error.
import type { AuthHeader, AuthHeaderProvider } from "../auth/credentials.ts";
import { isRecord } from "../data-record.ts";
import { CalError, type Hint } from "../errors.ts";
import { InvalidJsonError, parseJson, stringifyExact } from "../http/json.ts";
import {
  extractSecrets,
  filterUnambiguousSecrets,
  type GuardedTransport,
  type HttpResponse,
  NetworkError,
  PlannedRequest,
  redactSecrets,
} from "../http/transport.ts";
import {
  addNamespaces,
  isErrorBody,
  maxRedirects,
  notJsonError,
  outcomeHint,
  redirectError,
  responseError,
  unknownOutcomeMessage,
} from "./problems.ts";
import { type ApiReply, type ApiRequest, type Client, createUrlBuilder, type LazyReply } from "./request.ts";

export interface ClientOptions {
  readonly transport: GuardedTransport;
  readonly baseUrl: string;
  readonly tokens: AuthHeaderProvider;
  readonly userAgent: string;
  /** The hint for a login from this source that the site does not accept, or for a request without a login. */
  readonly loginHint: (source: string | undefined) => Hint;
}

/** An answer, and the login that was sent for it. */
interface AuthenticatedResponse {
  readonly response: HttpResponse;
  readonly authHeader: AuthHeader | undefined;
}

/** A client of one site. After a 401 the request is repeated once with a refreshed login, where there is one. */
export function createClient(options: ClientOptions): Client {
  const buildUrl = createUrlBuilder(options.baseUrl);
  const exchange = async (request: ApiRequest): Promise<AuthenticatedResponse | PlannedRequest> => {
    const authHeader = await options.tokens.getAuthHeader();
    const url = buildUrl(request.path, request.query);
    const response = await followRedirects(options, request, url, authHeader);
    if (response instanceof PlannedRequest) return response;
    const refreshed = response.status === 401 && authHeader !== undefined && (await options.tokens.refreshAuthHeader(authHeader));
    if (!refreshed) return { response, authHeader };
    const repeated = await followRedirects(options, request, url, refreshed);
    return repeated instanceof PlannedRequest ? repeated : { response: repeated, authHeader: refreshed };
  };
  const exchangeRead = async (request: ApiRequest): Promise<AuthenticatedResponse> => {
    const answer = await exchange(request);
    if (answer instanceof PlannedRequest) throw new Error(`a ${request.method} request needs Client.write`);
    return answer;
  };
  const readReply = async (request: ApiRequest, answer: AuthenticatedResponse): Promise<ApiReply> => {
    try {
      return await parseReply(request, answer, options);
    } catch (error) {
      const { priorOutcomeUnknown, status, headers } = answer.response;
      const isMissing = error instanceof CalError && error.kind === "not-found";
      // An earlier attempt of the same DELETE was executed.
      if (priorOutcomeUnknown === true && request.method === "DELETE" && isMissing) return { status, headers, value: {} };
      if (request.optional === true) throw error;
      throw await addNamespaces(error, request.path, async (path) => (await exchangeRead({ method: "GET", path, query: [] })).response);
    }
  };
  const send = async (request: ApiRequest): Promise<ApiReply> => readReply(request, await exchangeRead(request));
  const fetch = async (request: ApiRequest): Promise<LazyReply> => {
    const answer = await exchangeRead(request);
    return () => readReply(request, answer);
  };
  const write = async (request: ApiRequest): Promise<ApiReply | PlannedRequest> => {
    const answer = await exchange(request);
    return answer instanceof PlannedRequest ? answer : readReply(request, answer);
  };
  return { send, write, fetch };
}

async function parseReply(
  request: ApiRequest,
  { response, authHeader }: AuthenticatedResponse,
  { loginHint, baseUrl }: ClientOptions,
): Promise<ApiReply> {
  const { status, headers } = response;
  // Some sites repeat the secrets of a request in their error. They are extracted only where there is one.
  const getSecrets = () => (authHeader === undefined ? [] : extractSecrets(authHeader.value));
  let value: unknown;
  try {
    value = status === 204 ? {} : await parseJson(response.body, (text) => redactSecrets(text, getSecrets()));
  } catch (error) {
    throw error instanceof InvalidJsonError ? notJsonError(request, response, error.message, baseUrl) : error;
  }
  if (status < 300 && !isErrorBody(value)) return { status, headers, value };
  const login = { advice: loginHint(authHeader?.source), ...(authHeader && { source: authHeader.source }) };
  throw responseError(request, response, redactValue(value, getSecrets()), login);
}

/** Redacts every text in a value. In a `code`, which decides what an error means, a short secret may be a part of a word and stays. */
function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redactSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    return [key, redactValue(part, key === "code" ? filterUnambiguousSecrets(secrets) : secrets)] as const;
  });
  return Object.fromEntries(entries);
}

/** Follows the redirects of a GET within the origin: the login is never sent to another one, and a write never becomes a GET. */
async function followRedirects(
  { baseUrl, transport, userAgent }: ClientOptions,
  request: ApiRequest,
  startUrl: string,
  authHeader: AuthHeader | undefined,
): Promise<HttpResponse | PlannedRequest> {
  const { method, body, file } = request;
  const headers = {
    accept: "application/json",
    "user-agent": userAgent,
    ...(authHeader === undefined ? {} : { [authHeader.header]: authHeader.value }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(file === undefined ? {} : { "content-type": file.type, "content-disposition": `attachment; filename="${file.name}"` }),
  };
  const content = file !== undefined ? { body: await file.read(), file } : body === undefined ? {} : { body: stringifyExact(body) };
  let url = startUrl;
  for (let count = 0; ; count++) {
    let response: HttpResponse | PlannedRequest;
    try {
      response = await transport({ method, url, headers, ...content });
    } catch (error) {
      // A write whose answer was lost may have been executed.
      if (!(error instanceof NetworkError) || !error.sent || method === "GET") throw error;
      throw new NetworkError(`${error.message}${unknownOutcomeMessage}`, true, { ...error.details, hint: outcomeHint(request) });
    }
    if (response instanceof PlannedRequest) return response;
    const { location } = response.headers;
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined) return response;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next?.origin !== new URL(url).origin || method !== "GET" || count === maxRedirects)
      throw redirectError(baseUrl, request, response.status, next, authHeader !== undefined);
    url = next.href;
  }
}
