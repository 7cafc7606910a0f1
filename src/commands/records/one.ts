// The one record that `edit`, `clone` and `open` are about.
import { resolveRef } from "../../api/lookup.ts";
import { tellingNear } from "../../api/near.ts";
import type { DataRecord } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import type { Context } from "../../context.ts";
import { usage } from "../../errors.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Invocation } from "../command.ts";
import { settledRefs } from "./choice.ts";
import type { Problems } from "./given/given.ts";
import { readToShow, readToWrite } from "./read.ts";
import { onlyRef, type Refs, readRefs } from "./refs.ts";
import type { RecordSite } from "./site.ts";

/** Reads the ref of a command line that has one; there is no list to be read from stdin. */
export async function readOneRef(resource: Resource, invocation: Invocation, context: Context, problems: Problems): Promise<Refs> {
  if (!invocation.args.includes("-")) return readRefs(resource, invocation, context, problems);
  problems.push("- stands for many refs, and this takes one");
  return { refs: [], many: false };
}

/** Finds the record, a choice among several of its name included, and reads it: to show it only, or to write or copy it. */
export async function readOne(
  context: Context,
  site: RecordSite,
  resource: Resource,
  refs: Refs,
  purpose: "show" | "write",
): Promise<{ readonly path: PathRef; readonly record: DataRecord }> {
  const ref = onlyRef(await settledRefs(context, site, resource, refs));
  if (ref === undefined) throw usage(`which ${resource.singular}?`);
  return tellingNear(site, resource, ref, async () => {
    const path = await resolveRef(site, resource, ref);
    const record = purpose === "show" ? await readToShow(context, site, resource, path) : await readToWrite(site, resource, path);
    return { path, record };
  });
}
