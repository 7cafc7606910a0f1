// The linked records of an input: from refs and names to ids, with --create-missing also for records that do not exist yet.
import {
  addRecordSuggestions,
  findSimilarRecords,
  formatMatches,
  isSameName,
  type RecordSource,
  requireId,
  resolveId,
  type SimilarRecord,
} from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { type ApiReply, buildCreateRequest, type Input, parseRef, type Ref } from "../../api/request.ts";
import { buildWriteBody, toExactId, toList } from "../../api/update.ts";
import { createCreateChange } from "../../changes/plan.ts";
import { sendChange } from "../../changes/write.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { CalError, joinErrors, listHints, usageError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { createPlanReport } from "../../output/render.ts";
import type { Report } from "../../output/report.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { shellQuote } from "../../text.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import type { RecordCommand } from "./command.ts";
import { describeRecord, formatValue } from "./messages.ts";
import { promptForRecordId } from "./refs.ts";
import { assertNoMerge, changedInsteadError, existedBefore, type HighestIds } from "./server-merges.ts";

/** What to do about a name that no record has, or several. */
interface LinkOptions {
  /** Chooses among several records; without a user they are exit 2. */
  readonly user?: Prompt | undefined;
  /** Receives the records to create; without it they are exit 3. */
  readonly missing?: MissingRecord[] | undefined;
  /** Receives those of `newLinks`, which may be created without `--create-missing`. */
  readonly chosen?: { readonly newLinks: ReadonlySet<string>; readonly missing: MissingRecord[] };
  /** Whether the command has `--create-missing`. */
  readonly canCreate?: true;
  /** The record that is written: ids that it links to already exist. Absent is a read, where no id is looked up. */
  readonly targetRecord?: DataRecord;
}

/** A linked record that does not exist yet. Its `data` is the placeholder for its id in the values. */
interface MissingRecord {
  readonly resource: Resource;
  readonly data: DataRecord;
  /** Records with similar names. */
  readonly similar: readonly SimilarRecord[];
}

/** Values whose links are ids, the creates of missing records that --dry-run did not send, and what the look-ups saw. */
interface ResolvedLinks {
  readonly values: Input;
  readonly plannedRequests: readonly PlannedRequest[];
  readonly highestIds: HighestIds;
}

/**
 * Resolves the links of a create or an update, and creates the missing records where the user wants it. `record` is the record that is
 * written, as far as it is known. Rejects where the server would merge the input into an existing record.
 */
export async function resolveLinksForWrite(
  command: RecordCommand,
  site: RecordSource,
  input: Input,
  { record, isNew }: { readonly record: DataRecord; readonly isNew: boolean },
): Promise<ResolvedLinks> {
  const { resource, invocation, context, serverProfile } = command;
  const user = await findInteractiveUser(context);
  const missing: MissingRecord[] = [];
  const createMissing = invocation.flags["create-missing"] === true;
  const chosen = { newLinks: command.newLinks ?? new Set<string>(), missing };
  const options = { user, canCreate: true, missing: createMissing ? missing : undefined, chosen, targetRecord: record } as const;
  const values = await resolveLinks(site, resource.fields, input, options);
  const invalid = (serverProfile.scalarFields[resource.name] ?? []).filter((name) => {
    const value = values[name];
    return Array.isArray(value) && value.length > 1;
  });
  if (invalid.length > 0)
    throw usageError(invalid.map((name) => `--${name} takes one record on this server, not ${formatValue(values[name])}`));
  // The record of an update exists already: only data of linked records can have an existing name.
  const { [resource.titleField]: _, ...others } = values;
  const placeholders = missing.map(({ data }) => data);
  const merges = invocation.flags["merge"] === true;
  const highestIds = merges ? new Map() : await assertNoMerge(site, resource, isNew ? values : others, placeholders);
  return { ...(await createMissingRecords(context, site, values, missing)), highestIds };
}

/**
 * Replaces every ref of a linked record by its id; data of a linked record stays as it is. Looks up names and slugs, and before a write the ids
 * that servers ignore where they do not exist. Reports all records that do not exist at once.
 */
export async function resolveLinks(site: RecordSource, fields: readonly Field[], values: Input, options: LinkOptions = {}): Promise<Input> {
  const resolved: Record<string, unknown> = { ...values };
  const errors: CalError[] = [];
  for (const field of fields) {
    const value = values[field.name];
    if (field.refersTo === undefined || value === undefined) continue;
    const target = resources[field.refersTo];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const search: LinkSearch = { ...options, site, target, existingIds: findExistingIds(field, options) };
    const ids: unknown[] = [];
    for (const item of items.flatMap(splitIds)) {
      try {
        ids.push(...(typeof item === "string" ? await resolveLinkIds(item, search) : [item]));
      } catch (error) {
        if (!(error instanceof CalError) || !["no-match", "near-name"].includes(error.details.code ?? "")) throw error;
        errors.push(error);
      }
    }
    resolved[field.name] = field.type === "integers" ? ids.filter((id, at) => ids.indexOf(id) === at) : ids[0];
  }
  if (errors.length > 0) throw joinErrors(errors);
  return resolved;
}

