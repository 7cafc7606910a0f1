// Events that take the same place or organizer at the same time. Times are half-open, so an event can start when another one ends.

import { normalizeDateTime } from "../../api/reply.ts";
import { toList } from "../../api/update.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { shiftDays, wallToEpoch } from "../../dates/zone.ts";
import { toPlainText } from "../../html-text.ts";
import type { SharedField } from "../../model/events.ts";
import { instantOf } from "./date-window.ts";

/** The time that an event takes, in milliseconds since 1970; `to` is not part of it. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface TimedEvent extends Interval {
  readonly record: DataRecord;
}

/** A venue or an organizer of an event; the name is absent where the server sends ids only. */
export interface SharedRecord {
  readonly id: string;
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
}

export interface OverlappingPair {
  readonly by: SharedField;
  readonly shared: SharedRecord;
  readonly first: TimedEvent;
  readonly second: TimedEvent;
}

/**
 * The time of an event; undefined where a date can't be read. An event that lasts all day takes its days, from midnight to midnight in its own
 * zone. One without a length takes its moment.
 */
export function getInterval(record: DataRecord, fallbackZone: string): Interval | undefined {
  if (record["all_day"] === true) return getDays(record, fallbackZone);
  const from = instantOf(record, "start_date", fallbackZone);
  if (from === undefined) return undefined;
  return { from, to: Math.max(from + 1, instantOf(record, "end_date", fallbackZone) ?? from) };
}

function getDays(record: DataRecord, fallbackZone: string): Interval | undefined {
  const [first, last = first] = ["start_date", "end_date"].map((key) => normalizeDateTime(record[key])?.slice(0, 10));
  if (first === undefined || last === undefined) return undefined;
  const zone = getText(record, "timezone");
  const startOf = (day: string) => wallToEpoch(`${day} 00:00:00`, zone) ?? wallToEpoch(`${day} 00:00:00`, fallbackZone);
  const [from, to] = [startOf(first), startOf(shiftDays(last < first ? first : last, 1))];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Whether two events overlap, or have less than `gap` milliseconds between them. */
export function areTooClose(one: Interval, other: Interval, gap: number): boolean {
  return one.from < other.to + gap && other.from < one.to + gap;
}

/** The venues or organizers of an event. */
export function getShared(record: DataRecord, by: SharedField): readonly SharedRecord[] {
  return toList(record[by]).flatMap((value) => {
    const id = isRecord(value) ? idOf(value) : idOf({ id: value });
    if (id === undefined || id === "0") return [];
    return [isRecord(value) ? { id, name: toPlainText(getText(value, by)), slug: getText(value, "slug") } : { id }];
  });
}

/** Whether a venue is one of those that hold several events at once, which are written as ids, slugs or names. */
export function isExempt({ id, name, slug }: SharedRecord, exempt: readonly string[]): boolean {
  return exempt.some((text) => text === id || text === slug || (name !== undefined && text.toLowerCase() === name.toLowerCase()));
}

interface OverlapOptions {
  readonly by: readonly SharedField[];
  /** Milliseconds that have to be between two events. */
  readonly gap: number;
  /** Ids, slugs or names of venues that hold several events at once. */
  readonly exempt: readonly string[];
}

/** The pairs of events that are too close, by what they share, in the order of time. */
export function* findOverlaps(events: readonly TimedEvent[], { by, gap, exempt }: OverlapOptions): Generator<OverlappingPair> {
  for (const field of by) {
    for (const { shared, events: own } of groupByShared(events, field)) {
      if (field === "venue" && isExempt(shared, exempt)) continue;
      let running: readonly TimedEvent[] = [];
      for (const second of own) {
        running = running.filter((first) => second.from < first.to + gap);
        for (const first of running) yield { by: field, shared, first, second };
        running = [...running, second];
      }
    }
  }
}

/** The events of each venue or organizer, sorted by their starts. */
function groupByShared(events: readonly TimedEvent[], field: SharedField) {
  const groups = new Map<string, { readonly shared: SharedRecord; readonly events: TimedEvent[] }>();
  for (const event of events) {
    for (const shared of getShared(event.record, field)) {
      const group = groups.get(shared.id);
      if (group === undefined) groups.set(shared.id, { shared, events: [event] });
      else group.events.push(event);
    }
  }
  for (const { events: own } of groups.values()) own.sort((left, right) => left.from - right.from || left.to - right.to);
  return groups.values();
}
