// Whether a server kept what it was sent, knowing what servers reformat: entities, quotes, prices, rendered text, slugs, links.
import { decodeEntities } from "../http/entities.ts";
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerKind } from "../spec/server-kinds.ts";
import { asciiUrl, decodedSlug } from "./address.ts";
import { type DataRecord, idOf, isRecord, plain } from "./record.ts";
import { currencyIn, isMissing, pricesIn, slugLetters, words } from "./rendered.ts";
import type { Input } from "./request.ts";
import { listOf, writableValue } from "./writable.ts";

/** A field that the answer shows otherwise than it was sent. */
export interface Difference {
  readonly field: string;
  readonly sent: unknown;
  /** Undefined where the answer does not hold the field. */
  readonly kept: unknown;
}

/** Compares what was sent with the record that was answered. Fields that were emptied and are absent count as kept. */
export function differences(resource: Resource, sent: Input, answer: DataRecord, kind: ServerKind): readonly Difference[] {
  return resource.fields.flatMap((field) => {
    const value = sent[field.name];
    if (value === undefined || isInlineData(value) || isKept(field, value, answer, kind)) return [];
    return [{ field: field.name, sent: value, kept: answer[field.name] }];
  });
}

/** Whether two values of a field mean the same: given, and as `writableValue` reads it. The order of links counts. */
export function sameValue(field: Field, given: unknown, current: unknown, kind: ServerKind): boolean {
  if (current === undefined) return isEmpty(given);
  if (field.type === "integers") return asList(given).join() === asList(current).join();
  if (field.name === "slug") return decodedSlug(plain(given)) === decodedSlug(plain(current));
  if (field.format === "date-time") return wallText(given) !== undefined && wallText(given) === wallText(current);
  const [left, right] = [plain(given), plain(current)];
  const read = (text: string) => (field.format === "url" ? asciiUrl(decodeEntities(text)) : decodeEntities(text));
  return left === right || (kind.rendersText && read(left) === read(right));
}

/** `2027-01-10T10:00` and `2027-01-10 10:00:00` are the same time of a wall clock; undefined for other forms, and where a zone is told with it. */
export function wallText(value: unknown): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/.exec(plain(value).trim()) ?? [];
  return day === undefined ? undefined : `${day} ${(time ?? "00:00:00").padEnd(8, ":00")}`;
}

function isKept(field: Field, sent: unknown, answer: DataRecord, kind: ServerKind): boolean {
  const kept = writableValue(field, answer, kind);
  if (field.type === "integers") return keptLinks(asList(sent), answer[field.name]);
  if (field.format === "date-time") return keptDate(field, sent, answer);
  if (field.name === "image" && !/^\d*$/.test(plain(sent))) return kept !== undefined;
  // An empty zone is the site's.
  if (field.format === "time-zone" && sent === "") return true;
  return sameValue(field, sent, kept ?? answer[field.name], kind) || keptRendered(field, sent, kept);
}

/** Texts that servers render: what matters is that the words and the numbers came through. */
function keptRendered(field: Field, sent: unknown, kept: unknown): boolean {
  if (isEmpty(sent) && isEmpty(kept ?? "")) return field.name !== "cost" || sent === "";
  if (field.name === "cost") return pricesIn(sent, kept) && currencyIn(sent, kept);
  if (field.name === "slug") return slugLetters(sent) === slugLetters(kept);
  if (field.format === "url") return decodeEntities(plain(sent)) === decodeEntities(plain(kept));
  if (typeof sent !== "string" || typeof kept !== "string") return false;
  const isText = field.format === "html" || (field.type === "string" && field.format === undefined);
  return isText && words(kept) === words(sent) && !isMissing(sent, kept);
}

/** Links come back as ids or as objects; what was sent may be a name or a slug. Their order is the server's. */
function keptLinks(sent: readonly string[], answered: unknown): boolean {
  const links = listOf(answered).map((item) => (isRecord(item) ? item : { id: item }));
  const isLink = (text: string, link: DataRecord) =>
    idOf(link) === text ||
    (!/^\d+$/.test(text) && Object.values(link).some((value) => typeof value === "string" && words(value) === words(text)));
  return sent.length === links.length && sent.every((text) => links.some((link) => isLink(text, link)));
}

/** A date in words, in the forms of a country or with a zone can't be judged. An event that lasts all day keeps its days only. */
function keptDate(field: Field, sent: unknown, answer: DataRecord): boolean {
  const inUtc = /Z$/.test(plain(sent));
  const kept = wallText(answer[inUtc ? `utc_${field.name}` : field.name]);
  const text = wallText(plain(sent).replace(/Z$/, ""));
  if (text === undefined || kept === undefined) return isEmpty(answer[field.name] ?? "") ? isEmpty(sent) : true;
  // Drafts don't tell their date in UTC.
  if (kept.startsWith("0000-")) return true;
  const wholeDays = answer["all_day"] === true && /^(start|end)_/.test(field.name);
  return wholeDays ? text.slice(0, 10) === kept.slice(0, 10) : text === kept;
}

function isInlineData(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.some(isRecord));
}

function isEmpty(value: unknown): boolean {
  return value === "" || value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

function asList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(plain);
  if (isEmpty(value) || value === "0") return [];
  return plain(value)
    .split(",")
    .map((part) => part.trim());
}
