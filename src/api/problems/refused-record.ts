// Refusals that are about a record: "invalid parameter" where it names none, "already exists" where there is one. Servers don't say which.
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { decodeSlug } from "../address.ts";
import type { ApiRequest } from "../client.ts";
import { isRecord, valueToText } from "../record.ts";

/** What to say instead of the server's words, and where to look. */
export interface RecordErrorMessage {
  readonly message: string;
  readonly hint: string;
}

/** The record that the path names, by id or by slug; undefined for the path of a list. */
export function formatMissingRecord({ path }: ApiRequest): RecordErrorMessage | undefined {
  const [, name = "", id, slug] = /\/([a-z]+)\/(?:(\d+)|by-slug\/([^/]+))$/.exec(path) ?? [];
  const resource = findResourceByName(name);
  return resource === undefined
    ? undefined
    : formatMissing([resource], [`there is no ${resource.singular} ${id ?? quoteSlug(slug ?? "")}`]);
}

/** The linked records that bad parameters name; undefined where one of the parameters names none by its id. */
export function formatMissingLinks(request: ApiRequest, bad: readonly string[]): RecordErrorMessage | undefined {
  const own = findResourceByPath(request);
  const named = bad.flatMap((name) => {
    const field = (request.method === "GET" ? own?.filters : own?.fields)?.find((one) => one.name === name);
    const ids = findLinkedIds(request, name);
    return field?.refersTo === undefined || ids.length === 0 || !ids.every((id) => /^0*[1-9]\d*$/.test(id))
      ? []
      : { ids, target: resources[field.refersTo] };
  });
  if (named.length === 0 || named.length < bad.length) return undefined;
  const lines = named.map(({ ids, target }) =>
    ids.length === 1 ? `there is no ${target.singular} ${ids[0]}` : `not all of the ${target.name} ${ids.join(", ")} are there`,
  );
  return formatMissing(
    named.map(({ target }) => target),
    lines,
  );
}

/** The category or tag that has the name already, as WordPress tells it. */
export function formatExistingTerm(request: ApiRequest, body: unknown): RecordErrorMessage | undefined {
  const data = isRecord(body) && body["code"] === "term_exists" ? body["data"] : undefined;
  const id = isRecord(data) ? valueToText(data["term_id"]) : "";
  const resource = findResourceByPath(request);
  if (resource === undefined || !/^\d+$/.test(id)) return undefined;
  const { name, singular } = resource;
  return {
    message: `there is a ${singular} of this name already: ${id}`,
    hint: `see it: cal ${name} get ${id}; an event gets it with --${singular} ${id}`,
  };
}

function formatMissing(targets: readonly Resource[], lines: readonly string[]): RecordErrorMessage {
  const lists = [...new Set(targets.map(({ name }) => `cal ${name} list`))];
  return { message: lines.join("\n"), hint: `see what is there: ${lists.join(", ")}` };
}

function findLinkedIds({ query, body }: ApiRequest, name: string): readonly string[] {
  const typed = query.flatMap(([key, value]) => (key === name || key === `${name}[]` ? value.split(",") : []));
  const sent = isRecord(body) ? body[name] : undefined;
  return [...typed, ...(sent === undefined ? [] : [sent].flat().map(valueToText))];
}

/** What the path of a list or of one record is about. */
function findResourceByPath({ path }: ApiRequest): Resource | undefined {
  return findResourceByName(/\/([a-z]+)(?:\/\d+|\/by-slug\/[^/]+)?$/.exec(path)?.[1] ?? "");
}

function findResourceByName(name: string): Resource | undefined {
  return Object.values(resources).find((known) => known.name === name);
}

function quoteSlug(slug: string): string {
  return JSON.stringify(decodeSlug(slug));
}
