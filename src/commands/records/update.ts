// `cal <resource> update`: checks everything that can be checked here, then changes each record that was pointed at.
import { tellingNear } from "../../api/near.ts";
import type { DataRecord } from "../../api/record.ts";
import type { Input, UpdateMethod } from "../../api/request.ts";
import { isCleared } from "../../api/update.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerKind } from "../../spec/server-kinds.ts";
import type { Handler, Invocation } from "../command.ts";
import { changedBriefly } from "./brief.ts";
import { callOf } from "./call.ts";
import { settledRefs } from "./choice.ts";
import { withDates } from "./dates/dated.ts";
import { shiftProblems } from "./dates/shift.ts";
import { readGiven } from "./given/given.ts";
import { unknownFields } from "./known.ts";
import { linkProblems, toRemove, typedLinks, withoutAdded } from "./links/link-changes.ts";
import { linkOptions, refuseTooMany, resolveLinks } from "./links/links.ts";
import { refuseMerge } from "./links/merge.ts";
import { createMissing, type Linked, stoodFor, withPlanned } from "./links/missing.ts";
import { manyOptions, reportRefs } from "./many.ts";
import { onlyRef, readRefs } from "./refs.ts";
import { openSite, type RecordSite, type Scene, sceneOf } from "./site.ts";
import { type Update, updateOne } from "./update-one.ts";

/** The handler that updates records of a resource. */
export function update(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "update", invocation, context);
    const { problems } = call;
    problems.push(...unknownFields(call));
    const bothFromStdin = invocation.args.includes("-") && invocation.flags["data"] === "-";
    if (bothFromStdin) problems.push("refs and --data can't both come from stdin; put the data into a file: --data @file.json");
    const refs = await readRefs(call);
    const given = bothFromStdin ? {} : await readGiven(call);
    const scene = await sceneOf(call);
    await withDates(scene, given, undefined);
    const typed = typedLinks(resource, invocation);
    problems.push(
      ...impossible(resource, given, scene.site.kind),
      ...shiftProblems(given, invocation),
      ...linkProblems(call, typed, given),
    );
    const isEmpty = [given, typed.add, typed.remove].every((values) => Object.keys(values).length === 0);
    const isMoved = ["shift", "duration"].some((name) => invocation.flags[name] !== undefined);
    if (problems.length === 0 && isEmpty && !isMoved) problems.push("nothing to update: no field was given");
    const site = await openSite(scene);
    const pointedAt = await settledRefs(call, site, refs);
    const remove = await toRemove(scene, site, typed);
    const { values, planned } = await linkedChanges(scene, site, { ...given, ...typed.add }, {});
    const job: Update = {
      ...scene,
      site,
      ...withoutAdded(resource, values, typed, remove),
      method: methodOf(invocation),
      many: pointedAt.refs.length > 1,
      raw: invocation.flags["raw"] === true,
    };
    const options = await manyOptions(invocation, context);
    const work = () => reportRefs(resource, pointedAt, options, (ref) => updateOne(job, ref));
    return changedBriefly(await withPlanned(planned, () => tellingNear(site, resource, onlyRef(pointedAt), work)));
  };
}

/** The changes with the records that they link to, found or, with --create-missing, created. What is known of the record may spare looking up. */
export async function linkedChanges(
  { resource, invocation, context }: Scene,
  site: RecordSite,
  given: Input,
  written: DataRecord,
): Promise<Linked> {
  const options = { ...(await linkOptions(invocation, context)), written };
  const links = await resolveLinks(site, resource.fields, given, options);
  refuseTooMany(resource, links, site.kind);
  // The record itself exists already: only inline data can meet an existing name.
  const { missing = [] } = options;
  if (invocation.flags["merge"] !== true) await refuseMerge(site, resource, without(links, resource.title), stoodFor(missing));
  return createMissing(context, site, links, missing);
}

/** What this kind of server can't do, told before it is tried. */
export function impossible(resource: Resource, given: Input, kind: ServerKind): readonly string[] {
  const reasons = kind.cannotClear[resource.name] ?? {};
  return Object.entries(reasons).flatMap(([name, why]) =>
    isCleared(given[name]) ? [`${name} can't be emptied on this server: ${why}`] : [],
  );
}

function without(values: Input, name: string): Input {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

const methods: Readonly<Record<string, UpdateMethod>> = { patch: "PATCH", put: "PUT", post: "POST" };

/** The method of an update; the flag's choices were checked when it was parsed. */
export function methodOf({ flags }: Invocation): UpdateMethod {
  return methods[String(flags["method"])] ?? "PATCH";
}
