// The commands over the records of a resource.

import type { Argument, CommandSpec, Flag, Handler } from "../../commands/command.ts";
import type { Resource } from "../../model/resource.ts";
import { once } from "../../once.ts";
import { exportFormats } from "../../output/report.ts";
import { maxChangesFlag, planOutFlag } from "./changes.ts";
import { getImportFlags } from "./import.ts";
import { getExamples, type RecordVerb } from "./record-examples.ts";
import {
  getCloneFlags,
  getCreateFlags,
  getEditFlags,
  getGetFlags,
  getListFlags,
  getRestoreFlags,
  getUpdateFlags,
  ignoreMissingFlag,
  maxDeleteFlag,
  rawDeleteFlag,
  whereFlag,
} from "./record-flags.ts";

const verbDetails: Readonly<Record<RecordVerb, string>> = {
  list: "Prints one page unless --limit or --all asks for more; a note on stderr says what was left out.",
  get: "Several refs print several records.",
  create:
    "Prints the new record. Everything is checked before anything is sent. On a terminal it asks for required fields that are missing, offers the others in a menu, and shows a summary before anything is sent. It shows only the fields that were sent: --wide shows all.",
  update:
    "Reads the record first, sends the changes together with the fields that the server would otherwise lose, and reports what changed. On a terminal only that is shown: --wide shows the record.",
  edit: "Needs a terminal. Shows the change, asks, and sends nothing else; a text that could not be sent is stored for 30 days. If a server returns descriptions only as HTML for the page, they are shown as comments.",
  clone:
    "The copy has a slug, a publication date and an author of its own. With a new start alone it lasts as long as the original. A note says what can't be copied.",
  open: "It also prints the address. With --dry-run it prints only the address.",
  delete: "Asks first on a terminal; anywhere else it needs --yes.",
  restore:
    "For sites that run The Events Calendar. The record keeps its fields. The site does not tell which status it had: it becomes a draft, or what --status says.",
  import:
    "Each row is compared with the site first. A ledger in the state folder knows the records of the source: unchanged rows send nothing, changed rows send the changed fields, and what was edited on the site is kept. " +
    "Headers are the names of fields, or those of The Events Calendar's importer. Columns that are absent and cells that are empty change nothing.",
};

/** How the record that a flag links to is found. */
const linkDetails =
  'The <ref> of a flag is an id, a slug (slug:2027 if it is only digits) or a whole name ("town hall"). Separate several by commas.';

const handlerLoaders: Readonly<Record<RecordVerb, (resource: Resource) => Promise<Handler>>> = {
  list: async (resource) => (await import("../../commands/records/list.ts")).list(resource),
  get: async (resource) => (await import("../../commands/records/get.ts")).get(resource),
  create: async (resource) => (await import("../../commands/records/create.ts")).create(resource),
  update: async (resource) => (await import("../../commands/records/update.ts")).update(resource),
  edit: async (resource) => (await import("../../commands/records/edit.ts")).edit(resource),
  clone: async (resource) => (await import("../../commands/records/clone.ts")).clone(resource),
  open: async (resource) => (await import("../../commands/records/get.ts")).open(resource),
  delete: async (resource) => (await import("../../commands/records/delete.ts")).remove(resource),
  restore: async (resource) => (await import("../../commands/records/restore.ts")).restore(resource),
  import: async (resource) => (await import("../../commands/records/import.ts")).importRecords(resource),
};

interface VerbSpec extends Pick<CommandSpec, "summary" | "args"> {
  readonly verb: RecordVerb;
  readonly aliases: readonly string[];
  readonly getFlags: (resource: Resource) => readonly Flag[];
}

