// `cal events repeat`: copies of an event at the times of a rule, as a plan. The copies are remembered as a series.
import type { PricePlan } from "../../api/price.ts";
import { fetchIfThere, findByName, type RecordSource } from "../../api/refs.ts";
import { normalizeDateTime } from "../../api/reply.ts";
import type { Input } from "../../api/request.ts";
import { type CurrentRecord, findDifferences, toWritableValue } from "../../api/update.ts";
import { findHtmlWarnings, findPriceWarnings } from "../../api/write-warnings.ts";
import { type Change, createSiteId, type Plan } from "../../changes/change.ts";
import { normalizeValue } from "../../changes/compare.ts";
import type { LedgerEntry, OpenLedger, RecordEntry } from "../../changes/ledger.ts";
import { assertWithinLimits, type Limits } from "../../changes/limits.ts";
import { createCreateChange, getNewValues } from "../../changes/plan.ts";
import { keepFields } from "../../changes/value-store.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import { usageError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import type { Resource } from "../../model/resource.ts";
import type { Report } from "../../output/report.ts";
import { unbreakable } from "../../text.ts";
import type { Handler } from "../command.ts";
import { planWithLedger } from "../ledger.ts";
import { parseLimits } from "../limits.ts";
import { finishPlan, formatRecord, runPlan } from "../plan.ts";
import { isAllDay } from "../records/all-day.ts";
import { computeCloneEnd, createCloneValues } from "../records/clone-values.ts";
import { createRecordCommand, openSite, type RecordCommand, throwIfProblems } from "../records/command.ts";
import { createDateWindow, instantOf } from "../records/date-window.ts";
import { resolveDates } from "../records/dates.ts";
import { findImageFileProblem, readInput } from "../records/input.ts";
import { resolveLinksForWrite } from "../records/links.ts";
import { formatRecordName, warnBeforeWrite } from "../records/messages.ts";
import { skipOverlaps, validateNoOverlap } from "../records/no-overlap.ts";
import { readOneForWrite, readOneRef } from "../records/refs.ts";
import { createSeriesNote, followResults, markChange } from "./follow.ts";
import { createEntry, createSeriesName, findByStart, findEntry, getSeriesLedger, getSeriesName, groupSeries } from "./members.ts";
import { listOccurrences, type Occurrences, type Recurrence, readRecurrence } from "./occurrences.ts";

/** Copies without --max-changes. */
const defaultMaxChanges = 500;

/** The fields that the rule gives, or that no copy has. */
const ruledFields = ["start_date", "end_date", "timezone", "all_day", "slug"];

/** The handler that repeats an event. */
export function repeat(resource: Resource): Handler {
  return async (invocation, context) => {
    const { flags } = invocation;
    const problems = [...invocation.problems];
    const refs = await readOneRef(resource, { ...invocation, flags: {} }, context, problems);
    const input = await readInput(resource, invocation, context, problems);
    problems.push(...findImageFileProblem(input, "repeat"));
    for (const name of ruledFields)
      if (input[name] !== undefined)
        problems.push({
          message: `repeat takes no ${name}: the rule gives the times`,
          hint: "--at or --start-time gives another time of day",
        });
    const command = await createRecordCommand(resource, "repeat", invocation, context, problems);
    const now = context.clock.now();
    await resolveDates(command, input, undefined);
    await readRecurrence(invocation, { now, zone: command.settings.tz.value }, problems);
    problems.push(...validateNoOverlap(invocation));
    const site = await openSite(command);
    const { current } = await readOneForWrite(command, site, refs);
    const original = readOriginal(resource, current.record, command.settings.tz.value);
    // On the clock of the event the same texts can be other moments.
    const recurrence = await readRecurrence(invocation, { now, zone: original.zone }, problems);
    const values = await resolveDates(command, input, original.zone, current.record);
    throwIfProblems(command);
    if (recurrence === undefined) throw new Error("a recurrence was expected");
    if (original.allDay && recurrence.times.length > 0)
      throw usageError(`${original.name} lasts all day, so it has no time of day`, "leave out --at and --start-time");
    const hasSeries = flags["no-series"] !== true;
    const siteId = createSiteId(command.settings);
    return planWithLedger(context, hasSeries ? getSeriesLedger(context, siteId) : undefined, async (entries, open) => {
      const planned = await planRepeat(command, site, { current, input: values, original, recurrence, entries, hasSeries });
      const { plan } = planned;
      await reportLeftOut(command, original, recurrence, planned);
      assertFew(plan, parseLimits(invocation));
      const checked = flags["no-overlap"] === true ? await skipOverlaps(site, command.settings, plan) : plan;
      for (const { key, reason } of checked.skipped) await context.warn(`left out: ${key}: ${reason.replace("; nothing was sent", "")}`);
      const run = () => carryOut(command, site, checked, { ...planned, open, current });
      return finishPlan(invocation, context, checked, run, (change) => `create ${formatRecord(change)}`);
    });
  };
}

