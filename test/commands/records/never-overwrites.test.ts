// A create never overwrites: on a site that changes an existing venue or organizer of the same name, by the answers that were recorded there.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, type ReceivedRequest, startTestServer, type TestResponse } from "./server.ts";

/** A recorded answer: its Date header and its JSON. */
async function recorded(name: string): Promise<TestResponse & { readonly body: Readonly<Record<string, unknown>> }> {
  const text = await readFile(new URL(`../../recorded-edge/${name}.http`, import.meta.url), "utf8");
  const [head = "", body = ""] = text.split(/\r?\n\r?\n/);
  return {
    status: Number(head.split(" ")[1]),
    headers: { date: /^Date: (.*)$/im.exec(head)?.[1]?.trim() ?? "" },
    body: JSON.parse(body),
  };
}

const [accentAnswer, cjkAnswer, cjkSearch, accentSearch] = await Promise.all(
  ["a_venue_create_accent", "a_venue_create_cjk", "a_venue_search_cjk", "a_venue_search_accent"].map(recorded),
);
const missing: TestResponse = {
  status: 400,
  body: { code: "rest_invalid_param", message: "x", data: { status: 400, params: { slug: "x" } } },
};
const none = { venues: [], total: 0, total_pages: 0 };

/** A site with `list` as its whole list of venues, and these answers to a look-up by slug, a search and a create. */
async function startSite(answers: Partial<Record<"list" | "slug" | "search" | "create", TestResponse | undefined>>) {
  const answerOf = ({ method, path, query }: ReceivedRequest) => {
    if (method !== "GET") return answers.create;
    if (path.includes("/by-slug/")) return answers.slug ?? missing;
    return (query.has("search") ? answers.search : answers.list) ?? { body: none };
  };
  const server = await startTestServer(answerOf);
  const sent = () => server.receivedRequests.filter((request) => !request.startsWith("GET"));
  return { cal: createServerSession(server.url, "tec"), sent, received: server.receivedRequests };
}

const event = { title: "X", start_date: "2027-01-10 10:00:00", end_date: "2027-01-10 12:00:00" };
const asVenue = { status: 200, body: { venues: [cjkAnswer?.body], total: 1, total_pages: 1 } };

describe("the check before a create", () => {
  test.each([
    ["another accent", "Tówn Hall", { list: accentSearch }],
    ["another case and width", "ＴＯＷＮ ｈａｌｌ", { list: accentSearch }],
    ["letters that the search does not know, in the list", "渋谷文化ホール", { search: cjkSearch, list: asVenue }],
    ["the same, not in the list but by its slug", "渋谷文化ホール", { search: cjkSearch, slug: { body: cjkAnswer?.body } }],
    ["half width", "渋谷文化ﾎｰﾙ", { search: cjkSearch, list: asVenue }],
    [
      "no accent, where the stored name has one",
      "Cafe de l'Ete",
      { search: { body: { venues: [{ id: 4, venue: "Café de l’Été" }], total: 1 } } },
    ],
  ])("finds %s", async (_what, name, answers) => {
    const { cal, sent } = await startSite({ ...answers, create: accentAnswer });
    const { stderr } = await expectExitCode(cal(`venues create --venue "${name}" --city Osaka`), 6);
    expect(stderr).toMatch(/^cal: there is already a venue of this name/);
    await expectExitCode(cal("events create --data -", JSON.stringify({ ...event, venue: { venue: name, city: "Osaka" } })), 6);
    expect(sent()).toEqual([]);
  });

  test("a name that is found is linked, and not created again", async () => {
    const { cal, sent } = await startSite({ search: cjkSearch, list: asVenue, create: { status: 201, body: { id: 50, ...event } } });
    const line = "events create --title X --start-date 2027-01-10 --duration 1h --create-missing";
    await expectExitCode(cal(`${line} --venue 渋谷文化ﾎｰﾙ`), 0);
    await expectExitCode(cal(`${line} --venue name:渋谷文化ホール`), 0);
    expect(sent().map((request) => /"venue":(.*)\}/.exec(request)?.[1])).toEqual(["14", "14"]);
    expect(sent().length).toBe(2);
  });

  test("a record with exactly this name wins over one with other accents", async () => {
    const venues = [
      { id: 4, venue: "Café Eins", slug: "cafe-eins" },
      { id: 5, venue: "Cafe Eins", slug: "cafe-eins-2" },
    ];
    const { cal } = await startSite({ search: { body: { venues, total: 2 } } });
    const outcome = await cal("venues get 'name:cafe eins' --dry-run --debug");
    expect(outcome.stderr).toContain("/venues/5");
  });
});

