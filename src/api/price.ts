// The price of an event on a WordPress site: an update must send it, and the site parses it anew. Only WordPress's own interface keeps it exactly.
import { type DataRecord, getText, isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { decodeEntities } from "../html-text.ts";
import { stringifyExact, valueToText } from "../http/json.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import { sanitizeLine, shellQuote } from "../text.ts";
import type { RawRecord } from "./raw-record.ts";
import type { RecordSource } from "./refs.ts";
import { normalizeDateTime } from "./reply.ts";
import { type ApiRequest, doubleBackslashes } from "./request.ts";

/** How a write keeps a price that was not given. */
export interface PricePlan {
  /** What is sent as `cost`. */
  readonly cost: unknown;
  /** The rows that are restored after the write; absent where the stored ones can't be read. */
  readonly meta?: DataRecord;
  /** The stored text of the price, or the first of several. */
  readonly firstRow?: string;
  /** Whether the write itself keeps the rows, so that they are restored only where its answer shows another price. */
  readonly isKept: boolean;
  /** Whether visitors will see another price, or the number of it changes, and nothing can restore it. */
  readonly isLost: boolean;
}

const costRow = "_EventCost";
const currencyRows = ["_EventCurrencySymbol", "_EventCurrencyPosition"];
/** Written only where it is set: no write through the calendar interface changes it. */
const currencyCodeRow = "_EventCurrencyCode";

/** Plans the price of a record; undefined where it has none and no currency. */
export function planPrice(record: DataRecord, raw: RawRecord | undefined): PricePlan | undefined {
  const shown = getShownPrice(record);
  const rows = raw?.meta;
  if (rows === undefined || typeof rows[costRow] !== "string")
    return record["cost"] === undefined || shown.text === ""
      ? undefined
      : { cost: splitPrice(shown), isKept: false, isLost: !isParsedUnchanged(shown) };
  const stored = rows[costRow];
  const currency = Object.fromEntries([...currencyRows, currencyCodeRow].map((name) => [name, getText(rows, name)]));
  const hasCurrency = Object.values(currency).some((text) => text !== "");
  if (stored === "" && !hasCurrency) return undefined;
  const { [currencyCodeRow]: code, ...symbol } = currency;
  const currencyToRestore = { ...symbol, ...(code === "" ? {} : { [currencyCodeRow]: code }) };
  // Of several rows only the first can be read, and written: the update must send them all.
  if (hasSeveralRows(stored, shown)) {
    const cost = !hasCurrency && shown.numbers?.includes(stored) === true ? shown.numbers : splitPrice(shown);
    return { cost, firstRow: stored, meta: currencyToRestore, isKept: true, isLost: false };
  }
  // A number alone, or a word alone, is stored as it is sent.
  const isKept = !hasCurrency && /^(?:\d+(?:\.\d+)?|\p{L}[\p{L} ]*)$/u.test(stored);
  const meta = { [costRow]: stored, ...currencyToRestore };
  return { cost: isKept || stored === "" ? stored : splitPrice(shown), firstRow: stored, meta, isKept, isLost: false };
}

/** A price as visitors see it, and the numbers that the site finds in it. */
interface ShownPrice {
  readonly text: string;
  /** Absent where the site does not tell them. */
  readonly numbers?: readonly string[];
}

function getShownPrice(record: DataRecord): ShownPrice {
  const details = record["cost_details"];
  const values = isRecord(details) ? details["values"] : undefined;
  const text = decodeEntities(valueToText(record["cost"] ?? "")).trim();
  return Array.isArray(values) ? { text, numbers: values.map(valueToText).filter((value) => /\d/.test(value)) } : { text };
}

/** The parts of a range as an array: as one text it would lose its currency. The number 0 is shown as a word. */
function splitPrice({ text, numbers }: ShownPrice): unknown {
  if (numbers?.join() === "0") return "0";
  const parts = text.split(/ [–-] /);
  return parts.length > 1 ? parts : text;
}

/** A number of a price with its currency: `€10`, `10 kr`. */
const pricePattern = /^([^\d.,]*)(\d+(?:\.\d+)?)([^\d.,]*)$/;

/** What the site is sent for a price that was typed: of a range with a currency its parts, each with the currency. As one text it would lose it. */
export function toSentPrice(cost: unknown): unknown {
  if (typeof cost !== "string") return cost;
  const parts = cost.split(/[–—-]/).map((part) => pricePattern.exec(part.trim()));
  const signs = new Set(parts.flatMap((part) => [part?.[1]?.trim(), part?.[3]?.trim()]).filter(Boolean));
  if (parts.length < 2 || signs.size !== 1) return cost;
  const [, before = "", , after = ""] = parts.find((part) => part?.[1] !== "" || part[3] !== "") ?? [];
  return parts.every(isCurrencyPrice) ? parts.map((part) => `${before}${part?.[2]}${after}`) : cost;
}

/** Whether visitors will see another price than this one, which has a currency. Recorded: several numbers, and those with commas, lose it. */
export function isShownDifferently(cost: unknown): boolean {
  if (typeof cost !== "string" || !/\p{Sc}/u.test(cost) || toSentPrice(cost) !== cost) return false;
  const numbers = cost.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return numbers.length > 1 || numbers.some((number) => !/^\d+(?:\.\d+)?$/.test(number));
}

function isCurrencyPrice(part: RegExpExecArray | null): boolean {
  const isCurrency = (affix = "") => /^ ?(?:\p{Sc}|\p{L}){0,4} ?$/u.test(affix);
  return part !== null && isCurrency(part[1]) && isCurrency(part[3]) && (part[1] === "" || part[3] === "");
}

/** Whether the site stores a price with the same numbers and the same look, where its shown parts are sent. Recorded: decimal commas, thousands and other words are lost. */
function isParsedUnchanged({ text, numbers }: ShownPrice): boolean {
  if (!/\d/.test(text)) return true;
  const parts = text.split(/ [–-] /).map((part) => pricePattern.exec(part.trim()));
  return parts.every(isCurrencyPrice) && (numbers === undefined || parts.map((part) => part?.[2]).join() === numbers.join());
}

/** A price may be stored in several rows, of which WordPress shows the first: then the site finds more numbers than that row has. */
function hasSeveralRows(stored: string, { numbers = [] }: ShownPrice): boolean {
  const groups = stored.match(/\d+/g) ?? [];
  const digits = groups.join("");
  // The site pads the numbers of some texts with zeros.
  const trim = (number: string) => number.replace(/\D/g, "").replace(/^0+|0+$/g, "");
  return numbers.length > groups.length || numbers.some((number) => !digits.includes(trim(number)));
}

/** Whether two records show the same price. The name of the position of its currency may change: recorded, `suffix` becomes `postfix`. */
function isSamePriceShown(one: DataRecord, other: DataRecord): boolean {
  const show = (record: DataRecord) => stringifyExact([getShownPrice(record)]);
  return show(one) === show(other);
}

/**
 * Restores the rows of a price after a write, where the write has not kept them, and checks them in the answer. Resolves with the record as it is
 * then: `answer` is the answer of the write and `former` the record before it. With --dry-run resolves with the request. Rejects where the
 * price is not restored.
 */
export async function restorePrice(
  site: RecordSource,
  resource: Resource,
  id: string,
  { price, former, answer }: { readonly price: PricePlan; readonly former: DataRecord; readonly answer: DataRecord },
): Promise<DataRecord | PlannedRequest> {
  const request = buildPriceRequest(site, resource, id, price);
  if (request === undefined || (price.isKept && isSamePriceShown(former, answer))) return answer;
  const meta = price.meta ?? {};
  const reply = await site.client.write(request).catch((error: unknown) => {
    throw error instanceof CalError ? createRestoreError(resource, id, price, request, error) : error;
  });
  if (reply instanceof PlannedRequest) return reply;
  const value = isRecord(reply.value) ? reply.value : {};
  const stored = isRecord(value["meta"]) ? value["meta"] : {};
  // Recorded: this interface joins several rows of a price; visitors see the same.
  if (Object.entries(meta).some(([name, text]) => stored[name] !== text)) throw createRestoreError(resource, id, price, request);
  const dates = { modified: normalizeDateTime(value["modified"]), modified_utc: normalizeDateTime(value["modified_gmt"]) };
  const written = Object.entries(dates).filter(([name, date]) => date !== undefined && answer[name] !== undefined);
  return { ...answer, ...Object.fromEntries(written), cost: former["cost"], cost_details: former["cost_details"] };
}

function createRestoreError(
  { singular }: Resource,
  id: string,
  { firstRow }: PricePlan,
  { path, body }: ApiRequest,
  cause?: CalError,
): CalError {
  const former = stringifyExact(firstRow ?? "");
  const reason = cause === undefined ? "the site keeps another value" : cause.message;
  return new CalError(
    cause?.kind ?? "rejected",
    `${singular} ${id} was written, but its price ${sanitizeLine(former)} was not restored: ${reason}`,
    {
      ...cause?.details,
      code: "price-not-restored",
      hint: { text: "to restore it", command: `cal api POST ${path} --data ${shellQuote(stringifyExact(body))}` },
    },
  );
}

/** The request that writes the rows of a price; undefined where they are not known. */
export function buildPriceRequest(
  { serverProfile }: RecordSource,
  resource: Resource,
  id: string,
  { meta }: PricePlan,
): ApiRequest | undefined {
  const path = serverProfile.rawPaths[resource.name];
  if (path === undefined || meta === undefined) return undefined;
  // Recorded: of the rows, the site removes backslashes only here.
  const rows = { ...meta, ...(meta[costRow] === undefined ? {} : { [costRow]: doubleBackslashes(getText(meta, costRow)) }) };
  return { method: "POST", path: `${path}/${id}`, query: [["_fields", "id,modified,modified_gmt,meta"]], body: { meta: rows } };
}
