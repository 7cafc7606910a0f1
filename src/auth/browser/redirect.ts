// The redirect URI of a login in the browser (section 4.3), and the token that it comes back with.

import { randomBytes } from "node:crypto";
import { CalError, usageError } from "../../errors.ts";
import { authPaths, fragmentTokenParameter } from "../../model/auth.ts";
import { isToken } from "../credentials.ts";
import { joinUrl, redactAndTruncate } from "../password.ts";

/** What is registered for cal unless the profile names another one. */
export const defaultRedirectUrl = "http://127.0.0.1:18250/callback";

/** A redirect URI that this machine can listen on. */
export interface LoopbackUrl {
  /** As it is sent to the service, character by character: it is registered there. */
  readonly href: string;
  readonly origin: string;
  /** The Host header of every valid request. */
  readonly host: string;
  readonly path: string;
  readonly port: number;
  /** The addresses to listen on: a browser may use either for `localhost`. */
  readonly addresses: readonly string[];
}

const loopbackAddresses: Readonly<Record<string, readonly string[]>> = {
  "127.0.0.1": ["127.0.0.1"],
  "[::1]": ["::1"],
  localhost: ["127.0.0.1", "::1"],
};

/** Throws `usage` where this machine can't listen on the address. */
export function parseLoopbackUrl(text: string): LoopbackUrl {
  const url = findLoopbackUrl(text);
  if (url !== undefined) return url;
  throw usageError(
    `cal can't receive a login at ${text}: it listens on this machine only, at http://127.0.0.1:<port>/<path> or the same with localhost`,
    { text: "to paste the address of the last page in the browser", command: "cal auth login --method browser --no-browser" },
  );
}

/** Undefined where this machine can't listen on the address. One that ends with `/*` was registered as a pattern, and gets a random end. */
export function findLoopbackUrl(text: string): LoopbackUrl | undefined {
  const href = text.endsWith("/*") ? `${text.slice(0, -1)}${randomBytes(16).toString("hex")}` : text;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const addresses = url === undefined ? undefined : loopbackAddresses[url.hostname];
  if (url === undefined || url.protocol !== "http:" || addresses === undefined || url.hash !== "") return undefined;
  return { href, origin: url.origin, host: url.host, path: url.pathname, port: Number(url.port === "" ? 80 : url.port), addresses };
}

/** The address that starts the login in the browser (section 4.3). */
export function uiLoginUrl(authUrl: string, clientId: string, redirectUrl: string): string {
  return `${joinUrl(authUrl, authPaths.ui)}?client_id=${encodeURIComponent(clientId)}&redirect_url=${encodeURIComponent(redirectUrl)}`;
}

/** The parts of a redirect URI that may hold a token or an error, without `?` and `#`. */
interface CallbackParams {
  readonly query: string;
  readonly fragment: string;
}

/** `expiresIn` is in seconds ("not shown" in the interface). */
export interface CallbackToken {
  readonly token: string;
  readonly expiresIn?: number;
}

/** Reads the token of the fragment. Throws `unauthenticated` for `error` in query or fragment, and for what can't be a token. */
export function parseCallbackToken({ query, fragment }: CallbackParams): CallbackToken | undefined {
  const inFragment = new URLSearchParams(fragment);
  const inQuery = new URLSearchParams(query);
  const error = inFragment.get("error") ?? inQuery.get("error");
  if (error !== null) {
    const description = inFragment.get("error_description") ?? inQuery.get("error_description") ?? error;
    throw new CalError(
      "unauthenticated",
      `the authentication service refused the login in the browser: ${redactAndTruncate(description, [])}`,
      {
        code: /^[\w.-]{1,40}$/.test(error) ? error : "refused",
        hint: { command: "cal auth login --method browser" },
      },
    );
  }
  const token = getFragmentParam(fragment, fragmentTokenParameter) ?? getFragmentParam(fragment, "access_token");
  if (token === undefined || token === "") return undefined;
  if (!isToken(token) || token.length < 8) {
    throw new CalError("unauthenticated", "what came back from the browser can't be a token", {
      hint: { command: "cal auth login --method browser" },
    });
  }
  const seconds = Number(inFragment.get("expires_in") ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? { token, expiresIn: seconds } : { token };
}

/** A fragment is no form: a plus sign in it stays a plus sign. */
function getFragmentParam(fragment: string, name: string): string | undefined {
  const raw = fragment
    .split("&")
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  try {
    return raw && decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** The parts of a pasted address, or of a pasted fragment alone. */
export function parsePastedUrl(pasted: string): CallbackParams {
  const [, query = "", fragment = ""] = /^[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(pasted.trim()) ?? [];
  return { query, fragment };
}
