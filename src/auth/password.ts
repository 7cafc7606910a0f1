// The password flow: a token for user name and password, from either endpoint (sections 4.1 and 4.2).
import { CalError, type ErrorKind } from "../errors.ts";
import { redactSecrets } from "../http/redact.ts";
import type { HttpRequest, HttpResponse, Transport } from "../http/transport.ts";
import { authPaths } from "../model/auth.ts";
import {
  type AuthHeader,
  type AuthSettings,
  type Clock,
  isToken,
  parseJsonBody,
  parseTokenClaims,
  toDisplayName,
  toNumber,
  toRecord,
  toText,
} from "./credentials.ts";

/** The standard token endpoint (section 4.2) or the application endpoint (4.1). */
export type Endpoint = "token" | "app";

/** An application's key (section 2). Services of public clients give no secret: then it is empty. */
interface ApplicationKey {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Everything that the password flow sends. */
export interface Credentials extends ApplicationKey {
  readonly username: string;
  readonly password: string;
}

/** The wire and the clock of an exchange with the service at `authUrl`. */
interface AuthService {
  readonly authUrl: string;
  readonly transport: Transport;
  readonly clock: Clock;
}

/** Asks for a token; rejects with `unauthenticated` where the credentials are refused. */
export async function requestTokenByPassword(service: AuthService, endpoint: Endpoint, credentials: Credentials): Promise<TokenResponse> {
  const { clientId, clientSecret, username, password } = credentials;
  const request =
    endpoint === "token"
      ? createFormRequest(service.authUrl, credentials, { grant_type: "password", username, password })
      : createJsonRequest(service.authUrl, authPaths.app, { client_id: clientId, client_secret: clientSecret, username, password });
  const response = await service.transport(request);
  const secrets = [password, clientSecret, encodeBasicCredentials(clientId, clientSecret)];
  return parseTokenResponse(response, { path: authPaths[endpoint], receivedAt: service.clock.now(), secrets });
}

/** A form for the standard token endpoint, with the application key as Basic (section 4.2). */
function createFormRequest(authUrl: string, key: ApplicationKey, fields: Readonly<Record<string, string>>): HttpRequest {
  return {
    method: "POST",
    url: joinUrl(authUrl, authPaths.token),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      authorization: `Basic ${encodeBasicCredentials(key.clientId, key.clientSecret)}`,
    },
    body: new URLSearchParams(fields).toString(),
  };
}

/** A JSON request of the service (section 4.1, and the older paths that are not shown). */
function createJsonRequest(authUrl: string, path: string, body: Readonly<Record<string, string>>): HttpRequest {
  return {
    method: "POST",
    url: joinUrl(authUrl, path),
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  };
}

/** Base64 of `<name>:<secret>` in UTF-8 (section 4.2; the same form as HTTP's Basic). */
function encodeBasicCredentials(name: string, secret: string): string {
  return Buffer.from(`${name}:${secret}`, "utf8").toString("base64");
}

/** The absolute address of a path relative to {auth_url}. */
export function joinUrl(authUrl: string, path: string): string {
  return authUrl.replace(/\/+$/, "") + path;
}

/** Asks the standard endpoint, and the application endpoint where the service does not know the standard one. */
export async function requestTokenWithFallback(service: AuthService, credentials: Credentials): Promise<TokenResponse> {
  try {
    return await requestTokenByPassword(service, "token", credentials);
  } catch (error) {
    if (!isUnknownEndpoint(error)) throw error;
    return requestTokenByPassword(service, "app", credentials);
  }
}

// How a token or an application password is put on a request ("not shown" in section 5, so header and scheme are settings).

/** Presents a token; `Authorization: Bearer` unless the profile says otherwise. */
export function bearerHeader(settings: AuthSettings, token: string, source: string): AuthHeader {
  const scheme = settings.auth_scheme?.value ?? "Bearer";
  const header = (settings.auth_header?.value ?? "authorization").toLowerCase();
  return { header, value: scheme === "" ? token : `${scheme} ${token}`, source };
}

/** Presents a user name with an application password, as sites that run WordPress take them. */
export function basicHeader(username: string, password: string, source: string): AuthHeader {
  return { header: "authorization", value: `Basic ${encodeBasicCredentials(username, password)}`, source };
}

// The answer of a token endpoint, read tolerantly: both token responses of section 2, and what real services add.

/** A token that was granted, with all that is known of it. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds on our own clock; absent where the service tells no expiry. */
  readonly expiresAt?: number;
  readonly identity?: string;
  readonly identityId?: string;
  readonly application?: string;
}

