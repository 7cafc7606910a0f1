// The flags that every command takes, the output formats and the environment variables.
import { type Flag, parseNames } from "../commands/command.ts";
import { formatSettingValue, getValueName, type SettingTypes, settingDefinitions } from "../config/settings.ts";
import type { Flags } from "../context.ts";
import { CalError } from "../errors.ts";
import type { ExportFormat, Format } from "../output/report.ts";

const siteGroup = "Which calendar";
const outputGroup = "Output";
const confirmationGroup = "Asking and writing";
const connectionGroup = "Connection";

/** Global flags, in the order of the help. Those of settings come from the table of settings. */
export const globalFlags: readonly Flag[] = [
  { name: "profile", short: "p", type: "text", value: "name", meaning: "Use this profile", env: "CAL_PROFILE", group: siteGroup },
  ...getSettingFlags(siteGroup, ["sandbox", "base_url", "auth_url", "namespace", "client_id", "username", "tz"]),
  ...getSettingFlags(outputGroup, ["format"]),
  {
    name: "fields",
    type: "texts",
    value: "names",
    meaning: "Only these fields, in any format: id,title,venue.city; --columns is the same",
    aliases: ["columns"],
    group: outputGroup,
  },
  { name: "field", type: "text", value: "name", meaning: "Print only the bare value of this field", group: outputGroup },
  { name: "wide", type: "boolean", meaning: "All columns and fields, nothing cut", group: outputGroup },
  { name: "no-header", type: "boolean", meaning: "No header line", group: outputGroup },
  {
    name: "excel",
    type: "boolean",
    meaning: "CSV for spreadsheets: byte order mark, plain words for entities, formulas guarded; no --format needed",
    group: outputGroup,
  },
  {
    name: "color",
    type: "text",
    value: "when",
    meaning: "Colours",
    choices: ["auto", "always", "never"],
    default: "auto",
    env: "NO_COLOR, FORCE_COLOR",
    group: outputGroup,
  },
  { name: "no-color", type: "boolean", meaning: "The same as --color never", group: outputGroup },
  {
    name: "no-pager",
    type: "boolean",
    meaning: "Print output longer than the screen without a pager",
    env: "CAL_PAGER",
    group: outputGroup,
  },
  ...getSettingFlags(outputGroup, ["quiet", "debug"]),
  { name: "yes", short: "y", type: "boolean", meaning: "Answer yes to every question", group: confirmationGroup },
  ...getSettingFlags(confirmationGroup, ["no_input"]),
  { name: "dry-run", short: "n", type: "boolean", meaning: "Print what would be sent, and send no write", group: confirmationGroup },
  ...getSettingFlags(confirmationGroup, ["read_only"]),
  ...getSettingFlags(connectionGroup, ["timeout", "retries", "concurrency", "ca_file", "insecure"]),
];

/** The flags of settings, each followed by its shorthand. */
function getSettingFlags(group: string, names: readonly (keyof SettingTypes)[]): readonly Flag[] {
  return names.flatMap((name) => {
    const key = settingDefinitions.find((row) => row.name === name);
    if (key?.flag === undefined) return [];
    const { flag, type, choices, shorthand, help } = key;
    const value = getValueName(key);
    const env = help?.env ?? [key.env, key.presenceVariable].filter((variable) => variable !== undefined).join(", ");
    const defaultText = type === "boolean" ? undefined : (help?.default ?? (key.default && String(formatSettingValue(key, key.default))));
    return [
      // The schema prints the properties in this order.
      {
        name: flag,
        ...(help?.short && { short: help.short }),
        type: type === "boolean" ? "boolean" : "text",
        ...(help?.negatable && { negatable: true }),
        ...(value && { value }),
        meaning: help?.meaning ?? key.meaning,
        ...(defaultText && { default: defaultText }),
        ...(env && { env }),
        group,
        ...(choices && { choices }),
        ...(help?.synonyms && { synonyms: help.synonyms }),
        ...(help?.unsupported && { unsupported: help.unsupported }),
      },
      ...(shorthand === undefined
        ? []
        : [{ name: shorthand.flag, type: "boolean" as const, meaning: `The same as --${flag} ${shorthand.value}`, group }]),
    ];
  });
}

