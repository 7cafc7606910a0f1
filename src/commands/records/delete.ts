// `cal <resource> delete`: asks first, says whether the server trashes or destroys, and prints the server's answer.
import { countEvents } from "../../api/linked-events.ts";
import { type RecordSource, resolveRef, withRecordSuggestions } from "../../api/refs.ts";
import { normalizeDateTime } from "../../api/reply.ts";
import { buildDeleteRequest, type PathRef } from "../../api/request.ts";
import { findLimitProblem } from "../../changes/limits.ts";
import { createDeleteChange, readRemovedLinks } from "../../changes/plan.ts";
import { sendChange } from "../../changes/write.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { sanitizeLine, shellQuote, unbreakable } from "../../text.ts";
import type { Handler, Invocation } from "../command.ts";
import { parseLimits } from "../limits.ts";
import { findInteractiveUserForWrite } from "../prompt-user.ts";
import { createRecordCommand, openSite, type RecordCommand, throwIfProblems, validateOutputFields } from "./command.ts";
import { describeRecord } from "./messages.ts";
import { getSingleRef, type RefArgument, type Refs, readRecord, readRefs, reportRefs, resolveAmbiguousRef } from "./refs.ts";

/** The handler that deletes records of a resource. */
export function remove(resource: Resource): Handler {
  return async (invocation, context) => {
    const { globals } = context;
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const refs = await readRefs(resource, invocation, context, problems);
    const count = refs.refs.length;
    const excess = findLimitProblem({ writes: count, deletions: count }, parseLimits(invocation));
    if (excess !== undefined) problems.push(excess);
    const command = await createRecordCommand(resource, "delete", invocation, context, problems);
    const where = invocation.where === undefined ? undefined : await import("./where.ts");
    await where?.validateWhere(command);
    const isConfirmed =
      where !== undefined || globals["yes"] === true || globals["dry-run"] === true || (refs.refs.length === 0 && problems.length === 0);
    const user = isConfirmed ? undefined : await findInteractiveUserForWrite(context);
    const isUnconfirmed = !isConfirmed && user === undefined;
    if (isUnconfirmed && problems.length > 0) problems.push(`${confirmationMissingMessage}; --yes deletes without a question`);
    throwIfProblems(command);
    if (isUnconfirmed) throw createConfirmationError(resource, invocation, refs);
    const site = await openSite(command);
    const selected = await where?.selectRecords(command);
    if (selected !== undefined) await where?.confirmSelection(command, selected);
    const chosen = selected ?? (await resolveAmbiguousRef(command, site, refs));
    const journal = await context.journal();
    const isUndoable = journal.isOn && invocation.flags["raw"] !== true;
    const deleteRecord = async ({ ref, text }: RefArgument, itsSite: RecordSource) => {
      const path = await resolveRef(site, resource, ref);
      const former = path.by === "slug" || isUndoable ? await readFormer(command, site, path) : undefined;
      const id = path.by === "id" ? path.id : former && idOf(former);
      const links =
        isUndoable && journal.plan === undefined && id !== undefined && former !== undefined
          ? await readRemovedLinks(site, resource, id)
          : undefined;
      const planned = { change: createDeleteChange(resource, text, { id, ...former }), former, links };
      const request = buildDeleteRequest(site.namespace, resource, path);
      const reply = await sendChange({ site: itsSite, journal, resource }, planned, request);
      if (reply instanceof PlannedRequest) return [reply];
      const response: DataRecord = isRecord(reply.value) ? reply.value : { deleted: reply.value };
      const inTrash = () =>
        ` (it is in the trash; to restore it: ${unbreakable(`cal ${resource.name} restore ${idOf(response) ?? "<id>"}`)})`;
      await context.notice(() => `Deleted ${describeRecord(resource, response)}${movesToTrash(resource, site) ? inTrash() : ""}`);
      return response;
    };
    if (user !== undefined)
      await withRecordSuggestions(site, resource, getSingleRef(chosen), () => confirmDelete(command, site, chosen, user));
    return reportRefs(command, site, chosen, deleteRecord);
  };
}

/** The record before it is deleted. One that can't be read is deleted by its id all the same, and can't be restored. */
async function readFormer(command: RecordCommand, site: RecordSource, path: PathRef): Promise<DataRecord | undefined> {
  try {
    return await readRecord(command, site, path, "write");
  } catch (error) {
    const isUnreadable = error instanceof CalError && (error.kind === "forbidden" || error.details.code === "unreadable-answer");
    if (path.by === "id" && isUnreadable) return undefined;
    throw error;
  }
}

