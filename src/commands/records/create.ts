// `cal <resource> create`: checks everything that can be checked here, sends one POST, and compares the answer with it.
import { readRecord } from "../../api/reply.ts";
import { createRequest } from "../../api/request.ts";
import { writeBody } from "../../api/update.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { described, warnOfDifferences } from "./after.ts";
import { withDates } from "./dated.ts";
import { missingFields, type Problems, readGiven, refuse } from "./given.ts";
import { knownNames, unknownFields } from "./known.ts";
import { refuseTooMany, resolveLinks } from "./links.ts";
import { refuseMerge } from "./merge.ts";
import { siteFrame } from "./site.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems: Problems = [...invocation.problems, ...unknownFields(resource, context)];
    const given = await readGiven(resource, invocation, context, problems);
    const frame = await siteFrame(context, problems, resource, "create");
    const dated = await withDates({ resource, invocation, context, site: frame }, given, frame.zone, problems);
    problems.push(...missingFields(resource, given, invocation));
    refuse(problems, resource, "create");
    const site = { ...frame, client: await context.client() };
    const values = await resolveLinks(site, resource.fields, dated);
    refuseTooMany(resource, values, site.kind);
    if (invocation.flags["merge"] !== true) await refuseMerge(site, resource, values);
    const body = writeBody(resource, values, site.kind, undefined);
    const record = readRecord(resource, await site.client.send(createRequest(site.namespace, resource, body)));
    await context.notice(`Created ${described(resource, record)}`);
    await warnOfDifferences(context, resource, values, record, site.kind);
    return { kind: "record", columns: resource.columns, known: knownNames(resource), record };
  };
}
