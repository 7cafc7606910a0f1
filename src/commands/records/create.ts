// `cal <resource> create`: checks everything that can be checked here, sends one POST, and compares the answer with it.
import { findByName } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildCreateRequest, type Input } from "../../api/request.ts";
import { buildWriteBody } from "../../api/update.ts";
import type { DataRecord } from "../../data-record.ts";
import { wallToEpoch } from "../../dates/zone.ts";
import { CalError } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { createPlanReport } from "../../output/render.ts";
import type { Report } from "../../output/report.ts";
import type { Handler } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { callOf, openSite, type RecordSite, type Scene, sceneOf } from "./command.ts";
import { applyDates } from "./dates.ts";
import { readInput, validateRequiredFields } from "./input.ts";
import { assertSingleLinks, resolveLinkOptions, resolveLinks } from "./links.ts";
import { createDateWindow, instantOf } from "./list-window.ts";
import { describeRecord, summarizeCreated, warnOfDifferences } from "./messages.ts";
import { assertNoMerge, createMissingRecords, getPlaceholders, type ResolvedLinks } from "./missing-links.ts";
import { promptForMissingFields } from "./prompts.ts";
import { fieldNames, validateOutputFields } from "./refs.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "create", invocation, context);
    call.problems.push(...validateOutputFields(call));
    const typed = await readInput(call);
    const { scene, values } = await promptForMissingFields({ scene: await sceneOf(call), values: typed });
    const dated = await applyDates(scene, values, scene.site.zone);
    scene.problems.push(...validateRequiredFields(scene, values));
    const site = await openSite(scene);
    await checkDuplicate(scene, site, dated);
    return summarizeCreated(resource, await createRecord(scene, site, dated), dated);
  };
}

/** Creates a record from values whose dates are settled. `written` is a record whose links are known. */
export async function createRecord(scene: Scene, site: RecordSite, dated: Input, written: DataRecord = {}): Promise<Report> {
  const { resource } = scene;
  const { values, plannedRequests } = await resolveLinkedValues(scene, site, dated, written);
  const record = await sendCreate(scene, site, values);
  if (record instanceof PlannedRequest) return createPlanReport([...plannedRequests, record]);
  return { kind: "record", columns: resource.columns, fieldNames: fieldNames(resource), record };
}

/** The values with their links looked up, or created; a name that the server would merge into is refused. */
export async function resolveLinkedValues(scene: Scene, site: RecordSite, dated: Input, written: DataRecord): Promise<ResolvedLinks> {
  const { resource, invocation, context } = scene;
  const options = { ...(await resolveLinkOptions(invocation, context)), targetRecord: written };
  const linked = await resolveLinks(site, resource.fields, dated, options);
  assertSingleLinks(resource, linked, site.serverProfile);
  const { missing = [] } = options;
  if (invocation.flags["merge"] !== true) await assertNoMerge(site, resource, linked, getPlaceholders(missing));
  return createMissingRecords(context, site, linked, missing);
}

/** Sends a new record, says so, and warns of what the server did not keep of it. */
export async function sendCreate(scene: Scene, site: RecordSite, values: Input): Promise<DataRecord | PlannedRequest> {
  const { resource, context } = scene;
  const request = buildCreateRequest(site.namespace, resource, buildWriteBody(resource, values, site.serverProfile, undefined));
  const reply = await site.client.write(request);
  if (reply instanceof PlannedRequest) return reply;
  const record = parseRecord(resource, reply, request);
  await context.notice(`Created ${describeRecord(resource, record)}`);
  await warnOfDifferences(scene, values, record);
  return record;
}

// An event of the same title at the same time: a person who creates it a second time is asked whether that is meant.

/** Asks where there is such an event and somebody at the terminal; rejects with kind `declined` where it is not meant. A script is not slowed down by the search. */
async function checkDuplicate({ resource, context }: Scene, site: RecordSite, values: Input): Promise<void> {
  const { globals } = context;
  if (globals["yes"] === true || globals["dry-run"] === true || values["start_date"] === undefined) return;
  const person = await findInteractiveUser(context);
  const [twin, ...others] = person === undefined ? [] : await findDuplicates(resource, site, values);
  if (person === undefined || twin === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const question = `There is already ${describeRecord(resource, twin, String(values["start_date"]).slice(0, 16))}${more} - create another one?`;
  if (!(await person.confirm(question, false))) throw new CalError("declined", "nothing was created", { code: "declined" });
}

/** None where the search fails: it is a courtesy. */
async function findDuplicates(resource: Resource, site: RecordSite, values: Input): Promise<readonly DataRecord[]> {
  const [start, zone] = [String(values["start_date"]), String(values["timezone"] || site.zone)];
  const moment = wallToEpoch(start, zone);
  if (moment === undefined) return [];
  const { filters } = createDateWindow({ from: moment, to: moment, running: false }, zone, site.serverProfile);
  const found = await findByName(site, resource, String(values[resource.titleField]), filters).catch(() => []);
  return found.filter((record) => instantOf(record, "start_date", zone) === moment);
}
