// The words of a command line -> its flags and all others; done by commander.

import { Command, CommanderError, Option } from "commander";
import type { Flag } from "../commands/command.ts";
import { usageError } from "../errors.ts";
import { getFlagNames, type ParsedArguments, type ParsedFlag } from "./flags.ts";

/** Reads flags wherever they stand among the words. `path` is the command that a usage error points to. */
export function parseFlags(argv: readonly string[], flags: readonly Flag[], path: string): ParsedArguments {
  const parsedFlags: ParsedFlag[] = [];
  const command = new Command("cal")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  // To declare all hundred flags costs more than everything else that is done here.
  const words = new Set(argv.map((word) => word.split("=", 1)[0]));
  const present = (flag: Flag) => flag.short !== undefined || getFlagNames(flag).some((name) => words.has(`--${name}`));
  for (const flag of flags.filter(present)) declareFlag(command, flag, (one) => parsedFlags.push(one));
  try {
    return { parsedFlags, ...command.parseOptions([...argv]) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const flag = /--[^\s']+/.exec(error.message)?.[0];
    throw usageError(`${flag} lacks its value`, { text: "see", command: `cal ${path === "" ? "" : `${path} `}--help` });
  }
}

/** Declares a flag on a command under all its names; each time it is typed `onTyped` is told. */
function declareFlag(command: Command, flag: Flag, onTyped: (typed: ParsedFlag) => void): void {
  const value = flag.type === "boolean" ? "" : flag.optionalValue === true ? " [value]" : " <value>";
  for (const name of getFlagNames(flag)) {
    const short = name === flag.name && flag.short !== undefined ? `-${flag.short}, ` : "";
    command.addOption(new Option(`${short}--${name}${value}`));
    command.on(`option:${name}`, (text: string | null | undefined) =>
      onTyped({ flag, value: text ?? (name === flag.name || !name.startsWith("no-")) }),
    );
  }
}