/** Throws a usage error for more copies than --max-changes allows, or than are likely meant. */
function assertFew({ changes }: Plan, limits: Limits): void {
  assertWithinLimits(changes, limits);
  if (limits.maxChanges === undefined && changes.length > defaultMaxChanges)
    throw usageError(`${changes.length} events would be created, and more than ${defaultMaxChanges} need --max-changes; nothing was sent`, {
      text: "if that is meant",
      flags: `--max-changes ${changes.length}`,
    });
}

/** The event that is repeated. */
interface Original {
  readonly record: DataRecord;
  /** `event 103 "Jazz Night"`. */
  readonly name: string;
  /** Its start on its own clock. */
  readonly start: string;
  readonly zone: string;
  readonly allDay: boolean;
}

function readOriginal(resource: Resource, record: DataRecord, fallbackZone: string): Original {
  const name = formatRecordName(resource, record);
  const [start, end] = [normalizeDateTime(record["start_date"]), normalizeDateTime(record["end_date"])];
  if (start === undefined || end === undefined)
    throw usageError(`${name} has no dates that can be repeated`, "give it both: --start-date and --end-date");
  const allDay = isAllDay({}, record);
  return {
    record,
    name,
    start: allDay ? `${start.slice(0, 10)} 00:00:00` : start,
    zone: getText(record, "timezone") || fallbackZone,
    allDay,
  };
}

// The plan.

interface PlanOptions {
  readonly current: CurrentRecord;
  readonly input: Input;
  readonly original: Original;
  readonly recurrence: Recurrence;
  /** The ledger of the series; empty with --no-series. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly hasSeries: boolean;
}

interface PlannedRepeat {
  readonly plan: Plan;
  /** The name of the series; absent with --no-series. */
  readonly series: string | undefined;
  readonly occurrences: Occurrences;
  /** Events that are what a copy would be. */
  readonly existing: readonly DataRecord[];
  /** The ids of occurrences that were deleted by hand. */
  readonly deleted: readonly string[];
  readonly price: PricePlan | undefined;
}

