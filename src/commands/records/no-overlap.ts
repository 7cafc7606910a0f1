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

/** `known` are the events of the site, where they were read already. */
export function createOverlapGuard(site: RecordSource, { tz, shared_venues }: Settings, known?: readonly DataRecord[]): OverlapGuard {
  const { events } = resources;
  const zone = tz.value;
  const exempt = parseNames(shared_venues?.value);
  const written = new Map<string, TimedEvent>();
  const toTimed = (records: readonly DataRecord[]) =>
    records.flatMap((record): readonly TimedEvent[] => {
      const its = getInterval(record, zone);
      return its === undefined ? [] : [{ ...its, record }];
    });
  const byVenue = new Map<string, TimedEvent[]>();
  for (const event of toTimed(known ?? []))
    for (const { id } of getShared(event.record, "venue")) byVenue.set(id, [...(byVenue.get(id) ?? []), event]);
  return {
    assertFree: async (key, event, changed) => {
      const interval = getInterval(event, zone);
      const venues = getShared(event, "venue").filter((venue) => !isExempt(venue, exempt));
      if (interval === undefined || venues.length === 0 || !changed.some((name) => relevantFields.includes(name))) return;
      const ids = venues.map(({ id }) => id);
      const isAtVenue = ({ id, ...names }: SharedRecord) => ids.includes(id) && !isExempt({ id, ...names }, exempt);
      const found =
        known === undefined
          ? toTimed(await listRecords(site, events, createFilters(site, interval, ids, zone)))
          : new Set(ids.flatMap((id) => byVenue.get(id) ?? []));
      const others = [...found].filter(({ record }) => !written.has(idOf(record) ?? ""));
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
  const { free, overlapping } = await splitByOverlap(site, settings, plan.changes);
  const skipped = overlapping.map(({ change: { key }, error }): Skipped => ({ key, reason: error.message }));
  // A file is uploaded only for a record that is written.
  const needed = new Set(free.flatMap(({ needs }) => needs));
  const changes = free.filter(({ op, resource, key }) => op !== "create" || resource !== "media" || needed.has(key));
  return { ...plan, changes, skipped: [...plan.skipped, ...skipped] };
}

interface OverlappingChange {
  readonly change: Change;
  readonly error: CalError;
}

/** A change that may make its event overlap, and the event as it will be. */
interface PlannedEvent {
  readonly change: Change;
  readonly event: DataRecord;
}

/** From so many events on, those of the site are read once, and not for each of them. */
const manyEvents = 10;

/** The changes that make no event overlap, with the site and with those before them, and the others. */
export async function splitByOverlap(
  site: RecordSource,
  settings: Settings,
  changes: readonly Change[],
): Promise<{ readonly free: readonly Change[]; readonly overlapping: readonly OverlappingChange[] }> {
  const planned = new Map<Change, PlannedEvent>();
  for (const change of changes) if (mayOverlap(change)) planned.set(change, { change, event: await readPlannedEvent(site, change) });
  const events = [...planned.values()].map(({ event }) => event);
  const known = events.length < manyEvents ? undefined : await readEventsBeside(site, settings, events);
  const guard = createOverlapGuard(site, settings, known);
  const overlapping: OverlappingChange[] = [];
  for (const { change, event } of planned.values()) {
    try {
      const names = change.fields.map(({ name }) => name);
      await guard.assertFree(change.key, event, names);
    } catch (error) {
      if (!(error instanceof CalError) || error.details.code !== "overlap") throw error;
      overlapping.push({ change, error });
    }
  }
  const refused = new Set(overlapping.map(({ change }) => change));
  return { free: changes.filter((change) => !refused.has(change)), overlapping };
}

function mayOverlap({ resource, op, fields }: Change): boolean {
  if (resource !== resources.events.name || (op !== "create" && op !== "update")) return false;
  const relevant = fields.filter(({ name }) => relevantFields.includes(name));
  // To take an event off the calendar is no reason to refuse it.
  return relevant.some(({ name, to }) => name !== "status" || (to !== "draft" && to !== "trash"));
}

async function readPlannedEvent(site: RecordSource, change: Change): Promise<DataRecord> {
  const { id } = change;
  const values = getNewValues(change);
  // Venues that the same plan creates are compared by their keys.
  const venue = [values["venue"] ?? []].flat().map((value) => (isKeyRef(value) ? `new ${value.key}` : value));
  const input = values["venue"] === undefined ? values : { ...values, venue };
  const record = id === undefined ? {} : await fetchRecord(site, resources.events, { by: "id", id });
  return mergeEvent(record, input);
}

/** The events of the site that run at the time of one of these, or between them, at one of their venues. */
async function readEventsBeside(site: RecordSource, { tz }: Settings, events: readonly DataRecord[]): Promise<readonly DataRecord[]> {
  const intervals = events.flatMap((event) => getInterval(event, tz.value) ?? []);
  const ids = [...new Set(events.flatMap((event) => getShared(event, "venue").map(({ id }) => id)))];
  if (intervals.length === 0 || ids.length === 0) return [];
  const from = intervals.reduce((first, one) => Math.min(first, one.from), Number.POSITIVE_INFINITY);
  const to = intervals.reduce((last, one) => Math.max(last, one.to), Number.NEGATIVE_INFINITY);
  return listRecords(site, resources.events, createFilters(site, { from, to }, ids.length > maxVenues ? [] : ids, tz.value));
}

/** More do not fit into an address. */
const maxVenues = 100;
