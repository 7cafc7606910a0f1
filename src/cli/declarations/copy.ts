// `cal <resource> copy`: from one site to another.
import type { CommandSpec, Flag } from "../../commands/command.ts";
import type { Resource } from "../../model/resource.ts";
import { once } from "../../once.ts";
import { maxChangesFlag, planOutFlag } from "./changes.ts";
import { getConflictFlag, ledgerFlag } from "./import.ts";
import { getSample } from "./record-examples.ts";
import { getListFlags } from "./record-flags.ts";

const toFlag: Flag = {
  name: "to",
  type: "text",
  value: "profile",
  meaning: "The profile of the site that the records are written to (required)",
  group: "The target",
};

/** Flags of a list that choose how it is printed. */
const printFlags: readonly string[] = ["page", "per-page", "envelope", "format", "for-import"];

/** What a record is found by beside its name. */
const identities: Readonly<Record<Resource["name"], string>> = {
  events: " with its start and venue",
  venues: " with its city",
  organizers: "",
  categories: " with its parent",
  tags: "",
};

export function createCopyCommand(resource: Resource): CommandSpec {
  const { name, singular, fields } = resource;
  const { id } = getSample(resource);
  const getFlags = once(() => [
    toFlag,
    getConflictFlag("record", "The target"),
    { ...ledgerFlag, group: "The target" },
    ...getListFlags(resource)
      .filter((flag) => !printFlags.includes(flag.name))
      .map((flag) => (flag.name === "all" ? { ...flag, meaning: `All ${name} that cal ${name} list --all prints` } : flag)),
    maxChangesFlag,
    planOutFlag,
  ]);
  return {
    path: [name, "copy"],
    summary: `Copy ${name} to another site, again and again`,
    details:
      `What they link to is copied with them. A record is found again by the ledger of earlier copies, its slug, or its name${identities[name]}. ` +
      "A second copy sends what has changed, and keeps edits of the target. " +
      (fields.some(({ format }) => format === "image") ? "Pictures are uploaded to a target that runs The Events Calendar. " : "") +
      "Flags and variables of an address or a login are about the source; those of the target are in: cal help environment.",
    args: [
      {
        name: "ref",
        meaning: `${singular} of the source: an id (123), a slug (town-hall, slug:2027) or name:"Town Hall"; or - to read refs from stdin`,
        many: true,
      },
    ],
    get flags() {
      return getFlags();
    },
    examples: [
      { command: `cal -p staging ${name} copy ${id} --to live --dry-run`, does: "Show what would be written, and what would be lost" },
      { command: `cal -p staging ${name} copy --all --to live --yes`, does: "Without a question; run again, it sends what has changed" },
      { command: "cal -p live undo", does: "Take it back" },
    ],
    reportsProblems: true,
    insteadWithout: { flag: "to", verb: "clone" },
    load: async () => (await import("../../commands/records/copy.ts")).copy(resource),
  };
}
