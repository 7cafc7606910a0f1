// docs/reference.md: every command, field, filter, setting, variable and exit code, generated from the program's own data.
import { formatFieldMeaning } from "../../src/cli/declarations/record-flags.ts";
import { environmentVariables, globalFlags } from "../../src/cli/global-flags.ts";
import { listExitCodes } from "../../src/cli/help-topics.ts";
import type { CommandSpec, Flag } from "../../src/commands/command.ts";
import { type SettingDefinition, settingDefinitions } from "../../src/config/settings.ts";
import { type Field, type Resource, toKebabCase } from "../../src/model/resource.ts";
import { resources } from "../../src/model/resources.ts";

/** The page as Markdown. */
export function renderReference(commands: readonly CommandSpec[]): string {
  const all = Object.values(resources);
  const others = commands.filter(({ path }) => !all.some(({ name }) => name === path[0]));
  const parts = [
    "# Reference",
    "<!-- Written by `npm run generate` from the program itself. Changes made here are lost. -->",
    "What every command takes. How they are used together is told in the [guide](guide.md).",
    renderContents(commands),
    "## Global flags\n\nEvery command takes them, before or after its own words.",
    renderFlagTable(globalFlags),
    ...all.flatMap((resource) =>
      renderResource(
        resource,
        commands.filter(({ path }) => path[0] === resource.name),
      ),
    ),
    "## Other commands",
    ...others.flatMap((command) => renderCommand(command, [])),
    ...renderSettings(),
    "## Environment variables\n\nA flag wins over a variable, a variable over the profile, the profile over the default.",
    formatMarkdownTable(
      ["Variable", "Meaning"],
      environmentVariables.map(({ name, meaning }) => [name.split(", ").map(formatInlineCode).join(", "), meaning]),
    ),
    "## Exit codes",
    formatMarkdownTable(
      ["Code", "Meaning"],
      listExitCodes().map(([number, meaning]) => [String(number), meaning]),
    ),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function renderContents(commands: readonly CommandSpec[]): string {
  const rows = commands.map((command) => [`[${getCommandTitle(command)}](${getHeadingAnchor(getCommandTitle(command))})`, command.summary]);
  const pages = ["Global flags", "Settings", "Environment variables", "Exit codes"].map(
    (title) => `[${title}](${getHeadingAnchor(title)})`,
  );
  return `${pages.join(" · ")}\n\n${formatMarkdownTable(["Command", "What it does"], rows)}`;
}

function getCommandTitle({ path }: CommandSpec): string {
  return `cal ${path.join(" ")}`;
}

function renderResource(resource: Resource, commands: readonly CommandSpec[]): readonly string[] {
  const { name, singular, fields, filters } = resource;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const flagsOf = (verb: string) => commands.find(({ path }) => path[1] === verb)?.flags ?? [];
  const rowOf = (flags: readonly Flag[], last: (field: Field) => string) => (field: Field) => [
    formatInlineCode(field.name),
    formatFieldType(field),
    last(field),
    formatFlagNames(findFlagForField(field, flags)),
    formatFieldMeaning(field),
  ];
  const created = ({ required, default: defaultValue }: Field) =>
    required ? "required" : `optional${defaultValue === undefined ? "" : `, default ${defaultValue}`}`;
  return [
    `## ${title}`,
    `\`cal ${singular}\` is the same as \`cal ${name}\`.`,
    `### ${title}: fields\n\nWhat \`create\` and \`update\` take. Any of them can also be given with \`--set\`, \`--set-json\` or \`--data\`.`,
    formatMarkdownTable(["Field", "Type", "Create", "Flag", "Meaning"], fields.map(rowOf(flagsOf("create"), created))),
    `### ${title}: filters\n\nWhat \`list\` takes to choose records.`,
    formatMarkdownTable(
      ["Parameter", "Type", "Default", "Flag", "Meaning"],
      filters.map(rowOf(flagsOf("list"), (filter) => String(filter.default ?? ""))),
    ),
    ...commands.flatMap((command) => renderCommand(command, [...fields, ...filters])),
  ];
}

/** A command, without the flags of fields that have a row in a table above. */
function renderCommand(command: CommandSpec, listedFields: readonly Field[]): readonly string[] {
  const { path, args, flags, aliases = [], summary, details, examples } = command;
  const own = flags.filter((flag) => !listedFields.some((field) => findFlagForField(field, [flag]) !== undefined));
  const words = args.map(({ name, required, many }) => `${required ? `<${name}` : `[${name}`}${many ? "..." : ""}${required ? ">" : "]"}`);
  const others = aliases.map((alias) => formatInlineCode(["cal", ...path.slice(0, -1), alias].join(" ")));
  const above = own.length < flags.length ? (path[1] === "list" ? "the flags of the filters above" : "the flags of the fields above") : "";
  return [
    `### ${getCommandTitle(command)}`,
    `${summary}.${others.length === 0 ? "" : ` Also: ${others.join(", ")}.`}`,
    details ?? "",
    `\`\`\`text\n${[getCommandTitle(command), ...words, "[flags]"].join(" ")}\n\`\`\``,
    formatMarkdownTable(
      ["Argument", "Meaning"],
      args.map(({ name, meaning }) => [formatInlineCode(name), meaning]),
    ),
    above === "" ? "" : `Takes ${above}${own.length === 0 ? "." : ", and:"}`,
    renderFlagTable(own),
    `\`\`\`sh\n${examples.map((example) => `# ${example.does}\n${example.command}`).join("\n")}\n\`\`\``,
  ];
}

function renderFlagTable(flags: readonly Flag[]): string {
  const rows = flags.map((flag) => [
    formatFlagNames(flag),
    formatFlagType(flag),
    flag.default ?? "",
    (flag.env ?? "").split(", ").map(formatInlineCode).join(", "),
    appendChoices(flag.meaning, flag.choices),
  ]);
  return formatMarkdownTable(["Flag", "Type", "Default", "Environment", "Meaning"], rows);
}

function formatFlagType({ type, optionalValue }: Flag): string {
  const kinds: Readonly<Record<Flag["type"], string>> = {
    text: "text",
    texts: "text, repeatable",
    integer: "integer",
    boolean: "switch",
  };
  return `${kinds[type]}${optionalValue ? ", optional" : ""}`;
}

function formatFlagNames(flag: Flag | undefined): string {
  if (flag === undefined) return "";
  const { name, short, type, value = name, optionalValue, negatable, aliases = [] } = flag;
  const valuePart = type === "boolean" ? "" : optionalValue ? ` [${value}]` : ` <${value}>`;
  const names = [
    ...(short === undefined ? [] : [`-${short}`]),
    `--${name}${valuePart}`,
    ...(negatable ? [`--no-${name}`] : []),
    ...aliases.map((alias) => `--${alias}`),
  ];
  return names.map(formatInlineCode).join(", ");
}

function findFlagForField({ name }: Field, flags: readonly Flag[]): Flag | undefined {
  const own = toKebabCase(name);
  return flags.find((flag) => flag.name === own || flag.aliases?.includes(own));
}

/** The words of the interface for a type. */
function formatFieldType({ type }: Field): string {
  const words: Readonly<Record<Field["type"], string>> = {
    string: "string",
    integer: "integer",
    boolean: "boolean",
    integers: "array of integer",
    any: "type not given",
  };
  return words[type];
}

function appendChoices(meaning: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? meaning : `${meaning}: ${choices.map(formatInlineCode).join(", ")}`;
}

function renderSettings(): readonly string[] {
  const stored = { site: "profile", preference: "profile", never: "" } as const;
  const flag = (name: string | undefined) => (name === undefined ? "" : formatInlineCode(`--${name}`));
  const rows = settingDefinitions.map((key) => [
    formatInlineCode(key.name),
    formatSettingDefault(key),
    flag(key.flag),
    formatInlineCode(key.env ?? ""),
    stored[key.scope],
    appendChoices(key.meaning, key.choices),
  ]);
  return [
    "## Settings\n\nWhat `cal config list` shows. Those with `profile` can be stored there with `cal config set`.",
    formatMarkdownTable(["Setting", "Default", "Flag", "Environment", "Kept in", "Meaning"], rows),
  ];
}

/** Durations as users write them. */
function formatSettingDefault({ type, default: defaultValue }: SettingDefinition): string {
  if (defaultValue === undefined) return "";
  return type === "duration" ? `${Number(defaultValue) / 1000}s` : String(defaultValue);
}

/** A table without the columns that are empty in all rows; "" without rows. */
export function formatMarkdownTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = headers.map((_header, at) => rows.some((row) => (row[at] ?? "") !== ""));
  const line = (cells: readonly string[]) => `| ${cells.filter((_cell, at) => used[at] === true).join(" | ")} |`;
  if (rows.length === 0) return "";
  return [line(headers), line(headers.map(() => "---")), ...rows.map((row) => line(row.map(escapeTableCell)))].join("\n");
}

export function formatInlineCode(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** The fragment of a heading, as GitHub makes it. */
export function getHeadingAnchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")}`;
}

function escapeTableCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
