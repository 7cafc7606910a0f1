// Refreshing and revoking: "not shown" in the interface, so the standard form first and the older paths after it.
import { CalError } from "../errors.ts";
import { authPaths } from "../spec/auth.ts";
import { type Grant, readGrant } from "./grant.ts";
import { type ApplicationKey, basic, formRequest, jsonRequest, type Service } from "./password.ts";
import { isUnknownEndpoint, refusal } from "./refusal.ts";

/** Which form of the refresh a service knows. */
export type RefreshWay = "standard" | "older";

/** A new grant and the way that gave it, to be remembered. The service may have replaced the refresh token: the old one is then dead. */
export interface Refreshed {
  readonly grant: Grant;
  readonly way: RefreshWay;
}

/** Exchanges a refresh token; begins with the way that worked before. Rejects with `unauthenticated` where the session has ended. */
export async function refreshGrant(service: Service, key: ApplicationKey, refreshToken: string, known?: RefreshWay): Promise<Refreshed> {
  const first: RefreshWay = known ?? "standard";
  const second: RefreshWay = first === "standard" ? "older" : "standard";
  try {
    return { grant: await refreshOnce(service, key, refreshToken, first), way: first };
  } catch (error) {
    if (!isUnknownEndpoint(error)) throw error;
    return { grant: await refreshOnce(service, key, refreshToken, second), way: second };
  }
}

async function refreshOnce(service: Service, key: ApplicationKey, refreshToken: string, way: RefreshWay): Promise<Grant> {
  const request =
    way === "standard"
      ? formRequest(service.authUrl, key, { grant_type: "refresh_token", refresh_token: refreshToken })
      : jsonRequest(service.authUrl, authPaths.refresh, keyed(key, { refresh_token: refreshToken }));
  const response = await service.transport(request);
  const path = way === "standard" ? authPaths.token : authPaths.refresh;
  return readGrant(response, { path, receivedAt: service.clock.now(), secrets: secretsOf(key, refreshToken) });
}

/** Revokes a session by its refresh token, or by its access token where it has none. Answers false where the service has no such path. */
export async function revokeTokens(
  service: Service,
  key: ApplicationKey,
  tokens: { accessToken: string; refreshToken?: string },
): Promise<boolean> {
  const { accessToken, refreshToken } = tokens;
  const body = refreshToken === undefined ? { token: accessToken, token_hint: "access_token" } : { refresh_token: refreshToken };
  const response = await service.transport(jsonRequest(service.authUrl, authPaths.revoke, keyed(key, body)));
  if (response.status >= 200 && response.status < 300) return true;
  const error = refusal(response, {
    path: authPaths.revoke,
    receivedAt: service.clock.now(),
    secrets: [...secretsOf(key, refreshToken ?? accessToken), accessToken],
  });
  if (isUnknownEndpoint(error)) return false;
  throw new CalError(error.kind, `the service did not revoke the session: ${error.message}`, error.details);
}

function keyed(key: ApplicationKey, body: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { client_id: key.clientId, client_secret: key.clientSecret, ...body };
}

function secretsOf(key: ApplicationKey, token: string): readonly string[] {
  return [key.clientSecret, token, basic(key.clientId, key.clientSecret)];
}
