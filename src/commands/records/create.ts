// `cal <resource> create`: validates the input, asks at a terminal for required fields, sends one POST, and compares the answer with it.
import { type PricePlan, restorePrice } from "../../api/price.ts";
import { readAllowsAnyHtml } from "../../api/raw-record.ts";
import { findByName, type RecordSource } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildCreateRequest, type Input } from "../../api/request.ts";
import { explainRefusedValues } from "../../api/send-update.ts";
import { buildWriteBody } from "../../api/update.ts";
import { findHtmlWarnings, findNewPriceWarnings, findUrlWarnings } from "../../api/write-warnings.ts";
import { createCreateChange } from "../../changes/plan.ts";
import { writeChange } from "../../changes/write.ts";
import { addCallScope } from "../../config/hint-commands.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { wallToEpoch } from "../../dates/zone.ts";
import { CalError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { createPlanReport } from "../../output/render.ts";
import type { Report } from "../../output/report.ts";
import { unbreakable } from "../../text.ts";
import type { Handler } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { endOnLastDay } from "./all-day.ts";
import { createRecordCommand, createRecordReport, openSite, type RecordCommand, validateOutputFields } from "./command.ts";
import { promptForRecord } from "./create-prompts.ts";
import { createDateWindow, instantOf } from "./date-window.ts";
import { resolveDates, warnOfPast } from "./dates.ts";
import { prepareImage, readInput, validateRequiredFields } from "./input.ts";
import { resolveLinks, resolveLinksForWrite } from "./links.ts";
import { describeRecord, warnBeforeWrite, warnOfDifferences } from "./messages.ts";
import { createOverlapGuard, validateNoOverlap } from "./no-overlap.ts";
import { assertLinkedCreated, changedInsteadError, existedBefore, type HighestIds } from "./server-merges.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const initialInput = await readInput(resource, invocation, context, problems);
    const initialCommand = await createRecordCommand(resource, "create", invocation, context, problems);
    const { command, input, send } = await promptForRecord({ command: initialCommand, input: initialInput });
    const resolved = await endOnLastDay(command, await resolveDates(command, input, command.settings.tz.value));
    problems.push(...validateRequiredFields(resource, command.invocation, input, problems));
    problems.push(...validateNoOverlap(command.invocation));
    const writeWithImage = await prepareImage(command, resolved);
    const site = await openSite(command);
    // After questions the user has seen it.
    if (input === initialInput) await warnOfPast(command, resolved);
    return send(async () => {
      const existing = await findExisting(command, site, resolved);
      if (existing !== undefined) return createRecordReport(resource, existing);
      return writeWithImage(site, resolved, (ready) => createRecord(command, site, ready, { summaryFields: Object.keys(resolved) }));
    });
  };
}

/** Of a new record a terminal shows these fields beside those of the input. */
const createdSummaryFields = ["id", "slug", "url", "status"];

/** The record of which a new one is a copy, the values that differ from it, and its price. */
export interface Original {
  readonly record: DataRecord;
  readonly input: Input;
  readonly price: PricePlan | undefined;
}

/** Creates a record from an input with resolved dates. */
export async function createRecord(
  command: RecordCommand,
  site: RecordSource,
  input: Input,
  { summaryFields, original }: { readonly summaryFields: readonly string[]; readonly original?: Original },
): Promise<Report> {
  const { resource } = command;
  const copied = original?.record ?? {};
  const { values, plannedRequests, highestIds } = await resolveLinksForWrite(command, site, input, { record: copied, isNew: true });
  if (command.invocation.flags["no-overlap"] === true)
    await createOverlapGuard(site, command.settings).assertFree("", values, Object.keys(values));
  const record = await sendCreate(command, site, values, highestIds, original);
  if (record instanceof PlannedRequest) return createPlanReport([...plannedRequests, record]);
  const id = idOf(record);
  const all = id === undefined ? {} : { all: addCallScope(`cal ${resource.name} get ${id}`, command.context) };
  return { ...createRecordReport(resource, record), recordSummary: { fields: [...createdSummaryFields, ...summaryFields], ...all } };
}

/**
 * Sends a new record, reports it, and warns of each field that the server stored differently. A copy gets the price of its original.
 * Rejects (exit 6) where the server changed an existing record instead, which only `--merge` allows.
 */