async function planRepeat(command: RecordCommand, site: RecordSource, options: PlanOptions): Promise<PlannedRepeat> {
  const { resource, context, serverProfile, invocation, settings } = command;
  const { current, input, original, recurrence, entries, hasSeries } = options;
  const { values, warnings, price } = createCloneValues(resource, current, input, serverProfile);
  for (const warning of warnings) await context.warn(warning);
  const html = current.raw?.allowsAnyHtml === false ? findHtmlWarnings(resource, values) : [];
  await warnBeforeWrite(command, original.record, [...findPriceWarnings(original.record, price), ...html]);
  const shiftsSkipped = invocation.flags["shift-skipped"] === true;
  const isSkipped = (wall: string) => !shiftsSkipped && computeTimes(original, wall).isSkipped;
  const occurrences = await listOccurrences(recurrence, original.start, isSkipped);
  const linked = await resolveLinksForWrite(command, site, values, { record: original.record, isNew: true });
  const own = findEntry(entries, idOf(original.record) ?? "");
  const name = own === undefined ? createSeriesName(getText(original.record, resource.titleField), entries) : getSeriesName(own);
  const series = hasSeries ? name : undefined;
  const copies = occurrences.starts.map((wall) => ({ wall, values: { ...linked.values, ...computeTimes(original, wall).values } }));
  const known = await findKnown(command, site, copies, original, groupSeries(entries).get(name)?.entries ?? []);
  const keep = await context.openStore();
  const changes = copies.flatMap(({ wall, values: copy }) => {
    if (known.has(wall)) return [];
    const key = original.allDay ? wall.slice(0, 10) : wall.replace(/:00$/, "");
    const created = createCreateChange(resource, key, copy);
    const change = { ...created, title: `${created.title}, ${key}` };
    return [keepFields(series === undefined ? change : markChange(change, series), keep)];
  });
  const found = [...known.values()];
  return {
    plan: { version: 1, site: createSiteId(settings), changes, unchanged: found.length, skipped: [], conflicts: [] },
    series,
    occurrences,
    existing: found.flatMap((one) => (typeof one === "string" ? [] : [one])),
    deleted: found.flatMap((one) => (typeof one === "string" ? [one] : [])),
    price,
  };
}

/** The dates of a copy that starts at this wall time. A time that the clocks skip is moved forward. */
function computeTimes({ record, zone, allDay }: Original, wall: string) {
  const start = allDay ? wall : (epochToWall(wallToEpoch(wall, zone) ?? Number.NaN, zone) ?? wall);
  const values = { start_date: start, timezone: zone };
  const end = computeCloneEnd(record, values);
  return { values: { ...values, ...end.values }, isSkipped: !allDay && (start !== wall || end.warnings.length > 0) };
}

interface Copy {
  readonly wall: string;
  readonly values: Input;
}

/**
 * The copies that need not be created, by their starts: those whose event is there, by its title, start and venue or as one of the series, and
 * as an id those whose event was deleted by hand.
 */
async function findKnown(
  { resource, serverProfile }: RecordCommand,
  site: RecordSource,
  copies: readonly Copy[],
  { zone, allDay }: Original,
  entries: readonly RecordEntry[],
): Promise<ReadonlyMap<string, DataRecord | string>> {
  const known = new Map<string, DataRecord | string>();
  const [first, last] = [copies[0], copies.at(-1)];
  if (first === undefined || last === undefined) return known;
  const toEpoch = ({ values }: Copy) => wallToEpoch(getText(values, "start_date"), zone);
  const [from, to] = [toEpoch(first), toEpoch(last)];
  if (from === undefined || to === undefined) return known;
  const dayInMs = 86_400_000;
  const { filters } = createDateWindow({ from: from - dayInMs, to: to + dayInMs, running: false }, zone, serverProfile);
  const title = valueToText(first.values[resource.titleField]);
  const found = [...(await findByName(site, resource, title, filters))];
  // A list without a status does not show these.
  const status = getText(first.values, "status");
  if (status !== "" && status !== "publish") found.push(...(await findByName(site, resource, title, { ...filters, status })));
  const venue = resource.fields.find((field) => field.name === "venue");
  const normalizeVenue = (value: unknown) => (venue === undefined ? "" : normalizeValue(venue, value));
  const getVenue = (record: DataRecord) => normalizeVenue(venue && toWritableValue(venue, record, serverProfile));
  for (const copy of copies) {
    const isAtStart = (record: DataRecord) =>
      allDay
        ? getText(record, "start_date").slice(0, 10) === copy.wall.slice(0, 10)
        : instantOf(record, "start_date", zone) === toEpoch(copy);
    const isSame = (record: DataRecord) => isAtStart(record) && getVenue(record) === normalizeVenue(copy.values["venue"]);
    const there = found.find(isSame);
    const entry = there === undefined ? findByStart(entries, getText(copy.values, "start_date"), serverProfile) : undefined;
    const member = entry && (await fetchIfThere(site, resource, { by: "id", id: entry.id }));
    const result = there ?? member ?? entry?.id;
    if (result !== undefined) known.set(copy.wall, result);
  }
  return known;
}

