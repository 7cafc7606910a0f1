// Lists of servers with unusual pages: no record is lost or printed twice, and what was left out is reported.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { createServerSession, type ReceivedRequest, startTestServer, type TestResponse } from "./server.ts";

const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_none, index) => ({ id: from + index, venue: `Venue ${from + index}` }));

interface PagingProfile {
  readonly count: number;
  readonly clamp?: number;
  readonly refuses?: number;
  readonly totals?: "none" | "strings" | "headers" | "wp-headers" | "unfiltered" | "page" | "pages-only" | "total-only";
  readonly shape?: "array" | "numbered" | "bare-numbered" | "items";
  readonly end?: "404" | "400" | "empty" | "object";
  readonly ignoresPage?: boolean;
  readonly ids?: boolean;
}

const gone = (status: number, code: string): TestResponse => ({ status, body: { code, message: "no such page", data: { status } } });

/** One page of a list as a server with this server profile gives it. */
function page(
  { count, clamp = 1000, refuses = 1e9, totals, shape, end = "404", ignoresPage = false, ids = true }: PagingProfile,
  { query }: ReceivedRequest,
): TestResponse {
  if (Number(query.get("per_page") ?? 10) > refuses)
    return {
      status: 400,
      body: {
        code: "rest_invalid_param",
        message: "Invalid parameter(s): per_page",
        data: { status: 400, params: { per_page: "too many" } },
      },
    };
  const size = Math.min(Number(query.get("per_page") ?? 10), clamp);
  const start = ignoresPage ? 0 : (Number(query.get("page") ?? 1) - 1) * size;
  const all = numbered(count).map(({ id, venue }) => (ids ? { id, venue } : { venue }));
  const some = all.slice(start, start + size);
  if (some.length === 0 && start > 0 && end === "404") return gone(404, "venue-archive-page-not-found");
  if (some.length === 0 && start > 0 && end === "400") return gone(400, "rest_post_invalid_page_number");
  const [total, pages] = [
    totals === "unfiltered" ? 312 : totals === "page" ? some.length : count,
    Math.ceil((totals === "unfiltered" ? 312 : count) / size),
  ];
  const reported =
    totals === "strings"
      ? { total: String(total), total_pages: String(pages) }
      : totals === "pages-only"
        ? { total_pages: pages }
        : totals === "total-only" || totals === "page"
          ? { total }
          : { total, total_pages: pages };
  const headers =
    totals === "headers"
      ? { "x-tec-total": String(total), "x-tec-totalpages": String(pages) }
      : totals === "wp-headers"
        ? { "x-wp-total": String(total), "x-wp-totalpages": String(pages) }
        : {};
  const inBody = totals === "none" || totals === "headers" || totals === "wp-headers" ? {} : reported;
  const byNumber = Object.fromEntries(some.map((record, index) => [String(start + index), record]));
  if (shape === "array") return { headers, body: some };
  if (shape === "bare-numbered") return { headers, body: byNumber };
  const list = shape === "numbered" ? byNumber : some.length === 0 && end === "object" ? {} : some;
  return { headers, body: { [shape === "items" ? "items" : "venues"]: list, ...inBody } };
}

async function listed(serverProfile: PagingProfile, line: string) {
  const server = await startTestServer((requested) => page(serverProfile, requested));
  const result = await expectExitCode(createServerSession(server.url)(`venues list ${line} --json`), 0);
  return {
    ids: (JSON.parse(result.stdout) as { id: number }[]).map(({ id }) => id),
    stderr: result.stderr,
    asked: server.receivedRequests.length,
  };
}

const first = (count: number) => numbered(count).map(({ id }) => id);

