// The only way to write a record: each request of a change is journaled before it is sent, and its outcome after it.
import { isUnknownOutcome } from "../api/problems.ts";
import type { RecordSource } from "../api/refs.ts";
import type { ApiRequest } from "../api/request.ts";
import { toWritableRecord } from "../api/update.ts";
import { type DataRecord, idOf } from "../data-record.ts";
import { CalError, messageOf } from "../errors.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import type { Change } from "./change.ts";
import type { Former, Journal } from "./journal.ts";

/**
 * Carries out one change. `send` gets the site with a client whose writes are journaled, sends the requests, and resolves with the record as
 * the site has it then, or with a request that --dry-run did not send. Rejects as `send` does, and with kind `local` where the journal can't
 * be written: then the next request was not sent.
 */
export async function writeChange<Answer extends DataRecord | PlannedRequest>(
  site: RecordSource,
  journal: Journal,
  resource: Resource,
  { change, ...former }: Former & { readonly change: Change },
  send: (target: RecordSource) => Promise<Answer>,
): Promise<Answer> {
  const log = journal.begin(change, former);
  let isSent = false;
  const write = async (request: ApiRequest) => {
    log.request(request);
    const reply = await site.client.write(request);
    isSent = true;
    if (!(reply instanceof PlannedRequest)) log.answer(reply.status);
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
    if (error instanceof CalError && !isSent && !isUnknownOutcome(error)) log.error(error);
    else log.unknown(messageOf(error));
    throw error;
  }
}
