// The answer of a token endpoint, read tolerantly: both token responses of section 2, and what real services add.
import { CalError } from "../errors.ts";
import type { HttpResponse } from "../http/transport.ts";
import { parseJsonBody, toDisplayName, toNumber, toRecord, toText } from "./reading.ts";
import { type TokenRequestContext, tokenEndpointError } from "./refusal.ts";
import { isToken, parseTokenClaims } from "./token.ts";

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
