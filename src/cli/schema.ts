// `cal schema [command]`: commands, fields and formats as JSON, for programs and agents.
import type { CommandSpec, Flag, Handler } from "../commands/command.ts";
import { usageError } from "../errors.ts";
import { createFileSchema } from "../files/schema.ts";
import { type Field, getFieldFlagName, type Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { type CommandTree, lookupCommand } from "./command-lookup.ts";
import { environmentVariables, globalFlags, outputFormats } from "./global-flags.ts";
import { listExitCodes } from "./help-topics.ts";

declare const CAL_VERSION: string;

export function createSchemaHandler(tree: CommandTree): Handler {
  return async ({ args, flags }) => {
    if (flags["for-files"] === true) return { kind: "value", value: createSchemaOfFiles(args) };
    const found = lookupCommand(tree, args);
    if (found.kind === "unknown") throw usageError(found.problem, { text: "all commands", command: "cal help" });
    const path = found.kind === "command" ? found.spec.path : found.kind === "group" ? [found.group.name] : [];
    const value = {
      version: CAL_VERSION,
      commands: tree.commands.filter((spec) => path.every((word, at) => spec.path[at] === word)).map(serializeCommand),
      global_flags: globalFlags.map(serializeFlag),
      resources: Object.values(resources)
        .filter(({ name }) => path[0] === undefined || path[0] === name)
        .map(serializeResource),
      formats: outputFormats,
      environment: environmentVariables.flatMap(({ name, meaning }) => name.split(", ").map((one) => ({ name: one, meaning }))),
      exit_codes: listExitCodes().map(([code, meaning]) => ({ code, meaning })),
    };
    return { kind: "value", value };
  };
}

function createSchemaOfFiles(args: readonly string[]): object {
  const [name, ...others] = args;
  const resource = Object.values(resources).find((one) => name === one.name || name === one.singular);
  if (others.length > 0 || (name !== undefined && resource === undefined))
    throw usageError(`--for-files takes one of ${Object.keys(resources).join(", ")}, not ${JSON.stringify(args.join(" "))}`);
  return createFileSchema(resource);
}

function serializeCommand({ path, aliases, summary, details, args, flags, examples }: CommandSpec): object {
  return { command: path.join(" "), aliases, summary, details, arguments: args, flags: flags.map(serializeFlag), examples };
}

/** Programs rely on the names of the keys, so they do not follow the names in the source. */
function serializeFlag({ optionalValue, commaSeparated, escapeHatch, env, synonyms, unsupported, choiceAliases, ...rest }: Flag): object {
  return { ...rest, value_optional: optionalValue, choices_joined: commaSeparated, as_it_is: escapeHatch, environment: env?.split(", ") };
}

function serializeResource({ name, singular, titleField, bySlug, fields, filters, readOnlyFields }: Resource): object {
  return {
    name,
    singular,
    title: titleField,
    by_slug: bySlug,
    fields: fields.map(serializeField),
    filters: filters.map(serializeField),
    returned: readOnlyFields,
  };
}

function serializeField(field: Field): object {
  const {
    refersTo,
    alias,
    closedEnum,
    nonStandard,
    ignoresUnknownIds,
    multiple,
    commaSeparated,
    requires,
    unsupported,
    byCoordinates,
    canBeAbsent,
    ...rest
  } = field;
  return {
    ...rest,
    beyond: nonStandard,
    passedOver: ignoresUnknownIds,
    several: multiple,
    joined: commaSeparated,
    needs: requires,
    lacks: unsupported && { words: unsupported.words, instead: `${unsupported.reason} (${unsupported.hint})` },
    refers_to: refersTo,
    flag: `--${getFieldFlagName(field)}`,
  };
}
