// The links of an import: all linked records are read once, and found by id, slug or name. Missing ones become changes of the plan.
import { formatMatches, isNearName, listRecords, normalizeName, type RecordSource } from "../../api/refs.ts";
import { normalizeSlug } from "../../api/request.ts";
import { toExactId } from "../../api/update.ts";
import type { Change, KeyRef } from "../../changes/change.ts";
import { createCreateChange } from "../../changes/plan.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import type { Problem } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { findName, type ImportRow, type LinkItem } from "./rows.ts";

/** An id, or the key of a change that creates the record. */
export type ResolvedLink = number | string | KeyRef;

interface LinkIndex {
  readonly byId: ReadonlyMap<string, DataRecord>;
  readonly bySlug: ReadonlyMap<string, DataRecord>;
  readonly byName: ReadonlyMap<string, readonly DataRecord[]>;
}

/** Finds the linked records of rows, and gathers those that have to be created. */
export interface LinkResolver {
  /**
   * The ids of one field; a problem of the row where a record does not exist or several match. `data` are the fields of a linked record that has
   * to be created.
   */
  resolve(row: ImportRow, field: Field, items: readonly LinkItem[], data: DataRecord): Promise<readonly ResolvedLink[]>;
  /** The creates of missing records. */
  readonly created: ReadonlyMap<string, Change>;
  /** Names of existing records that are near to those of new ones. */
  readonly warnings: readonly string[];
}

/** Records with fewer fields than these are not created from the data of a link. */
const copiedFields = ["description", "address", "city", "country", "province", "state", "zip", "phone", "website", "email"];

