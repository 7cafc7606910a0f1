// Every command there is, as data.
import type { CommandSpec } from "../commands/command.ts";
import { resources } from "../spec/index.ts";
import type { Group } from "./lookup.ts";
import { authCommands } from "./tree-auth.ts";
import { configTree } from "./tree-config.ts";
import { doctorCommand } from "./tree-doctor.ts";
import { programCommands } from "./tree-program.ts";
import { recordCommands } from "./tree-records.ts";
import { siteCommands } from "./tree-site.ts";
import { viewCommands } from "./tree-views.ts";

/** All commands, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  ...recordCommands,
  ...viewCommands,
  ...authCommands,
  ...siteCommands,
  ...configTree,
  doctorCommand,
  ...programCommands(() => ({ commands, groups })),
];

/** The words that commands are grouped under. */
export const groups: readonly Group[] = [
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
