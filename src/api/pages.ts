// Reads a list page by page. The end of a list is decided by a table of rules, for servers clamp pages, repeat them, miscount them,
// answer 404 past the end, or change the list meanwhile.
import { type DataRecord, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { type Page, parsePage } from "./reply.ts";
import { buildListRequest, type Client, type Input } from "./request.ts";

export interface PagesOptions {
  readonly client: Pick<Client, "fetch">;
  readonly namespace: string;
  readonly resource: Resource;
  readonly filters: Input;
  /** The first page to request, from 1. */
  readonly first: number;
  /** Records per page to request; absent leaves it to the server. */
  readonly perPage?: number;
  /** Stop after the first page. */
  readonly single: boolean;
  /** `perPage` is not from the user: where the server refuses it, the request is repeated without it. */
  readonly perPageIsAutomatic: boolean;
  /** Pages to request at once at most, where the server tells the total; 1 unless set. */
  readonly concurrency?: number;
  /** Records after which the caller stops; no page beyond them is prefetched. */
  readonly limit?: number;
  /** A list of several of these statuses has no fixed order on this server: its pages repeat and leave out records. */
  readonly unorderedStatuses?: readonly string[] | undefined;
}

export interface PageOfRecords {
  /** Records of this page that no earlier page had. */
  readonly records: readonly DataRecord[];
  readonly page: number;
  readonly total?: number;
  readonly totalPages?: number;
  /** See `Page`. */
  readonly appliedFilters?: URLSearchParams;
  /** Whether the server has, or may have, more pages. */
  readonly hasMore: boolean;
  /** Whether records were repeated or the total fell: the list changed while it was read, or the server ignores `page`. */
  readonly listChanged: boolean;
}

/** How often a list is read at most that repeats records. */
const maxReadings = 3;

/**
 * Reads pages until the server has no more, each record once. Where records are repeated and fewer were seen than the total says, the list is
 * read again. Rejects with kind `unavailable` where records are still missing then: a list from its first page is whole.
 */
export async function* readPages(options: PagesOptions): AsyncGenerator<PageOfRecords> {
  const { resource, first, single } = options;
  const seen: SeenRecords = new Set();
  for (let readings = 1; ; readings++) {
    let total = 0;
    let changed = false;
    for await (const page of readList(options, seen)) {
      yield page;
      total = page.total ?? total;
      // A record that one page has twice tells nothing of the order.
      changed ||= page.listChanged && page.page > 1;
      if (first !== 1 || !page.hasMore || readings > 1 || !isUnordered(options, page)) continue;
      yield* readStatusByStatus(options, seen, page);
      changed = true;
      break;
    }
    const missing = total - seen.size;
    if (single || first !== 1 || !changed || missing <= 0) return;
    if (readings === maxReadings)
      throw new CalError("unavailable", `the list is not whole: ${missing} of ${total} ${resource.name} are missing`, {
        code: "incomplete-list",
        hint: "the server gives some records twice and others not at all, each time it is read; list smaller parts: --search, --status",
      });
  }
}

/** Whether the pages of this list can repeat records. A list of one status can't, and a visitor's has one: the server names it. */
function isUnordered({ unorderedStatuses, filters, single }: PagesOptions, { appliedFilters }: PageOfRecords): boolean {
  if (unorderedStatuses === undefined || single) return false;
  const status = filters["status"] === undefined ? (appliedFilters?.get("status") ?? "any") : String(filters["status"]);
  return status === "any" || status.includes(",");
}

/** After the first page of a list: the list of each of its statuses, until all records were seen. The pages are numbered on. */
async function* readStatusByStatus(
  options: PagesOptions,
  seen: SeenRecords,
  { page: firstPage, total = 0, totalPages }: PageOfRecords,
): AsyncGenerator<PageOfRecords> {
  const { filters, unorderedStatuses = [] } = options;
  const statuses = filters["status"] === undefined ? unorderedStatuses : String(filters["status"]).split(",");
  const totals = { total, ...(totalPages === undefined ? {} : { totalPages }) };
  let number = firstPage;
  for (const status of statuses) {
    for await (const page of readList({ ...options, filters: { ...filters, status } }, seen)) {
      number += 1;
      yield { ...page, ...totals, page: number, hasMore: seen.size < total };
    }
    if (seen.size >= total) return;
  }
}

/** The ids of records; see `addIfNew`. */
type SeenRecords = Set<string | number>;

/** Reads pages until the server has no more, once. A page past the end is an empty list, not an error. */
async function* readList(options: PagesOptions, seen: SeenRecords): AsyncGenerator<PageOfRecords> {
  const { first, single, perPage = defaultPageSize } = options;
  const read = createPrefetchingReader(createPageFetcher(options), options.concurrency ?? 1);
  // Where the list ends is told by this reading alone.
  const seenNow: SeenRecords = seen.size === 0 ? seen : new Set();
  let known: Totals = {};
  let largest = 0;
  let gaps = 0;
  let furthest = 0;
  let backtracks = 0;
  let pagesWithoutNewRecords = 0;
  let reread = false;
  let page = first;
  while (true) {
    const { records, appliedFilters, ...totals } = await read(page, getLastPrefetchPage(known, largest, options));
    const { length } = records;
    const fresh = records.filter((record) => addIfNew(record, seenNow));
    const unseen = seenNow === seen ? fresh : fresh.filter((record) => addIfNew(record, seen));
    const fallen = totals.total === undefined ? 0 : (known.total ?? 0) - totals.total;
    known = { ...known, ...totals };
    largest = Math.max(largest, length);
    const noRecordsBefore = page === first || gaps > 0;
    const gap = isEmptyMiddlePage({ records, ...totals }, page) && gaps < maxEmptyPages;
    gaps = gap ? gaps + 1 : 0;
    if (fresh.length > 0) pagesWithoutNewRecords = backtracks = 0;
    else if (gap) pagesWithoutNewRecords = 0;
    // A page that is read again need not hold anything new.
    else if (page > furthest || length === 0) pagesWithoutNewRecords += 1;
    furthest = Math.max(furthest, page);

    const counts = { recordCount: seenNow.size, noRecordsBefore, fallen, backtracks, gap, pagesWithoutNewRecords };
    const state: PageState = { ...known, page, first, perPage, length, largest, ...counts };
    const step = pageRules.find(({ applies }) => applies(state))?.step ?? "end";
    const next = step === "end" ? undefined : Math.max(first, page + step(state));
    const follows = single && gap ? await hasPage(read, page + 1) : gap || hasMorePages(state);
    const listChanged = fallen > 0 || (!reread && fresh.length < length);
    yield {
      records: unseen,
      page,
      ...known,
      ...(appliedFilters && { appliedFilters }),
      hasMore: follows && (single || next !== undefined),
      listChanged,
    };
    if (single || next === undefined) return;
    reread = next < page;
    if (reread) backtracks += 1;
    page = next;
  }
}

type Totals = Omit<Page, "records" | "appliedFilters">;

/** What the rules know after each page. */
interface PageState extends Totals {
  readonly page: number;
  readonly first: number;
  readonly perPage: number;
  /** Records on this page. */
  readonly length: number;
  /** Records on the largest page so far. */
  readonly largest: number;
  /** Different records on all pages so far. */
  readonly recordCount: number;
  /** Whether this is the first page, or follows an empty page that was skipped. */
  readonly noRecordsBefore: boolean;
  /** How much the total fell since the page before. */
  readonly fallen: number;
  /** Backward steps since the last new record. */
  readonly backtracks: number;
  /** Whether this page is empty though the server says that others follow. */
  readonly gap: boolean;
  /** Pages in a row without a new record. */
  readonly pagesWithoutNewRecords: number;
}

interface PageRule {
  readonly name: string;
  readonly applies: (state: PageState) => boolean;
  /** From this page to the next one to read; "end" where this is the last. */
  readonly step: "end" | ((state: PageState) => number);
}

/** The page size where none is requested (section 8). */
const defaultPageSize = 10;

/** Backward steps without a new record: a server whose totals go up and down must not be read for ever. */
const maxBacktracks = 3;

/** Empty pages in a row that are skipped: a server whose totals are wrong must not be read for ever. */
const maxEmptyPages = 50;

/** What comes after a page. The first rule that applies decides. */
export const pageRules: readonly PageRule[] = [
  {
    // The records that were removed moved the others to earlier pages.
    name: "shrinking list",
    applies: ({ fallen, page, first, backtracks }) => fallen > 0 && page > first && backtracks < maxBacktracks,
    step: ({ fallen, largest }) => -Math.ceil(fallen / largest),
  },
  { name: "gap", applies: ({ gap }) => gap, step: () => 1 },
  { name: "repeated page", applies: ({ pagesWithoutNewRecords }) => pagesWithoutNewRecords > 1, step: "end" },
  { name: "empty list", applies: ({ length, noRecordsBefore }) => length === 0 && noRecordsBefore, step: "end" },
  { name: "empty page", applies: (state) => state.length === 0 && !areTotalsBelieved(state), step: "end" },
  // The totals promise records here, so the list may have become shorter.
  { name: "empty page against the totals", applies: ({ length }) => length === 0, step: () => -1 },
  { name: "last page by the totals", applies: (state) => areTotalsBelieved(state) && !hasMorePages(state), step: "end" },
  { name: "next page", applies: () => true, step: () => 1 },
];

/** Totals are not believed where the total is less than what was read, or just the length of a full first page. */
function areTotalsBelieved({ total, totalPages, recordCount, noRecordsBefore, length, perPage }: PageState): boolean {
  if (total === undefined) return totalPages !== undefined;
  return recordCount <= total && !(noRecordsBefore && length === perPage && length === total);
}

/** Whether pages follow: by the totals, or without any where the page is full. A page that is short of what the total promises was clamped. */
function hasMorePages({ length, total, totalPages, page, perPage, largest }: PageState): boolean {
  if (length === 0) return false;
  if (totalPages !== undefined && page < totalPages) return true;
  if (total === undefined) return totalPages === undefined && length >= perPage;
  const pageSize = largest === perPage || (page - 1) * perPage + length === total ? perPage : largest;
  return (page - 1) * pageSize + length < total;
}

/** The last page to prefetch. Only a total tells it: the total of each page shows whether the list changed in between. */
function getLastPrefetchPage({ total }: Totals, largest: number, { first, limit, single }: PagesOptions): number | undefined {
  if (total === undefined || largest === 0 || single) return undefined;
  const last = Math.ceil(total / largest);
  return limit === undefined ? last : Math.min(last, first - 1 + Math.ceil(limit / largest));
}

/** Newer versions of The Events Calendar leave out the records that the user may not read, but count them. */
function isEmptyMiddlePage({ records, totalPages }: Page, page: number): boolean {
  return records.length === 0 && totalPages !== undefined && page < totalPages;
}

/** Some servers count the records of another list, and have no page after an empty one. */
async function hasPage(read: PageReader, page: number): Promise<boolean> {
  const next = await read(page, undefined);
  return next.records.length > 0 || isEmptyMiddlePage(next, page);
}

/** Records are identified by their id, as a number where possible, which takes a tenth of the memory; without an id by their contents. */
function addIfNew(record: DataRecord, seen: Set<string | number>): boolean {
  const text = idOf(record) ?? stringifyExact(record);
  const key = String(Number(text)) === text ? Number(text) : text;
  return !seen.has(key) && seen.add(key) !== undefined;
}

/** A page whose answer has come. It is parsed when it is needed, for bytes take less memory than records. */
type LazyPage = () => Promise<Page>;

/** Fetches one page. A page past the end is empty. A page size that the server refused is not requested again. */
function createPageFetcher(options: PagesOptions): (page: number) => Promise<LazyPage> {
  const { client, namespace, resource, filters } = options;
  let perPage = options.perPage;
  const fetchPage = async (page: number): Promise<LazyPage> => {
    const paging = { ...(page === 1 ? {} : { page }), ...(perPage === undefined ? {} : { per_page: perPage }) };
    const reply = await client.fetch(buildListRequest(namespace, resource, { ...filters, ...paging }));
    return async () => parsePage(resource, await reply(), page);
  };
  return async (page) => {
    const parse = await fetchPage(page);
    return async () => {
      try {
        return await parse();
      } catch (error) {
        if (isPastTheEnd(error, page)) return { records: [] };
        if (!options.perPageIsAutomatic || perPage === undefined || !isPageSizeError(error)) throw error;
        perPage = undefined;
        return (await fetchPage(page))();
      }
    };
  };
}

/** 404 after the first page, and the codes of WordPress and of The Events Calendar for it. */
function isPastTheEnd(error: unknown, page: number): boolean {
  if (!(error instanceof CalError)) return false;
  return (page > 1 && error.kind === "not-found") || /archive-page-not-found|invalid_page_number/.test(error.details.code ?? "");
}

function isPageSizeError(error: unknown): boolean {
  return error instanceof CalError && error.kind === "rejected" && /per_page/.test(error.message);
}

/** Returns a page, and prefetches those after it up to `last`; none without `last`. */
type PageReader = (page: number, last: number | undefined) => Promise<Page>;

/**
 * Requests pages before they are needed, so that the server's latency is not paid for each page. It begins with two, for the first totals
 * of a list may be wrong. A step back means that the list changed, so the prefetched pages are dropped and requested again.
 */
function createPrefetchingReader(fetchPage: (page: number) => Promise<LazyPage>, concurrency: number): PageReader {
  const prefetched = new Map<number, Promise<LazyPage>>();
  let width = 1;
  return async (page, last = page) => {
    const found = prefetched.get(page);
    if (found === undefined) prefetched.clear();
    prefetched.delete(page);
    const current = found ?? fetchPage(page);
    if (last > page) width = Math.min(width + 1, concurrency);
    for (let next = page + 1; next <= last && next < page + width; next++) {
      if (prefetched.has(next)) continue;
      const pending = fetchPage(next);
      // A page that is never read must not end in an unhandled rejection; one that is read rejects there.
      pending.catch(() => undefined);
      prefetched.set(next, pending);
    }
    return (await current)();
  };
}
