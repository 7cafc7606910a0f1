// What can be offered for the value of a flag or for an argument: words that are known here, or where they are to be looked for.
import type { CommandSpec } from "../../commands/command.ts";
import { findSettingDefinition, settingDefinitions } from "../../config/keys.ts";
import { type Field, getFieldFlagName } from "../../spec/field.ts";
import { namespaces, resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { topics } from "../help/topics.ts";
import type { CommandTree } from "../tree/lookup.ts";
import { shells } from "./line.ts";
import { type Candidate, type CursorPosition, getCommandCandidates } from "./stand.ts";

/** Where the candidates come from. `files` is left to the shell. */
export type CandidateSource =
  | { readonly from: "words"; readonly candidates: readonly Candidate[]; readonly list?: true; readonly noSpace?: true }
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

const noCandidates: CandidateSource = createWordSource([]);

/** What a flag of this name takes, on any command. */
const sourceByFlagName: Readonly<Record<string, (resource: Resource | undefined) => CandidateSource>> = {
  profile: () => ({ from: "profiles" }),
  namespace: () => createWordSource(Object.values(namespaces)),
  fields: (resource) => ({ ...createFieldNameSource(resource), list: true }),
  columns: (resource) => ({ ...createFieldNameSource(resource), list: true }),
  field: createFieldNameSource,
  clear: (resource) => ({ ...createWordSource((resource?.fields ?? []).map(({ name }) => name)), list: true }),
  set: createAssignmentSource,
  "set-json": createAssignmentSource,
};

/** What a flag takes whose value the help calls so. */
const sourceByValueName: Readonly<Record<string, () => CandidateSource>> = {
  zone: () => createWordSource(Intl.supportedValuesOf("timeZone")),
  date: () => createWordSource(dateWords),
  file: () => ({ from: "files" }),
  "@file": () => ({ from: "files" }),
};

/** What an argument of this name takes. */
const wordsByArgument: Readonly<Record<string, readonly string[]>> = {
  shell: shells,
  method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  path: Object.keys(resources),
  date: dateWords,
  expression: dateWords,
  month: ["this-month", "next-month", "last-month"],
};

/** The offer for a flag's value. */
export function getFlagCandidateSource({ flag, spec }: Extract<CursorPosition, { at: "value" }>): CandidateSource {
  const resource = findResource(spec);
  const field = findFieldForFlag(resource, spec, flag.name);
  if (flag.choices !== undefined) return { ...createWordSource(flag.choices), ...(flag.commaSeparated === true ? { list: true } : {}) };
  if (field?.refersTo !== undefined)
    return { from: "records", resource: resources[field.refersTo], as: "value", ...(field.type === "integers" ? { list: true } : {}) };
  return sourceByFlagName[flag.name]?.(resource) ?? sourceByValueName[flag.value ?? ""]?.() ?? noCandidates;
}

/** The offer for an argument. */
export function getArgumentCandidateSource(
  tree: CommandTree,
  { argument, spec, args }: Extract<CursorPosition, { at: "argument" }>,
): CandidateSource {
  const resource = findResource(spec);
  if (argument.name === "ref" && resource !== undefined) return { from: "records", resource, as: "ref" };
  const [first = "", second] = spec.path;
  switch (argument.name) {
    case "name":
      return first === "profile" && second !== "add" ? { from: "profiles" } : noCandidates;
    case "key":
      return {
        from: "words",
        candidates: settingDefinitions
          .filter(({ scope }) => scope !== "never")
          .map(({ name, meaning }) => ({ text: name, means: meaning })),
      };
    case "value":
      return first === "config" ? createSettingValueSource(args[0] ?? "") : noCandidates;
    case "topic":
      return {
        from: "words",
        candidates: [
          ...(args.length === 0 ? topics.map(({ name, summary }) => ({ text: name, means: summary })) : []),
          ...getNextCommandCandidates(tree, args),
        ],
      };
    case "command":
      return { from: "words", candidates: getNextCommandCandidates(tree, args) };
    default:
      return createWordSource(wordsByArgument[argument.name] ?? []);
  }
}

function getNextCommandCandidates(tree: CommandTree, args: readonly string[]): readonly Candidate[] {
  return args.length > 1 ? [] : getCommandCandidates(tree, args[0]);
}

function createSettingValueSource(name: string): CandidateSource {
  const key = findSettingDefinition(name);
  if (key?.type === "zone") return createWordSource(Intl.supportedValuesOf("timeZone"));
  return createWordSource(key?.choices ?? (key?.type === "boolean" ? ["true", "false"] : []));
}

function createWordSource(texts: readonly string[]): Extract<CandidateSource, { from: "words" }> {
  return { from: "words", candidates: texts.map((text) => ({ text, means: "" })) };
}

function createFieldNameSource(resource: Resource | undefined): Extract<CandidateSource, { from: "words" }> {
  const written = (resource?.fields ?? []).map(({ name, meaning }) => ({ text: name, means: meaning }));
  return { from: "words", candidates: [...written, ...(resource?.readOnlyFields ?? []).map((text) => ({ text, means: "" }))] };
}

function createAssignmentSource(resource: Resource | undefined): CandidateSource {
  return {
    from: "words",
    candidates: (resource?.fields ?? []).map(({ name, meaning }) => ({ text: `${name}=`, means: meaning })),
    noSpace: true,
  };
}

function findResource(spec: CommandSpec | undefined): Resource | undefined {
  return Object.values(resources).find(({ name }) => name === spec?.path[0]);
}

/** The field or filter that a flag stands for; commands that are about no resource (`cal month`) filter events. */
function findFieldForFlag(resource: Resource | undefined, spec: CommandSpec | undefined, flag: string): Field | undefined {
  const isList = resource === undefined || spec?.path[1] === "list";
  const fields = isList ? (resource ?? resources.events).filters : resource.fields;
  const own = flag.replace(/^(?:add|remove)-/, "");
  return fields.find((field) => getFieldFlagName(field) === own);
}
