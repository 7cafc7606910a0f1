// The one record that `edit`, `clone` and `open` are about.
import { resolveRef } from "../../api/lookup.ts";
import type { DataRecord } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { readRecord } from "../../api/reply.ts";
import { readRequest } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { usage } from "../../errors.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Invocation } from "../command.ts";
import { settledRefs } from "./choice.ts";
import type { Problems } from "./given.ts";
import { type Refs, readRefs } from "./refs.ts";
import type { RecordSite } from "./site.ts";

/** Reads the ref of a command line that has one; there is no list to be read from stdin. */
export async function readOneRef(resource: Resource, invocation: Invocation, context: Context, problems: Problems): Promise<Refs> {
  if (!invocation.args.includes("-")) return readRefs(resource, invocation, context, problems);
  problems.push("- stands for many refs, and this takes one");
  return { refs: [], many: false };
}

/** Finds the record, a choice among several of its name included, and reads it. */
export async function readOne(
  context: Context,
  site: RecordSite,
  resource: Resource,
  refs: Refs,
): Promise<{ readonly path: PathRef; readonly record: DataRecord }> {
  const [settled] = (await settledRefs(context, site, resource, refs)).refs;
  if (settled === undefined) throw usage(`which ${resource.singular}?`);
  const path = await resolveRef(site, resource, settled.ref);
  return { path, record: readRecord(resource, await site.client.send(readRequest(site.namespace, resource, path))) };
}
