// The redirect URL of the browser flow (section 4.3): registered at the service, so it is taken to the letter.
import { randomBytes } from "node:crypto";
import { usageError } from "../../errors.ts";
import { authPaths } from "../../spec/auth.ts";
import { joinUrl } from "../password.ts";

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
