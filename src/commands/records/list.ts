// `cal <resource> list`: filters in, records out as their pages arrive, and on stderr what was left out.
import { type PageOfRecords, readPages } from "../../api/pages.ts";
import { normalizeDateTime } from "../../api/reply.ts";
import type { Input } from "../../api/request.ts";
import { toList } from "../../api/update.ts";
import type { Context, Flags } from "../../context.ts";
import { type DataRecord, isRecord } from "../../data-record.ts";
import { getFieldFlagName, type Resource } from "../../model/resource.ts";
import type { ListReport, ListSummary } from "../../output/report.ts";
import type { Handler, Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { createRecordCommand, fieldNames, openSite, type Problems, type RecordCommand } from "./command.ts";
import type { DateWindow } from "./date-window.ts";
import { parseFlagValues } from "./input.ts";
import { resolveLinks } from "./links.ts";
import { createWithoutFilter } from "./without.ts";

/** The handler that lists a resource; `verb` is the command that needs the list. */
export function list(resource: Resource, verb = "list"): Handler {
  return async (invocation, context) => (await openList(resource, verb, invocation, context))();
}

/** Throws the problems of the command line, all at once, before anything is sent; the function that it returns begins to read. */
export async function openList(
  resource: Resource,
  verb: string,
  invocation: Invocation,
  context: Context,
): Promise<() => Promise<ListReport>> {
  const { flags } = invocation;
  const problems = [...invocation.problems];
  const undated = resource.filters.filter(({ format }) => format !== "date-time");
  const typed = parseFlagValues(undated, flags, problems);
  const command = await createRecordCommand(resource, verb, invocation, context, problems);
  const { per_page, format, concurrency } = command.settings;
  const window = addFilter(await resolveDateWindow(command), createWithoutFilter(resource, flags));
  const options = {
    perPage: per_page?.value,
    filtersLocally: window.matches !== undefined,
    readsAllByDefault: format?.value === "count",
  };
  const paging = resolvePaging(flags, options, problems);
  const { skip: _, limit, ...pageOptions } = paging;
  const site = await openSite(command);
  return async () => {
    const values = createFilters(command, typed, window);
    const hasLinks = resource.filters.some(({ name, refersTo }) => refersTo !== undefined && values[name] !== undefined);
    // A name with several records is chosen at a terminal. Without links no prompt is loaded.
    const filters = hasLinks ? await resolveLinks(site, resource.filters, values, { user: await findInteractiveUser(context) }) : values;
    for (const notice of window.notices) await context.notice(notice);
    const pages = readPages({
      ...pageOptions,
      client: site.client,
      namespace: site.namespace,
      resource,
      filters,
      concurrency: concurrency.value,
      unorderedStatuses: command.serverProfile.unorderedStatuses[resource.name],
      // Where records are left out after reading, it is unknown on which page the limit will be reached.
      ...(limit === undefined || window.matches !== undefined ? {} : { limit }),
    });
    const progress = context.progress.trackItems(resource.name, pages, ({ records, total }) => {
      const most = Math.min(total ?? Number.POSITIVE_INFINITY, limit ?? Number.POSITIVE_INFINITY);
      return Number.isFinite(most) ? [records.length, most] : [records.length];
    });
    return { kind: "list", columns: resource.columns, fieldNames: fieldNames(resource), ...readList(command, paging, window, progress) };
  };
}

/** The flags that give a span of time. */
export const spanFlags: readonly string[] = ["start-date", "end-date", "running", "all-dates", "on", "today", "week", "month", "next"];

/** The window of the date flags. The date grammar is loaded only where there is one. */
async function resolveDateWindow(command: RecordCommand): Promise<DateWindow> {
  const { resource, invocation, serverProfile } = command;
  const { flags } = invocation;
  const dated = resource.filters.filter(({ format }) => format === "date-time");
  if (dated.length === 0) return { filters: {}, notices: [] };
  const limits = dated.filter(({ name }) => name !== "start_date" && name !== "end_date");
  if ([...spanFlags, ...limits.map(getFieldFlagName)].some((name) => flags[name] !== undefined))
    return (await import("./date-flags.ts")).parseDateWindow(command, limits);
  const hidesPast = serverProfile.window === "inside" && flags["include"] === undefined;
  const serverWindowNotice = (applied: URLSearchParams | undefined) =>
    formatServerWindow(applied) ?? (hidesPast ? "this site lists events from today on; --all-dates lists all" : undefined);
  return { filters: {}, notices: [], serverWindowNotice };
}

/** The window that the server used by itself, where its answer tells it. */
function formatServerWindow(applied: URLSearchParams | undefined): string | undefined {
  const sides = { from: applied?.get("start_date"), to: applied?.get("end_date") };
  const words = Object.entries(sides).flatMap(([word, value]) => {
    const moment = normalizeDateTime(value);
    return moment === undefined ? [] : `${word} ${moment.replace(/ (?:00:00:00|23:59:59)$/, "")}`;
  });
  return words.length === 0 ? undefined : `this server lists events ${words.join(" ")}; --all-dates lists all`;
}

/** A window whose records match a filter too. */
function addFilter(window: DateWindow, filter: ((record: DataRecord) => boolean) | undefined): DateWindow {
  return filter === undefined ? window : { ...window, matches: (record) => window.matches?.(record) !== false && filter(record) };
}

/** The filters as they are sent: those of the command line and the window, without the parameters of paging. */
function createFilters({ resource, invocation: { flags }, serverProfile }: RecordCommand, typed: Input, window: DateWindow): Input {
  const { page: _page, per_page: _size, ...others } = typed;
  // Such a site would leave out past events, and events that are named by their ids are listed whatever their date.
  const byId = flags["include"] !== undefined && serverProfile.window === "inside" && resource.hasDates;
  const unhidden =
    flags["all-dates"] === true || flags["include-empty"] === true || byId ? serverProfile.unfilteredParameters[resource.name] : {};
  const sent = Object.entries(others).filter(([name]) => name !== window.omittedFilter);
  return { ...unhidden, ...Object.fromEntries(sent), ...window.filters };
}

/** The records to print, group by group, and the summary of what was read so far. */
function readList(
  { resource, context, invocation: { flags } }: RecordCommand,
  paging: Paging,
  window: DateWindow,
  pages: AsyncIterable<PageOfRecords>,
): Pick<ListReport, "records" | "summary"> {
  const { first, perPage, perPageIsAutomatic, single, skip, limit } = paging;
  const { matches, limitationNotice, envelopeWindow, serverWindowNotice } = window;
  const coordinateFilters = resource.filters.filter(({ byCoordinates }) => byCoordinates === true).map(getFieldFlagName);
  const coordinateFlags = coordinateFilters.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
  let printed = 0;
  let matchedCount = 0;
  let serverTotal: number | undefined;
  let serverPages: number | undefined;
  let truncated = false;

  /** The records of a page that are printed, and whether the limit left out others. */
  const selectRecords = (records: readonly DataRecord[]) => {
    const matching = matches === undefined ? records : records.filter(matches);
    const candidates = matching.slice(Math.max(0, skip - matchedCount));
    matchedCount += matching.length;
    const selected = candidates.slice(0, (limit ?? Number.POSITIVE_INFINITY) - printed);
    printed += selected.length;
    return { selected, limitExceeded: selected.length < candidates.length };
  };

  const readRecords = async function* (): AsyncGenerator<readonly DataRecord[]> {
    let changed = false;
    let ignoresCoordinates = false;
    for await (const { page, records, total, totalPages, appliedFilters, listChanged, hasMore } of pages) {
      const windowNotice = page === first ? serverWindowNotice?.(appliedFilters) : undefined;
      if (windowNotice !== undefined) await context.notice(windowNotice);
      serverTotal = total ?? serverTotal;
      serverPages = totalPages ?? serverPages;
      changed ||= listChanged;
      ignoresCoordinates ||= coordinateFlags.length > 0 && records.some((record) => hasCoordinates(record) === (flags["geoloc"] === false));
      const isClamped = perPage !== undefined && !perPageIsAutomatic && records.length > 0 && records.length < perPage;
      if (page === first && hasMore && isClamped)
        await context.notice(`this server gives ${records.length} records a page, not ${perPage}`);
      const { selected, limitExceeded } = selectRecords(records);
      truncated = limitExceeded || hasMore;
      if (selected.length > 0) yield selected;
      if (limitExceeded || (matches === undefined && printed === limit)) break;
    }
    if (ignoresCoordinates)
      await context.warn(`the server ignored ${coordinateFlags.join(" and ")}: that needs the premium extension of its calendar`);
    if (changed) await context.notice("the list changed while it was read, or the server repeats pages; every record is shown once");
    if (printed === 0) {
      await context.notice(`no ${resource.name}${truncated ? " on this page, but there are more: use --all" : ""}`);
    } else if (truncated) {
      const about = matches === undefined ? "" : "about ";
      // The server was asked for many more records then, so its total is of no use.
      const asksForMore = limitationNotice !== undefined || flags["without"] !== undefined;
      const of = serverTotal === undefined || asksForMore ? ", and there are more" : ` of ${about}${serverTotal}`;
      await context.notice(`showing ${printed}${of}, use --all`);
    }
  };

  const summary = (): ListSummary => {
    // A list that was read to its end is counted: some servers give the total of another list.
    const whole = first === 1 && skip === 0 && !truncated && (!single || printed === 0);
    const total = whole ? printed : matches === undefined ? serverTotal : undefined;
    return {
      ...(total === undefined ? {} : { total }),
      ...(total !== serverTotal || serverPages === undefined ? {} : { total_pages: serverPages }),
      ...(single ? { page: first } : {}),
      ...(perPage === undefined ? {} : { per_page: perPage }),
      truncated,
      ...(envelopeWindow === undefined ? {} : { window: envelopeWindow }),
    };
  };
  return { records: readRecords(), summary };
}

/** Whether a venue of the event has coordinates; undefined where the record does not show it. */
function hasCoordinates({ venue }: DataRecord): boolean | undefined {
  const venues = toList(venue);
  if (venue === undefined || !venues.every(isRecord)) return undefined;
  return venues.some((one) => ["geo_lat", "geo_lng"].every((name) => ![undefined, null, ""].some((empty) => one[name] === empty)));
}

// --page, --per-page, --limit and --all: which pages are read and how many of their records are printed.

/** Which part of a list to read. */
interface Paging {
  /** The first page asked of the server. */
  readonly first: number;
  /** Records a page; absent leaves it to the server. */
  readonly perPage?: number;
  readonly perPageIsAutomatic: boolean;
  /** Read one page only. */
  readonly single: boolean;
  /** Records to pass over before the first is printed. */
  readonly skip: number;
  /** Records to print at most; absent is all. */
  readonly limit?: number;
}

/** The default page size of every list (section 8), and the largest that a The Events Calendar site gives. */
const defaultPageSize = 10;
const maxPageSize = 50;

interface PagingOptions {
  /** The page size of the settings. */
  readonly perPage: number | undefined;
  /** Records are left out after reading: then pages are counted in records that are printed. */
  readonly filtersLocally: boolean;
  /** Without a flag that limits the list, all of it is read. */
  readonly readsAllByDefault: boolean;
}

/** Reads the flags. */
export function resolvePaging(flags: Flags, options: PagingOptions, problems: Problems): Paging {
  const [page, limit, typedSize] = ["page", "limit", "per-page"].map((name) => (typeof flags[name] === "number" ? flags[name] : undefined));
  const perPage = typedSize ?? options.perPage;
  const all = flags["all"] === true || (options.readsAllByDefault && page === undefined && limit === undefined);
  for (const [name, value] of Object.entries({ page, limit, "per-page": perPage })) {
    if (value !== undefined && value < 1) problems.push(`--${name} takes a number from 1`);
  }
  if (flags["all"] === true && page !== undefined) problems.push("--all and --page exclude each other");
  if (flags["all"] === true && limit !== undefined) problems.push("--all and --limit exclude each other");
  const pageSize = (automatic: number | undefined) => {
    if (perPage !== undefined) return { perPage, perPageIsAutomatic: false };
    return automatic === undefined ? { perPageIsAutomatic: false } : { perPage: automatic, perPageIsAutomatic: true };
  };
  const whole = { first: 1, single: false, skip: 0, ...pageSize(maxPageSize) };
  if (all) return whole;
  const size = perPage ?? defaultPageSize;
  if (options.filtersLocally) return { ...whole, skip: ((page ?? 1) - 1) * size, limit: limit ?? size };
  if (limit === undefined) return { first: page ?? 1, single: true, skip: 0, ...pageSize(undefined) };
  // A page number counts pages of the default size, so another size can be chosen only from the first page on.
  const isFromStart = page === undefined || page === 1;
  return { first: page ?? 1, single: false, skip: 0, limit, ...pageSize(isFromStart ? Math.min(limit, maxPageSize) : undefined) };
}
