// The command tree, how commands are found in it, and synonyms for commands.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec } from "../commands/command.ts";
import { resources } from "../model/resources.ts";

/** The first word of commands of two words. */
export interface CommandGroup {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

export interface CommandTree {
  /** All commands. It is quicker to look up those of one first word. */
  readonly commands: readonly CommandSpec[];
  readonly groups: readonly CommandGroup[];
  /** The commands with this first word, in the order of the tree. */
  readonly findByFirstWord: (word: string) => readonly CommandSpec[];
}

/** What the first words of a command line name. Without words it is the root. */
export type LookupResult =
  | { readonly kind: "root" }
  | { readonly kind: "group"; readonly group: CommandGroup }
  | { readonly kind: "command"; readonly spec: CommandSpec }
  | { readonly kind: "unknown"; readonly problem: string; readonly hasSuggestion: boolean };

/** Looks up the first one or two words. Words after a command are its arguments. */
export function lookupCommand(tree: CommandTree, [first, second]: readonly string[]): LookupResult {
  if (first === undefined) return { kind: "root" };
  const single = findSingleWordCommand(tree, first);
  if (single !== undefined) return { kind: "command", spec: single };
  const group = findGroup(tree, first);
  if (group === undefined) {
    const names = [...tree.groups.flatMap(({ name, aliases }) => [name, ...aliases]), ...getSingleWordCommands(tree).flatMap(getLastWords)];
    return createUnknown(first, formatSuggestion(first, names, { synonyms: joinLines(getSynonyms()) }));
  }
  if (second === undefined) return { kind: "group", group };
  const members = getGroupCommands(tree, group);
  const spec = members.find((member) => getLastWords(member).includes(second));
  if (spec !== undefined) return { kind: "command", spec };
  return createUnknown(
    `${first} ${second}`,
    formatSuggestion(second, members.flatMap(getLastWords), { synonyms: joinLines(getSynonyms(group.name)) }),
  );
}

function createUnknown(words: string, suggestion: string): LookupResult {
  return { kind: "unknown", problem: `unknown command ${JSON.stringify(words)}${suggestion}`, hasSuggestion: suggestion !== "" };
}

export function findGroup(tree: CommandTree, word: string): CommandGroup | undefined {
  return tree.groups.find(({ name, aliases }) => name === word || aliases.includes(word));
}

export function getGroupCommands(tree: CommandTree, group: CommandGroup): readonly CommandSpec[] {
  return tree.findByFirstWord(group.name);
}

function findSingleWordCommand(tree: CommandTree, word: string): CommandSpec | undefined {
  return tree.findByFirstWord(word).find(({ path }) => path.length === 1);
}

/** The commands of one word, in the order of the tree. */
export function getSingleWordCommands(tree: CommandTree): readonly CommandSpec[] {
  return tree.commands.filter(({ path }) => path.length === 1);
}

/** The last word of a command and its aliases. */
export function getLastWords({ path, aliases = [] }: CommandSpec): readonly string[] {
  return [...path.slice(-1), ...aliases];
}

// Words that users type for commands with other names.

/** Command lines, and the words that mean them. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

/** First words. */
const topLevelSynonyms: Synonyms = {
  "cal auth login": ["login", "signin"],
  "cal auth logout": ["logout", "signout"],
  "cal auth status": ["whoami", "me", "status"],
  "cal auth token": ["token"],
  "cal init <site-url>": ["setup", "configure"],
  "cal config list": ["settings"],
  "cal profile list": ["profiles"],
  "cal doctor": ["check"],
  "cal --version": ["version"],
  "cal events list --today": ["today"],
  "cal agenda tomorrow": ["tomorrow"],
  "cal agenda today": ["day"],
  "cal agenda": ["upcoming", "next"],
  "cal events list --search <text>": ["search", "find"],
  "cal events list": ["list", "ls"],
  "cal events get <ref>": ["get", "show"],
  "cal events create": ["create", "new", "add"],
  "cal events update <ref>": ["update"],
  "cal events edit <ref>": ["edit"],
  "cal events delete <ref>": ["delete", "rm"],
  "cal events restore <ref>": ["restore", "undelete"],
  "cal events approve <ref>": ["approve"],
  "cal events clone <ref>": ["clone"],
  "cal events open <ref>": ["open"],
  "cal events import <file>": ["import"],
  "cal events conflicts": ["conflicts"],
  "cal events watch": ["watch", "monitor", "poll"],
};

/** Second words of the groups that are no resources. */
const groupSynonyms: Readonly<Record<string, Synonyms>> = {
  auth: {
    "cal auth status": ["whoami", "me", "list"],
    "cal auth status --check": ["check"],
    "cal auth login": ["signin"],
    "cal auth logout": ["signout"],
    "cal auth refresh": ["renew"],
  },
  config: { "cal config list": ["show"], "cal config set <key> <value>": ["edit"], "cal config unset <key>": ["delete"] },
  profile: {
    "cal profile add <name>": ["create", "new"],
    "cal profile use <name>": ["switch"],
    "cal profile remove <name>": ["delete"],
  },
  series: {
    "cal series shift <ref> <offset>": ["move"],
    "cal series update <ref>": ["edit", "change"],
    "cal series delete <ref>": ["remove", "cancel"],
    "cal events repeat <ref>": ["create", "new", "add"],
  },
  sandbox: { "cal sandbox serve": ["start", "run"], "cal sandbox reset": ["clear"] },
};

/** Second words of every resource. `{name}` is the name of the resource, `{title}` the flag of its title field. */
const recordSynonyms: Synonyms = {
  "cal {name} list --search <text>": ["search", "find"],
  "cal {name} list --all": ["show-all", "list-all", "all"],
  "cal {name} list --all --format csv": ["export"],
  "cal {name} get <ref>": ["view", "read", "info"],
  "cal {name} create": ["new"],
  "cal {name} import <file>": ["load"],
  "cal {name} update <ref>": ["change", "modify", "set"],
  "cal {name} update <ref> --{title} <text>": ["rename"],
  "cal {name} clone <ref>": ["duplicate"],
  "cal {name} delete <ref>": ["remove", "destroy"],
};

/** Second words of resources with a status. */
const postSynonyms: Synonyms = {
  "cal {name} restore <ref>": ["undelete"],
  "cal {name} update <ref> --status publish": ["publish"],
  "cal {name} update <ref> --status draft": ["unpublish", "hide"],
  "cal {name} delete <ref>": ["trash"],
};

/** Second words of the other resources, whose records are not kept when they are deleted. */
const termSynonyms: Synonyms = {
  "cal {name} create --{title} <text>": ["restore", "undelete"],
};

/** Second words of events. The interface has no status for a cancelled event. */
const eventSynonyms: Synonyms = {
  "cal events update <ref> --status draft": ["cancel"],
  "cal events delete <ref>": ["cancel"],
  "cal events update <ref> --shift <offset>": ["move", "reschedule", "postpone"],
  "cal events repeat <ref>": ["recur"],
  "cal events list --today": ["today"],
  "cal events list --all --format ics": ["ics", "ical", "feed"],
  "cal agenda": ["upcoming"],
};

/** The command lines by the words that mean them: first words, where those of events count too, or second words after the name of a group. */
export function getSynonyms(group?: string): Readonly<Record<string, readonly string[]>> {
  if (group === undefined) return { ...getSynonyms(resources.events.name), ...invertSynonyms(topLevelSynonyms) };
  const resource = Object.values(resources).find(({ name }) => name === group);
  if (resource === undefined) return invertSynonyms(groupSynonyms[group] ?? {});
  const lines = {
    ...invertSynonyms(recordSynonyms),
    ...invertSynonyms(resource.fields.some(({ name }) => name === "status") ? postSynonyms : termSynonyms),
    ...(resource.hasDates ? invertSynonyms(eventSynonyms) : {}),
  };
  return Object.fromEntries(
    Object.entries(lines).map(([word, templates]) => [
      word,
      templates.map((line) => line.replace("{name}", resource.name).replace("{title}", resource.titleField)),
    ]),
  );
}

function invertSynonyms(synonyms: Synonyms): Readonly<Record<string, readonly string[]>> {
  const words = Object.values(synonyms).flat();
  const linesOf = (word: string) => Object.keys(synonyms).filter((line) => synonyms[line]?.includes(word));
  return Object.fromEntries(words.map((word) => [word, linesOf(word)]));
}

function joinLines(synonyms: ReturnType<typeof getSynonyms>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(synonyms).map(([word, lines]) => [word, lines.join(" or ")]));
}