/** What users type for the formats of exports. */
const exportSynonyms: Readonly<Record<string, ExportFormat>> = {
  ical: "ics",
  icalendar: "ics",
  vcalendar: "ics",
  md: "markdown",
  htm: "html",
};

/** The flag `--format` of a command that also prints these formats. */
export function createFormatFlag(formats: readonly ExportFormat[]): Flag {
  const [flag] = getSettingFlags(outputGroup, ["format"]);
  if (flag === undefined) throw new CalError("internal", "there is no setting for the format");
  const { choices = [], synonyms, unsupported, env: _env, ...others } = flag;
  const own = Object.fromEntries(Object.entries(exportSynonyms).filter(([, format]) => formats.includes(format)));
  const words = unsupported?.words.filter((word) => !(word in own) && !formats.some((format) => format === word));
  return {
    ...others,
    meaning: `Output format, here also ${formats.join(", ")}`,
    choices: [...choices, ...formats],
    synonyms: { ...synonyms, ...own },
    ...(unsupported && words && { unsupported: { ...unsupported, words } }),
  };
}

/** These flags, without those for which the command has its own. */
export function withoutOwn(flags: readonly Flag[], own: readonly Flag[]): readonly Flag[] {
  return flags.filter(({ name }) => !own.some((flag) => flag.name === name));
}

/** Adds what flags imply: --excel without a format flag is CSV, whatever format the environment or the profile sets. */
export function applyImpliedFlags(globals: Flags): Flags {
  const isImplied = globals["excel"] !== undefined && globals["format"] === undefined && globals["json"] === undefined;
  return isImplied ? { ...globals, format: "csv" } : globals;
}

/** The problems of the flags that choose what is shown. They need no format to be found. */
export function validateOutputFlags(globals: Flags): readonly string[] {
  const empty = ["fields", "field"].filter((name) => globals[name] !== undefined && parseNames(globals[name]).length === 0);
  const both = globals["fields"] !== undefined && globals["field"] !== undefined;
  return [...empty.map((name) => `--${name} names nothing`), ...(both ? ["--fields and --field exclude each other"] : [])];
}

/** Flags that are refused in all other formats. --wide and --no-header are allowed everywhere: a format that ignores them loses nothing. */
const formatSpecificFlags: Readonly<Record<string, { readonly formats: readonly Format[]; readonly instead: string }>> = {
  excel: { formats: ["csv"], instead: "for a spreadsheet: --format csv --excel" },
  envelope: { formats: ["json", "yaml"], instead: "what is known of a list: --json --envelope" },
  "for-import": { formats: ["csv"], instead: "for the importer: --format csv --for-import" },
};

export function isFormatSpecific(flagName: string): boolean {
  return Object.hasOwn(formatSpecificFlags, flagName);
}

/** The problems of format-specific flags with the format that is used. */
export function validateFormatFlags(flags: Flags, format: Format): readonly string[] {
  return Object.entries(formatSpecificFlags).flatMap(([name, { formats, instead }]) => {
    if (flags[name] === undefined) return [];
    if (flags["field"] !== undefined) return [`--${name} and --field exclude each other`];
    const list = formats.length === 1 ? formats.join("") : `${formats.slice(0, -1).join(", ")} and ${formats.at(-1)}`;
    return formats.includes(format) ? [] : [`--${name} is for ${list}, not for ${format}; ${instead}`];
  });
}

