// Issuing and reading tokens. Only the hash of a token is kept. An access token tells whose it is, as those of real services do.
import type { StoreReader, StoreWriter } from "../store/memory.ts";
import type { Token, User } from "../store/tables.ts";
import { createToken, hashSecret } from "./secrets.ts";

/** Seconds that a refresh token can be used: 30 days (not shown in the interface). */
const refreshTokenLifetime = 30 * 86_400;

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
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Of the access token, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Issues an access token and a refresh token, and forgets tokens that have expired. */
export function issueTokens(draft: StoreWriter, grant: Grant): IssuedTokens {
  for (const token of draft.all("tokens")) if (token.expires <= grant.now) draft.remove("tokens", token.id);
  const family = grant.family ?? createToken();
  const put = (kind: Token["kind"], seconds: number): string => {
    const text = kind === "access" ? createAccessToken(grant) : createToken();
    draft.put("tokens", {
      id: hashSecret(kind, text),
      kind,
      application: grant.application,
      user: grant.user.id,
      expires: grant.now + seconds * 1000,
      family,
    });
    return text;
  };
  return {
    accessToken: put("access", grant.lifetime),
    refreshToken: put("refresh", refreshTokenLifetime),
    expiresAt: grant.now + grant.lifetime * 1000,
  };
}

/**
 * A JSON Web Token in form ("not shown" in the interface). Where a signature would be are 256 random bits: this server knows its
 * tokens by their hash, and nobody else can check one.
 */
export function createAccessToken({
  application,
  user,
  lifetime,
  now,
}: Omit<Grant, "user"> & { readonly user: Pick<User, "username"> }): string {
  const expires = now + lifetime * 1000;
  const data = { _IDENTITY: user.username, _APPLICATION: application, "expires-at": expires, "created-on": now };
  const parts = [
    { alg: "none", typ: "JWT" },
    { iat: Math.floor(now / 1000), exp: Math.floor(expires / 1000), data },
  ];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")), createToken()].join(".");
}

/** The token that a text stands for; undefined where it is unknown, expired, or its application is revoked. */
export function findToken(data: StoreReader, kind: Token["kind"], text: string, now: number): Token | undefined {
  const token = data.find("tokens", hashSecret(kind, text));
  if (token === undefined || token.expires <= now) return undefined;
  return data.find("applications", token.application)?.revoked === false ? token : undefined;
}

/** Ends a login: the token and all that came from the same login. */
export function revokeTokens(draft: StoreWriter, family: string): void {
  for (const token of draft.all("tokens")) if (token.family === family) draft.remove("tokens", token.id);
}
