// Where a new login is kept: in the keychain, or in a file where somebody wants that.
import type { StoreName } from "../../auth/secret-store.ts";
import type { CalError } from "../../errors.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Invocation } from "../command.ts";
import { promptIfAny } from "./answers.ts";
import type { AuthContext } from "./auth-context.ts";

/** Settles it before anything is typed: nobody should type secrets that can't be kept. A script is told when they are kept. */
export async function chosenStore({ flags }: Invocation, context: AuthContext): Promise<StoreName> {
  if (flags["insecure-storage"] === true) return "file";
  const prompt = await promptIfAny(context);
  if (prompt === undefined) return "keychain";
  const fault = await (await context.vault()).fault("keychain");
  return fault === undefined ? "keychain" : fileInstead(fault, prompt, context);
}

/** Asks a person whether a file will do. Throws what is wrong with the keychain where it will not. */
export async function fileInstead(fault: CalError, prompt: Prompt, context: AuthContext): Promise<StoreName> {
  await context.warn(fault.message);
  if (!(await prompt.confirm("Keep the login in a file that only you can read instead?", false))) throw fault;
  return "file";
}
