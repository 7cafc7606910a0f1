// When the reading of a list goes on, goes back and ends: a test for each rule, by its name.

import { describe, expect, test } from "vitest";
import { pageRules, readPages } from "../../src/api/pages.ts";
import type { ApiRequest } from "../../src/api/request.ts";
import { CalError } from "../../src/errors.ts";
import { resources } from "../../src/model/resources.ts";

interface Answer {
  readonly ids: readonly number[];
  readonly total?: number;
  readonly total_pages?: number;
}

interface Options {
  readonly first?: number;
  readonly perPage?: number;
  readonly single?: boolean;
}

/** Reads the list of a server that answers each page, at its n-th request in all, as the function says. */
async function read(answerOf: (page: number, request: number) => Answer | CalError, options: Options = {}) {
  const requested: number[] = [];
  const fetch = async ({ query }: ApiRequest) => {
    const page = Number(new Map(query).get("page") ?? 1);
    const answer = answerOf(page, requested.push(page));
    return async () => {
      if (answer instanceof CalError) throw answer;
      const { ids, ...totals } = answer;
      return { status: 200, headers: {}, value: { venues: ids.map((id) => ({ id })), ...totals } };
    };
  };
  const list = { client: { fetch }, namespace: "x/v1", resource: resources.venues, filters: {}, perPageIsAutomatic: false };
  const ids: unknown[] = [];
  const hasMore: boolean[] = [];
  let error: string | undefined;
  try {
    for await (const page of readPages({ ...list, first: 1, perPage: 2, single: false, ...options })) {
      ids.push(...page.records.map(({ id }) => id));
      hasMore.push(page.hasMore);
    }
  } catch (caught) {
    if (!(caught instanceof CalError) || caught.details.code !== "incomplete-list") throw caught;
    error = `${caught.kind}: ${caught.message}`;
  }
  return { requested, ids, hasMore, ...(error === undefined ? {} : { error }) };
}

/** A server that answers page n with the n-th of these, and those after the last with 404. */
function pages(...answers: readonly Answer[]): (page: number) => Answer | CalError {
  return (page) => answers[page - 1] ?? new CalError("not-found", "no such page");
}

const ruleTests: Readonly<Record<string, () => Promise<void>>> = {
  "shrinking list": async () => {
    // Record 1 is removed after the first page, so record 3 is on page 1 now.
    const before = [1, 2, 3, 4, 5, 6];
    const list = await read((page, request) => {
      const ids = request === 1 ? before : before.slice(1);
      return { ids: ids.slice((page - 1) * 2, page * 2), total: ids.length };
    });
    // The total is less than what was read by then, so page 4 is tried too.
    expect(list.requested).toEqual([1, 2, 1, 2, 3, 4]);
    expect(list.ids).toEqual([1, 2, 4, 5, 3, 6]);
  },
  gap: async () => {
    const total = { total: 8, total_pages: 4 };
    const list = await read(pages({ ids: [1, 2], ...total }, { ids: [], ...total }, { ids: [], ...total }, { ids: [7, 8], ...total }));
    expect(list).toEqual({ requested: [1, 2, 3, 4], ids: [1, 2, 7, 8], hasMore: [true, true, true, false] });
  },
  "repeated page": async () => {
    const list = await read(() => ({ ids: [1, 2] }));
    expect(list).toEqual({ requested: [1, 2, 3], ids: [1, 2], hasMore: [true, true, false] });
  },
  "empty list": async () => {
    // The total is that of another list.
    expect(await read(() => ({ ids: [], total: 100 }))).toEqual({ requested: [1], ids: [], hasMore: [false] });
  },
  "empty page": async () => {
    const list = await read(pages({ ids: [1, 2] }, { ids: [3, 4] }, { ids: [] }, { ids: [7, 8] }));
    expect(list).toEqual({ requested: [1, 2, 3], ids: [1, 2, 3, 4], hasMore: [true, true, false] });
  },
  "empty page against the totals": async () => {
    // Record 1 is removed after the second page, so record 5 is on page 2 now.
    const before = [1, 2, 3, 4, 5];
    const list = await read((page, request) => {
      const ids = (request < 3 ? before : before.slice(1)).slice((page - 1) * 2, page * 2);
      return ids.length === 0 ? new CalError("not-found", "no such page") : { ids, total: 5 };
    });
    expect(list.requested.slice(0, 4)).toEqual([1, 2, 3, 2]);
    expect(list.ids).toEqual(before);
  },
  "last page by the totals": async () => {
    const list = await read(pages({ ids: [1, 2], total: 4 }, { ids: [3, 4], total: 4 }, { ids: [5, 6], total: 4 }));
    expect(list).toEqual({ requested: [1, 2], ids: [1, 2, 3, 4], hasMore: [true, false] });
  },
  "next page": async () => {
    const list = await read(pages({ ids: [1, 2] }, { ids: [3, 4] }, { ids: [5] }));
    expect(list).toEqual({ requested: [1, 2, 3, 4], ids: [1, 2, 3, 4, 5], hasMore: [true, true, false, false] });
  },
};

