// `cal <resource> restore`: takes records out of the trash. A site's own way empties what is not sent, so all of the record is sent again.

import { readRawRecord } from "../../api/raw-record.ts";
import { findInTrash, type RecordSource, resolveRef } from "../../api/refs.ts";
import { type CurrentRecord, planUpdate } from "../../api/update.ts";
import { findUpdateWarnings } from "../../api/write-warnings.ts";
import { createRestoreChange } from "../../changes/plan.ts";
import { writeUpdate } from "../../changes/write.ts";
import { idOf } from "../../data-record.ts";
import { CalError, usageError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import type { Handler } from "../command.ts";
import { runWithinLimits } from "../limits.ts";
import { createRecordCommand, openSite, type RecordCommand, validateOutputFields } from "./command.ts";
import { describeRecord, warnBeforeWrite, warnOfDifferences } from "./messages.ts";
import { isPlanned, type RefArgument, type RefResult, readCurrentRecord, readRefs, reportRefs } from "./refs.ts";

/** The status of a restored record: the site does not tell which one it had, and nothing is to become public by accident. */
const defaultStatus = "draft";

/** The handler that takes records of a resource out of the trash. */
export function restore(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const refs = await readRefs(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "restore", invocation, context, problems);
    const status = String(invocation.flags["status"] ?? defaultStatus);
    if (status === "trash") problems.push("--status trash would leave it in the trash");
    const site = await openSite(command);
    if (site.serverProfile.deleteMode !== "trashes") throw usageError("this server has no trash: a delete destroys the record");
    return runWithinLimits(invocation, context, refs.refs.length, async (itsContext) => {
      const itsCommand = { ...command, context: itsContext };
      const work = (ref: RefArgument, itsSite: RecordSource) => restoreRecord(itsCommand, itsSite, ref, status);
      return reportRefs(itsCommand, await openSite(itsCommand), refs, work);
    });
  };
}

async function restoreRecord(command: RecordCommand, site: RecordSource, ref: RefArgument, status: string): Promise<RefResult> {
  const { resource, context, serverProfile } = command;
  const current = await readTrashedRecord(command, site, ref);
  const { record } = current;
  const id = idOf(record);
  if (record["status"] !== "trash" || id === undefined) {
    await context.notice(`nothing to restore: ${describeRecord(resource, record)} is not in the trash`);
    return record;
  }
  const input = { status };
  const plan = planUpdate(resource, current, input, serverProfile, "PATCH");
  await warnBeforeWrite(command, record, findUpdateWarnings(resource, current, plan, serverProfile));
  const update = { path: { by: "id", id }, id, method: "PATCH", body: plan.body, input } as const;
  const change = createRestoreChange(resource, ref.text, record, status);
  const target = { site, journal: await context.journal(), resource };
  const { response } = await writeUpdate(target, change, update, { former: current, price: plan.price });
  if (isPlanned(response)) return response;
  await context.notice(`Restored ${describeRecord(resource, response)} from the trash with the status ${String(response["status"])}`);
  await warnOfDifferences(command, input, response);
  return response;
}

/** Recorded: newer versions show an event of the trash in lists only. */
async function readTrashedRecord(command: RecordCommand, site: RecordSource, { ref, text }: RefArgument): Promise<CurrentRecord> {
  const { resource } = command;
  if (ref.by === "id") {
    try {
      return await readCurrentRecord(command, site, await resolveRef(site, resource, ref));
    } catch (error) {
      if (!(error instanceof CalError) || error.details.code !== "event-no-longer-available") throw error;
    }
  }
  const record = await findInTrash(site, resource, ref, text);
  const id = idOf(record);
  // Recorded: of an event with a password a list shows little, and what is not sent would be lost.
  if (resource.fields.some(({ name }) => record[name] === null))
    throw new CalError(
      "rejected",
      `${describeRecord(resource, record)} has a password, so the list of the trash does not show its fields`,
      {
        code: "fields-hidden",
        hint:
          ref.by === "id"
            ? "restore it in the site's dashboard"
            : { text: "by its id", command: `cal ${resource.name} restore ${id ?? ""}` },
      },
    );
  return { record, raw: id === undefined ? undefined : await readRawRecord(site, resource, id) };
}
