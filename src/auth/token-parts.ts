// What every source of tokens is made of, and when a token counts as over.
import type { Transport } from "../http/transport.ts";
import type { AuthSettings, Clock, Env } from "./parts.ts";
import type { CredentialStore } from "./vault/vault.ts";

/** What tokens are got with. The transport is asked for only when the authentication service is needed. */
export interface AuthHeaderProviderOptions {
  readonly settings: AuthSettings;
  readonly env: Env;
  readonly clock: Clock;
  readonly transport: () => Promise<Transport>;
  readonly credentialStore: CredentialStore;
  readonly warn: (text: string) => Promise<void>;
}

/** Milliseconds before its end from which a token is replaced: a call that starts now must still find it valid. */
const expiryMargin = 30_000;

/** Whether a token is over or about to be; one without a known end never is. */
export function isExpiring(expiresAt: number | undefined, clock: Clock): boolean {
  return expiresAt !== undefined && expiresAt - clock.now() <= expiryMargin;
}
