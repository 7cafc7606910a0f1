// The requests of an update: the update itself, and the price that is restored after it.
import { type DataRecord, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import { PlannedRequest } from "../http/transport.ts";
import { getFieldFlagName, type Resource } from "../model/resource.ts";
import { sanitizeLine } from "../text.ts";
import { buildPriceRequest, type PricePlan, restorePrice } from "./price.ts";
import type { Site } from "./refs.ts";
import { parseRecord } from "./reply.ts";
import { buildUpdateRequest, type Input, type PathRef, type UpdateMethod } from "./request.ts";

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

/**
 * Sends an update. On some servers the slug in a by-slug body names the record and can't be a new one: a rename goes to the path of the id
 * there. Elsewhere such a body has a slug only where the input has one.
 */
export async function sendUpdate(
  site: Site,
  resource: Resource,
  { path, id, method, body, input }: RecordUpdate,
): Promise<DataRecord | PlannedRequest> {
  const { slug: _, ...others } = body;
  const { slugInBody } = site.serverProfile;
  const isRename = path.by === "slug" && input["slug"] !== undefined && !slugInBody;
  const target: PathRef = isRename && id !== undefined ? { by: "id", id } : path;
  const sent = target.by === "slug" && (input["slug"] === undefined || !slugInBody) ? others : body;
  const request = buildUpdateRequest(site, resource, target, method, sent);
  const reply = await site.client.write(request).catch((error: unknown) => {
    throw explainRefusedValues(resource, { sent: body, input }, error);
  });
  return reply instanceof PlannedRequest ? reply : parseRecord(resource, reply, request);
}

/**
 * Sends an update and restores the price after it. Resolves with the record as it is then, and with --dry-run with the requests.
 * Rejects with the code `price-not-restored` where only the second request failed.
 */
export async function sendUpdateWithPrice(
  site: Site,
  resource: Resource,
  update: RecordUpdate,
  { former, price }: { readonly former: DataRecord; readonly price: PricePlan | undefined },
): Promise<DataRecord | readonly PlannedRequest[]> {
  const answer = await sendUpdate(site, resource, update);
  const id = update.id ?? idOf(former);
  if (price === undefined || id === undefined) return answer instanceof PlannedRequest ? [answer] : answer;
  if (!(answer instanceof PlannedRequest)) {
    const restored = await restorePrice(site, resource, id, { price, former, answer });
    return restored instanceof PlannedRequest ? [restored] : restored;
  }
  const request = price.isKept ? undefined : buildPriceRequest(site, resource, id, price);
  const second = request === undefined ? undefined : await site.client.write(request);
  return second instanceof PlannedRequest ? [answer, second] : [answer];
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
