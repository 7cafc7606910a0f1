// Prefetched pages: a limited number, in order, none lost or repeated, also where the list changes meanwhile.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PagesOptions, readPages } from "../../src/api/pages.ts";
import type { ApiRequest, LazyReply } from "../../src/api/request.ts";
import { resources } from "../../src/model/resources.ts";

interface Server {
  readonly client: PagesOptions["client"];
  readonly requested: number[];
  readonly most: () => number;
}

/** Answers after a number of turns of the event loop; the list is read when the answer is due. */
function createServer(getList: (answers: number) => readonly number[], getTurns: (page: number) => number): Server {
  const requested: number[] = [];
  let pending = 0;
  let most = 0;
  let answers = 0;
  const fetch = async ({ query }: ApiRequest): Promise<LazyReply> => {
    const page = Number(new Map(query).get("page") ?? 1);
    const size = Number(new Map(query).get("per_page"));
    requested.push(page);
    pending += 1;
    most = Math.max(most, pending);
    for (let turn = getTurns(page); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    pending -= 1;
    const ids = getList(answers++);
    const venues = ids.slice((page - 1) * size, page * size).map((id) => ({ id }));
    return async () => ({ status: 200, headers: {}, value: { venues, total: ids.length, total_pages: Math.ceil(ids.length / size) } });
  };
  return { client: { fetch }, requested, most: () => most };
}

function optionsFor(server: Pick<Server, "client">, more: Partial<PagesOptions>): PagesOptions {
  const list = { client: server.client, namespace: "x/v1", resource: resources.venues, filters: {} };
  return { ...list, first: 1, perPage: 5, single: false, perPageIsAutomatic: true, ...more };
}

async function read(server: Server, more: Partial<PagesOptions> = {}): Promise<{ ids: unknown[]; pages: number[] }> {
  const ids: unknown[] = [];
  const pages: number[] = [];
  for await (const page of readPages(optionsFor(server, more))) {
    pages.push(page.page);
    ids.push(...page.records.map(({ id }) => id));
  }
  return { ids, pages };
}

const numbered = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);

describe("a list that stays as it is", () => {
  test.each([
    [1, 1],
    [2, 2],
    [4, 4],
    [8, 7],
  ])("with %i at once no more than %i pages are under way", async (concurrency, most) => {
    const ids = numbered(40);
    const server = createServer(
      () => ids,
      () => 3,
    );
    expect((await read(server, { concurrency })).ids).toEqual(ids);
    expect({ most: server.most(), requested: [...server.requested].sort((a, b) => a - b) }).toEqual({
      most: Math.min(most, server.most()),
      requested: numbered(8),
    });
    expect(server.most()).toBeGreaterThan(concurrency === 1 ? 0 : 1);
  });

  test("pages come in order however their answers come, each requested once", async () => {
    const turns = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 6, max: 98 }), fc.integer({ min: 1, max: 9 }), async (waits, count, concurrency) => {
        const ids = numbered(count);
        const server = createServer(
          () => ids,
          (page) => waits[page % waits.length] ?? 0,
        );
        const { ids: found, pages } = await read(server, { concurrency });
        const all = numbered(Math.max(1, Math.ceil(count / 5)));
        expect({ found, pages, requested: [...server.requested].sort((a, b) => a - b) }).toEqual({
          found: ids,
          pages: all,
          requested: all,
        });
        expect(server.most()).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 100 },
    );
  });

  test("no page beyond the limit is requested", async () => {
    const server = createServer(
      () => numbered(100),
      () => 2,
    );
    for await (const page of readPages(optionsFor(server, { concurrency: 8, limit: 12 }))) if (page.page === 3) break;
    expect(server.requested).toEqual([1, 2, 3]);
  });

  test("pages that nobody wants yet are few, and not read", async () => {
    const server = createServer(
      () => numbered(400),
      () => 1,
    );
    let read = 0;
    const fetch = async (request: ApiRequest): Promise<LazyReply> => {
      const answer = await server.client.fetch(request);
      return () => {
        read += 1;
        return answer();
      };
    };
    const options = optionsFor({ client: { fetch } }, { concurrency: 6 });
    let pagesRead = 0;
    for await (const page of readPages(options)) {
      pagesRead += 1;
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect({ page: page.page, read }).toEqual({ page: pagesRead, read: pagesRead });
      expect(server.requested.length).toBeLessThanOrEqual(pagesRead + 5);
      if (pagesRead === 20) break;
    }
  });

  test("an id that comes as a number and again as a text is one record", async () => {
    const ids = [1, "1", 7, "007", "9007199254740993", 9007199254740993n, "9007199254740992"];
    const value = { venues: ids.map((id) => ({ id })), total: ids.length };
    const fetch = async () => async () => ({ status: 200, headers: {}, value });
    const options = optionsFor({ client: { fetch } }, { perPage: 50 });
    const found: unknown[] = [];
    for await (const page of readPages(options)) found.push(...page.records.map(({ id }) => id));
    expect(found).toEqual([1, 7, "007", "9007199254740993", "9007199254740992"]);
  });

  test("a page that fails fails the list, in its turn", async () => {
    const server = createServer(
      () => numbered(40),
      () => 1,
    );
    const failing: Server = {
      ...server,
      client: {
        fetch: async (request) => {
          const answer = await server.client.fetch(request);
          if (new Map(request.query).get("page") === "3") throw new Error("broken");
          return answer;
        },
      },
    };
    const pages: number[] = [];
    const reading = async () => {
      const options = optionsFor(failing, { concurrency: 6 });
      for await (const page of readPages(options)) pages.push(page.page);
    };
    await expect(reading()).rejects.toThrow("broken");
    expect(pages).toEqual([1, 2]);
  });
});

describe("a list that changes while pages are under way", () => {
  const changes: readonly (readonly [name: string, change: (ids: readonly number[], at: number) => readonly number[]])[] = [
    ["one is taken out", (ids, at) => ids.filter((_id, index) => index !== at % ids.length)],
    ["several are taken out", (ids, at) => ids.filter((_id, index) => index < at % ids.length || index > (at % ids.length) + 6)],
    ["one comes in", (ids, at) => ids.toSpliced(at % ids.length, 0, 900)],
    ["several come in", (ids, at) => ids.toSpliced(at % ids.length, 0, 900, 901, 902, 903, 904, 905)],
  ];

  test.each(changes)("%s: what stays is read once", async (_name, change) => {
    const turns = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.nat(47),
        fc.integer({ min: 1, max: 11 }),
        fc.integer({ min: 1, max: 8 }),
        async (waits, at, when, concurrency) => {
          const before = numbered(48);
          const after = change(before, at);
          const server = createServer(
            (answers) => (answers < when ? before : after),
            (page) => waits[page % waits.length] ?? 0,
          );
          const { ids } = await read(server, { concurrency });
          const staying = before.filter((id) => after.includes(id));
          expect(staying.filter((id) => !ids.includes(id))).toEqual([]);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});
