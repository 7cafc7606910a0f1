// The man page cal(1), generated from the command tree into docs/man.
import type { CommandTree } from "../../src/cli/command-lookup.ts";
import { environmentVariables, globalFlags, outputFormats } from "../../src/cli/global-flags.ts";
import { formatArgument, formatFlagRow } from "../../src/cli/help-layout.ts";
import { listExitCodes } from "../../src/cli/help-topics.ts";
import type { CommandSpec } from "../../src/commands/command.ts";

/** The page, in the man macros of roff. */
export function renderManPage({ commands, groups }: CommandTree, version: string): string {
  const aliases = groups.flatMap(({ name, aliases: others }) => others.map((other) => [other, `the same as ${name}`] as const));
  const examples = commands.flatMap((command) => command.examples.slice(0, 1));
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
    formatRoffSection("FLAGS OF EVERY COMMAND", formatRows(globalFlags.map(formatFlagRow))),
    formatRoffSection("OTHER WORDS FOR COMMANDS", formatRows(aliases)),
    formatRoffSection("OUTPUT FORMATS", formatRows(outputFormats.map(({ name, meaning }) => [name, meaning]))),
    formatRoffSection("ENVIRONMENT", formatRows(environmentVariables.map(({ name, meaning }) => [name, meaning]))),
    formatRoffSection("EXIT STATUS", formatRows(listExitCodes().map(([code, meaning]) => [String(code), meaning]))),
    formatRoffSection("EXAMPLES", formatRows(examples.map(({ command, does }) => [command, does]))),
  ].join("\n")}\n`;
}

function formatRoffSection(title: string, body: string): string {
  return `.SH ${title}\n${body}`;
}

function formatCommand({ path, summary, details, args, flags, aliases = [] }: CommandSpec): string {
  const also = aliases.length === 0 ? "" : ` Also: ${aliases.join(", ")}.`;
  const rows = [...args.map((argument) => [formatArgument(argument), argument.meaning] as const), ...flags.map(formatFlagRow)];
  return [
    `.SS "${escapeRoff(["cal", ...path, ...args.map(formatArgument), ...(flags.length === 0 ? [] : ["[flags]"])].join(" "))}"`,
    escapeRoff(`${summary}.${also}`),
    ...(details === undefined ? [] : [`.PP\n${escapeRoff(details)}`]),
    ...(rows.length === 0 ? [] : [formatRows(rows)]),
  ].join("\n");
}

function formatRows(rows: readonly (readonly [term: string, meaning: string])[]): string {
  return rows.map(([term, means]) => `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(means)}`).join("\n");
}

/** Escapes backslashes, hyphens, quotes, and a dot at the start of a line, which would begin a request. */
function escapeRoff(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replace(/^\./gm, "\\&.");
}