/** Says which occurrences are not created, and why. */
async function reportLeftOut(
  { context }: RecordCommand,
  { start, zone, name, allDay }: Original,
  { rule }: Recurrence,
  { occurrences, existing, deleted, plan }: PlannedRepeat,
): Promise<void> {
  const { skipped, unusedExceptions } = occurrences;
  for (const wall of skipped)
    await context.warn(`left out: ${wall.slice(0, 16)}: the clocks of ${zone} skip this time; --shift-skipped moves it forward`);
  for (const text of unusedExceptions) await context.warn(`--except ${text}: there is no occurrence then`);
  const day = Number(start.slice(8, 10));
  if (day > 28 && /^FREQ=MONTHLY(?:;INTERVAL=\d+)?$/i.test(rule))
    await context.notice(`months without a day ${day} have no occurrence; --every "last day" takes the last day of each month`);
  if (existing.length > 0)
    await context.notice(
      `${existing.length} ${existing.length === 1 ? "is" : "are"} there already: ${unbreakable(`cal events get ${existing.flatMap((record) => idOf(record) ?? []).join(" ")}`)}`,
    );
  for (const id of deleted) await context.notice(`event ${id} of the series was deleted, and is not created again`);
  const now = context.clock.now();
  const past = plan.changes.filter(({ fields }) => {
    const end = fields.find((field) => field.name === "end_date")?.to;
    return (wallToEpoch(String(end), zone) ?? now) < now;
  });
  if (past.length > 0)
    await context.warn(`${past.length} of the copies of ${name} are over: the first on ${past[0]?.key.slice(0, allDay ? 10 : 16)}`);
}

// Carrying it out.

interface Run extends PlannedRepeat {
  readonly open: OpenLedger | undefined;
  readonly current: CurrentRecord;
}

async function carryOut(command: RecordCommand, site: RecordSource, plan: Plan, run: Run): Promise<Report> {
  const { context, settings, serverProfile, resource } = command;
  const { open, series, current, existing, price } = run;
  const { record } = current;
  if (open !== undefined && series !== undefined)
    for (const member of [record, ...existing])
      if (!isMember(open.ledger.entries, member)) open.ledger.put(createEntry(series, member, serverProfile));
  const noteSeries = open && createSeriesNote(open, serverProfile);
  const differences = new Map<string, number>();
  const note = (change: Change, created: DataRecord | undefined) => {
    noteSeries?.(change, created);
    if (created === undefined) return;
    for (const { field } of findDifferences(resource, getNewValues(change), created, serverProfile))
      differences.set(field, (differences.get(field) ?? 0) + 1);
  };
  const end = async () => {
    for (const [name, count] of differences)
      await context.warn(`the server stored another value of ${name} in ${count} of ${plan.changes.length} copies`);
    const members = open && series !== undefined ? groupSeries(open.ledger.entries).get(series) : undefined;
    if (members !== undefined)
      await context.notice(`series ${series}: ${members.entries.length} events; ${unbreakable(`cal series show ${series}`)}`);
  };
  return runPlan(context, plan, {
    site,
    settings,
    mayBeDone: false,
    ...(price !== undefined && { getPrice: () => ({ price, shown: record }) }),
    follow: followResults(plan, { open, note, end }),
  });
}

function isMember(entries: ReadonlyMap<string, LedgerEntry>, record: DataRecord): boolean {
  const entry = findEntry(entries, idOf(record) ?? "");
  return entry !== undefined && entry.gone !== true;
}