const formatMeanings: Readonly<Record<Format, string>> = {
  table: "a table fitted to the terminal; one record as a list of its fields. The default on a terminal",
  json: "the records as the server sent them: a list is an array, one record is an object",
  ndjson: "one record a line, as JSON, printed as pages arrive",
  csv: "comma-separated (RFC 4180), with a header line, printed as pages arrive; --excel for spreadsheets",
  tsv: "tab-separated, with a header line, nothing cut, printed as pages arrive. The default in a pipe",
  yaml: "the records as YAML",
  ids: "the ids, one a line, printed when the list is complete: for `cal events update -`",
  count: "the number of records",
  ics: "iCalendar (RFC 5545), printed as pages arrive: events list, events get and agenda; by the flag alone",
  markdown: "a programme by day, for a newsletter: events list and agenda; by the flag alone",
  html: "the same as one page, to publish or to print: events list and agenda; by the flag alone",
};

/** The output formats, in the order of `--format`. */
export const outputFormats = Object.entries(formatMeanings).map(([name, meaning]) => ({ name, meaning }));

/** The environment variables for the help and the reference: those of the settings in their order, then the others. */
export const environmentVariables: readonly { readonly name: string; readonly meaning: string }[] = [
  { name: "CAL_PROFILE", meaning: "Use this profile" },
  ...settingDefinitions.flatMap(({ env, presenceVariable, meaning }) => {
    const names = [env, presenceVariable].filter((name) => name !== undefined);
    return names.length === 0 ? [] : [{ name: names.join(", "), meaning }];
  }),
  { name: "CAL_TOKEN", meaning: "Access token; secrets from the environment are never stored" },
  { name: "CAL_PASSWORD", meaning: "Password, or application password, of the user" },
  { name: "CAL_CLIENT_SECRET", meaning: "Secret of the application" },
  { name: "CAL_TOKEN_FILE, CAL_PASSWORD_FILE, CAL_CLIENT_SECRET_FILE", meaning: "The same, each from a file that holds one line" },
  { name: "CAL_TO_TOKEN", meaning: "For `copy --to`: access token of the target" },
  { name: "CAL_TO_USERNAME, CAL_TO_PASSWORD", meaning: "The user of the target, and the password" },
  { name: "CAL_TO_CLIENT_SECRET", meaning: "Secret of the application of the target" },
  { name: "CAL_TO_TOKEN_FILE, CAL_TO_USERNAME_FILE", meaning: "The same, each from a file that holds one line" },
  { name: "CAL_TO_PASSWORD_FILE, CAL_TO_CLIENT_SECRET_FILE", meaning: "The same, each from a file that holds one line" },
  { name: "CAL_SANDBOX_SERVER", meaning: "`the-events-calendar` makes the sandbox behave as sites that run The Events Calendar" },
  { name: "CAL_SANDBOX_HABITS", meaning: "The earlier name of `CAL_SANDBOX_SERVER`" },
  { name: "CAL_CONFIG_DIR", meaning: "Folder of the profiles; an absolute path" },
  { name: "CAL_STATE_DIR", meaning: "Folder of the sandbox and other data that must last; an absolute path" },
  { name: "CAL_CACHE_DIR", meaning: "Folder of files that may be deleted at any time; an absolute path" },
  { name: "LC_ALL, LC_TIME, LANG", meaning: "Locale; it decides on which day the week begins in cal month and cal week" },
  { name: "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", meaning: "Parent folders of those three, on platforms that have them" },
  { name: "NO_COLOR, FORCE_COLOR", meaning: "No colours, or colours also in a pipe" },
  { name: "VISUAL, EDITOR", meaning: "Editor of `cal events edit` and of the other `edit` commands: VISUAL, or else EDITOR, or else `vi`" },
  { name: "PAGER", meaning: "Pager where neither `CAL_PAGER` nor the setting `pager` names one" },
  { name: "COLUMNS", meaning: "Width of tables" },
  { name: "HTTPS_PROXY, HTTP_PROXY, NO_PROXY", meaning: "Proxies; never used for this machine itself" },
  { name: "NODE_DISABLE_COMPILE_CACHE", meaning: "Keeps no compiled code in the cache folder, where it makes the next start quicker" },
  { name: "NODE_EXTRA_CA_CERTS", meaning: "File with certificates of additional authorities (PEM)" },
];
