// A second round of recordings, from both versions of The Events Calendar: stored values, prices, passwords, drafts, names and web servers.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import {
  callApi,
  createBasicHeader,
  fetchApiJson,
  getValueAt,
  noon,
  type RequestOptions,
  readRecordedResponse,
  sendRequest,
  startTestSandbox,
} from "./client.ts";
import type { FixtureOptions } from "./fixtures.ts";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Site {
  readonly sandbox: Sandbox;
  /** The calendar interface, as the admin or as another user; "" is a visitor. */
  ask(path: string, ask?: RequestOptions, username?: string): Promise<Answer>;
  /** The same for `wp/v2`. */
  askCore(path: string, ask?: RequestOptions, username?: string): Promise<Answer>;
}

async function siteOf(options: Partial<FixtureOptions> = {}): Promise<Site> {
  const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar", ...options });
  const headersOf = (username: string) => (username === "" ? {} : createBasicHeader(sandbox, username));
  return {
    sandbox,
    ask: (path, ask = {}, username = "admin") => fetchApiJson(sandbox, path, { headers: headersOf(username), ...ask }),
    askCore: async (path, ask = {}, username = "admin") => {
      const { status, text } = await sendRequest(`${sandbox.baseUrl}/wp/v2/${path}`, { headers: headersOf(username), ...ask });
      return { status, body: JSON.parse(text) };
    },
  };
}

const versions = [
  ["6.10", "a"],
  ["6.17.2", "b"],
] as const;

const event = { title: "New", start_date: "2027-04-01 20:00:00", end_date: "2027-04-01 23:00:00" };

async function createEvent({ ask }: Site, fields: object = {}): Promise<number> {
  return Number(getValueAt((await ask("events", { json: { ...event, ...fields } })).body, "id"));
}

/** Writes rows as they would be in the database. */
async function storeMeta({ askCore }: Site, id: number, meta: object): Promise<void> {
  expect((await askCore(`tribe_events/${id}`, { json: { meta } })).status).toBe(200);
}

function pick(body: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, getValueAt(body, name)]));
}

