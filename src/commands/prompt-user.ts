// Prompts are possible where stdin and stderr are a terminal and --no-input is not set.
import type { Context } from "../context.ts";
import { CalError } from "../errors.ts";
import { readOnlyError } from "../http/transport.ts";
import type { Prompt } from "../terminal/prompt.ts";

/** The user at the terminal; undefined where nobody can be asked. */
export async function findInteractiveUser(context: Pick<Context, "prompt">): Promise<Prompt | undefined> {
  try {
    return await context.prompt();
  } catch (error) {
    if (error instanceof CalError && error.kind === "usage") return undefined;
    throw error;
  }
}

/** The same for a command that writes. A read-only profile, which the guard would refuse in the end, is refused before the first question. */
export async function findInteractiveUserForWrite(context: Context): Promise<Prompt | undefined> {
  const user = await findInteractiveUser(context);
  const { read_only } = await context.settings();
  if (user !== undefined && read_only.value && context.globals["dry-run"] !== true) throw readOnlyError("this command");
  return user;
}
