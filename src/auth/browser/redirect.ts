// The redirect URL of the browser flow (section 4.3): registered at the service, so it is taken to the letter.

import { randomBytes } from "node:crypto";
import { CalError, usageError } from "../../errors.ts";
import { authPaths, fragmentTokenParameter } from "../../model/auth.ts";
import { isToken } from "../credentials.ts";
import { joinUrl, redactAndTruncate } from "../password.ts";

/** What is registered for cal unless the profile says otherwise. */
export const defaultRedirectUrl = "http://127.0.0.1:18250/callback";

/** A redirect URL that this machine can listen on. */
export interface LoopbackUrl {
  /** As it is sent to the service. */
  readonly href: string;
  readonly origin: string;
  /** The Host header of every honest request. */
  readonly host: string;
  readonly path: string;
  readonly port: number;
  /** The addresses to bind; a browser may take either for `localhost`. */
  readonly addresses: readonly string[];
}

/** Reads a redirect URL; one that ends with `/*` was registered as a pattern and gets an unguessable end. Throws `usage` where it can't be listened on. */
export function parseLoopbackUrl(text: string): LoopbackUrl {
  const filled = text.endsWith("/*") ? `${text.slice(0, -1)}${randomBytes(16).toString("hex")}` : text;
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  const addresses = url === undefined ? undefined : loopbackAddresses[url.hostname];
  if (url === undefined || url.protocol !== "http:" || addresses === undefined || url.hash !== "") {
    throw usageError(
      `cal can't receive a login at ${text}: it listens on this machine only, at http://127.0.0.1:<port>/<path> or the same with localhost`,
      "cal auth login --method browser --no-browser takes the address that the browser ended at from you",
    );
  }
  return { href: filled, origin: url.origin, host: url.host, path: url.pathname, port: Number(url.port === "" ? 80 : url.port), addresses };
}

const loopbackAddresses: Readonly<Record<string, readonly string[]>> = {
  "127.0.0.1": ["127.0.0.1"],
  "[::1]": ["::1"],
  localhost: ["127.0.0.1", "::1"],
};

/** The address that starts the login in the browser (section 4.3). */
export function uiLoginUrl(authUrl: string, clientId: string, redirectUrl: string): string {
  return `${joinUrl(authUrl, authPaths.ui)}?client_id=${encodeURIComponent(clientId)}&redirect_url=${encodeURIComponent(redirectUrl)}`;
}

// What a browser comes back with: a token in the fragment (section 4.3).

/** The two parts of an address that may carry something, without `?` and `#`. */
interface CallbackParams {
  readonly query: string;
  readonly fragment: string;
}

/** A token out of a fragment; `expiresIn` in seconds where it was told ("not shown" in the interface). */
export interface CallbackToken {
  readonly token: string;
  readonly expiresIn?: number;
}

/** Takes what came apart: the value, undefined where there is nothing, or a CalError where the service said no. */
export type CallbackParser<T> = (returned: CallbackParams) => T | undefined;

/** Reads the token; throws `unauthenticated` for `error` in query or fragment, and for what can't be a token. */
export function parseCallbackToken({ query, fragment }: CallbackParams): CallbackToken | undefined {
  const inFragment = new URLSearchParams(fragment);
  const inQuery = new URLSearchParams(query);
  const error = inFragment.get("error") ?? inQuery.get("error");
  if (error !== null) throw authorizationError(error, inFragment.get("error_description") ?? inQuery.get("error_description"));
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

/** A fragment is no form: a plus sign in it is a plus sign. */
function getFragmentParam(fragment: string, name: string): string | undefined {
  const pair = fragment.split("&").find((part) => part.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const raw = pair.slice(name.length + 1);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** The parts of a pasted address, or of a pasted fragment alone. */
export function parsePastedUrl(pasted: string): CallbackParams {
  const text = pasted.trim();
  const hash = text.indexOf("#");
  const beforeHash = hash === -1 ? text : text.slice(0, hash);
  const mark = beforeHash.indexOf("?");
  return { query: mark === -1 ? "" : beforeHash.slice(mark + 1), fragment: hash === -1 ? "" : text.slice(hash + 1) };
}

function authorizationError(error: string, description: string | null): CalError {
  const words = redactAndTruncate(description ?? error, []);
  return new CalError("unauthenticated", `the authentication service refused the login in the browser: ${words}`, {
    code: /^[\w.-]{1,40}$/.test(error) ? error : "refused",
    hint: { command: "cal auth login --method browser" },
  });
}
