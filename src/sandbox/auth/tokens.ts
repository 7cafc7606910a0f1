// Tokens, and the check of passwords and keys. Secrets are stored as hashes only: the data file gives none away.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Application, StoreReader, StoreWriter, Token, User } from "../store.ts";

/** Seconds: 30 days (not shown in the interface). */
const refreshTokenLifetime = 30 * 86_400;

interface Grant {
  readonly application: string;
  readonly user: User;
  /** Of the access token, in seconds. */
  readonly lifetime: number;
  readonly now: number;
  /** Of the token that this one replaces; absent for a new login. */
  readonly family?: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Of the access token, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Issues an access token and a refresh token, and removes expired ones. */
export function issueTokens(draft: StoreWriter, grant: Grant): IssuedTokens {
  const { application, user, lifetime, now, family = createToken() } = grant;
  for (const token of draft.all("tokens")) if (token.expires <= now) draft.remove("tokens", token.id);
  const put = (kind: Token["kind"], text: string, seconds: number): string => {
    draft.put("tokens", { id: hashSecret(kind, text), kind, application, user: user.id, expires: now + seconds * 1000, family });
    return text;
  };
  return {
    accessToken: put("access", createAccessToken(grant), lifetime),
    refreshToken: put("refresh", createToken(), refreshTokenLifetime),
    expiresAt: now + lifetime * 1000,
  };
}

/**
 * A JSON Web Token in form ("not shown" in the interface), with 256 random bits instead of a signature: this server knows its tokens by
 * their hash, and nobody else can check one.
 */
export function createAccessToken(grant: Omit<Grant, "user"> & { readonly user: Pick<User, "username"> }): string {
  const { application, user, lifetime, now } = grant;
  const expires = now + lifetime * 1000;
  const data = { _IDENTITY: user.username, _APPLICATION: application, "expires-at": expires, "created-on": now };
  const parts = [
    { alg: "none", typ: "JWT" },
    { iat: Math.floor(now / 1000), exp: Math.floor(expires / 1000), data },
  ];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")), createToken()].join(".");
}

/** Undefined where the token is unknown or expired, or its application is revoked. */
export function findToken(data: StoreReader, kind: Token["kind"], text: string, now: number): Token | undefined {
  const token = data.find("tokens", hashSecret(kind, text));
  if (token === undefined || token.expires <= now) return undefined;
  return data.find("applications", token.application)?.revoked === false ? token : undefined;
}

/** Ends a login: removes all tokens that came from it. */
export function revokeTokens(draft: StoreWriter, family: string): void {
  for (const token of draft.all("tokens")) if (token.family === family) draft.remove("tokens", token.id);
}

export function authenticateUser(data: StoreReader, username: string, password: string): User | undefined {
  const user = data.all("users").find((one) => one.username === username);
  return user !== undefined && verifySecret(user.username, password, user.password) ? user : undefined;
}

export function authenticateClient(data: StoreReader, clientId: string, clientSecret: string): Application | undefined {
  const application = data.find("applications", clientId);
  if (application === undefined || application.revoked) return undefined;
  return verifySecret(clientId, clientSecret, application.secret) ? application : undefined;
}

/** Undefined where there is no Basic header, or none that can be read. */
export function parseBasicHeader(header: string | undefined): { readonly name: string; readonly password: string } | undefined {
  const encoded = /^basic +([a-z0-9+/=_-]+) *$/i.exec(header ?? "")?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function parseBearerHeader(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}

/** The purpose is hashed too, so that equal secrets have different hashes. */
export function hashSecret(purpose: string, secret: string): string {
  return createHash("sha256").update(`${purpose}\0${secret}`).digest("hex");
}

function verifySecret(purpose: string, secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(purpose, secret), "hex"), Buffer.from(hash, "hex"));
}

function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** 24 letters and digits, in groups of four. */
export function createApplicationPassword(): string {
  const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789ABCDEFGHJKLMNPQR";
  const letters = [...randomBytes(24)].map((byte) => alphabet[byte % alphabet.length] ?? "a").join("");
  return letters.match(/.{4}/g)?.join(" ") ?? letters;
}
