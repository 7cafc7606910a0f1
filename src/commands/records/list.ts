// `cal <resource> list`: filters in, records out as their pages arrive, and on stderr what was left out.
import { type PageOfRecords, readPages } from "../../api/pages.ts";
import type { Input } from "../../api/request.ts";
import type { Flags } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import type { Resource } from "../../model/resource.ts";
import type { ListSummary } from "../../output/report.ts";
import type { Handler } from "../command.ts";
import { callOf, type Problems, type Scene, sceneOf, throwIfProblems } from "./command.ts";
import { parseFlagValues } from "./input.ts";
import { resolveLinkOptions, resolveLinks } from "./links.ts";
import { type DateWindow, resolveDateWindow } from "./list-window.ts";
import { fieldNames } from "./refs.ts";

/** The handler that lists a resource. */
export function list(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "list", invocation, context);
    // The dates are read into a window.
    const undated = resource.filters.filter(({ format }) => format !== "date-time");
    const typed = parseFlagValues(undated, invocation.flags, call.problems);
    const scene = await sceneOf(call);
    const settings = await context.settings();
    const window = await resolveDateWindow(scene);
    const options = {
      perPage: settings.per_page?.value,
      filtersLocally: window.matches !== undefined,
      readsAllByDefault: settings.format?.value === "count",
    };
    const paging = resolvePaging(invocation.flags, options, call.problems);
    throwIfProblems(call);
    const { namespace, serverProfile } = scene.site;
    const site = { namespace, serverProfile, client: await context.client() };
    const wanted = createFilters(scene, typed, window);
    // A list creates nothing.
    const { user } = await resolveLinkOptions(invocation, context);
    const filters = await resolveLinks(site, resource.filters, wanted, user === undefined ? {} : { user });
    for (const notice of window.notices) await context.notice(notice);
    const reading = new ListReader(paging, window);
    const concurrency = settings.concurrency.value;
    const pages = readPages({
      ...toPageOptions(paging),
      client: site.client,
      namespace,
      resource,
      filters,
      concurrency,
      ...toLimitOption(paging, window),
    });
    return {
      kind: "list",
      columns: resource.columns,
      fieldNames: fieldNames(resource),
      records: reading.records(
        context.progress.trackItems(resource.name, pages, (page) => getPageProgress(page, paging)),
        (text) => context.notice(text),
        resource,
      ),
      summary: () => reading.summary(),
    };
  };
}

function toPageOptions({ first, perPage, single, perPageIsAutomatic }: Paging) {
  return { first, single, perPageIsAutomatic, ...(perPage === undefined ? {} : { perPage }) };
}

/** Where records are trimmed after reading, nobody knows on which page the limit will be reached. */
function toLimitOption({ limit }: Paging, { matches }: DateWindow) {
  return limit === undefined || matches !== undefined ? {} : { limit };
}

/** The filters as they are sent: what was typed, with the dates of the window, without what this program adds of its own. */
function createFilters({ resource, invocation: { flags }, site }: Scene, typed: Input, window: DateWindow): Input {
  const { page: _page, per_page: _size, ...rest } = typed;
  // Events that are named by their ids are wanted whatever their date; such a site would leave out the past ones.
  const named = flags["include"] !== undefined && site.serverProfile.window === "inside" && resource.hasDates;
  const unhidden =
    flags["all-dates"] === true || flags["include-empty"] === true || named ? site.serverProfile.unfilteredParameters[resource.name] : {};
  const sent = Object.entries(rest).filter(([name]) => name !== window.omittedFilter);
  return { ...unhidden, ...Object.fromEntries(sent), ...window.filters };
}

