// How many events link to a venue, an organizer, a category or a tag that is about to go.
import type { Site } from "../../api/lookup.ts";
import { readPages } from "../../api/pages.ts";
import { type DataRecord, idOf } from "../../api/record.ts";
import { CalError } from "../../errors.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";

/** `12 events have it`; undefined where none has, where events can't be asked for it, and where the server does not tell. */
export async function findReferences(
  { client, namespace, serverProfile }: Site,
  resource: Resource,
  record: DataRecord,
): Promise<string | undefined> {
  const { events } = resources;
  const filter = events.filters.find(({ refersTo }) => refersTo === resource.name);
  const id = idOf(record);
  if (resource === events || filter === undefined || id === undefined) return undefined;
  const filters = { ...serverProfile.unfilteredParameters.events, [filter.name]: [id] };
  try {
    for await (const page of readPages({
      client,
      namespace,
      resource: events,
      filters,
      first: 1,
      perPage: 1,
      single: true,
      perPageIsAutomatic: true,
    }))
      return page.total === undefined || page.total === 0
        ? undefined
        : page.total === 1
          ? "1 event has it"
          : `${page.total} events have it`;
  } catch (error) {
    // What can't be counted is deleted all the same, if that is the answer.
    if (!(error instanceof CalError)) throw error;
  }
  return undefined;
}