/** The search for the links of one field. */
interface LinkSearch extends LinkOptions {
  readonly site: RecordSource;
  readonly target: Resource;
  /** Ids that exist; absent where no id is looked up. */
  readonly existingIds: Set<string> | undefined;
}

function findExistingIds({ name, ignoresUnknownIds }: Field, { targetRecord }: LinkOptions): Set<string> | undefined {
  if (ignoresUnknownIds !== true || targetRecord === undefined) return undefined;
  return new Set(toList(targetRecord[name]).map((link) => (isRecord(link) ? (idOf(link) ?? "") : valueToText(link))));
}

/** A comma-separated list of ids is several items; a number of JSON data is looked up like an id of the command line. */
function splitIds(item: unknown): readonly unknown[] {
  const text = typeof item === "number" ? String(item) : item;
  if (typeof text !== "string") return [item];
  const parts = splitCommaList(text);
  return parts.length > 0 && parts.every((part) => /^(?:id:|#)?\d+$/.test(part)) ? parts : [item];
}

function splitCommaList(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Looks up the whole text first, then its comma-separated parts. */
async function resolveLinkIds(text: string, search: LinkSearch): Promise<readonly unknown[]> {
  const { target, missing } = search;
  const parts = splitCommaList(text);
  const whole = await tryResolveLinkId(text, search);
  if (!(whole instanceof CalError)) return [whole];
  if (search.chosen?.newLinks.has(`${target.name} ${text}`) === true)
    return [await addMissingRecord(text, whole, { ...search, missing: search.chosen.missing })];
  if (parts.length < 2) return [await addMissingRecord(text, whole, search)];
  const found: unknown[] = [];
  for (const part of parts) found.push(await tryResolveLinkId(part, search));
  if (missing !== undefined && found.every((one) => one instanceof CalError)) {
    if (/^name:[^:]*$/.test(text)) return [await addMissingRecord(text, whole, search)];
    if (!target.isTerm)
      throw usageError(
        `--create-missing: is ${JSON.stringify(text)} one ${target.singular} or several?`,
        `one: --${target.singular} 'name:${text}'; several: give the flag for each of them`,
      );
  }
  const ids: unknown[] = [];
  for (const [at, one] of found.entries()) ids.push(one instanceof CalError ? await addMissingRecord(parts[at] ?? "", one, search) : one);
  return ids;
}

/** The id of the record with this ref; the error, returned, where there is none. */
async function tryResolveLinkId(text: string, { site, target, user, existingIds }: LinkSearch): Promise<number | string | CalError> {
  const ref = parseLinkRef(text);
  try {
    if (ref.by === "id" && existingIds !== undefined && !existingIds.has(ref.id)) await requireId(site, target, ref.id);
    if (ref.by === "id") existingIds?.add(ref.id);
    return toExactId(await resolveId(site, target, ref));
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    if (error.details.code === "no-match") return error;
    if (error.kind !== "usage" || user === undefined || ref.by === "id") throw error;
    const id = await promptForRecordId(site, target, ref.by === "name" ? ref.name : ref.slug, user);
    if (id === undefined) throw error;
    return toExactId(id);
  }
}

/** The placeholder of a record to create, the same for the same name. Throws the error where it can't be created: an id or a slug is no name. */
async function addMissingRecord(text: string, noMatch: CalError, { site, target, missing, canCreate, user }: LinkSearch): Promise<unknown> {
  const ref = parseLinkRef(text);
  // A name may look like an id.
  if (ref.by === "id") throw await addRecordSuggestions(site, target, ref.id, noMatch);
  const name = ref.by === "name" ? ref.name : ref.slug;
  const isSlug = /^slug:/.test(text);
  if (missing === undefined || isSlug) {
    const { kind, message, details } = noMatch;
    const hint = [...listHints(details.hint), ...(canCreate === true && !isSlug ? ["to create it: --create-missing"] : [])];
    throw await addRecordSuggestions(site, target, name, new CalError(kind, message, { ...details, hint }));
  }
  const isSame = ({ resource, data }: MissingRecord) => resource === target && isSameName(String(data[target.titleField]), name);
  const existing = missing.find(isSame)?.data;
  if (existing !== undefined) return existing;
  // `name:` says that the spelling is meant.
  const similar = ref.by === "name" ? [] : await findSimilarRecords(site, target, name).catch(() => []);
  const near = similar.filter(({ isNear }) => isNear).map(({ record }) => record);
  if (near.length > 0) {
    // Somebody else has created it since it was looked up.
    const same = near.filter((record) => isSameName(getText(record, target.titleField), name)).map(idOf)[0];
    if (same !== undefined) return toExactId(same);
    if (user === undefined) throw nearNameError(target, name, near);
    const id = await promptForNearRecord(target, name, near, user);
    if (id !== undefined) return toExactId(id);
  }
  const data = { [target.titleField]: name };
  missing.push({ resource: target, data, similar: near.length > 0 ? [] : similar });
  return data;
}

/** For a script: a name with a typing error must not become a record. */
function nearNameError(target: Resource, name: string, near: readonly DataRecord[]): CalError {
  const [first] = near;
  const message = `--create-missing: there is no ${target.singular} ${JSON.stringify(name)}, but there is ${formatMatches(target, near)}`;
  return new CalError("usage", message, {
    code: "near-name",
    hint: [
      `to create it, mark the spelling as right: ${shellQuote(`name:${name}`)}`,
      `to take the one that is there, give its id: ${(first && idOf(first)) ?? "<id>"}`,
    ],
  });
}

/** The id of the record that the user means; undefined for a new one. */
function promptForNearRecord(target: Resource, name: string, near: readonly DataRecord[], user: Prompt): Promise<string | undefined> {
  const existing = near.flatMap((record) => {
    const id = idOf(record);
    return id === undefined ? [] : [{ name: formatMatches(target, [record]), value: id }];
  });
  const choices = [...existing, { name: `a new ${target.singular} ${JSON.stringify(name)}`, value: undefined }];
  return user.choose<string | undefined>(`There is no ${target.singular} ${JSON.stringify(name)}. Which one do you mean?`, choices);
}

/** A ref of a linked record may be a bare text with any characters, slashes too. */
function parseLinkRef(text: string): Ref {
  return /^(?:id|slug|name):/.test(text) || /^#?\d+$/.test(text) ? parseRef(text) : { by: "slug", slug: text };
}

// `--create-missing`: creates linked records just before the record that links to them is sent.

/** Creates the missing records, reports them, and puts the new ids into the values. */
async function createMissingRecords(
  context: Context,
  site: RecordSource,
  values: Input,
  missing: readonly MissingRecord[],
): Promise<Omit<ResolvedLinks, "highestIds">> {
  const ids = new Map<unknown, unknown>();
  const plannedRequests: PlannedRequest[] = [];
  for (const { resource, data, similar } of missing) {
    const name = String(data[resource.titleField]);
    const others = formatMatches(
      resource,
      similar.map(({ record }) => record),
    );
    const warn = async (created: string) => (others === "" ? undefined : context.warn(`${created}; there is also ${others}`));
    const request = buildCreateRequest(site, resource, buildWriteBody(resource, data, site.serverProfile, undefined));
    try {
      const highestIds = await assertNoMerge(site, resource, data);
      const target = { site, journal: await context.journal(), resource };
      const change = createCreateChange(resource, `${resource.name}/${name}`, data);
      const isOld = (reply: ApiReply, record: DataRecord) => existedBefore(site, resource, { sent: data, reply, record, highestIds });
      const reply = await sendChange(target, { change }, request, isOld);
      if (reply instanceof PlannedRequest) {
        await warn(`${resource.singular} ${JSON.stringify(name)} would be created`);
        plannedRequests.push(reply);
        ids.set(
          data,
          target.journal.plan === undefined ? `(id of the new ${resource.singular} ${JSON.stringify(name)})` : { key: change.key },
        );
        continue;
      }
      const record = parseRecord(resource, reply, request);
      if (existedBefore(site, resource, { sent: data, reply, record, highestIds })) throw changedInsteadError(resource, record, data);
      await context.notice(`Created ${describeRecord(resource, record)}`);
      await warn(`${describeRecord(resource, record)} was created`);
      const id = idOf(record);
      if (id === undefined)
        throw new CalError("unavailable", `a ${resource.singular} was created, but the answer does not tell its id`, {
          hint: { text: "find it", command: `cal ${resource.name} list` },
        });
      ids.set(data, toExactId(id));
    } catch (error) {
      if (!(error instanceof CalError) || error.kind !== "rejected" || error.details.code === "changed-instead") throw error;
      // Somebody else has created the record since it was looked up.
      const id = await resolveId(site, resource, { by: "name", name }).catch(() => {
        throw error;
      });
      ids.set(data, toExactId(id));
    }
  }
  const replace = (value: unknown): unknown => (Array.isArray(value) ? value.map(replace) : (ids.get(value) ?? value));
  return { values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, replace(value)])), plannedRequests };
}

/** The report; a plan begins with the requests that were planned before it. */
export function addPlannedRequests(planned: readonly PlannedRequest[], report: Report): Report {
  return report.kind === "plan" ? { ...report, requests: [...createPlanReport(planned).requests, ...report.requests] } : report;
}
