// Who calls the contract's server: the bearer of a token of the authentication interface. Without one nothing is answered.
import { bearerOf } from "../auth/credentials.ts";
import { tokenOf } from "../auth/tokens.ts";
import { problem } from "../problems.ts";
import type { Data } from "../store/memory.ts";
import type { User } from "../store/tables.ts";
import { Refusal } from "../wire.ts";

/** The user of the token; 401 where there is none. */
export function userByToken(data: Data, authorization: string | undefined, now: number): User {
  const text = bearerOf(authorization);
  if (text === undefined) throw unauthenticated("rest_not_logged_in", "A Bearer token is needed in the Authorization header.");
  const token = tokenOf(data, "access", text, now);
  const user = token === undefined ? undefined : data.find("users", token.user);
  if (user === undefined) throw unauthenticated("rest_token_invalid", "The token is unknown, expired or revoked.");
  return user;
}

function unauthenticated(code: string, message: string): Refusal {
  const { answer } = problem(401, code, message);
  return new Refusal({ ...answer, headers: { ...answer.headers, "www-authenticate": "Bearer" } });
}
