// --page, --per-page, --limit and --all: which pages are read and how many of their records are printed.
import type { Flags } from "../../../context.ts";
import type { Problems } from "../call.ts";

/** What of a list is wanted. */
export interface Paging {
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
export interface PagingOptions {
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
