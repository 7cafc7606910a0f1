// The only way to write a record: each request of a change is journaled before it is sent, and its outcome after it.
import { isUnknownOutcome } from "../api/problems.ts";
import type { RecordSource } from "../api/refs.ts";
import { parseRecord } from "../api/reply.ts";
import type { ApiReply, ApiRequest } from "../api/request.ts";
import { toWritableRecord } from "../api/update.ts";
import { type DataRecord, idOf } from "../data-record.ts";
import { CalError, messageOf } from "../errors.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import type { Change } from "./change.ts";
import type { Former, Journal } from "./journal.ts";
import { hashRecord } from "./plan.ts";

/** Where a change is written: the site and the journal of the command. */
export interface Target {
  readonly site: RecordSource;
  readonly journal: Journal;
  readonly resource: Resource;
}

/** A change, and what was read before it. */
export type PlannedChange = Former & { readonly change: Change };

/**
 * Carries out one change. `send` gets the site with a client whose writes are journaled, and sends the requests; `toOutcome` gives the record as
 * the site has it then. Under --dry-run it resolves with the first request. Rejects as `send` does, and with kind `local` where the journal
 * can't be written: then the next request was not sent.
 */
export async function writeChange<Answer>(
  { site, journal, resource }: Target,
  { change, ...former }: PlannedChange,
  send: (site: RecordSource) => Promise<Answer | PlannedRequest>,
  toOutcome: (answer: Answer) => { readonly record: DataRecord; readonly existed?: true },
): Promise<Answer | PlannedRequest> {
  if (journal.plan !== undefined) {
    const hash = former.former && hashRecord(resource, former.former, site.serverProfile);
    journal.plan(hash === undefined ? change : { ...change, read: { hash, how: "view" } });
  }
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
    if (answer instanceof PlannedRequest) return answer;
    if (change.op === "delete") log.done({});
    else {
      const { record, existed } = toOutcome(answer);
      log.done({
        id: change.id ?? idOf(record),
        after: toWritableRecord(resource, record, site.serverProfile),
        ...(existed && { existed }),
      });
    }
    return answer;
  } catch (error) {
    // After an answer something was changed; what is missing is not known.
    if (error instanceof CalError && !isAnswered && !isUnknownOutcome(error)) log.error(error);
    else log.unknown(messageOf(error));
    throw error;
  }
}

/**
 * Carries out a change of one request. Resolves with the answer. `existedBefore` says of a create whether the server changed a record that was
 * there instead: an undo must not delete it.
 */
export function sendChange(
  target: Target,
  planned: PlannedChange,
  request: ApiRequest,
  existedBefore: (reply: ApiReply, record: DataRecord) => boolean = () => false,
): Promise<ApiReply | PlannedRequest> {
  const toOutcome = (reply: ApiReply) => {
    const record = parseRecord(target.resource, reply, request);
    return { record, ...(existedBefore(reply, record) && { existed: true as const }) };
  };
  return writeChange(target, planned, ({ client }) => client.write(request), toOutcome);
}
