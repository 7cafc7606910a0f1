// Where a new login is kept: in the keychain, or in a file where somebody wants that.
import type { StoreName } from "../../auth/vault/secret-store.ts";
import type { CalError } from "../../errors.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../person.ts";
import type { AuthContext } from "./auth-context.ts";

/** Settles it before anything is typed: nobody should type secrets that can't be kept. A script is told when they are kept. */
export async function resolveStore({ flags }: Invocation, context: AuthContext): Promise<StoreName> {
  if (flags["insecure-storage"] === true) return "file";
  const person = await findInteractiveUser(context);
  if (person === undefined) return "keychain";
  const fault = await (await context.credentialStore()).findStoreError("keychain");
  return fault === undefined ? "keychain" : confirmFileStore(fault, person, context);
}

/** Asks a person whether a file will do. Throws what is wrong with the keychain where it will not. */
export async function confirmFileStore(fault: CalError, person: Prompt, context: AuthContext): Promise<StoreName> {
  await context.warn(fault.message);
  if (!(await person.confirm("Keep the login in a file that only you can read instead?", false))) throw fault;
  return "file";
}
