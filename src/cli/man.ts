// The man page, cal(1): every command with its flags, made from the tree. Generated into docs/man, so that it is there without the program running.
import type { CommandSpec } from "../commands/command.ts";
import { variables } from "./environment.ts";
import { exitTable } from "./exit-codes.ts";
import { formats } from "./formats.ts";
import { globalFlags } from "./globals.ts";
import { argumentTerm, flagRow } from "./help/flag-rows.ts";
import type { Row } from "./help/layout.ts";
import type { Tree } from "./tree/lookup.ts";

/** The page in the man macros of roff. */
export function manPage({ commands, groups }: Tree, version: string): string {
  const aliases = groups.flatMap(({ name, aliases: others }) => others.map((other) => ({ term: other, means: `the same as ${name}` })));
  return `${[
    `.TH CAL 1 "" "cal ${version}" "User Commands"`,
    section("NAME", "cal, calctl \\- lists, reads, creates, updates and deletes what is in an events calendar"),
    section("SYNOPSIS", ".B cal\n.I command\n[flags]\n.br\n.B cal help\n[command or topic]"),
    section(
      "DESCRIPTION",
      text(
        "Every command is told below, with its own flags; the flags of every command follow. cal help dates explains how dates are written. calctl is the same program, for systems where cal prints a month.",
      ),
    ),
    section("COMMANDS", commands.map(command).join("\n")),
    section("FLAGS OF EVERY COMMAND", globalFlags.map(flagRow).map(row).join("\n")),
    section("OTHER WORDS FOR COMMANDS", aliases.map(row).join("\n")),
    section("OUTPUT FORMATS", formats.map(({ name, meaning }) => row({ term: name, means: meaning })).join("\n")),
    section("ENVIRONMENT", variables.map(({ name, meaning }) => row({ term: name, means: meaning })).join("\n")),
    section(
      "EXIT STATUS",
      exitTable()
        .map(([code, meaning]) => row({ term: String(code), means: meaning }))
        .join("\n"),
    ),
    section(
      "EXAMPLES",
      commands
        .flatMap(({ examples }) => examples.slice(0, 1))
        .map(({ command: line, does }) => row({ term: line, means: does }))
        .join("\n"),
    ),
  ].join("\n")}\n`;
}

function section(title: string, body: string): string {
  return `.SH ${title}\n${body}`;
}

function command({ path, summary, details, args, flags, aliases = [] }: CommandSpec): string {
  const also = aliases.length === 0 ? "" : ` Also: ${aliases.join(", ")}.`;
  const parts = [
    `.SS "${text(["cal", ...path, ...args.map(argumentTerm), ...(flags.length === 0 ? [] : ["[flags]"])].join(" "))}"`,
    text(`${summary}.${also}`),
    ...(details === undefined ? [] : [`.PP\n${text(details)}`]),
    ...args.map((argument) => row({ term: argumentTerm(argument), means: argument.meaning })),
    ...flags.map(flagRow).map(row),
  ];
  return parts.join("\n");
}

function row({ term, means }: Row): string {
  return `.TP\n.B ${text(term)}\n${text(means)}`;
}

/** Plain text as roff reads it: backslashes, hyphens that are typed as such, and what would be a request or open a quotation. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replace(/^\./gm, "\\&.");
}
