// `cal <resource> create`: checks everything that can be checked here, sends one POST, and compares the answer with it.
import type { DataRecord } from "../../api/record.ts";
import { readRecord } from "../../api/reply.ts";
import { createRequest, type Input } from "../../api/request.ts";
import { writeBody } from "../../api/update.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { described, warnOfDifferences } from "./after.ts";
import { createdBriefly } from "./brief.ts";
import { callOf } from "./call.ts";
import { withDates } from "./dates/dated.ts";
import { askMissing } from "./given/ask.ts";
import { missingProblems, readGiven } from "./given/given.ts";
import { knownNames, unknownFields } from "./known.ts";
import { linkOptions, refuseTooMany, resolveLinks } from "./links/links.ts";
import { refuseMerge } from "./links/merge.ts";
import { createMissing, type Linked, stoodFor, withPlanned } from "./links/missing.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";
import { confirmTwin } from "./twin.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "create", invocation, context);
    call.problems.push(...unknownFields(call));
    const typed = await readGiven(call);
    const { scene, values } = await askMissing({ scene: await sceneOf(call), values: typed });
    const dated = await withDates(scene, values, scene.site.zone);
    scene.problems.push(...missingProblems(scene, values));
    const site = await openSite(scene);
    await confirmTwin(scene, site, dated);
    return createdBriefly(resource, await createRecord(scene, site, dated), dated);
  };
}

/** Creates a record from values whose dates are settled. `written` is a record whose links are known. */
export async function createRecord(scene: Scene, site: RecordSite, dated: Input, written: DataRecord = {}): Promise<Report> {
  const { resource } = scene;
  const { values, planned } = await linkedValues(scene, site, dated, written);
  return withPlanned(planned, async () => {
    const record = await sendNew(scene, site, values);
    return { kind: "record", columns: resource.columns, known: knownNames(resource), record };
  });
}

/** The values with their links looked up, or created; a name that the server would merge into is refused. */
export async function linkedValues(scene: Scene, site: RecordSite, dated: Input, written: DataRecord): Promise<Linked> {
  const { resource, invocation, context } = scene;
  const options = { ...(await linkOptions(invocation, context)), written };
  const linked = await resolveLinks(site, resource.fields, dated, options);
  refuseTooMany(resource, linked, site.kind);
  const { missing = [] } = options;
  if (invocation.flags["merge"] !== true) await refuseMerge(site, resource, linked, stoodFor(missing));
  return createMissing(context, site, linked, missing);
}

/** Sends a new record, says so, and warns of what the server did not keep of it. */
export async function sendNew(scene: Scene, site: RecordSite, values: Input): Promise<DataRecord> {
  const { resource, context } = scene;
  const request = createRequest(site.namespace, resource, writeBody(resource, values, site.kind, undefined));
  const record = readRecord(resource, await site.client.send(request), request);
  await context.notice(`Created ${described(resource, record)}`);
  await warnOfDifferences(scene, values, record);
  return record;
}