test.each(pageRules.map(({ name }) => name))("rule: %s", async (name) => {
  expect(Object.keys(ruleTests)).toContain(name);
  await ruleTests[name]?.();
});

describe("totals are not believed", () => {
  test("that are less than what was read", async () => {
    const list = await read(pages({ ids: [1, 2], total: 3 }, { ids: [3, 4], total: 3 }, { ids: [5, 6], total: 3 }));
    expect(list.ids).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("that are the length of a full first page", async () => {
    const list = await read(pages({ ids: [1, 2], total: 2 }, { ids: [3, 4], total: 2 }, { ids: [5], total: 1 }));
    expect(list.ids).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("the totals promise more", () => {
  test("where the server clamps its pages", async () => {
    const list = await read(pages({ ids: [1, 2], total: 5 }, { ids: [3, 4], total: 5 }, { ids: [5], total: 5 }), { perPage: 100 });
    expect(list).toEqual({ requested: [1, 2, 3], ids: [1, 2, 3, 4, 5], hasMore: [true, true, false] });
  });
});

describe("past the end", () => {
  test.each([
    ["404", 99, new CalError("not-found", "x")],
    ["the code of WordPress", 1, new CalError("rejected", "x", { code: "rest_post_invalid_page_number" })],
    ["the code of The Events Calendar", 1, new CalError("not-found", "x", { code: "venue-archive-page-not-found" })],
  ])("%s is an empty page", async (_name, first, error) => {
    expect(await read(() => error, { first })).toEqual({ requested: [first], ids: [], hasMore: [false] });
  });

  test("404 of the first page is an error", async () => {
    await expect(read(() => new CalError("not-found", "x"))).rejects.toThrow("x");
  });
});

describe("a list whose order moves", () => {
  const total = { total: 6, total_pages: 3 };

  test("is read again until every record was seen", async () => {
    const orders = [
      [1, 2, 2, 1, 5, 6],
      [3, 1, 3, 5, 6, 2],
      [1, 2, 3, 4, 5, 6],
    ];
    const list = await read((page, request) => ({
      ids: orders[Math.floor((request - 1) / 3)]?.slice((page - 1) * 2, page * 2) ?? [],
      ...total,
    }));
    expect(list.ids).toEqual([1, 2, 5, 6, 3, 4]);
    expect(list).not.toHaveProperty("error");
  });

  test("fails where records are still missing", async () => {
    const list = await read((page) => ({ ids: page === 3 ? [5, 1] : [1, 2], ...total }));
    expect(list).toMatchObject({ ids: [1, 2, 5], error: "unavailable: the list is not whole: 3 of 6 venues are missing" });
    expect(list.requested.length).toBe(9);
  });

  test("is not read again where its total counts records that nobody is shown", async () => {
    const list = await read(pages({ ids: [1], ...total }, { ids: [3, 4], ...total }, { ids: [5], ...total }));
    expect(list.ids).toEqual([1, 3, 4, 5]);
    expect(list).not.toHaveProperty("error");
    expect(list.requested.filter((page) => page === 1)).toEqual([1]);
  });
});

describe("limits of a server whose totals are wrong", () => {
  test("a total that goes up and down is followed back three times", async () => {
    // Every second answer has a smaller total, and none of them has a new record.
    const list = await read((page, request) => ({ ids: page === 1 ? [1, 2] : [2, 1], total: request % 2 === 0 ? 50 : 100 }));
    expect(list.requested.length).toBeLessThan(30);
    expect(list.error).toBe("unavailable: the list is not whole: 98 of 100 venues are missing");
  });

  test("fifty empty pages in a row are skipped, not more", async () => {
    const list = await read(() => ({ ids: [], total: 1000, total_pages: 500 }));
    expect({ requested: list.requested.length, ids: list.ids }).toEqual({ requested: 51, ids: [] });
  });

  test("an empty page of a single read is followed by others only where the next one is there", async () => {
    const total = { total: 4, total_pages: 2 };
    const hidden = await read(pages({ ids: [], ...total }, { ids: [3, 4], ...total }), { single: true });
    const absent = await read(pages({ ids: [], ...total }), { single: true });
    expect([hidden.hasMore, absent.hasMore]).toEqual([[true], [false]]);
  });
});
