// `--no-overlap`: a write is refused where its event would take a venue at the same time as another event.
import { fetchRecord, listRecords, type RecordSource } from "../../api/refs.ts";
import type { Input } from "../../api/request.ts";
import { type Change, isKeyRef, type Plan, type Skipped } from "../../changes/change.ts";
import { getNewValues } from "../../changes/plan.ts";
import type { Settings } from "../../config/settings.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { resources } from "../../model/resources.ts";
import { type Invocation, parseNames } from "../command.ts";
import { createDateWindow } from "./date-window.ts";
import { formatRecordName } from "./messages.ts";
import { areTooClose, getInterval, getShared, isExempt, type SharedRecord, type TimedEvent } from "./overlaps.ts";

/** Fields whose change can make an event overlap with another one. */
const relevantFields = ["start_date", "end_date", "timezone", "all_day", "venue", "status"];

/** What is wrong with the flag and others beside it. */
export function validateNoOverlap({ flags }: Invocation): readonly string[] {
  if (flags["no-overlap"] !== true) return [];
  return [
    ...(flags["raw"] === true ? ["--no-overlap needs the record to be read, and --raw does not read it"] : []),
    ...(flags["create-missing"] === true
      ? ["--no-overlap and --create-missing exclude each other: the linked records would be created first; create them on their own"]
      : []),
  ];
}

/** Compares events before they are written, with those of the site and with those that the same command has written before. */
export interface OverlapGuard {
  /** Rejects where the event, as it will be, overlaps with another one. `key` names it in the command; `changed` are the fields that change. */
  assertFree(key: string, event: DataRecord, changed: readonly string[]): Promise<void>;
}

export function createOverlapGuard(site: RecordSource, { tz, shared_venues }: Settings): OverlapGuard {
  const { events } = resources;
  const zone = tz.value;
  const exempt = parseNames(shared_venues?.value);
  const written = new Map<string, TimedEvent>();
  return {
    assertFree: async (key, event, changed) => {
      const interval = getInterval(event, zone);
      const venues = getShared(event, "venue").filter((venue) => !isExempt(venue, exempt));
      if (interval === undefined || venues.length === 0 || !changed.some((name) => relevantFields.includes(name))) return;
      const ids = venues.map(({ id }) => id);
      const isAtVenue = ({ id, ...names }: SharedRecord) => ids.includes(id) && !isExempt({ id, ...names }, exempt);
      const found = await listRecords(site, events, createFilters(site, interval, ids, zone));
      const others = found.flatMap((record): readonly TimedEvent[] => {
        const its = getInterval(record, zone);
        return its === undefined || written.has(idOf(record) ?? "") ? [] : [{ ...its, record }];
      });
      const overlapping = [...others, ...written.values()].filter(
        (other) =>
          (idOf(other.record) === undefined || idOf(other.record) !== idOf(event)) &&
          areTooClose(interval, other, 0) &&
          getShared(other.record, "venue").some(isAtVenue),
      );
      if (overlapping.length > 0) throw overlapError(overlapping.map(({ record }) => record));
      written.set(idOf(event) ?? `new ${key}`, { ...interval, record: event });
    },
  };
}

/** A server that knows only the starts of events is asked for all that began before: no lookback is long enough for every event. */
function createFilters(
  site: RecordSource,
  { from, to }: { readonly from: number; readonly to: number },
  ids: readonly string[],
  zone: string,
): Input {
  const { serverProfile } = site;
  const running = createDateWindow({ from, to, running: true }, zone, serverProfile).filters;
  const venue = ids.filter((id) => /^\d+$/.test(id));
  return { ...running, ...(serverProfile.window === "starts" && { start_date: "1900-01-01 00:00:00" }), venue };
}

function overlapError(found: readonly DataRecord[]): CalError {
  const { events } = resources;
  const names = found.map((record) => `${formatRecordName(events, record)} (${getText(record, "start_date").slice(0, 16)})`);
  const ids = found.flatMap((record) => idOf(record) ?? []);
  return new CalError("rejected", `it would take the venue at the same time as ${names.join(", ")}; nothing was sent`, {
    code: "overlap",
    ...(ids.length > 0 && { hint: { text: "see what is there", command: `cal events get ${ids.join(" ")}` } }),
  });
}

/** An event as it will be after an update. The former instants are of no use then. */
export function mergeEvent(record: DataRecord, input: Input): DataRecord {
  const { utc_start_date: _start, utc_end_date: _end, ...stored } = record;
  return { ...stored, ...input };
}

/** The plan without the changes that would make an event overlap; they become skipped. */
export async function skipOverlaps(site: RecordSource, settings: Settings, plan: Plan): Promise<Plan> {
  const guard = createOverlapGuard(site, settings);
  const changes: Change[] = [];
  const skipped: Skipped[] = [...plan.skipped];
  for (const change of plan.changes) {
    try {
      if (change.resource === resources.events.name && (change.op === "create" || change.op === "update"))
        await assertChangeFree(guard, site, change);
      changes.push(change);
    } catch (error) {
      if (!(error instanceof CalError) || error.details.code !== "overlap") throw error;
      skipped.push({ key: change.key, reason: error.message });
    }
  }
  return { ...plan, changes, skipped };
}

async function assertChangeFree(guard: OverlapGuard, site: RecordSource, change: Change): Promise<void> {
  const { id, key, fields } = change;
  const values = getNewValues(change);
  // Venues that the same plan creates are compared by their keys.
  const venue = [values["venue"] ?? []].flat().map((value) => (isKeyRef(value) ? `new ${value.key}` : value));
  const input = values["venue"] === undefined ? values : { ...values, venue };
  const record = id === undefined ? {} : await fetchRecord(site, resources.events, { by: "id", id });
  await guard.assertFree(
    key,
    mergeEvent(record, input),
    fields.map(({ name }) => name),
  );
}