const confirmationMissingMessage = "delete needs a confirmation, and there is no terminal; nothing was deleted";

/** More refs from stdin than these are not repeated in a hint. */
const maxRefsInHint = 20;

/** Where refs come from stdin, the keyboard can't answer a question. A command with the refs as arguments leaves stdin free. */
function createConfirmationError(resource: Resource, { args }: Invocation, { refs }: Refs): CalError {
  const command = (words: readonly string[]) => `cal ${resource.name} delete ${words.map(shellQuote).join(" ")}`;
  const asking = refs.length > maxRefsInHint ? [] : [{ text: "to be asked first", command: command(refs.map(({ text }) => text)) }];
  const hint = args.includes("-")
    ? [...asking, "without being asked: the same again, with --yes at its end"]
    : { command: `${command(args)} --yes` };
  return new CalError("usage", confirmationMissingMessage, { code: "confirmation-needed", hint });
}

/** Shows every record that would be deleted, and asks once. */
async function confirmDelete(command: RecordCommand, site: RecordSource, { refs }: Refs, user: Prompt): Promise<void> {
  const { resource, invocation } = command;
  const allowMissing = invocation.flags["ignore-missing"] === true || refs.length > 1;
  const targets = await Promise.all(refs.map((ref) => findDeleteTarget(command, site, ref, allowMissing)));
  const toTrash = movesToTrash(resource, site);
  const [only] = targets;
  if (only !== undefined && targets.length === 1) {
    // Recorded: events go on showing a venue or an organizer that is in the trash.
    const references = only.references === undefined ? "" : ` ${only.references}${toTrash ? ", and will still show it" : ""}.`;
    await confirmOrThrow(user, `Delete ${only.description}?${references} It ${toTrash ? "goes to the trash" : "does not go to a trash"}.`);
    return;
  }
  const count = targets.filter(({ exists }) => exists).length;
  const question =
    count === 0
      ? `None of these ${targets.length} ${resource.name} was found. Delete them all the same?`
      : count === 1
        ? `Delete this ${resource.singular}?`
        : `Delete these ${count} ${resource.name}?`;
  const lines = targets.map((one) => `  ${one.description}${one.references === undefined ? "" : ` (${one.references})`}\n`);
  await confirmOrThrow(user, `${question}\n${lines.join("")}They ${toTrash ? "go to the trash" : "do not go to a trash"}.`);
}

async function confirmOrThrow(user: Prompt, question: string): Promise<void> {
  if (!(await user.confirm(question, false))) throw new CalError("declined", "nothing was deleted", { code: "declined" });
}

interface DeleteTarget {
  readonly description: string;
  /** `12 events have it`. */
  readonly references?: string | undefined;
  readonly exists: boolean;
}

async function findDeleteTarget(
  command: RecordCommand,
  site: RecordSource,
  { text, ref }: RefArgument,
  allowMissing: boolean,
): Promise<DeleteTarget> {
  const { resource, settings } = command;
  try {
    const path = await resolveRef(site, resource, ref);
    const record = await readRecord(command, site, path, "write");
    const references = await findReferences(site, resource, record);
    return {
      description: sanitizeLine(describeRecord(resource, record, formatStart(record, settings.tz.value))),
      references,
      exists: true,
    };
  } catch (error) {
    if (allowMissing && error instanceof CalError && error.kind === "not-found")
      return { description: `${resource.singular} ${text} (there is none)`, exists: false };
    throw error;
  }
}

/** The start, which distinguishes events of one title, with its zone where it is not the user's. Undefined for records without a start. */
function formatStart(record: DataRecord, userZone: string): string | undefined {
  const wall = normalizeDateTime(record["start_date"]);
  if (wall === undefined) return undefined;
  if (record["all_day"] === true) return `${wall.slice(0, 10)} all day`;
  const zone = getText(record, "timezone");
  return wall.slice(0, 16) + (zone === "" || zone === userZone ? "" : ` ${zone}`);
}

function movesToTrash(resource: Resource, { serverProfile }: RecordSource): boolean {
  return !resource.isTerm && serverProfile.deleteMode === "trashes";
}

/** `12 events have it`; undefined where no event links to the record. */
async function findReferences(site: RecordSource, resource: Resource, record: DataRecord): Promise<string | undefined> {
  const count = await countEvents(site, resource, idOf(record) ?? "");
  return count === undefined || count === 0 ? undefined : count === 1 ? "1 event has it" : `${count} events have it`;
}