describe.each(versions)("as recorded from %s", (tecVersion, letter) => {
  const recorded = (name: string): Answer => readRecordedResponse(`${letter}_${name}`, "-edge");

  test("a price whose text has a comma is shown as its cents, and lost by an update without it", async () => {
    const site = await siteOf({ tecVersion });
    const id = await createEvent(site);
    await storeMeta(site, id, { _EventCost: "1,234.56" });
    const price = ["cost", "cost_details"];
    expect(pick((await site.ask(`events/${id}`)).body, price)).toEqual(pick(recorded("cost_big_get").body, price));
    const stored = getValueAt(recorded("cost_big_wpv2").body, "meta");
    const ours = getValueAt((await site.askCore(`tribe_events/${id}?context=edit`)).body, "meta");
    expect(Object.keys(Object(ours))).toEqual(Object.keys(Object(stored)));
    const rows = ["_EventCost", "_EventCurrencySymbol", "_EventCurrencyPosition", "_EventAllDay", "_EventTimezone", "_EventOrganizerID"];
    expect(pick(ours, rows)).toEqual(pick(stored, rows));
    const patched = await site.ask(`events/${id}`, { method: "PATCH", json: { title: "Renamed" } });
    expect(pick(patched.body, price)).toEqual(pick(recorded("cost_big_patch_string").body, price));
  });

  test("a range with a symbol is shown without it", async () => {
    const site = await siteOf({ tecVersion });
    const id = await createEvent(site);
    const price = ["cost", "cost_details"];
    const patched = await site.ask(`events/${id}`, { method: "PATCH", json: { cost: "€10 – €20", title: "Renamed" } });
    expect(pick(patched.body, price)).toEqual(pick(recorded("cost_range_patch_string").body, price));
    expect(pick((await site.ask(`events/${id}`)).body, price)).toEqual(pick(recorded("cost_range_get_after_string").body, price));
  });

  test("an event with a password is read with it, or by who may edit it and asks for that", async () => {
    const site = await siteOf({ tecVersion });
    const id = await createEvent(site, { cost: "5" });
    await site.askCore(`tribe_events/${id}`, { json: { password: "open" } });
    expect(await site.ask(`events/${id}`)).toEqual(recorded("password_get"));
    expect(await site.ask(`events/${id}?context=edit`, {}, "")).toEqual(recorded("password_get_edit_visitor"));
    expect(await site.ask(`events/${id}?context=edit`)).toMatchObject({ status: 200, body: { title: "New", cost: "$5" } });
    expect(await site.ask(`events/${id}?password=open`, {}, "")).toMatchObject({ status: 200 });
    expect(await site.ask(`events/${id}?password=wrong`, {}, "")).toMatchObject({ status: 403 });
    expect(await site.ask(`events/${id}`, { method: "PATCH", json: { title: "Renamed" } })).toMatchObject({
      status: 200,
      body: { title: "Renamed", cost: "", status: "publish" },
    });
    expect((await site.ask(`events/${id}`)).status).toBe(403);
    const rows = getValueAt((await site.ask("events?search=Renamed&start_date=2027-04-01&end_date=2027-04-02")).body, "events");
    expect(rows).toMatchObject([{ id, title: "Renamed", description: "", all_day: null, featured: null, sticky: null, venue: [] }]);
  });

  test("a draft's date becomes now, unless the one in UTC is sent along", async () => {
    let now = noon;
    const site = await siteOf({ tecVersion, now: () => now });
    const id = await createEvent(site, { status: "draft", date: "2027-01-02 03:04:05" });
    expect((await site.ask(`events/${id}`, {}, "")).status).toBe(recorded("draft_get_visitor").status);
    const theirs = recorded("draft_patch_2").body;
    expect(theirs).toMatchObject({ date: getValueAt(theirs, "modified"), date_utc: "0000-00-00 00:00:00", status: "draft", slug: "" });
    now += 3_600_000;
    const patch = async (json: object): Promise<unknown> => (await site.ask(`events/${id}`, { method: "PATCH", json })).body;
    expect(await patch({ title: "Renamed", status: "draft", date: "2027-01-02 03:04:05" })).toMatchObject({
      date: "2027-03-10 13:00:00",
      modified: "2027-03-10 13:00:00",
      date_utc: "0000-00-00 00:00:00",
    });
    const kept = { status: "draft", date: "2027-01-02 03:04:05", date_utc: "2027-01-02 08:04:05" };
    expect(await patch({ title: "Renamed", ...kept })).toMatchObject(kept);
    expect(await patch({ title: "Again", ...kept })).toMatchObject(kept);
    const raw = await site.askCore(`tribe_events/${id}?context=edit&_fields=id,date,date_gmt,status`);
    expect(raw).toEqual({ status: 200, body: { id, date: "2027-01-02T03:04:05", date_gmt: "2027-01-02T08:04:05", status: "draft" } });
    expect(Object.keys(Object(raw.body))).toEqual(Object.keys(Object(recorded("draft_wpv2").body)));
  });

  test.each([
    ["venue_missing", "events?venue=99999"],
    ["search_empty", "events?search="],
    ["status_draft_visitor", "events?status=draft"],
  ])("%s", async (name, path) => {
    const { ask } = await siteOf({ tecVersion });
    expect(await ask(path, {}, "")).toEqual(recorded(name));
  });

  test("geolocation filters change nothing", async () => {
    const { ask } = await siteOf({ tecVersion });
    const total = async (query: string): Promise<unknown> =>
      getValueAt((await ask(`events?start_date=2020-01-01&per_page=2${query}`, {}, "")).body, "total");
    expect([recorded("geoloc").status, await total("&geoloc=true&geoloc_lat=1&geoloc_lng=x")]).toEqual([200, await total("")]);
  });

  test("the search of places knows words of ASCII letters only", async () => {
    const { ask } = await siteOf({ tecVersion });
    for (const [search, name] of [
      ["渋谷", "venue_search_cjk"],
      ["Tówn", "venue_search_accent"],
    ] as const) {
      const { body } = await ask(`venues?search=${encodeURIComponent(search)}`);
      const names = (answer: unknown) => [getValueAt(answer, "venues", 0, "venue"), getValueAt(answer, "venues", 1)];
      expect(names(body)).toEqual(names(recorded(name).body));
    }
    expect((await ask(`venues?search=${encodeURIComponent("渋谷")}`)).body).toMatchObject({ venues: [], total: 8 });
    expect((await ask(`organizers?search=${encodeURIComponent("株式会社")}`)).body).toMatchObject({ organizers: [], total: 6 });
    expect((await ask(`venues/by-slug/${encodeURIComponent("渋谷文化ホール")}`)).body).toMatchObject({ id: 25 });
  });

  test.each([
    ["venue_create_accent", { venue: "Tówn Hall", city: "NEWCITY" }, 23],
    ["venue_create_cjk", { venue: "渋谷文化ホール", city: "Osaka" }, 25],
  ] as const)("%s writes into the venue that is there", async (name, json, id) => {
    const { ask } = await siteOf({ tecVersion });
    const before = (await ask(`venues/${id}`)).body;
    const { status, body } = await ask("venues", { json });
    expect(status).toBe(recorded(name).status);
    const names = ["venue", "slug", "city"];
    expect(pick(body, names)).toEqual(pick(recorded(name).body, names));
    expect(body).toMatchObject({ id, ...pick(before, ["modified_utc", "address", "country", "zip", "show_map"]) });
    expect(body).not.toHaveProperty("stateprovince");
    expect(getValueAt((await ask("venues")).body, "total")).toBe(8);
  });

  test("an organizer's name merges in any case and with any accents", async () => {
    const { ask } = await siteOf({ tecVersion });
    expect(await ask("organizers", { json: { organizer: "JANE DÖE", phone: "1" } })).toMatchObject({
      status: 201,
      body: { id: 31, organizer: "Jane Doe", phone: "1" },
    });
  });
});

