// Refreshing and revoking: "not shown" in the interface, so the standard form first and the older paths after it.
import { CalError } from "../errors.ts";
import { authPaths } from "../spec/auth.ts";
import { parseTokenResponse, type TokenResponse } from "./grant.ts";
import { type ApplicationKey, type AuthService, createFormRequest, createJsonRequest, encodeBasicCredentials } from "./password.ts";
import { isUnknownEndpoint, tokenEndpointError } from "./refusal.ts";

/** Which form of the refresh a service knows. */
export type RefreshMethod = "standard" | "older";

/** A new grant and the way that gave it, to be remembered. The service may have replaced the refresh token: the old one is then dead. */
export interface RefreshResult {
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
