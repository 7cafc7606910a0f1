// `cal <resource> update`: validates the input, then reads each record, sends what changes, and compares the answer with it.
import { type RecordSource, resolveRef } from "../../api/refs.ts";
import type { Input, Ref, UpdateMethod } from "../../api/request.ts";
import type { SentUpdate } from "../../api/send-update.ts";
import {
  buildWriteBody,
  type CurrentRecord,
  findUndocumentedLinks,
  isClearingValue,
  planUpdate,
  toList,
  toWritableRecord,
  toWritableValue,
} from "../../api/update.ts";
import { findNewPriceWarnings, findUpdateWarnings, findUrlWarnings } from "../../api/write-warnings.ts";
import { createUpdateChange } from "../../changes/plan.ts";
import { writeUpdate } from "../../changes/write.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import { CalError, usageError } from "../../errors.ts";
import { stringifyExact, valueToText } from "../../http/json.ts";
import { PlannedRequest } from "../../http/transport.ts";
import { type Field, getFieldFlagName, type Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { once } from "../../once.ts";
import type { Report } from "../../output/report.ts";
import { getTexts, type Handler, type Invocation } from "../command.ts";
import { runWithinLimits } from "../limits.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { endOnLastDay } from "./all-day.ts";
import { createRecordCommand, openSite, type RecordCommand, throwIfProblems, validateOutputFields } from "./command.ts";
import {
  applyShift,
  assertDurationNotDoubled,
  assertEndAfterStart,
  changesDates,
  reportDurationChange,
  reportOffsetFromNow,
  reportZoneChange,
  resolveDates,
  validateShift,
} from "./dates.ts";
import type { WriteWithImage } from "./image.ts";
import { prepareImage, readInput } from "./input.ts";
import { addPlannedRequests, resolveLinks, resolveLinksForWrite } from "./links.ts";
import { describeRecord, formatChanges, formatRecordName, formatValue, warnBeforeWrite, warnOfDifferences } from "./messages.ts";
import { createOverlapGuard, mergeEvent, type OverlapGuard, validateNoOverlap } from "./no-overlap.ts";
import {
  formatRef,
  isPlanned,
  type RefResult,
  type Refs,
  readCurrentRecord,
  readRecord,
  readRefs,
  reportRefs,
  resolveAmbiguousRef,
} from "./refs.ts";
import { assertLinkedCreated, type HighestIds } from "./server-merges.ts";
import { applyStartTime, validateStartTime } from "./start-time.ts";

/** The handler that updates records of a resource. `helpCommand` is that of a command which uses it. */
export function update(resource: Resource, helpCommand?: string): Handler {
  return async (invocation, context) => {
    const { args, flags } = invocation;
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const bothFromStdin = args.includes("-") && flags["data"] === "-";
    if (bothFromStdin) problems.push("refs and --data can't both come from stdin; put the data into a file: --data @file.json");
    const refs = await readRefs(resource, invocation, context, problems);
    const input = bothFromStdin ? {} : await readInput(resource, invocation, context, problems);
    const command = { ...(await createRecordCommand(resource, "update", invocation, context, problems)), helpCommand };
    await resolveDates(command, input, undefined);
    const where = invocation.where === undefined ? undefined : await import("./where.ts");
    await where?.validateWhere(command);
    await validateStartTime(invocation, input, problems);
    problems.push(
      ...validateClears(resource, input, command.serverProfile),
      ...validateShift(invocation, input),
      ...validateNoOverlap(invocation),
    );
    const links = parseLinkChanges(command, input);
    const writeWithImage = await prepareImage(command, input);
    const isEmpty = [input, links.add, links.remove].every((values) => Object.keys(values).length === 0);
    if (problems.length === 0 && isEmpty && !["shift", "duration", "start-time"].some((name) => flags[name] !== undefined))
      problems.push("nothing to update: no field was given");
    const site = await openSite(command);
    const selected = await where?.selectRecords(command);
    const chosen = selected ?? (await resolveAmbiguousRef(command, site, refs));
    return runWithinLimits(invocation, context, chosen.refs.length, async (itsContext) => {
      const itsCommand = { ...command, context: itsContext };
      if (selected !== undefined) await where?.confirmSelection(itsCommand, selected);
      return updateAll(itsCommand, await openSite(itsCommand), chosen, { input, links, writeWithImage });
    });
  };
}

/** What an update was given. */
interface GivenChanges {
  readonly input: Input;
  readonly links: LinkChanges;
  readonly writeWithImage: WriteWithImage;
}

async function updateAll(
  command: RecordCommand,
  site: RecordSource,
  chosen: Refs,
  { input, links, writeWithImage }: GivenChanges,
): Promise<Report> {
  const { resource, invocation, context, settings } = command;
  const { flags } = invocation;
  // A link that is to be removed is never created for that.
  const remove = await resolveLinks(site, resource.fields, links.remove, { user: await findInteractiveUser(context) });
  const linkable = { ...input, ...links.add };
  const { values, plannedRequests, highestIds } = await resolveLinksForWrite(command, site, linkable, { record: {}, isNew: false });
  const shared = {
    changesDates: changesDates(command, input),
    highestIds,
    readDocument: createDocumentReader(site),
    method: parseUpdateMethod(invocation),
    many: chosen.refs.length > 1,
    ...(flags["no-overlap"] === true && { overlaps: createOverlapGuard(site, settings) }),
  };
  const updateOne = flags["raw"] === true ? updateRaw : updateRecord;
  const report = await writeWithImage(site, values, async (ready) => {
    const change: RecordChange = { ...splitLinkChanges(resource, ready, links, remove), ...shared };
    return reportRefs(command, site, chosen, ({ ref }, itsSite) => updateOne(command, itsSite, change, ref), {
      // One after the other, so that each is compared with those before it.
      ...(change.overlaps !== undefined && { concurrency: 1 }),
    });
  });
  // Its changes are reported on stderr.
  return addPlannedRequests(plannedRequests, report.kind === "record" ? { ...report, recordSummary: { fields: [] } } : report);
}

/** What this server profile can't empty. */
export function validateClears(resource: Resource, input: Input, profile: ServerProfile): readonly string[] {
  return Object.entries(profile.cannotClear[resource.name] ?? {}).flatMap(([name, why]) =>
    isClearingValue(input[name]) ? [`${name} can't be emptied on this server: ${why}`] : [],
  );
}

const methods: Readonly<Record<string, UpdateMethod>> = { patch: "PATCH", put: "PUT", post: "POST" };

/** The value of `--method`; the parser validates it. */
export function parseUpdateMethod({ flags }: Invocation): UpdateMethod {
  return methods[String(flags["method"])] ?? "PATCH";
}

/** What an update changes in each of its records. */
interface RecordChange {
  /** New values: links are ids, dates are as the user wrote them. */
  readonly input: Input;
  readonly changesDates: boolean;
  readonly links?: LinkChanges | undefined;
  readonly method: UpdateMethod;
  readonly readDocument: () => Promise<unknown>;
  /** What the look-ups of its links saw. */
  readonly highestIds: HighestIds;
  /** Whether several records are changed. */
  readonly many?: boolean;
  readonly overlaps?: OverlapGuard;
  /** The record as the user saw it in an editor; a record that has changed since then is not updated. */
  readonly base?: CurrentRecord;
}

/** Updates one record. Resolves with the server's answer, or with the record where there is nothing to change. */
export async function updateRecord(command: RecordCommand, site: RecordSource, change: RecordChange, ref: Ref): Promise<RefResult> {
  const { resource, context, serverProfile } = command;
  const { base } = change;
  const path = await resolveRef(site, resource, ref);
  const current = await readCurrentRecord(command, site, path);
  const { record } = current;
  if (base !== undefined) assertNotStale(command, base, current);
  const dated = change.changesDates ? await resolveChangedDates(command, change, record) : change.input;
  const input = change.links === undefined ? dated : applyLinkChanges(command, dated, change.links, record);
  // A server that loses fields on updates is sent those that it is known to lose.
  const repeatsAll = change.method === "PUT" && serverProfile.lostOnUpdate[resource.name] === undefined;
  const none = { unsent: [], lost: [] };
  const { unsent, lost } = repeatsAll ? await findUndocumentedLinks(resource, record, input, change.readDocument) : none;
  const known = unsent.length === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !unsent.includes(name)));
  const plan = planUpdate(resource, { ...current, record: known }, input, serverProfile, change.method);
  if (plan.changes.length === 0) {
    await context.notice(`nothing to change: ${describeRecord(resource, record)}`);
    return record;
  }
  const changed = plan.changes.map(({ field }) => field);
  await change.overlaps?.assertFree(formatRef(ref), mergeEvent(record, input), changed);
  if (lost.length > 0)
    await context.warn(
      `${describeRecord(resource, record)}: ${lost.join(" and ")} not sent: the server's documentation does not name them; --method patch leaves them as they are`,
    );
  if (change.changesDates) {
    if (base === undefined) await reportDurationChange(command, record, input);
    await reportZoneChange(command, record, input);
  }
  await warnBeforeWrite(command, record, findUpdateWarnings(resource, current, plan, serverProfile));
  const body = { ...plan.body, ...getUtcDate(command, current, input) };
  const update = { path, id: idOf(record), method: change.method, body, input };
  const target = { site, journal: await context.journal(), resource };
  const planned = createUpdateChange(resource, formatRef(ref), record, plan.changes);
  const { written, response } = await writeUpdate(target, planned, update, { former: current, price: plan.price });
  if (written instanceof PlannedRequest || isPlanned(response)) return response;
  assertLinksCreated(command, site, change, written, response);
  const formatted = () => formatChanges(command, plan.changes, input, { current: record, response, many: change.many === true });
  await context.notice(() => `Updated ${describeRecord(resource, response)}${formatted()}`);
  await warnOfDifferences(command, input, response);
  return response;
}

