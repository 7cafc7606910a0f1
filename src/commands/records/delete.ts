// `cal <resource> delete`: asks first, says whether the server trashes or destroys, and prints the server's answer.
import { resolveRef } from "../../api/lookup.ts";
import { type DataRecord, isRecord } from "../../api/record.ts";
import { readRecord } from "../../api/reply.ts";
import { deleteRequest, readRequest } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler, Invocation } from "../command.ts";
import { described } from "./after.ts";
import { type Problems, refuse } from "./given.ts";
import { unknownFields } from "./known.ts";
import { manyOptions, reportRefs } from "./many.ts";
import { type Refs, readRefs } from "./refs.ts";
import { type RecordSite, siteFrame } from "./site.ts";

/** The handler that deletes records of a resource. */
export function remove(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems: Problems = [...invocation.problems, ...unknownFields(resource, context)];
    const refs = await readRefs(resource, invocation, context, problems);
    const most = invocation.flags["max-delete"];
    if (typeof most === "number" && refs.refs.length > most)
      problems.push(`${refs.refs.length} ${resource.name} would be deleted, --max-delete allows ${most}; nothing was deleted`);
    const frame = await siteFrame(context, problems, resource, "delete");
    refuse(problems, resource, "delete");
    const mustAsk = await needsAnswer(resource, refs, invocation, context);
    const site = { ...frame, client: await context.client() };
    if (mustAsk) await ask(resource, refs, invocation, context, site);
    return reportRefs(resource, refs, await manyOptions(invocation, context), async ({ ref }) => {
      const path = await resolveRef(site, resource, ref);
      const { value } = await site.client.send(deleteRequest(site.namespace, resource, path));
      const answer: DataRecord = isRecord(value) ? value : { deleted: value };
      await context.notice(`Deleted ${described(resource, answer)}${trashes(resource, site) ? " (it is in the trash)" : ""}`);
      return answer;
    });
  };
}

/** Whether a person is to be asked. Where there is none, `--yes` is needed, and nothing is sent without it. */
async function needsAnswer(resource: Resource, { refs }: Refs, { args }: Invocation, context: Context): Promise<boolean> {
  if (context.globals["yes"] === true || context.globals["dry-run"] === true || refs.length === 0) return false;
  const { no_input } = await context.settings();
  if (context.io.stdin.isTTY && context.io.stderr.isTTY && !no_input.value) return true;
  throw new CalError("usage", "delete needs a confirmation, and there is nobody to ask; nothing was deleted", {
    code: "confirmation-needed",
    hint: `cal ${resource.name} delete ${args.map(quoted).join(" ")} --yes`,
  });
}

async function ask(resource: Resource, refs: Refs, invocation: Invocation, context: Context, site: RecordSite): Promise<void> {
  const [first] = refs.refs;
  const one = refs.refs.length === 1 && first !== undefined;
  const what = one
    ? await named(resource, first, site, invocation.flags["ignore-missing"] === true)
    : `${refs.refs.length} ${resource.name}: ${refs.refs.map(({ text }) => text).join(" ")}`;
  const fate = trashes(resource, site)
    ? one
      ? "It goes to the trash"
      : "They go to the trash"
    : one
      ? "It is destroyed"
      : "They are destroyed";
  const prompt = await context.prompt();
  if (!(await prompt.confirm(`Delete ${what}? ${fate}.`, false)))
    throw new CalError("declined", "nothing was deleted", { code: "declined" });
}

async function named(resource: Resource, { text, ref }: Refs["refs"][number], site: RecordSite, ignoreMissing: boolean): Promise<string> {
  try {
    const path = await resolveRef(site, resource, ref);
    return described(resource, readRecord(resource, await site.client.send(readRequest(site.namespace, resource, path))));
  } catch (error) {
    if (ignoreMissing && error instanceof CalError && error.kind === "not-found") return `${resource.singular} ${text}`;
    throw error;
  }
}

/** Terms are always destroyed: only posts have a by-slug route and a trash. */
function trashes(resource: Resource, site: RecordSite): boolean {
  return resource.bySlug && site.kind.deletes === "trashes";
}

/** A ref as a shell takes it. */
function quoted(text: string): string {
  return /^[\w:./%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