describe("--all reads every record once", () => {
  const serverProfile: readonly (readonly [name: string, pagingProfile: PagingProfile])[] = [
    ["pages as they should be", { count: 112 }],
    ["pages clamped to 20", { count: 112, clamp: 20 }],
    ["pages clamped, a total without pages", { count: 112, clamp: 20, totals: "total-only" }],
    ["pages clamped, no totals", { count: 112, clamp: 20, totals: "none" }],
    ["no totals at all, 404 at the end", { count: 100, totals: "none" }],
    ["a bare array, an empty one at the end", { count: 100, shape: "array", end: "empty" }],
    ["a bare array with totals in headers", { count: 75, shape: "array", totals: "wp-headers" }],
    ["totals in the headers of The Events Calendar", { count: 75, totals: "headers" }],
    ["totals as texts", { count: 75, totals: "strings" }],
    ["totals of the unfiltered list", { count: 75, totals: "unfiltered" }],
    ["totals of the unfiltered list, empty pages", { count: 75, totals: "unfiltered", end: "empty" }],
    ["a total that is only the page's", { count: 130, totals: "page" }],
    ["a number of pages alone", { count: 130, totals: "pages-only" }],
    ["records keyed by number", { count: 75, shape: "numbered" }],
    ["records keyed by number, without an envelope", { count: 75, shape: "bare-numbered", end: "empty" }],
    ["another envelope", { count: 75, shape: "items" }],
    ["an object for an empty list", { count: 75, totals: "none", end: "object" }],
    ["400 past the end", { count: 75, totals: "none", end: "400" }],
    ["a page size that it refuses", { count: 45, refuses: 20 }],
    ["nothing", { count: 0 }],
    ["nothing, but the totals of the unfiltered list", { count: 0, totals: "unfiltered" }],
  ];

  test.each(serverProfile)("%s", async (_name, serverProfile) => {
    const { ids } = await listed(serverProfile, "--all");
    expect(ids).toEqual(first(serverProfile.count));
  });

  test("a server that ignores the page is read to where it repeats itself, and that is said", async () => {
    const { ids, stderr, asked: requested } = await listed({ count: 30, ignoresPage: true, clamp: 10, totals: "none" }, "--all");
    expect({ ids, asked: requested }).toEqual({ ids: first(10), asked: 3 });
    expect(stderr).toContain("the server repeats pages");
  });

  test("a server that ignores the page and counts more records has not given the whole list", async () => {
    const server = await startTestServer((requested) => page({ count: 30, ignoresPage: true, clamp: 10 }, requested));
    const { stderr, stdout } = await expectExitCode(createServerSession(server.url)("venues list --all --format ids"), 7);
    expect(stdout).toBe("");
    expect(stderr).toContain("cal: the list is not whole: 20 of 30 venues are missing\n");
  });

  test("records without ids are known again too", async () => {
    const { ids } = await listed({ count: 30, ignoresPage: true, ids: false, totals: "none" }, "--all");
    expect(ids.length).toBe(30);
  });

  test("any size, any clamp, any totals", async () => {
    const serverProfile = fc.record({
      count: fc.integer({ min: 0, max: 120 }),
      clamp: fc.integer({ min: 1, max: 60 }),
      totals: fc.constantFrom(
        "none" as const,
        "strings" as const,
        "headers" as const,
        "unfiltered" as const,
        "pages-only" as const,
        "total-only" as const,
      ),
      shape: fc.constantFrom("array" as const, "numbered" as const, "items" as const),
      end: fc.constantFrom("404" as const, "400" as const, "empty" as const),
    });
    let now: PagingProfile = { count: 0 };
    const server = await startTestServer((requested) => page(now, requested));
    const cal = createServerSession(server.url);
    await fc.assert(
      fc.asyncProperty(serverProfile, fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }), async (chosen, perPage) => {
        now = chosen;
        const { stdout } = await expectExitCode(
          cal(`venues list --all --format ids${perPage === undefined ? "" : ` --per-page ${perPage}`}`),
          0,
        );
        expect(stdout.split("\n").filter((line) => line !== "")).toEqual(first(chosen.count).map(String));
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});

describe("parts of a list", () => {
  const cases: readonly (readonly [line: string, pagingProfile: PagingProfile, ids: readonly number[], says: string])[] = [
    ["", { count: 312 }, first(10), "showing 10 of 312, use --all"],
    ["", { count: 10 }, first(10), ""],
    ["", { count: 0 }, [], "no venues"],
    ["", { count: 15, totals: "none" }, first(10), "showing 10, and there are more, use --all"],
    ["--per-page 3", { count: 10 }, first(3), "showing 3 of 10, use --all"],
    ["--per-page 100", { count: 312, clamp: 50 }, first(50), "this server gives 50 records a page, not 100"],
    ["--per-page 100 --all", { count: 120, clamp: 50 }, first(120), "this server gives 50 records a page, not 100"],
    ["--page 2 --per-page 20", { count: 45 }, numbered(20, 21).map(({ id }) => id), "showing 20 of 45, use --all"],
    ["--page 3 --per-page 20", { count: 45 }, numbered(5, 41).map(({ id }) => id), ""],
    ["--page 99", { count: 45 }, [], "no venues"],
    ["--page 99", { count: 45, end: "400" }, [], "no venues"],
    ["--page 99", { count: 45, end: "empty" }, [], "no venues"],
    ["--limit 25", { count: 312 }, first(25), "showing 25 of 312, use --all"],
    ["--limit 120", { count: 312 }, first(120), "showing 120 of 312, use --all"],
    ["--limit 120", { count: 312, clamp: 7, totals: "none" }, first(120), "showing 120, and there are more"],
    ["--limit 25", { count: 25 }, first(25), ""],
    ["--limit 25", { count: 9 }, first(9), ""],
    ["--limit 3 --per-page 2", { count: 9 }, first(3), "showing 3 of 9"],
    ["--page 2 --limit 15", { count: 100 }, numbered(15, 11).map(({ id }) => id), "showing 15 of 100"],
  ];

  test.each(cases)("%s of %j", async (line, serverProfile, ids, says) => {
    const result = await listed(serverProfile, line);
    expect(result.ids).toEqual(ids);
    if (says === "") expect(result.stderr).toBe("");
    else expect(result.stderr).toContain(says);
  });

  test("a limit that is reached asks for no further page", async () => {
    expect((await listed({ count: 312 }, "--limit 50")).asked).toBe(1);
    expect((await listed({ count: 312, totals: "none" }, "--limit 50")).asked).toBe(1);
  });

  test("the envelope reports what is known", async () => {
    const server = await startTestServer((requested) => page({ count: 312 }, requested));
    const { stdout } = await createServerSession(server.url)("venues list --page 2 --per-page 3 --envelope --json");
    expect(JSON.parse(stdout)).toEqual({ items: numbered(3, 4), total: 312, total_pages: 104, page: 2, per_page: 3, truncated: true });
  });

  test("the envelope believes what was read, not the totals of another list", async () => {
    const envelope = async (count: number, line: string) => {
      const server = await startTestServer((requested) => page({ count, totals: "unfiltered" }, requested));
      const { stdout, stderr } = await expectExitCode(createServerSession(server.url)(`venues list ${line} --envelope --json`), 0);
      const { items: _, ...summary } = JSON.parse(stdout) as { readonly items: unknown };
      return { ...summary, stderr };
    };
    expect(await envelope(75, "--all")).toEqual({ total: 75, per_page: 50, truncated: false, stderr: "" });
    expect(await envelope(0, "")).toEqual({ total: 0, page: 1, truncated: false, stderr: "no venues\n" });
  });

  test("pages that turn out not to be wanted are dropped with the connections, and not requested again", async () => {
    // It counts the records of another list, so pages beyond the end are requested ahead; those after the one that reports the end get no answer.
    const server = await startTestServer((requested) => {
      const number = Number(requested.query.get("page") ?? 1);
      return number > 4 ? undefined : page({ count: 120, totals: "unfiltered" }, requested);
    });
    const { stderr } = await expectExitCode(createServerSession(server.url)("venues list --all --per-page 50 --json"), 0);
    expect(server.receivedRequests.length).toBeGreaterThan(4);
    expect(stderr).toBe("");
  });

  test("a count counts all of it", async () => {
    const server = await startTestServer((requested) => page({ count: 123, clamp: 50 }, requested));
    expect((await createServerSession(server.url)("venues list --format count")).stdout).toBe("123\n");
    expect((await createServerSession(server.url)("venues list --format count --limit 60")).stdout).toBe("60\n");
  });

  test("a page that fails is a failure, not the end", async () => {
    const server = await startTestServer((requested) =>
      requested.query.get("page") === "2" ? { status: 500, body: { code: "x", message: "broken" } } : page({ count: 100 }, requested),
    );
    await expectExitCode(createServerSession(server.url)("venues list --all --json"), 7);
  });

  test("the token goes to no address that a reply names", async () => {
    const other = await startTestServer(() => ({ body: [] }));
    const server = await startTestServer((requested) => ({
      body: {
        venues: numbered(2, 2 * Number(requested.query.get("page") ?? 1)),
        total: 4,
        total_pages: 2,
        next_rest_url: `${other.url}/next`,
      },
    }));
    await expectExitCode(createServerSession(server.url)("venues list --all --json"), 0);
    expect([server.receivedRequests.length, other.receivedRequests]).toEqual([2, []]);
  });
});

describe("a list that changes while it is read", () => {
  /** After the first request the list is another. */
  async function changing(before: readonly number[], after: readonly number[], end: "404" | "empty", from = 1) {
    let requested = 0;
    const server = await startTestServer(({ query }) => {
      const ids = ++requested <= from ? before : after;
      const start = (Number(query.get("page") ?? 1) - 1) * 10;
      const some = ids.slice(start, start + 10).map((id) => ({ id }));
      if (some.length === 0 && start > 0 && end === "404") return gone(404, "venue-archive-page-not-found");
      return { body: { venues: some, total: ids.length, total_pages: Math.ceil(ids.length / 10) } };
    });
    const result = await expectExitCode(createServerSession(server.url)("venues list --all --per-page 10 --json"), 0);
    return { ids: (JSON.parse(result.stdout) as { id: number }[]).map(({ id }) => id), stderr: result.stderr };
  }

  const ids = first(35);
  const cases: readonly (readonly [
    name: string,
    before: readonly number[],
    after: readonly number[],
    end: "404" | "empty",
    from: number,
  ])[] = [
    ["one is taken out of what was read", ids, ids.slice(1), "404", 1],
    ["a page and more are taken out", ids, ids.slice(13), "404", 2],
    ["the last page is gone", first(21), first(21).slice(1), "404", 2],
    ["the last page is empty", first(21), first(21).slice(1), "empty", 2],
    ["one comes in before what was read", ids, [900, ...ids], "404", 1],
    ["a whole page comes in before", ids, [...numbered(10, 900).map(({ id }) => id), ...ids], "404", 1],
    ["one comes in at the end", ids, [...ids, 900], "404", 1],
  ];

  test.each(cases)("%s: what stays is listed once", async (_name, before, after, end, from) => {
    const result = await changing(before, after, end, from);
    const staying = before.filter((id) => after.includes(id));
    expect(staying.filter((id) => !result.ids.includes(id))).toEqual([]);
    expect(new Set(result.ids).size).toBe(result.ids.length);
    if (before.length !== after.length && after[after.length - 1] !== 900)
      expect(result.stderr).toContain("the list changed while it was read");
  });
});

describe("pages whose records the user may not read", () => {
  /** As newer versions of The Events Calendar do: what is hidden is counted, and leaves its page short or empty. */
  const hidden =
    (from: number, to: number) =>
    ({ id }: { readonly id: number }) =>
      id < from || id > to;

  test.each([
    ["the first page is empty", 1, 10, 30],
    ["the first pages are empty", 1, 25, 30],
    ["a page in the middle is empty", 11, 20, 30],
    ["the last pages are empty", 11, 30, 30],
    ["all pages are empty", 1, 30, 30],
  ])("%s", async (_what, from, to, count) => {
    const server = await startTestServer(({ query }) => {
      const page = Number(query.get("page") ?? 1);
      const size = Number(query.get("per_page") ?? 10);
      const all = numbered(count).slice((page - 1) * size, page * size);
      if (all.length === 0) return gone(404, "venue-archive-page-not-found");
      return { body: { venues: all.filter(hidden(from, to)), total: count, total_pages: Math.ceil(count / size) } };
    });
    const { stdout } = await expectExitCode(
      createServerSession(server.url, "tec")("venues list --all --per-page 10 --format ids --quiet"),
      0,
    );
    const ids = numbered(count)
      .filter(hidden(from, to))
      .map(({ id }) => String(id));
    expect(stdout.split("\n").filter(Boolean)).toEqual(ids);
    const { stderr } = await expectExitCode(createServerSession(server.url, "tec")("venues list --per-page 10"), 0);
    expect(stderr.includes("no venues on this page, but there are more: use --all")).toBe(from === 1);
  });
});
