// The token endpoints of the authentication interface (auth.md, 4.1 and 4.2), and refresh and revoke, which it does not show.
import { authPaths } from "../../model/auth.ts";
import { jsonResponse, parseParameters, type SandboxRequest, type SandboxResponse } from "../http.ts";
import type { Application, Store, StoreReader, StoreWriter } from "../store.ts";
import { authenticateClient, authenticateUser, findToken, issueTokens, parseBasicHeader, revokeTokens } from "./tokens.ts";

export interface AuthOptions {
  /** Of access tokens, in seconds. */
  readonly tokenLifetime: number;
  now(): number;
}

type EndpointHandler = (draft: StoreWriter, request: SandboxRequest, options: AuthOptions) => SandboxResponse;

const endpoints: Readonly<Record<string, EndpointHandler>> = {
  [authPaths.app]: handleAppToken,
  [authPaths.token]: handleOAuthToken,
  [authPaths.refresh]: handleRefresh,
  [authPaths.revoke]: handleRevocation,
};

/** Answers a token endpoint; undefined for any other path. */
export async function handleTokenEndpoint(
  store: Store,
  request: SandboxRequest,
  options: AuthOptions,
): Promise<SandboxResponse | undefined> {
  const endpoint = Object.hasOwn(endpoints, request.path) ? endpoints[request.path] : undefined;
  if (endpoint === undefined) return undefined;
  if (request.method !== "POST") return { ...errorResponse(405, "Use POST."), headers: { allow: "POST" } };
  return store.write((draft) => endpoint(draft, request, options));
}

function handleAppToken(draft: StoreWriter, request: SandboxRequest, options: AuthOptions): SandboxResponse {
  const names = ["client_id", "client_secret", "username", "password"];
  const sent = parseJsonStrings(request, names);
  if (sent === undefined) return errorResponse(400, `A JSON object with the texts ${names.join(", ")} is needed.`);
  const application = authenticateSentClient(draft, sent);
  const user = authenticateUser(draft, sent["username"] ?? "", sent["password"] ?? "");
  if (application === undefined || user === undefined) return errorResponse(401, "Wrong application key, username or password.");
  const issued = issueTokens(draft, { application: application.id, user, lifetime: options.tokenLifetime, now: options.now() });
  return jsonResponse(200, {
    _TOKEN: issued.accessToken,
    _APPLICATION: application.id,
    _IDENTITY: user.username,
    _IDENTITY_ID: String(user.id),
    "expires-at": issued.expiresAt,
    type: "Bearer",
  });
}

function handleOAuthToken(draft: StoreWriter, request: SandboxRequest, options: AuthOptions): SandboxResponse {
  const basic = parseBasicHeader(request.headers["authorization"]);
  const application = basic === undefined ? undefined : authenticateClient(draft, basic.name, basic.password);
  if (application === undefined) {
    const refused = oauthErrorResponse(401, "invalid_client", "The application key is wrong or missing.");
    return { ...refused, headers: { ...refused.headers, "www-authenticate": 'Basic realm="sandbox"' } };
  }
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
    return oauthErrorResponse(400, "invalid_request", "A form is needed.");
  const form = parseParameters(request.body);
  const field = (name: string): string => (typeof form[name] === "string" ? form[name] : "");
  if (field("grant_type") === "refresh_token") return refreshTokens(draft, application, field("refresh_token"), options);
  if (field("grant_type") !== "password") return oauthErrorResponse(400, "unsupported_grant_type", "Use password or refresh_token.");
  const user = authenticateUser(draft, field("username"), field("password"));
  if (user === undefined) return oauthErrorResponse(400, "invalid_grant", "Wrong username or password.");
  return tokenResponse(draft, { application: application.id, user }, options);
}

function handleRefresh(draft: StoreWriter, request: SandboxRequest, options: AuthOptions): SandboxResponse {
  const sent = parseJsonStrings(request, ["client_id", "client_secret", "refresh_token"]);
  if (sent === undefined) return errorResponse(400, "A JSON object with client_id, client_secret and refresh_token is needed.");
  const application = authenticateSentClient(draft, sent);
  if (application === undefined) return errorResponse(401, "Wrong application key.");
  return refreshTokens(draft, application, sent["refresh_token"] ?? "", options);
}

/** A refresh token is used once: the answer has the next one. */
function refreshTokens(draft: StoreWriter, application: Application, text: string, options: AuthOptions): SandboxResponse {
  const used = findToken(draft, "refresh", text, options.now());
  const user = used === undefined ? undefined : draft.find("users", used.user);
  if (used === undefined || user === undefined || used.application !== application.id)
    return oauthErrorResponse(400, "invalid_grant", "The refresh token is unknown, used or expired.");
  draft.remove("tokens", used.id);
  return tokenResponse(draft, { application: application.id, user, family: used.family }, options);
}

/** An unknown token is revoked already: 200, as RFC 7009 says. */
function handleRevocation(draft: StoreWriter, request: SandboxRequest, options: AuthOptions): SandboxResponse {
  const sent = parseJsonStrings(request, ["client_id", "client_secret"]);
  if (sent === undefined) return errorResponse(400, "A JSON object with client_id, client_secret and a token is needed.");
  const application = authenticateSentClient(draft, sent);
  if (application === undefined) return errorResponse(401, "Wrong application key.");
  const text = sent["refresh_token"] ?? sent["token"] ?? "";
  const used = findToken(draft, "refresh", text, options.now()) ?? findToken(draft, "access", text, options.now());
  if (used !== undefined && used.application === application.id) revokeTokens(draft, used.family);
  return jsonResponse(200, {});
}

/** The texts of a JSON body; undefined where the body is none, or one of the names is missing. */
function parseJsonStrings({ headers, body }: SandboxRequest, names: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) return undefined;
  try {
    const entries = Object.entries(Object(JSON.parse(body))).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    const found = Object.fromEntries(entries);
    return names.every((name) => Object.hasOwn(found, name)) ? found : undefined;
  } catch {
    return undefined;
  }
}

function authenticateSentClient(data: StoreReader, sent: Readonly<Record<string, string>>): Application | undefined {
  return authenticateClient(data, sent["client_id"] ?? "", sent["client_secret"] ?? "");
}

function tokenResponse(
  draft: StoreWriter,
  grant: Omit<Parameters<typeof issueTokens>[1], "lifetime" | "now">,
  { tokenLifetime, now }: AuthOptions,
): SandboxResponse {
  const { accessToken, refreshToken } = issueTokens(draft, { ...grant, lifetime: tokenLifetime, now: now() });
  return jsonResponse(200, { access_token: accessToken, expires_in: tokenLifetime, token_type: "Bearer", refresh_token: refreshToken });
}

function errorResponse(status: number, message: string): SandboxResponse {
  return jsonResponse(status, { error: { message, code: status } });
}

function oauthErrorResponse(status: number, error: string, description: string): SandboxResponse {
  return jsonResponse(status, { error, error_description: description });
}
