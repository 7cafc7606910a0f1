// `cal help [command or topic]`, bare `cal`, and `--help` everywhere.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec, Handler } from "../commands/command.ts";
import type { Context } from "../context.ts";
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

/** The handler: the page of all commands, of a topic or of a command; the flag `short` asks for that of bare `cal`. Usage error for words that name nothing. */
export function createHelpHandler(tree: CommandTree): Handler {
  return async ({ args, flags }, context) => {
    const look = await createHelpStyle(context);
    const text = flags["short"] === true ? renderStartPage(look) : await renderHelp(tree, args, look);
    await context.io.stdout.write(`${text.trimEnd()}\n`);
    return { kind: "nothing" };
  };
}

async function renderHelp(tree: CommandTree, words: readonly string[], look: HelpStyle): Promise<string> {
  const [first = ""] = words;
  const topic = words.length > 1 ? undefined : topics.find(({ name }) => name === first);
  if (topic !== undefined) return (await topic.load())(look);
  const place = lookupCommand(tree, words);
  switch (place.kind) {
    case "whole":
      return renderOverviewPage(tree, look);
    case "group":
      return renderGroupPage(tree, place.group, look);
    case "command":
      return renderCommandPage(tree, place.spec, look);
    case "nowhere": {
      const near = formatSuggestion(
        first,
        topics.map(({ name }) => name),
      );
      throw usageError(near === "" ? place.problem : `unknown topic ${JSON.stringify(first)}${near}`, {
        text: "commands and topics",
        command: "cal help",
      });
    }
  }
}

async function createHelpStyle({ io: { stdout }, env, globals }: Context): Promise<HelpStyle> {
  const style = await resolveStyle(stdout, env, globals);
  return { width: Math.max(stdout.columns ?? 80, 40), heading: style.bold };
}

// The pages of the help: the short one of bare `cal`, all commands, a group, a command. Examples come first.

const tagline = "cal lists, reads, creates, updates and deletes what is in an events calendar.";

/** What people do most. */
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

/** The page of bare `cal`. */
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
  const singles = getSingleWordCommands(tree).map(({ path, summary }) => ({ term: path.join(" "), means: summary }));
  return joinSections([
    wrapText(tagline, width),
    formatSection(heading("Usage"), "  cal <command> [flags]"),
    formatSection(heading("Get started"), formatColumns(gettingStartedRows, width)),
    formatSection(heading("The calendar"), formatColumns(tree.groups.filter(isResource).map(resourceRow), width)),
    formatSection(heading("Around it"), formatColumns([...singles, ...tree.groups.filter((group) => !isResource(group)).map(row)], width)),
    formatSection(
      heading("Topics (cal help <topic>)"),
      formatColumns(
        topics.map(({ name, summary }) => ({ term: name, means: summary })),
        width,
      ),
    ),
    formatGlobalFlagsHint(width),
  ]);
}

/** The page of a group: its commands, and an example of each. */
function renderGroupPage(tree: CommandTree, group: CommandGroup, { width, heading }: HelpStyle): string {
  const members = getGroupCommands(tree, group);
  const rows = members.map(({ path, aliases = [], summary }) => ({ term: [path[1], ...aliases].join(", "), means: summary }));
  return joinSections([
    wrapText(group.summary, width),
    formatSection(
      heading("Examples"),
      formatExamples(
        members.flatMap((spec) => spec.examples.slice(0, 1)),
        width,
      ),
    ),
    formatSection(heading(`Commands (cal ${group.name} <command>)`), formatColumns(rows, width)),
    wrapText(`Flags and more examples: cal ${group.name} <command> --help`, width),
  ]);
}

/** The page of a command: what it does, examples, usage, arguments, flags. */
function renderCommandPage(tree: CommandTree, spec: CommandSpec, { width, heading }: HelpStyle): string {
  const { path, summary, details, args, flags } = spec;
  const usage = ["cal", ...path, ...args.map(formatArgument), "[flags]"].join(" ");
  const others = formatAliases(tree, spec);
  return joinSections([
    wrapText(summary, width),
    formatSection(heading("Examples"), formatExamples(spec.examples, width)),
    formatSection(heading("Usage"), `  ${usage}${others === "" ? "" : `\n${formatParagraph(`also: ${others}`, width)}`}`),
    details === undefined ? "" : wrapText(details, width),
    args.length === 0
      ? ""
      : formatSection(
          heading("Arguments"),
          formatColumns(
            args.map((one) => ({ term: formatArgument(one), means: one.meaning })),
            width,
          ),
        ),
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

/** The flags of every command in short. */
function formatGlobalFlagsHint(width: number): string {
  const known = globalFlags.filter(({ name }) =>
    ["profile", "sandbox", "json", "format", "fields", "tz", "yes", "dry-run", "quiet"].includes(name),
  );
  const names = known.map(({ name, short }) => (short === undefined ? `--${name}` : `-${short}/--${name}`));
  return wrapText(`Every command also takes ${names.join(", ")} and more: cal help flags`, width);
}

function formatSection(title: string, body: string): string {
  return `${title}\n${body}`;
}

function joinSections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