export async function sendCreate(
  command: RecordCommand,
  site: RecordSource,
  values: Input,
  highestIds: HighestIds,
  original?: Original,
): Promise<DataRecord | PlannedRequest> {
  const { resource, verb, context, serverProfile, invocation } = command;
  const body = buildWriteBody(resource, values, serverProfile, undefined);
  await warnBeforeWrite(command, { [resource.titleField]: values[resource.titleField] }, [
    ...findUrlWarnings(resource, body, serverProfile),
    ...(original?.price === undefined ? findNewPriceWarnings(body, serverProfile) : []),
    ...(original === undefined ? await findNewHtmlWarnings(site, resource, body) : []),
  ]);
  const request = buildCreateRequest(site, resource, body);
  const merges = invocation.flags["merge"] === true;
  const send = async (journaled: RecordSource) => {
    const reply = await journaled.client.write(request).catch((error: unknown) => {
      throw original === undefined ? error : explainRefusedValues(resource, { sent: body, input: original.input }, error);
    });
    if (reply instanceof PlannedRequest) return reply;
    const created = parseRecord(resource, reply, request);
    const write = { sent: body, reply, record: created, highestIds };
    const existed = existedBefore(site, resource, write);
    if (existed && !merges) return { write, record: created, existed };
    // Copies have the same title: the start tells them apart.
    const when = resource.hasDates && verb === "clone" ? getText(created, "start_date").slice(0, 16) : undefined;
    await context.notice(`${existed ? "Changed" : "Created"} ${describeRecord(resource, created, when)}`);
    return { write, record: await copyPrice(journaled, resource, created, original), existed };
  };
  const change = createCreateChange(resource, valueToText(values[resource.titleField]), values);
  const target = { site, journal: await context.journal(), resource };
  const written = await writeChange(target, { change }, send, (answer) => (answer instanceof PlannedRequest ? undefined : answer));
  if (written instanceof PlannedRequest) {
    if (original?.price?.meta !== undefined && !original.price.isKept) await context.notice("then the copy gets the price as it is stored");
    return written;
  }
  const { write, record, existed } = written;
  if (existed && !merges) throw changedInsteadError(resource, record, body);
  if (!merges) assertLinkedCreated(site, resource, write, () => `${describeRecord(resource, record)} was created`);
  await warnOfDifferences(command, values, record);
  return record;
}

async function copyPrice(
  journaled: RecordSource,
  resource: Resource,
  answer: DataRecord,
  original: Original | undefined,
): Promise<DataRecord> {
  const id = idOf(answer);
  if (original?.price === undefined || id === undefined) return answer;
  const restored = await restorePrice(journaled, resource, id, { price: original.price, former: original.record, answer });
  return restored instanceof PlannedRequest ? answer : restored;
}

/** The elements that a new text loses: asked only where the text has some, for it takes a request. */
async function findNewHtmlWarnings(site: RecordSource, resource: Resource, body: Input): Promise<readonly string[]> {
  const warnings = findHtmlWarnings(resource, body);
  return warnings.length > 0 && (await readAllowsAnyHtml(site, resource)) === false ? warnings : [];
}

// Doubles: an event with the same title and start, or another record with the same name.

/**
 * With --if-not-exists the record that is there already. Else warns of a second event with the same title and start; a user at a terminal
 * confirms it, and where not, this rejects with kind `declined`.
 */
async function findExisting(command: RecordCommand, site: RecordSource, values: Input): Promise<DataRecord | undefined> {
  const { resource, context, invocation, settings } = command;
  const { globals } = context;
  const onlyNew = invocation.flags["if-not-exists"] === true;
  if (!onlyNew && (!resource.hasDates || globals["dry-run"] === true)) return undefined;
  const search = findDuplicates(resource, site, values, settings.tz.value);
  // A create does not depend on the search for the warning.
  const [duplicate, ...others] = await (onlyNew ? search : search.catch(() => []));
  if (duplicate === undefined) return undefined;
  const when = resource.hasDates ? String(values["start_date"]).slice(0, 16) : undefined;
  const found = `${describeRecord(resource, duplicate, when)}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  if (onlyNew) {
    await context.notice(`nothing was created: there is already ${found}`);
    return duplicate;
  }
  const user = globals["yes"] === true ? undefined : await findInteractiveUser(context);
  if (user === undefined) {
    const number = idOf(duplicate) ?? "";
    await context.warn(
      `there is already ${found}; --if-not-exists creates no second one, and ${unbreakable(`cal ${resource.name} get ${number}`)} shows it`,
    );
  } else if (!(await user.confirm(`There is already ${found} - create another one?`, false)))
    throw new CalError("declined", "nothing was created", { code: "declined" });
  return undefined;
}

/** Records with the same name; of events those with the same start, of categories those with the same parent. */
async function findDuplicates(resource: Resource, site: RecordSource, values: Input, siteZone: string): Promise<readonly DataRecord[]> {
  const name = String(values[resource.titleField]);
  if (!resource.hasDates) {
    const found = await findByName(site, resource, name);
    if (found.length === 0 || values["parent"] === undefined) return found;
    const { parent } = await resolveLinks(site, resource.fields, { parent: values["parent"] });
    return found.filter((record) => String(record["parent"]) === String(parent));
  }
  const [start, zone] = [String(values["start_date"]), String(values["timezone"] || siteZone)];
  const moment = wallToEpoch(start, zone);
  if (moment === undefined) return [];
  const { filters } = createDateWindow({ from: moment, to: moment, running: false }, zone, site.serverProfile);
  const found = await findByName(site, resource, name, filters);
  return found.filter((record) => instantOf(record, "start_date", zone) === moment);
}
