// Issuing and reading tokens. A token is random text; only its hash is kept.
import type { Data, Draft } from "../store/memory.ts";
import type { Token, User } from "../store/tables.ts";
import { hash, mint } from "./secrets.ts";

/** Seconds that a refresh token can be used: 30 days (not shown in the interface). */
const refreshLifetime = 30 * 86_400;

/** For whom a token is, and for how many seconds. */
export interface Grant {
  readonly application: string;
  readonly user: User;
  readonly lifetime: number;
  readonly now: number;
  /** Of the token that this one follows; absent for a new login. */
  readonly family?: string;
}

/** What was issued; the two texts exist nowhere else. */
export interface Issued {
  readonly access: string;
  readonly refresh: string;
  /** Of the access token, in milliseconds since 1970. */
  readonly expires: number;
}

/** Issues an access token and a refresh token, and forgets tokens that have expired. */
export function issue(draft: Draft, grant: Grant): Issued {
  for (const token of draft.all("tokens")) if (token.expires <= grant.now) draft.remove("tokens", token.id);
  const family = grant.family ?? mint();
  const put = (kind: Token["kind"], seconds: number): string => {
    const text = mint();
    draft.put("tokens", {
      id: hash(kind, text),
      kind,
      application: grant.application,
      user: grant.user.id,
      expires: grant.now + seconds * 1000,
      family,
    });
    return text;
  };
  return { access: put("access", grant.lifetime), refresh: put("refresh", refreshLifetime), expires: grant.now + grant.lifetime * 1000 };
}

/** The token that a text stands for; undefined where it is unknown, expired, or its application is revoked. */
export function tokenOf(data: Data, kind: Token["kind"], text: string, now: number): Token | undefined {
  const token = data.find("tokens", hash(kind, text));
  if (token === undefined || token.expires <= now) return undefined;
  return data.find("applications", token.application)?.revoked === false ? token : undefined;
}

/** Ends a login: the token and all that came from the same login. */
export function revoke(draft: Draft, family: string): void {
  for (const token of draft.all("tokens")) if (token.family === family) draft.remove("tokens", token.id);
}
