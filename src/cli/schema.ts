// `cal schema [command]`: what the program takes and answers, as JSON for programs and agents.
import type { CommandSpec, Flag, Handler } from "../commands/command.ts";
import { usage } from "../errors.ts";
import { type Field, flagName } from "../spec/field.ts";
import { resources } from "../spec/index.ts";
import type { Resource } from "../spec/resource.ts";
import { variables } from "./environment.ts";
import { exitTable } from "./exit-codes.ts";
import { formats } from "./formats.ts";
import { globalFlags } from "./globals.ts";
import { placeOf, type Tree } from "./tree/lookup.ts";

declare const CAL_VERSION: string;

/** The handler; its shape is told by the command's details in the tree. */
export function schema(tree: Tree): Handler {
  return async ({ args }) => {
    const place = placeOf(tree, args);
    if (place.kind === "nowhere") throw usage(place.problem, "all commands: cal help");
    const path = place.kind === "command" ? place.spec.path : place.kind === "group" ? [place.group.name] : [];
    const value = {
      version: CAL_VERSION,
      commands: tree.commands.filter((spec) => path.every((word, at) => spec.path[at] === word)).map(commandOf),
      global_flags: globalFlags.map(flagOf),
      resources: Object.values(resources)
        .filter(({ name }) => path[0] === undefined || path[0] === name)
        .map(resourceOf),
      formats,
      environment: variables.flatMap(({ name, meaning }) => name.split(", ").map((one) => ({ name: one, meaning }))),
      exit_codes: exitTable().map(([code, meaning]) => ({ code, meaning })),
    };
    return { kind: "value", value };
  };
}

function commandOf({ path, aliases, summary, details, args, flags, examples }: CommandSpec): object {
  return { command: path.join(" "), aliases, summary, details, arguments: args, flags: flags.map(flagOf), examples };
}

function flagOf({ optionalValue, joined, asItIs, env, usual, lacks, ...rest }: Flag): object {
  return { ...rest, value_optional: optionalValue, choices_joined: joined, as_it_is: asItIs, environment: env?.split(", ") };
}

function resourceOf({ name, singular, title, bySlug, fields, filters, returned }: Resource): object {
  return { name, singular, title, by_slug: bySlug, fields: fields.map(fieldOf), filters: filters.map(fieldOf), returned };
}

function fieldOf(field: Field): object {
  const { refersTo, alias, closed, ...rest } = field;
  return { ...rest, refers_to: refersTo, flag: `--${flagName(field)}` };
}
