// Lists of venues whose pages repeat records for users who are logged in, as a real site gave them: the recorded ids of each page.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer } from "./server.ts";

interface Reading {
  readonly total: number;
  readonly [page: string]: number | readonly number[];
}

const { runs } = JSON.parse(await readFile(new URL("../../recorded-edge/a_venues_ties.json", import.meta.url), "utf8")) as {
  readonly runs: Readonly<Record<"administrator" | "administrator, status=publish" | "visitor", Reading>>;
};
const { administrator, "administrator, status=publish": published, visitor } = runs;
const idsOf = (reading: Reading) => ["1", "2", "3"].flatMap((page) => reading[page] as readonly number[]);

/** The two that are not published; the recording of all statuses has them on its first page. */
const drafts = idsOf(administrator).filter((id) => !idsOf(published).includes(id));

/** A site with these venues. `any` is the reading of a list without a status or with several; `others` are the ids of other statuses. */
async function startSite(any: Reading, status: "any" | "publish", others: Readonly<Record<string, readonly number[]>> = {}) {
  return startTestServer(({ query }) => {
    const [asked, page] = [query.get("status"), query.get("page") ?? "1"];
    const byStatus =
      asked === null || asked.includes(",")
        ? undefined
        : asked === "publish"
          ? published
          : { total: others[asked]?.length ?? 0, 1: others[asked] ?? [] };
    const { total, [page]: ids = [] } = byStatus ?? any;
    return {
      body: {
        venues: (ids as readonly number[]).map((id) => ({ id, venue: `Venue ${id}` })),
        rest_url: `http://site.example/wp-json/tribe/events/v1/venues/?page=${page}&per_page=50&status=${asked ?? status}`,
        total,
        total_pages: Math.ceil(total / 50),
      },
    };
  });
}

const inOrder = (ids: readonly number[]) => [...new Set(ids)].sort((left, right) => left - right);

async function list(url: string, line = "venues list --all") {
  const { stdout, stderr } = await expectExitCode(createServerSession(url, "tec")(`${line} --format ids`), 0);
  return { ids: stdout.trimEnd().split("\n").map(Number), stderr };
}

describe("the list of a user who is logged in", () => {
  test("the recording lacks many", () => {
    expect([idsOf(administrator).length, new Set(idsOf(administrator)).size, administrator.total]).toEqual([141, 79, 141]);
    expect(drafts.length).toBe(2);
  });

  test("is read status by status after its first page, until every record was seen", async () => {
    const server = await startSite(administrator, "any", { draft: drafts });
    const { ids, stderr } = await list(server.url);
    expect(ids.length).toBe(141);
    expect(inOrder(ids)).toEqual(inOrder([...idsOf(published), ...drafts]));
    expect(stderr).toBe("");
    expect(server.receivedRequests.map((request) => request.replace(/.*\/venues/, ""))).toEqual([
      "?per_page=50",
      "?per_page=50&status=publish",
      "?page=2&per_page=50&status=publish",
      "?page=3&per_page=50&status=publish",
    ]);
  });

  test("with several statuses is read status by status", async () => {
    const server = await startSite(administrator, "any", { draft: drafts });
    expect((await list(server.url, "venues list --all --status draft,publish")).ids.length).toBe(141);
  });

  test("ends with the limit", async () => {
    const server = await startSite(administrator, "any", { draft: drafts });
    expect(new Set((await list(server.url, "venues list --limit 120")).ids).size).toBe(120);
  });

  test("fails where records have a status that can't be asked for", async () => {
    const server = await startSite({ ...administrator, total: 150 }, "any", { draft: drafts });
    const { stderr } = await expectExitCode(createServerSession(server.url, "tec")("venues list --all --json"), 7);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "incomplete-list", message: "the list is not whole: 9 of 150 venues are missing" },
    });
  });
});

test("the list of a visitor, and a list of one status, are read as they are", async () => {
  const server = await startSite(visitor, "publish");
  expect((await list(server.url)).ids).toEqual(idsOf(visitor));
  expect((await list(server.url, "venues list --all --status publish")).ids).toEqual(idsOf(published));
  expect(server.receivedRequests.length).toBe(6);
});

describe.each(["venues", "organizers"])("%s of one moment in the sandbox", (resource) => {
  test("are listed whole for a user who is logged in", async () => {
    const { cal, fetchJson } = await openSandboxSession("the-events-calendar");
    const field = resource.slice(0, -1);
    const made: number[] = [];
    for (let number = 1; number <= 120; number++) {
      const { id } = await fetchJson(resource, "POST", { [field]: `Place ${number}`, ...(number % 30 === 0 ? { status: "draft" } : {}) });
      made.push(Number(id));
    }
    const { stdout, stderr } = await expectExitCode(cal(`${resource} list --all --format ids`), 0);
    const ids = stdout.trimEnd().split("\n").map(Number);
    expect(made.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(stderr).toBe("");
    // A name on any page is found.
    expect((await expectExitCode(cal(`${resource} get 'name:place 61' --field id`), 0)).stdout).toBe(`${made[60]}\n`);
  });
});
