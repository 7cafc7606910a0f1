// Responses of token endpoints, as real services of this kind send them.

import { expect, test } from "vitest";
import { parseTokenClaims } from "../../src/auth/credentials.ts";
import { parseTokenResponse } from "../../src/auth/password.ts";
import { CalError } from "../../src/errors.ts";

const now = Date.UTC(2030, 0, 1);
const secret = "hunter2hunter2";

function read(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): unknown {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  try {
    return parseTokenResponse({ status, headers, body: Buffer.from(text) }, "/api/auth/6/token", now, [secret]);
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { kind: error.kind, message: error.message, status: error.details.status, code: error.details.code };
  }
}

function jwt(payload: object): string {
  return ["{}", JSON.stringify(payload), "sig"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}

const rich = jwt({ exp: 1, data: { _IDENTITY: "ana", _APPLICATION: "app-1" } });

test.each([
  ["seconds as text", 200, { access_token: "a", expires_in: "60" }, { accessToken: "a", expiresAt: now + 60_000 }],
  ["no expiry at all", 200, { access_token: "a" }, { accessToken: "a" }],
  [
    "expires-at wins, and is a distance from the server's own date",
    200,
    { _TOKEN: "a", "expires-at": Date.UTC(2020, 0, 1, 1), expires_in: 5 },
    { accessToken: "a", expiresAt: now + 3_600_000 },
  ],
  ["an identity inside the token", 200, { access_token: rich }, { accessToken: rich, identity: "ana", application: "app-1" }],
])("granted: %s", (_name, status, body, grant) => {
  expect(read(status, body, { date: "Wed, 01 Jan 2020 00:00:00 GMT" })).toEqual(grant);
});

const refusedText = "the authentication service refused the credentials";

test.each([
  [
    "an OAuth error",
    400,
    { error: "invalid_grant", error_description: "Bad user" },
    { kind: "unauthenticated", status: 400, code: "invalid_grant", message: `${refusedText} (it says: Bad user)` },
  ],
  [
    "a 401 with an error object",
    401,
    { error: { message: "No", code: 401 } },
    { kind: "unauthenticated", status: 401, code: undefined, message: `${refusedText} (it says: No)` },
  ],
  [
    "an error with status 200",
    200,
    { error: { message: "Login failed", code: 403 } },
    { kind: "unauthenticated", status: 403, code: undefined, message: `${refusedText} (it says: Login failed)` },
  ],
  [
    "an error that is a sentence",
    400,
    { error: "Wrong password." },
    { kind: "unauthenticated", status: 400, code: undefined, message: `${refusedText} (it says: Wrong password.)` },
  ],
  ["nothing but a status", 403, "", { kind: "unauthenticated", status: 403, code: undefined, message: refusedText }],
  [
    "the page of a proxy",
    502,
    "<html><h1>Bad gateway</h1>",
    { kind: "unavailable", status: 502, code: undefined, message: "the authentication service gave no usable answer (status 502)" },
  ],
  [
    "a page instead of a token",
    200,
    "<html>",
    { kind: "unavailable", status: 200, code: undefined, message: "the authentication service gave no usable answer (status 200)" },
  ],
  ["a redirect", 302, "", { kind: "local", status: 302, code: undefined, message: "there is no token endpoint at auth_url (status 302)" }],
  [
    "too many attempts",
    429,
    "",
    { kind: "unavailable", status: 429, code: undefined, message: "the authentication service gave no usable answer (status 429)" },
  ],
  [
    "a wrong address",
    404,
    "",
    { kind: "local", status: 404, code: undefined, message: "there is no token endpoint at auth_url (status 404)" },
  ],
  [
    "a wrong application",
    401,
    { error: "invalid_client" },
    {
      kind: "unauthenticated",
      status: 401,
      code: "invalid_client",
      message: "the authentication service refused the application key (it says: invalid_client)",
    },
  ],
  [
    "what we sent, and a token, in the text",
    400,
    { error: "x y", error_description: `no ${secret} for ${"T0ken".repeat(8)}\u0007!` },
    { kind: "unauthenticated", status: 400, code: undefined, message: `${refusedText} (it says: no *** for *** !)` },
  ],
  [
    "a token with a line end",
    200,
    { access_token: "a\r\nx-evil: 1" },
    {
      kind: "unavailable",
      status: 200,
      code: undefined,
      message: "the authentication service answered POST /api/auth/6/token with a token that can't be used",
    },
  ],
])("refused: %s", (_name, status, body, problem) => {
  expect(read(status, body)).toEqual(problem);
});

test.each([
  [
    "the payload of this family of services",
    jwt({ exp: 2, iat: 1, data: { _IDENTITY: "ana", _APPLICATION: "app-1", "expires-at": 5000, "created-on": 3000 } }),
    { identity: "ana", application: "app-1", expiresAt: 5000, issuedAt: 3000 },
  ],
  ["a payload of the standard", jwt({ sub: "u-7", exp: 20, iat: 10 }), { identity: "u-7", expiresAt: 20_000, issuedAt: 10_000 }],
  ["an opaque token", "0123abc", {}],
  ["three parts that are no JSON", "a.b.c", {}],
  ["a payload that is a list", jwt([1]), {}],
])("claims: %s", (_name, token, claims) => {
  expect(parseTokenClaims(token)).toEqual(claims);
});
