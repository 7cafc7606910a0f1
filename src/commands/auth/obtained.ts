// What a way of logging in hands over to be kept.
import type { NewLogin, Secrets } from "../../auth/vault/vault.ts";

/** A login that works but is not stored yet. */
export interface LoginResult {
  /** What its row will say; profile, store and origins are added when it is kept. */
  readonly login: Omit<NewLogin, "profile" | "store" | "base_origin" | "auth_origin">;
  readonly secrets: Secrets;
  /** Whether it came through a browser, where it could be another person's: then the user is asked whether it is theirs. */
  readonly needsConfirmation: boolean;
  /** Settings that were typed or found on the way, for the profile. */
  readonly profileSettings: Readonly<Record<string, string>>;
}
