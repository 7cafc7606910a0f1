// How a real server was recorded to behave where that makes trouble for clients.

import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { callApi, createBasicHeader, fetchApiJson, getValueAt, type RequestOptions, sendRequest, startTestSandbox } from "./client.ts";
import type { FixtureOptions } from "./fixtures.ts";

interface Site {
  readonly sandbox: Sandbox;
  ask(path: string, ask?: RequestOptions): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** A site, and its admin calling by application password. */
async function siteOf(options: Partial<FixtureOptions> = {}): Promise<Site> {
  const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar", ...options });
  return { sandbox, ask: (path, ask = {}) => fetchApiJson(sandbox, path, { headers: createBasicHeader(sandbox, "admin"), ...ask }) };
}

const event = { title: "New", start_date: "2027-04-01 20:00:00", end_date: "2027-04-01 23:00:00" };

function ids(body: unknown, name = "events"): readonly unknown[] {
  const records = getValueAt(body, name);
  return Array.isArray(records) ? records.map((record) => getValueAt(record, "id")) : [];
}

describe("updates", () => {
  test("reset what was not sent, and publish", async () => {
    const { ask } = await siteOf();
    const full = {
      ...event,
      status: "draft",
      slug: "kept",
      timezone: "Asia/Tokyo",
      cost: "10",
      website: "https://x.example/",
      image: "41",
      venue: 21,
      organizer: [31],
      categories: [3],
      tags: [12],
      all_day: false,
      featured: true,
      sticky: true,
      show_map: true,
      excerpt: "e",
      description: "d",
    };
    const { body } = await ask("events", { json: full });
    expect(body).toMatchObject({
      status: "draft",
      cost: "$10",
      featured: true,
      image: { id: 41 },
      date_utc: "0000-00-00 00:00:00",
      utc_start_date: "2027-04-01 11:00:00",
    });
    expect(await ask(`events/${getValueAt(body, "id")}`, { method: "PATCH", json: { title: "Changed" } })).toMatchObject({
      status: 200,
      body: {
        title: "Changed",
        status: "publish",
        slug: "kept",
        description: "<p>d</p>",
        excerpt: "<p>e</p>",
        start_date: "2027-04-01 20:00:00",
        utc_start_date: "2027-04-01 11:00:00",
        timezone: "America/New_York",
        cost: "",
        website: "",
        organizer: [],
        image: false,
        featured: false,
        sticky: false,
        show_map: false,
        venue: { id: 21 },
        categories: [{ id: 3 }],
        tags: [{ id: 12 }],
        date: "2027-03-10 12:00:00",
      },
    });
  });

  test("of places take the picture away, and show the maps again", async () => {
    const { ask } = await siteOf();
    const venue = { venue: "Hall", image: "41", show_map: "false", show_map_link: "false", city: "Albany" };
    const created = (await ask("venues", { json: venue })).body;
    expect(created).toMatchObject({ image: { id: 41 }, show_map: false, show_map_link: false });
    const { body } = await ask(`venues/${getValueAt(created, "id")}`, { json: { phone: "1" } });
    expect(body).toMatchObject({ city: "Albany", phone: "1", show_map: true, show_map_link: true });
    expect(body).not.toHaveProperty("image");
    const organizer = (await ask("organizers", { json: { organizer: "Jane", image: "41", email: "j@x.example" } })).body;
    const changed = (await ask(`organizers/${getValueAt(organizer, "id")}`, { json: { phone: "1", image: "" } })).body;
    expect(changed).toMatchObject({ email: "j@x.example", phone: "1" });
    expect(changed).not.toHaveProperty("image");
  });

  test("body and query win over the path", async () => {
    const { ask } = await siteOf();
    expect((await ask("events/101", { json: { id: 102, title: "x" } })).body).toMatchObject({ id: 102 });
    expect((await ask("events/101?id=103")).body).toMatchObject({ id: 103 });
    expect((await ask("events/101?id=104", { method: "DELETE" })).body).toMatchObject({ id: 104, status: "trash" });
  });

  test("one date alone is passed over; a zone alone changes the label only", async () => {
    const { ask } = await siteOf();
    expect((await ask("events/101", { json: { start_date: "2027-01-01" } })).body).toMatchObject({ start_date: "2027-01-13 20:00:00" });
    expect((await ask("events/101", { json: { timezone: "Asia/Tokyo" } })).body).toMatchObject({
      timezone: "Asia/Tokyo",
      timezone_abbr: "JST",
      utc_start_date: "2027-01-14 01:00:00",
    });
  });

  test("a venue is replaced, never removed", async () => {
    const { ask } = await siteOf();
    for (const venue of [[], "", 0, null, false, "0"])
      expect((await ask("events/101", { json: { venue } })).body).toMatchObject({ venue: { id: 21 } });
    expect((await ask("events/101", { json: { venue: 22 } })).body).toMatchObject({ venue: { id: 22 } });
    expect((await ask("events/101", { json: { venue: { venue: "Town Hall" } } })).body).toMatchObject({ venue: { id: 23 } });
    for (const venue of [[21], "21,22", { id: 0 }])
      expect(await ask("events/101", { json: { venue } })).toMatchObject({ status: 400, body: { code: "could-not-create-venue" } });
  });

  test("a tag that is named though it exists becomes a junk tag named after its id", async () => {
    const { ask } = await siteOf();
    const { body } = await ask("events/101", { json: { tags: ["free"], categories: ["Jazz", "Brand New"] } });
    expect(body).toMatchObject({ tags: [{ name: "12" }], categories: [{ id: 3 }, { name: "Brand New" }] });
  });

  test("places keep what was not sent; `stateprovince` is lost; a name that exists is that record", async () => {
    const { ask } = await siteOf();
    const { body } = await ask("venues/21", { json: { phone: "1" } });
    expect(body).toMatchObject({ phone: "1", city: "New York", state: "NY" });
    expect(body).not.toHaveProperty("stateprovince");
    expect(await ask("venues", { json: { venue: "Town Hall", phone: "2" } })).toMatchObject({
      status: 201,
      body: { id: 23, phone: "2", city: "Albany" },
    });
    expect((await ask("venues/28")).body).not.toHaveProperty("city");
  });

  test("the safe update: everything else sent along changes nothing else", async () => {
    const { ask } = await siteOf();
    const { body: before } = await ask("events/103");
    const keep = [
      "status",
      "date",
      "timezone",
      "all_day",
      "start_date",
      "end_date",
      "cost",
      "show_map",
      "show_map_link",
      "hide_from_listings",
      "sticky",
      "featured",
    ];
    const website = String(getValueAt(before, "website")).replaceAll("&amp;", "&");
    const json = {
      title: "Renamed",
      ...Object.fromEntries(keep.map((name) => [name, getValueAt(before, name)])),
      website,
      organizer: [31],
      image: "41",
    };
    const { body: after } = await ask("events/103", { json });
    const {
      json_ld: _1,
      modified: _2,
      modified_utc: _3,
      cost_details: _4,
      organizer: _5,
      venue: _6,
      ...expected
    } = { ...Object(before), title: "Renamed" };
    expect(after).toMatchObject(expected);
  });
});

describe("the trash", () => {
  test("delete, again, read, update", async () => {
    const { ask, sandbox } = await siteOf();
    expect((await ask("events/101", { method: "DELETE" })).body).toMatchObject({ status: "trash", slug: "jazz-night-2__trashed" });
    expect((await ask("events/101", { method: "DELETE" })).status).toBe(410);
    expect((await ask("events/101")).body).toMatchObject({ status: "trash" });
    expect((await fetchApiJson(sandbox, "events/101", { headers: {} })).body).toMatchObject({ code: "event-not-accessible" });
    expect((await ask("events?status=trash&start_date=2026-01-01")).body).toMatchObject({ events: [{ id: 101 }] });
    expect((await ask("events/101", { json: {} })).body).toMatchObject({ status: "publish", slug: "jazz-night-2" });
  });

  test("the newer version keeps it from everybody", async () => {
    const { ask } = await siteOf({ tecVersion: "6.17.2" });
    await ask("events/101", { method: "DELETE" });
    expect(await ask("events/101")).toMatchObject({ status: 403, body: { code: "event-no-longer-available" } });
  });

  test("a trashed venue stays in its events; terms are destroyed", async () => {
    const { ask } = await siteOf();
    await ask("venues/21", { method: "DELETE" });
    expect((await ask("events/101")).body).toMatchObject({ venue: { id: 21, status: "trash", slug: "blue-note-cellar__trashed" } });
    expect((await ask("tags/17", { method: "DELETE" })).status).toBe(200);
    expect((await ask("tags/17", { method: "DELETE" })).status).toBe(400);
    expect((await ask("events/101")).body).toMatchObject({ tags: [] });
  });
});

describe("lists", () => {
  test("have a window of their own, and events must be wholly inside the one requested", async () => {
    const { ask } = await siteOf();
    const { body } = await ask("events");
    expect(getValueAt(body, "rest_url")).toContain(
      "?page=1&per_page=10&start_date=2027-03-09 00:00:00&end_date=2029-03-10 23:59:59&status=any",
    );
    expect(ids((await ask("events?start_date=2027-07-08&end_date=2027-07-10")).body)).toEqual([137]);
    expect(ids((await ask("events?start_date=2027-07-09&end_date=2027-07-10")).body)).toEqual([]);
    expect(ids((await ask("events?starts_before=2027-07-09&ends_after=2027-07-08&venue=23")).body)).toEqual([137]);
    expect(ids((await ask("events?include=101")).body)).toEqual([]);
    expect(ids((await ask("events?include=101&ends_after=1980-01-01")).body)).toEqual([101]);
  });

  test("limit the page size, and leave filters out of the next address", async () => {
    const { ask } = await siteOf();
    const { body } = await ask("events?start_date=2026-01-01&per_page=500");
    expect([ids(body).length, getValueAt(body, "total_pages")]).toEqual([50, 2]);
    expect(getValueAt((await ask("events?per_page=1&categories=3&venue=21")).body, "next_rest_url")).toMatch(
      /\/events\/\?per_page=1&start_date=2027-03-09\+00%3A00%3A00&end_date=2029-03-10\+23%3A59%3A59&venue=21&status=any&page=2$/,
    );
    expect((await ask("categories?per_page=2&page=9&hide_empty=0")).body).toMatchObject({ categories: [], total: 10 });
  });

  test("never show hidden events, nor ones that end before they start", async () => {
    const { ask } = await siteOf();
    const made = await ask("events", { json: { ...event, end_date: "2027-03-30" } });
    expect(made.body).toMatchObject({ start_date: "2027-04-01 20:00:00", end_date: "2027-04-01 20:00:00" });
    const { body } = await ask("events?start_date=2026-01-01&per_page=50&search=supper");
    expect(ids(body)).toEqual([]);
    expect(ids((await ask("events?search=New&start_date=2027-04-01&end_date=2027-04-02")).body)).not.toContain(getValueAt(made.body, "id"));
  });

  test("of venues have the totals without a search that finds nothing", async () => {
    const { ask } = await siteOf();
    expect((await ask("venues?search=qqqq")).body).toMatchObject({ venues: [], total: 8, total_pages: 1 });
    expect((await ask("events?search=qqqq")).body).toMatchObject({ events: [], total: 0 });
  });

  test("show the public what is published", async () => {
    const { ask, sandbox } = await siteOf();
    const all = await ask("events?start_date=2026-01-01");
    const open = await fetchApiJson(sandbox, "events?start_date=2026-01-01", { headers: {} });
    // Two drafts; the private and the pending one are hidden anyway.
    expect([getValueAt(all.body, "total"), getValueAt(open.body, "total")]).toEqual([58, 56]);
    expect((await fetchApiJson(sandbox, "events?status=draft", { headers: createBasicHeader(sandbox, "reader") })).status).toBe(400);
  });
});

describe("access", () => {
  test("application passwords, with and without spaces, in any case", async () => {
    const { sandbox } = await siteOf();
    const admin = sandbox.users[0];
    const as = (name: string, password: string): RequestOptions => ({
      headers: { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}` },
    });
    const me = async (ask: RequestOptions): Promise<unknown> =>
      JSON.parse((await sendRequest(`${sandbox.baseUrl}/wp/v2/users/me`, ask)).text);
    const password = admin?.applicationPassword ?? "";
    for (const [name, text] of [
      ["admin", password],
      ["ADMIN", password.replaceAll(" ", "")],
      ["admin@example.org", password],
    ] as const) {
      expect(await me(as(name, text))).toMatchObject({ id: 1, name: "admin" });
    }
    expect(await me(as("admin", admin?.password ?? ""))).toMatchObject({ code: "incorrect_password" });
    expect(await me(as("nobody", "x"))).toMatchObject({ code: "invalid_username" });
    expect(await me(as("admin", ""))).toMatchObject({ code: "rest_not_logged_in" });
    expect((await callApi(sandbox, "events", as("admin", "wrong"))).status).toBe(401);
  });

  test("a bearer token authenticates no user, except the sandbox's own", async () => {
    const { sandbox } = await siteOf();
    expect((await fetchApiJson(sandbox, "events", { headers: { authorization: "Bearer x" }, json: event })).status).toBe(401);
    expect((await fetchApiJson(sandbox, "events", { json: event })).status).toBe(201);
  });

  test("a contributor's event is pending", async () => {
    const { sandbox } = await siteOf();
    const headers = createBasicHeader(sandbox, "contributor");
    expect((await fetchApiJson(sandbox, "events", { headers, json: { ...event, status: "publish" } })).body).toMatchObject({
      status: "pending",
      author: "4",
    });
    expect((await fetchApiJson(sandbox, "events", { headers, json: event })).body).toMatchObject({ status: "draft" });
  });

  test("with the newer version a contributor's own event is theirs until it is published", async () => {
    const { sandbox, ask } = await siteOf({ tecVersion: "6.17.2" });
    const headers = createBasicHeader(sandbox, "contributor");
    const { body } = await fetchApiJson(sandbox, "events", { headers, json: event });
    const path = `events/${getValueAt(body, "id")}`;
    expect(await fetchApiJson(sandbox, path, { headers, json: { title: "Mine" } })).toMatchObject({ status: 200 });
    await ask(path, { json: { status: "publish" } });
    expect(await fetchApiJson(sandbox, path, { headers, json: { title: "Mine" } })).toMatchObject({ status: 403 });
    expect(await fetchApiJson(sandbox, path, { headers, method: "DELETE" })).toMatchObject({ status: 403 });
  });
});

describe("texts and dates", () => {
  test.each([
    ["A & B", "A &#038; B"],
    ['it\'s "so"', "it&#8217;s &#8220;so&#8221;"],
    ["<b>x</b>", "<b>x</b>"],
  ])("the title %s is sent as %s", async (title, expected) => {
    const { ask } = await siteOf();
    expect((await ask("events", { json: { ...event, title } })).body).toMatchObject({ title: expected });
  });

  test("lines of a place are one line of plain text, without what looks like an escaped letter", async () => {
    const { ask } = await siteOf();
    const sent = { venue: "Hall", address: "1 Road\n <b>Floor</b>  2", phone: "5%ab 6", website: "https://x.example/a%20b" };
    expect((await ask("venues", { json: sent })).body).toMatchObject({
      address: "1 Road Floor 2",
      phone: "5 6",
      website: "https://x.example/ab",
    });
  });

  test.each([
    ["0", "", []],
    ["12", "$12", ["12"]],
    ["€12.50", "€12.50", ["12.50"]],
  ])("the cost %s is sent as %s", async (cost, expected, values) => {
    const { ask } = await siteOf();
    expect((await ask("events", { json: { ...event, cost } })).body).toMatchObject({ cost: expected, cost_details: { values } });
  });

  test.each([
    ["2027-04-01T20:00:00Z", "2027-04-01 20:00:00"],
    ["2027-04-01", "2027-04-01 00:00:00"],
    ["tomorrow 9am", "2027-03-11 09:00:00"],
    ["04/05/2027 5pm", "2027-04-05 17:00:00"],
    ["13.04.2027 17:00", "2027-04-13 17:00:00"],
    ["2027-02-30 10:00", "2027-03-02 10:00:00"],
    ["2027-03-14 02:30", "2027-03-14 03:30:00"],
    ["1799575200", "2027-01-10 10:00:00"],
  ])("the date %s is stored as %s", async (date, stored) => {
    const { ask } = await siteOf();
    expect((await ask("events", { json: { ...event, start_date: date, end_date: date } })).body).toMatchObject({ start_date: stored });
  });
});

describe("discovery", () => {
  test("the front page and the index lead to the namespace; the contract's own is not there", async () => {
    const { sandbox, ask } = await siteOf();
    const { headers } = await sendRequest(sandbox.siteUrl);
    const api = `${sandbox.siteUrl}/wp-json`;
    expect(["link", "x-tec-api-version", "x-tec-api-root", "x-tec-api-origin"].map((name) => headers.get(name))).toEqual([
      `<${api}/>; rel="https://api.w.org/"`,
      "v1",
      `${api}/tribe/events/v1/`,
      sandbox.siteUrl,
    ]);
    expect(JSON.parse((await sendRequest(`${api}/`)).text)).toMatchObject({ namespaces: ["oembed/1.0", "tribe/events/v1", "wp/v2"] });
    expect((await sendRequest(`${api}/calendar/events/v1/events`)).status).toBe(404);
    expect((await ask("EVENTS/100/")).status).toBe(200);
  });

  test("without pretty addresses, records name themselves by rest_route", async () => {
    const { sandbox } = await siteOf({ permalinks: "plain" });
    const { text } = await sendRequest(`${sandbox.siteUrl}/?rest_route=/tribe/events/v1/events&per_page=1`);
    const index = `${sandbox.siteUrl}/index.php?rest_route=`;
    expect(getValueAt(JSON.parse(text), "next_rest_url")).toMatch(/&page=2$/);
    expect(String(getValueAt(JSON.parse(text), "events", 0, "rest_url")).startsWith(`${index}/tribe/events/v1/events/`)).toBe(true);
  });

  test("a POST may stand for another method", async () => {
    const { ask } = await siteOf();
    expect((await ask("events/101?_method=DELETE", { method: "POST" })).body).toMatchObject({ status: "trash" });
  });
});
