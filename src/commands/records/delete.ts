// `cal <resource> delete`: asks first, says whether the server trashes or destroys, and prints the server's answer.
import { readPages } from "../../api/pages.ts";
import { resolveRef, type Site, withRecordSuggestions } from "../../api/refs.ts";
import { buildDeleteRequest } from "../../api/request.ts";
import { normalizeDateTime } from "../../api/update.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { sanitizeLine, shellQuote } from "../../text.ts";
import type { Handler, Invocation } from "../command.ts";
import { findInteractiveUserForWrite } from "../prompt-user.ts";
import { type Call, callOf, openSite, type RecordSite, sceneOf, throwIfProblems } from "./command.ts";
import { reportRefs, resolveManyOptions } from "./many.ts";
import { describeRecord } from "./messages.ts";
import { getSingleRef, type RefArgument, type Refs, readRefs, readToWrite, resolveAmbiguousRefs, validateOutputFields } from "./refs.ts";

/** The handler that deletes records of a resource. */
export function remove(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "delete", invocation, context);
    const { problems } = call;
    problems.push(...validateOutputFields(call));
    const refs = await readRefs(call);
    const most = invocation.flags["max-delete"];
    if (typeof most === "number" && refs.refs.length > most)
      problems.push(`${refs.refs.length} ${resource.name} would be deleted, --max-delete allows ${most}; nothing was deleted`);
    const scene = await sceneOf(call);
    const person = await findConfirmingUser(refs, call);
    if (person === "nobody" && problems.length > 0) problems.push(`${confirmationMissingMessage}; --yes goes without`);
    throwIfProblems(call);
    if (person === "nobody") throw createConfirmationError(resource, invocation, refs);
    const site = await openSite(scene);
    const settled = await resolveAmbiguousRefs(call, site, refs);
    const options = await resolveManyOptions(invocation, context);
    const work = async ({ ref }: RefArgument) => {
      const path = await resolveRef(site, resource, ref);
      if (path.by === "slug") await readToWrite(site, resource, path);
      const reply = await site.client.write(buildDeleteRequest(site.namespace, resource, path));
      if (reply instanceof PlannedRequest) return reply;
      const { value } = reply;
      const answer: DataRecord = isRecord(value) ? value : { deleted: value };
      await context.notice(`Deleted ${describeRecord(resource, answer)}${movesToTrash(resource, site) ? " (it is in the trash)" : ""}`);
      return answer;
    };
    return withRecordSuggestions(site, resource, getSingleRef(settled), async () => {
      if (person !== undefined) await confirmDelete(person, call, settled, site);
      return reportRefs(resource, settled, options, work);
    });
  };
}

/** Who is to be asked; undefined where no answer is needed. Where there is nobody, `--yes` is, and nothing is sent without it. */
async function findConfirmingUser({ refs }: Refs, { problems, context }: Call): Promise<Prompt | "nobody" | undefined> {
  const { globals } = context;
  if (globals["yes"] === true || globals["dry-run"] === true || (refs.length === 0 && problems.length === 0)) return undefined;
  return (await findInteractiveUserForWrite(context)) ?? "nobody";
}

const confirmationMissingMessage = "delete needs a confirmation, and there is nobody to ask; nothing was deleted";

/** Of refs from stdin so many stand in the command that asks. */
const maxRefsInHint = 20;

/** Who pipes refs has no keyboard left to answer with: behind the command they leave it free. */
function createConfirmationError(resource: Resource, { args }: Invocation, { refs }: Refs): CalError {
  const command = (words: readonly string[]) => `cal ${resource.name} delete ${words.map(shellQuote).join(" ")}`;
  const asking = refs.length > maxRefsInHint ? [] : [`to be asked first: ${command(refs.map(({ text }) => text))}`];
  const hint = args.includes("-")
    ? [...asking, "without being asked: the same again, with --yes at its end"].join("\n")
    : `${command(args)} --yes`;
  return new CalError("usage", confirmationMissingMessage, { code: "confirmation-needed", hint });
}

