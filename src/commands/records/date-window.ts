// The date window of a list: what a server is asked for, and which records of its answer are in the window.
// A window holds the events that start in it; with --running and the range flags those that run in it.
import type { Input } from "../../api/request.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { epochToWall, shiftDays, wallToEpoch } from "../../dates/zone.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { unbreakable } from "../../text.ts";

/** The instants that the user asks for, in milliseconds since 1970; an open side is absent. */
export interface Span {
  readonly from?: number;
  readonly to?: number;
  /** Events that run in the span, not only those that start in it. */
  readonly running: boolean;
}

/** The window in the form that a server profile needs. */
export interface DateWindow {
  readonly filters: Input;
  /** Selects the records of the answer; absent where the server does it. */
  readonly matches?: (record: DataRecord) => boolean;
  /** A filter of the command line that is not sent, because it would narrow what the other filters ask for. */
  readonly omittedFilter?: string;
  /** What the user should know about it. */
  readonly notices: readonly string[];
  /** The notice about what this server profile can't be asked for. */
  readonly limitationNotice?: string;
  /** The notice about the window that the server uses by itself, where the command line has none; `applied` is what its answer tells. */
  readonly serverWindowNotice?: (applied: URLSearchParams | undefined) => string | undefined;
  /** For `--envelope`. */
  readonly envelopeWindow?: Readonly<Record<string, unknown>>;
}

const millisecondsPerHour = 3_600_000;

/** The largest difference between two time zones. */
const maxZoneDifference = 26 * millisecondsPerHour;

/** A server that knows only starts is asked for events that started so long before the span. */
const runningLookback = 31 * 24 * millisecondsPerHour;

/** Asked for instead of the years before the first. */
const earliestDay = "1900-01-02";

/** Asked for instead of the years after the last. */
const latestDay = "9999-12-31";

/** The window of a span of instants. */
export function createDateWindow(span: Span, zone: string, profile: ServerProfile): DateWindow {
  const [from, to] = [toWallTime(span.from, zone), toWallTime(span.to, zone)];
  const query = createWindowQuery(profile, span, zone);
  const notice = `events that ${span.running ? "run" : "start"} ${from === undefined ? "" : `from ${from} `}${to === undefined ? "" : `to ${to} `}(${zone})`;
  const envelopeWindow = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), zone, running: span.running };
  return { ...query, notices: query.limitationNotice === undefined ? [notice] : [notice, query.limitationNotice], envelopeWindow };
}

type DateWindowQuery = Pick<DateWindow, "filters" | "matches" | "limitationNotice">;

function createWindowQuery({ window }: ServerProfile, span: Span, zone: string): DateWindowQuery {
  const { from, to, running } = span;
  const matches = (record: DataRecord) => isInSpan(record, span, zone);
  if (window === "inside") {
    const after = running ? "ends_after" : "starts_after";
    const filters = {
      ...(from === undefined ? {} : { [after]: getQueryDayBefore(from) }),
      ...(to === undefined ? {} : { starts_before: getQueryDayAfter(to) }),
    };
    return { filters, matches };
  }
  if (!running) return { filters: createStartFilters(toWallTime(from, zone), toWallTime(to, zone)) };
  // The server knows starts only. It is asked for a longer time, and events that have ended are left out here.
  const firstDay = from === undefined ? undefined : toWallTime(from - runningLookback, zone)?.slice(0, 10);
  const last = to === undefined ? undefined : toWallTime(to + maxZoneDifference, zone);
  const filters = createStartFilters(firstDay === undefined ? undefined : `${firstDay} 00:00:00`, last);
  // No event began before the first year.
  return firstDay === undefined || firstDay < "0003"
    ? { filters, matches }
    : {
        filters,
        matches,
        limitationNotice: `not shown: events that began before ${firstDay} and still run (${unbreakable("cal help dates")})`,
      };
}

function createStartFilters(from: string | undefined, to: string | undefined): Input {
  return { ...(from === undefined ? {} : { start_date: from }), ...(to === undefined ? {} : { end_date: to }) };
}

function toWallTime(epoch: number | undefined, zone: string): string | undefined {
  return epoch === undefined ? undefined : epochToWall(epoch, zone);
}

/**
 * The day to ask a The Events Calendar site for what comes after an instant. It compares whole days on each event's own clock, so the
 * farthest clock behind UTC counts (12 hours), and the day before that: it moves each date to 23:59:59 of its day. Records too many are left out here.
 */
export function getQueryDayBefore(epoch: number): string {
  return avoidEpochDay(shiftDays((epochToWall(epoch - 12 * millisecondsPerHour, "UTC") ?? earliestDay).slice(0, 10), -1), -1);
}

/** The day to ask such a site for what comes before an instant, by the farthest clock ahead of UTC (14 hours). */
export function getQueryDayAfter(epoch: number): string {
  return avoidEpochDay((epochToWall(epoch + 14 * millisecondsPerHour, "UTC") ?? latestDay).slice(0, 10), 1);
}

/** Such a site takes the first day of 1970 for no date. The day before or after it is asked for instead. */
function avoidEpochDay(day: string, step: 1 | -1): string {
  return day === "1970-01-01" ? shiftDays(day, step) : day;
}

/** An event that ends at the start of the span does not run in it. */
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
