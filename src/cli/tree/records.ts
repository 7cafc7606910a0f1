// The verbs over the five resources, as commands: flags, help and examples are read from the specs.
import type { Argument, CommandSpec, Flag } from "../../commands/command.ts";
import { once } from "../../once.ts";
import type { Resource } from "../../spec/resource.ts";
import { getExamples, type RecordVerb } from "./examples.ts";
import { getCloneFlags, getCreateFlags, getEditFlags, getListFlags, getUpdateFlags, ignoreMissingFlag } from "./record-flags.ts";

const verbDetails: Readonly<Record<RecordVerb, string>> = {
  list: "Prints one page unless --limit or --all asks for more; what was left out is said on stderr.",
  get: "Several refs print several records.",
  create:
    "Prints the new record. Everything is checked before anything is sent. On a terminal what is required and missing is asked for, and what was given is shown: --wide shows all.",
  update:
    "Reads the record first, sends what was given together with what the server would otherwise lose, and says what changed. On a terminal only that is shown: --wide shows the record.",
  edit: "Needs a terminal. Shows the change, asks, and sends nothing else; a text that could not be sent is kept for 30 days. Where a server returns descriptions only as they look on the page, they stand there as comments.",
  clone:
    "The copy has a slug, a publication date and an author of its own. With a new start alone it lasts as long as the original. What can't be copied is said.",
  open: "Prints the address too; with --dry-run only that.",
  delete: "Asks first on a terminal; anywhere else it needs --yes.",
};

/** What is said of a verb, over any resource. */
interface VerbSpec {
  readonly verb: RecordVerb;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly args: readonly Argument[];
  readonly getFlags: (resource: Resource) => readonly Flag[];
}
/** How what a flag links to is found. */
const linkDetails =
  'The <ref> of a flag is an id, or else looked for as a slug (slug:2027 where it is digits), then as a name, which must be whole ("town hall"). Several are separated by commas.';

/** The commands over the records of a resource. */
export function createRecordCommands(resource: Resource): readonly CommandSpec[] {
  const { name } = resource;
  const one = prependArticle(resource.singular);
  const [record, records] = [createRefArgument(resource), createRefsArgument(resource)];
  const rows: readonly VerbSpec[] = [
    { verb: "list", aliases: ["ls"], summary: `List ${name}`, args: [], getFlags: getListFlags },
    { verb: "get", aliases: ["show"], summary: `Read ${name} by id, slug or name`, args: [records], getFlags: () => [ignoreMissingFlag] },
    { verb: "create", aliases: ["add"], summary: `Create ${one}`, args: [], getFlags: getCreateFlags },
    { verb: "update", aliases: [], summary: `Change ${name}; what is not given stays as it is`, args: [records], getFlags: getUpdateFlags },
    { verb: "edit", aliases: [], summary: `Change ${one} in your editor`, args: [record], getFlags: getEditFlags },
    { verb: "clone", aliases: ["copy"], summary: `Copy ${one}, with changes`, args: [record], getFlags: getCloneFlags },
    { verb: "open", aliases: [], summary: `Open the page of ${one}`, args: [record], getFlags: () => [] },
    { verb: "delete", aliases: ["rm"], summary: `Delete ${name}`, args: [records], getFlags: () => [maxDeleteFlag, ignoreMissingFlag] },
  ];
  return rows.map((row) => createRecordCommand(resource, row));
}

const maxDeleteFlag: Flag = { name: "max-delete", type: "integer", value: "n", meaning: "Delete nothing if more than n records are named" };

function createRecordCommand(resource: Resource, { verb, aliases, summary, args, getFlags }: VerbSpec): CommandSpec {
  const flags = once(() => getFlags(resource));
  return {
    path: [resource.name, verb],
    aliases,
    summary,
    get details() {
      return flags().some(({ value }) => value === "ref") ? `${verbDetails[verb]} ${linkDetails}` : verbDetails[verb];
    },
    args,
    get flags() {
      return flags();
    },
    get examples() {
      return getExamples(resource, verb);
    },
    reportsProblems: true,
    load: async () => {
      const { wrapHandlerWithCache } = await import("../../commands/completion/remember.ts");
      return wrapHandlerWithCache(resource, verb === "delete" ? "delete" : "get", await handlerLoaders[verb](resource));
    },
  };
}

const handlerLoaders = {
  list: async (resource: Resource) => (await import("../../commands/records/list.ts")).list(resource),
  get: async (resource: Resource) => (await import("../../commands/records/get.ts")).get(resource),
  create: async (resource: Resource) => (await import("../../commands/records/create.ts")).create(resource),
  update: async (resource: Resource) => (await import("../../commands/records/update.ts")).update(resource),
  edit: async (resource: Resource) => (await import("../../commands/records/edit.ts")).edit(resource),
  clone: async (resource: Resource) => (await import("../../commands/records/clone.ts")).clone(resource),
  open: async (resource: Resource) => (await import("../../commands/records/open.ts")).open(resource),
  delete: async (resource: Resource) => (await import("../../commands/records/delete.ts")).remove(resource),
} as const;

function createRefArgument(resource: Resource): Argument {
  return { name: "ref", meaning: `${resource.singular}: an id (123), a slug (town-hall, slug:2027) or name:"Town Hall"` };
}

function createRefsArgument(resource: Resource): Argument {
  const { name, meaning } = createRefArgument(resource);
  return { name, meaning: `${meaning}; or - to read refs from stdin`, many: true };
}

function prependArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
