// The occurrences of an event: RRULE, RDATE, EXDATE and RECURRENCE-ID (RFC 5545, 3.8.4.4 and 3.8.5).
import { epochToWall, wallToEpoch } from "../dates/zone.ts";
import { CalError, messageOf, type Problem, usageError } from "../errors.ts";
import type { Component, IcalProperty } from "./components.ts";
import { countSteps, expandRule } from "./rules.ts";
import {
  addIcalDuration,
  addToWall,
  formatTimeKey,
  fromEpoch,
  type IcalTime,
  parseIcalDuration,
  readTime,
  subtractWalls,
  toEpoch,
  type ZoneContext,
} from "./time.ts";
import { parseWall, zoneWallToEpoch } from "./zones.ts";

/** A VEVENT. Its start and end are missing where they can't be read. */
export interface IcalEvent {
  readonly component: Component;
  /** `""` where there is none. */
  readonly uid: string;
  /** SEQUENCE, LAST-MODIFIED and DTSTAMP: of two versions the later is greater. */
  readonly version: string;
  readonly start?: IcalTime;
  readonly end?: IcalTime;
  readonly recurrence?: IcalTime;
  readonly thisAndFuture: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** What becomes a record: an event, or one occurrence of its rule. */
export interface Occurrence {
  readonly event: IcalEvent;
  readonly start?: IcalTime;
  readonly end?: IcalTime;
  /** Its RECURRENCE-ID, where it belongs to a rule. */
  readonly id?: IcalTime;
  readonly warnings: readonly string[];
}

export interface OccurrenceLimits {
  readonly label: string;
  readonly from?: number;
  readonly until?: number;
  readonly max: number;
  /** Occurrences that the file may still have. */
  left: number;
  /** Steps that the rules of the file may still take (`countSteps`). */
  steps: number;
}

/** The occurrences of the events of one UID. A rule without an end adds a problem to `endless` where `until` is missing. */
export function expandEvent(
  events: readonly IcalEvent[],
  context: ZoneContext,
  limits: OccurrenceLimits,
  endless: Problem[],
  notes: string[],
): readonly Occurrence[] {
  const masters = keepLatest(
    events.filter(({ recurrence }) => recurrence === undefined),
    () => "",
  );
  const exceptions = keepLatest(
    events.filter(({ recurrence }) => recurrence !== undefined),
    ({ recurrence }) => (recurrence === undefined ? "" : formatTimeKey(recurrence, context)),
  );
  const unused = new Set(exceptions);
  const occurrences = masters.flatMap((version): readonly Occurrence[] => {
    const { event } = version;
    const isSeries = event.component.properties.some(({ name }) => name === "rrule" || name === "rdate");
    if (!isSeries || event.problems.length > 0) return [toOccurrence(version)];
    return expandSeries(version, exceptions, unused, { context, limits, endless, notes });
  });
  // Exceptions that match no occurrence, or whose series is not in the file.
  const others = [...unused]
    .filter(({ event }) => isInRange(event.start, context, limits))
    .map((version) => toOccurrence(version, masters.length === 0));
  return [...occurrences, ...others];
}

/** An event, and what is to be said about its other versions. */
interface Version {
  readonly event: IcalEvent;
  readonly warnings: readonly string[];
}

/** Of the versions with one key the latest; all that are equally late. */
function keepLatest(events: readonly IcalEvent[], keyOf: (event: IcalEvent) => string): readonly Version[] {
  const groups = new Map<string, IcalEvent[]>();
  for (const event of events) {
    const key = keyOf(event);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups.values()].flatMap((group) => {
    const latest = group.reduce((last, { version }) => (version > last ? version : last), "");
    const older = group.filter(({ version }) => version !== latest);
    const warnings = older.map(({ component }) => `line ${component.line} has an older version, which is not read`);
    return group.filter(({ version }) => version === latest).map((event) => ({ event, warnings }));
  });
}

function toOccurrence({ event, warnings }: Version, isAlone = false): Occurrence {
  const { start, end, recurrence } = event;
  const alone = isAlone && event.thisAndFuture ? ["it changes all later occurrences too, but the series is not in the file"] : [];
  return {
    event,
    ...(start && { start }),
    ...(end && { end }),
    ...(recurrence && { id: recurrence }),
    warnings: [...warnings, ...alone],
  };
}

interface Expansion {
  readonly context: ZoneContext;
  readonly limits: OccurrenceLimits;
  readonly endless: Problem[];
  /** What is said about the file as a whole. */
  readonly notes: string[];
}

function expandSeries(master: Version, exceptions: readonly Version[], unused: Set<Version>, expansion: Expansion): readonly Occurrence[] {
  const { context, limits } = expansion;
  const { event } = master;
  const hasFuture = exceptions.some((one) => one.event.thisAndFuture);
  const listed = listStarts(event, expansion, hasFuture);
  if ("problems" in listed) return [{ ...toOccurrence(master), event: { ...event, problems: [...event.problems, ...listed.problems] } }];
  const byId = new Map(
    exceptions.flatMap((one) => {
      const { recurrence } = one.event;
      if (recurrence === undefined) return [];
      return [`at ${toEpoch(recurrence, context)}`, formatTimeKey(recurrence, context)].map((key) => [key, one] as const);
    }),
  );
  // Exchange writes the RECURRENCE-ID of an event of whole days as a time.
  const byDay = new Map(exceptions.map((one) => [one.event.recurrence?.wall.slice(0, 10) ?? "", one]));
  const future = exceptions
    .filter((one) => one.event.thisAndFuture && one.event.start !== undefined)
    .map((one) => ({ one, epoch: idEpoch(one.event, context) }))
    .toSorted((a, b) => a.epoch - b.epoch);
  let changed: Version | undefined;
  const occurrences: Occurrence[] = [];
  for (const { time, end } of listed.starts) {
    // Both lists are in the order of time.
    while ((future[0]?.epoch ?? Number.NaN) < toEpoch(time, context)) changed = future.shift()?.one;
    const exception =
      byId.get(formatTimeKey(time, context)) ??
      (time.isDate ? undefined : byId.get(`at ${toEpoch(time, context)}`)) ??
      (time.isDate ? byDay.get(time.wall.slice(0, 10)) : undefined);
    if (exception !== undefined) {
      unused.delete(exception);
      // Its key is the start that the rule gives, also where its RECURRENCE-ID has another form.
      if (isInRange(exception.event.start, context, limits)) occurrences.push({ ...toOccurrence(exception), id: time });
      continue;
    }
    const occurrence =
      changed === undefined ? { event, start: time, end: end ?? addLength(time, event, context) } : shiftLike(changed.event, time, context);
    if (isInRange(occurrence.start, context, limits)) occurrences.push({ ...occurrence, id: time, warnings: changed?.warnings ?? [] });
  }
  const [first, ...rest] = occurrences;
  const { warnings } = master;
  return first === undefined || warnings.length === 0 ? occurrences : [{ ...first, warnings: [...first.warnings, ...warnings] }, ...rest];
}

function idEpoch({ recurrence }: IcalEvent, context: ZoneContext): number {
  return recurrence === undefined ? Number.NaN : toEpoch(recurrence, context);
}

function isInRange(start: IcalTime | undefined, context: ZoneContext, { from, until }: OccurrenceLimits): boolean {
  if (start === undefined) return true;
  const epoch = toEpoch(start, context);
  return epoch >= (from ?? Number.NEGATIVE_INFINITY) && epoch <= (until ?? Number.POSITIVE_INFINITY);
}

/** The end of an occurrence: after DURATION, else after the same exact time as from DTSTART to DTEND (RFC 5545, 3.8.5.3). */
function addLength(start: IcalTime, { component, start: first, end }: IcalEvent, context: ZoneContext): IcalTime {
  if (first === undefined || end === undefined) return start;
  const text = component.properties.find(({ name }) => name === "duration")?.values[0];
  const duration = text === undefined ? undefined : parseIcalDuration(String(text));
  if (duration !== undefined) return addIcalDuration(start, duration, context) ?? start;
  if (!start.isDate)
    return fromEpoch(toEpoch(start, context) + toEpoch(end, context) - toEpoch(first, context), start.zone, context) ?? start;
  const wall = addToWall(start.wall, subtractWalls(end.wall, first.wall));
  return wall === undefined ? start : { ...start, wall };
}

/** An occurrence after an exception for this and all later ones: moved as far, and as long, as the exception. */
function shiftLike(exception: IcalEvent, time: IcalTime, context: ZoneContext): Omit<Occurrence, "warnings"> {
  const { start, recurrence } = exception;
  if (start === undefined || recurrence === undefined) return { event: exception, start: time, end: time };
  const wall = addToWall(
    time.wall,
    subtractWalls(start.wall, fromEpoch(toEpoch(recurrence, context), time.zone, context)?.wall ?? recurrence.wall),
  );
  const moved = { ...start, wall: wall ?? time.wall };
  return { event: exception, start: moved, end: addLength(moved, exception, context) };
}

/** EXDATEs and RDATEs of one event at most. */
const maxDates = 100_000;

/** The starts of a series in their order, without those of EXDATE, or what is wrong with its rules. */
function listStarts(
  event: IcalEvent,
  { context, limits, endless, notes }: Expansion,
  hasFuture: boolean,
): { starts: readonly { time: IcalTime; end?: IcalTime }[] } | { problems: readonly Problem[] } {
  const { component, start } = event;
  const problems: Problem[] = [];
  const found = new Map<string, { time: IcalTime; end?: IcalTime }>();
  let isEmpty = true;
  const properties = (name: string): readonly IcalProperty[] => component.properties.filter((one) => one.name === name);
  const dates = [...properties("exdate"), ...properties("rdate")].reduce((sum, { values }) => sum + values.length, 0);
  if (dates > maxDates) throw usageError(`${limits.label}:${component.line}: the event has more than 100,000 EXDATEs and RDATEs`);
  const excluded = readExclusions(properties("exdate"), context, problems);
  const add = (time: IcalTime, end?: IcalTime) => {
    const key = formatTimeKey(time, context);
    const epoch = toEpoch(time, context);
    if ([key, `day ${time.wall.slice(0, 10)}`, `at ${epoch}`].some((one) => excluded.has(one)) || found.has(key)) return;
    isEmpty = false;
    // An earlier start is of use only where an exception moves it.
    if (!hasFuture && epoch < (limits.from ?? Number.NEGATIVE_INFINITY)) return;
    spend(limits);
    found.set(key, { time, ...(end && { end }) });
  };
  // EXRULE is of RFC 2445: its occurrences are none of the event. Those after the last start exclude nothing.
  const exclude = (rule: Rule, from: IcalTime) => {
    const epochs = [...found.values()].map(({ time }) => toRuleEpoch(toEpoch(time, context), from, context));
    const last = epochs.reduce((latest, epoch) => Math.max(latest, epoch), Number.NEGATIVE_INFINITY);
    expandRuleOf(from, { ...rule, until: Math.min(rule.until, last) }, false, context, limits, (time) => {
      found.delete(formatTimeKey(time, context));
    });
    isEmpty = found.size === 0;
  };
  if (start === undefined && properties("rrule").length > 0) problems.push({ message: "the event has a rule and no DTSTART" });
  if (problems.length > 0) return { problems };
  if (start !== undefined) add(start);
  for (const property of properties("rdate")) {
    for (const value of property.values) {
      const [from = "", to = ""] = String(value).split("/");
      const time = readTime(from, property, context);
      if (time === undefined) return { problems: [{ message: `RDATE: ${JSON.stringify(from)} is not a date` }] };
      const length = to === "" ? undefined : parseIcalDuration(to);
      const end = length === undefined ? readTime(to, property, context) : addIcalDuration(time, length, context);
      add(time, end);
    }
  }
  for (const property of [...properties("rrule"), ...properties("exrule")]) {
    if (start === undefined) break;
    const text = String(property.values[0] ?? "").trim();
    try {
      const rule = readRule(text, start, context);
      if (property.name === "exrule") exclude(rule, start);
      else if (rule.ends || limits.until !== undefined) expandRuleOf(start, rule, true, context, limits, add);
      else {
        const message = `${limits.label}:${property.line}: the rule ${text} has no end`;
        endless.push({ message, hint: "name the last day of its occurrences: --until YYYY-MM-DD" });
      }
    } catch (error) {
      if (error instanceof CalError) throw error;
      return { problems: [{ message: `${property.name.toUpperCase()} ${text} can't be expanded: ${messageOf(error)}` }] };
    }
  }
  const starts = [...found.values()].toSorted((a, b) => toEpoch(a.time, context) - toEpoch(b.time, context));
  if (isEmpty) notes.push(`line ${component.line}: the event has no occurrence, and is not read`);
  return { starts };
}

/** Counts an occurrence. A usage error beyond the limit: a part of a file must not look as all of it. */
function spend(limits: OccurrenceLimits): void {
  limits.left -= 1;
  if (limits.left < 0)
    throw usageError(
      `${limits.label} has more than ${limits.max.toLocaleString("en-US")} occurrences of rules`,
      "name a time for them: --from YYYY-MM-DD --until YYYY-MM-DD; or allow more: --max-changes 20000",
    );
}

/** The keys of EXDATE. A date excludes all starts of its day, and a time one of a series of whole days. */
function readExclusions(properties: readonly IcalProperty[], context: ZoneContext, problems: Problem[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const property of properties) {
    for (const value of property.values) {
      const time = readTime(value, property, context);
      if (time === undefined) problems.push({ message: `EXDATE: ${JSON.stringify(String(value))} is not a date` });
      else if (time.isDate) keys.add(`day ${time.wall.slice(0, 10)}`);
      // One of the two may be in a zone that nobody knows: then it counts where it is taken to be.
      else
        keys
          .add(formatTimeKey(time, context))
          .add(time.wall.slice(0, 10).replaceAll("-", ""))
          .add(`at ${toEpoch(time, context)}`);
    }
  }
  return keys;
}

interface Rule {
  /** The value of RRULE without UNTIL. */
  readonly rule: string;
  readonly ends: boolean;
  /** Its UNTIL, in milliseconds since 1970 as `toRuleEpoch` counts them. */
  readonly until: number;
}

function readRule(text: string, start: IcalTime, context: ZoneContext): Rule {
  const [part, value = ""] = /(?:^|;)UNTIL=([^;]*)/i.exec(text) ?? [];
  const rule = part === undefined ? text : text.replace(part, "").replace(/^;/, "");
  const wall = value === "" ? undefined : parseWall(/T/i.test(value) ? value : `${value}T235959`);
  if (part !== undefined && wall === undefined) throw new Error(`UNTIL=${value} is not a date`);
  const until = wall === undefined ? Number.POSITIVE_INFINITY : untilToEpoch(wall, /Z$/i.test(value), start, context);
  return { rule, ends: part !== undefined || /(?:^|;)COUNT=/i.test(rule), until };
}

/** Rules of named zones are expanded there; all others on a clock without changes, so that no floating time depends on a zone. */
function ruleZone({ isDate, zone }: IcalTime): string {
  return !isDate && zone.kind === "named" ? zone.name : "UTC";
}

/** UNTIL is an instant, or a wall time of the event. Where the event has whole days, its day counts. */
function untilToEpoch(wall: string, isUtc: boolean, start: IcalTime, context: ZoneContext): number {
  const zone = ruleZone(start);
  if (start.isDate) return wallToEpoch(`${wall.slice(0, 10)} 23:59:59`, "UTC") ?? Number.NaN;
  if (!isUtc) return wallToEpoch(wall, zone) ?? Number.NaN;
  const epoch = wallToEpoch(wall, "UTC") ?? Number.NaN;
  return start.zone.kind === "named" ? epoch : toRuleEpoch(epoch, start, context);
}

/** An instant on the clock on which the rule is expanded. */
function toRuleEpoch(epoch: number, { zone, isDate }: IcalTime, context: ZoneContext): number {
  if (!isDate && zone.kind === "named") return epoch;
  if (isDate || zone.kind === "floating") return wallToEpoch(epochToWall(epoch, context.eventZone) ?? "", "UTC") ?? epoch;
  // The offset at this time of the zone that the file describes.
  const wall = epochToWall(epoch, "UTC") ?? "";
  return epoch + epoch - (zoneWallToEpoch(wall, zone, context.eventZone) ?? epoch);
}

function expandRuleOf(
  start: IcalTime,
  { rule, until }: Rule,
  withStart: boolean,
  context: ZoneContext,
  limits: OccurrenceLimits,
  add: (time: IcalTime) => void,
): void {
  const zone = ruleZone(start);
  const bound = limits.until === undefined ? Number.POSITIVE_INFINITY : toRuleEpoch(limits.until, start, context);
  const last = Math.min(until, bound, Date.UTC(9999, 11, 31));
  limits.steps -= countSteps({ rule, start: start.wall, last });
  if (limits.steps < 0)
    throw usageError(
      `${limits.label} has too many rules that run for too long`,
      "name the last day of their occurrences: --until YYYY-MM-DD",
    );
  expandRule({ rule, start: start.wall, zone, last, withStart }, (epoch) => {
    const wall = epochToWall(epoch, zone);
    if (wall !== undefined) add({ ...start, wall });
    return wall !== undefined;
  });
}
