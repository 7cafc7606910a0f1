// What cal and the small program that speaks to the keychain say to each other.

/** The name under which the keychain lists our entries. It never changes, however the program is called. */
export const keychainService = "cal";

/** One task a process. `get` answers null for what is missing, but fails where the keychain is locked. */
export type KeychainTask =
  | { readonly operation: "get"; readonly accounts: readonly string[] }
  | { readonly operation: "set"; readonly entries: readonly (readonly [account: string, secret: string])[] }
  | { readonly operation: "delete"; readonly accounts: readonly string[] };

/** The answer: the secrets of a `get` in the order asked, or what went wrong. `stage` tells whether keytar itself came up. */
export type KeychainResult =
  | { readonly ok: true; readonly secrets: readonly (string | null)[] }
  | { readonly ok: false; readonly stage: "load" | "call"; readonly message: string };
