// Which dates a list asks for. The date grammar is loaded only where a date was typed.
import type { Input } from "../../api/request.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { epochToWall, shiftDays, wallToEpoch } from "../../dates/zone.ts";
import { getFieldFlagName } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Scene } from "./command.ts";
import type { DateBounds } from "./list-span.ts";

/** The flags that give a span of time. */
const spanFlags: readonly string[] = ["start-date", "end-date", "running", "all-dates", "on", "today", "week", "month", "next"];

const emptyWindow: DateWindow = { filters: {}, notices: [] };

/** The window of the date flags, and the other dates among the filters in the interface's form. */
export async function resolveDateWindow({ resource, invocation: { flags }, site, context, problems }: Scene): Promise<DateWindow> {
  const dated = resource.filters.filter(({ format }) => format === "date-time");
  if (dated.length === 0) return emptyWindow;
  const others = dated.filter(({ name }) => name !== "start_date" && name !== "end_date");
  if (![...spanFlags, ...others.map(getFieldFlagName)].some((name) => flags[name] !== undefined)) {
    const hides = site.serverProfile.window === "inside" && flags["include"] === undefined;
    return hides ? { ...emptyWindow, notices: ["this site lists events from today on; --all-dates lists all"] } : emptyWindow;
  }
  const reference = { now: context.clock.now(), zone: site.zone };
  const { parseSpan } = await import("./list-span.ts");
  const found = parseSpan(flags, reference, problems);
  for (const warning of found?.warnings ?? []) await context.warn(warning);
  const window = found === undefined ? emptyWindow : createDateWindow(found.span, site.zone, site.serverProfile);
  const limits = (await import("./list-span.ts")).parseDateBounds(others, flags, site.serverProfile, reference, problems);
  for (const warning of limits?.warnings ?? []) await context.warn(warning);
  const whole = limits === undefined ? window : mergeDateBounds(window, limits, site.zone);
  return site.serverProfile.window === "inside" && whole.matches !== undefined && flags["strict-dates"] !== undefined
    ? dropStrictDates(whole)
    : whole;
}

/** A limit takes the place of the window's own on the same side: it is asked for widely, and both are kept to here. */
function mergeDateBounds(window: DateWindow, limits: DateBounds, zone: string): DateWindow {
  const keeps = [window.matches, limits.matches].filter((keep) => keep !== undefined);
  return {
    ...window,
    filters: { ...window.filters, ...limits.filters },
    ...(keeps.length === 0 ? {} : { matches: (record) => keeps.every((keep) => keep(record)) }),
    notices: [...window.notices, limits.description],
    envelopeWindow: { ...window.envelopeWindow, ...limits.envelopeWindow, zone },
  };
}

/** Such a site takes the days that it is asked for as UTC's then, and would leave out what is meant. */
function dropStrictDates(window: DateWindow): DateWindow {
  const notice = "--strict-dates is not sent: cal takes dates to the second by itself";
  return { ...window, omittedFilter: "strict_dates", notices: [...window.notices, notice] };
}

// The dates of a list: what is asked of the server, what is kept of its answer, and what the user is told.
// On every server they mean events that start in the window, or with --running and the range flags events that run in it.

/** The instants that the user asked for; an open side is absent. Milliseconds since 1970. */
export interface Span {
  readonly from?: number;
  readonly to?: number;
  /** Events that run in the span, not only those that start in it. */
  readonly running: boolean;
}

/** A window, bound to a kind of server. */
export interface DateWindow {
  readonly filters: Input;
  /** Which records of the answer are meant; absent where the server is trusted to know. */
  readonly matches?: (record: DataRecord) => boolean;
  /** A typed filter that is not sent: what is asked for widely must not be narrowed there. */
  readonly omittedFilter?: string;
  /** What the user should know about it. */
  readonly notices: readonly string[];
  /** The one of them that tells what this kind of server can't be asked for. */
  readonly limitationNotice?: string;
  /** For `--envelope`. */
  readonly envelopeWindow?: Readonly<Record<string, unknown>>;
}

const millisecondsPerHour = 3_600_000;

/** The clocks of the world are at most this far apart. */
const maxZoneDifference = 26 * millisecondsPerHour;

/** How far before what is asked for a server is asked that knows only starts. */
const runningLookback = 31 * 24 * millisecondsPerHour;

/** What is asked for instead of the years before the first. */
const earliestDay = "1900-01-02";

/** What is asked for instead of the years after the last. */
const latestDay = "9999-12-31";