describe("the trash", () => {
  test("of the newer version: not read, and restored by an update, which empties the rest", async () => {
    const { ask } = await siteOf({ tecVersion: "6.17.2" });
    await ask("events/103", { method: "DELETE" });
    expect(await ask("events/103")).toEqual(readRecordedResponse("b_untrash_get", "-edge"));
    const { status, body } = await ask("events/103", { method: "PATCH", json: { status: "publish" } });
    const names = ["status", "cost", "website", "organizer", "all_day", "timezone", "featured", "image"];
    const recorded = readRecordedResponse("b_untrash_patch", "-edge");
    expect([status, pick(body, names)]).toEqual([recorded.status, pick(recorded.body, names)]);
    expect(getValueAt(body, "slug")).not.toContain("__trashed");
  });

  test("an event leaves it through wp/v2 as it was", async () => {
    const { ask, askCore } = await siteOf();
    const names = ["title", "slug", "status", "cost", "website", "featured", "timezone", "date", "start_date", "organizer"];
    const before = pick((await ask("events/103")).body, names);
    await ask("events/103", { method: "DELETE" });
    expect(await askCore("tribe_events/103", { json: { status: "publish" } })).toMatchObject({ status: 200, body: { status: "publish" } });
    expect(pick((await ask("events/103")).body, names)).toEqual(before);
    expect(await askCore("tribe_events/21", { json: { status: "publish" } })).toEqual(readRecordedResponse("a_untrash_wpv2", "-edge"));
  });
});

