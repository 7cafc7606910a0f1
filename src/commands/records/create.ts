// `cal <resource> create`: checks everything that can be checked here, sends one POST, and compares the answer with it.
import type { DataRecord } from "../../api/record.ts";
import { readRecord } from "../../api/reply.ts";
import { createRequest, type Input } from "../../api/request.ts";
import { writeBody } from "../../api/update.ts";
import type { Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { described, warnOfDifferences } from "./after.ts";
import { askMissing } from "./ask.ts";
import { type Scene, withDates } from "./dated.ts";
import { missingProblems, type Problems, readGiven, refuse } from "./given.ts";
import { knownNames, unknownFields } from "./known.ts";
import { linkOptions, refuseTooMany, resolveLinks } from "./links.ts";
import { refuseMerge } from "./merge.ts";
import { createMissing, stoodFor, withPlanned } from "./missing.ts";
import { type RecordSite, siteFrame } from "./site.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems: Problems = [...invocation.problems, ...unknownFields(resource, invocation, context)];
    const typed = await readGiven(resource, invocation, context, problems);
    const frame = await siteFrame(context, problems, resource, "create");
    const { scene, values } = await askMissing({ scene: { resource, invocation, context, site: frame }, values: typed }, problems);
    const dated = await withDates(scene, values, frame.zone, problems);
    problems.push(...missingProblems(resource, values, scene.invocation));
    refuse(problems, resource, "create");
    return createRecord(scene, { ...frame, client: await context.client() }, dated);
  };
}

/** Creates a record from values whose dates are settled; links are looked up first, and a name that the server would merge into is refused. `written` is a record whose links are known. */
export async function createRecord(scene: Scene, site: RecordSite, dated: Input, written: DataRecord = {}): Promise<Report> {
  const { resource, invocation, context } = scene;
  const options = { ...(await linkOptions(invocation, context)), written };
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
    await warnOfDifferences(context, resource, values, record, site.kind);
    return { kind: "record", columns: resource.columns, known: knownNames(resource), record };
  });
}
