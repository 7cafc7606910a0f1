// Every command there is, as data.
import type { CommandSpec } from "../../commands/command.ts";
import { once } from "../../once.ts";
import { resources } from "../../spec/index.ts";
import { authCommands } from "./auth.ts";
import { setupCommands } from "./config.ts";
import { doctorCommand } from "./doctor.ts";
import type { CommandGroup, CommandTree } from "./lookup.ts";
import { createProgramCommands } from "./program.ts";
import { createRecordCommands } from "./records.ts";
import { siteCommands } from "./site.ts";
import { viewCommands } from "./views.ts";

/** The words that commands are grouped under. */
const commandGroups: readonly CommandGroup[] = [
  ...Object.values(resources).map(({ name, singular }) => ({
    name,
    aliases: [singular],
    summary: `List, read, create, update and delete ${name}`,
  })),
  { name: "auth", aliases: [], summary: "Log in and out" },
  { name: "profile", aliases: [], summary: "Profiles: one for each calendar" },
  { name: "config", aliases: [], summary: "Settings of a profile" },
  { name: "sandbox", aliases: [], summary: "The embedded calendar" },
];

/** The words that commands begin with, and where these are described: in the order of the help, and each made when one of its words is typed. */
const commandSets: readonly { readonly words: readonly string[]; readonly commands: () => readonly CommandSpec[] }[] = [
  ...Object.values(resources).map((resource) => ({ words: [resource.name], commands: once(() => createRecordCommands(resource)) })),
  { words: ["month", "week", "agenda", "date"], commands: () => viewCommands },
  { words: ["auth"], commands: () => authCommands },
  { words: ["root", "doc", "api", "sandbox"], commands: () => siteCommands },
  { words: ["init", "config", "profile"], commands: () => setupCommands },
  { words: ["doctor"], commands: () => [doctorCommand] },
  { words: ["help", "completion", "schema"], commands: once(() => createProgramCommands(() => commandTree)) },
];

/** Every command there is. */
export const commandTree: CommandTree = {
  get commands() {
    return commandSets.flatMap(({ commands }) => commands());
  },
  groups: commandGroups,
  findByFirstWord: (word) => {
    const part = commandSets.find(({ words }) => words.includes(word));
    return part === undefined ? [] : part.commands().filter(({ path }) => path[0] === word);
  },
};
