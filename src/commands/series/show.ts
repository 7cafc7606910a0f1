// `cal series list`, `cal series show` and `cal series adopt`: which series there are, their events, and series of events that are there.
import { fetchRecord, type RecordSource, resolveRef } from "../../api/refs.ts";
import { createSiteId } from "../../changes/change.ts";
import type { LedgerEntry } from "../../changes/ledger.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError, usageError } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { resources } from "../../model/resources.ts";
import type { ListReport, ReportColumn } from "../../output/report.ts";
import { unbreakable } from "../../text.ts";
import type { Handler, Invocation } from "../command.ts";
import { useLedger } from "../ledger.ts";
import { createRecordCommand, openSite, type Problems, type RecordCommand } from "../records/command.ts";
import { formatRecordName } from "../records/messages.ts";
import { readRefs } from "../records/refs.ts";
import {
  createEntry,
  createSeriesName,
  findEntry,
  findSeries,
  getSeriesLedger,
  getSeriesName,
  groupSeries,
  type Member,
  readMembers,
  readSeriesEntries,
  type Series,
  validateSeriesName,
} from "./members.ts";

const { events } = resources;

async function openSeriesSite(verb: string, invocation: Invocation, context: Parameters<Handler>[1], problems: Problems = []) {
  const initial = await createRecordCommand(events, verb, invocation, context, [...invocation.problems, ...problems]);
  const command: RecordCommand = { ...initial, helpCommand: `cal series ${verb}` };
  return { command, site: await openSite(command) };
}

/** The events of a series as they are now. */
function read({ context, settings }: RecordCommand, site: RecordSource, series: Series) {
  return readMembers(site, series, { now: context.clock.now(), zone: settings.tz.value });
}

// The series.

const seriesColumns: readonly ReportColumn[] = [
  { header: "SERIES", path: "series", kind: "text", priority: 1 },
  { header: "TITLE", path: "title", kind: "name", priority: 2 },
  { header: "EVENTS", path: "events", kind: "count", priority: 1 },
  { header: "UPCOMING", path: "upcoming", kind: "count", priority: 2 },
  { header: "EDITED", path: "edited", kind: "count", priority: 4 },
  { header: "NEXT", path: "next", kind: "date-time", priority: 2 },
  { header: "LAST", path: "last", kind: "date-time", priority: 3 },
];

export const listSeries: Handler = async (invocation, context) => {
  const { command, site } = await openSeriesSite("list", invocation, context);
  const records: DataRecord[] = [];
  for (const series of groupSeries(await readSeriesEntries(context)).values()) {
    const { members } = await read(command, site, series);
    if (members.length > 1) records.push(summarize(series, members));
  }
  return { kind: "list", columns: seriesColumns, fieldNames: [...seriesColumns.map(({ path }) => path), "first", "timezone"], records };
};

function summarize({ name }: Series, members: readonly Member[]): DataRecord {
  const upcoming = members.filter(({ isPast }) => !isPast);
  const startOf = (member: Member | undefined) => (member === undefined ? undefined : getText(member.record, "start_date"));
  const shown = upcoming[0] ?? members.at(-1);
  return {
    series: name,
    title: shown === undefined ? "" : toPlainText(getText(shown.record, events.titleField)),
    events: members.length,
    upcoming: upcoming.length,
    edited: members.filter(({ edited }) => edited.length > 0).length,
    first: startOf(members[0]),
    next: startOf(upcoming[0]) ?? null,
    last: startOf(members.at(-1)),
    timezone: shown === undefined ? "" : getText(shown.record, "timezone"),
  };
}

// One series.

const memberColumns: readonly ReportColumn[] = [
  ...events.columns.filter(({ path }) => ["id", "start_date", "end_date", "title", "status"].includes(path)),
  { header: "PAST", path: "past", kind: "flag", priority: 3 },
  { header: "EDITED", path: "edited", kind: "text", priority: 2 },
];