/** Binds a span of instants to what this kind of server understands. */
export function createDateWindow(span: Span, zone: string, kind: ServerProfile): DateWindow {
  const [from, to] = [toWallTime(span.from, zone), toWallTime(span.to, zone)];
  const envelopeWindow = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), zone, running: span.running };
  const says = `events that ${span.running ? "run" : "start"} ${from === undefined ? "" : `from ${from} `}${to === undefined ? "" : `to ${to} `}(${zone})`;
  const bound = createWindowQuery(kind, span, zone);
  return { ...bound, notices: bound.limitationNotice === undefined ? [says] : [says, bound.limitationNotice], envelopeWindow };
}

type DateWindowQuery = Pick<DateWindow, "filters" | "matches" | "limitationNotice">;

function createWindowQuery({ window }: ServerProfile, span: Span, zone: string): DateWindowQuery {
  const matches = (record: DataRecord) => isInSpan(record, span, zone);
  if (window === "inside") return { filters: createWidenedFilters(span), matches };
  if (span.running) return { ...createRunningQuery(span, zone), matches };
  return { filters: createStartFilters(toWallTime(span.from, zone), toWallTime(span.to, zone)) };
}

/** What runs, on a server that knows starts only: it is asked further back, and as far ahead as clocks are apart; what has ended by then is dropped here. */
function createRunningQuery({ from, to }: Span, zone: string): DateWindowQuery {
  const first = from === undefined ? undefined : toWallTime(from - runningLookback, zone)?.slice(0, 10);
  const last = to === undefined ? undefined : toWallTime(to + maxZoneDifference, zone);
  const filters = createStartFilters(first === undefined ? undefined : `${first} 00:00:00`, last);
  // Nothing began before the first year.
  return first === undefined || first < "0003"
    ? { filters }
    : { filters, limitationNotice: `not shown: events that began before ${first} and still run (cal help dates)` };
}

function createStartFilters(from: string | undefined, to: string | undefined): Input {
  return { ...(from === undefined ? {} : { start_date: from }), ...(to === undefined ? {} : { end_date: to }) };
}

function toWallTime(epoch: number | undefined, zone: string): string | undefined {
  return epoch === undefined ? undefined : epochToWall(epoch, zone);
}

function createWidenedFilters(span: Span): Input {
  const after = span.running ? "ends_after" : "starts_after";
  return {
    ...(span.from === undefined ? {} : { [after]: getQueryDayBefore(span.from) }),
    ...(span.to === undefined ? {} : { starts_before: getQueryDayAfter(span.to) }),
  };
}

/**
 * The day to ask such a site for what comes after an instant. It compares whole days on each event's own clock, so the farthest clock behind
 * UTC counts (12 hours), and the day before that: it moves each date to 23:59:59 of its day. What it gives too much is trimmed here.
 */
export function getQueryDayBefore(epoch: number): string {
  return avoidEpochDay(shiftDays((epochToWall(epoch - 12 * millisecondsPerHour, "UTC") ?? earliestDay).slice(0, 10), -1), -1);
}

/** The day to ask such a site for what comes before an instant, by the farthest clock ahead of UTC (14 hours). */
export function getQueryDayAfter(epoch: number): string {
  return avoidEpochDay((epochToWall(epoch + 14 * millisecondsPerHour, "UTC") ?? latestDay).slice(0, 10), 1);
}

/** Such a site takes the first day of 1970 for no date: the day beside it, outwards, is asked for instead. */
function avoidEpochDay(day: string, outwards: number): string {
  return day === "1970-01-01" ? shiftDays(day, outwards) : day;
}

/** An event that ends with the moment at which the span begins runs no more. */
function isInSpan(
  record: DataRecord,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, running }: Span,
  zone: string,
): boolean {
  const start = instantOf(record, "start_date", zone);
  if (start === undefined) return true;
  const end = running ? instantOf(record, "end_date", zone) : undefined;
  return start <= to && (start >= from || (end !== undefined && end > from));
}

/** The instant of a record's date: its UTC form, else its wall time in its own zone. Undefined where it has none. */
export function instantOf(record: DataRecord, key: "start_date" | "end_date", fallbackZone: string): number | undefined {
  const utc = wallToEpoch(getText(record, `utc_${key}`), "UTC");
  return (
    utc ?? wallToEpoch(getText(record, key), getText(record, "timezone") || fallbackZone) ?? wallToEpoch(getText(record, key), fallbackZone)
  );
}