/** Reads what the server documents of itself (section 4.1), once for all records of a command. */
export function createDocumentReader({ client, namespace }: RecordSource): RecordChange["readDocument"] {
  return once(async () => (await client.send({ method: "GET", path: `/${namespace}/doc`, query: [] })).value);
}

/** The new date of a draft in UTC: recorded, a draft that never had one ignores its `date` without it. */
function getUtcDate({ resource, settings, serverProfile }: RecordCommand, { record, raw }: CurrentRecord, input: Input): Input {
  const { date, date_utc } = input;
  if (serverProfile.rawPaths[resource.name] === undefined || date === undefined || date_utc !== undefined) return {};
  if (!getText(record, "date_utc").startsWith("0000-")) return {};
  const parse = (wall: unknown, zone: string) => wallToEpoch(String(wall), zone) ?? Number.NaN;
  const zone = settings.tz.value;
  // The clock of the site, where its stored date in UTC shows that it is another one.
  const offset = parse(raw?.values["date_utc"], "UTC") - parse(record["date"], "UTC");
  const isOther = !Number.isNaN(offset) && parse(record["date"], zone) !== parse(record["date"], "UTC") + offset;
  const utc = epochToWall(isOther ? parse(date, "UTC") + offset : parse(date, zone), "UTC");
  return utc === undefined ? {} : { date_utc: utc };
}

