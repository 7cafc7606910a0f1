// --page, --per-page, --limit and --all: which pages are read and how many of their records are printed.
import type { Flags } from "../../../context.ts";
import type { Problems } from "../call.ts";

/** What of a list is wanted. */
export interface Paging {
  /** The first page asked of the server. */
  readonly first: number;
  /** Records a page; absent leaves it to the server. */
  readonly perPage?: number;
  readonly perPageIsOurs: boolean;
  /** Read one page only. */
  readonly single: boolean;
  /** Records to pass over before the first is printed. */
  readonly skip: number;
  /** Records to print at most; absent is all. */
  readonly limit?: number;
}

/** The default page size of every list (section 8), and the largest that a The Events Calendar site gives. */
const defaultSize = 10;
const largestSize = 50;

/** What bears on it beside the flags. */
export interface PagingWish {
  /** The page size that a setting gives. */
  readonly perPage: number | undefined;
  /** Records are trimmed after reading: then pages are counted after the trimming. */
  readonly trims: boolean;
  /** Without a flag that says how much, all is wanted. */
  readonly countsAll: boolean;
}

/** Reads the flags. */
export function pagingOf(flags: Flags, { perPage: usual, trims, countsAll }: PagingWish, problems: Problems): Paging {
  const number = (name: string) => (typeof flags[name] === "number" ? flags[name] : undefined);
  const page = number("page");
  const limit = number("limit");
  const perPage = number("per-page") ?? usual;
  const all = flags["all"] === true || (countsAll && page === undefined && limit === undefined);
  for (const [name, value] of Object.entries({ page, limit, "per-page": perPage })) {
    if (value !== undefined && value < 1) problems.push(`--${name} takes a number from 1`);
  }
  if (flags["all"] === true && page !== undefined) problems.push("--all and --page exclude each other");
  if (flags["all"] === true && limit !== undefined) problems.push("--all and --limit exclude each other");
  const size = perPage ?? defaultSize;
  const own = perPage === undefined ? {} : { perPage };
  if (trims && !all) {
    const wanted = limit ?? size;
    return {
      first: 1,
      ...own,
      perPageIsOurs: false,
      single: false,
      skip: ((page ?? 1) - 1) * size,
      limit: wanted,
      ...ours(perPage, largestSize),
    };
  }
  if (all) return { first: 1, single: false, skip: 0, ...own, perPageIsOurs: false, ...ours(perPage, largestSize) };
  if (limit === undefined) return { first: page ?? 1, ...own, perPageIsOurs: false, single: true, skip: 0 };
  // A page number counts pages of the default size, so only from the first page on the size is ours to choose.
  const sized = page === undefined || page === 1 ? ours(perPage, Math.min(limit, largestSize)) : {};
  return { first: page ?? 1, ...own, perPageIsOurs: false, single: false, skip: 0, limit, ...sized };
}

function ours(perPage: number | undefined, size: number): { readonly perPage?: number; readonly perPageIsOurs?: true } {
  return perPage === undefined ? { perPage: size, perPageIsOurs: true } : {};
}