/** Shows every record that would go, and asks once. */
async function confirmDelete(person: Prompt, { resource, invocation }: Call, { refs }: Refs, site: RecordSite): Promise<void> {
  const tolerant = invocation.flags["ignore-missing"] === true || refs.length > 1;
  const found = await Promise.all(refs.map((ref) => findDeleteTarget(resource, ref, site, tolerant)));
  const fate = movesToTrash(resource, site) ? "to the trash" : "destroyed";
  const [only] = found;
  const question =
    found.length === 1 && only !== undefined
      ? `Delete ${only.description}?${formatReferences(only, fate)} It ${fate === "destroyed" ? "is" : "goes"} ${fate}.`
      : `${formatDeleteQuestion(found, resource)}\n${found.map((one) => `  ${one.description}${one.references === undefined ? "" : ` (${one.references})`}\n`).join("")}They ${fate === "destroyed" ? "are" : "go"} ${fate}.`;
  if (!(await person.confirm(question, false))) throw new CalError("declined", "nothing was deleted", { code: "declined" });
}

/** What is asked of many, of which only those that are there count. */
function formatDeleteQuestion(found: readonly DeleteTarget[], { name, singular }: Resource): string {
  const count = found.filter(({ exists }) => exists).length;
  if (count === 0) return `None of these ${found.length} ${name} was found. Delete them all the same?`;
  return count === 1 ? `Delete this ${singular}?` : `Delete these ${count} ${name}?`;
}

/** Recorded: events go on showing a venue or an organizer that is in the trash. */
function formatReferences({ references }: DeleteTarget, fate: string): string {
  return references === undefined ? "" : ` ${references}${fate === "destroyed" ? "" : ", and will still show it"}.`;
}

interface DeleteTarget {
  readonly description: string;
  /** `12 events have it`. */
  readonly references?: string | undefined;
  readonly exists: boolean;
}

async function findDeleteTarget(
  resource: Resource,
  { text, ref }: RefArgument,
  site: RecordSite,
  tolerant: boolean,
): Promise<DeleteTarget> {
  try {
    const path = await resolveRef(site, resource, ref);
    const record = await readToWrite(site, resource, path);
    const references = await findReferences(site, resource, record);
    return { description: sanitizeLine(describeRecord(resource, record, formatStart(record, site.zone))), references, exists: true };
  } catch (error) {
    if (tolerant && error instanceof CalError && error.kind === "not-found")
      return { description: `${resource.singular} ${text} (there is none)`, exists: false };
    throw error;
  }
}

/** What tells events of one title apart; the zone where it is not the viewer's. Nothing of records without a start. */
function formatStart(record: DataRecord, viewer: string): string | undefined {
  const wall = normalizeDateTime(record["start_date"]);
  if (wall === undefined) return undefined;
  if (record["all_day"] === true) return `${wall.slice(0, 10)} all day`;
  const zone = getText(record, "timezone");
  return wall.slice(0, 16) + (zone === "" || zone === viewer ? "" : ` ${zone}`);
}

function movesToTrash(resource: Resource, site: RecordSite): boolean {
  return !resource.isTerm && site.serverProfile.deleteMode === "trashes";
}

// How many events link to a venue, an organizer, a category or a tag that is about to go.

/** `12 events have it`; undefined where none has, where events can't be asked for it, and where the server does not tell. */
async function findReferences(
  { client, namespace, serverProfile }: Site,
  resource: Resource,
  record: DataRecord,
): Promise<string | undefined> {
  const { events } = resources;
  const filter = events.filters.find(({ refersTo }) => refersTo === resource.name);
  const id = idOf(record);
  if (resource === events || filter === undefined || id === undefined) return undefined;
  const filters = { ...serverProfile.unfilteredParameters.events, [filter.name]: [id] };
  try {
    for await (const page of readPages({
      client,
      namespace,
      resource: events,
      filters,
      first: 1,
      perPage: 1,
      single: true,
      perPageIsAutomatic: true,
    }))
      return page.total === undefined || page.total === 0
        ? undefined
        : page.total === 1
          ? "1 event has it"
          : `${page.total} events have it`;
  } catch (error) {
    // What can't be counted is deleted all the same, if that is the answer.
    if (!(error instanceof CalError)) throw error;
  }
  return undefined;
}