describe("stored values", () => {
  test("are read by who may edit the event", async () => {
    const site = await siteOf();
    const id = await createEvent(site, { title: "A & B", description: "One\n\nTwo", excerpt: "“x”" });
    const path = `tribe_events/${id}?context=edit`;
    for (const username of ["admin", "editor"])
      expect(await site.askCore(path, {}, username)).toMatchObject({
        status: 200,
        body: { title: { raw: "A & B", rendered: "A &#038; B" }, content: { raw: "One\n\nTwo" }, excerpt: { raw: "“x”" }, tags: [] },
      });
    for (const username of ["author", "contributor", "reader"])
      expect(await site.askCore(path, {}, username)).toMatchObject({ status: 403, body: { code: "rest_forbidden_context" } });
    expect(await site.askCore(path, {}, "")).toMatchObject({ status: 401, body: { code: "rest_forbidden_context" } });
    const own = (await site.ask("events", { json: event }, "author")).body;
    expect((await site.askCore(`tribe_events/${getValueAt(own, "id")}?context=edit`, {}, "author")).status).toBe(200);
    expect(await site.askCore(`tribe_events/${id}?_fields=title.rendered,status`, {}, "")).toEqual({
      status: 200,
      body: { title: { rendered: "A &#038; B" }, status: "publish" },
    });
  });

  test("are written alone", async () => {
    const site = await siteOf();
    const full = { description: "d", cost: "5", website: "https://x.example/", organizer: [31], featured: true, image: "41", tags: [12] };
    const id = await createEvent(site, { ...full, date: "2027-01-02 03:04:05" });
    const { body: before } = await site.ask(`events/${id}`);
    await storeMeta(site, id, { _EventCost: "10+", _EventCurrencySymbol: "€", _EventCurrencyPosition: "suffix", _Unknown: 1 });
    const { cost: _1, cost_details: _2, ...others } = Object(before);
    expect((await site.ask(`events/${id}`)).body).toMatchObject({
      ...others,
      cost: "10€",
      cost_details: { currency_symbol: "€", currency_position: "suffix", values: ["10"] },
    });
    expect(await site.askCore(`tribe_events/${id}`, { json: { meta: { _EventCost: 5 } } })).toMatchObject({ status: 400 });
    expect(await site.askCore(`tribe_events/${id}`, { json: { meta: { _EventCost: "5" } } }, "author")).toMatchObject({
      status: 403,
      body: { code: "rest_cannot_edit" },
    });
  });

  test("of places, whole and in the order of their ids", async () => {
    const { askCore, sandbox } = await siteOf();
    const { body } = await askCore("tribe_venue?orderby=id&order=asc&per_page=3&page=2&status=any&_fields=id,title.raw&context=edit");
    expect(body).toEqual([
      { id: 24, title: { raw: "Café de l’Été" } },
      { id: 25, title: { raw: "渋谷文化ホール" } },
      { id: 26, title: { raw: "Rabindra Mancha" } },
    ]);
    const { headers } = await sendRequest(`${sandbox.baseUrl}/wp/v2/tribe_organizer?per_page=4`);
    expect([headers.get("x-wp-total"), headers.get("x-wp-totalpages")]).toEqual(["6", "2"]);
    expect(await askCore("tribe_venue?page=9")).toMatchObject({ status: 400, body: { code: "rest_post_invalid_page_number" } });
    expect(await askCore("tribe_venue?status=draft", {}, "")).toMatchObject({ status: 400 });
    expect(await askCore("posts")).toMatchObject({ status: 404, body: { code: "rest_no_route" } });
  });

  test("are out of reach where the site switches wp/v2 off", async () => {
    const { ask, askCore } = await siteOf({ wpV2Status: 404 });
    expect(await askCore("tribe_events/101?context=edit")).toMatchObject({ status: 404, body: { code: "rest_no_route" } });
    expect((await ask("events/101")).status).toBe(200);
    expect((await askCore("users/me")).status).toBe(200);
  });
});