/** Sends the input alone. By slug the record is read, to verify its slug and to find its id, which a rename needs. */
async function updateRaw(command: RecordCommand, site: RecordSource, change: RecordChange, ref: Ref): Promise<RefResult> {
  const { resource, context, serverProfile } = command;
  const path = await resolveRef(site, resource, ref);
  const input = change.changesDates ? await resolveChangedDates(command, change) : change.input;
  const record = path.by === "id" ? { id: path.id } : await readRecord(command, site, path, "write");
  const body = buildWriteBody(resource, input, serverProfile, idOf(record));
  await warnBeforeWrite(command, record, [...findUrlWarnings(resource, body, serverProfile), ...findNewPriceWarnings(body, serverProfile)]);
  const changes = Object.entries(input).flatMap(([field, to]) => (to === undefined ? [] : [{ field, from: undefined, to }]));
  const planned = createUpdateChange(resource, formatRef(ref), record, changes);
  const target = { site, journal: await context.journal(), resource };
  const update = { path, id: idOf(record), method: change.method, body, input };
  const { written } = await writeUpdate(target, planned, update, { former: undefined });
  if (written instanceof PlannedRequest) return [written];
  const { record: response } = written;
  assertLinksCreated(command, site, change, written, response);
  await context.notice(`Updated ${describeRecord(resource, response)}`);
  await warnOfDifferences(command, input, response);
  return response;
}

/** Throws (exit 6) where linked records that were to be created existed before. */
function assertLinksCreated(
  { resource, invocation }: RecordCommand,
  site: RecordSource,
  { highestIds }: RecordChange,
  write: SentUpdate,
  record: DataRecord,
): void {
  if (invocation.flags["merge"] === true) return;
  assertLinkedCreated(site, resource, { ...write, highestIds }, () => `${describeRecord(resource, record)} was updated`);
}

/** `modified` has seconds only, so the writable fields are compared too. */
function assertNotStale({ resource, serverProfile }: RecordCommand, base: CurrentRecord, current: CurrentRecord): void {
  const stateOf = (one: CurrentRecord) =>
    stringifyExact([one.record["modified"], toWritableRecord(resource, one, serverProfile), one.raw?.meta]);
  if (stateOf(base) === stateOf(current)) return;
  throw new CalError(
    "rejected",
    `${describeRecord(resource, current.record)} was changed by somebody else in the meantime; nothing was sent`,
    {
      code: "changed-meanwhile",
      hint: { text: "see it as it is now", command: `cal ${resource.name} get ${idOf(current.record) ?? ""}` },
    },
  );
}