export const showSeries: Handler = async (invocation, context) => {
  const [text] = invocation.args;
  const missing = text === undefined ? [{ message: "which series?", hint: "cal series list shows them" }] : [];
  const { command, site } = await openSeriesSite("show", invocation, context, missing);
  return createSeriesReport(command, site, findSeries(await readSeriesEntries(context), text ?? ""));
};

async function createSeriesReport(command: RecordCommand, site: RecordSource, series: Series): Promise<ListReport> {
  const { context } = command;
  const { members, missing } = await read(command, site, series);
  const upcoming = members.filter(({ isPast }) => !isPast).length;
  await context.notice(`series ${series.name}: ${members.length} events, ${upcoming} of them not past`);
  for (const id of missing) await context.notice(`event ${id} of the series is no longer there`);
  return {
    kind: "list",
    columns: memberColumns,
    fieldNames: [...memberColumns.map(({ path }) => path), "all_day", "timezone", "url"],
    records: members.map(({ record, isPast, edited }) => {
      const { id, start_date, end_date, all_day, timezone, title, status, url } = record;
      return { id, start_date, end_date, all_day, timezone, title, status, url, past: isPast, edited };
    }),
  };
}

// Events that are there.

export const adoptSeries: Handler = async (invocation, context) => {
  const problems: Problems = [];
  const { refs } = await readRefs(events, invocation, context, problems);
  const typed = invocation.flags["series"];
  const badName = typed === undefined ? undefined : validateSeriesName(String(typed));
  if (badName !== undefined) problems.push(`--series: ${badName}`);
  const { command, site } = await openSeriesSite("adopt", invocation, context, problems);
  const records: DataRecord[] = [];
  for (const { ref } of refs) records.push(await fetchRecord(site, events, await resolveRef(site, events, ref)));
  return useLedger(context, getSeriesLedger(context, createSiteId(command.settings)), async (known, ledger) => {
    const entries = new Map(known);
    const name = chooseName(records, entries, typed === undefined ? undefined : String(typed));
    for (const record of records) {
      const former = findEntry(entries, idOf(record) ?? "");
      if (former !== undefined && former.gone !== true && getSeriesName(former) === name) continue;
      if (former !== undefined) {
        entries.delete(former.key);
        ledger?.remove(former.key);
      }
      const entry = createEntry(name, record, site.serverProfile);
      entries.set(entry.key, entry);
      ledger?.put(entry);
    }
    if (ledger === undefined) await context.notice(`with --dry-run nothing is remembered; it would be the series ${name}`);
    return createSeriesReport(command, site, findSeries(entries, name));
  });
};

/** The series that the events join: that of `--series`, also from another one, the one that some of them are in, or a new one. */
function chooseName(records: readonly DataRecord[], entries: ReadonlyMap<string, LedgerEntry>, typed: string | undefined): string {
  const [first] = records;
  const all = groupSeries(entries);
  const inSeries = records.flatMap((record) => {
    const entry = findEntry(entries, idOf(record) ?? "");
    const name = entry === undefined || entry.gone === true ? undefined : getSeriesName(entry);
    return name === undefined || !all.has(name) ? [] : [{ record, name }];
  });
  const name = typed ?? inSeries[0]?.name;
  const other = inSeries.find((one) => one.name !== name);
  if (other !== undefined && typed === undefined)
    throw usageError(`${formatRecordName(events, other.record)} is in the series ${other.name}, and an event can be in one`, [
      { text: "see it", command: `cal series show ${other.name}` },
      "--series <name> moves all of them into one",
    ]);
  const ids = new Set(records.map((record) => idOf(record)));
  if (ids.size < 2 && (name === undefined || !all.has(name)))
    throw new CalError("usage", "a series has two events or more", {
      code: "single-event",
      hint: `name several; ${unbreakable("cal series adopt <ref> --series <series>")} adds one to a series`,
    });
  return name ?? createSeriesName(first === undefined ? "" : getText(first, events.titleField), entries);
}
