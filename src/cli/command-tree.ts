// All commands: the declarations, and the commands about the program itself.
import type { CommandSpec } from "../commands/command.ts";
import { resources } from "../model/resources.ts";
import { once } from "../once.ts";
import type { CommandTree } from "./command-lookup.ts";
import { authCommands } from "./declarations/auth.ts";
import { createCalendarCommands } from "./declarations/calendar.ts";
import { changeCommands } from "./declarations/changes.ts";
import { setupCommands } from "./declarations/config.ts";
import { createCopyCommand } from "./declarations/copy.ts";
import { createRecordCommands } from "./declarations/records.ts";
import { createSeriesCommands } from "./declarations/series.ts";
import { siteCommands } from "./declarations/site.ts";
import { viewCommands } from "./declarations/views.ts";
import { topics } from "./help-topics.ts";

/** The commands by their first words, in the order of the help. The commands of a resource take time to make: they are made when needed. */
const commandSets: readonly { readonly words: readonly string[]; readonly getCommands: () => readonly CommandSpec[] }[] = [
  ...Object.values(resources).map((resource) => ({
    words: [resource.name],
    getCommands: once(() => [...createRecordCommands(resource), createCopyCommand(resource), ...createCalendarCommands(resource)]),
  })),
  { words: ["series"], getCommands: once(createSeriesCommands) },
  { words: ["month", "week", "agenda", "date"], getCommands: () => viewCommands },
  { words: ["log", "undo", "apply", "pull", "diff", "validate"], getCommands: () => changeCommands },
  { words: ["auth"], getCommands: () => authCommands },
  { words: ["root", "doc", "api", "sandbox"], getCommands: () => siteCommands },
  { words: ["init", "config", "profile"], getCommands: () => setupCommands },
  { words: ["doctor", "mcp", "help", "completion", "schema"], getCommands: () => programCommands },
];

export const commandTree: CommandTree = {
  get commands() {
    return commandSets.flatMap(({ getCommands }) => getCommands());
  },
  groups: [
    ...Object.values(resources).map(({ name, singular }) => ({
      name,
      aliases: [singular],
      summary: `List, read, create, update and delete ${name}`,
    })),
    { name: "series", aliases: [], summary: "Events that are repeated: change and delete them together" },
    { name: "auth", aliases: [], summary: "Log in and out" },
    { name: "profile", aliases: [], summary: "Profiles: one for each calendar" },
    { name: "config", aliases: [], summary: "Settings of a profile" },
    { name: "sandbox", aliases: [], summary: "The sandbox, a built-in calendar" },
  ],
  findByFirstWord: (word) => {
    const set = commandSets.find(({ words }) => words.includes(word));
    return set === undefined ? [] : set.getCommands().filter(({ path }) => path[0] === word);
  },
};

/** `doctor`, and the commands that describe the program. */
const programCommands: readonly CommandSpec[] = [
  {
    path: ["doctor"],
    summary: "Find problems, from this machine to the site, and say what to do",
    details:
      "Checks Node, the name on PATH, the configuration, the keychain, the connection, the clocks, the interface and its documentation, the largest page, the time zones, and the login. " +
      "Nothing is written to the site. A request gets 5 seconds and is not repeated, unless the settings say otherwise. " +
      "The exit code is 9 if a check fails. A check that is not possible is skipped, with the reason.",
    args: [],
    flags: [{ name: "strict", type: "boolean", meaning: "Exit code 9 for warnings too" }],
    settingDefaults: { timeout: 5000, retries: 0 },
    examples: [
      { command: "cal doctor", does: "Everything that commands depend on" },
      { command: "cal doctor --json | jq -r '.[] | select(.advice) | .advice'", does: "What to do, one line each" },
    ],
    load: async () => (await import("../commands/doctor/doctor.ts")).doctor,
  },
  {
    path: ["mcp"],
    summary: "Serve the calendar to AI assistants (Model Context Protocol)",
    details:
      "The client starts it and speaks with it on stdin and stdout. It is read-only without --allow-write. The profile is the one that it is started with. " +
      "A write is planned first and carried out by a second call; for deletions and for several records the user is asked, if the client can ask. " +
      "Texts of a site can try to steer an assistant: start it read-only where that has other powerful tools.",
    args: [],
    flags: [
      { name: "allow-write", type: "boolean", meaning: "Also offer tools that write" },
      { name: "allow-delete", type: "boolean", meaning: "With --allow-write: also allow deletions, those of undo too" },
      { name: "max-changes", type: "integer", value: "n", meaning: "Refuse plans that write more than n records", default: "50" },
      {
        name: "resources",
        type: "texts",
        value: "name",
        meaning: "Offer the tools of these resources only",
        choices: Object.keys(resources),
        commaSeparated: true,
      },
    ],
    examples: [
      { command: "cal mcp", does: "What a client is told to start: read-only" },
      { command: "cal -p work mcp --allow-write --resources events,venues", does: "With writes, on the site of one profile" },
    ],
    reportsProblems: true,
    load: async () => (await import("./mcp/mcp.ts")).createMcpHandler(commandTree),
  },
  {
    path: ["help"],
    summary: "Explain a command or a topic",
    args: [{ name: "topic", meaning: `A command, or ${topics.map(({ name }) => name).join(", ")}`, many: true }],
    flags: [],
    examples: [
      { command: "cal help dates", does: "How dates are written" },
      { command: "cal help events create", does: "The same as cal events create --help" },
    ],
    load: async () => (await import("./help.ts")).createHelpHandler(commandTree),
  },
  {
    path: ["completion"],
    summary: "Print the completion script of a shell",
    details:
      "It completes commands, flags, their values, and the ids and names of records. Names of records come from a small cache, which list, get and create update. " +
      "If it is older than ten minutes, one request of at most a second is sent to the site, without a login from the keychain. " +
      "The script for PowerShell is not tested in its shell; the others are.",
    args: [{ name: "shell", meaning: "bash, zsh, fish or powershell", required: true }],
    flags: [],
    examples: [
      { command: "source <(cal completion bash)", does: "In ~/.bashrc" },
      { command: "cal completion zsh", does: "On a terminal, it also prints how to install it" },
    ],
    load: async () => (await import("./completion/scripts.ts")).printScript,
  },
  {
    path: ["schema"],
    summary: "Print all commands, flags, types and fields as JSON",
    details:
      "One object for programs and agents: version, commands, global_flags, resources, formats, environment and exit_codes; cal help formats describes them. " +
      "With the words of a command, commands and resources contain only what these words name.",
    args: [{ name: "command", meaning: "events, or events create", many: true }],
    flags: [
      {
        name: "for-files",
        type: "boolean",
        meaning: "The JSON Schema of the files that cal pull writes instead, of one resource or of all: for editors",
      },
    ],
    examples: [
      { command: "cal schema | jq -r '.commands[].command'", does: "All commands" },
      { command: "cal schema events create | jq '.commands[0].flags'", does: "The flags of one command" },
      { command: "cal schema events --for-files | jq .required", does: "What the file of an event must have" },
    ],
    load: async () => (await import("./schema.ts")).createSchemaHandler(commandTree),
  },
];
