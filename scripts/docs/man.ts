// The man page, cal(1): every command with its flags, made from the tree. Generated into docs/man, so that it is there without the program running.
import type { CommandTree } from "../../src/cli/command-lookup.ts";
import { environmentVariables, globalFlags, outputFormats } from "../../src/cli/global-flags.ts";
import { formatArgument, formatFlagRow, type HelpRow } from "../../src/cli/help-layout.ts";
import { listExitCodes } from "../../src/cli/help-topics.ts";
import type { CommandSpec } from "../../src/commands/command.ts";

/** The page in the man macros of roff. */
export function renderManPage({ commands, groups }: CommandTree, version: string): string {
  const aliases = groups.flatMap(({ name, aliases: others }) => others.map((other) => ({ term: other, means: `the same as ${name}` })));
  return `${[
    `.TH CAL 1 "" "cal ${version}" "User Commands"`,
    formatRoffSection("NAME", "cal, calctl \\- lists, reads, creates, updates and deletes what is in an events calendar"),
    formatRoffSection("SYNOPSIS", ".B cal\n.I command\n[flags]\n.br\n.B cal help\n[command or topic]"),
    formatRoffSection(
      "DESCRIPTION",
      escapeRoff(
        "Every command is told below, with its own flags; the flags of every command follow. cal help dates explains how dates are written. calctl is the same program, for systems where cal prints a month.",
      ),
    ),
    formatRoffSection("COMMANDS", commands.map(formatCommand).join("\n")),
    formatRoffSection("FLAGS OF EVERY COMMAND", globalFlags.map(formatFlagRow).map(formatRow).join("\n")),
    formatRoffSection("OTHER WORDS FOR COMMANDS", aliases.map(formatRow).join("\n")),
    formatRoffSection("OUTPUT FORMATS", outputFormats.map(({ name, meaning }) => formatRow({ term: name, means: meaning })).join("\n")),
    formatRoffSection("ENVIRONMENT", environmentVariables.map(({ name, meaning }) => formatRow({ term: name, means: meaning })).join("\n")),
    formatRoffSection(
      "EXIT STATUS",
      listExitCodes()
        .map(([code, meaning]) => formatRow({ term: String(code), means: meaning }))
        .join("\n"),
    ),
    formatRoffSection(
      "EXAMPLES",
      commands
        .flatMap(({ examples }) => examples.slice(0, 1))
        .map(({ command: line, does }) => formatRow({ term: line, means: does }))
        .join("\n"),
    ),
  ].join("\n")}\n`;
}

function formatRoffSection(title: string, body: string): string {
  return `.SH ${title}\n${body}`;
}

function formatCommand({ path, summary, details, args, flags, aliases = [] }: CommandSpec): string {
  const also = aliases.length === 0 ? "" : ` Also: ${aliases.join(", ")}.`;
  const parts = [
    `.SS "${escapeRoff(["cal", ...path, ...args.map(formatArgument), ...(flags.length === 0 ? [] : ["[flags]"])].join(" "))}"`,
    escapeRoff(`${summary}.${also}`),
    ...(details === undefined ? [] : [`.PP\n${escapeRoff(details)}`]),
    ...args.map((argument) => formatRow({ term: formatArgument(argument), means: argument.meaning })),
    ...flags.map(formatFlagRow).map(formatRow),
  ];
  return parts.join("\n");
}

function formatRow({ term, means }: HelpRow): string {
  return `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(means)}`;
}

/** Plain text as roff reads it: backslashes, hyphens that are typed as such, and what would be a request or open a quotation. */
function escapeRoff(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replace(/^\./gm, "\\&.");
}