/** What a page adds to what was read, and how much there is to read. */
function getPageProgress({ records, total }: PageOfRecords, { limit }: Paging): readonly [by: number, total?: number] {
  const most = Math.min(total ?? Number.POSITIVE_INFINITY, limit ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(most) ? [records.length, most] : [records.length];
}

type Pages = AsyncIterable<PageOfRecords>;

/** One reading of a list: what was printed, and what the server has beside it. */
class ListReader {
  readonly #paging: Paging;
  readonly #window: DateWindow;
  #printed = 0;
  #matchedCount = 0;
  #total: number | undefined;
  #totalPages: number | undefined;
  #truncated = false;

  constructor(paging: Paging, window: DateWindow) {
    this.#paging = paging;
    this.#window = window;
  }

  async *records(pages: Pages, notice: (text: string) => Promise<void>, resource: Resource): AsyncGenerator<readonly DataRecord[]> {
    let changed = false;
    for await (const page of pages) {
      this.#total = page.total ?? this.#total;
      this.#totalPages = page.totalPages ?? this.#totalPages;
      changed ||= page.listChanged;
      if (page.page === this.#paging.first && page.hasMore) await this.#reportClampedPageSize(page.records.length, notice);
      const { shown: selected, over: limitExceeded } = this.#selectRecords(page.records);
      this.#truncated = limitExceeded || page.hasMore;
      if (selected.length > 0) yield selected;
      if (limitExceeded || (this.#window.matches === undefined && this.#printed === this.#paging.limit)) break;
    }
    if (changed) await notice("the list changed while it was read, or the server repeats pages; every record is shown once");
    if (this.#printed === 0) await notice(`no ${resource.name}${this.#truncated ? " on this page, but there are more: use --all" : ""}`);
    else if (this.#truncated) await notice(this.#formatTruncationNotice());
  }

  /** The records of a page that are printed, and whether the limit left out others. */
  #selectRecords(records: readonly DataRecord[]): { readonly shown: readonly DataRecord[]; readonly over: boolean } {
    const { matches } = this.#window;
    const kept = matches === undefined ? records : records.filter(matches);
    const after = kept.slice(Math.max(0, this.#paging.skip - this.#matchedCount));
    this.#matchedCount += kept.length;
    const shown = after.slice(0, (this.#paging.limit ?? Number.POSITIVE_INFINITY) - this.#printed);
    this.#printed += shown.length;
    return { shown, over: shown.length < after.length };
  }

  async #reportClampedPageSize(given: number, notice: (text: string) => Promise<void>): Promise<void> {
    const { perPage, perPageIsAutomatic } = this.#paging;
    if (perPage !== undefined && !perPageIsAutomatic && given > 0 && given < perPage)
      await notice(`this server gives ${given} records a page, not ${perPage}`);
  }

  summary(): ListSummary {
    const { first, skip, single } = this.#paging;
    // What was read to its end is counted: some servers tell the total of another list.
    const whole = first === 1 && skip === 0 && !this.#truncated && (!single || this.#printed === 0);
    const total = whole ? this.#printed : this.#window.matches === undefined ? this.#total : undefined;
    return {
      ...(total === undefined ? {} : { total }),
      ...(total !== this.#total || this.#totalPages === undefined ? {} : { total_pages: this.#totalPages }),
      ...(single ? { page: first } : {}),
      ...(this.#paging.perPage === undefined ? {} : { per_page: this.#paging.perPage }),
      truncated: this.#truncated,
      ...(this.#window.envelopeWindow === undefined ? {} : { window: this.#window.envelopeWindow }),
    };
  }

  #formatTruncationNotice(): string {
    const { matches, limitationNotice } = this.#window;
    const about = matches === undefined ? "" : "about ";
    // Where the server is asked far more than what is meant, its total tells nothing.
    const of = this.#total === undefined || limitationNotice !== undefined ? ", and there are more" : ` of ${about}${this.#total}`;
    return `showing ${this.#printed}${of}, use --all`;
  }
}

// --page, --per-page, --limit and --all: which pages are read and how many of their records are printed.

/** What of a list is wanted. */
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

/** What bears on it beside the flags. */
interface PagingOptions {
  /** The page size that a setting gives. */
  readonly perPage: number | undefined;
  /** Records are trimmed after reading: then pages are counted after the trimming. */
  readonly filtersLocally: boolean;
  /** Without a flag that says how much, all is wanted. */
  readonly readsAllByDefault: boolean;
}

/** Reads the flags. */
export function resolvePaging(
  flags: Flags,
  { perPage: usual, filtersLocally, readsAllByDefault }: PagingOptions,
  problems: Problems,
): Paging {
  const number = (name: string) => (typeof flags[name] === "number" ? flags[name] : undefined);
  const page = number("page");
  const limit = number("limit");
  const perPage = number("per-page") ?? usual;
  const all = flags["all"] === true || (readsAllByDefault && page === undefined && limit === undefined);
  for (const [name, value] of Object.entries({ page, limit, "per-page": perPage })) {
    if (value !== undefined && value < 1) problems.push(`--${name} takes a number from 1`);
  }
  if (flags["all"] === true && page !== undefined) problems.push("--all and --page exclude each other");
  if (flags["all"] === true && limit !== undefined) problems.push("--all and --limit exclude each other");
  const size = perPage ?? defaultPageSize;
  const own = perPage === undefined ? {} : { perPage };
  if (filtersLocally && !all) {
    const wanted = limit ?? size;
    return {
      first: 1,
      ...own,
      perPageIsAutomatic: false,
      single: false,
      skip: ((page ?? 1) - 1) * size,
      limit: wanted,
      ...choosePageSize(perPage, maxPageSize),
    };
  }
  if (all) return { first: 1, single: false, skip: 0, ...own, perPageIsAutomatic: false, ...choosePageSize(perPage, maxPageSize) };
  if (limit === undefined) return { first: page ?? 1, ...own, perPageIsAutomatic: false, single: true, skip: 0 };
  // A page number counts pages of the default size, so only from the first page on the size is ours to choose.
  const sized = page === undefined || page === 1 ? choosePageSize(perPage, Math.min(limit, maxPageSize)) : {};
  return { first: page ?? 1, ...own, perPageIsAutomatic: false, single: false, skip: 0, limit, ...sized };
}

function choosePageSize(perPage: number | undefined, size: number): { readonly perPage?: number; readonly perPageIsAutomatic?: true } {
  return perPage === undefined ? { perPage: size, perPageIsAutomatic: true } : {};
}
