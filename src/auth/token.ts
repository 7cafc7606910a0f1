// What an access token may look like, and what can be read from one that is a JSON Web Token ("not shown" in the interface).
import { toDisplayName, toNumber, toRecord } from "./reading.ts";

/** Visible ASCII without spaces, at most 16 KiB: anything else can't go into a header. */
export function isToken(text: string): boolean {
  return text.length <= 16_384 && /^[\x21-\x7e]+$/.test(text);
}

/** What a token tells of itself. Times are milliseconds on the server's clock. */
export interface TokenClaims {
  readonly identity?: string;
  readonly application?: string;
  readonly expiresAt?: number;
  readonly issuedAt?: number;
}

/** Reads the payload of a JSON Web Token, unverified: good for a display and a guess, never for a decision of trust. */
export function parseTokenClaims(token: string): TokenClaims {
  const payload = parseJwtPayload(token);
  if (payload === undefined) return {};
  const data = toRecord(payload["data"]) ?? {};
  const seconds = (value: unknown): number | undefined => {
    const number = toNumber(value);
    return number === undefined ? undefined : number * 1000;
  };
  const identity =
    toDisplayName(data["_IDENTITY"]) ??
    toDisplayName(payload["_IDENTITY"]) ??
    toDisplayName(payload["preferred_username"]) ??
    toDisplayName(payload["sub"]);
  const application = toDisplayName(data["_APPLICATION"]) ?? toDisplayName(payload["_APPLICATION"]);
  const expiresAt = toNumber(data["expires-at"]) ?? seconds(payload["exp"]);
  const issuedAt = toNumber(data["created-on"]) ?? seconds(payload["iat"]);
  return {
    ...(identity === undefined ? {} : { identity }),
    ...(application === undefined ? {} : { application }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(issuedAt === undefined ? {} : { issuedAt }),
  };
}

function parseJwtPayload(token: string): Readonly<Record<string, unknown>> | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    return toRecord(JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8")));
  } catch {
    return undefined;
  }
}
