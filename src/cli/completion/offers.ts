// What can be offered for the value of a flag or for an argument: words that are known here, or where they are to be looked for.
import type { CommandSpec } from "../../commands/command.ts";
import { keyNamed, keys } from "../../config/keys.ts";
import { type Field, flagName } from "../../spec/field.ts";
import { namespaces, resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { topics } from "../help/topics.ts";
import type { Tree } from "../tree/lookup.ts";
import { shells } from "./line.ts";
import { type Candidate, type Stand, wordsAt } from "./stand.ts";

/** Where the candidates come from. `files` is left to the shell. */
export type Offer =
  | { readonly from: "words"; readonly candidates: readonly Candidate[]; readonly list?: true; readonly open?: true }
  | { readonly from: "files" }
  | { readonly from: "profiles" }
  | { readonly from: "records"; readonly resource: Resource; readonly as: "ref" | "value"; readonly list?: true };

/** Words of the date grammar that are offered; a day can also be typed. */
export const dateWords = [
  "today",
  "tomorrow",
  "yesterday",
  "mon",
  "tue",
  "wed",
  "thu",
  "fri",
  "sat",
  "sun",
  "this-week",
  "next-week",
  "this-month",
  "next-month",
] as const;

const nothing: Offer = words([]);

/** What a flag of this name takes, on any command. */
const byName: Readonly<Record<string, (resource: Resource | undefined) => Offer>> = {
  profile: () => ({ from: "profiles" }),
  namespace: () => words(Object.values(namespaces)),
  fields: (resource) => ({ ...fieldNames(resource), list: true }),
  columns: (resource) => ({ ...fieldNames(resource), list: true }),
  field: fieldNames,
  clear: (resource) => ({ ...words((resource?.fields ?? []).map(({ name }) => name)), list: true }),
  set: assignments,
  "set-json": assignments,
};

/** What a flag takes whose value the help calls so. */
const byValue: Readonly<Record<string, () => Offer>> = {
  zone: () => words(Intl.supportedValuesOf("timeZone")),
  date: () => words(dateWords),
  file: () => ({ from: "files" }),
  "@file": () => ({ from: "files" }),
};

/** What an argument of this name takes. */
const byArgument: Readonly<Record<string, readonly string[]>> = {
  shell: shells,
  method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  path: Object.keys(resources),
  date: dateWords,
  expression: dateWords,
  month: ["this-month", "next-month", "last-month"],
};

/** The offer for a flag's value. */
export function offerForFlag({ flag, spec }: Extract<Stand, { at: "value" }>): Offer {
  const resource = resourceOf(spec);
  const field = fieldOf(resource, spec, flag.name);
  if (flag.choices !== undefined) return { ...words(flag.choices), ...(flag.joined === true ? { list: true } : {}) };
  if (field?.refersTo !== undefined)
    return { from: "records", resource: resources[field.refersTo], as: "value", ...(field.type === "integers" ? { list: true } : {}) };
  return byName[flag.name]?.(resource) ?? byValue[flag.value ?? ""]?.() ?? nothing;
}

/** The offer for an argument. */
export function offerForArgument(tree: Tree, { argument, spec, args }: Extract<Stand, { at: "argument" }>): Offer {
  const resource = resourceOf(spec);
  if (argument.name === "ref" && resource !== undefined) return { from: "records", resource, as: "ref" };
  const [first = "", second] = spec.path;
  switch (argument.name) {
    case "name":
      return first === "profile" && second !== "add" ? { from: "profiles" } : nothing;
    case "key":
      return {
        from: "words",
        candidates: keys.filter(({ stored }) => stored !== "never").map(({ name, meaning }) => ({ text: name, means: meaning })),
      };
    case "value":
      return first === "config" ? settingValues(args[0] ?? "") : nothing;
    case "topic":
      return {
        from: "words",
        candidates: [
          ...(args.length === 0 ? topics.map(({ name, summary }) => ({ text: name, means: summary })) : []),
          ...wordsAfter(tree, args),
        ],
      };
    case "command":
      return { from: "words", candidates: wordsAfter(tree, args) };
    default:
      return words(byArgument[argument.name] ?? []);
  }
}

function wordsAfter(tree: Tree, args: readonly string[]): readonly Candidate[] {
  return args.length > 1 ? [] : wordsAt(tree, args[0]);
}

function settingValues(name: string): Offer {
  const key = keyNamed(name);
  if (key?.type === "zone") return words(Intl.supportedValuesOf("timeZone"));
  return words(key?.choices ?? (key?.type === "boolean" ? ["true", "false"] : []));
}

function words(texts: readonly string[]): Extract<Offer, { from: "words" }> {
  return { from: "words", candidates: texts.map((text) => ({ text, means: "" })) };
}

function fieldNames(resource: Resource | undefined): Extract<Offer, { from: "words" }> {
  const written = (resource?.fields ?? []).map(({ name, meaning }) => ({ text: name, means: meaning }));
  return { from: "words", candidates: [...written, ...(resource?.returned ?? []).map((text) => ({ text, means: "" }))] };
}

function assignments(resource: Resource | undefined): Offer {
  return {
    from: "words",
    candidates: (resource?.fields ?? []).map(({ name, meaning }) => ({ text: `${name}=`, means: meaning })),
    open: true,
  };
}

function resourceOf(spec: CommandSpec | undefined): Resource | undefined {
  return Object.values(resources).find(({ name }) => name === spec?.path[0]);
}

/** The field or filter that a flag stands for; commands that are about no resource (`cal month`) filter events. */
function fieldOf(resource: Resource | undefined, spec: CommandSpec | undefined, flag: string): Field | undefined {
  const isList = resource === undefined || spec?.path[1] === "list";
  const fields = isList ? (resource ?? resources.events).filters : resource.fields;
  const own = flag.replace(/^(?:add|remove)-/, "");
  return fields.find((field) => flagName(field) === own);
}
