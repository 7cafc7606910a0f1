// The pages of the help: the short one of bare `cal`, all commands, a group, a command. Examples come first.
import type { CommandSpec } from "../../commands/command.ts";
import { resources } from "../../spec/index.ts";
import { globalFlags } from "../globals.ts";
import { type Group, membersOf, singlesOf, type Tree } from "../tree/lookup.ts";
import { argumentTerm, flagRow, grouped } from "./flag-rows.ts";
import { columns, examples, paragraph, wrap } from "./layout.ts";
import type { Look } from "./look.ts";
import { topics } from "./topics.ts";

const tagline = "cal lists, reads, creates, updates and deletes what is in an events calendar.";

/** What people do most. */
const first = [
  { command: "cal events list --week", does: "What runs this week" },
  { command: 'cal events create --title "Jazz Night" --start-date "fri 20:00" --duration 2h', does: "A new event" },
  { command: "cal events update jazz-night --start-date tomorrow@19:30 --duration 2h", does: "Move one" },
  { command: "cal events get jazz-night --json", does: "One event, for a script" },
  { command: "cal venues list --search hall", does: "Find a venue; organizers, categories and tags go the same way" },
  { command: "cal events delete 12", does: "Delete one; asks first" },
];

const start = [
  { term: "cal --sandbox events list", means: "try it on the embedded calendar: no account, no network" },
  { term: "cal init <site-url>", means: "find the calendar of a website and set up a profile" },
  { term: "cal auth login", means: "log in to it" },
];

const more = [
  { term: "cal help", means: "all commands" },
  { term: "cal <command> --help", means: "examples and flags of a command" },
  { term: "cal help <topic>", means: topics.map(({ name }) => name).join(", ") },
];

/** The page of bare `cal`. */
export function startPage({ width, heading }: Look): string {
  return page([
    wrap(tagline, width),
    section(heading("Every day"), examples(first, width)),
    section(heading("Get started"), columns(start, width)),
    section(heading("More"), columns(more, width)),
  ]);
}

/** The page of `cal help`: every command and topic. */
export function wholePage(tree: Tree, { width, heading }: Look): string {
  const isResource = ({ name }: Group) => name in resources;
  const resourceRow = (group: Group) => ({ term: [group.name, ...group.aliases].join(", "), means: verbs(tree, group) });
  const row = (group: Group) => ({ term: group.name, means: `${group.summary} (${verbs(tree, group)})` });
  const singles = singlesOf(tree).map(({ path, summary }) => ({ term: path.join(" "), means: summary }));
  return page([
    wrap(tagline, width),
    section(heading("Usage"), "  cal <command> [flags]"),
    section(heading("Get started"), columns(start, width)),
    section(heading("The calendar"), columns(tree.groups.filter(isResource).map(resourceRow), width)),
    section(heading("Around it"), columns([...singles, ...tree.groups.filter((group) => !isResource(group)).map(row)], width)),
    section(
      heading("Topics (cal help <topic>)"),
      columns(
        topics.map(({ name, summary }) => ({ term: name, means: summary })),
        width,
      ),
    ),
    pointer(width),
  ]);
}

/** The page of a group: its commands, and an example of each. */
export function groupPage(tree: Tree, group: Group, { width, heading }: Look): string {
  const members = membersOf(tree, group);
  const rows = members.map(({ path, aliases = [], summary }) => ({ term: [path[1], ...aliases].join(", "), means: summary }));
  return page([
    wrap(group.summary, width),
    section(
      heading("Examples"),
      examples(
        members.flatMap((spec) => spec.examples.slice(0, 1)),
        width,
      ),
    ),
    section(heading(`Commands (cal ${group.name} <command>)`), columns(rows, width)),
    wrap(`Flags and more examples: cal ${group.name} <command> --help`, width),
  ]);
}

/** The page of a command: what it does, examples, usage, arguments, flags. */
export function commandPage(tree: Tree, spec: CommandSpec, { width, heading }: Look): string {
  const { path, summary, details, args, flags } = spec;
  const usage = ["cal", ...path, ...args.map(argumentTerm), "[flags]"].join(" ");
  const others = otherNames(tree, spec);
  return page([
    wrap(summary, width),
    section(heading("Examples"), examples(spec.examples, width)),
    section(heading("Usage"), `  ${usage}${others === "" ? "" : `\n${paragraph(`also: ${others}`, width)}`}`),
    details === undefined ? "" : wrap(details, width),
    args.length === 0
      ? ""
      : section(
          heading("Arguments"),
          columns(
            args.map((one) => ({ term: argumentTerm(one), means: one.meaning })),
            width,
          ),
        ),
    ...[...grouped(flags)].map(([title, rows]) => section(heading(title), columns(rows.map(flagRow), width))),
    pointer(width),
  ]);
}

function verbs(tree: Tree, group: Group): string {
  return membersOf(tree, group)
    .map(({ path }) => path[1])
    .join(", ");
}

function otherNames(tree: Tree, { path, aliases = [] }: CommandSpec): string {
  const group = tree.groups.find(({ name }) => path.length === 2 && name === path[0]);
  const verb = path.at(-1) ?? "";
  const before = path.slice(0, -1);
  const shorter = (group?.aliases ?? []).map((alias) => [alias, verb]);
  return [...shorter, ...aliases.map((alias) => [...before, alias])].map((words) => ["cal", ...words].join(" ")).join(", ");
}

/** The flags of every command in short. */
function pointer(width: number): string {
  const known = globalFlags.filter(({ name }) =>
    ["profile", "sandbox", "json", "format", "fields", "tz", "yes", "dry-run", "quiet"].includes(name),
  );
  const names = known.map(({ name, short }) => (short === undefined ? `--${name}` : `-${short}/--${name}`));
  return wrap(`Every command also takes ${names.join(", ")} and more: cal help flags`, width);
}

function section(title: string, body: string): string {
  return `${title}\n${body}`;
}

function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
