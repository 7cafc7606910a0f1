// The requests to an authentication service (sections 4.1 and 4.2): tokens for a password, refresh and revocation, and their headers.
import { CalError, type ErrorKind, type Hints } from "../errors.ts";
import { type HttpResponse, redactSecrets, type Transport } from "../http/transport.ts";
import { authPaths } from "../model/auth.ts";
import {
  type Clock,
  encodeBasicCredentials,
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

/** The form of a refresh: the standard grant, or the path of older services ("not shown" in the interface). */
export type RefreshMethod = "standard" | "older";

/** The key of an application (section 2). Services of public clients give no secret: then it is empty. */
interface ApplicationKey {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the password grant needs. */
export interface Credentials extends ApplicationKey {
  readonly username: string;
  readonly password: string;
}

interface AuthService {
  readonly authUrl: string;
  readonly transport: Transport;
  readonly clock: Clock;
}

/** A token that was granted. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds on our own clock; undefined where the service names no expiry. */
  readonly expiresAt: number | undefined;
  readonly identity: string | undefined;
  readonly identityId: string | undefined;
  readonly application: string | undefined;
}

/** Requests a token; rejects with `unauthenticated` where the credentials are refused. */
export function requestTokenByPassword(service: AuthService, endpoint: Endpoint, credentials: Credentials): Promise<TokenResponse> {
  const { username, password } = credentials;
  const fields = endpoint === "token" ? { grant_type: "password", username, password } : { username, password };
  return requestToken(service, authPaths[endpoint], credentials, fields, password);
}

/** Requests a token at the standard endpoint, and at the application endpoint where the service does not know the standard one. */
export async function requestTokenWithFallback(service: AuthService, credentials: Credentials): Promise<TokenResponse> {
  try {
    return await requestTokenByPassword(service, "token", credentials);
  } catch (error) {
    if (!isUnknownEndpoint(error)) throw error;
    return requestTokenByPassword(service, "app", credentials);
  }
}

/**
 * Exchanges a refresh token, first with the method that worked before, and names the method that worked. The service may replace the refresh
 * token; the old one is then invalid. Rejects with `unauthenticated` where the session has ended.
 */
export async function refreshAccessToken(
  service: AuthService,
  key: ApplicationKey,
  refreshToken: string,
  known: RefreshMethod = "standard",
): Promise<{ readonly tokenResponse: TokenResponse; readonly method: RefreshMethod }> {
  const request = async (method: RefreshMethod) => {
    const [path, grant] = method === "standard" ? [authPaths.token, { grant_type: "refresh_token" }] : [authPaths.refresh, {}];
    return { tokenResponse: await requestToken(service, path, key, { ...grant, refresh_token: refreshToken }, refreshToken), method };
  };
  try {
    return await request(known);
  } catch (error) {
    if (!isUnknownEndpoint(error)) throw error;
    return request(known === "standard" ? "older" : "standard");
  }
}

/** Revokes a session by its refresh token, else by its access token; false where the service has no such path ("not shown" in the interface). */
export async function revokeTokens(
  service: AuthService,
  key: ApplicationKey,
  { accessToken, refreshToken }: { readonly accessToken: string; readonly refreshToken?: string | undefined },
): Promise<boolean> {
  const fields = refreshToken === undefined ? { token: accessToken, token_hint: "access_token" } : { refresh_token: refreshToken };
  const response = await post(service, authPaths.revoke, key, fields);
  if (response.status >= 200 && response.status < 300) return true;
  const error = tokenEndpointError(response, authPaths.revoke, [accessToken, refreshToken ?? "", ...listKeySecrets(key)]);
  if (isUnknownEndpoint(error)) return false;
  throw new CalError(error.kind, `the service did not revoke the session: ${error.message}`, error.details);
}

type Fields = Readonly<Record<string, string>>;

async function requestToken(
  service: AuthService,
  path: string,
  key: ApplicationKey,
  fields: Fields,
  secret: string,
): Promise<TokenResponse> {
  const response = await post(service, path, key, fields);
  return parseTokenResponse(response, path, service.clock.now(), [secret, ...listKeySecrets(key)]);
}

/** The standard endpoint takes a form, with the key as Basic (section 4.2). All other paths take JSON with the key in it (4.1). */
function post({ authUrl, transport }: AuthService, path: string, key: ApplicationKey, fields: Fields): Promise<HttpResponse> {
  const { clientId, clientSecret } = key;
  const isForm = path === authPaths.token;
  return transport({
    method: "POST",
    url: joinUrl(authUrl, path),
    headers: {
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      accept: "application/json",
      ...(isForm && { authorization: `Basic ${encodeBasicCredentials(clientId, clientSecret)}` }),
    },
    body: isForm ? new URLSearchParams(fields).toString() : JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...fields }),
  });
}

/** The absolute address of a path relative to {auth_url}. */
export function joinUrl(authUrl: string, path: string): string {
  return authUrl.replace(/\/+$/, "") + path;
}

function listKeySecrets({ clientId, clientSecret }: ApplicationKey): readonly string[] {
  return [clientSecret, encodeBasicCredentials(clientId, clientSecret)];
}

/**
 * Reads both token responses of section 2, and what real services add. Throws a CalError (`unauthenticated`, `unavailable`, `local`) where the
 * response is none; it quotes none of the secrets.
 */
