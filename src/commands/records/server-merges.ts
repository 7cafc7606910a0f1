// Some servers change an existing venue or organizer where one is created with its name. Such a create is refused before it is sent, and
// an answer that shows an older record is an error.
import { findNameMatches, formatMatches, isSameName, type NameMatches, type RecordSource } from "../../api/refs.ts";
import type { ApiReply, Input } from "../../api/request.ts";
import { toList } from "../../api/update.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { wallToEpoch } from "../../dates/zone.ts";
import { CalError } from "../../errors.ts";
import { getGivenFields, type Resource, type ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { formatRecordName, formatValue } from "./messages.ts";

/** The highest id that the look-ups before a write saw, by resource. A record that is created later has a higher one. */
export type HighestIds = ReadonlyMap<ResourceName, number>;

/**
 * Rejects (exit 6) where the record, or the data of a linked one, has a name that this server would merge into.
 * Placeholders are not looked at: their names are looked up when they are created.
 */
export async function assertNoMerge(
  site: RecordSource,
  resource: Resource,
  values: Input,
  placeholders: readonly unknown[] = [],
): Promise<HighestIds> {
  const highestIds = new Map<ResourceName, number>();
  const newRecords = [{ target: resource, data: values }, ...findInlineData(resource, values)];
  for (const { target, data } of newRecords) {
    const name = data[target.titleField];
    if (!site.serverProfile.upsertsByName.includes(target.name) || typeof name !== "string" || name === "") continue;
    if (placeholders.includes(data)) continue;
    const matches = await findNameMatches(site, target, name);
    if (matches.records.length > 0) throw nameExistsError(target, matches);
    highestIds.set(target.name, Math.max(matches.highestId, highestIds.get(target.name) ?? 0));
  }
  return highestIds;
}

/** The data of linked records that a write creates. Data with an id names its record. */
function findInlineData(resource: Resource, values: Input): readonly { readonly target: Resource; readonly data: DataRecord }[] {
  return getGivenFields(resource, values).flatMap(({ name, refersTo }) => {
    if (refersTo === undefined) return [];
    const data = [values[name]].flat().filter(isRecord);
    return data.filter((item) => item["id"] === undefined).map((item) => ({ target: resources[refersTo], data: item }));
  });
}

function nameExistsError(resource: Resource, { records }: NameMatches): CalError {
  const id = records.map(idOf).find((one) => one !== undefined) ?? "";
  return new CalError(
    "rejected",
    `there is already a ${resource.singular} of this name, and this server would change it instead of creating one: ${formatMatches(resource, records)}`,
    {
      code: "name-exists",
      hint: [
        { text: "change it", command: `cal ${resource.name} edit ${id}` },
        `use it in an event: --${resource.singular} ${id}`,
        "merge all the same: --merge",
      ],
    },
  );
}

/** A write and its answer. */
interface AnsweredWrite {
  readonly sent: Input;
  readonly reply: ApiReply;
  readonly record: DataRecord;
  readonly highestIds: HighestIds;
}

const millisecondsPerHour = 3_600_000;

/** Whether the record of a create existed before, as far as the answer shows: it is older than an hour, or its id is not a new one. */
export function existedBefore(
  { serverProfile }: RecordSource,
  resource: Resource,
  { sent, reply, record, highestIds }: AnsweredWrite,
): boolean {
  if (!serverProfile.upsertsByName.includes(resource.name)) return false;
  const id = Number(idOf(record));
  if (id <= (highestIds.get(resource.name) ?? 0)) return true;
  const hasOwnDate = sent["date"] !== undefined || sent["date_utc"] !== undefined;
  const created = wallToEpoch(getText(record, "date_utc"), "UTC");
  return !hasOwnDate && created !== undefined && created < Date.parse(reply.headers["date"] ?? "") - millisecondsPerHour;
}

/** Throws (exit 6) where linked records, whose data was sent to create them, existed before. `written` says what else was done. */
export function assertLinkedCreated(site: RecordSource, resource: Resource, write: AnsweredWrite, written: () => string): void {
  for (const { target, data } of findInlineData(resource, write.sent)) {
    const name = getText(data, target.titleField);
    const links = resource.fields
      .filter(({ refersTo }) => refersTo === target.name)
      .flatMap(({ name: field }) => toList(write.record[field]));
    const record = links.filter(isRecord).find((link) => isSameName(getText(link, target.titleField), name));
    if (record !== undefined && existedBefore(site, target, { ...write, sent: data, record }))
      throw changedInsteadError(target, record, data, `${written()}, but `);
  }
}

/** The error for a create that changed an existing record. */
export function changedInsteadError(resource: Resource, record: DataRecord, sent: Input, before = ""): CalError {
  const fields = Object.entries(sent).map(([name, value]) => `${name} ${formatValue(value)}`);
  const what = `${before}${formatRecordName(resource, record)} existed before: the server changed it instead of creating one`;
  return new CalError("rejected", `${what}. Sent: ${fields.join(", ")}. The former values of these fields are not known`, {
    code: "changed-instead",
    hint: { text: "see it as it is now", command: `cal ${resource.name} get ${idOf(record) ?? ""}` },
  });
}
