// iCalendar files as events of the interface: their zones, rules and exceptions (RFC 5545).
import { messageOf, type Problem, usageError } from "../errors.ts";
import type { SourceRow } from "../import/row.ts";
import { type Component, type IcalProperty, readComponents } from "./components.ts";
import { expandEvent, type IcalEvent, type Occurrence, type OccurrenceLimits } from "./expand.ts";
import { readFields } from "./fields.ts";
import {
  addIcalDuration,
  formatTimeKey,
  formatTimes,
  fromEpoch,
  type IcalTime,
  parseIcalDuration,
  readTime,
  toEpoch,
  type ZoneContext,
} from "./time.ts";

export interface CalendarOptions {
  /** Begins messages: the name of the file. */
  readonly label: string;
  readonly encoding?: string;
  /** The zone of floating times. */
  readonly zone: string;
  /** Occurrences of rules that start in this time, in milliseconds since 1970. */
  readonly from?: number;
  readonly until?: number;
  /** Of the whole file. */
  readonly maxOccurrences: number;
  readonly categoriesAs: "categories" | "tags";
}

/** Steps of all rules of a file. The slowest rules take two minutes for them. */
const maxSteps = 3_000_000;

/**
 * The events of a file, an occurrence of a rule each its own row. A usage error where the file is no calendar, where it ends in the middle, where
 * a rule has no end and `until` is missing, and beyond `maxOccurrences`: nothing is cut.
 */
export function readCalendar(bytes: Uint8Array, options: CalendarOptions): { rows: SourceRow[]; warnings: string[] } {
  const { calendars, warnings } = readComponents(bytes, options.label, options.encoding);
  const limits: OccurrenceLimits = {
    label: options.label,
    left: options.maxOccurrences,
    max: options.maxOccurrences,
    steps: maxSteps,
    ...(options.from !== undefined && { from: options.from }),
    ...(options.until !== undefined && { until: options.until }),
  };
  const rows: SourceRow[] = [];
  const endless: Problem[] = [];
  const floating = new Set<string>();
  for (const calendar of calendars) {
    const timezones = new Map<string, Component>();
    for (const one of calendar.children) {
      const tzids = one.properties.filter(({ name }) => name === "tzid");
      if (one.name === "VTIMEZONE") for (const { values } of tzids) timezones.set(String(values[0]), one);
    }
    const context: ZoneContext = { timezones, eventZone: options.zone, zones: new Map() };
    const events = calendar.children.filter(({ name }) => name === "VEVENT").map((component) => readEvent(component, context));
    for (const group of groupByUid(events)) {
      for (const occurrence of expandEvent(group, context, limits, endless, warnings)) {
        const { start } = occurrence;
        if (start !== undefined && !start.isDate && start.zone.kind === "floating") floating.add(start.zone.unknown ?? "");
        rows.push(formatRow(occurrence, context, options.categoriesAs));
      }
    }
    for (const zone of context.zones.values())
      if (zone.kind === "custom")
        warnings.push(`the zone "${zone.tzid}" is described in the file: its times are converted to ${options.zone}`);
  }
  if (endless.length > 0) throw usageError(endless);
  for (const tzid of [...floating].toSorted())
    warnings.push(`${tzid === "" ? "some times have no zone" : `the zone "${tzid}" is not known`}: ${options.zone} is taken`);
  return { rows, warnings };
}

function readEvent(component: Component, context: ZoneContext): IcalEvent {
  const find = (name: string): IcalProperty | undefined => component.properties.find((one) => one.name === name);
  const text = (name: string): string => String(find(name)?.values[0] ?? "").trim();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const { name, line } of component.unreadable) {
    const isTime = /^(?:dtstart|dtend|duration|rrule|rdate|exdate|recurrence-id|uid)$/.test(name);
    if (isTime) problems.push({ message: `${name.toUpperCase()} in line ${line} can't be read` });
    else
      warnings.push(
        name === "" ? `line ${line} is not a property, and is not read` : `${name.toUpperCase()} in line ${line} can't be read`,
      );
  }
  const readOne = (name: string): IcalTime | undefined => {
    const [property, second] = component.properties.filter((one) => one.name === name);
    if (second !== undefined) problems.push({ message: `${name.toUpperCase()} stands in the event twice, in line ${second.line} too` });
    if (property === undefined) return undefined;
    const time = readTime(property.values[0], property, context);
    if (time === undefined) problems.push({ message: `${name.toUpperCase()}: ${JSON.stringify(text(name))} is not a date` });
    return time;
  };
  const start = readOne("dtstart");
  const recurrence = readOne("recurrence-id");
  const end = start === undefined ? undefined : readEnd(start, readOne("dtend"), text("duration"), { context, problems, warnings });
  const uid = text("uid");
  const version = [text("sequence").padStart(10, "0"), text("last-modified"), text("dtstamp")].join(" ");
  const thisAndFuture = find("recurrence-id")?.parameters["range"]?.toUpperCase() === "THISANDFUTURE";
  return {
    component,
    uid: uid.replace(/^(\d+)-\d{6,}-\d{6,}(@.+)$/, "$1$2"),
    version,
    ...(start && { start }),
    ...(end && { end }),
    ...(recurrence && { recurrence }),
    thisAndFuture,
    problems,
    warnings,
  };
}