/** Reads a grant; throws a CalError (`unauthenticated`, `unavailable`, `local`) where the answer is none. */
export function parseTokenResponse(response: HttpResponse, exchange: TokenRequestContext): TokenResponse {
  const answer = toRecord(parseJsonBody(response.body)) ?? {};
  const token = toText(answer["access_token"]) ?? toText(answer["_TOKEN"]);
  if (response.status < 200 || response.status > 299 || token === undefined) throw tokenEndpointError(response, exchange);
  if (!isToken(token)) {
    throw new CalError("unavailable", `the authentication service answered POST ${exchange.path} with a token that can't be used`, {
      status: response.status,
    });
  }
  const claims = parseTokenClaims(token);
  const expiresAt = parseExpiry(answer, response, exchange.receivedAt);
  const refreshToken = toText(answer["refresh_token"]);
  const identity = toDisplayName(answer["_IDENTITY"]) ?? claims.identity;
  const identityId = toDisplayName(answer["_IDENTITY_ID"]);
  const application = toDisplayName(answer["_APPLICATION"]) ?? claims.application;
  return {
    accessToken: token,
    ...(refreshToken !== undefined && isToken(refreshToken) ? { refreshToken } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(identity === undefined ? {} : { identity }),
    ...(identityId === undefined ? {} : { identityId }),
    ...(application === undefined ? {} : { application }),
  };
}

/** `expires-at` is on the server's clock, so only its distance from the server's own Date is used; it wins over `expires_in`. */
function parseExpiry(answer: Readonly<Record<string, unknown>>, response: HttpResponse, receivedAt: number): number | undefined {
  const at = toNumber(answer["expires-at"]) ?? toNumber(answer["expires_at"]);
  if (at !== undefined) {
    const serverNow = Date.parse(response.headers["date"] ?? "");
    return Number.isNaN(serverNow) ? at : receivedAt + (at - serverNow);
  }
  const seconds = toNumber(answer["expires_in"]);
  return seconds === undefined ? undefined : receivedAt + seconds * 1000;
}

// Refreshing and revoking: "not shown" in the interface, so the standard form first and the older paths after it.

/** Which form of the refresh a service knows. */
export type RefreshMethod = "standard" | "older";

/** A new grant and the way that gave it, to be remembered. The service may have replaced the refresh token: the old one is then dead. */
interface RefreshResult {
  readonly tokenResponse: TokenResponse;
  readonly method: RefreshMethod;
}

/** Exchanges a refresh token; begins with the way that worked before. Rejects with `unauthenticated` where the session has ended. */
export async function refreshAccessToken(
  service: AuthService,
  key: ApplicationKey,
  refreshToken: string,
  known?: RefreshMethod,
): Promise<RefreshResult> {
  const first: RefreshMethod = known ?? "standard";
  const second: RefreshMethod = first === "standard" ? "older" : "standard";
  try {
    return { tokenResponse: await requestRefresh(service, key, refreshToken, first), method: first };
  } catch (error) {
    if (!isUnknownEndpoint(error)) throw error;
    return { tokenResponse: await requestRefresh(service, key, refreshToken, second), method: second };
  }
}

async function requestRefresh(service: AuthService, key: ApplicationKey, refreshToken: string, way: RefreshMethod): Promise<TokenResponse> {
  const request =
    way === "standard"
      ? createFormRequest(service.authUrl, key, { grant_type: "refresh_token", refresh_token: refreshToken })
      : createJsonRequest(service.authUrl, authPaths.refresh, addApplicationKey(key, { refresh_token: refreshToken }));
  const response = await service.transport(request);
  const path = way === "standard" ? authPaths.token : authPaths.refresh;
  return parseTokenResponse(response, { path, receivedAt: service.clock.now(), secrets: listSecrets(key, refreshToken) });
}

/** Revokes a session by its refresh token, or by its access token where it has none. Answers false where the service has no such path. */
export async function revokeTokens(
  service: AuthService,
  key: ApplicationKey,
  tokens: { accessToken: string; refreshToken?: string },
): Promise<boolean> {
  const { accessToken, refreshToken } = tokens;
  const body = refreshToken === undefined ? { token: accessToken, token_hint: "access_token" } : { refresh_token: refreshToken };
  const response = await service.transport(createJsonRequest(service.authUrl, authPaths.revoke, addApplicationKey(key, body)));
  if (response.status >= 200 && response.status < 300) return true;
  const error = tokenEndpointError(response, {
    path: authPaths.revoke,
    receivedAt: service.clock.now(),
    secrets: [...listSecrets(key, refreshToken ?? accessToken), accessToken],
  });
  if (isUnknownEndpoint(error)) return false;
  throw new CalError(error.kind, `the service did not revoke the session: ${error.message}`, error.details);
}

function addApplicationKey(key: ApplicationKey, body: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { client_id: key.clientId, client_secret: key.clientSecret, ...body };
}

function listSecrets(key: ApplicationKey, token: string): readonly string[] {
  return [key.clientSecret, token, encodeBasicCredentials(key.clientId, key.clientSecret)];
}

// What a token endpoint that grants nothing means, said without a word that could be a secret.

/** What the reader of an answer must know of the request: where it went, when the answer came, and what may never be quoted. */
interface TokenRequestContext {
  readonly path: string;
  /** Milliseconds on our own clock. */
  readonly receivedAt: number;
  readonly secrets: readonly string[];
}

/** The error for an answer that is no grant ("not shown" in section 7): 400, 401 and 403 all mean that the credentials were refused. */
function tokenEndpointError(response: HttpResponse, exchange: TokenRequestContext): CalError {
  const said = parseTokenErrorBody(response, exchange.secrets);
  // An integer `code` in the body says more than the status: some services send every error as 200 or 400.
  const status = said.status ?? response.status;
  const details = {
    status,
    request: { method: "POST", path: exchange.path },
    ...(said.code === undefined ? {} : { code: said.code }),
    ...(said.message === undefined && said.code === undefined
      ? {}
      : { server: { ...(said.code && { code: said.code }), ...(said.message && { message: said.message }) } }),
  };
  const { kind, message, hint } = classifyTokenError(status, said.code);
  const words = said.message ?? said.code;
  return new CalError(kind, words === undefined ? message : `${message} (it says: ${words})`, { ...details, hint });
}

/** Whether an error means that the endpoint does not know the request at all, so that another form may be tried. */
function isUnknownEndpoint(error: unknown): boolean {
  if (!(error instanceof CalError)) return false;
  return error.details.status === 404 || error.details.status === 405 || error.details.code === "unsupported_grant_type";
}

function classifyTokenError(status: number, code: string | undefined): { kind: ErrorKind; message: string; hint: string } {
  if (code === "unsupported_grant_type") {
    return {
      kind: "unauthenticated",
      message: "the authentication service does not offer this way to log in",
      hint: "cal auth login --endpoint app, or cal auth login --method browser",
    };
  }
  if (code === "invalid_client" || code === "unauthorized_client") {
    return {
      kind: "unauthenticated",
      message: "the authentication service refused the application key",
      hint: "check client id and client secret, then: cal auth login",
    };
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      kind: "unauthenticated",
      message: "the authentication service refused the credentials",
      hint: "check user name, password, client id and client secret, then: cal auth login",
    };
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return {
      kind: "local",
      message: `there is no token endpoint at auth_url (status ${status})`,
      hint: "cal config list --show-origin shows auth_url; cal auth login --endpoint app tries the other endpoint",
    };
  }
  return { kind: "unavailable", message: `the authentication service gave no usable answer (status ${status})`, hint: "try again later" };
}