describe("prices", () => {
  const rows = (cost: string, symbol: string, position: string) => ({
    _EventCost: cost,
    _EventCurrencySymbol: symbol,
    _EventCurrencyPosition: position,
  });

  // What is stored, what is shown, and what is shown after the shown text, or its parts as an array, was sent back.
  test.each([
    ["10", "", "", "$10", "$10", "$10"],
    ["10 - 20", "€", "prefix", "€10 – €20", "$10 – $20", "€10 – €20"],
    ["10 - 20", "kr", "suffix", "10kr – 20kr", "$10 – $20", "10kr – 20kr"],
    ["12.50", "€", "suffix", "12.50€", "12.50€", "12.50€"],
    ["5,50", "€", "suffix", "5,50€", "$5,50", "$5,50"],
    ["1,234.56", "", "", "$.56", "$.56", "$.56"],
    ["10+", "", "", "$10", "$10", "$10"],
    ["Free / $10", "", "", "$10", "$10", "$10"],
    ["€ 8", "", "", "$8", "$8", "$8"],
    ["Donation", "", "", "Donation", "Donation", "Donation"],
    ["0", "", "", "Free", "Free", "Free"],
  ])("%s %s %s", async (cost, symbol, position, shown, again, asArray) => {
    const site = await siteOf();
    const id = await createEvent(site);
    const stored = rows(cost, symbol, position);
    const shownPrice = async (): Promise<unknown> => getValueAt((await site.ask(`events/${id}`)).body, "cost");
    const send = async (sent: unknown): Promise<unknown> =>
      getValueAt((await site.ask(`events/${id}`, { method: "PATCH", json: { cost: sent } })).body, "cost");
    await storeMeta(site, id, stored);
    expect(await shownPrice()).toBe(shown);
    expect(await send(shown)).toBe(again);
    expect(await send(shown.split(" – "))).toBe(asArray);
    await storeMeta(site, id, stored);
    const meta = getValueAt((await site.askCore(`tribe_events/${id}?context=edit`)).body, "meta");
    expect([await shownPrice(), pick(meta, Object.keys(stored))]).toEqual([shown, stored]);
  });

  test("raw text is parsed anew by the calendar interface", async () => {
    const site = await siteOf();
    const id = await createEvent(site, { cost: "€ 8" });
    expect((await site.ask(`events/${id}`)).body).toMatchObject({
      cost: "€8",
      cost_details: { currency_symbol: "€", currency_position: "prefix", values: ["8"] },
    });
    expect(getValueAt((await site.askCore(`tribe_events/${id}?context=edit`)).body, "meta", "_EventCost")).toBe("€ 8");
  });
});

describe("lists of places", () => {
  const walk = async (site: Site, query: string, username: string): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const venues = getValueAt((await site.ask(`venues?per_page=50&page=${page}${query}`, {}, username)).body, "venues");
      if (Array.isArray(venues)) found.push(...venues.map((venue) => Number(getValueAt(venue, "id"))));
    }
    return found;
  };

  test("lose records of one second for users who are logged in, unless one status is asked for", async () => {
    const site = await siteOf();
    for (let index = 0; index < 133; index += 1) await site.ask("venues", { json: { venue: `Hall ${index}` } });
    const recorded: unknown = JSON.parse(readFileSync(new URL("../recorded-edge/a_venues_ties.json", import.meta.url), "utf8"));
    const pages = [1, 2, 3].map((page) => getValueAt(recorded, "runs", "administrator", String(page)));
    const theirs = pages.flatMap((page) => (Array.isArray(page) ? page : []));
    expect([theirs.length, new Set(theirs).size]).toEqual([141, 79]);
    const ours = await walk(site, "", "admin");
    expect(ours.length).toBe(141);
    expect(new Set(ours).size).toBeLessThan(141);
    expect(new Set(await walk(site, "&status=publish,draft", "admin")).size).toBeLessThan(141);
    expect(new Set(await walk(site, "&status=publish", "admin")).size).toBe(141);
    expect(new Set(await walk(site, "", "")).size).toBe(141);
  });

  test("of two statuses the last one counts", async () => {
    const { ask } = await siteOf();
    const total = async (query: string): Promise<unknown> => getValueAt((await ask(`events?start_date=2020-01-01&${query}`)).body, "total");
    expect(await total("status=draft&status=pending")).toBe(await total("status=pending"));
    expect(await total("status=draft,pending")).toBe(Number(await total("status=draft")) + Number(await total("status=pending")));
  });
});

