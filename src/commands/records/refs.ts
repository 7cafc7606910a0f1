// What `get`, `update` and `delete` point at: the refs of the command line, and of stdin where one of them is `-`.
import { findByName, resolveRef, type Site, withRecordSuggestions } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildReadRequest, normalizeSlug, type PathRef, parseRef, type Ref } from "../../api/request.ts";
import { formatSuggestion } from "../../closest.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError, toProblem, usageError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { toPlainText } from "../../text.ts";
import { type Invocation, parseNames } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import type { Call, RecordSite } from "./command.ts";
import { describeRecord } from "./messages.ts";

/** A ref with the text it was typed as. */
export interface RefArgument {
  readonly text: string;
  readonly ref: Ref;
}

/** What was pointed at; `many` decides the shape of the answer. */
export interface Refs {
  readonly refs: readonly RefArgument[];
  readonly many: boolean;
}

/** Whether several refs can be meant, by how they are typed. */
function hasManyRefs({ args }: Invocation): boolean {
  return args.length > 1 || args.includes("-");
}

/** The ref that is alone; what is wrong with one of many is told in its row. */
export function getSingleRef({ refs, many }: Refs): Ref | undefined {
  return many ? undefined : refs[0]?.ref;
}

/** Reads the refs of a command line; a line of stdin is a ref. What can't be one is a problem. */
export async function readRefs({ resource, invocation, context, problems }: Call): Promise<Refs> {
  const many = hasManyRefs(invocation);
  const texts: string[] = [];
  for (const arg of invocation.args) {
    if (arg !== "-") texts.push(arg);
    else
      texts.push(
        ...(await context.io.stdin.text())
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter((line) => line !== ""),
      );
  }
  if (texts.length === 0 && !many) problems.push(`which ${resource.singular}? Give an id, a slug, or name:"..."`);
  const refs = texts.flatMap((text) => {
    try {
      return [{ text, ref: parseRef(text) }];
    } catch (error) {
      problems.push(toProblem(error));
      return [];
    }
  });
  return { refs, many };
}

// A name that several records have: at a terminal the person chooses, anywhere else the command fails with the candidates.

/** The id of the record of this name that the person means; undefined where no two records have it. */
export async function promptForRecordId(site: Site, resource: Resource, name: string, person: Prompt): Promise<string | undefined> {
  const choices = (await findByName(site, resource, name)).flatMap((record) => {
    const value = idOf(record);
    const told = [getText(record, "start_date"), getText(record, "slug")].map(toPlainText).filter((text) => text !== "");
    return value === undefined
      ? []
      : [{ name: `${value} ${toPlainText(getText(record, resource.titleField))} (${told.join(", ")})`, value }];
  });
  return choices.length < 2 ? undefined : person.choose(`Which ${resource.singular}?`, choices);
}

/** The refs, of which a single name that several records have is chosen by the person. Of many refs none is asked for. */
export async function resolveAmbiguousRefs({ context, resource }: Call, site: Site, refs: Refs): Promise<Refs> {
  const [first] = refs.refs;
  if (refs.many || first?.ref.by !== "name") return refs;
  const person = await findInteractiveUser(context);
  const id = person === undefined ? undefined : await promptForRecordId(site, resource, first.ref.name, person);
  return id === undefined ? refs : { many: false, refs: [{ text: first.text, ref: { by: "id", id } }] };
}

// The one record that `edit`, `clone` and `open` are about.

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

// The record that a ref names, read; by slug, whether it is the one that was asked for: servers make a slug of what was sent before they look for it.

/** Reads a record to show it; that its slug is another one is said on stderr. */
export async function readToShow(context: Context, site: Site, resource: Resource, path: PathRef): Promise<DataRecord> {
  const record = await read(site, resource, path);
  const other = formatSlugMismatch(resource, path, record);
  if (other !== undefined) await context.notice(other);
  return record;
}

/** Reads a record that is to be written or copied; rejects with kind `rejected` where its slug is another one. */
export async function readToWrite(site: Site, resource: Resource, path: PathRef): Promise<DataRecord> {
  const record = await read(site, resource, path);
  const other = formatSlugMismatch(resource, path, record);
  if (other === undefined) return record;
  throw new CalError("rejected", `${other}; nothing was sent`, {
    code: "other-record",
    hint: `if it is the one that you mean, name it by its id: id:${idOf(record) ?? "..."}`,
  });
}

async function read(site: Site, resource: Resource, path: PathRef): Promise<DataRecord> {
  return parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, path)));
}

/** A record without a slug, as drafts are, is taken as it is. */
function formatSlugMismatch(resource: Resource, path: PathRef, record: DataRecord): string | undefined {
  const own = getText(record, "slug");
  if (path.by === "id" || own === "" || normalizeSlug(own) === normalizeSlug(path.slug)) return undefined;
  return `there is no slug ${JSON.stringify(path.slug)}; the server gave ${describeRecord(resource, record)} with the slug ${JSON.stringify(normalizeSlug(own))}`;
}

// The field names that `--fields` may ask for although no record on hand carries them.

/** Every field of a resource that is known to be written or returned. */
export function fieldNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.readOnlyFields])];
}

/** What is wrong with the fields and columns that a write is to print: told before it is sent, for after it a script would repeat the write. */
export function validateOutputFields({ resource, invocation, context: { globals } }: Call): readonly string[] {
  const known = fieldNames(resource);
  const title = resource.columns.find(({ kind }) => kind === "name")?.path;
  const synonyms = title === undefined ? {} : { name: title };
  const columns = getColumnNames(
    resource,
    parseNames(globals["fields"]),
    hasManyRefs(invocation) || invocation.flags["times"] !== undefined,
  );
  return [
    ...["fields", "field"].flatMap((flag) =>
      parseNames(globals[flag])
        .map((path) => path.split(".", 1)[0] ?? "")
        .filter((name) => !known.includes(name))
        .map((name) => `--${flag}: ${name} is no known field of ${resource.name}${formatSuggestion(name, known, { synonyms })}`),
    ),
    ...parseNames(globals["columns"])
      .filter((name) => !columns.includes(name.toLowerCase()))
      .map((name) => `--columns: ${name} is no column here${formatSuggestion(name, columns) || `; there are ${columns.join(", ")}`}`),
  ];
}

/** The columns of a record, or of what became of many, where these fields are asked for. */
function getColumnNames({ columns }: Resource, fields: readonly string[], many: boolean): readonly string[] {
  const own = columns.filter(({ path }) => fields.includes(path) || (fields.length === 0 && !many));
  const asked = many && fields.length === 0 ? ["id", "name"] : fields;
  const all = [...own.flatMap(({ header, path }) => [path, header]), ...asked].map((name) => name.toLowerCase());
  return [...new Set(many ? ["ref", "ok", ...all, "error"] : all)];
}
