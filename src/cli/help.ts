// `cal help [command or topic]`, bare `cal`, and `--help` everywhere.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec, Handler } from "../commands/command.ts";
import { usageError } from "../errors.ts";
import { resources } from "../model/resources.ts";
import { resolveStyle } from "../terminal/style.ts";
import { type CommandGroup, type CommandTree, getGroupCommands, getSingleWordCommands, lookupCommand } from "./command-lookup.ts";
import { globalFlags } from "./global-flags.ts";
import {
  formatArgument,
  formatColumns,
  formatExamples,
  formatFlagRow,
  formatParagraph,
  groupFlags,
  type HelpStyle,
  wrapText,
} from "./help-layout.ts";
import { topics } from "./help-topics.ts";

/** The handler. The flag `short` chooses the page of `cal` without words. Usage error for unknown words. */
export function createHelpHandler(tree: CommandTree): Handler {
  return async ({ args, flags }, context) => {
    const { io, env, globals } = context;
    const { bold } = await resolveStyle(io.stdout, env, globals);
    const style = { width: Math.max(io.stdout.columns ?? 80, 40), heading: bold };
    const text = flags["short"] === true ? renderStartPage(style) : renderHelp(tree, args, style);
    await io.stdout.write(`${text.trimEnd()}\n`);
    return { kind: "nothing" };
  };
}

function renderHelp(tree: CommandTree, words: readonly string[], style: HelpStyle): string {
  const [first = ""] = words;
  const topic = words.length > 1 ? undefined : topics.find(({ name }) => name === first);
  if (topic !== undefined) return topic.render(style);
  const found = lookupCommand(tree, words);
  switch (found.kind) {
    case "root":
      return renderOverviewPage(tree, style);
    case "group":
      return renderGroupPage(tree, found.group, style);
    case "command":
      return renderCommandPage(tree, found.spec, style);
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
  { command: 'cal events create --title "Jazz Night" --start-date "fri 20:00" --duration 2h', does: "A new event" },
  { command: "cal events update jazz-night --start-date tomorrow@19:30 --duration 2h", does: "Move one" },
  { command: "cal events get jazz-night --json", does: "One event, for a script" },
  { command: "cal venues list --search hall", does: "Find a venue; organizers, categories and tags go the same way" },
  { command: "cal events delete 12", does: "Delete one; asks first" },
];

const gettingStartedRows = [
  { term: "cal --sandbox events list", means: "try it on the embedded calendar: no account, no network" },
  { term: "cal init <site-url>", means: "find the calendar of a website and set up a profile" },
  { term: "cal auth login", means: "log in to it" },
];

const moreHelpRows = [
  { term: "cal help", means: "all commands" },
  { term: "cal <command> --help", means: "examples and flags of a command" },
  { term: "cal help <topic>", means: topics.map(({ name }) => name).join(", ") },
];

/** The page of `cal` without words. */
function renderStartPage({ width, heading }: HelpStyle): string {
  return joinSections([
    wrapText(tagline, width),
    formatSection(heading("Every day"), formatExamples(commonExamples, width)),
    formatSection(heading("Get started"), formatColumns(gettingStartedRows, width)),
    formatSection(heading("More"), formatColumns(moreHelpRows, width)),
  ]);
}

/** The page of `cal help`: every command and topic. */
function renderOverviewPage(tree: CommandTree, { width, heading }: HelpStyle): string {
  const isResource = ({ name }: CommandGroup) => name in resources;
  const resourceRow = (group: CommandGroup) => ({ term: [group.name, ...group.aliases].join(", "), means: formatVerbs(tree, group) });
  const row = (group: CommandGroup) => ({ term: group.name, means: `${group.summary} (${formatVerbs(tree, group)})` });
  const topicRows = topics.map(({ name, summary }) => ({ term: name, means: summary }));
  const singles = getSingleWordCommands(tree).map(({ path, summary }) => ({ term: path.join(" "), means: summary }));
  return joinSections([
    wrapText(tagline, width),
    formatSection(heading("Usage"), "  cal <command> [flags]"),
    formatSection(heading("Get started"), formatColumns(gettingStartedRows, width)),
    formatSection(heading("The calendar"), formatColumns(tree.groups.filter(isResource).map(resourceRow), width)),
    formatSection(heading("Around it"), formatColumns([...singles, ...tree.groups.filter((group) => !isResource(group)).map(row)], width)),
    formatSection(heading("Topics (cal help <topic>)"), formatColumns(topicRows, width)),
    formatGlobalFlagsHint(width),
  ]);
}

function renderGroupPage(tree: CommandTree, group: CommandGroup, { width, heading }: HelpStyle): string {
  const members = getGroupCommands(tree, group);
  const examples = members.flatMap((spec) => spec.examples.slice(0, 1));
  const rows = members.map(({ path, aliases = [], summary }) => ({ term: [path[1], ...aliases].join(", "), means: summary }));
  return joinSections([
    wrapText(group.summary, width),
    formatSection(heading("Examples"), formatExamples(examples, width)),
    formatSection(heading(`Commands (cal ${group.name} <command>)`), formatColumns(rows, width)),
    wrapText(`Flags and more examples: cal ${group.name} <command> --help`, width),
  ]);
}

function renderCommandPage(tree: CommandTree, spec: CommandSpec, { width, heading }: HelpStyle): string {
  const { path, summary, details, args, flags } = spec;
  const usage = ["cal", ...path, ...args.map(formatArgument), "[flags]"].join(" ");
  const argumentRows = args.map((argument) => ({ term: formatArgument(argument), means: argument.meaning }));
  const others = formatAliases(tree, spec);
  return joinSections([
    wrapText(summary, width),
    formatSection(heading("Examples"), formatExamples(spec.examples, width)),
    formatSection(heading("Usage"), `  ${usage}${others === "" ? "" : `\n${formatParagraph(`also: ${others}`, width)}`}`),
    details === undefined ? "" : wrapText(details, width),
    args.length === 0 ? "" : formatSection(heading("Arguments"), formatColumns(argumentRows, width)),
    ...[...groupFlags(flags)].map(([title, rows]) => formatSection(heading(title), formatColumns(rows.map(formatFlagRow), width))),
    formatGlobalFlagsHint(width),
  ]);
}

function formatVerbs(tree: CommandTree, group: CommandGroup): string {
  return getGroupCommands(tree, group)
    .map(({ path }) => path[1])
    .join(", ");
}

function formatAliases(tree: CommandTree, { path, aliases = [] }: CommandSpec): string {
  const group = tree.groups.find(({ name }) => path.length === 2 && name === path[0]);
  const verb = path.at(-1) ?? "";
  const before = path.slice(0, -1);
  const shorter = (group?.aliases ?? []).map((alias) => [alias, verb]);
  return [...shorter, ...aliases.map((alias) => [...before, alias])].map((words) => ["cal", ...words].join(" ")).join(", ");
}

/** A line with the most used of the flags that every command takes. */
function formatGlobalFlagsHint(width: number): string {
  const common = ["profile", "sandbox", "json", "format", "fields", "tz", "yes", "dry-run", "quiet"];
  const names = globalFlags
    .filter(({ name }) => common.includes(name))
    .map(({ name, short }) => (short === undefined ? `--${name}` : `-${short}/--${name}`));
  return wrapText(`Every command also takes ${names.join(", ")} and more: cal help flags`, width);
}

function formatSection(title: string, body: string): string {
  return `${title}\n${body}`;
}

function joinSections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