describe("saves", () => {
  test("refuse a website or a picture that is stored and does not validate", async () => {
    const site = await siteOf();
    const id = await createEvent(site);
    await storeMeta(site, id, { _EventURL: "www.example.org" });
    expect((await site.ask(`events/${id}`)).body).toMatchObject({ website: "www.example.org" });
    expect(await site.ask(`events/${id}`, { json: { title: "x", website: "www.example.org" } })).toMatchObject({
      status: 400,
      body: { code: "rest_invalid_param", data: { params: { website: "Invalid parameter." } } },
    });
    await site.askCore(`tribe_events/${id}`, { json: { featured_media: 42 } });
    expect((await site.ask(`events/${id}`)).body).toMatchObject({ image: { id: 42 } });
    expect(await site.ask(`events/${id}`, { json: { title: "x", image: "42" } })).toMatchObject({
      status: 400,
      body: { data: { params: { image: "Invalid parameter." } } },
    });
  });

  test("strip percent-encoded characters of a website, by both interfaces", async () => {
    const site = await siteOf();
    const id = await createEvent(site, { website: "https://x.example/a%20b" });
    expect((await site.ask(`events/${id}`)).body).toMatchObject({ website: "https://x.example/ab" });
    await storeMeta(site, id, { _EventURL: "https://x.example/%C3%A9t%c3%a9" });
    expect((await site.ask(`events/${id}`)).body).toMatchObject({ website: "https://x.example/t" });
  });

  test("by authors and contributors lose tags, whoever wrote them", async () => {
    const site = await siteOf();
    const description = '<p>a</p><script>b()</script><iframe src="https://x.example/"></iframe><style>c{}</style>';
    const own = (await site.ask("events", { json: { ...event, description } }, "author")).body;
    expect(own).toMatchObject({ description: "<p>a</p>b()c{}" });
    const id = Number(getValueAt(own, "id"));
    const raw = async (): Promise<unknown> => getValueAt((await site.askCore(`tribe_events/${id}?context=edit`)).body, "content", "raw");
    await site.ask(`events/${id}`, { json: { description } });
    expect(await raw()).toBe(description);
    await site.ask(`events/${id}`, { json: { title: "x" } }, "author");
    expect(await raw()).toBe("<p>a</p>b()c{}");
    await site.ask(`events/${id}`, { json: { description } });
    await site.askCore(`tribe_events/${id}`, { json: { meta: {} } }, "author");
    expect(await raw()).toBe("<p>a</p>b()c{}");
  });

  test("stretch an all-day event to the end of its last day", async () => {
    const { ask } = await siteOf();
    const days = { start_date: "2027-04-01 00:00:00", end_date: "2027-04-02 00:00:00", all_day: true };
    expect((await ask("events", { json: { title: "x", ...days } })).body).toMatchObject({ end_date: "2027-04-02 23:59:59" });
  });

  test.each(["events", "wp/v2"])("of a published event publish the drafts of its places (%s)", async (by) => {
    const site = await siteOf();
    const idOf = async (path: string, json: object): Promise<number> => Number(getValueAt((await site.ask(path, { json })).body, "id"));
    const venue = await idOf("venues", { venue: "Draft Hall", status: "draft" });
    const organizer = await idOf("organizers", { organizer: "Draft Jane", status: "draft" });
    const trashed = await idOf("organizers", { organizer: "Trashed Jane" });
    const id = await createEvent(site, { status: "draft", venue, organizer: [organizer, trashed] });
    await site.ask(`organizers/${trashed}`, { method: "DELETE" });
    const statuses = async (): Promise<unknown> => {
      const paths = [`venues/${venue}`, `organizers/${organizer}`, `organizers/${trashed}`];
      return Promise.all(paths.map(async (path) => getValueAt((await site.ask(path)).body, "status")));
    };
    expect(await statuses()).toEqual(["draft", "draft", "trash"]);
    if (by === "events") await site.ask(`events/${id}`, { json: { status: "publish", organizer: [organizer, trashed] } });
    else await site.askCore(`tribe_events/${id}`, { json: { status: "publish" } });
    expect(await statuses()).toEqual(["publish", "publish", "publish"]);
    expect((await site.ask(`organizers/${trashed}`)).body).toMatchObject({ slug: "trashed-jane" });
  });
});

