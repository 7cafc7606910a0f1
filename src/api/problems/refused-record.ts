// Refusals that are about a record: "invalid parameter" where it names none, "already exists" where there is one. Servers don't say which.
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { decodedSlug } from "../address.ts";
import type { ApiRequest } from "../client.ts";
import { isRecord, plain } from "../record.ts";

/** What to say instead of the server's words, and where to look. */
export interface AboutRecord {
  readonly message: string;
  readonly hint: string;
}

/** The record that the path names, by id or by slug; undefined for the path of a list. */
export function absentRecord({ path }: ApiRequest): AboutRecord | undefined {
  const [, name = "", id, slug] = /\/([a-z]+)\/(?:(\d+)|by-slug\/([^/]+))$/.exec(path) ?? [];
  const resource = resourceNamed(name);
  return resource === undefined ? undefined : absent([resource], [`there is no ${resource.singular} ${id ?? quoted(slug ?? "")}`]);
}

/** The linked records that bad parameters name; undefined where one of the parameters names none by its id. */
export function absentLinks(request: ApiRequest, bad: readonly string[]): AboutRecord | undefined {
  const own = resourceOf(request);
  const named = bad.flatMap((name) => {
    const field = (request.method === "GET" ? own?.filters : own?.fields)?.find((one) => one.name === name);
    const ids = idsIn(request, name);
    return field?.refersTo === undefined || ids.length === 0 || !ids.every((id) => /^0*[1-9]\d*$/.test(id))
      ? []
      : { ids, target: resources[field.refersTo] };
  });
  if (named.length === 0 || named.length < bad.length) return undefined;
  const lines = named.map(({ ids, target }) =>
    ids.length === 1 ? `there is no ${target.singular} ${ids[0]}` : `not all of the ${target.name} ${ids.join(", ")} are there`,
  );
  return absent(
    named.map(({ target }) => target),
    lines,
  );
}

/** The category or tag that has the name already, as WordPress tells it. */
export function existingTerm(request: ApiRequest, body: unknown): AboutRecord | undefined {
  const data = isRecord(body) && body["code"] === "term_exists" ? body["data"] : undefined;
  const id = isRecord(data) ? plain(data["term_id"]) : "";
  const resource = resourceOf(request);
  if (resource === undefined || !/^\d+$/.test(id)) return undefined;
  const { name, singular } = resource;
  return {
    message: `there is a ${singular} of this name already: ${id}`,
    hint: `see it: cal ${name} get ${id}; an event gets it with --${singular} ${id}`,
  };
}

function absent(targets: readonly Resource[], lines: readonly string[]): AboutRecord {
  const lists = [...new Set(targets.map(({ name }) => `cal ${name} list`))];
  return { message: lines.join("\n"), hint: `see what is there: ${lists.join(", ")}` };
}

function idsIn({ query, body }: ApiRequest, name: string): readonly string[] {
  const typed = query.flatMap(([key, value]) => (key === name || key === `${name}[]` ? value.split(",") : []));
  const sent = isRecord(body) ? body[name] : undefined;
  return [...typed, ...(sent === undefined ? [] : [sent].flat().map(plain))];
}

/** What the path of a list or of one record is about. */
function resourceOf({ path }: ApiRequest): Resource | undefined {
  return resourceNamed(/\/([a-z]+)(?:\/\d+|\/by-slug\/[^/]+)?$/.exec(path)?.[1] ?? "");
}

function resourceNamed(name: string): Resource | undefined {
  return Object.values(resources).find((known) => known.name === name);
}

function quoted(slug: string): string {
  return JSON.stringify(decodedSlug(slug));
}
