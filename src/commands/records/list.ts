// `cal <resource> list`: filters in, records out as their pages arrive, and on stderr what was left out.
import { type PageOfRecords, readPages } from "../../api/pages.ts";
import type { DataRecord } from "../../api/record.ts";
import type { Input } from "../../api/request.ts";
import type { ListSummary } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { callOf, refuse } from "./call.ts";
import { typedValues } from "./given/given.ts";
import { knownNames } from "./known.ts";
import { linkOptions, resolveLinks } from "./links/links.ts";
import { readWindow } from "./listing/list-window.ts";
import { type Paging, pagingOf } from "./listing/paging.ts";
import type { Window } from "./listing/window.ts";
import { type Scene, sceneOf } from "./site.ts";

/** The handler that lists a resource. */
export function list(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "list", invocation, context);
    // The dates are read into a window.
    const undated = resource.filters.filter(({ format }) => format !== "date-time");
    const typed = typedValues(undated, invocation.flags, call.problems);
    const scene = await sceneOf(call);
    const settings = await context.settings();
    const window = await readWindow(scene);
    const wish = { perPage: settings.per_page?.value, trims: window.keep !== undefined, countsAll: settings.format?.value === "count" };
    const paging = pagingOf(invocation.flags, wish, call.problems);
    refuse(call);
    const { namespace, kind } = scene.site;
    const site = { namespace, kind, client: await context.client() };
    const wanted = asked(scene, typed, window);
    // A list creates nothing.
    const { person } = await linkOptions(invocation, context);
    const filters = await resolveLinks(site, resource.filters, wanted, person === undefined ? {} : { person });
    for (const notice of window.notices) await context.notice(notice);
    const reading = new Reading(paging, window);
    const atOnce = settings.concurrency.value;
    const pages = readPages({ ...pick(paging), client: site.client, namespace, resource, filters, atOnce, ...untilLimit(paging, window) });
    return {
      kind: "list",
      columns: resource.columns,
      known: knownNames(resource),
      records: reading.records(
        context.progress.counted(resource.name, pages, (page) => sizeOf(page, paging)),
        (text) => context.notice(text),
        resource,
      ),
      summary: () => reading.summary(),
    };
  };
}

function pick({ first, perPage, single, perPageIsOurs }: Paging) {
  return { first, single, perPageIsOurs, ...(perPage === undefined ? {} : { perPage }) };
}

/** Where records are trimmed after reading, nobody knows on which page the limit will be reached. */
function untilLimit({ limit }: Paging, { keep }: Window) {
  return limit === undefined || keep !== undefined ? {} : { limit };
}

/** The filters as they are sent: what was typed, with the dates of the window, without what this program adds of its own. */
function asked({ resource, invocation: { flags }, site }: Scene, typed: Input, window: Window): Input {
  const { page: _page, per_page: _size, ...rest } = typed;
  // Events that are named by their ids are wanted whatever their date; such a site would leave out the past ones.
  const named = flags["include"] !== undefined && site.kind.window === "inside" && resource.isDated;
  const unhidden = flags["all-dates"] === true || flags["include-empty"] === true || named ? site.kind.unhide[resource.name] : {};
  const sent = Object.entries(rest).filter(([name]) => name !== window.unsent);
  return { ...unhidden, ...Object.fromEntries(sent), ...window.filters };
}

/** What a page adds to what was read, and how much there is to read. */
function sizeOf({ records, total }: PageOfRecords, { limit }: Paging): readonly [by: number, total?: number] {
  const most = Math.min(total ?? Number.POSITIVE_INFINITY, limit ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(most) ? [records.length, most] : [records.length];
}

type Pages = AsyncIterable<PageOfRecords>;

/** One reading of a list: what was printed, and what the server has beside it. */
class Reading {
  readonly #paging: Paging;
  readonly #window: Window;
  #printed = 0;
  #passed = 0;
  #total: number | undefined;
  #totalPages: number | undefined;
  #truncated = false;

  constructor(paging: Paging, window: Window) {
    this.#paging = paging;
    this.#window = window;
  }

  async *records(pages: Pages, notice: (text: string) => Promise<void>, resource: Resource): AsyncGenerator<readonly DataRecord[]> {
    let changed = false;
    for await (const page of pages) {
      this.#total = page.total ?? this.#total;
      this.#totalPages = page.totalPages ?? this.#totalPages;
      changed ||= page.changed;
      if (page.page === this.#paging.first && page.more) await this.#tellClamped(page.records.length, notice);
      const { shown, over } = this.#wanted(page.records);
      this.#truncated = over || page.more;
      if (shown.length > 0) yield shown;
      if (over || (this.#window.keep === undefined && this.#printed === this.#paging.limit)) break;
    }
    if (changed) await notice("the list changed while it was read, or the server repeats pages; every record is shown once");
    if (this.#printed === 0) await notice(`no ${resource.name}${this.#truncated ? " on this page, but there are more: use --all" : ""}`);
    else if (this.#truncated) await notice(this.#leftOut());
  }

  /** The records of a page that are printed, and whether the limit left out others. */
  #wanted(records: readonly DataRecord[]): { readonly shown: readonly DataRecord[]; readonly over: boolean } {
    const { keep } = this.#window;
    const kept = keep === undefined ? records : records.filter(keep);
    const after = kept.slice(Math.max(0, this.#paging.skip - this.#passed));
    this.#passed += kept.length;
    const shown = after.slice(0, (this.#paging.limit ?? Number.POSITIVE_INFINITY) - this.#printed);
    this.#printed += shown.length;
    return { shown, over: shown.length < after.length };
  }

  async #tellClamped(given: number, notice: (text: string) => Promise<void>): Promise<void> {
    const { perPage, perPageIsOurs } = this.#paging;
    if (perPage !== undefined && !perPageIsOurs && given > 0 && given < perPage)
      await notice(`this server gives ${given} records a page, not ${perPage}`);
  }

  summary(): ListSummary {
    const { first, skip, single } = this.#paging;
    // What was read to its end is counted: some servers tell the total of another list.
    const whole = first === 1 && skip === 0 && !this.#truncated && (!single || this.#printed === 0);
    const total = whole ? this.#printed : this.#window.keep === undefined ? this.#total : undefined;
    return {
      ...(total === undefined ? {} : { total }),
      ...(total !== this.#total || this.#totalPages === undefined ? {} : { total_pages: this.#totalPages }),
      ...(single ? { page: first } : {}),
      ...(this.#paging.perPage === undefined ? {} : { per_page: this.#paging.perPage }),
      truncated: this.#truncated,
      ...(this.#window.told === undefined ? {} : { window: this.#window.told }),
    };
  }

  #leftOut(): string {
    const { keep, unseen } = this.#window;
    const about = keep === undefined ? "" : "about ";
    // Where the server is asked far more than what is meant, its total tells nothing.
    const of = this.#total === undefined || unseen !== undefined ? ", and there are more" : ` of ${about}${this.#total}`;
    return `showing ${this.#printed}${of}, use --all`;
  }
}
