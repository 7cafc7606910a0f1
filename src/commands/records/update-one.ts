// The update of one record: reads it, lays the changes over it, sends what nothing is lost by, and compares the answer with it.
import { resolveRef } from "../../api/lookup.ts";
import { type DataRecord, getText, idOf } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildUpdateRequest, type Input, type UpdateMethod } from "../../api/request.ts";
import { buildWriteBody, planUpdate } from "../../api/update.ts";
import { toWritableRecord } from "../../api/writable.ts";
import { CalError } from "../../errors.ts";
import { stringifyExact } from "../../http/json-text.ts";
import { describeRecord, warnOfDifferences } from "./after.ts";
import { throwIfProblems } from "./call.ts";
import { formatChanges } from "./changed.ts";
import { applyDates } from "./dates/dated.ts";
import {
  assertDurationNotDoubled,
  assertEndAfterStart,
  reportDurationChange,
  reportOffsetFromNow,
  reportZoneChange,
} from "./dates/length.ts";
import { applyShift } from "./dates/shift.ts";
import { applyLinkChanges, type LinkChanges } from "./links/link-changes.ts";
import { readToWrite } from "./read.ts";
import type { RefArgument } from "./refs.ts";
import type { RecordSite, Scene } from "./site.ts";

/** One update command: the same changes for every ref. */
export interface Update extends Scene {
  readonly site: RecordSite;
  /** What the user gave, links resolved, dates as typed. */
  readonly input: Input;
  /** Links to be added to those of each record, and to be taken from them. */
  readonly links?: LinkChanges;
  readonly method: UpdateMethod;
  /** Whether several records are changed alike. */
  readonly many?: boolean;
  /** Send only what was given, and don't read the record first. */
  readonly raw: boolean;
  /** The record as it was when the person began to edit it: another one now is refused. */
  readonly baseRecord?: DataRecord;
}

/** Updates one record and resolves with the server's answer, or with the record where there is nothing to change. */
export async function updateOne(job: Update, { ref }: RefArgument): Promise<DataRecord> {
  const { resource, site, context } = job;
  const path = await resolveRef(site, resource, ref);
  if (job.raw) return updateRaw(job, path);
  const current = await readToWrite(site, resource, path);
  if (job.baseRecord !== undefined) assertNotStale(job, job.baseRecord, current);
  const given = await resolveInput(job, getText(current, "timezone") || site.zone, current);
  assertEndAfterStart(resource, current, given);
  // In an editor both dates are before one's eyes.
  if (job.baseRecord === undefined) assertDurationNotDoubled(job, current, given);
  const plan = planUpdate(resource, current, given, site.serverProfile, job.method);
  if (plan.changes.length === 0) {
    await context.notice(`nothing to change: ${describeRecord(resource, current)}`);
    return current;
  }
  if (job.baseRecord === undefined) await reportDurationChange(job, current, given);
  await reportZoneChange(job, current, given);
  const response = await send(job, getWritePath(job, path, idOf(current)), plan.body, given);
  await context.notice(
    () => `Updated ${describeRecord(resource, response)}${formatChanges(job, plan.changes, given, { current, response })}`,
  );
  await warnOfDifferences(job, given, response);
  return response;
}

/** By slug the record is read all the same: whether it is the one, and its id, which alone can say which one is to be renamed. */
async function updateRaw(job: Update, path: PathRef): Promise<DataRecord> {
  const { resource, site, context } = job;
  const given = await resolveInput(job, site.zone);
  const id = path.by === "id" ? path.id : idOf(await readToWrite(site, resource, path));
  const answer = await send(job, getWritePath(job, path, id), buildWriteBody(resource, given, site.serverProfile, id), given);
  await context.notice(`Updated ${describeRecord(resource, answer)}`);
  await warnOfDifferences(job, given, answer);
  return answer;
}

/** A by-slug body carries a slug only where it was given and can be taken: the path names the record. */
async function send({ resource, site, method }: Update, path: PathRef, body: Input, given: Input): Promise<DataRecord> {
  const { slug: _, ...others } = body;
  const own = path.by === "slug" && (given["slug"] === undefined || !site.serverProfile.slugInBody) ? others : body;
  const request = buildUpdateRequest(site, resource, path, method, own);
  return parseRecord(resource, await site.client.send(request), request);
}

/** Whether a slug is given where, in a by-slug body, it would name another record. */
function isRename({ input, site }: Update, path: PathRef): boolean {
  return path.by === "slug" && input["slug"] !== undefined && !site.serverProfile.slugInBody;
}

function getWritePath(job: Update, path: PathRef, id: string | undefined): PathRef {
  return isRename(job, path) && id !== undefined ? { by: "id", id } : path;
}

/** `modified` has seconds only, so what can be written is compared too. */
function assertNotStale({ resource, site }: Update, begun: DataRecord, current: DataRecord): void {
  const stateOf = (record: DataRecord) => stringifyExact([record["modified"], toWritableRecord(resource, record, site.serverProfile)]);
  if (stateOf(begun) === stateOf(current)) return;
  throw new CalError("rejected", `${describeRecord(resource, current)} was changed by somebody else in the meantime; nothing was sent`, {
    code: "changed-meanwhile",
    hint: `see it as it is now: cal ${resource.name} get ${idOf(current) ?? ""}`,
  });
}

/** The changes with their dates settled on the clock of the record, which is absent where it was not read. */
async function resolveInput(job: Update, ownZone: string, record?: DataRecord): Promise<Input> {
  // One job is done for many records, each with problems of its own.
  const scene = { ...job, problems: [] };
  const values = await applyDates(scene, job.input, ownZone, record);
  throwIfProblems(scene);
  if (job.baseRecord === undefined) await reportOffsetFromNow(job, job.input, values);
  if (record === undefined) return values;
  const moved = await applyShift(job, values, record, ownZone);
  return job.links === undefined ? moved : applyLinkChanges(job, moved, job.links, record);
}
