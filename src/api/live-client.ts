// The client over a real Transport: binds requests to a site, presents the access, and turns every answer into a reply or an error.
import type { Access, Tokens } from "../auth/access.ts";
import { isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { NotJson, parseJson } from "../http/json.ts";
import { stringifyExact } from "../http/json-text.ts";
import { release } from "../http/release.ts";
import { secretsIn, sureSecrets, withoutSecrets } from "../http/secrets.ts";
import { shellWord } from "../http/shell-word.ts";
import { type HttpRequest, type HttpResponse, LostExchange, type Transport } from "../http/transport.ts";
import { urlsBelow } from "./address.ts";
import type { Answer, ApiReply, ApiRequest, Client } from "./client.ts";
import { withNamespaces } from "./problems/no-route.ts";
import { notJsonProblem } from "./problems/not-json.ts";
import { outcomeHint, unknownOutcome } from "./problems/outcome.ts";
import { isErrorBody, type LoginState, problemOf } from "./problems/problem.ts";

/** What a client is made of. */
export interface ClientParts {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly tokens: Tokens;
  readonly userAgent: string;
  /** What mends an access from there that the site does not accept, or none, for hints. */
  readonly login: (source: string | undefined) => string;
}

/** An answer, and the access that was presented for it. */
interface Exchanged {
  readonly response: HttpResponse;
  readonly access: Access | undefined;
}

const redirectsAtMost = 5;

/** A client of one site. A 401 is answered once with another access, where there is one. */
export function createClient(parts: ClientParts): Client {
  const urlOf = urlsBelow(parts.baseUrl);
  const exchange = async (request: ApiRequest): Promise<Exchanged> => {
    const access = await parts.tokens.current();
    const url = urlOf(request.path, request.query);
    const response = await follow(parts, request, url, access);
    if (response.status !== 401 || access === undefined) return { response, access };
    const renewed = await parts.tokens.renewed(access);
    return renewed === undefined ? { response, access } : { response: await follow(parts, request, url, renewed), access: renewed };
  };
  const ask = async (request: ApiRequest): Promise<Answer> => {
    let kept: Exchanged | undefined = await exchange(request);
    return async () => {
      if (kept === undefined) throw new Error("an answer is read once");
      const { response, access } = kept;
      // Old garbage that leads here would keep the bytes of hundreds of pages alive, until the old generation is collected.
      kept = undefined;
      try {
        const login = { advice: parts.login(access?.source), ...(access && { source: access.source }) };
        const reply = await replyOf(request, response, login, () => (access === undefined ? [] : secretsIn(access.value)));
        release(response.body);
        return reply;
      } catch (error) {
        if (response.repeated === true && request.method === "DELETE" && error instanceof CalError && error.kind === "not-found") {
          return { status: response.status, headers: response.headers, value: {} };
        }
        throw await withNamespaces(error, request.path, async (path) => (await exchange({ method: "GET", path, query: [] })).response);
      }
    };
  };
  return { ask, send: async (request) => (await ask(request))() };
}

/** `secrets` are those that the request held: some sites repeat them in what they refuse. */
async function replyOf(
  request: ApiRequest,
  response: HttpResponse,
  login: LoginState,
  secrets: () => readonly string[],
): Promise<ApiReply> {
  let value: unknown;
  try {
    value = response.status === 204 ? {} : await parseJson(response.body, (text) => withoutSecrets(text, secrets()));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw notJsonProblem(request, response, error.message);
  }
  if (response.status >= 300 || isErrorBody(value)) throw problemOf(request, response, blanked(value, secrets()), login);
  return { status: response.status, headers: response.headers, value };
}

/** The value with no secret in any of its texts. A code decides what an error means: no short secret, which may be a word of it, is sought there. */
function blanked(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return withoutSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => blanked(item, secrets));
  if (!isRecord(value)) return value;
  const told = (key: string, part: unknown) => blanked(part, key === "code" ? sureSecrets(secrets) : secrets);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, told(key, part)]));
}

/** Follows redirects of reads within the origin; the access never leaves it, and a write is never turned into a read. */
async function follow(parts: ClientParts, request: ApiRequest, address: string, access: Access | undefined): Promise<HttpResponse> {
  let url = address;
  for (let step = 0; ; step++) {
    const response = await parts.transport(httpRequest(parts, request, url, access)).catch((error: unknown) => {
      throw withOutcome(error, request);
    });
    const location = response.headers["location"];
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined) return response;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next?.origin !== new URL(url).origin || request.method !== "GET" || step === redirectsAtMost) {
      throw redirected(parts, request, response.status, next);
    }
    url = next.href;
  }
}

/** A write whose answer was lost may have been done. */
function withOutcome(error: unknown, request: ApiRequest): unknown {
  if (!(error instanceof LostExchange) || !error.sent || request.method === "GET") return error;
  return new LostExchange(`${error.message}${unknownOutcome}`, true, { ...error.details, hint: outcomeHint(request) });
}

function redirected({ baseUrl }: ClientParts, request: ApiRequest, status: number, next: URL | undefined): CalError {
  const own = new URL(baseUrl);
  const details = { status, request: { method: request.method, path: request.path }, code: "redirected" };
  if (next?.origin === own.origin) {
    const why =
      request.method === "GET"
        ? `more than ${redirectsAtMost} times, last to ${next.pathname}`
        : `to ${next.pathname}; it was not repeated there`;
    return new CalError("local", `the site sends this ${request.method} on ${why}`, {
      ...details,
      hint: "find the site's REST root: cal init <site-url>",
    });
  }
  const isSite = next !== undefined && (next.protocol === "https:" || next.protocol === own.protocol);
  const target = isSite ? next.origin : "what is no address of a site";
  return new CalError("local", `the site sends this request on to ${target}; the access stays with ${own.origin}`, {
    ...details,
    hint: isSite
      ? `if that is the site's new address: cal config set base_url ${shellWord(`${next.origin}${own.pathname}${own.search}`)}`
      : "find the site's REST root: cal init <site-url>",
  });
}

function httpRequest(parts: ClientParts, request: ApiRequest, url: string, access: Access | undefined): HttpRequest {
  const headers = {
    accept: "application/json",
    "user-agent": parts.userAgent,
    ...(access === undefined ? {} : { [access.header]: access.value }),
  };
  if (request.body === undefined) return { method: request.method, url, headers };
  return { method: request.method, url, headers: { ...headers, "content-type": "application/json" }, body: stringifyExact(request.body) };
}
