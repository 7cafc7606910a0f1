// The tools of `cal mcp`: which commands they are, and their schemas and arguments, made from the flags of the commands.
import type { CommandSpec, Flag, Invocation } from "../../commands/command.ts";
import type { Flags, FlagValue } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { getFieldFlagName, type Resource, type ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { CommandTree } from "../command-lookup.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A command as a tool. */
export interface Tool {
  /** `events_list`. */
  readonly name: string;
  readonly spec: CommandSpec;
  readonly description: string;
  readonly resource?: Resource;
  /** A write has a plan, and is carried out by a second call. */
  readonly isWrite: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** What records have in the answer, where the call names no fields. */
  readonly fields: readonly string[];
  readonly toInvocation: (values: DataRecord) => ToolInvocation;
}

/** How a tool calls its command. */
interface ToolInvocation {
  readonly invocation: Invocation;
  readonly stdin: string;
  /** The command line that does the same, for the journal. */
  readonly argv: readonly string[];
}

export interface ToolOptions {
  readonly resources: readonly ResourceName[];
  readonly allowWrite: boolean;
  readonly allowDelete: boolean;
  readonly maxChanges: number;
}

/** Records in one answer, by default and at most. */
export const defaultLimit = 20;
const maxLimit = 50;
/** Bytes of the text of an import. */
export const maxImportBytes = 1_000_000;
const maxTextLength = 200_000;

type Verb = "list" | "get" | "create" | "update" | "delete" | "import" | "conflicts" | "agenda" | "date" | "doctor" | "log" | "undo";

/** What the verbs take beside fields and filters. No tool has any other flag: none that names a file or an address, or lifts a limit. */
const ownFlags: Readonly<Record<Verb, readonly string[]>> = {
  list: ["include-empty", "without", "running", "today", "on", "week", "month", "next", "all-dates"],
  get: ["ignore-missing"],
  create: ["duration", "if-not-exists", "no-overlap", "create-missing", "merge"],
  update: ["duration", "shift", "start-time", "clear", "no-overlap", "create-missing", "merge", "ignore-missing"],
  delete: ["ignore-missing"],
  import: [
    ...["input-format", "from", "until", "categories-as", "cancelled", "map", "ignore-columns", "date-order", "empty-clears"],
    ...["create-missing", "key", "source", "on-conflict", "missing", "all-or-nothing"],
  ],
  conflicts: ["by", "gap", "without", "today", "on", "week", "month", "next", "all-dates"],
  agenda: ["today", "on", "week", "month", "next", "week-start", "without", "include-empty"],
  date: [],
  doctor: [],
  log: [],
  undo: [],
};

const text: JsonSchema = { type: "string", maxLength: maxTextLength };

/** The arguments of the command line as properties. The command gets them in this order; a list is given as lines on stdin. */
const argumentSchemas: Readonly<Partial<Record<Verb, Readonly<Record<string, JsonSchema>>>>> = {
  import: { text: { ...text, maxLength: maxImportBytes, description: "The source itself: CSV, TSV, JSON, NDJSON, YAML or iCalendar" } },
  agenda: {
    from: { ...text, description: "A day, a weekend, a month or a year: tomorrow, weekend, 2027-03; see cal://help/dates" },
    to: { ...text, description: "The last day" },
  },
  date: { expression: { ...text, description: "fri 20:00, next-month, 2027-03-28, +3d, eom; see cal://help/dates" } },
  log: { operation: { ...text, description: "The name of one operation: then its records are shown" } },
  undo: { operation: { ...text, description: "The name of the operation, from log" } },
};

const requiredArguments = ["refs", "text", "expression"];

/** The tools that these options allow, in the order of the commands. */
export function createTools(tree: CommandTree, options: ToolOptions): readonly Tool[] {
  const { allowWrite, allowDelete } = options;
  const ofResource = Object.values(resources)
    .filter(({ name }) => options.resources.includes(name))
    .flatMap((resource) => {
      const verbs: readonly Verb[] = [
        ...(["list", "get"] as const),
        ...(allowWrite ? (["create", "update"] as const) : []),
        ...(allowWrite && allowDelete ? (["delete"] as const) : []),
        "import",
        ...(resource.hasDates ? (["conflicts"] as const) : []),
      ];
      return verbs.map((verb) => createTool(tree, [resource.name, verb], verb, options, resource));
    });
  const others: readonly Verb[] = [
    ...(options.resources.includes("events") ? (["agenda"] as const) : []),
    ...(["date", "doctor", "log"] as const),
    ...(allowWrite ? (["undo"] as const) : []),
  ];
  return [...ofResource, ...others.map((verb) => createTool(tree, [verb], verb, options))];
}

function createTool(tree: CommandTree, path: readonly string[], verb: Verb, options: ToolOptions, resource?: Resource): Tool {
  const spec = tree.findByFirstWord(path[0] ?? "").find((one) => one.path.join(" ") === path.join(" "));
  if (spec === undefined) throw new Error(`there is no command ${path.join(" ")}`);
  const isWrite = ["create", "update", "delete", "import", "undo"].includes(verb);
  const taken = getTakenFlags(verb, resource ?? resources.events);
  const flags = spec.flags.filter(({ name }) => taken.has(name));
  const inputSchema = createInputSchema(verb, flags, { ...options, isWrite, resource });
  return {
    name: path.join("_"),
    spec,
    description: [`${spec.summary}.`, ...describe(verb, isWrite && options.allowWrite)].join(" "),
    ...(resource && { resource }),
    isWrite,
    inputSchema,
    outputSchema: isWrite
      ? planOutputSchema
      : verb === "get"
        ? resultsOutputSchema
        : verb === "date"
          ? recordOutputSchema
          : listOutputSchema,
    annotations: {
      readOnlyHint: !isWrite || !options.allowWrite,
      destructiveHint: options.allowWrite && ["update", "delete", "import", "undo"].includes(verb),
      idempotentHint: verb !== "create" && verb !== "undo",
      openWorldHint: verb !== "date",
    },
    fields: resource === undefined || verb === "conflicts" ? [] : getDefaultFields(resource, verb),
    toInvocation: (values) => toInvocation(spec.path, verb, flags, values),
  };
}

/** The fields and filters of the resource, and what the verb itself takes. Pages are read by cursor. */
function getTakenFlags(verb: Verb, { fields, filters }: Resource): ReadonlySet<string> {
  const links = fields.filter(({ multiple }) => multiple === true).map(getFieldFlagName);
  const byVerb: Readonly<Partial<Record<Verb, readonly string[]>>> = {
    create: fields.map(getFieldFlagName),
    update: [...fields.map(getFieldFlagName), ...links.flatMap((name) => [`add-${name}`, `remove-${name}`])],
    ...Object.fromEntries(["list", "conflicts", "agenda"].map((one) => [one, filters.map(getFieldFlagName)])),
  };
  const paging = ["page", "per-page"];
  return new Set([...(byVerb[verb] ?? []).filter((name) => !paging.includes(name)), ...ownFlags[verb]]);
}

function describe(verb: Verb, isWrite: boolean): readonly string[] {
  if (isWrite)
    return [
      "Writes nothing at first: it answers with the plan and a hash.",
      "Show the plan to the user, then call again with the same arguments and confirm set to the hash.",
    ];
  if (verb === "import") return ["This server is read-only: it only answers with the plan."];
  if (verb === "list" || verb === "log" || verb === "conflicts") return ["If the answer has next_cursor, call again with it for more."];
  return [];
}

/** Of what a record links to only the names. */
function getDefaultFields(resource: Resource, verb: Verb): readonly string[] {
  const toPath = (name: string) => {
    const linked = resource.fields.find((field) => field.name === name)?.refersTo;
    return linked === undefined ? name : `${name}.${resources[linked].titleField}`;
  };
  const shown = verb === "get" ? resource.fieldsReadFirst.map(toPath) : resource.columns.map(({ path }) => path);
  return [...new Set(["id", ...shown, "url"])];
}

// The schemas.

const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const anyObject: JsonSchema = { type: "object" };
const notices: JsonSchema = { ...listOf({ type: "string" }), description: "Warnings and notes" };

const listOutputSchema: JsonSchema = {
  type: "object",
  properties: {
    items: listOf(anyObject),
    total: { type: "integer" },
    next_cursor: { type: "string", description: "For the next call, where there are more" },
    notices,
    error: anyObject,
  },
};

const resultsSchema = listOf({
  type: "object",
  properties: { ref: { type: "string" }, ok: { type: "boolean" }, record: anyObject, error: anyObject },
  required: ["ok"],
});

const resultsOutputSchema: JsonSchema = { type: "object", properties: { results: resultsSchema, notices, error: anyObject } };

const recordOutputSchema: JsonSchema = { type: "object", properties: { record: anyObject, notices, error: anyObject } };

const planOutputSchema: JsonSchema = {
  type: "object",
  properties: {
    plan: {
      type: "object",
      description: "What would be written; nothing was sent",
      properties: {
        changes: listOf(anyObject),
        unchanged: { type: "integer" },
        skipped: listOf(anyObject),
        conflicts: listOf(anyObject),
      },
    },
    confirm: { type: "string", description: "The hash of the plan, for the second call" },
    results: { ...resultsSchema, description: "What became of each record, after the second call" },
    notices,
    error: anyObject,
  },
};

interface SchemaOptions extends ToolOptions {
  readonly isWrite: boolean;
  readonly resource?: Resource | undefined;
}

function createInputSchema(verb: Verb, flags: readonly Flag[], { isWrite, allowWrite, maxChanges, resource }: SchemaOptions): JsonSchema {
  const refs = {
    ...listOf({ ...text, minLength: 1, pattern: "^[^\\r\\n]+$" }),
    minItems: 1,
    maxItems: isWrite ? Math.max(maxChanges, 1) : maxLimit,
  };
  const properties: Record<string, JsonSchema> = {
    ...(["get", "update", "delete"].includes(verb)
      ? { refs: { ...refs, description: 'Each an id (123), a slug (town-hall, slug:2027) or name:"Town Hall"' } }
      : {}),
    ...argumentSchemas[verb],
    ...Object.fromEntries(flags.map((flag) => [toProperty(flag.name), createFlagSchema(flag, resource)])),
    ...(isWrite && allowWrite
      ? { confirm: { type: "string", pattern: "^[0-9a-f]{16}$", description: "The hash of the plan of an earlier call: carries it out" } }
      : {}),
    ...(isListTool(verb)
      ? {
          limit: { type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit, description: "How many" },
          cursor: { type: "string", maxLength: 100, description: "next_cursor of the answer before, with the same arguments" },
        }
      : {}),
    ...(["list", "get", "create", "update"].includes(verb)
      ? {
          fields: {
            ...listOf({ type: "string", maxLength: 200 }),
            maxItems: 100,
            description: "Fields of the records in the answer, by path: title, venue.city",
          },
        }
      : {}),
  };
  const required = [
    ...Object.keys(properties).filter((name) => requiredArguments.includes(name) || (verb === "undo" && name === "operation")),
    ...(verb === "create"
      ? (resource?.fields ?? []).filter((field) => field.required === true && field.name !== "end_date").map(({ name }) => name)
      : []),
  ];
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(verb === "agenda" && { dependentRequired: { to: ["from"] } }),
    additionalProperties: false,
  };
}