describe("web servers", () => {
  test("without rewrites refuse some methods at the plain address", async () => {
    const { sandbox } = await siteOf({ permalinks: "plain", withoutRewrites: true });
    const headers = createBasicHeader(sandbox, "admin");
    const send = (path: string, method: string, more: object = {}) =>
      sendRequest(`${sandbox.siteUrl}${path}`, { method, headers: { ...headers, ...more }, form: "title=x" });
    const route = "?rest_route=/tribe/events/v1/events/101";
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const refused = await send(`/${route}`, method);
      expect([refused.status, refused.headers.get("content-type")]).toEqual([405, "text/html; charset=UTF-8"]);
    }
    expect((await send(`/index.php${route}`, "PATCH")).status).toBe(200);
    expect((await sendRequest(`${sandbox.siteUrl}/wp-json/tribe/events/v1/events`)).status).toBe(404);
    expect(JSON.parse((await send(`/${route}`, "POST", { "x-http-method-override": "DELETE" })).text)).toMatchObject({ status: "trash" });
    expect((await send(`/${route}&_method=DELETE`, "POST")).status).toBe(410);
  });

  test("that drop the login make everybody a visitor", async () => {
    const { sandbox, ask, askCore } = await siteOf({ dropsAuthorization: true });
    expect(await ask("events/101", { method: "PATCH", json: { title: "x" } })).toEqual(readRecordedResponse("a_strip_write", "-edge"));
    expect(await askCore("users/me")).toEqual(readRecordedResponse("a_strip_me", "-edge"));
    expect(sandbox.requests().map(({ scheme }) => scheme)).toEqual(["basic", "basic"]);
  });
});

describe("other servers", () => {
  const total = async (sandbox: Sandbox, query: string): Promise<unknown> =>
    getValueAt((await fetchApiJson(sandbox, `events${query}`)).body, "total");

  test("apply the default of start_date that the interface document has", async () => {
    const all = await total(await startTestSandbox(), "");
    const sandbox = await startTestSandbox({ defaultStartDate: "2027-03-10 12:00:00" });
    expect(Number(await total(sandbox, ""))).toBeLessThan(Number(all));
    expect(await total(sandbox, "?start_date=2000-01-01+00:00:00")).toBe(all);
  });

  test("refuse fields that their documentation does not have", async () => {
    const sandbox = await startTestSandbox({ unknownFields: ["categories", "tags"] });
    expect(await fetchApiJson(sandbox, "events", { json: { ...event, categories: [3], tags: [12] } })).toMatchObject({
      status: 400,
      body: { code: "rest_invalid_param", data: { params: { categories: expect.any(String), tags: expect.any(String) } } },
    });
    expect((await fetchApiJson(sandbox, "events", { json: event })).status).toBe(201);
    const { body: document } = await fetchApiJson(sandbox, "doc");
    const fieldsOf = (path: string): unknown =>
      getValueAt(document, "paths", path, "post", "requestBody", "content", "application/json", "schema", "properties");
    expect(Object.keys(Object(fieldsOf("/events")))).toEqual(expect.arrayContaining(["title", "venue"]));
    expect(fieldsOf("/events")).not.toHaveProperty("categories");
    const { body: index } = await fetchApiJson(sandbox, "");
    const endpoint = (at: number): unknown => getValueAt(index, "routes", "/calendar/events/v1/events", "endpoints", at, "args");
    expect(endpoint(0)).toHaveProperty("categories");
    expect(endpoint(1)).not.toHaveProperty("categories");
    expect((await callApi(sandbox, "categories")).status).toBe(200);
  });
});