/** The commands over the records of a resource. */
export function createRecordCommands(resource: Resource): readonly CommandSpec[] {
  const { name, singular } = resource;
  const one = `${/^[aeiou]/.test(singular) ? "an" : "a"} ${singular}`;
  const ref: Argument = { name: "ref", meaning: `${singular}: an id (123), a slug (town-hall, slug:2027) or name:"Town Hall"` };
  const refs: Argument = { name: "ref", meaning: `${ref.meaning}; or - to read refs from stdin`, many: true };
  const verbs: readonly VerbSpec[] = [
    { verb: "list", aliases: ["ls"], summary: `List ${name}`, args: [], getFlags: getListFlags },
    { verb: "get", aliases: ["show"], summary: `Read ${name} by id, slug or name`, args: [refs], getFlags: getGetFlags },
    { verb: "create", aliases: ["add"], summary: `Create ${one}`, args: [], getFlags: getCreateFlags },
    {
      verb: "update",
      aliases: [],
      summary: `Change ${name}; fields that are not given stay as they are`,
      args: [refs],
      getFlags: getUpdateFlags,
    },
    { verb: "edit", aliases: [], summary: `Change ${one} in your editor`, args: [ref], getFlags: getEditFlags },
    { verb: "clone", aliases: [], summary: `Copy ${one} within the site, with changes`, args: [ref], getFlags: getCloneFlags },
    { verb: "open", aliases: [], summary: `Open the page of ${one}`, args: [ref], getFlags: () => [] },
    {
      verb: "delete",
      aliases: ["rm"],
      summary: `Delete ${name}`,
      args: [refs],
      getFlags: () => [whereFlag, maxDeleteFlag, ignoreMissingFlag, rawDeleteFlag],
    },
    {
      verb: "import",
      aliases: [],
      summary: `Create and update ${name} from a file, again and again`,
      args: [
        {
          name: "source",
          meaning: `A file or an address: CSV, TSV, JSON, NDJSON${resource.hasDates ? ", YAML or iCalendar" : " or YAML"}; or - for stdin`,
        },
      ],
      getFlags: getImportFlags,
    },
    // Terms have no trash.
    ...(resource.isTerm
      ? []
      : [{ verb: "restore" as const, aliases: [], summary: `Take ${name} out of the trash`, args: [refs], getFlags: getRestoreFlags }]),
  ];
  return verbs.map(({ verb, aliases, summary, args, getFlags }) => {
    const isMany = ["update", "delete", "restore", "clone"].includes(verb);
    const isWrite = verb !== "list" && verb !== "get" && verb !== "open";
    const getFlagsOnce = once(() => [...getFlags(resource), ...(isWrite ? [planOutFlag] : []), ...(isMany ? [maxChangesFlag] : [])]);
    return {
      path: [name, verb],
      aliases,
      summary,
      get details() {
        return getFlagsOnce().some(({ value }) => value === "ref") ? `${verbDetails[verb]} ${linkDetails}` : verbDetails[verb];
      },
      args,
      get flags() {
        return getFlagsOnce();
      },
      get examples() {
        return getExamples(resource, verb);
      },
      reportsProblems: true,
      load: async () => {
        const { wrapHandlerWithCache } = await import("../completion/value-cache.ts");
        const cached = wrapHandlerWithCache(resource, verb === "delete", await handlerLoaders[verb](resource));
        const handler = withExport(resource, cached);
        return async (invocation, context) => {
          const parsed =
            invocation.flags["where"] === undefined
              ? invocation
              : await (await import("../where.ts")).parseWhere(invocation, getListFlags(resource));
          if (parsed.flags["plan-out"] === undefined || verb === "import") return handler(parsed, context);
          return (await import("../../commands/plan.ts")).withPlanOut(handler)(parsed, context);
        };
      },
    };
  });
}

/** The handler, and the formats of exports, which are loaded where a flag chooses one. */
export function withExport(resource: Resource, handler: Handler): Handler {
  return async (invocation, context) => {
    const { format, "for-import": forImport } = invocation.flags;
    if (forImport === undefined && !exportFormats.some((one) => one === format)) return handler(invocation, context);
    return (await import("../../commands/export.ts")).exportRecords(resource, handler, invocation, context);
  };
}
