// docs/reference.md: every command, field, filter, setting, variable and exit code, made from what the program itself is made from.
import type { CommandSpec, Flag } from "../commands/command.ts";
import { type Key, keys } from "../config/keys.ts";
import { type Field, kebab } from "../spec/field.ts";
import { resources } from "../spec/index.ts";
import type { Resource } from "../spec/resource.ts";
import { variables } from "./environment.ts";
import { exitTable } from "./exit-codes.ts";
import { globalFlags } from "./globals.ts";
import { anchor, code, table } from "./markdown.ts";
import { meaningOf } from "./tree/record-flags.ts";

/** The whole page for these commands, as Markdown. */
export function reference(commands: readonly CommandSpec[]): string {
  const all = Object.values(resources);
  const others = commands.filter(({ path }) => !all.some(({ name }) => name === path[0]));
  const parts = [
    "# Reference",
    "<!-- Written by `npm run generate` from the program itself. Changes made here are lost. -->",
    "What every command takes. How they are used together is told in the [guide](guide.md).",
    contents(commands),
    "## Global flags\n\nEvery command takes them, before or after its own words.",
    flagTable(globalFlags),
    ...all.flatMap((resource) =>
      resourcePart(
        resource,
        commands.filter(({ path }) => path[0] === resource.name),
      ),
    ),
    "## Other commands",
    ...others.flatMap((command) => commandPart(command, [])),
    ...settingsPart(),
    "## Environment variables\n\nA flag wins over a variable, a variable over the profile, the profile over the default.",
    table(
      ["Variable", "Meaning"],
      variables.map(({ name, meaning }) => [name.split(", ").map(code).join(", "), meaning]),
    ),
    "## Exit codes",
    table(
      ["Code", "Meaning"],
      exitTable().map(([number, meaning]) => [String(number), meaning]),
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function contents(commands: readonly CommandSpec[]): string {
  const rows = commands.map((command) => [`[${titleOf(command)}](${anchor(titleOf(command))})`, command.summary]);
  const pages = ["Global flags", "Settings", "Environment variables", "Exit codes"].map((title) => `[${title}](${anchor(title)})`);
  return `${pages.join(" · ")}\n\n${table(["Command", "What it does"], rows)}`;
}

function titleOf({ path }: CommandSpec): string {
  return `cal ${path.join(" ")}`;
}

function resourcePart(resource: Resource, commands: readonly CommandSpec[]): readonly string[] {
  const { name, singular, fields, filters } = resource;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const flagsOf = (verb: string) => commands.find(({ path }) => path[1] === verb)?.flags ?? [];
  const rowOf = (flags: readonly Flag[], last: (field: Field) => string) => (field: Field) => [
    code(field.name),
    typeOf(field),
    last(field),
    namesCell(flagNamed(field, flags)),
    meaningOf(field),
  ];
  const created = ({ required, default: usual }: Field) =>
    required ? "required" : `optional${usual === undefined ? "" : `, default ${usual}`}`;
  return [
    `## ${title}`,
    `\`cal ${singular}\` is the same as \`cal ${name}\`.`,
    `### ${title}: fields\n\nWhat \`create\` and \`update\` take. Any of them can also be given with \`--set\`, \`--set-json\` or \`--data\`.`,
    table(["Field", "Type", "Create", "Flag", "Meaning"], fields.map(rowOf(flagsOf("create"), created))),
    `### ${title}: filters\n\nWhat \`list\` takes to choose records.`,
    table(
      ["Parameter", "Type", "Default", "Flag", "Meaning"],
      filters.map(rowOf(flagsOf("list"), (filter) => String(filter.default ?? ""))),
    ),
    ...commands.flatMap((command) => commandPart(command, [...fields, ...filters])),
  ];
}

/** A command; flags of fields that have a row above are left out. */
function commandPart(command: CommandSpec, told: readonly Field[]): readonly string[] {
  const { path, args, flags, aliases = [], summary, details, examples } = command;
  const own = flags.filter((flag) => !told.some((field) => flagNamed(field, [flag]) !== undefined));
  const words = args.map(({ name, required, many }) => `${required ? `<${name}` : `[${name}`}${many ? "..." : ""}${required ? ">" : "]"}`);
  const others = aliases.map((alias) => code(["cal", ...path.slice(0, -1), alias].join(" ")));
  const above = own.length < flags.length ? (path[1] === "list" ? "the flags of the filters above" : "the flags of the fields above") : "";
  return [
    `### ${titleOf(command)}`,
    `${summary}.${others.length === 0 ? "" : ` Also: ${others.join(", ")}.`}`,
    details ?? "",
    `\`\`\`text\n${[titleOf(command), ...words, "[flags]"].join(" ")}\n\`\`\``,
    table(
      ["Argument", "Meaning"],
      args.map(({ name, meaning }) => [code(name), meaning]),
    ),
    above === "" ? "" : `Takes ${above}${own.length === 0 ? "." : ", and:"}`,
    flagTable(own),
    `\`\`\`sh\n${examples.map((example) => `# ${example.does}\n${example.command}`).join("\n")}\n\`\`\``,
  ];
}

function flagTable(flags: readonly Flag[]): string {
  const rows = flags.map((flag) => [
    namesCell(flag),
    kindOf(flag),
    flag.default ?? "",
    (flag.env ?? "").split(", ").map(code).join(", "),
    withChoices(flag.meaning, flag.choices),
  ]);
  return table(["Flag", "Type", "Default", "Environment", "Meaning"], rows);
}

function kindOf({ type, optionalValue }: Flag): string {
  const kinds: Readonly<Record<Flag["type"], string>> = {
    text: "text",
    texts: "text, repeatable",
    integer: "integer",
    boolean: "switch",
  };
  return `${kinds[type]}${optionalValue ? ", optional" : ""}`;
}

function namesCell(flag: Flag | undefined): string {
  if (flag === undefined) return "";
  const { name, short, type, value = name, optionalValue, negatable, aliases = [] } = flag;
  const taken = type === "boolean" ? "" : optionalValue ? ` [${value}]` : ` <${value}>`;
  const names = [
    ...(short === undefined ? [] : [`-${short}`]),
    `--${name}${taken}`,
    ...(negatable ? [`--no-${name}`] : []),
    ...aliases.map((alias) => `--${alias}`),
  ];
  return names.map(code).join(", ");
}

function flagNamed({ name }: Field, flags: readonly Flag[]): Flag | undefined {
  const own = kebab(name);
  return flags.find((flag) => flag.name === own || flag.aliases?.includes(own));
}

/** The type column of the interface. */
function typeOf({ type }: Field): string {
  const words: Readonly<Record<Field["type"], string>> = {
    string: "string",
    integer: "integer",
    boolean: "boolean",
    integers: "array of integer",
    any: "type not given",
  };
  return words[type];
}

function withChoices(meaning: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? meaning : `${meaning}: ${choices.map(code).join(", ")}`;
}

function settingsPart(): readonly string[] {
  const stored = { site: "profile", habit: "profile", never: "" } as const;
  const flag = (name: string | undefined) => (name === undefined ? "" : code(`--${name}`));
  const rows = keys.map((key) => [
    code(key.name),
    defaultOf(key),
    flag(key.flag),
    code(key.env ?? ""),
    stored[key.stored],
    withChoices(key.meaning, key.choices),
  ]);
  return [
    "## Settings\n\nWhat `cal config list` shows. Those with `profile` can be stored there with `cal config set`.",
    table(["Setting", "Default", "Flag", "Environment", "Kept in", "Meaning"], rows),
  ];
}

/** Durations as they are typed. */
function defaultOf({ type, default: usual }: Key): string {
  if (usual === undefined) return "";
  return type === "duration" ? `${Number(usual) / 1000}s` : String(usual);
}
