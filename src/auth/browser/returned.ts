// What a browser comes back with: a token in the fragment (section 4.3).
import { CalError } from "../../errors.ts";
import { fragmentTokenParameter } from "../../spec/auth.ts";
import { redactAndTruncate } from "../refusal.ts";
import { isToken } from "../token.ts";

/** The two parts of an address that may carry something, without `?` and `#`. */
export interface CallbackParams {
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
    throw new CalError("unauthenticated", "what came back from the browser can't be a token", { hint: "cal auth login --method browser" });
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
    hint: "cal auth login --method browser",
  });
}
