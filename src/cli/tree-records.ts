// The verbs over the five resources, as commands: flags, help and examples are read from the specs.
import type { Argument, CommandSpec, Flag } from "../commands/command.ts";
import type { Resource } from "../spec/resource.ts";
import { examplesOf, type RecordVerb } from "./examples.ts";
import { lazy } from "./lazy.ts";
import { cloneFlags, createFlags, editFlags, listFlags, missing, updateFlags } from "./record-flags.ts";

const details: Readonly<Record<RecordVerb, string>> = {
  list: "Prints one page unless --limit or --all asks for more; what was left out is said on stderr.",
  get: "Several refs print several records.",
  create:
    "Prints the new record. Everything is checked before anything is sent. On a terminal what is required and missing is asked for, an event of the same title and time is told first, and of the new record what was given is shown: --wide shows all.",
  update:
    "Reads the record first, sends what was given together with what the server would otherwise lose, and says what changed. On a terminal only that is shown: --wide shows the record.",
  edit: "Needs a terminal. Shows the change, asks, and sends nothing else; a text that could not be sent is kept. Where a server returns descriptions only as they look on the page, they stand there as comments.",
  clone:
    "The copy has a slug, a publication date and an author of its own. With a new start alone it lasts as long as the original. What can't be copied is said.",
  open: "Prints the address too; with --dry-run only that.",
  delete: "Asks first on a terminal; anywhere else it needs --yes.",
};

/** The commands over the records of a resource. */
export const recordCommands = (resource: Resource): readonly CommandSpec[] => [
  command(resource, "list", ["ls"], `List ${resource.name}`, [], listFlags),
  command(resource, "get", ["show"], `Read ${resource.name} by id, slug or name`, [refs(resource)], () => [missing]),
  command(resource, "create", ["add"], `Create ${article(resource.singular)}`, [], createFlags),
  command(resource, "update", [], `Change ${resource.name}; what is not given stays as it is`, [refs(resource)], updateFlags),
  command(resource, "edit", [], `Change ${article(resource.singular)} in your editor`, [ref(resource)], editFlags),
  command(resource, "clone", ["copy"], `Copy ${article(resource.singular)}, with changes`, [ref(resource)], cloneFlags),
  command(resource, "open", [], `Open the page of ${article(resource.singular)}`, [ref(resource)], () => []),
  command(resource, "delete", ["rm"], `Delete ${resource.name}`, [refs(resource)], () => [atMost, missing]),
];

const atMost: Flag = { name: "max-delete", type: "integer", value: "n", meaning: "Delete nothing if more than n records are named" };

function command(
  resource: Resource,
  verb: RecordVerb,
  aliases: readonly string[],
  summary: string,
  args: readonly Argument[],
  flagsOf: (resource: Resource) => readonly Flag[],
): CommandSpec {
  const flags = lazy(() => flagsOf(resource));
  return {
    path: [resource.name, verb],
    aliases,
    summary,
    details: details[verb],
    args,
    get flags() {
      return flags();
    },
    get examples() {
      return examplesOf(resource, verb);
    },
    takesProblems: true,
    load: async () => {
      const { remembering } = await import("../commands/completion/remember.ts");
      return remembering(resource, verb === "delete" ? "delete" : "get", await handlers[verb](resource));
    },
  };
}

const handlers = {
  list: async (resource: Resource) => (await import("../commands/records/list.ts")).list(resource),
  get: async (resource: Resource) => (await import("../commands/records/get.ts")).get(resource),
  create: async (resource: Resource) => (await import("../commands/records/create.ts")).create(resource),
  update: async (resource: Resource) => (await import("../commands/records/update.ts")).update(resource),
  edit: async (resource: Resource) => (await import("../commands/records/edit.ts")).edit(resource),
  clone: async (resource: Resource) => (await import("../commands/records/clone.ts")).clone(resource),
  open: async (resource: Resource) => (await import("../commands/records/open.ts")).open(resource),
  delete: async (resource: Resource) => (await import("../commands/records/delete.ts")).remove(resource),
} as const;

function ref(resource: Resource): Argument {
  return { name: "ref", meaning: `${resource.singular}: an id (123), a slug (town-hall, slug:2027) or name:"Town Hall"` };
}

function refs(resource: Resource): Argument {
  const { name, meaning } = ref(resource);
  return { name, meaning: `${meaning}; or - to read refs from stdin`, many: true };
}

function article(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