export function createLinkResolver(site: RecordSource, createsMissing: boolean): LinkResolver {
  const indexes = new Map<string, Promise<LinkIndex>>();
  const created = new Map<string, Change>();
  const warnings: string[] = [];
  const getIndex = (target: Resource): Promise<LinkIndex> => {
    const known = indexes.get(target.name) ?? readIndex(site, target);
    indexes.set(target.name, known);
    return known;
  };

  const find = (index: LinkIndex, target: Resource, text: string): DataRecord | undefined | Problem => {
    const [, kind, rest = text] = /^(id|slug|name):(.*)$/s.exec(text) ?? [];
    const byId = kind === undefined || kind === "id" ? index.byId.get(rest.replace(/^#/, "")) : undefined;
    if (byId !== undefined) return byId;
    const bySlug = kind === undefined || kind === "slug" ? index.bySlug.get(normalizeSlug(rest).toLowerCase()) : undefined;
    if (bySlug !== undefined) return bySlug;
    const named = kind === undefined || kind === "name" ? (index.byName.get(normalizeName(rest)) ?? []) : [];
    if (named.length < 2) return named[0];
    return { message: `${JSON.stringify(text)} is several ${target.name}: ${formatMatches(target, named)}`, hint: "name one by its id" };
  };

  const create = (index: LinkIndex, target: Resource, name: string, data: DataRecord): ResolvedLink => {
    const key = `${target.name}/${normalizeName(name)}`;
    if (!created.has(key)) {
      const near = [...index.byName.values()].flat().filter((record) => isNearName(name, toPlainText(getText(record, target.titleField))));
      if (near.length > 0) warnings.push(`${target.singular} ${JSON.stringify(name)} is new; there is also ${formatMatches(target, near)}`);
      created.set(key, createCreateChange(target, key, { [target.titleField]: name, ...data }));
    }
    return { key };
  };

  const resolveText = (row: ImportRow, index: LinkIndex, target: Resource, text: string, data: DataRecord): readonly ResolvedLink[] => {
    const whole = find(index, target, text);
    if (isProblem(whole)) row.problems.push(whole);
    if (isProblem(whole)) return [];
    if (whole !== undefined) return [toLink(whole)];
    const isIdList = /^\d+(?:[\s,]+\d+)+$/.test(text);
    const parts = text
      .split(isIdList ? /[\s,]+/ : ",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    return parts.flatMap((part) => {
      const found = parts.length === 1 ? whole : find(index, target, part);
      if (isProblem(found)) row.problems.push(found);
      if (isProblem(found)) return [];
      if (found !== undefined) return [toLink(found)];
      if (createsMissing && !/^(?:#?\d+$|id:|slug:)/.test(part)) return [create(index, target, part.replace(/^name:/, ""), data)];
      row.problems.push({
        message: `there is no ${target.singular} ${JSON.stringify(part)}`,
        ...(createsMissing ? {} : { hint: "--create-missing creates it" }),
      });
      return [];
    });
  };

  const resolveData = (row: ImportRow, index: LinkIndex, target: Resource, data: DataRecord): readonly ResolvedLink[] => {
    const name = toPlainText(findName(data));
    const sameId = index.byId.get(idOf(data) ?? "");
    // An id of another site is another record here.
    if (sameId !== undefined && normalizeName(getText(sameId, target.titleField)) === normalizeName(name)) return [toLink(sameId)];
    if (sameId !== undefined && data[target.titleField] === undefined) return [toLink(sameId)];
    const found = listNames(name, data).reduce<ReturnType<typeof find>>(
      (first, one) => first ?? find(index, target, `name:${one}`),
      undefined,
    );
    if (isProblem(found)) row.problems.push(found);
    if (isProblem(found)) return [];
    if (found !== undefined) return [toLink(found)];
    if (createsMissing && data[target.titleField] !== undefined) {
      const fields = target.fields.filter(
        (field) => copiedFields.includes(field.name) && typeof data[field.name] === "string" && data[field.name] !== "",
      );
      return [create(index, target, name, Object.fromEntries(fields.map((field) => [field.name, data[field.name]])))];
    }
    row.problems.push({
      message: `there is no ${target.singular} ${JSON.stringify(name)}`,
      ...(createsMissing ? {} : { hint: "--create-missing creates it" }),
    });
    return [];
  };

  return {
    created,
    warnings,
    resolve: async (row, { refersTo }, items, data) => {
      if (refersTo === undefined || items.length === 0) return [];
      const target = resources[refersTo];
      const index = await getIndex(target);
      const links = items.flatMap((item) =>
        isRecord(item) ? resolveData(row, index, target, item) : resolveText(row, index, target, String(item), data),
      );
      return links.filter((link, at) => links.findIndex((other) => JSON.stringify(other) === JSON.stringify(link)) === at);
    },
  };
}

/** The name of a linked record. The LOCATION of a calendar can have an address after the name: what stands before its last comma, and so on. */
function listNames(name: string, { location }: DataRecord): readonly string[] {
  const parts = typeof location === "string" ? location.split(",") : [];
  return [
    name,
    ...parts.slice(1).map((_, at) =>
      parts
        .slice(0, parts.length - 1 - at)
        .join(",")
        .trim(),
    ),
  ];
}

const isProblem = (found: DataRecord | Problem | undefined): found is Problem =>
  found !== undefined && "message" in found && typeof found["message"] === "string" && !("id" in found);

const toLink = (record: DataRecord): ResolvedLink => toExactId(idOf(record) ?? "");

async function readIndex(site: RecordSource, target: Resource): Promise<LinkIndex> {
  const byId = new Map<string, DataRecord>();
  const bySlug = new Map<string, DataRecord>();
  const byName = new Map<string, readonly DataRecord[]>();
  for (const record of await listRecords(site, target, {})) {
    const name = normalizeName(getText(record, target.titleField));
    byId.set(idOf(record) ?? "", record);
    bySlug.set(normalizeSlug(getText(record, "slug")).toLowerCase(), record);
    byName.set(name, [...(byName.get(name) ?? []), record]);
  }
  bySlug.delete("");
  return { byId, bySlug, byName };
}
