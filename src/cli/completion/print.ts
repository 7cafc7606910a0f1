// `cal completion <shell>`: the shell's script on stdout, and on a terminal how to install it.

import { formatSuggestion } from "../../closest.ts";
import type { Handler } from "../../commands/command.ts";
import { usageError } from "../../errors.ts";
import { shells } from "./line.ts";
import { installationSteps, scripts } from "./scripts.ts";

/** Prints the script; usage error for a shell that has none. */
export const printScript: Handler = async ({ args: [typed = ""] }, context) => {
  const shell = shells.find((one) => one === typed);
  if (shell === undefined)
    throw usageError(
      `there is no completion for ${JSON.stringify(typed)}${formatSuggestion(typed, shells)}`,
      `there is one for ${shells.join(", ")}`,
    );
  await context.io.stdout.write(scripts[shell]);
  if (context.io.stdout.isTTY)
    await context.notice(["", "To install it:", ...installationSteps[shell].map((line) => `  ${line}`)].join("\n"));
  return { kind: "nothing" };
};
