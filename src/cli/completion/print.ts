// `cal completion <shell>`: the shell's script on stdout, and on a terminal how to install it.

import { meant } from "../../closest.ts";
import type { Handler } from "../../commands/command.ts";
import { usage } from "../../errors.ts";
import { shells } from "./line.ts";
import { installation, scripts } from "./scripts.ts";

/** Prints the script; usage error for a shell that has none. */
export const printScript: Handler = async ({ args: [typed = ""] }, context) => {
  const shell = shells.find((one) => one === typed);
  if (shell === undefined)
    throw usage(`there is no completion for ${JSON.stringify(typed)}${meant(typed, shells)}`, `there is one for ${shells.join(", ")}`);
  await context.io.stdout.write(scripts[shell]);
  if (context.io.stdout.isTTY) await context.notice(["", "To install it:", ...installation[shell].map((line) => `  ${line}`)].join("\n"));
  return { kind: "nothing" };
};
