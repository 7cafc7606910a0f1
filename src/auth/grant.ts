// The answer of a token endpoint, read tolerantly: both token responses of section 2, and what real services add.
import { CalError } from "../errors.ts";
import type { HttpResponse } from "../http/transport.ts";
import { jsonOf, nameOf, numberOf, recordOf, textOf } from "./reading.ts";
import { type Exchange, refusal } from "./refusal.ts";
import { claimsOf, isToken } from "./token.ts";

/** A token that was granted, with all that is known of it. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds on our own clock; absent where the service tells no expiry. */
  readonly expiresAt?: number;
  readonly identity?: string;
  readonly identityId?: string;
  readonly application?: string;
}

/** Reads a grant; throws a CalError (`unauthenticated`, `unavailable`, `local`) where the answer is none. */
export function readGrant(response: HttpResponse, exchange: Exchange): Grant {
  const answer = recordOf(jsonOf(response.body)) ?? {};
  const token = textOf(answer["access_token"]) ?? textOf(answer["_TOKEN"]);
  if (response.status < 200 || response.status > 299 || token === undefined) throw refusal(response, exchange);
  if (!isToken(token)) {
    throw new CalError("unavailable", `the authentication service answered POST ${exchange.path} with a token that can't be used`, {
      status: response.status,
    });
  }
  const claims = claimsOf(token);
  const expiresAt = expiryOf(answer, response, exchange.receivedAt);
  const refreshToken = textOf(answer["refresh_token"]);
  const identity = nameOf(answer["_IDENTITY"]) ?? claims.identity;
  const identityId = nameOf(answer["_IDENTITY_ID"]);
  const application = nameOf(answer["_APPLICATION"]) ?? claims.application;
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
function expiryOf(answer: Readonly<Record<string, unknown>>, response: HttpResponse, receivedAt: number): number | undefined {
  const at = numberOf(answer["expires-at"]) ?? numberOf(answer["expires_at"]);
  if (at !== undefined) {
    const serverNow = Date.parse(response.headers["date"] ?? "");
    return Number.isNaN(serverNow) ? at : receivedAt + (at - serverNow);
  }
  const seconds = numberOf(answer["expires_in"]);
  return seconds === undefined ? undefined : receivedAt + seconds * 1000;
}
