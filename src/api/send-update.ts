// The requests of an update: the update itself, and the price that is restored after it.
import { type DataRecord, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import { PlannedRequest } from "../http/transport.ts";
import { getFieldFlagName, type Resource } from "../model/resource.ts";
import { sanitizeLine } from "../text.ts";
import { buildPriceRequest, type PricePlan, restorePrice } from "./price.ts";
import type { RecordSource } from "./refs.ts";
import { parseRecord } from "./reply.ts";
import { type ApiReply, buildUpdateRequest, type Input, type PathRef, type UpdateMethod } from "./request.ts";

/** One update of a record. */
export interface RecordUpdate {
  readonly path: PathRef;
  /** The record's id, where it is known. */
  readonly id: string | undefined;
  readonly method: UpdateMethod;
  /** All that is sent. */
  readonly body: Input;
  /** What the user changes; the rest of the body is what the server would lose. */
  readonly input: Input;
}

/** An update that was answered. */
export interface SentUpdate {
  /** The body of the request. */
  readonly sent: Input;
  readonly reply: ApiReply;
  readonly record: DataRecord;
}

/**
 * Sends an update. On some servers the slug in a by-slug body names the record and can't be a new one: a rename goes to the path of the id
 * there. Elsewhere such a body has a slug only where the input has one.
 */
export async function sendUpdate(
  site: RecordSource,
  resource: Resource,
  { path, id, method, body, input }: RecordUpdate,
): Promise<SentUpdate | PlannedRequest> {
  const { slug: _, ...others } = body;
  const { slugInBody } = site.serverProfile;
  const isRename = path.by === "slug" && input["slug"] !== undefined && !slugInBody;
  const target: PathRef = isRename && id !== undefined ? { by: "id", id } : path;
  const sent = target.by === "slug" && (input["slug"] === undefined || !slugInBody) ? others : body;
  const request = buildUpdateRequest(site, resource, target, method, sent);
  const reply = await site.client.write(request).catch((error: unknown) => {
    throw explainRefusedValues(resource, { sent: body, input }, error);
  });
  return reply instanceof PlannedRequest ? reply : { sent, reply, record: parseRecord(resource, reply, request) };
}

/**
 * Restores the price of a record after its update. Resolves with the record as it is then, and with --dry-run with the requests of both.
 * Rejects with the code `price-not-restored` where it fails: then the update is done all the same.
 */
export async function restorePriceAfter(
  site: RecordSource,
  resource: Resource,
  written: SentUpdate | PlannedRequest,
  { former, price }: { readonly former: DataRecord; readonly price: PricePlan | undefined },
): Promise<DataRecord | readonly PlannedRequest[]> {
  const id = price === undefined ? undefined : idOf(former);
  if (!(written instanceof PlannedRequest)) {
    if (price === undefined || id === undefined) return written.record;
    const restored = await restorePrice(site, resource, id, { price, former, answer: written.record });
    return restored instanceof PlannedRequest ? [restored] : restored;
  }
  const request = price === undefined || price.isKept || id === undefined ? undefined : buildPriceRequest(site, resource, id, price);
  const second = request === undefined ? undefined : await site.client.write(request);
  return second instanceof PlannedRequest ? [written, second] : [written];
}

/** Names the values of the record itself that the server refuses: they must be sent with every update, and block it. */
export function explainRefusedValues(
  resource: Resource,
  { sent, input }: { readonly sent: Input; readonly input: Input },
  error: unknown,
): unknown {
  if (!(error instanceof CalError) || error.kind !== "rejected") return error;
  const params = error.details.server?.["params"];
  const names = typeof params === "object" && params !== null ? Object.keys(params) : [];
  const fields = resource.fields.filter(({ name }) => names.includes(name) && input[name] === undefined && sent[name] !== undefined);
  if (fields.length === 0) return error;
  const values = fields.map(({ name }) => `${name} ${sanitizeLine(stringifyExact(sent[name]))}`).join(" and ");
  const flags = fields.map(({ name }) => `--clear ${name}`).join(" ");
  const others = fields.map((field) => `--${getFieldFlagName(field)}`).join(", ");
  return new CalError(
    "rejected",
    `the server refuses what the ${resource.singular} has stored: ${values}; it must be sent, or it is lost; nothing was changed\n  ${error.message}`,
    {
      ...error.details,
      code: "stored-value-refused",
      hint: [`empty it together with the change: ${flags}`, `or give another value with the change: ${others}`],
    },
  );
}
