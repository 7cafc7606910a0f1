// The only way to write a record: each request of a change is journaled before it is sent, and its outcome after it.
import { isUnknownOutcome } from "../api/problems.ts";
import type { RecordSource } from "../api/refs.ts";
import { parseRecord } from "../api/reply.ts";
import { type ApiRequest, buildCreateRequest, buildDeleteRequest, type PathRef } from "../api/request.ts";
import { buildWriteBody, toWritableRecord } from "../api/update.ts";
import { type DataRecord, idOf, isRecord } from "../data-record.ts";
import { CalError, messageOf } from "../errors.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import type { Change } from "./change.ts";
import type { Former, Journal } from "./journal.ts";
import { getNewValues } from "./plan.ts";

/** Where a change is written: the site and the journal of the command. */
export interface Target {
  readonly site: RecordSource;
  readonly journal: Journal;
  readonly resource: Resource;
}

/**
 * Carries out one change. `send` gets the site with a client whose writes are journaled, sends the requests, and resolves with the record as
 * the site has it then, or with a request that --dry-run did not send. Rejects as `send` does, and with kind `local` where the journal can't
 * be written: then the next request was not sent.
 */
export async function writeChange<Answer extends DataRecord | PlannedRequest>(
  { site, journal, resource }: Target,
  { change, ...former }: Former & { readonly change: Change },
  send: (site: RecordSource) => Promise<Answer>,
): Promise<Answer> {
  const log = journal.begin(change, former);
  let isAnswered = false;
  const write = async (request: ApiRequest) => {
    log.request(request);
    const reply = await site.client.write(request);
    if (reply instanceof PlannedRequest) return reply;
    isAnswered = true;
    log.answer(reply.status);
    return reply;
  };
  try {
    const answer = await send({ ...site, client: { ...site.client, write } });
    if (!(answer instanceof PlannedRequest)) {
      const after = change.op === "delete" ? undefined : toWritableRecord(resource, answer, site.serverProfile);
      log.done({ id: change.id ?? idOf(answer), after });
    }
    return answer;
  } catch (error) {
    // After an answer something was changed; what is missing is not known.
    if (error instanceof CalError && !isAnswered && !isUnknownOutcome(error)) log.error(error);
    else log.unknown(messageOf(error));
    throw error;
  }
}

/** Sends one request whose answer is the record. */
export async function sendRequest(site: RecordSource, resource: Resource, request: ApiRequest): Promise<DataRecord | PlannedRequest> {
  const reply = await site.client.write(request);
  return reply instanceof PlannedRequest ? reply : parseRecord(resource, reply, request);
}

/** Creates the record of a change. */
export function writeNewRecord(target: Target, change: Change): Promise<DataRecord | PlannedRequest> {
  const { site, resource } = target;
  const body = buildWriteBody(resource, getNewValues(change), site.serverProfile, undefined);
  const request = buildCreateRequest(site.namespace, resource, body);
  return writeChange(target, { change }, (journaled) => sendRequest(journaled, resource, request));
}

/** Deletes the record of a change. Resolves with the server's answer, which need not be a record. */
export function writeDeletion(
  target: Target,
  path: PathRef,
  { change, ...former }: Former & { readonly change: Change },
): Promise<DataRecord | PlannedRequest> {
  const { site, resource } = target;
  return writeChange(target, { change, ...former }, async ({ client }) => {
    const reply = await client.write(buildDeleteRequest(site.namespace, resource, path));
    if (reply instanceof PlannedRequest) return reply;
    return isRecord(reply.value) ? reply.value : { deleted: reply.value };
  });
}