/** The input with its dates on the clock of the record; `record` is absent where it was not read. */
async function resolveChangedDates(initial: RecordCommand, { input, base }: RecordChange, record?: DataRecord): Promise<Input> {
  // Each record has its own problems.
  const command = { ...initial, problems: [] };
  const siteZone = command.settings.tz.value;
  const zone = record === undefined ? siteZone : getText(record, "timezone") || siteZone;
  const values = await resolveDates(command, input, zone, record);
  throwIfProblems(command);
  if (base === undefined) await reportOffsetFromNow(command, input, values);
  if (record === undefined) return endOnLastDay(command, values);
  const shifted = await applyShift(command, values, record, zone);
  const dated = await endOnLastDay(command, await applyStartTime(command, shifted, record, zone), record);
  assertEndAfterStart(command.resource, record, dated);
  // In an editor the user sees both dates.
  if (base === undefined) assertDurationNotDoubled(command, record, dated);
  return dated;
}

// `--add-category`, `--remove-category` and similar flags: the other links of the record stay.

/** Links to add and to remove, by field: refs as written, or their ids. */
interface LinkChanges {
  readonly add: Input;
  readonly remove: Input;
}

function parseLinkChanges({ resource, invocation: { flags }, problems }: RecordCommand, input: Input): LinkChanges {
  const links: Record<"add" | "remove", Record<string, unknown>> = { add: {}, remove: {} };
  for (const field of findMultiValueFields(resource)) {
    const all = getFieldFlagName(field);
    for (const action of ["add", "remove"] as const) {
      const flag = `${action}-${all}`;
      const refs = getTexts(flags[flag]);
      if (refs.length === 0) continue;
      links[action][field.name] = refs;
      if (input[field.name] !== undefined)
        problems.push(`--${flag} and --${all} exclude each other: --${all} replaces all ${field.refersTo}`);
      if (flags["raw"] === true) problems.push(`--${flag} needs the record to be read, and --raw does not read it`);
    }
  }
  return links;
}

/** Takes the links that are only added out of the values. Throws a usage error for a link that is added and removed. */
function splitLinkChanges(resource: Resource, values: Input, links: LinkChanges, remove: Input) {
  const isAdded = ([name]: readonly [string, unknown]) => links.add[name] !== undefined;
  const add = Object.fromEntries(Object.entries(values).filter(isAdded));
  for (const field of findMultiValueFields(resource)) {
    const removedIds = toIdStrings(remove[field.name]);
    const both = toIdStrings(add[field.name]).filter((id) => removedIds.includes(id));
    const flag = getFieldFlagName(field);
    if (both.length > 0) throw usageError(`--add-${flag} and --remove-${flag} both name ${both.join(", ")}`);
  }
  const hasLinks = Object.keys(add).length > 0 || Object.keys(remove).length > 0;
  const input = Object.fromEntries(Object.entries(values).filter((entry) => !isAdded(entry)));
  return { input, links: hasLinks ? { add, remove } : undefined };
}

/** The values with the new links of the record: its own in their order, then the added ones. A field without a change is left out. */
function applyLinkChanges({ resource, serverProfile }: RecordCommand, values: Input, links: LinkChanges, record: DataRecord): Input {
  const changed = findMultiValueFields(resource).flatMap((field) => {
    const [add, remove] = [toList(links.add[field.name]), toIdStrings(links.remove[field.name])];
    if (add.length === 0 && remove.length === 0) return [];
    const own = getRecordLinks(resource, field, record, serverProfile);
    const ownIds = toIdStrings(own);
    const remaining = own.filter((id) => !remove.includes(valueToText(id)));
    const added = add.filter((id) => !ownIds.includes(valueToText(id)));
    return remaining.length === own.length && added.length === 0 ? [] : [[field.name, [...remaining, ...added]] as const];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

/** Throws where a link of the record can't be read, for it would be lost. */
function getRecordLinks(resource: Resource, field: Field, record: DataRecord, profile: ServerProfile): readonly unknown[] {
  const value = record[field.name];
  const ids = toList(toWritableValue(field, record, profile));
  if (value !== undefined && toList(value).length === ids.length) return ids;
  const flag = getFieldFlagName(field);
  throw usageError(
    `${formatRecordName(resource, record)}: the server tells its ${field.refersTo} as ${formatValue(value)}, so none can be added or taken away`,
    `name all that it shall have: --${flag}`,
  );
}

function findMultiValueFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ multiple }) => multiple === true);
}

function toIdStrings(value: unknown): readonly string[] {
  return toList(value).map(valueToText);
}
