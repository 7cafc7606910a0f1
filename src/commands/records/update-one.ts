// The update of one record: reads it, lays the changes over it, sends what nothing is lost by, and compares the answer with it.
import { resolveRef } from "../../api/lookup.ts";
import { type DataRecord, idOf, textAt } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { readRecord } from "../../api/reply.ts";
import { type Input, type UpdateMethod, updateRequest } from "../../api/request.ts";
import { planUpdate, writeBody } from "../../api/update.ts";
import { writableRecord } from "../../api/writable.ts";
import { CalError } from "../../errors.ts";
import { stringifyExact } from "../../http/json-text.ts";
import { described, warnOfDifferences } from "./after.ts";
import { refuse } from "./call.ts";
import { changedLines } from "./changed.ts";
import { withDates } from "./dates/dated.ts";
import { refuseBackwards, refuseStretched, tellFromNow, tellLength, tellZone } from "./dates/length.ts";
import { withShift } from "./dates/shift.ts";
import { type LinkChanges, withLinks } from "./links/link-changes.ts";
import { readToWrite } from "./read.ts";
import type { TypedRef } from "./refs.ts";
import type { RecordSite, Scene } from "./site.ts";

/** One update command: the same changes for every ref. */
export interface Update extends Scene {
  readonly site: RecordSite;
  /** What the user gave, links resolved, dates as typed. */
  readonly given: Input;
  /** Links to be added to those of each record, and to be taken from them. */
  readonly links?: LinkChanges;
  readonly method: UpdateMethod;
  /** Whether several records are changed alike. */
  readonly many?: boolean;
  /** Send only what was given, and don't read the record first. */
  readonly raw: boolean;
  /** The record as it was when the person began to edit it: another one now is refused. */
  readonly begun?: DataRecord;
}

/** Updates one record and resolves with the server's answer, or with the record where there is nothing to change. */
export async function updateOne(job: Update, { ref }: TypedRef): Promise<DataRecord> {
  const { resource, site, context } = job;
  const path = await resolveRef(site, resource, ref);
  if (job.raw) return updateRaw(job, path);
  const current = await readToWrite(site, resource, path);
  if (job.begun !== undefined) refuseStale(job, job.begun, current);
  const given = await dated(job, textAt(current, "timezone") || site.zone, current);
  refuseBackwards(resource, current, given);
  // In an editor both dates are before one's eyes.
  if (job.begun === undefined) refuseStretched(job, current, given);
  const plan = planUpdate(resource, current, given, site.kind, job.method);
  if (plan.changes.length === 0) {
    await context.notice(`nothing to change: ${described(resource, current)}`);
    return current;
  }
  if (job.begun === undefined) await tellLength(job, current, given);
  await tellZone(job, current, given);
  const answer = await send(job, writePath(job, path, idOf(current)), plan.body, given);
  await context.notice(() => `Updated ${described(resource, answer)}${changedLines(job, plan.changes, given, { current, answer })}`);
  await warnOfDifferences(job, given, answer);
  return answer;
}

/** By slug the record is read all the same: whether it is the one, and its id, which alone can say which one is to be renamed. */
async function updateRaw(job: Update, path: PathRef): Promise<DataRecord> {
  const { resource, site, context } = job;
  const given = await dated(job, site.zone);
  const id = path.by === "id" ? path.id : idOf(await readToWrite(site, resource, path));
  const answer = await send(job, writePath(job, path, id), writeBody(resource, given, site.kind, id), given);
  await context.notice(`Updated ${described(resource, answer)}`);
  await warnOfDifferences(job, given, answer);
  return answer;
}

/** A by-slug body carries a slug only where it was given and can be taken: the path names the record. */
async function send({ resource, site, method }: Update, path: PathRef, body: Input, given: Input): Promise<DataRecord> {
  const { slug: _, ...others } = body;
  const own = path.by === "slug" && (given["slug"] === undefined || !site.kind.slugInBody) ? others : body;
  const request = updateRequest(site, resource, path, method, own);
  return readRecord(resource, await site.client.send(request), request);
}

/** Whether a slug is given where, in a by-slug body, it would name another record. */
function renames({ given, site }: Update, path: PathRef): boolean {
  return path.by === "slug" && given["slug"] !== undefined && !site.kind.slugInBody;
}

function writePath(job: Update, path: PathRef, id: string | undefined): PathRef {
  return renames(job, path) && id !== undefined ? { by: "id", id } : path;
}

/** `modified` has seconds only, so what can be written is compared too. */
function refuseStale({ resource, site }: Update, begun: DataRecord, current: DataRecord): void {
  const stateOf = (record: DataRecord) => stringifyExact([record["modified"], writableRecord(resource, record, site.kind)]);
  if (stateOf(begun) === stateOf(current)) return;
  throw new CalError("rejected", `${described(resource, current)} was changed by somebody else in the meantime; nothing was sent`, {
    code: "changed-meanwhile",
    hint: `see it as it is now: cal ${resource.name} get ${idOf(current) ?? ""}`,
  });
}

/** The changes with their dates settled on the clock of the record, which is absent where it was not read. */
async function dated(job: Update, ownZone: string, record?: DataRecord): Promise<Input> {
  // One job is done for many records, each with problems of its own.
  const scene = { ...job, problems: [] };
  const values = await withDates(scene, job.given, ownZone, record);
  refuse(scene);
  if (job.begun === undefined) await tellFromNow(job, job.given, values);
  if (record === undefined) return values;
  const moved = await withShift(job, values, record, ownZone);
  return job.links === undefined ? moved : withLinks(job, moved, job.links, record);
}
