// `cal events conflicts`: the pairs of events that take the same venue or organizer at the same time.
import { type DataRecord, getText } from "../../data-record.ts";
import { parseFixedDuration } from "../../dates/duration.ts";
import { exitCodes } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { sharedFields } from "../../model/events.ts";
import { getFieldFlagName, type Resource } from "../../model/resource.ts";
import type { ReportColumn } from "../../output/report.ts";
import { unbreakable } from "../../text.ts";
import { getTexts, type Handler, type Invocation, parseNames } from "../command.ts";
import { formatTimestamp } from "../view-events.ts";
import { type Problems, tryParseFlag } from "./command.ts";
import { list, spanFlags } from "./list.ts";
import { findOverlaps, getInterval, getShared, type OverlappingPair, type TimedEvent } from "./overlaps.ts";

/** The window without a date flag. */
const defaultSpan = { next: "1y" };

/** Minutes of the clock, so that a table shows them. */
const formatMoment = (value: unknown) => (typeof value === "string" ? value.slice(0, 16).replace("T", " ") : undefined);

const columns: readonly ReportColumn[] = [
  { header: "BY", path: "by", kind: "text", priority: 7 },
  { header: "NAME", path: "name", kind: "name", priority: 3 },
  { header: "FIRST", path: "first.id", kind: "id", priority: 1 },
  { header: "TITLE", path: "first.title", kind: "name", priority: 2 },
  { header: "SECOND", path: "second.id", kind: "id", priority: 1 },
  { header: "TITLE", path: "second.title", kind: "name", priority: 2 },
  { header: "FROM", path: "from", kind: "date-time", priority: 4, format: formatMoment },
  { header: "TO", path: "to", kind: "date-time", priority: 5, format: formatMoment },
  { header: "MINUTES", path: "overlap_minutes", kind: "count", priority: 6 },
];

/** The handler that compares the events of a list. Its flags are those of the list, which reads the events. */
export function conflicts(resource: Resource): Handler {
  return async (invocation, context) => {
    const { flags } = invocation;
    const problems: Problems = [...invocation.problems];
    const gap = parseGap(flags, problems);
    const chosen = getTexts(flags["by"]);
    const by = sharedFields.filter((name) => (chosen.length === 0 ? name === "venue" : chosen.includes(name)));
    const read = await list(resource, "conflicts")({ args: [], flags: createListFlags(resource, flags), problems }, context);
    if (read.kind !== "list") throw new Error("a list was expected");
    const { tz, shared_venues } = await context.settings();
    const events: TimedEvent[] = [];
    let unreadable = 0;
    for await (const records of toBatches(read.records)) {
      for (const record of records) {
        const interval = getInterval(record, tz.value);
        if (interval === undefined) unreadable += 1;
        else events.push({ ...interval, record: toSummary(record) });
      }
    }
    if (unreadable > 0)
      await context.warn(
        `${unreadable} of the events have a date that can't be read and are not compared: ${unbreakable("cal events list --json")}`,
      );
    const pairs = findOverlaps(events, { by, gap, exempt: parseNames(shared_venues?.value) });
    let found = 0;
    return {
      kind: "list",
      // With one field there is nothing to tell apart.
      columns: by.length > 1 ? columns : columns.filter(({ path }) => path !== "by"),
      fieldNames: ["by", "id", "name", "first", "second", "from", "to", "overlap_minutes", "gap_minutes"],
      records: (async function* () {
        for (const pair of pairs) {
          found += 1;
          yield [toRow(pair, tz.value)];
        }
        const compared = `${events.length} ${events.length === 1 ? resource.singular : resource.name} compared`;
        await context.notice(`${compared}, ${found === 0 ? "no conflicts" : found === 1 ? "1 conflict" : `${found} conflicts`}`);
      })(),
      exitCode: () => (found === 0 ? 0 : exitCodes.findings),
    };
  };
}

/** `--gap` in milliseconds. */
function parseGap({ gap }: Invocation["flags"], problems: Problems): number {
  return (gap === undefined ? undefined : tryParseFlag("gap", problems, () => parseFixedDuration(String(gap)))) ?? 0;
}

/** The list reads every page, and also the events that began before the window. */
function createListFlags(resource: Resource, { by: _by, gap: _gap, ...filters }: Invocation["flags"]): Invocation["flags"] {
  const has = (name: string) => filters[name] !== undefined;
  const limits = resource.filters.filter(({ format }) => format === "date-time").map(getFieldFlagName);
  const span = [...spanFlags, ...limits, "include"].some(has) ? {} : defaultSpan;
  return { ...filters, ...span, all: true, ...(has("start-date") || has("end-date") ? { running: true } : {}) };
}

/** Many whole records would need much memory. */
function toSummary(record: DataRecord): DataRecord {
  const { id, start_date, end_date, all_day, timezone, status, url } = record;
  const shared = sharedFields.map((by) => [by, getShared(record, by).map(({ name, ...one }) => ({ ...one, [by]: name }))] as const);
  return {
    id,
    title: toPlainText(getText(record, "title")),
    start_date,
    end_date,
    all_day,
    timezone,
    status,
    url,
    ...Object.fromEntries(shared),
  };
}

/** From when to when both take it; of two events that are only too close, the time between them. */
function toRow({ by, shared, first, second }: OverlappingPair, zone: string): DataRecord {
  const [from, to] = [second.from, Math.min(first.to, second.to)];
  const minutes = Math.round(Math.abs(to - from) / 60_000);
  const describe = ({ record: { venue: _venue, organizer: _organizer, ...event } }: TimedEvent) => event;
  const isOverlap = to > from;
  return {
    by,
    id: shared.id,
    name: shared.name ?? "",
    from: formatTimestamp(Math.min(from, to), zone),
    to: formatTimestamp(Math.max(from, to), zone),
    overlap_minutes: isOverlap ? minutes : 0,
    ...(isOverlap ? {} : { gap_minutes: minutes }),
    first: describe(first),
    second: describe(second),
  };
}

async function* toBatches(records: readonly DataRecord[] | AsyncIterable<readonly DataRecord[]>): AsyncGenerator<readonly DataRecord[]> {
  if (Symbol.asyncIterator in records) yield* records;
  else yield records;
}
