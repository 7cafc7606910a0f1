// What a way of logging in hands over to be kept.
import type { NewLogin, Secrets } from "../../auth/vault/vault.ts";

/** A login that works but is not stored yet. */
export interface Obtained {
  /** What its row will say; profile, store and origins are added when it is kept. */
  readonly login: Omit<NewLogin, "profile" | "store" | "base_origin" | "auth_origin">;
  readonly secrets: Secrets;
  /** Whether it came through a browser, where it could be another person's: then the user is asked whether it is theirs. */
  readonly doubtful: boolean;
  /** Settings that were typed or found on the way, for the profile. */
  readonly remember: Readonly<Record<string, string>>;
}

/** What the site says of an access. `anonymous`: it takes us for a visitor although we present something. */
export type Verdict =
  | { readonly is: "valid"; readonly identity?: string }
  | { readonly is: "refused"; readonly status: number; readonly code?: string }
  | { readonly is: "anonymous" }
  | { readonly is: "not provable" };
