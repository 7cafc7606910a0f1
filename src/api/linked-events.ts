// The events that link to venues or organizers: those of any date and status, those of the trash, and those that no list shows.
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { valueToText } from "../http/json.ts";
import type { Field, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { readPages } from "./pages.ts";
import { fetchRecord, listRecords, type RecordSource } from "./refs.ts";
import { toWritableValue } from "./update.ts";

export interface LinkedEvents {
  readonly records: readonly DataRecord[];
  /** Whether this user could look for events that lists hide. */
  readonly isComplete: boolean;
}

/** The field of an event that links to records of this resource. Throws where there is none. */
export function getEventLink(resource: Resource): Field {
  const field = resources.events.fields.find(({ refersTo }) => refersTo === resource.name);
  if (field === undefined) throw new Error(`events have no ${resource.name}`);
  return field;
}

/** The ids in a field that links to other records. */
export function getLinkedIds({ serverProfile }: Pick<RecordSource, "serverProfile">, field: Field, record: DataRecord): readonly string[] {
  return [toWritableValue(field, record, serverProfile) ?? []].flat().map(valueToText);
}

/** How many events link to a record, as a list counts them. Undefined where they can't be counted by such a link, or not by this user. */
export async function countEvents(
  { client, namespace, serverProfile }: RecordSource,
  resource: Resource,
  id: string,
): Promise<number | undefined> {
  const { events } = resources;
  const filter = events.filters.find(({ refersTo }) => refersTo === resource.name);
  if (resource === events || filter === undefined || id === "") return undefined;
  const filters = { ...serverProfile.unfilteredParameters.events, [filter.name]: [id] };
  const options = { client, namespace, resource: events, filters, first: 1, perPage: 1, single: true, perPageIsAutomatic: true };
  try {
    for await (const { total = 0 } of readPages(options)) return total;
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
  }
  return undefined;
}

/** Reads the events that link to at least one of these records. */
export async function findLinkedEvents(site: RecordSource, resource: Resource, ids: readonly string[]): Promise<LinkedEvents> {
  const { events } = resources;
  const field = getEventLink(resource);
  const found = new Map<string, DataRecord>();
  const trashed = site.serverProfile.deleteMode === "trashes" ? [{ [field.name]: ids, status: "trash" }] : [];
  for (const filters of [{ [field.name]: ids }, ...trashed])
    for (const listed of await listRecords(site, events, filters)) {
      const id = idOf(listed);
      if (id === undefined || found.has(id)) continue;
      // Recorded: of an event with a password a list shows no links.
      const isWhole = getText(listed, "status") === "trash" || events.fields.every(({ name }) => listed[name] !== null);
      found.set(id, isWhole ? listed : await fetchRecord(site, events, { by: "id", id }));
    }
  const stored = await findStoredLinks(site, field, ids);
  for (const { id, ...event } of stored ?? [])
    if (!found.has(id)) found.set(id, event.status === "trash" ? { id, ...event } : await fetchRecord(site, events, { by: "id", id }));
  return { records: [...found.values()], isComplete: stored !== undefined };
}

interface StoredLink {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** Where an event as it is stored has the ids that it links to. */
const storedLinkNames: Readonly<Record<string, string>> = { venue: "_EventVenueID", organizer: "_EventOrganizerID" };

/**
 * Looks through all stored events: the calendar interface lists no event that is hidden from listings. Undefined where the site or the user has
 * no access to them. On other servers lists hide nothing.
 */
async function findStoredLinks(site: RecordSource, field: Field, ids: readonly string[]): Promise<readonly StoredLink[] | undefined> {
  const path = site.serverProfile.rawPaths.events;
  if (path === undefined) return [];
  const name = storedLinkNames[field.name] ?? "";
  const query = [
    ["context", "edit"],
    ["status", "any,trash"],
    ["orderby", "id"],
    ["order", "asc"],
    ["per_page", "100"],
    ["_fields", "id,status,title.raw,meta"],
  ] as const;
  const found: StoredLink[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    try {
      const { value, headers } = await site.client.send({ method: "GET", path, query: [...query, ["page", String(page)]], optional: true });
      pages = Number(headers["x-wp-totalpages"] ?? 1);
      for (const event of Array.isArray(value) ? value.filter(isRecord) : []) {
        const { meta, title } = event;
        const linked = isRecord(meta) ? [meta[name] ?? []].flat().map(valueToText) : [];
        if (linked.some((id) => ids.includes(id)))
          found.push({ id: idOf(event) ?? "", status: getText(event, "status"), title: isRecord(title) ? valueToText(title["raw"]) : "" });
      }
    } catch (error) {
      if (error instanceof CalError && ["forbidden", "unauthenticated", "not-found", "rejected", "local"].includes(error.kind))
        return undefined;
      throw error;
    }
  }
  return found;
}
