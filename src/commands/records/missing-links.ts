// `--create-missing`: linked records that no record is called like are created, just before the record that links to them is sent.
import { findByName, findRecordSuggestions, formatMatches, resolveId } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildCreateRequest, type Input } from "../../api/request.ts";
import { buildWriteBody, toExactId } from "../../api/update.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, idOf, isRecord } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { createPlanReport } from "../../output/render.ts";
import type { Report } from "../../output/report.ts";
import type { RecordSite } from "./command.ts";
import { describeRecord } from "./messages.ts";

/** A linked record that is not there yet. Among the values its `data` stands for it. */
export interface MissingRecord {
  readonly resource: Resource;
  readonly data: DataRecord;
}

/** Values without a missing link, and the requests for them that --dry-run kept from the wire. */
export interface ResolvedLinks {
  readonly values: Input;
  readonly plannedRequests: readonly PlannedRequest[];
}

/** What stands among the values for what is missing. Whether its name is still free is asked when it is created. */
export function getPlaceholders(missing: readonly MissingRecord[]): readonly DataRecord[] {
  return missing.map(({ data }) => data);
}

/** Creates what is missing, says so, and puts the new ids into the values. */
export async function createMissingRecords(
  context: Context,
  site: RecordSite,
  values: Input,
  missing: readonly MissingRecord[],
): Promise<ResolvedLinks> {
  const ids = new Map<unknown, unknown>();
  const plannedRequests: PlannedRequest[] = [];
  for (const { resource, data } of missing) {
    const name = JSON.stringify(data[resource.titleField]);
    const near = await findRecordSuggestions(site, resource, String(data[resource.titleField]));
    const warn = async (created: string) => (near === undefined ? undefined : context.warn(`${created}; there is also ${near}`));
    const request = buildCreateRequest(site.namespace, resource, buildWriteBody(resource, data, site.serverProfile, undefined));
    try {
      await assertNoMerge(site, resource, data);
      const reply = await site.client.write(request);
      if (reply instanceof PlannedRequest) {
        await warn(`${resource.singular} ${name} would be created`);
        plannedRequests.push(reply);
        ids.set(data, `(id of the new ${resource.singular} ${name})`);
        continue;
      }
      const record = parseRecord(resource, reply, request);
      await context.notice(`Created ${describeRecord(resource, record)}`);
      await warn(`${describeRecord(resource, record)} was created`);
      ids.set(data, getCreatedId(resource, record));
    } catch (error) {
      ids.set(data, await resolveIdAfterConflict(site, resource, data, error));
    }
  }
  const settled = (value: unknown): unknown => (Array.isArray(value) ? value.map(settled) : (ids.get(value) ?? value));
  return { values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, settled(value)])), plannedRequests };
}

/** The id of the record that somebody else has created since it was looked up, for which ours was refused. */
async function resolveIdAfterConflict(site: RecordSite, resource: Resource, data: DataRecord, refusal: unknown): Promise<number | string> {
  if (!(refusal instanceof CalError) || refusal.kind !== "rejected") throw refusal;
  const id = await resolveId(site, resource, { by: "name", name: String(data[resource.titleField]) }).catch(() => {
    throw refusal;
  });
  return toExactId(id);
}

function getCreatedId(resource: Resource, record: DataRecord): number | string {
  const id = idOf(record);
  if (id !== undefined) return toExactId(id);
  throw new CalError("unavailable", `a ${resource.singular} was created, but the answer does not tell its id`, {
    hint: { text: "find it", command: `cal ${resource.name} list` },
  });
}

/** The report; a plan begins with the requests that --dry-run planned before it. */
export function addPlannedRequests(planned: readonly PlannedRequest[], report: Report): Report {
  return report.kind === "plan" ? { ...report, requests: [...createPlanReport(planned).requests, ...report.requests] } : report;
}

// A create under a name that exists would change the existing record on some servers: looked for before anything is sent.

/** Rejects (exit 6) where the record, or inline data of a linked one, has a name that this kind of server would merge into; not for `besides` among the data. */
export async function assertNoMerge(site: RecordSite, resource: Resource, values: Input, besides: readonly unknown[] = []): Promise<void> {
  await assertNameAvailable(site, resource, values);
  for (const field of resource.fields) {
    if (field.refersTo === undefined) continue;
    const value = values[field.name];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    // Inline data with an id names its record; only data without one can meet a name by accident.
    for (const item of items)
      if (isRecord(item) && item["id"] === undefined && !besides.includes(item))
        await assertNameAvailable(site, resources[field.refersTo], item);
  }
}

async function assertNameAvailable(site: RecordSite, resource: Resource, values: Input): Promise<void> {
  const name = values[resource.titleField];
  if (!site.serverProfile.upsertsByName.includes(resource.name) || typeof name !== "string" || name === "") return;
  const found = await findByName(site, resource, name);
  const [first] = found;
  if (first === undefined) return;
  throw new CalError(
    "rejected",
    `there is already a ${resource.singular} of this name, and this server would change it instead of creating one: ${formatMatches(resource, found)}`,
    {
      code: "name-exists",
      hint: `change it: cal ${resource.name} edit ${idOf(first) ?? ""}; use it as it is: --${resource.singular} ${idOf(first) ?? ""}; merge all the same: --merge`,
    },
  );
}
