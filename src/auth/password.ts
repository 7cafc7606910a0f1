// The password flow: a token for user name and password, from either endpoint (sections 4.1 and 4.2).
import type { HttpRequest, Transport } from "../http/transport.ts";
import { authPaths } from "../spec/auth.ts";
import { parseTokenResponse, type TokenResponse } from "./grant.ts";
import type { Clock } from "./parts.ts";
import { isUnknownEndpoint } from "./refusal.ts";

/** The standard token endpoint (section 4.2) or the application endpoint (4.1). */
export type Endpoint = "token" | "app";

/** An application's key (section 2). Services of public clients give no secret: then it is empty. */
export interface ApplicationKey {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Everything that the password flow sends. */
export interface Credentials extends ApplicationKey {
  readonly username: string;
  readonly password: string;
}

/** The wire and the clock of an exchange with the service at `authUrl`. */
export interface AuthService {
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
export function createFormRequest(authUrl: string, key: ApplicationKey, fields: Readonly<Record<string, string>>): HttpRequest {
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
export function createJsonRequest(authUrl: string, path: string, body: Readonly<Record<string, string>>): HttpRequest {
  return {
    method: "POST",
    url: joinUrl(authUrl, path),
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  };
}

/** Base64 of `<name>:<secret>` in UTF-8 (section 4.2; the same form as HTTP's Basic). */
export function encodeBasicCredentials(name: string, secret: string): string {
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