export function isListTool(verb: string): boolean {
  return ["list", "conflicts", "agenda", "log", "doctor"].includes(verb);
}

const toProperty = (flag: string) => flag.replaceAll("-", "_");

const isTrueFalse = ({ choices }: Flag) => choices?.join(",") === "true,false";

const isImage = ({ name }: Flag, resource: Resource | undefined) =>
  resource?.fields.some((field) => field.format === "image" && getFieldFlagName(field) === name) === true;

function createFlagSchema(flag: Flag, resource: Resource | undefined): JsonSchema {
  const { type, choices, commaSeparated, meaning } = flag;
  const description = isImage(flag, resource) ? "The id of a picture of the site" : meaning;
  if (isImage(flag, resource)) return { type: "integer", minimum: 0, description };
  if (type === "boolean" || isTrueFalse(flag)) return { type: "boolean", description };
  if (type === "integer") return { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description };
  const one = choices === undefined ? text : { type: "string", enum: choices };
  if (type === "texts" || (commaSeparated === true && choices !== undefined)) return { ...listOf(one), maxItems: 100, description };
  return { ...one, description };
}

// The arguments.

/** The arguments of a tool, which match its schema, as those of the command. */
function toInvocation(path: readonly string[], verb: Verb, flags: readonly Flag[], values: DataRecord): ToolInvocation {
  const typed: Record<string, FlagValue> = {};
  for (const flag of flags) {
    const value = values[toProperty(flag.name)];
    if (value !== undefined) typed[flag.name] = toFlagValue(flag, value);
  }
  const words = Object.keys(argumentSchemas[verb] ?? {}).flatMap((name) => (typeof values[name] === "string" ? [values[name]] : []));
  const refs = Array.isArray(values["refs"]) ? values["refs"].map(String) : undefined;
  const [source = ""] = words;
  const args = refs !== undefined || verb === "import" ? ["-"] : verb === "log" && words.length > 0 ? ["show", ...words] : words;
  return {
    invocation: { args, flags: typed, problems: [] },
    stdin: refs?.join("\n") ?? (verb === "import" ? source : ""),
    argv: [...path, ...(refs ?? args), ...toWords(typed)],
  };
}

function toFlagValue(flag: Flag, value: unknown): FlagValue {
  if (Array.isArray(value)) return flag.type === "texts" ? value.map(String) : value.join(",");
  if (typeof value === "boolean") return isTrueFalse(flag) ? String(value) : value;
  return flag.type === "integer" ? Number(value) : String(value);
}

function toWords(flags: Flags): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    if (value === false) return [`--no-${name}`];
    return typeof value === "object" ? value.flatMap((one) => [`--${name}`, one]) : [`--${name}`, String(value)];
  });
}
