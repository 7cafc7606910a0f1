// Issuing and reading tokens. Only the hash of a token is kept. An access token tells whose it is, as those of real services do.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Application, StoreReader, StoreWriter, Token, User } from "../store.ts";

/** Seconds that a refresh token can be used: 30 days (not shown in the interface). */
const refreshTokenLifetime = 30 * 86_400;

/** For whom a token is, and for how many seconds. */
interface Grant {
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

// Checking who calls: users, applications, and the two forms of the Authorization header.

/** The user of a name and password, or undefined. */
export function authenticateUser(data: StoreReader, username: string, password: string): User | undefined {
  const user = data.all("users").find((one) => one.username === username);
  return user !== undefined && verifySecret(user.username, password, user.password) ? user : undefined;
}

/** The application of a key, or undefined; a revoked one is none. */
export function authenticateClient(data: StoreReader, clientId: string, clientSecret: string): Application | undefined {
  const application = data.find("applications", clientId);
  return application !== undefined && !application.revoked && verifySecret(clientId, clientSecret, application.secret)
    ? application
    : undefined;
}

/** Name and password of a Basic header; undefined where there is none or it can't be read. */
export function parseBasicHeader(header: string | undefined): { readonly name: string; readonly password: string } | undefined {
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The token of a Bearer header, or undefined. */
export function parseBearerHeader(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}

// Secrets are kept as hashes only: a data file that is read by others gives none away.

/** The hash under which a secret is kept. What it is for goes in too, so that equal secrets have different hashes. */
export function hashSecret(purpose: string, secret: string): string {
  return createHash("sha256").update(`${purpose}\0${secret}`).digest("hex");
}

/** Whether the secret is the one that was hashed. */
function verifySecret(purpose: string, secret: string, hashed: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(purpose, secret), "hex"), Buffer.from(hashed, "hex"));
}

/** A new token: 256 random bits. */
function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** A new application password: 24 letters and digits, shown in groups of four. */
export function createApplicationPassword(): string {
  const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789ABCDEFGHJKLMNPQR";
  const letters = [...randomBytes(24)].map((byte) => alphabet[byte % alphabet.length] ?? "a").join("");
  return letters.match(/.{4}/g)?.join(" ") ?? letters;
}
