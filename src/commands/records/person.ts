// Whether there is a person who can be asked: a terminal on both ends, and nothing that forbids questions.
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Prompt } from "../../terminal/prompt.ts";

/** Who answers questions; undefined where nobody does, and a command must do without. */
export async function personOf(context: Context): Promise<Prompt | undefined> {
  try {
    return await context.prompt();
  } catch (error) {
    if (error instanceof CalError && error.kind === "usage") return undefined;
    throw error;
  }
}
