// Commands about the program itself: help, completion, schema.
import type { CommandSpec } from "../../commands/command.ts";
import { topics } from "../help/topics.ts";
import type { CommandTree } from "./lookup.ts";

/** They tell of the whole tree, which they are part of: it is asked for when they run. */
export function createProgramCommands(tree: () => CommandTree): readonly CommandSpec[] {
  return [
    {
      path: ["help"],
      summary: "Explain a command or a topic",
      args: [{ name: "topic", meaning: `A command, or ${topics.map(({ name }) => name).join(", ")}`, many: true }],
      flags: [],
      examples: [
        { command: "cal help dates", does: "How dates are written" },
        { command: "cal help events create", does: "The same as cal events create --help" },
      ],
      load: async () => (await import("../help/handler.ts")).createHelpHandler(tree()),
    },
    {
      path: ["completion"],
      summary: "Print the completion script of a shell",
      details:
        "It completes commands, flags, their values, and the ids and names of records. Names of records come from a small cache, which every list, get and create feeds; " +
        "where it is older than ten minutes, one request of at most a second asks the site, without a login from the keychain. " +
        "The script for PowerShell has been checked by eye only, the others in the real shells.",
      args: [{ name: "shell", meaning: "bash, zsh, fish or powershell", required: true }],
      flags: [],
      examples: [
        { command: "source <(cal completion bash)", does: "In ~/.bashrc" },
        { command: "cal completion zsh", does: "On a terminal, how to install it is told too" },
      ],
      load: async () => (await import("../completion/print.ts")).printScript,
    },
    {
      path: ["schema"],
      summary: "Print all commands, flags, types and fields as JSON",
      details:
        "One object for programs and agents: version, commands, global_flags, resources, formats, environment and exit_codes; what they hold is told by cal help formats. " +
        "With the words of a command, commands and resources hold only what these words name.",
      args: [{ name: "command", meaning: "events, or events create", many: true }],
      flags: [],
      examples: [
        { command: "cal schema | jq -r '.commands[].command'", does: "Every command there is" },
        { command: "cal schema events create | jq '.commands[0].flags'", does: "The flags of one command" },
      ],
      load: async () => (await import("../schema.ts")).createSchemaHandler(tree()),
    },
  ];
}
