// `cal <resource> delete`: asks first, says whether the server trashes or destroys, and prints the server's answer.
import { resolveRef } from "../../api/lookup.ts";
import { tellingNear } from "../../api/near.ts";
import { type DataRecord, isRecord } from "../../api/record.ts";
import { deleteRequest } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { oneLine } from "../../http/line.ts";
import { shellWord } from "../../http/shell-word.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Handler, Invocation } from "../command.ts";
import { described } from "./after.ts";
import { settledRefs } from "./choice.ts";
import { type Problems, refuse } from "./given.ts";
import { unknownFields } from "./known.ts";
import { manyOptions, reportRefs } from "./many.ts";
import { personToWrite } from "./person.ts";
import { readToWrite } from "./read.ts";
import { onlyRef, type Refs, readRefs, type TypedRef } from "./refs.ts";
import { type RecordSite, siteFrame } from "./site.ts";

/** The handler that deletes records of a resource. */
export function remove(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems: Problems = [...invocation.problems, ...unknownFields(resource, invocation, context)];
    const refs = await readRefs(resource, invocation, context, problems);
    const most = invocation.flags["max-delete"];
    if (typeof most === "number" && refs.refs.length > most)
      problems.push(`${refs.refs.length} ${resource.name} would be deleted, --max-delete allows ${most}; nothing was deleted`);
    const frame = await siteFrame(context, problems, resource, "delete");
    const person = await confirmer(refs, problems, context);
    if (person === "nobody" && problems.length > 0) problems.push(`${unconfirmed}; --yes goes without`);
    refuse(problems, resource, "delete");
    if (person === "nobody") throw confirmationNeeded(resource, invocation);
    const site = { ...frame, client: await context.client() };
    const settled = await settledRefs(context, site, resource, refs);
    const options = await manyOptions(invocation, context);
    const work = async ({ ref }: TypedRef) => {
      const path = await resolveRef(site, resource, ref);
      if (path.by === "slug") await readToWrite(site, resource, path);
      const { value } = await site.client.send(deleteRequest(site.namespace, resource, path));
      const answer: DataRecord = isRecord(value) ? value : { deleted: value };
      await context.notice(`Deleted ${described(resource, answer)}${trashes(resource, site) ? " (it is in the trash)" : ""}`);
      return answer;
    };
    return tellingNear(site, resource, onlyRef(settled), async () => {
      if (person !== undefined) await confirm(person, resource, settled, invocation, site);
      return reportRefs(resource, settled, options, work);
    });
  };
}

/** Who is to be asked; undefined where no answer is needed. Where there is nobody, `--yes` is, and nothing is sent without it. */
async function confirmer({ refs }: Refs, problems: Problems, context: Context): Promise<Prompt | "nobody" | undefined> {
  const { globals } = context;
  if (globals["yes"] === true || globals["dry-run"] === true || (refs.length === 0 && problems.length === 0)) return undefined;
  return (await personToWrite(context)) ?? "nobody";
}

const unconfirmed = "delete needs a confirmation, and there is nobody to ask; nothing was deleted";

function confirmationNeeded(resource: Resource, { args }: Invocation): CalError {
  return new CalError("usage", unconfirmed, {
    code: "confirmation-needed",
    hint: `cal ${resource.name} delete ${args.map(shellWord).join(" ")} --yes`,
  });
}

/** Shows every record that would go, and asks once. */
async function confirm(person: Prompt, resource: Resource, { refs }: Refs, { flags }: Invocation, site: RecordSite): Promise<void> {
  const tolerant = flags["ignore-missing"] === true || refs.length > 1;
  const names = await Promise.all(refs.map((ref) => named(resource, ref, site, tolerant)));
  const trash = trashes(resource, site);
  const question =
    names.length === 1
      ? `Delete ${names.join("")}? It ${trash ? "goes to the trash" : "is destroyed"}.`
      : `Delete these ${names.length} ${resource.name}?\n${names.map((name) => `  ${name}\n`).join("")}They ${trash ? "go to the trash" : "are destroyed"}.`;
  if (!(await person.confirm(question, false))) throw new CalError("declined", "nothing was deleted", { code: "declined" });
}

async function named(resource: Resource, { text, ref }: Refs["refs"][number], site: RecordSite, tolerant: boolean): Promise<string> {
  try {
    const path = await resolveRef(site, resource, ref);
    return oneLine(described(resource, await readToWrite(site, resource, path)));
  } catch (error) {
    if (tolerant && error instanceof CalError && error.kind === "not-found") return `${resource.singular} ${text} (there is none)`;
    throw error;
  }
}

/** Terms are always destroyed: only posts have a by-slug route and a trash. */
function trashes(resource: Resource, site: RecordSite): boolean {
  return resource.bySlug && site.kind.deletes === "trashes";
}
