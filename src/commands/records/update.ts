// `cal <resource> update`: checks everything that can be checked here, then changes each record that was pointed at.
import { withRecordSuggestions } from "../../api/near.ts";
import type { DataRecord } from "../../api/record.ts";
import type { Input, UpdateMethod } from "../../api/request.ts";
import { isClearingValue } from "../../api/update.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerProfile } from "../../spec/server-kinds.ts";
import type { Handler, Invocation } from "../command.ts";
import { summarizeUpdated } from "./brief.ts";
import { callOf } from "./call.ts";
import { resolveAmbiguousRefs } from "./choice.ts";
import { applyDates } from "./dates/dated.ts";
import { validateShift } from "./dates/shift.ts";
import { readInput } from "./given/given.ts";
import { validateOutputFields } from "./known.ts";
import { parseLinkChanges, resolveLinksToRemove, splitLinkChanges, validateLinkChanges } from "./links/link-changes.ts";
import { assertSingleLinks, resolveLinkOptions, resolveLinks } from "./links/links.ts";
import { assertNoMerge } from "./links/merge.ts";
import { createMissingRecords, getPlaceholders, type ResolvedLinks, runWithPlannedRequests } from "./links/missing.ts";
import { reportRefs, resolveManyOptions } from "./many.ts";
import { getSingleRef, readRefs } from "./refs.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";
import { type Update, updateOne } from "./update-one.ts";

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
      await runWithPlannedRequests(plannedRequests, () => withRecordSuggestions(site, resource, getSingleRef(pointedAt), work)),
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
