// `cal help [command or topic]`, `cal` without words, and `--help` of every command. Examples come first.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec, Flag, Handler } from "../commands/command.ts";
import { usageError } from "../errors.ts";
import { resources } from "../model/resources.ts";
import { resolveStyle } from "../terminal/style.ts";
import {
  type CommandGroup,
  type CommandTree,
  getGroupCommands,
  getLastWords,
  getSingleWordCommands,
  lookupCommand,
} from "./command-lookup.ts";
import { globalFlags } from "./global-flags.ts";
import { formatArgument, formatFlagRow, groupFlags, type HelpPage, renderPage } from "./help-layout.ts";
import { topics } from "./help-topics.ts";

/** The handler. The flag `short` chooses the page of `cal` without words. Usage error for unknown words. */
export function createHelpHandler(tree: CommandTree): Handler {
  return async ({ args, flags }, { io: { stdout }, env, globals }) => {
    const page = flags["short"] === true ? startPage : findPage(tree, args);
    const { bold } = await resolveStyle(stdout, env, globals);
    return { kind: "text", text: renderPage(page, Math.max(stdout.columns ?? 80, 40), bold) };
  };
}

function findPage(tree: CommandTree, words: readonly string[]): HelpPage {
  const [first = ""] = words;
  const topic = words.length > 1 ? undefined : topics.find(({ name }) => name === first);
  if (topic !== undefined) return topic.createPage();
  const found = lookupCommand(tree, words);
  switch (found.kind) {
    case "root":
      return createOverviewPage(tree);
    case "group":
      return createGroupPage(tree, found.group);
    case "command":
      return createCommandPage(tree, found.spec);
    case "unknown": {
      const names = topics.map(({ name }) => name);
      const suggestion = formatSuggestion(first, names);
      const problem = suggestion === "" ? found.problem : `unknown topic ${JSON.stringify(first)}${suggestion}`;
      throw usageError(problem, { text: "commands and topics", command: "cal help" });
    }
  }
}

const tagline = "cal lists, reads, creates, updates and deletes what is in an events calendar.";

const commonExamples = [
  { command: "cal events list --week", does: "What runs this week" },
  {
    command: 'cal events create --title "Jazz Night" --start-date "fri 20:00" --duration 2h',
    does: "A new event; cal events create alone asks for everything",
  },
  { command: "cal events update jazz-night --start-date tomorrow@19:30 --duration 2h", does: "Move one" },
  { command: "cal events get jazz-night --json", does: "One event, for a script" },
  { command: "cal venues list --search hall", does: "Find a venue; organizers, categories and tags work the same way" },
  { command: "cal events delete 12", does: "Delete one; asks first" },
];

const gettingStartedRows = {
  "cal --sandbox events list": "try it on the sandbox: no account, no network",
  "cal init <site-url>": "find the calendar of a website and set up a profile",
  "cal auth login": "log in to it",
};

/** The page of `cal` without words. */
const startPage: HelpPage = [
  tagline,
  { title: "Every day", examples: commonExamples },
  { title: "Get started", rows: gettingStartedRows },
  {
    title: "More",
    rows: {
      "cal help": "all commands",
      "cal <command> --help": "examples and flags of a command",
      "cal help <topic>": topics.map(({ name }) => name).join(", "),
    },
  },
];

/** The page of `cal help`: all commands and topics. */
function createOverviewPage(tree: CommandTree): HelpPage {
  const isResource = ({ name }: CommandGroup) => name in resources;
  const formatVerbs = (group: CommandGroup) =>
    getGroupCommands(tree, group)
      .flatMap(({ path }) => path.slice(1))
      .join(", ");
  const singles = getSingleWordCommands(tree).map(({ path, summary }) => [path.join(" "), summary]);
  const resourceRows = tree.groups.filter(isResource).map((group) => [[group.name, ...group.aliases].join(", "), formatVerbs(group)]);
  const others = tree.groups.filter((group) => !isResource(group));
  const otherRows = others.map((group) => [group.name, `${group.summary} (${formatVerbs(group)})`]);
  return [
    tagline,
    { title: "Usage", usage: "cal <command> [flags]" },
    { title: "Get started", rows: gettingStartedRows },
    { title: "The calendar", rows: Object.fromEntries(resourceRows) },
    { title: "More commands", rows: Object.fromEntries([...singles, ...otherRows]) },
    { title: "Topics (cal help <topic>)", rows: Object.fromEntries(topics.map(({ name, summary }) => [name, summary])) },
    formatGlobalFlagsHint(),
  ];
}

function createGroupPage(tree: CommandTree, { name, summary }: CommandGroup): HelpPage {
  const members = tree.findByFirstWord(name);
  return [
    summary,
    { title: "Examples", examples: members.flatMap(({ examples }) => examples.slice(0, 1)) },
    {
      title: `Commands (cal ${name} <command>)`,
      rows: Object.fromEntries(members.map((member) => [getLastWords(member).join(", "), member.summary])),
    },
    `Flags and more examples: cal ${name} <command> --help`,
  ];
}

function createCommandPage(tree: CommandTree, spec: CommandSpec): HelpPage {
  const { path, summary, details, args, flags, examples } = spec;
  const aliases = formatAliases(tree, spec);
  const argumentRows = args.map((argument) => [formatArgument(argument), argument.meaning]);
  return [
    summary,
    { title: "Examples", examples },
    {
      title: "Usage",
      usage: ["cal", ...path, ...args.map(formatArgument), "[flags]"].join(" "),
      texts: aliases === "" ? [] : [`also: ${aliases}`],
    },
    ...(details === undefined ? [] : [details]),
    ...(args.length === 0 ? [] : [{ title: "Arguments", rows: Object.fromEntries(argumentRows) }]),
    ...[...groupFlags([...flags, ...getExampleFlags(spec)])].map(([title, group]) => ({
      title,
      rows: Object.fromEntries(group.map(formatFlagRow)),
    })),
    formatGlobalFlagsHint(),
  ];
}

function formatAliases(tree: CommandTree, { path, aliases = [] }: CommandSpec): string {
  const group = tree.groups.find(({ name }) => path.length === 2 && name === path[0]);
  const verb = path.at(-1) ?? "";
  const before = path.slice(0, -1);
  const shorter = (group?.aliases ?? []).map((alias) => [alias, verb]);
  return [...shorter, ...aliases.map((alias) => [...before, alias])].map((words) => ["cal", ...words].join(" ")).join(", ");
}

/** The most used of the flags that every command takes. */
const commonGlobalFlags = ["profile", "sandbox", "json", "format", "fields", "tz", "yes", "dry-run", "quiet"];

/** The other flags that every command takes, where the examples of this one use them. */
function getExampleFlags({ path, examples }: CommandSpec): readonly Flag[] {
  const start = ["cal", ...path].join(" ");
  const words = examples.flatMap(({ command }) => command.split("|").filter((part) => part.trim().startsWith(start))).join(" ");
  return globalFlags.filter(({ name }) => !commonGlobalFlags.includes(name) && new RegExp(`--${name}(?![\\w-])`).test(words));
}

/** A line with the most used of the flags that every command takes. */
function formatGlobalFlagsHint(): string {
  const names = globalFlags
    .filter(({ name }) => commonGlobalFlags.includes(name))
    .map(({ name, short }) => (short === undefined ? `--${name}` : `-${short}/--${name}`));
  return `Every command also takes ${names.join(", ")} and more: cal help flags`;
}
