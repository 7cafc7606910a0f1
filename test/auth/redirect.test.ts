// Tokens in a redirect or a pasted address, and redirect URIs that can be listened on.

import { expect, test } from "vitest";
import { parseCallbackToken, parseLoopbackUrl, parsePastedUrl, uiLoginUrl } from "../../src/auth/browser/redirect.ts";
import { CalError } from "../../src/errors.ts";

function outcome<T>(read: () => T): T | { kind: string; message: string } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { kind: error.kind, message: error.message };
  }
}

const base = "http://127.0.0.1:18250/callback";

test.each([
  [`${base}#accessoken=abcdefgh`, { token: "abcdefgh" }],
  [`  ${base}#accessoken=abcd+efgh%2F==&expires_in=60\n`, { token: "abcd+efgh/==", expiresIn: 60 }],
  [`${base}?x=1#access_token=abcdefgh&token_type=Bearer`, { token: "abcdefgh" }],
  ["#accessoken=abcdefgh", { token: "abcdefgh" }],
  [`${base}?accessoken=abcdefgh`, undefined],
  [base, undefined],
  [`${base}#accessoken=`, undefined],
  [`${base}#accessoken=short`, { kind: "unauthenticated", message: "what came back from the browser can't be a token" }],
  [`${base}#accessoken=abcdefgh%0d%0ax`, { kind: "unauthenticated", message: "what came back from the browser can't be a token" }],
  [`${base}#accessoken=${"a".repeat(20_000)}`, { kind: "unauthenticated", message: "what came back from the browser can't be a token" }],
  [
    `${base}?error=access_denied&error_description=Not%20you`,
    { kind: "unauthenticated", message: "the authentication service refused the login in the browser: Not you" },
  ],
  [
    `${base}#error=access_denied`,
    { kind: "unauthenticated", message: "the authentication service refused the login in the browser: access_denied" },
  ],
])("a token from %s", (address, expected) => {
  expect(outcome(() => parseCallbackToken(parsePastedUrl(address)))).toEqual(expected);
});

test.each([
  [
    base,
    { href: base, origin: "http://127.0.0.1:18250", host: "127.0.0.1:18250", path: "/callback", port: 18250, addresses: ["127.0.0.1"] },
  ],
  [
    "http://localhost:7777",
    {
      href: "http://localhost:7777",
      origin: "http://localhost:7777",
      host: "localhost:7777",
      path: "/",
      port: 7777,
      addresses: ["127.0.0.1", "::1"],
    },
  ],
  [
    "http://[::1]:7777/a?b=1",
    { href: "http://[::1]:7777/a?b=1", origin: "http://[::1]:7777", host: "[::1]:7777", path: "/a", port: 7777, addresses: ["::1"] },
  ],
  [
    "http://127.0.0.1/cb",
    { href: "http://127.0.0.1/cb", origin: "http://127.0.0.1", host: "127.0.0.1", path: "/cb", port: 80, addresses: ["127.0.0.1"] },
  ],
])("%s can be listened on", (text, expected) => {
  expect(parseLoopbackUrl(text)).toEqual(expected);
});

test("a pattern that is registered gets an unguessable end", () => {
  const [one, other] = [parseLoopbackUrl("http://127.0.0.1:18250/*"), parseLoopbackUrl("http://127.0.0.1:18250/*")];
  expect([/^\/[0-9a-f]{32}$/.test(one.path), one.path === other.path]).toEqual([true, false]);
});

test.each([
  "https://127.0.0.1:1/x",
  "http://example.org/callback",
  "http://127.0.0.1.example.org/",
  "http://0.0.0.0:1/",
  "callback",
  "http://127.0.0.1:1/#x",
])("%s can't be listened on", (text) => {
  expect(outcome(() => parseLoopbackUrl(text))).toEqual({ kind: "usage", message: expect.stringContaining("can't receive a login at") });
});

test("the login page is requested with the client id and the redirect URL, both encoded", () => {
  expect(uiLoginUrl("https://a.test/", "my app", base)).toBe(
    "https://a.test/api/auth/6/ui/?client_id=my%20app&redirect_url=http%3A%2F%2F127.0.0.1%3A18250%2Fcallback",
  );
});
