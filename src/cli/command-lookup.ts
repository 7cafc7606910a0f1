// The command tree as a whole, and finding one's way in it by the words that are typed.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec } from "../commands/command.ts";
import { resources } from "../model/resources.ts";

/** Words that stand for a group of commands. */
export interface CommandGroup {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

/** All commands and the groups of those that have two words. */
export interface CommandTree {
  /** All of them; who knows the first word asks for those that begin with it. */
  readonly commands: readonly CommandSpec[];
  readonly groups: readonly CommandGroup[];
  /** The commands whose first word this is, in the order of the tree. */
  readonly findByFirstWord: (word: string) => readonly CommandSpec[];
}

/** Where words lead: to a command, to a group, to the whole where there are none, or nowhere. */
export type LookupResult =
  | { readonly kind: "whole" }
  | { readonly kind: "group"; readonly group: CommandGroup }
  | { readonly kind: "command"; readonly spec: CommandSpec }
  | { readonly kind: "nowhere"; readonly problem: string };

/** Follows the first one or two words; words after a command are its arguments. */
export function lookupCommand(tree: CommandTree, words: readonly string[]): LookupResult {
  const [first, second] = words;
  if (first === undefined) return { kind: "whole" };
  const single = findSingleWordCommand(tree, first);
  if (single !== undefined) return { kind: "command", spec: single };
  const group = findGroup(tree, first);
  if (group === undefined)
    return {
      kind: "nowhere",
      problem: `unknown command ${JSON.stringify(first)}${formatSuggestion(first, getFirstWords(tree), { synonyms: getSynonyms() })}`,
    };
  if (second === undefined) return { kind: "group", group };
  const members = getGroupCommands(tree, group);
  const spec = members.find(({ path, aliases }) => path[1] === second || aliases?.includes(second));
  if (spec !== undefined) return { kind: "command", spec };
  return {
    kind: "nowhere",
    problem: `unknown command ${JSON.stringify(`${first} ${second}`)}${formatSuggestion(second, members.flatMap(getSecondWords), { synonyms: getSynonyms(group.name) })}`,
  };
}

/** The group of a name or an alias. */
export function findGroup(tree: CommandTree, word: string): CommandGroup | undefined {
  return tree.groups.find(({ name, aliases }) => name === word || aliases.includes(word));
}

/** The commands of a group, in the order of the tree. */
export function getGroupCommands(tree: CommandTree, group: CommandGroup): readonly CommandSpec[] {
  return tree.findByFirstWord(group.name);
}

/** The command of this one word. */
export function findSingleWordCommand(tree: CommandTree, word: string): CommandSpec | undefined {
  return tree.findByFirstWord(word).find(({ path }) => path.length === 1);
}

/** The commands of one word, in the order of the tree. */
export function getSingleWordCommands(tree: CommandTree): readonly CommandSpec[] {
  return tree.commands.filter(({ path }) => path.length === 1);
}

/** Every word that a command line can begin with. */
function getFirstWords(tree: CommandTree): readonly string[] {
  return [
    ...tree.groups.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...getSingleWordCommands(tree).flatMap(({ path, aliases }) => [...path, ...(aliases ?? [])]),
  ];
}

function getSecondWords({ path, aliases }: CommandSpec): readonly string[] {
  return [...path.slice(1), ...(aliases ?? [])];
}

// Words that people type for commands that are called otherwise, and the command lines that do what is meant by them.

type LinesByWord = Readonly<Record<string, string>>;

/** Words that no command begins with. */
const topLevelSynonyms: LinesByWord = {
  login: "cal auth login",
  signin: "cal auth login",
  logout: "cal auth logout",
  signout: "cal auth logout",
  whoami: "cal auth status",
  me: "cal auth status",
  status: "cal auth status",
  token: "cal auth token",
  setup: "cal init <site-url>",
  configure: "cal init <site-url>",
  settings: "cal config list",
  profiles: "cal profile list",
  check: "cal doctor",
  version: "cal --version",
  today: "cal events list --today",
  tomorrow: "cal agenda tomorrow",
  day: "cal agenda today",
  upcoming: "cal agenda",
  next: "cal agenda",
  search: "cal events list --search <text>",
  find: "cal events list --search <text>",
  list: "cal events list",
  ls: "cal events list",
  get: "cal events get <ref>",
  show: "cal events get <ref>",
  create: "cal events create",
  new: "cal events create",
  add: "cal events create",
  update: "cal events update <ref>",
  edit: "cal events edit <ref>",
  delete: "cal events delete <ref>",
  rm: "cal events delete <ref>",
};

/** Second words of the groups that are no resources. */
const groupSynonyms: Readonly<Record<string, LinesByWord>> = {
  auth: {
    whoami: "cal auth status",
    me: "cal auth status",
    list: "cal auth status",
    check: "cal auth status --check",
    signin: "cal auth login",
    signout: "cal auth logout",
    renew: "cal auth refresh",
  },
  config: { show: "cal config list", edit: "cal config set <key> <value>", delete: "cal config unset <key>" },
  profile: {
    create: "cal profile add <name>",
    new: "cal profile add <name>",
    switch: "cal profile use <name>",
    delete: "cal profile remove <name>",
  },
  sandbox: { start: "cal sandbox serve", run: "cal sandbox serve", clear: "cal sandbox reset" },
};

/** Second words of every resource; `{name}` is what it is called, `{title}` the flag of its name. */
const recordSynonyms: LinesByWord = {
  search: "cal {name} list --search <text>",
  find: "cal {name} list --search <text>",
  "show-all": "cal {name} list --all",
  "list-all": "cal {name} list --all",
  all: "cal {name} list --all",
  export: "cal {name} list --all --format csv",
  view: "cal {name} get <ref>",
  read: "cal {name} get <ref>",
  info: "cal {name} get <ref>",
  new: "cal {name} create",
  import: "cal {name} create --data @<file>",
  change: "cal {name} update <ref>",
  modify: "cal {name} update <ref>",
  set: "cal {name} update <ref>",
  rename: "cal {name} update <ref> --{title} <text>",
  duplicate: "cal {name} clone <ref>",
  remove: "cal {name} delete <ref>",
  destroy: "cal {name} delete <ref>",
};

/** And of those that are published. */
const postSynonyms: LinesByWord = {
  publish: "cal {name} update <ref> --status publish",
  unpublish: "cal {name} update <ref> --status draft",
  hide: "cal {name} update <ref> --status draft",
  trash: "cal {name} delete <ref>",
};

/** And of events alone. No status of the interface says that one is called off. */
const eventSynonyms: LinesByWord = {
  cancel: "cal events update <ref> --status draft, which takes it off the calendar, or cal events delete <ref>",
  move: "cal events update <ref> --shift <offset>",
  reschedule: "cal events update <ref> --shift <offset>",
  postpone: "cal events update <ref> --shift <offset>",
  today: "cal events list --today",
  upcoming: "cal agenda",
};

/** The command lines by the word that stands for them: the first word of a line, or the second behind the name of a group. */
export function getSynonyms(group?: string): LinesByWord {
  if (group === undefined) return topLevelSynonyms;
  const resource = Object.values(resources).find(({ name }) => name === group);
  if (resource === undefined) return groupSynonyms[group] ?? {};
  const isPost = resource.fields.some(({ name }) => name === "status");
  const lines = { ...recordSynonyms, ...(isPost ? postSynonyms : {}), ...(resource.hasDates ? eventSynonyms : {}) };
  return Object.fromEntries(
    Object.entries(lines).map(([word, line]) => [word, line.replace("{name}", resource.name).replace("{title}", resource.titleField)]),
  );
}
