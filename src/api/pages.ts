// Reading a list page by number, whatever the server does to pages: clamps them, ends them with 404, repeats them, miscounts them,
// or changes the list meanwhile.
import { type DataRecord, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { type Page, parsePage } from "./reply.ts";
import { buildListRequest, type Client, type Input } from "./request.ts";

/** What to read, and how. */
export interface PagesOptions {
  readonly client: Pick<Client, "fetch">;
  readonly namespace: string;
  readonly resource: Resource;
  readonly filters: Input;
  /** The first page to ask for, from 1. */
  readonly first: number;
  /** Records a page to ask for; absent leaves it to the server. */
  readonly perPage?: number;
  /** Stop after the first page. */
  readonly single: boolean;
  /** `perPage` was our choice, not the user's: a server that refuses it is asked without. */
  readonly perPageIsAutomatic: boolean;
  /** Pages to ask for at once at most, where the server tells how many records there are; 1 unless given. */
  readonly concurrency?: number;
  /** Records after which the reader stops; no page beyond them is asked for ahead. */
  readonly limit?: number;
}

/** Where the reading of a list stands; the last one yielded tells the end. */
export interface PageOfRecords {
  /** Records of this page that no earlier page held. */
  readonly records: readonly DataRecord[];
  readonly page: number;
  readonly total?: number;
  readonly totalPages?: number;
  /** Whether the server has, or may have, more pages. */
  readonly hasMore: boolean;
  /** Whether records came again or the total fell: the list changed while it was read, or the server ignores `page`. */
  readonly listChanged: boolean;
}

/** The page size where none is asked for (section 8). */
const defaultPageSize = 10;

/** Ways back in a row without a new record; a server whose totals go up and down must not be read for ever. */
const maxBacktracks = 3;

/** Empty pages in a row that are gone past because the server says that others follow; one whose totals lie must not be read for ever. */
const maxEmptyPages = 50;

/** Reads pages until the server has no more. A page past the end is an empty list, not an error. */
export async function* readPages(options: PagesOptions): AsyncGenerator<PageOfRecords> {
  const read = createPrefetchingReader(createPageFetcher(options), options.concurrency ?? 1);
  const seen = new Set<string | number>();
  let known: Omit<Page, "records"> = {};
  let largest = 0;
  let pagesWithoutNewRecords = 0;
  let furthest = 0;
  let retreats = 0;
  let gaps = 0;
  let again = false;
  let page = options.first;
  while (page >= options.first) {
    const { records, ...totals } = await read(page, getLastPrefetchPage(known, largest, options));
    const fresh = records.filter((record) => addIfNew(record, seen));
    const fallen = totals.total === undefined ? 0 : (known.total ?? 0) - totals.total;
    known = { ...known, ...totals };
    largest = Math.max(largest, records.length);
    const after = gaps > 0;
    const gap = isEmptyMiddlePage(records, totals, page) && gaps < maxEmptyPages && (!options.single || (await hasPage(read, page + 1)));
    gaps = gap ? gaps + 1 : 0;
    if (fresh.length > 0) pagesWithoutNewRecords = retreats = 0;
    // A page that is read again need not hold anything new, and one whose records are all hidden can't.
    else if (gap) pagesWithoutNewRecords = 0;
    else if (page > furthest || records.length === 0) pagesWithoutNewRecords += 1;
    furthest = Math.max(furthest, page);
    const found = { ...known, records };
    const hasMore = gap || hasMorePages(found, page, largest, options);
    const moved = fallen > 0 && page > options.first && retreats < maxBacktracks;
    const ends =
      !moved &&
      !gap &&
      isLastPage(
        found,
        { pagesWithoutNewRecords, hasMore, noRecordsBefore: page === options.first || after, recordCount: seen.size },
        options,
      );
    const listChanged = fallen > 0 || (!again && fresh.length < records.length);
    yield { records: fresh, page, ...known, hasMore: hasMore && !(ends && !options.single), listChanged };
    if (options.single || ends) return;
    // What was taken out of the list while it was read has moved the rest to earlier pages.
    const back = moved ? Math.ceil(fallen / largest) : records.length === 0 && !gap ? 1 : 0;
    again = back > 0;
    if (again) retreats += 1;
    page = again ? Math.max(page - back, options.first) : page + 1;
  }
}

/** The last page that may be asked for ahead. Only a total tells it: by the total of each page it is seen whether the list changed in between. */
function getLastPrefetchPage(
  { total }: Omit<Page, "records">,
  largest: number,
  { first, limit, single }: PagesOptions,
): number | undefined {
  if (total === undefined || largest === 0 || single) return undefined;
  const all = Math.ceil(total / largest);
  return limit === undefined ? all : Math.min(all, first - 1 + Math.ceil(limit / largest));
}

/** Whether a page is empty though others follow: newer versions of The Events Calendar leave out what the user may not read, and count it all the same. */
function isEmptyMiddlePage(records: readonly DataRecord[], { totalPages }: Omit<Page, "records">, page: number): boolean {
  return records.length === 0 && totalPages !== undefined && page < totalPages;
}

/** Whether a page is there: some servers count the records of another list, and have no page after an empty one. */
async function hasPage(read: PageReader, page: number): Promise<boolean> {
  const { records, ...totals } = await read(page, undefined);
  return records.length > 0 || isEmptyMiddlePage(records, totals, page);
}

function addIfNew(record: DataRecord, seen: Set<string | number>): boolean {
  const key = getRecordKey(record);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** What a record is known again by: its id, as a number where it can be one, which takes a tenth of the memory; without an id its contents. */
function getRecordKey(record: DataRecord): string | number {
  const id = record["id"];
  if (typeof id === "number") return id;
  const text = idOf(record) ?? stringifyExact(record);
  return String(Number(text)) === text ? Number(text) : text;
}

/** What the totals say, where there are any; else whether the page is full. A page that is short although the total promises more was clamped. */
function hasMorePages(
  { records, total, totalPages }: Page,
  page: number,
  largest: number,
  { perPage = defaultPageSize }: PagesOptions,
): boolean {
  const { length } = records;
  if (length === 0) return false;
  if (totalPages !== undefined && page < totalPages) return true;
  if (total === undefined) return totalPages === undefined && length >= perPage;
  const whole = largest === perPage || (page - 1) * perPage + length === total ? perPage : largest;
  return (page - 1) * whole + length < total;
}

/** What has been read so far. */
interface ReadProgress {
  /** Pages in a row without a new record. */
  readonly pagesWithoutNewRecords: number;
  readonly hasMore: boolean;
  /** Whether no record came before it: it is the first page that was asked for, or the one before it was empty. */
  readonly noRecordsBefore: boolean;
  /** Records, in all. */
  readonly recordCount: number;
}

/**
 * Totals are believed only as far as the records bear them out. Two pages in a row without a new record are the end, whatever they say.
 * An empty page is the end, unless a total promised records there: then the list may have become shorter. A total that is less than
 * what was read, or just the length of a full first page, counts as none.
 */
function isLastPage(
  { records, total, totalPages }: Page,
  { pagesWithoutNewRecords, hasMore, noRecordsBefore, recordCount }: ReadProgress,
  { perPage = defaultPageSize }: PagesOptions,
): boolean {
  const { length } = records;
  const lies = total !== undefined && (recordCount > total || (noRecordsBefore && length === perPage && length === total));
  const counted = !lies && (total !== undefined || totalPages !== undefined);
  if (length === 0) return pagesWithoutNewRecords > 1 || noRecordsBefore || !counted;
  return pagesWithoutNewRecords > 1 || (counted && !hasMore);
}

/** Asks for one page. A page size that the server refused is not asked for again. */
function createPageFetcher({
  client,
  namespace,
  resource,
  filters,
  perPage,
  perPageIsAutomatic,
}: PagesOptions): (page: number) => Promise<LazyPage> {
  let size = perPage;
  const ask = async (page: number): Promise<LazyPage> => {
    const paging = { ...(page === 1 ? {} : { page }), ...(size === undefined ? {} : { per_page: size }) };
    const answer = await client.fetch(buildListRequest(namespace, resource, { ...filters, ...paging }));
    return async () => parsePage(resource, await answer(), page);
  };
  return async (page) => {
    const read = await ask(page);
    return async () => {
      try {
        return await read();
      } catch (error) {
        if (isPageNotFoundError(error, page)) return { records: [] };
        if (!perPageIsAutomatic || size === undefined || !isPageSizeError(error)) throw error;
        size = undefined;
        return (await ask(page))();
      }
    };
  };
}

/** 404 where earlier pages exist, and the codes of WordPress and of The Events Calendar for it. */
function isPageNotFoundError(error: unknown, page: number): boolean {
  if (!(error instanceof CalError)) return false;
  return (page > 1 && error.kind === "not-found") || /archive-page-not-found|invalid_page_number/.test(error.details.code ?? "");
}

function isPageSizeError(error: unknown): boolean {
  return error instanceof CalError && error.kind === "rejected" && /per_page/.test(error.message);
}

// Pages that are asked for before they are wanted, so that a server's latency is waited for once and not page after page.

/** A page whose answer has come. It is read when it is wanted, for bytes take less room than records. */
type LazyPage = () => Promise<Page>;

/** Gives a page, and meanwhile asks for those after it, up to `last`; without `last` nothing is known of them. */
type PageReader = (page: number, last: number | undefined) => Promise<Page>;

/**
 * Reads ahead, so many pages at once at most; it begins with two, for the first totals of a list may be wrong. Whoever goes back
 * has found the list changed, so what was read ahead is forgotten and asked for again.
 */
function createPrefetchingReader(ask: (page: number) => Promise<LazyPage>, atOnce: number): PageReader {
  const ahead = new Map<number, Promise<LazyPage>>();
  let width = 1;
  return (page, last = page) => {
    const found = ahead.get(page);
    if (found === undefined) ahead.clear();
    ahead.delete(page);
    const wanted = found ?? ask(page);
    if (last > page) width = Math.min(width + 1, atOnce);
    for (let next = page + 1; next <= last && next < page + width; next++) {
      if (ahead.has(next)) continue;
      const answer = ask(next);
      // Nobody listens to a page that is not wanted in the end; to one that is, whoever wants it.
      answer.catch(() => undefined);
      ahead.set(next, answer);
    }
    return wanted.then((read) => read());
  };
}
