// `cal <resource> create`: checks everything that can be checked here, sends one POST, and compares the answer with it.
import { readRecord } from "../../api/reply.ts";
import { createRequest, type Input } from "../../api/request.ts";
import { writeBody } from "../../api/update.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { described, warnOfDifferences, writtenReport } from "./after.ts";
import { callOf } from "./call.ts";
import { withDates } from "./dates/dated.ts";
import { askMissing } from "./given/ask.ts";
import { missingProblems, readGiven } from "./given/given.ts";
import { unknownFields } from "./known.ts";
import { linkOptions, refuseTooMany, resolveLinks } from "./links/links.ts";
import { refuseMerge } from "./links/merge.ts";
import { createMissing, stoodFor, withPlanned } from "./links/missing.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "create", invocation, context);
    call.problems.push(...unknownFields(call));
    const typed = await readGiven(call);
    const { scene, values } = await askMissing({ scene: await sceneOf(call), values: typed });
    const dated = await withDates(scene, values, scene.site.zone);
    scene.problems.push(...missingProblems(scene, values));
    return createRecord(scene, await openSite(scene), dated);
  };
}

/** Creates a record from values whose dates are settled; links are looked up first, and a name that the server would merge into is refused. */
export async function createRecord(scene: Scene, site: RecordSite, dated: Input): Promise<Report> {
  const { resource, invocation, context } = scene;
  const options = await linkOptions(invocation, context);
  const linked = await resolveLinks(site, resource.fields, dated, options);
  refuseTooMany(resource, linked, site.kind);
  const { missing = [] } = options;
  if (invocation.flags["merge"] !== true) await refuseMerge(site, resource, linked, stoodFor(missing));
  const { values, planned } = await createMissing(context, site, linked, missing);
  return withPlanned(planned, async () => {
    const body = writeBody(resource, values, site.kind, undefined);
    const request = createRequest(site.namespace, resource, body);
    const record = readRecord(resource, await site.client.send(request), request);
    await context.notice(`Created ${described(resource, record)}`);
    await warnOfDifferences(scene, values, record);
    return writtenReport(resource, record, values);
  });
}
