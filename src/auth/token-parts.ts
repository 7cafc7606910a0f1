// What every source of tokens is made of, and when a token counts as over.
import type { Transport } from "../http/transport.ts";
import type { AuthSettings, Clock, Env } from "./parts.ts";
import type { Vault } from "./vault/vault.ts";

/** What tokens are got with. The transport is asked for only when the authentication service is needed. */
export interface TokenParts {
  readonly settings: AuthSettings;
  readonly env: Env;
  readonly clock: Clock;
  readonly transport: () => Promise<Transport>;
  readonly vault: Vault;
  readonly warn: (text: string) => Promise<void>;
}

/** Milliseconds before its end from which a token is replaced: a call that starts now must still find it valid. */
const margin = 30_000;

/** Whether a token is over or about to be; one without a known end never is. */
export function isDue(expiresAt: number | undefined, clock: Clock): boolean {
  return expiresAt !== undefined && expiresAt - clock.now() <= margin;
}
