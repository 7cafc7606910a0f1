// `cal <resource> delete`: asks first, says whether the server trashes or destroys, and prints the server's answer.
import { wallText } from "../../api/compare.ts";
import { resolveRef } from "../../api/lookup.ts";
import { tellingNear } from "../../api/near.ts";
import { type DataRecord, isRecord, textAt } from "../../api/record.ts";
import { deleteRequest } from "../../api/request.ts";
import { CalError } from "../../errors.ts";
import { oneLine } from "../../http/line.ts";
import { shellWord } from "../../http/shell-word.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Handler, Invocation } from "../command.ts";
import { personToWrite } from "../person.ts";
import { described } from "./after.ts";
import { type Call, callOf, refuse } from "./call.ts";
import { settledRefs } from "./choice.ts";
import { unknownFields } from "./known.ts";
import { manyOptions, reportRefs } from "./many.ts";
import { readToWrite } from "./read.ts";
import { onlyRef, type Refs, readRefs, type TypedRef } from "./refs.ts";
import { openSite, type RecordSite, sceneOf } from "./site.ts";
import { usesOf } from "./uses.ts";

/** The handler that deletes records of a resource. */
export function remove(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "delete", invocation, context);
    const { problems } = call;
    problems.push(...unknownFields(call));
    const refs = await readRefs(call);
    const most = invocation.flags["max-delete"];
    if (typeof most === "number" && refs.refs.length > most)
      problems.push(`${refs.refs.length} ${resource.name} would be deleted, --max-delete allows ${most}; nothing was deleted`);
    const scene = await sceneOf(call);
    const person = await confirmer(refs, call);
    if (person === "nobody" && problems.length > 0) problems.push(`${unconfirmed}; --yes goes without`);
    refuse(call);
    if (person === "nobody") throw confirmationNeeded(resource, invocation, refs);
    const site = await openSite(scene);
    const settled = await settledRefs(call, site, refs);
    const options = await manyOptions(invocation, context);
    const work = async ({ ref }: TypedRef) => {
      const path = await resolveRef(site, resource, ref);
      if (path.by === "slug") await readToWrite(site, resource, path);
      const { value } = await site.client.send(deleteRequest(site.namespace, resource, path));
      const answer: DataRecord = isRecord(value) ? value : { deleted: value };
      await context.notice(`Deleted ${described(resource, answer)}${trashes(resource, site) ? " (it is in the trash)" : ""}`);
      return answer;
    };
    return tellingNear(site, resource, onlyRef(settled), async () => {
      if (person !== undefined) await confirm(person, call, settled, site);
      return reportRefs(resource, settled, options, work);
    });
  };
}

/** Who is to be asked; undefined where no answer is needed. Where there is nobody, `--yes` is, and nothing is sent without it. */
async function confirmer({ refs }: Refs, { problems, context }: Call): Promise<Prompt | "nobody" | undefined> {
  const { globals } = context;
  if (globals["yes"] === true || globals["dry-run"] === true || (refs.length === 0 && problems.length === 0)) return undefined;
  return (await personToWrite(context)) ?? "nobody";
}

const unconfirmed = "delete needs a confirmation, and there is nobody to ask; nothing was deleted";

/** Of refs from stdin so many stand in the command that asks. */
const pastedAtMost = 20;

/** Who pipes refs has no keyboard left to answer with: behind the command they leave it free. */
function confirmationNeeded(resource: Resource, { args }: Invocation, { refs }: Refs): CalError {
  const command = (words: readonly string[]) => `cal ${resource.name} delete ${words.map(shellWord).join(" ")}`;
  const asking = refs.length > pastedAtMost ? [] : [`to be asked first: ${command(refs.map(({ text }) => text))}`];
  const hint = args.includes("-")
    ? [...asking, "without being asked: the same again, with --yes at its end"].join("\n")
    : `${command(args)} --yes`;
  return new CalError("usage", unconfirmed, { code: "confirmation-needed", hint });
}

/** Shows every record that would go, and asks once. */
async function confirm(person: Prompt, { resource, invocation }: Call, { refs }: Refs, site: RecordSite): Promise<void> {
  const tolerant = invocation.flags["ignore-missing"] === true || refs.length > 1;
  const found = await Promise.all(refs.map((ref) => named(resource, ref, site, tolerant)));
  const fate = trashes(resource, site) ? "to the trash" : "destroyed";
  const [only] = found;
  const question =
    found.length === 1 && only !== undefined
      ? `Delete ${only.name}?${usedBy(only, fate)} It ${fate === "destroyed" ? "is" : "goes"} ${fate}.`
      : `${askedOf(found, resource)}\n${found.map((one) => `  ${one.name}${one.uses === undefined ? "" : ` (${one.uses})`}\n`).join("")}They ${fate === "destroyed" ? "are" : "go"} ${fate}.`;
  if (!(await person.confirm(question, false))) throw new CalError("declined", "nothing was deleted", { code: "declined" });
}

/** What is asked of many, of which only those that are there count. */
function askedOf(found: readonly Found[], { name, singular }: Resource): string {
  const count = found.filter(({ isThere }) => isThere).length;
  if (count === 0) return `None of these ${found.length} ${name} was found. Delete them all the same?`;
  return count === 1 ? `Delete this ${singular}?` : `Delete these ${count} ${name}?`;
}

/** Recorded: events go on showing a venue or an organizer that is in the trash. */
function usedBy({ uses }: Found, fate: string): string {
  return uses === undefined ? "" : ` ${uses}${fate === "destroyed" ? "" : ", and will still show it"}.`;
}

interface Found {
  readonly name: string;
  /** `12 events have it`. */
  readonly uses?: string | undefined;
  readonly isThere: boolean;
}

async function named(resource: Resource, { text, ref }: TypedRef, site: RecordSite, tolerant: boolean): Promise<Found> {
  try {
    const path = await resolveRef(site, resource, ref);
    const record = await readToWrite(site, resource, path);
    const uses = await usesOf(site, resource, record);
    return { name: oneLine(described(resource, record, startOf(record, site.zone))), uses, isThere: true };
  } catch (error) {
    if (tolerant && error instanceof CalError && error.kind === "not-found")
      return { name: `${resource.singular} ${text} (there is none)`, isThere: false };
    throw error;
  }
}

/** What tells events of one title apart; the zone where it is not the viewer's. Nothing of records without a start. */
function startOf(record: DataRecord, viewer: string): string | undefined {
  const wall = wallText(record["start_date"]);
  if (wall === undefined) return undefined;
  if (record["all_day"] === true) return `${wall.slice(0, 10)} all day`;
  const zone = textAt(record, "timezone");
  return wall.slice(0, 16) + (zone === "" || zone === viewer ? "" : ` ${zone}`);
}

function trashes(resource: Resource, site: RecordSite): boolean {
  return !resource.isTerm && site.kind.deletes === "trashes";
}
