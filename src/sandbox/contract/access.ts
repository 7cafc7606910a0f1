// Who calls the contract's server: the bearer of a token of the authentication interface. Without one nothing is answered.
import { parseBearerHeader } from "../auth/credentials.ts";
import { findToken } from "../auth/tokens.ts";
import { createApiError } from "../problems.ts";
import type { StoreReader } from "../store/memory.ts";
import type { User } from "../store/tables.ts";
import { ResponseError } from "../wire.ts";

/** The user of the token; 401 where there is none. */
export function authenticateByToken(data: StoreReader, authorization: string | undefined, now: number): User {
  const text = parseBearerHeader(authorization);
  if (text === undefined) throw createUnauthorizedError("rest_not_logged_in", "A Bearer token is needed in the Authorization header.");
  const token = findToken(data, "access", text, now);
  const user = token === undefined ? undefined : data.find("users", token.user);
  if (user === undefined) throw createUnauthorizedError("rest_token_invalid", "The token is unknown, expired or revoked.");
  return user;
}

function createUnauthorizedError(code: string, message: string): ResponseError {
  const { response } = createApiError(401, code, message);
  return new ResponseError({ ...response, headers: { ...response.headers, "www-authenticate": "Bearer" } });
}
