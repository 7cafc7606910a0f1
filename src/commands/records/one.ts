// The one record that `edit`, `clone` and `open` are about.
import { resolveRef } from "../../api/lookup.ts";
import { withRecordSuggestions } from "../../api/near.ts";
import type { DataRecord } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { usageError } from "../../errors.ts";
import type { Call } from "./call.ts";
import { resolveAmbiguousRefs } from "./choice.ts";
import { readToShow, readToWrite } from "./read.ts";
import { getSingleRef, type Refs, readRefs } from "./refs.ts";
import type { RecordSite } from "./site.ts";

/** Reads the ref of a command line that has one; there is no list to be read from stdin. */
export async function readOneRef(call: Call): Promise<Refs> {
  if (!call.invocation.args.includes("-")) return readRefs(call);
  call.problems.push("- stands for many refs, and this takes one");
  return { refs: [], many: false };
}

/** Finds the record, a choice among several of its name included, and reads it: to show it only, or to write or copy it. */
export async function readOne(
  call: Call,
  site: RecordSite,
  refs: Refs,
  purpose: "show" | "write",
): Promise<{ readonly path: PathRef; readonly record: DataRecord }> {
  const { context, resource } = call;
  const ref = getSingleRef(await resolveAmbiguousRefs(call, site, refs));
  if (ref === undefined) throw usageError(`which ${resource.singular}?`);
  return withRecordSuggestions(site, resource, ref, async () => {
    const path = await resolveRef(site, resource, ref);
    const record = purpose === "show" ? await readToShow(context, site, resource, path) : await readToWrite(site, resource, path);
    return { path, record };
  });
}