export function parseTokenResponse(response: HttpResponse, path: string, receivedAt: number, secrets: readonly string[]): TokenResponse {
  const body = toRecord(parseJsonBody(response.body)) ?? {};
  const accessToken = toText(body["access_token"]) ?? toText(body["_TOKEN"]);
  if (response.status < 200 || response.status > 299 || accessToken === undefined) throw tokenEndpointError(response, path, secrets);
  if (!isToken(accessToken)) {
    throw new CalError("unavailable", `the authentication service answered POST ${path} with a token that can't be used`, {
      status: response.status,
    });
  }
  const claims = parseTokenClaims(accessToken);
  const refreshToken = toText(body["refresh_token"]);
  return {
    accessToken,
    refreshToken: refreshToken !== undefined && isToken(refreshToken) ? refreshToken : undefined,
    expiresAt: parseExpiry(body, response, receivedAt),
    identity: toDisplayName(body["_IDENTITY"]) ?? claims.identity,
    identityId: toDisplayName(body["_IDENTITY_ID"]),
    application: toDisplayName(body["_APPLICATION"]) ?? claims.application,
  };
}

/** `expires-at` is a time of the server's clock, so only its distance from the server's own Date is used. It wins over `expires_in`. */
function parseExpiry(body: Readonly<Record<string, unknown>>, response: HttpResponse, receivedAt: number): number | undefined {
  const at = toNumber(body["expires-at"]) ?? toNumber(body["expires_at"]);
  if (at !== undefined) {
    const serverNow = Date.parse(response.headers["date"] ?? "");
    return Number.isNaN(serverNow) ? at : receivedAt + (at - serverNow);
  }
  const seconds = toNumber(body["expires_in"]);
  return seconds === undefined ? undefined : receivedAt + seconds * 1000;
}

/** Whether an error means that the endpoint does not know the request at all, so that another form may be tried. */
function isUnknownEndpoint(error: unknown): boolean {
  if (!(error instanceof CalError)) return false;
  return error.details.status === 404 || error.details.status === 405 || error.details.code === "unsupported_grant_type";
}

/** The error for a response without a token. There are three known forms of its body; HTML and everything else is not quoted. */
function tokenEndpointError(response: HttpResponse, path: string, secrets: readonly string[]): CalError {
  const body = toRecord(parseJsonBody(response.body)) ?? {};
  const inner = toRecord(body["error"]);
  // An integer `code` in the body is more precise than the status: some services send every error as 200 or 400.
  const bodyStatus = toNumber(inner?.["code"]) ?? toNumber(body["code"]);
  const status = bodyStatus !== undefined && bodyStatus >= 400 && bodyStatus <= 599 ? bodyStatus : response.status;
  const code = [inner?.["code"], body["error"], body["code"]].map(parseErrorCode).find((one) => one !== undefined);
  const text = toText(inner?.["message"]) ?? toText(body["error_description"]) ?? toText(body["message"]) ?? toText(body["error"]);
  const serverMessage = text === undefined || text === code ? undefined : redactAndTruncate(text, secrets);
  const { kind, message, hint } = classifyTokenError(status, code);
  const quoted = serverMessage ?? code;
  return new CalError(kind, quoted === undefined ? message : `${message} (it says: ${quoted})`, {
    status,
    request: { method: "POST", path },
    ...(code !== undefined && { code }),
    ...(quoted !== undefined && { server: { ...(code && { code }), ...(serverMessage && { message: serverMessage }) } }),
    hint,
  });
}

function parseErrorCode(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z][a-z0-9_.-]{1,39}$/i.test(value) ? value : undefined;
}

/** What a status or code means ("not shown" in section 7): 400, 401 and 403 all mean that the credentials were refused. */
function classifyTokenError(status: number, code: string | undefined): { kind: ErrorKind; message: string; hint: Hints } {
  if (code === "unsupported_grant_type") {
    return {
      kind: "unauthenticated",
      message: "the authentication service does not offer this way to log in",
      hint: [{ command: "cal auth login --endpoint app" }, { text: "or", command: "cal auth login --method browser" }],
    };
  }
  if (code === "invalid_client" || code === "unauthorized_client") {
    return {
      kind: "unauthenticated",
      message: "the authentication service refused the application key",
      hint: { text: "check client id and client secret, then", command: "cal auth login" },
    };
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      kind: "unauthenticated",
      message: "the authentication service refused the credentials",
      hint: { text: "check user name, password, client id and client secret, then", command: "cal auth login" },
    };
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return {
      kind: "local",
      message: `there is no token endpoint at auth_url (status ${status})`,
      hint: [
        { text: "see auth_url", command: "cal config list --show-origin" },
        { text: "try the other endpoint", command: "cal auth login --endpoint app" },
      ],
    };
  }
  return { kind: "unavailable", message: `the authentication service gave no usable answer (status ${status})`, hint: "try again later" };
}

/** At most 160 characters on one line, without the secrets and anything that looks like a token. */
export function redactAndTruncate(text: string, secrets: readonly string[]): string {
  return redactSecrets(text, secrets)
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replaceAll(/[\w.~+/=-]{24,}/g, "***")
    .slice(0, 160);
}