describe("an answer that shows that the record existed before is an error", () => {
  const expected = (id: number, name: string, sent: string) =>
    `cal: venue ${id} "${name}" existed before: the server changed it instead of creating one. Sent: ${sent}. The former values of these fields are not known\nhint: see it as it is now: cal venues get ${id}\n`;

  test("where it is older than an hour", async () => {
    const { body = {}, ...others } = accentAnswer ?? {};
    const old = { ...others, body: { ...(body as object), date_utc: "2026-11-22 00:26:00" } };
    const { cal } = await startSite({ create: old });
    const { stdout, stderr } = await expectExitCode(cal("venues create --venue 'Tówn Hall' --city NEWCITY"), 6);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: expected(8, "Town Hall", 'venue "Tówn Hall", city "NEWCITY"') });
    // Its age is what was asked for.
    const own = await expectExitCode(cal("venues create --venue 'Tówn Hall' --city NEWCITY --date-utc '2026-11-22 00:26:00'"), 0);
    expect(own.stderr).toMatch(/^Created venue 8 "Town Hall"/);
  });

  test("where the check saw a higher id", async () => {
    const list = { body: { venues: [{ id: 20, venue: "Other" }], total: 1 } };
    const { cal } = await startSite({ create: accentAnswer, list });
    const { stderr } = await expectExitCode(cal("venues create --venue 'Tówn Hall' --city NEWCITY"), 6);
    expect(stderr).toBe(expected(8, "Town Hall", 'venue "Tówn Hall", city "NEWCITY"'));
  });

  test("and a younger one with a new id is created", async () => {
    const { cal, received } = await startSite({ create: accentAnswer });
    const { stderr } = await expectExitCode(cal("venues create --venue 'Tówn Hall' --city NEWCITY"), 0);
    expect(stderr).toMatch(/^Created venue 8 /);
    expect(received).toEqual([
      "GET /tribe/events/v1/venues?per_page=50",
      "GET /tribe/events/v1/venues/by-slug/Tówn Hall",
      'POST /tribe/events/v1/venues {"venue":"Tówn Hall","city":"NEWCITY"}',
    ]);
  });

  test("--merge allows it, and says that it was changed", async () => {
    const { body = {}, ...others } = accentAnswer ?? {};
    const { cal } = await startSite({ create: { ...others, body: { ...(body as object), date_utc: "2026-11-20 00:26:00" } } });
    const { stderr } = await expectExitCode(cal("venues create --venue 'Tówn Hall' --city NEWCITY --merge"), 0);
    expect(stderr).toMatch(/^Changed venue 8 "Town Hall"/);
  });

  test("with the data of a linked record, too, in a new event and in an update", async () => {
    const venue = { ...(cjkAnswer?.body as object), date_utc: "2026-11-20 00:38:44" };
    const { cal, sent } = await startSite({ create: { ...cjkAnswer, body: { id: 50, ...event, venue } }, slug: undefined });
    const data = { venue: { venue: "渋谷文化ホール", city: "Osaka" } };
    const created = await expectExitCode(cal("events create --data -", JSON.stringify({ ...event, ...data })), 6);
    expect(created.stderr).toContain('event 50 "X" was created, but venue 14 "渋谷文化ホール" existed before');
    expect(created.stderr).toContain('Sent: venue "渋谷文化ホール", city "Osaka".');
    const updated = await expectExitCode(cal("events update 50 --raw --data -", JSON.stringify(data)), 6);
    expect(updated.stderr).toContain('event 50 "X" was updated, but venue 14 "渋谷文化ホール" existed before');
    expect(sent().length).toBe(2);
  });

  test("with --create-missing, before the event is sent", async () => {
    const venue = { ...(cjkAnswer?.body as object), date_utc: "2026-11-20 00:38:44" };
    const { cal, sent } = await startSite({ create: { ...cjkAnswer, body: venue } });
    const line = "events create --title X --start-date 2037-01-10T10:00 --duration 1h --venue 渋谷文化ホール --create-missing";
    const { stderr } = await expectExitCode(cal(line), 6);
    expect(stderr).toBe(expected(14, "渋谷文化ホール", 'venue "渋谷文化ホール"'));
    expect(sent().length).toBe(1);
  });
});

describe("in the sandbox", () => {
  test("names of any letters, case, accents and width are found, and nothing is written", async () => {
    const { cal, fetchJson, sandbox } = await openSandboxSession("the-events-calendar");
    for (const venue of ["渋谷文化ホール", "Театр", "Ü"]) await fetchJson("venues", "POST", { venue });
    const before = await fetchJson("venues?per_page=50");
    const written = () => sandbox.requests().filter(({ method }) => method !== "GET").length;
    const count = written();
    for (const name of ["Tówn Hall", "ｔｏｗｎ ＨＡＬＬ", "渋谷文化ホール", "渋谷文化ﾎｰﾙ", "театр", "ü", "U"])
      await expectExitCode(cal(`venues create --venue '${name}' --city Overwritten`), 6);
    expect([written(), await fetchJson("venues?per_page=50")]).toEqual([count, before]);
    const { stdout } = await expectExitCode(cal("venues get name:ТЕАТР --field venue"), 0);
    expect(stdout).toBe("Театр\n");
    const { stderr } = await expectExitCode(cal("venues create --venue 'Новый театр'"), 0);
    expect(stderr).toMatch(/^Created venue \d+ "Новый театр"/);
  });
});
