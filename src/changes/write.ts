// The only way to write a record: each request of a change is journaled before it is sent, and its outcome after it.
import { buildPriceRequest, type PricePlan } from "../api/price.ts";
import { isUnknownOutcome } from "../api/problems.ts";
import type { RecordSource } from "../api/refs.ts";
import { parseRecord } from "../api/reply.ts";
import type { ApiReply, ApiRequest } from "../api/request.ts";
import { type RecordUpdate, restorePriceAfter, type SentUpdate, sendUpdate } from "../api/send-update.ts";
import type { CurrentRecord } from "../api/update.ts";
import { type DataRecord, idOf, isRecord } from "../data-record.ts";
import { CalError, messageOf } from "../errors.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import type { Change } from "./change.ts";
import type { Former, Journal, Outcome } from "./journal.ts";
import { getAfter, hashRecord } from "./plan.ts";

/** Where a change is written: the site and the journal of the command. */
export interface Target {
  readonly site: RecordSource;
  readonly journal: Journal;
  readonly resource: Resource;
}

/** The same for a change of any kind: an uploaded file is a record of no resource. */
type AnyTarget = Omit<Target, "resource"> & { readonly resource?: Resource };

/** A change, and what was read before it. */
export type PlannedChange = Former & { readonly change: Change };

/** What a change came to: the record as the site has it then. Undefined under --dry-run. */
interface Written {
  readonly record: DataRecord;
  readonly existed?: boolean;
}

/**
 * Carries out one change. `send` gets the site with a client whose writes are journaled, and sends the requests. Resolves with what `send`
 * resolves with. Rejects as it does, and with kind `local` where the journal can't be written: then the next request was not sent.
 */
export async function writeChange<Answer>(
  target: AnyTarget,
  { change, ...former }: PlannedChange,
  send: (site: RecordSource) => Promise<Answer>,
  toWritten: (answer: Answer) => Written | undefined,
): Promise<Answer> {
  const { site, journal, resource } = target;
  const current = former.former && { record: former.former, raw: former.raw };
  journal.plan?.(
    current === undefined || resource === undefined ? change : { ...change, read: hashRecord(resource, current, site.serverProfile) },
  );
  const log = journal.begin(change, former);
  let isAnswered = false;
  const write = async (request: ApiRequest) => {
    await log.request(request);
    const reply = await site.client.write(request);
    if (reply instanceof PlannedRequest) return reply;
    isAnswered = true;
    log.answer(reply.status);
    return reply;
  };
  try {
    const answer = await send({ ...site, client: { ...site.client, write } });
    const written = toWritten(answer);
    if (written !== undefined) log.done(change.op === "delete" ? {} : toOutcome(target, change, written));
    return answer;
  } catch (error) {
    // After an answer something was changed; what is missing is not known.
    if (error instanceof CalError && !isAnswered && !isUnknownOutcome(error)) log.error(error);
    else log.unknown(messageOf(error));
    throw error;
  }
}

function toOutcome({ resource, site }: AnyTarget, change: Change, { record, existed }: Written): Outcome {
  const { id } = change;
  const after = resource && getAfter(resource, change, record, site.serverProfile);
  return { id: id ?? idOf(record), after, ...(existed === true && { existed }) };
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
  return writeChange(
    target,
    planned,
    ({ client }) => client.write(request),
    (reply) => {
      if (reply instanceof PlannedRequest) return undefined;
      if (planned.change.op === "delete") return { record: {} };
      const record = parseRecord(target.resource, reply, request);
      return { record, existed: existedBefore(reply, record) };
    },
  );
}

/** A record before an update, and its price. */
interface FormerPrice {
  readonly former: CurrentRecord | undefined;
  readonly price?: PricePlan | undefined;
  /** A record that shows the price. */
  readonly shown?: DataRecord | undefined;
}

/** An update that was sent: the answer, and the record after its price was restored; with --dry-run the requests of both. */
interface WrittenUpdate {
  readonly written: SentUpdate | PlannedRequest;
  readonly response: DataRecord | readonly PlannedRequest[];
}

/** Carries out an update. `price` is the price that is restored after it, as `shown` shows it: the former record, unless an undo restores another. */
export function writeUpdate(
  target: Target,
  change: Change,
  update: RecordUpdate,
  { former, price, shown = former?.record ?? {} }: FormerPrice,
): Promise<WrittenUpdate> {
  const { site, resource } = target;
  const follow = price === undefined || price.isKept ? undefined : buildPriceRequest(site, resource, update.id ?? "", price);
  return writeChange(
    target,
    { change, former: former?.record, raw: former?.raw, follow },
    async (journaled) => {
      const written = await sendUpdate(journaled, resource, update);
      return { written, response: await restorePriceAfter(journaled, resource, written, { former: shown, price }) };
    },
    ({ response }) => (isRecord(response) ? { record: response } : undefined),
  );
}
