// `cal <resource> edit`: the record as YAML in the person's editor, and the change, and nothing else, to the server.
import { type DataRecord, idOf } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { adviceOf, CalError, usageError } from "../../errors.ts";
import { PlannedRequest } from "../../http/guard.ts";
import { shellQuote } from "../../http/shell-word.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Handler } from "../command.ts";
import { findInteractiveUserForWrite } from "../person.ts";
import { describeRecord } from "./after.ts";
import { summarizeUpdated } from "./brief.ts";
import { callOf, throwIfProblems } from "./call.ts";
import { applyDates } from "./dates/dated.ts";
import { createEditFile, type EditFile, retentionDays } from "./draft.ts";
import { type UncommentResult, uncommentChangedFields } from "./edit-shown.ts";
import { type FieldValues, findChangedValues, formatDiff, formatRecordAsYaml, parseFieldValues } from "./edit-text.ts";
import { parseDataValues } from "./given/given.ts";
import { fieldNames, validateOutputFields } from "./known.ts";
import { runWithPlannedRequests } from "./links/missing.ts";
import { readOne, readOneRef } from "./one.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";
import { parseUpdateMethod, resolveLinkedChanges, validateClears } from "./update.ts";
import { type Update, updateOne } from "./update-one.ts";

/** A record on the desk of a person. */
interface Desk extends Scene {
  readonly site: RecordSite;
  readonly user: Prompt;
  /** As it was read. */
  readonly record: DataRecord;
  readonly path: PathRef;
  readonly editFile: EditFile;
  /** What its text held before it was edited. */
  readonly originalValues: FieldValues;
}

/** The handler that edits a record of a resource. Needs a terminal. */
export function edit(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "edit", invocation, context);
    call.problems.push(...validateOutputFields(call));
    const refs = await readOneRef(call);
    const scene = await sceneOf(call);
    throwIfProblems(scene);
    const user = await findInteractiveUserForWrite(context);
    if (user === undefined)
      throw usageError("edit opens an editor, and there is nobody at a terminal to use it", `see: cal ${resource.name} update --help`);
    const site = await openSite(scene);
    const { path: found, record } = await readOne(scene, site, refs, "write");
    const id = idOf(record);
    const path: PathRef = id === undefined ? found : { by: "id", id };
    const text = formatRecordAsYaml(resource, record, site.serverProfile);
    const editFile = await createEditFile(context, `${resource.singular}.yaml`, text);
    return summarizeUpdated(
      await editUntilSent({ ...scene, site, user, record, path, editFile, originalValues: parseFieldValues(text) }, text),
    );
  };
}

/** Edits and sends; what can be mended in the text may be edited again. The text is kept where it has not been sent. */
async function editUntilSent(desk: Desk, original: string): Promise<Report> {
  const { context, user, editFile } = desk;
  const work = async (): Promise<Report> => {
    await editFile.edit();
    try {
      // What is wrong with one text may be right in the next.
      return await send({ ...desk, problems: [] }, await editFile.read(), original);
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      await context.say(adviceOf(error));
      if (await user.confirm("Edit it again?", true)) return work();
      throw error;
    }
  };
  try {
    const report = await work();
    await editFile.remove();
    return report;
  } catch (error) {
    if (error instanceof PlannedRequest || (await editFile.read()) === original) await editFile.remove();
    else if (error instanceof CalError) throw withEditFileHint(error, desk);
    throw error;
  }
}

/** What the text itself, or what it asks for, is the reason of. */
function isCorrectable(error: unknown): error is CalError {
  if (!(error instanceof CalError)) return false;
  return error.kind === "usage" || (error.kind === "rejected" && error.details.code !== "changed-meanwhile");
}

/** Sent as a whole, the text would undo what somebody else changed: then only its place is told. */
function withEditFileHint(error: CalError, { resource, path, editFile }: Desk): CalError {
  const { kind, message, details } = error;
  const ref = path.by === "id" ? path.id : `slug:${path.slug}`;
  const again =
    details.code === "changed-meanwhile"
      ? `your text is kept for ${retentionDays} days: ${editFile.path}`
      : `your text is kept for ${retentionDays} days; ${isCorrectable(error) ? "mend it and" : "to send it"}: cal ${resource.name} update ${shellQuote(ref)} --data @${shellQuote(editFile.path)}`;
  return new CalError(kind, message, { ...details, hint: details.hint === undefined ? again : `${details.hint}\n${again}` });
}

/** Its "#" are taken away, so that saving the text once more sends it. */
async function rejectCommentChanges({ editFile }: Desk, found: UncommentResult | undefined): Promise<void> {
  if (found === undefined) return;
  await editFile.write(found.text);
  const names = found.fieldNames.join(" and ");
  throw usageError(
    `${names} was changed where it is only shown, and what stands behind "#" is not sent`,
    'the "#" is gone from it now: save the text once more to send it; it replaces the original, blocks and shortcodes too',
  );
}

/** Sends what changed in the text, having shown it. */
async function send(desk: Desk, text: string, original: string): Promise<Report> {
  const { resource, invocation, context, problems, site, user, record, originalValues, path } = desk;
  const after = parseFieldValues(text);
  await rejectCommentChanges(desk, uncommentChangedFields(resource, original, text, after));
  const gone = Object.keys(originalValues).filter((name) => !Object.hasOwn(after, name));
  if (gone.length > 0) await context.notice(`without a line, and so left as it is: ${gone.join(", ")}`);
  const changes = findChangedValues(originalValues, after);
  const report = (shown: DataRecord): Report => ({
    kind: "record",
    columns: resource.columns,
    fieldNames: fieldNames(resource),
    record: shown,
  });
  if (Object.keys(changes).length === 0) {
    await context.notice(`nothing to change: ${describeRecord(resource, record)}`);
    return report(record);
  }
  const input = parseDataValues(resource, changes, "the text", problems);
  problems.push(...validateClears(resource, input, site.serverProfile));
  await applyDates(desk, input, undefined);
  throwIfProblems(desk);
  await context.say(formatDiff(originalValues, changes));
  const mustAsk = context.globals["yes"] !== true && context.globals["dry-run"] !== true;
  if (mustAsk && !(await user.confirm("Send this change?", true))) throw new CalError("declined", "nothing was sent", { code: "declined" });
  const { values, plannedRequests } = await resolveLinkedChanges(desk, site, input, record);
  const job: Update = { ...desk, verb: "update", input: values, method: parseUpdateMethod(invocation), raw: false, baseRecord: record };
  return runWithPlannedRequests(plannedRequests, async () => report(await updateOne(job, { text: "", ref: path })));
}
