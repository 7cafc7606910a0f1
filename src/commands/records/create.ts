// `cal <resource> create`: checks everything that can be checked here, sends one POST, and compares the answer with it.
import type { DataRecord } from "../../api/record.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildCreateRequest, type Input } from "../../api/request.ts";
import { buildWriteBody } from "../../api/update.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { describeRecord, warnOfDifferences } from "./after.ts";
import { summarizeCreated } from "./brief.ts";
import { callOf } from "./call.ts";
import { applyDates } from "./dates/dated.ts";
import { promptForMissingFields } from "./given/ask.ts";
import { readInput, validateRequiredFields } from "./given/given.ts";
import { fieldNames, validateOutputFields } from "./known.ts";
import { assertSingleLinks, resolveLinkOptions, resolveLinks } from "./links/links.ts";
import { assertNoMerge } from "./links/merge.ts";
import { createMissingRecords, getPlaceholders, type ResolvedLinks, runWithPlannedRequests } from "./links/missing.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";
import { checkDuplicate } from "./twin.ts";

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
  return runWithPlannedRequests(plannedRequests, async () => {
    const record = await sendCreate(scene, site, values);
    return { kind: "record", columns: resource.columns, fieldNames: fieldNames(resource), record };
  });
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
export async function sendCreate(scene: Scene, site: RecordSite, values: Input): Promise<DataRecord> {
  const { resource, context } = scene;
  const request = buildCreateRequest(site.namespace, resource, buildWriteBody(resource, values, site.serverProfile, undefined));
  const record = parseRecord(resource, await site.client.send(request), request);
  await context.notice(`Created ${describeRecord(resource, record)}`);
  await warnOfDifferences(scene, values, record);
  return record;
}
