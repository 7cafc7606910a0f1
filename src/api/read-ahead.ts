// Pages that are asked for before they are wanted, so that a server's latency is waited for once and not page after page.
import type { Page } from "./reply.ts";

/** A page whose answer has come. It is read when it is wanted, for bytes take less room than records. */
export type LazyPage = () => Promise<Page>;

/** Gives a page, and meanwhile asks for those after it, up to `last`; without `last` nothing is known of them. */
export type PageReader = (page: number, last: number | undefined) => Promise<Page>;

/**
 * Reads ahead, so many pages at once at most; it begins with two, for the first totals of a list may be wrong. Whoever goes back
 * has found the list changed, so what was read ahead is forgotten and asked for again.
 */
export function createPrefetchingReader(ask: (page: number) => Promise<LazyPage>, atOnce: number): PageReader {
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
