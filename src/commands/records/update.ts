// `cal <resource> update`: checks everything that can be checked here, then changes each record that was pointed at.
import { resolveRef, withRecordSuggestions } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildUpdateRequest, type Input, type PathRef, type UpdateMethod } from "../../api/request.ts";
import { buildWriteBody, isClearingValue, planUpdate, toWritableRecord } from "../../api/update.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { stringifyExact } from "../../http/json.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Handler, Invocation } from "../command.ts";
import { callOf, openSite, type RecordSite, type Scene, sceneOf, throwIfProblems } from "./command.ts";
import {
  applyDates,
  applyShift,
  assertDurationNotDoubled,
  assertEndAfterStart,
  reportDurationChange,
  reportOffsetFromNow,
  reportZoneChange,
  validateShift,
} from "./dates.ts";
import { readInput } from "./input.ts";
import {
  applyLinkChanges,
  assertSingleLinks,
  type LinkChanges,
  parseLinkChanges,
  resolveLinkOptions,
  resolveLinks,
  resolveLinksToRemove,
  splitLinkChanges,
  validateLinkChanges,
} from "./links.ts";
import { reportRefs, resolveManyOptions } from "./many.ts";
import { describeRecord, formatChanges, summarizeUpdated, warnOfDifferences } from "./messages.ts";
import { addPlannedRequests, assertNoMerge, createMissingRecords, getPlaceholders, type ResolvedLinks } from "./missing-links.ts";
import { getSingleRef, type RefArgument, readRefs, readToWrite, resolveAmbiguousRefs, validateOutputFields } from "./refs.ts";

/** The handler that updates records of a resource. */
export function update(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "update", invocation, context);
    const { problems } = call;
    problems.push(...validateOutputFields(call));
    const bothFromStdin = invocation.args.includes("-") && invocation.flags["data"] === "-";
    if (bothFromStdin) problems.push("refs and --data can't both come from stdin; put the data into a file: --data @file.json");
    const refs = await readRefs(call);
    const given = bothFromStdin ? {} : await readInput(call);
    const scene = await sceneOf(call);
    await applyDates(scene, given, undefined);
    const typed = parseLinkChanges(resource, invocation);
    problems.push(
      ...validateClears(resource, given, scene.site.serverProfile),
      ...validateShift(given, invocation),
      ...validateLinkChanges(call, typed, given),
    );
    const isEmpty = [given, typed.add, typed.remove].every((values) => Object.keys(values).length === 0);
    const isMoved = ["shift", "duration"].some((name) => invocation.flags[name] !== undefined);
    if (problems.length === 0 && isEmpty && !isMoved) problems.push("nothing to update: no field was given");
    const site = await openSite(scene);
    const pointedAt = await resolveAmbiguousRefs(call, site, refs);
    const remove = await resolveLinksToRemove(scene, site, typed);
    const { values, plannedRequests } = await resolveLinkedChanges(scene, site, { ...given, ...typed.add }, {});
    const job: Update = {
      ...scene,
      site,
      ...splitLinkChanges(resource, values, typed, remove),
      method: parseUpdateMethod(invocation),
      many: pointedAt.refs.length > 1,
      raw: invocation.flags["raw"] === true,
    };
    const options = await resolveManyOptions(invocation, context);
    const work = () => reportRefs(resource, pointedAt, options, (ref) => updateOne(job, ref));
    return summarizeUpdated(
      addPlannedRequests(plannedRequests, await withRecordSuggestions(site, resource, getSingleRef(pointedAt), work)),
    );
  };
}

/** The changes with the records that they link to, found or, with --create-missing, created. What is known of the record may spare looking up. */
export async function resolveLinkedChanges(
  { resource, invocation, context }: Scene,
  site: RecordSite,
  given: Input,
  written: DataRecord,
): Promise<ResolvedLinks> {
  const options = { ...(await resolveLinkOptions(invocation, context)), targetRecord: written };
  const links = await resolveLinks(site, resource.fields, given, options);
  assertSingleLinks(resource, links, site.serverProfile);
  // The record itself exists already: only inline data can meet an existing name.
  const { missing = [] } = options;
  if (invocation.flags["merge"] !== true)
    await assertNoMerge(site, resource, omitField(links, resource.titleField), getPlaceholders(missing));
  return createMissingRecords(context, site, links, missing);
}

/** What this kind of server can't do, told before it is tried. */
export function validateClears(resource: Resource, given: Input, kind: ServerProfile): readonly string[] {
  const reasons = kind.cannotClear[resource.name] ?? {};
  return Object.entries(reasons).flatMap(([name, why]) =>
    isClearingValue(given[name]) ? [`${name} can't be emptied on this server: ${why}`] : [],
  );
}

function omitField(values: Input, name: string): Input {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

const methods: Readonly<Record<string, UpdateMethod>> = { patch: "PATCH", put: "PUT", post: "POST" };

/** The method of an update; the flag's choices were checked when it was parsed. */
export function parseUpdateMethod({ flags }: Invocation): UpdateMethod {
  return methods[String(flags["method"])] ?? "PATCH";
}

// The update of one record: reads it, lays the changes over it, sends what nothing is lost by, and compares the answer with it.

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
export async function updateOne(job: Update, { ref }: RefArgument): Promise<DataRecord | PlannedRequest> {
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
  if (response instanceof PlannedRequest) return response;
  await context.notice(
    () => `Updated ${describeRecord(resource, response)}${formatChanges(job, plan.changes, given, { current, response })}`,
  );
  await warnOfDifferences(job, given, response);
  return response;
}

/** By slug the record is read all the same: whether it is the one, and its id, which alone can say which one is to be renamed. */
async function updateRaw(job: Update, path: PathRef): Promise<DataRecord | PlannedRequest> {
  const { resource, site, context } = job;
  const given = await resolveInput(job, site.zone);
  const id = path.by === "id" ? path.id : idOf(await readToWrite(site, resource, path));
  const answer = await send(job, getWritePath(job, path, id), buildWriteBody(resource, given, site.serverProfile, id), given);
  if (answer instanceof PlannedRequest) return answer;
  await context.notice(`Updated ${describeRecord(resource, answer)}`);
  await warnOfDifferences(job, given, answer);
  return answer;
}

/** A by-slug body carries a slug only where it was given and can be taken: the path names the record. */
async function send({ resource, site, method }: Update, path: PathRef, body: Input, given: Input): Promise<DataRecord | PlannedRequest> {
  const { slug: _, ...others } = body;
  const own = path.by === "slug" && (given["slug"] === undefined || !site.serverProfile.slugInBody) ? others : body;
  const request = buildUpdateRequest(site, resource, path, method, own);
  const reply = await site.client.write(request);
  return reply instanceof PlannedRequest ? reply : parseRecord(resource, reply, request);
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
    hint: { text: "see it as it is now", command: `cal ${resource.name} get ${idOf(current) ?? ""}` },
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
