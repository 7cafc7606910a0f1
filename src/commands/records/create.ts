// `cal <resource> create`: validates the input, asks at a terminal for required fields, sends one POST, and compares the answer with it.
import { findByName, type RecordSource } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildCreateRequest, type Input } from "../../api/request.ts";
import { buildWriteBody } from "../../api/update.ts";
import { type DataRecord, idOf } from "../../data-record.ts";
import { wallToEpoch } from "../../dates/zone.ts";
import { CalError } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { createPlanReport } from "../../output/render.ts";
import type { Report } from "../../output/report.ts";
import type { Handler } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { createRecordCommand, createRecordReport, openSite, type RecordCommand, validateOutputFields } from "./command.ts";
import { promptForRecord } from "./create-prompts.ts";
import { createDateWindow, instantOf } from "./date-window.ts";
import { resolveDates, warnOfPast } from "./dates.ts";
import { readInput, validateRequiredFields } from "./input.ts";
import { resolveLinksForWrite } from "./links.ts";
import { assertLinkedCreated, changedInsteadError, existedBefore, type HighestIds } from "./merges.ts";
import { describeRecord, warnOfDifferences } from "./messages.ts";

/** The handler that creates a record of a resource. */
export function create(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const initialInput = await readInput(resource, invocation, context, problems);
    const initialCommand = await createRecordCommand(resource, "create", invocation, context, problems);
    const { command, input, send } = await promptForRecord({ command: initialCommand, input: initialInput });
    const resolved = await resolveDates(command, input, command.settings.tz.value);
    problems.push(...validateRequiredFields(resource, command.invocation, input, problems));
    const site = await openSite(command);
    // After questions the user has seen it.
    if (input === initialInput) await warnOfPast(command, resolved);
    return send(async () => {
      await checkDuplicate(command, site, resolved);
      return createRecord(command, site, resolved, { summaryFields: Object.keys(resolved) });
    });
  };
}

/** Of a new record a terminal shows these fields beside those of the input. */
const createdSummaryFields = ["id", "slug", "url", "status"];

/** Creates a record from an input with resolved dates; `copied` is the record whose links it has. */
export async function createRecord(
  command: RecordCommand,
  site: RecordSource,
  input: Input,
  { summaryFields, copied = {} }: { readonly summaryFields: readonly string[]; readonly copied?: DataRecord },
): Promise<Report> {
  const { resource } = command;
  const { values, plannedRequests, highestIds } = await resolveLinksForWrite(command, site, input, { record: copied, isNew: true });
  const record = await sendCreate(command, site, values, highestIds);
  if (record instanceof PlannedRequest) return createPlanReport([...plannedRequests, record]);
  const id = idOf(record);
  const all = id === undefined ? {} : { all: `cal ${resource.name} get ${id}` };
  return { ...createRecordReport(resource, record), recordSummary: { fields: [...createdSummaryFields, ...summaryFields], ...all } };
}

/**
 * Sends a new record, reports it, and warns of each field that the server stored differently. Rejects (exit 6) where the server changed an
 * existing record instead, which only `--merge` allows.
 */
export async function sendCreate(
  command: RecordCommand,
  site: RecordSource,
  values: Input,
  highestIds: HighestIds,
): Promise<DataRecord | PlannedRequest> {
  const { resource, context, serverProfile, invocation } = command;
  const body = buildWriteBody(resource, values, serverProfile, undefined);
  const request = buildCreateRequest(site.namespace, resource, body);
  const reply = await site.client.write(request);
  if (reply instanceof PlannedRequest) return reply;
  const record = parseRecord(resource, reply, request);
  const write = { sent: body, reply, record, highestIds };
  const merges = invocation.flags["merge"] === true;
  const isChanged = existedBefore(site, resource, write);
  if (isChanged && !merges) throw changedInsteadError(resource, record, body);
  await context.notice(`${isChanged ? "Changed" : "Created"} ${describeRecord(resource, record)}`);
  if (!merges) assertLinkedCreated(site, resource, write, `${describeRecord(resource, record)} was created`);
  await warnOfDifferences(command, values, record);
  return record;
}

// Duplicate check: a user at a terminal confirms a second event of the same title at the same time.

/** Rejects with kind `declined` where the user does not want a duplicate. A script is not slowed down by the search. */
async function checkDuplicate({ resource, context, settings }: RecordCommand, site: RecordSource, values: Input): Promise<void> {
  const { globals } = context;
  if (globals["yes"] === true || globals["dry-run"] === true || values["start_date"] === undefined) return;
  const user = await findInteractiveUser(context);
  const [duplicate, ...others] = user === undefined ? [] : await findDuplicates(resource, site, values, settings.tz.value);
  if (user === undefined || duplicate === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const question = `There is already ${describeRecord(resource, duplicate, String(values["start_date"]).slice(0, 16))}${more} - create another one?`;
  if (!(await user.confirm(question, false))) throw new CalError("declined", "nothing was created", { code: "declined" });
}

/** None where the search fails: the create does not depend on it. */
async function findDuplicates(resource: Resource, site: RecordSource, values: Input, siteZone: string): Promise<readonly DataRecord[]> {
  const [start, zone] = [String(values["start_date"]), String(values["timezone"] || siteZone)];
  const moment = wallToEpoch(start, zone);
  if (moment === undefined) return [];
  const { filters } = createDateWindow({ from: moment, to: moment, running: false }, zone, site.serverProfile);
  const found = await findByName(site, resource, String(values[resource.titleField]), filters).catch(() => []);
  return found.filter((record) => instantOf(record, "start_date", zone) === moment);
}