/** The end from DTEND or DURATION. Without both a date lasts a day, and a time has no length (RFC 5545, 3.6.1). */
function readEnd(
  start: IcalTime,
  dtend: IcalTime | undefined,
  duration: string,
  { context, problems, warnings }: { context: ZoneContext; problems: Problem[]; warnings: string[] },
): IcalTime {
  const fallback = start.isDate ? (addIcalDuration(start, { days: 1, milliseconds: 0 }, context) ?? start) : start;
  if (dtend !== undefined) {
    if (start.isDate)
      return dtend.wall < start.wall ? refuse("DTEND") : dtend.wall === start.wall ? fallback : { ...start, wall: endOfDate(dtend) };
    if (dtend.isDate) warnings.push("DTEND is a date, and DTSTART a time: the event ends at the midnight before this date");
    const isFloating = dtend.isDate || dtend.zone.kind === "floating";
    // Of two times one of which has no zone, both are in the zone of the other.
    const end = isFloating ? { ...dtend, isDate: false, zone: start.zone } : dtend;
    const epoch = toEpoch(end, context);
    if (dtend.isDate && epoch < toEpoch(start, context)) return fallback;
    return epoch < toEpoch(start, context) ? refuse("DTEND") : (fromEpoch(epoch, start.zone, context) ?? end);
  }
  if (duration === "") return fallback;
  const length = parseIcalDuration(duration);
  if (length === undefined) return refuse(`DURATION ${JSON.stringify(duration)}`);
  try {
    return addIcalDuration(start, length, context) ?? fallback;
  } catch (error) {
    problems.push({ message: `DURATION: ${messageOf(error)}` });
    return fallback;
  }

  function refuse(what: string): IcalTime {
    problems.push({ message: what.startsWith("DTEND") ? "it ends before it starts" : `${what} is not a length of time` });
    return fallback;
  }
}

/** The first day that an event of whole days does not have; a time that is not midnight belongs to the event's last day. */
function endOfDate({ wall, isDate }: IcalTime): string {
  const midnight = `${wall.slice(0, 10)} 00:00:00`;
  if (isDate || wall === midnight) return midnight;
  return new Date(Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 19).replace("T", " ");
}

/** The events of each UID, in the order of the file. An event without a UID is alone. */
function groupByUid(events: readonly IcalEvent[]): Iterable<readonly IcalEvent[]> {
  const groups = new Map<string | IcalEvent, IcalEvent[]>();
  for (const event of events) {
    // The feed of The Events Calendar has events that share an id, not a rule.
    const key = event.uid === "" ? event : event.uid;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups.values();
}

function formatRow({ event, start, end, id, warnings }: Occurrence, context: ZoneContext, categoriesAs: "categories" | "tags"): SourceRow {
  const fields = readFields(event.component, categoriesAs);
  const problems = [...event.problems];
  let times: Readonly<Record<string, unknown>> = {};
  if (start === undefined || end === undefined) {
    if (problems.length === 0) problems.push({ message: "the event has no DTSTART" });
  } else times = formatTimes(start, end, context);
  const key = event.uid === "" ? undefined : id === undefined ? event.uid : `${event.uid} ${formatTimeKey(id, context)}`;
  const status = event.component.properties.find(({ name }) => name === "status")?.values[0];
  return {
    line: event.component.line,
    ...(key !== undefined && { key, item: key }),
    values: { ...times, ...fields.values },
    ...(String(status).trim().toUpperCase() === "CANCELLED" && { cancelled: true as const }),
    problems,
    warnings: [...event.warnings, ...warnings, ...fields.warnings],
  };
}