interface TokenErrorBody {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

/** The three known forms of an error body; HTML and everything else says nothing. */
function parseTokenErrorBody(response: HttpResponse, secrets: readonly string[]): TokenErrorBody {
  const answer = toRecord(parseJsonBody(response.body));
  if (answer === undefined) return {};
  const inner = toRecord(answer["error"]);
  const status = toNumber(inner?.["code"]) ?? toNumber(answer["code"]);
  const code = parseErrorCode(inner?.["code"]) ?? parseErrorCode(answer["error"]) ?? parseErrorCode(answer["code"]);
  const text = toText(inner?.["message"]) ?? toText(answer["error_description"]) ?? toText(answer["message"]) ?? toText(answer["error"]);
  return {
    ...(status !== undefined && status >= 400 && status <= 599 ? { status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(text === undefined || text === code ? {} : { message: redactAndTruncate(text, secrets) }),
  };
}

function parseErrorCode(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z][a-z0-9_.-]{1,39}$/i.test(value) ? value : undefined;
}

/** At most 160 characters on one line; known secrets and whatever looks like a token are taken out. */
export function redactAndTruncate(text: string, secrets: readonly string[]): string {
  return redactSecrets(text, secrets)
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replaceAll(/[\w.~+/=-]{24,}/g, "***")
    .slice(0, 160);
}
