// Whether there is a person who can be asked: a terminal on both ends, and nothing that forbids questions.
import type { Context } from "../context.ts";
import { CalError } from "../errors.ts";
import { readOnlyError } from "../http/transport.ts";
import type { Prompt } from "../terminal/prompt.ts";

/** Who answers questions; undefined where nobody does, and a command must do without. */
export async function findInteractiveUser(context: Pick<Context, "prompt">): Promise<Prompt | undefined> {
  try {
    return await context.prompt();
  } catch (error) {
    if (error instanceof CalError && error.kind === "usage") return undefined;
    throw error;
  }
}

/** The same for a command that writes: what the guard would refuse in the end is refused before anybody is asked. */
export async function findInteractiveUserForWrite(context: Context): Promise<Prompt | undefined> {
  const person = await findInteractiveUser(context);
  const { read_only } = await context.settings();
  if (person !== undefined && read_only.value && context.globals["dry-run"] !== true) throw readOnlyError("this command");
  return person;
}
