// `cal <resource> edit`: the record as YAML in the person's editor, and the change, and nothing else, to the server.
import { type DataRecord, idOf } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { adviceOf, CalError, usage } from "../../errors.ts";
import { PlannedRequest } from "../../http/guard.ts";
import { shellWord } from "../../http/shell-word.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Handler } from "../command.ts";
import { personToWrite } from "../person.ts";
import { described } from "./after.ts";
import { changedBriefly } from "./brief.ts";
import { callOf, refuse } from "./call.ts";
import { withDates } from "./dates/dated.ts";
import { createDraft, type Draft, keptDays } from "./draft.ts";
import { type Uncommented, uncommented } from "./edit-shown.ts";
import { changedValues, diffText, editText, type Values, valuesIn } from "./edit-text.ts";
import { dataValues } from "./given/given.ts";
import { knownNames, unknownFields } from "./known.ts";
import { withPlanned } from "./links/missing.ts";
import { readOne, readOneRef } from "./one.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";
import { impossible, linkedChanges, methodOf } from "./update.ts";
import { updateOne } from "./update-one.ts";

/** A record on the desk of a person. */
interface Desk extends Scene {
  readonly site: RecordSite;
  readonly person: Prompt;
  /** As it was read. */
  readonly record: DataRecord;
  readonly path: PathRef;
  readonly draft: Draft;
  /** What its text held before it was edited. */
  readonly before: Values;
}

/** The handler that edits a record of a resource. Needs a terminal. */
export function edit(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "edit", invocation, context);
    call.problems.push(...unknownFields(call));
    const refs = await readOneRef(call);
    const scene = await sceneOf(call);
    refuse(scene);
    const person = await personToWrite(context);
    if (person === undefined)
      throw usage("edit opens an editor, and there is nobody at a terminal to use it", `see: cal ${resource.name} update --help`);
    const site = await openSite(scene);
    const { path: found, record } = await readOne(scene, site, refs, "write");
    const id = idOf(record);
    const path: PathRef = id === undefined ? found : { by: "id", id };
    const text = editText(resource, record, site.kind);
    const draft = await createDraft(context, `${resource.singular}.yaml`, text);
    return changedBriefly(await editUntilSent({ ...scene, site, person, record, path, draft, before: valuesIn(text) }, text));
  };
}

/** Edits and sends; what can be mended in the text may be edited again. The text is kept where it has not been sent. */
async function editUntilSent(desk: Desk, original: string): Promise<Report> {
  const { context, person, draft } = desk;
  const work = async (): Promise<Report> => {
    await draft.edit();
    try {
      // What is wrong with one text may be right in the next.
      return await send({ ...desk, problems: [] }, await draft.text(), original);
    } catch (error) {
      if (!isMendable(error)) throw error;
      await context.say(adviceOf(error));
      if (await person.confirm("Edit it again?", true)) return work();
      throw error;
    }
  };
  try {
    const report = await work();
    await draft.remove();
    return report;
  } catch (error) {
    if (error instanceof PlannedRequest || (await draft.text()) === original) await draft.remove();
    else if (error instanceof CalError) throw withText(error, desk);
    throw error;
  }
}

/** What the text itself, or what it asks for, is the reason of. */
function isMendable(error: unknown): error is CalError {
  if (!(error instanceof CalError)) return false;
  return error.kind === "usage" || (error.kind === "rejected" && error.details.code !== "changed-meanwhile");
}

/** Sent as a whole, the text would undo what somebody else changed: then only its place is told. */
function withText(error: CalError, { resource, path, draft }: Desk): CalError {
  const { kind, message, details } = error;
  const ref = path.by === "id" ? path.id : `slug:${path.slug}`;
  const again =
    details.code === "changed-meanwhile"
      ? `your text is kept for ${keptDays} days: ${draft.path}`
      : `your text is kept for ${keptDays} days; ${isMendable(error) ? "mend it and" : "to send it"}: cal ${resource.name} update ${shellWord(ref)} --data @${shellWord(draft.path)}`;
  return new CalError(kind, message, { ...details, hint: details.hint === undefined ? again : `${details.hint}\n${again}` });
}

/** Its "#" are taken away, so that saving the text once more sends it. */
async function refuseCommented({ draft }: Desk, found: Uncommented | undefined): Promise<void> {
  if (found === undefined) return;
  await draft.write(found.text);
  const names = found.names.join(" and ");
  throw usage(
    `${names} was changed where it is only shown, and what stands behind "#" is not sent`,
    'the "#" is gone from it now: save the text once more to send it; it replaces the original, blocks and shortcodes too',
  );
}

/** Sends what changed in the text, having shown it. */
async function send(desk: Desk, text: string, original: string): Promise<Report> {
  const { resource, invocation, context, problems, site, person, record, before, path } = desk;
  const after = valuesIn(text);
  await refuseCommented(desk, uncommented(resource, original, text, after));
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  if (gone.length > 0) await context.notice(`without a line, and so left as it is: ${gone.join(", ")}`);
  const changes = changedValues(before, after);
  const report = (shown: DataRecord): Report => ({
    kind: "record",
    columns: resource.columns,
    known: knownNames(resource),
    record: shown,
  });
  if (Object.keys(changes).length === 0) {
    await context.notice(`nothing to change: ${described(resource, record)}`);
    return report(record);
  }
  const given = dataValues(resource, changes, "the text", problems);
  problems.push(...impossible(resource, given, site.kind));
  await withDates(desk, given, undefined);
  refuse(desk);
  await context.say(diffText(before, changes));
  const mustAsk = context.globals["yes"] !== true && context.globals["dry-run"] !== true;
  if (mustAsk && !(await person.confirm("Send this change?", true)))
    throw new CalError("declined", "nothing was sent", { code: "declined" });
  const { values, planned } = await linkedChanges(desk, site, given, record);
  const job = { ...desk, verb: "update", given: values, method: methodOf(invocation), raw: false, begun: record };
  return withPlanned(planned, async () => report(await updateOne(job, { text: "", ref: path })));
}
