// The server profile `generic` over HTTP: docs/interface/calendar.md, and what the sandbox chose where that says "not shown".

import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { callApi, fetchApiJson, getValueAt, type RequestOptions, sendRequest, startTestSandbox } from "./client.ts";

const event = { title: "Jazz & Été", start_date: "2027-04-01 20:00:00", end_date: "2027-04-01 23:00:00" };

function idsOf(body: unknown, name = "events"): readonly unknown[] {
  const records = getValueAt(body, name);
  return Array.isArray(records) ? records.map((record) => getValueAt(record, "id")) : [];
}

async function ids(sandbox: Sandbox, path: string): Promise<readonly unknown[]> {
  const { status, body } = await fetchApiJson(sandbox, path);
  expect(status).toBe(200);
  return idsOf(body, path.split("?")[0]);
}

describe("access", () => {
  test.each([{}, { authorization: "Bearer wrong" }, { authorization: "Basic YTpi" }, { authorization: "Bearer" }])(
    "%j is 401 everywhere",
    async (headers) => {
      const sandbox = await startTestSandbox();
      for (const path of ["", "doc", "events", "events/100", "nothing"]) {
        expect((await callApi(sandbox, path, { headers })).status).toBe(401);
      }
      expect((await callApi(sandbox, "events", { headers, json: event })).status).toBe(401);
    },
  );

  test("a reader reads what is published and writes nothing", async () => {
    const sandbox = await startTestSandbox();
    const login = await sendRequest(`${sandbox.authUrl}/api/auth/6/app`, {
      json: { client_id: "cal-demo", client_secret: "cal-demo-secret", username: "reader", password: "reader-demo" },
    });
    const headers = { authorization: `Bearer ${getValueAt(JSON.parse(login.text), "_TOKEN")}` };
    expect((await fetchApiJson(sandbox, "events?status=draft", { headers })).body).toMatchObject({ events: [], total: 0 });
    expect((await fetchApiJson(sandbox, "events", { headers, json: event })).status).toBe(403);
    expect((await fetchApiJson(sandbox, "events/100", { headers, method: "DELETE" })).status).toBe(403);
  });
});

describe("writing", () => {
  test("an event: created, read by id and slug, changed in part, destroyed", async () => {
    const sandbox = await startTestSandbox();
    const made = await fetchApiJson(sandbox, "events", {
      json: { ...event, venue: [24], organizer: [31, 32], categories: [3], timezone: "Europe/Paris", cost: 12 },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        title: "Jazz & Été",
        slug: "jazz-ete",
        author: 1,
        status: "publish",
        utc_start_date: "2027-04-01 18:00:00",
        cost: 12,
        venue: { id: 24 },
        organizer: [{ id: 31 }, { id: 32 }],
        categories: [{ name: "Jazz" }],
        tags: [],
        website: "",
      },
    });
    const id = getValueAt(made.body, "id");
    expect((await fetchApiJson(sandbox, "events/by-slug/jazz-ete")).body).toEqual(made.body);
    const changed = await fetchApiJson(sandbox, `events/${id}`, { method: "PATCH", json: { title: "Other" } });
    expect(changed.body).toEqual({
      ...Object(made.body),
      title: "Other",
      modified: "2027-03-10 12:00:00",
      modified_utc: "2027-03-10 17:00:00",
    });
    expect((await fetchApiJson(sandbox, `events/${id}`, { method: "DELETE" })).body).toEqual(changed.body);
    expect(await fetchApiJson(sandbox, `events/${id}`)).toEqual({
      status: 404,
      body: { code: "rest_not_found", message: `There is no event with the id ${id}.`, data: { status: 404 } },
    });
  });

  test.each(["POST", "PUT", "PATCH"])("%s updates, by id and by slug", async (method) => {
    const sandbox = await startTestSandbox();
    expect(await fetchApiJson(sandbox, "events/100", { method, json: { cost: "9" } })).toMatchObject({ status: 200, body: { cost: "9" } });
    expect(await fetchApiJson(sandbox, "organizers/by-slug/jane-doe", { method, json: { phone: "9" } })).toMatchObject({
      status: 200,
      body: { phone: "9", email: "jane@example.org" },
    });
  });

  test("a form is as good as JSON", async () => {
    const sandbox = await startTestSandbox();
    const form = "title=Form&start_date=2027-04-01+20:00:00&end_date=2027-04-01+21:00:00&featured=1&venue[]=21&organizer=31,32";
    expect(await fetchApiJson(sandbox, "events", { form })).toMatchObject({
      status: 201,
      body: { featured: true, venue: { id: 21 }, organizer: [{ id: 31 }, { id: 32 }] },
    });
  });

  test("slugs: duplicates are numbered, other scripts are percent-encoded, and any spelling is found", async () => {
    const sandbox = await startTestSandbox();
    const make = async (title: string): Promise<unknown> =>
      getValueAt((await fetchApiJson(sandbox, "events", { json: { ...event, title } })).body, "slug");
    expect([await make("東京"), await make("東京"), await make("Ünï — ‘x’ & y")]).toEqual([
      "%e6%9d%b1%e4%ba%ac",
      "%e6%9d%b1%e4%ba%ac-2",
      "uni-x-y",
    ]);
    for (const spelling of ["%e6%9d%b1%e4%ba%ac", "%E6%9D%B1%E4%BA%AC"])
      expect((await fetchApiJson(sandbox, `events/by-slug/${spelling}`)).status).toBe(200);
  });

  test("a venue's by-slug update needs the slug in its body (4.3)", async () => {
    const sandbox = await startTestSandbox();
    expect(await fetchApiJson(sandbox, "venues/by-slug/town-hall", { method: "PATCH", json: { city: "Troy" } })).toMatchObject({
      status: 400,
      body: { code: "rest_missing_callback_param", data: { params: ["slug"] } },
    });
    expect(
      await fetchApiJson(sandbox, "venues/by-slug/town-hall", { method: "PATCH", json: { city: "Troy", slug: "town-hall" } }),
    ).toMatchObject({
      status: 200,
      body: { city: "Troy" },
    });
    expect((await fetchApiJson(sandbox, "venues/23", { method: "PATCH", json: { slug: "x" } })).status).toBe(400);
  });

  test("a deleted venue leaves its events; a deleted category's children move up", async () => {
    const sandbox = await startTestSandbox();
    await fetchApiJson(sandbox, "venues/21", { method: "DELETE" });
    expect((await fetchApiJson(sandbox, "events/100")).body).toMatchObject({ venue: [] });
    await fetchApiJson(sandbox, "categories/3", { method: "DELETE" });
    expect((await fetchApiJson(sandbox, "categories/4")).body).toMatchObject({ parent: 2 });
    expect((await fetchApiJson(sandbox, "events/100")).body).toMatchObject({ categories: [] });
  });
});

describe("a refusal names every problem at once", () => {
  const refused: readonly (readonly [what: string, path: string, json: unknown, body: unknown])[] = [
    ["all missing", "events", {}, { code: "rest_missing_callback_param", data: { params: ["title", "start_date", "end_date"] } }],
    ["missing name", "venues", { city: "x" }, { data: { params: ["venue"] } }],
    ["an empty name", "tags", { name: "" }, { data: { params: { name: "name must not be empty." } } }],
    [
      "unknown keys",
      "tags",
      { name: "x", colour: 1, id: 5 },
      { data: { params: { colour: "colour is not a field of this resource.", id: "id is not a field of this resource." } } },
    ],
    [
      "types",
      "events",
      { ...event, all_day: "true", venue: 21, organizer: ["31"], author: "1", cost: [1] },
      {
        code: "rest_invalid_param",
        message: "Invalid parameter(s): author, all_day, cost, venue, organizer",
        data: {
          params: {
            all_day: "all_day is not of type boolean.",
            venue: "venue is not of type array of integer.",
            author: "author is not of type integer.",
          },
        },
      },
    ],
    [
      "links",
      "events",
      { ...event, venue: [999], organizer: [31, 998] },
      {
        data: {
          params: { venue: "venue names venues that do not exist: 999.", organizer: "organizer names organizers that do not exist: 998." },
        },
      },
    ],
    [
      "dates",
      "events",
      { ...event, start_date: "2027-02-30 10:00:00" },
      { data: { params: { start_date: "start_date is not a date-time in the form YYYY-MM-DD HH:MM:SS." } } },
    ],
    [
      "order of dates",
      "events",
      { ...event, end_date: "2027-03-01 10:00:00" },
      { data: { params: { end_date: "end_date is before start_date." } } },
    ],
    ["zones", "events", { ...event, timezone: "Mars/Olympus" }, { data: { params: { timezone: "timezone is not a time zone." } } }],
    ["booleans in venues", "venues", { venue: "x", show_map: true }, { data: { params: { show_map: "show_map is not of type string." } } }],
    ["null", "organizers", { organizer: "x", phone: null }, { data: { params: { phone: "phone is not of type string." } } }],
    ["circles", "categories/2", { parent: 4 }, { data: { params: { parent: "parent is the category itself or one below it." } } }],
  ];

  test.each(refused)("%s", async (_what, path, json, body) => {
    const sandbox = await startTestSandbox();
    const before = await fetchApiJson(sandbox, "events?per_page=100");
    expect(await fetchApiJson(sandbox, path, { json })).toMatchObject({ status: 400, body });
    expect(await fetchApiJson(sandbox, "events?per_page=100")).toEqual(before);
  });

  test.each([
    ["events?page=0&per_page=101&featured=maybe&start_date=x", ["start_date", "featured", "page", "per_page"]],
    ["events?venue=a", ["venue"]],
    ["tags?hide_empty=no", ["hide_empty"]],
    ["events?status=any", ["status"]],
  ])("%s", async (path, names) => {
    const { status, body } = await fetchApiJson(await startTestSandbox(), path);
    expect([status, Object.keys(Object(getValueAt(body, "data", "params"))).sort()]).toEqual([400, [...names].sort()]);
  });

  test("one half of a place is missing the other", async () => {
    expect((await fetchApiJson(await startTestSandbox(), "events?geoloc_lat=40")).body).toMatchObject({ data: { params: ["geoloc_lng"] } });
  });
});

describe("lists", () => {
  test("pages, totals and headers; past the end is empty", async () => {
    const sandbox = await startTestSandbox();
    const reply = await callApi(sandbox, "venues?per_page=3&page=2");
    expect([reply.headers.get("x-wp-total"), reply.headers.get("x-wp-totalpages")]).toEqual(["8", "3"]);
    expect(idsOf(JSON.parse(reply.text), "venues")).toEqual([25, 24, 23]);
    expect((await fetchApiJson(sandbox, "venues?per_page=3&page=9")).body).toMatchObject({ venues: [], total: 8, total_pages: 3 });
    expect((await callApi(sandbox, "venues", { method: "HEAD" })).headers.get("x-wp-total")).toBe("8");
  });

  test("filters of events", async () => {
    const sandbox = await startTestSandbox();
    const all = await ids(sandbox, "events?per_page=100");
    expect(all).toHaveLength(60);
    const tokyo = await ids(sandbox, "events?venue=25");
    expect(tokyo).toHaveLength(2);
    expect(await ids(sandbox, "events?venue[]=25&per_page=100")).toEqual(tokyo);
    expect(await ids(sandbox, "events?tags=16&categories=3")).toEqual(tokyo);
    expect(await ids(sandbox, "events?search=ジャズ")).toEqual(tokyo);
    expect(await ids(sandbox, "events?geoloc_lat=35.6&geoloc_lng=139.7")).toEqual(tokyo);
    expect(await ids(sandbox, "events?start_date=2027-03-11%2000:00:00&end_date=2027-03-12%2023:59:59")).toEqual([103, 120]);
    expect(await ids(sandbox, "events?status=private,pending")).toHaveLength(2);
    expect(
      (await ids(sandbox, "events?featured=true&per_page=100")).length + (await ids(sandbox, "events?featured=false&per_page=100")).length,
    ).toBe(60);
    expect((await ids(sandbox, "events?geoloc=true&per_page=100")).length).toBeLessThan(60);
  });

  test("filters of venues and terms; empty terms hide unless requested", async () => {
    const sandbox = await startTestSandbox();
    expect(await ids(sandbox, "venues?event=100")).toEqual([21]);
    expect(await ids(sandbox, "venues?search=paris")).toEqual([24]);
    expect(await ids(sandbox, "organizers?has_events=false")).toEqual([]);
    expect(await ids(sandbox, "venues?only_with_upcoming=true")).not.toEqual([]);
    expect(await ids(sandbox, "tags")).not.toContain(19);
    expect(await ids(sandbox, "tags?hide_empty=0")).toContain(19);
    expect(await ids(sandbox, "categories?parent=2&orderby=id&order=desc")).toEqual([5, 3]);
    expect(await ids(sandbox, "categories?slug=jazz")).toEqual([3]);
    expect(await ids(sandbox, "tags?event=100")).toEqual([17]);
    expect(await ids(sandbox, "tags?include=12,13&exclude=13")).toEqual([12]);
  });
});

describe("routes", () => {
  const none: readonly (readonly [path: string, ask: RequestOptions])[] = [
    ["events/abc", {}],
    ["events/1/2", {}],
    ["tags/by-slug/free", {}],
    ["categories/jazz", {}],
    ["events", { method: "DELETE" }],
    ["events", { method: "PUT", json: {} }],
    ["events/by-slug/a/b", {}],
    ["events/by-slug/%ff", {}],
    ["events//1", {}],
    ["doc", { json: {} }],
    ["unknown", {}],
  ];

  test.each(none)("%s %j is none", async (path, ask) => {
    expect(await fetchApiJson(await startTestSandbox(), path, ask)).toMatchObject({ status: 404, body: { code: "rest_no_route" } });
  });

  test("the root and the document list every route of the interface", async () => {
    const sandbox = await startTestSandbox();
    const root = await fetchApiJson(sandbox, "?context=view&namespace=calendar/events/v1");
    expect(Object.keys(Object(getValueAt(root.body, "routes"))).map((path) => path.replace("/calendar/events/v1", ""))).toEqual([
      "",
      "/doc",
      ...["events", "venues", "organizers"].flatMap((name) => [`/${name}`, `/${name}/(?P<id>\\d+)`, `/${name}/by-slug/(?P<slug>[^/]+)`]),
      ...["categories", "tags"].flatMap((name) => [`/${name}`, `/${name}/(?P<id>\\d+)`]),
    ]);
    expect((await fetchApiJson(sandbox, "?namespace=other/v1")).status).toBe(404);
    expect((await fetchApiJson(sandbox, "?context=sideways")).status).toBe(400);
    expect(await fetchApiJson(sandbox, "doc")).toMatchObject({
      status: 200,
      body: { openapi: "3.0.0", paths: { "/events": { post: {} }, "/tags/{id}": { patch: {} } } },
    });
  });

  test("a site without pretty addresses answers by rest_route, and elsewhere with its home page", async () => {
    const sandbox = await startTestSandbox({ permalinks: "plain" });
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const url = `${sandbox.siteUrl}/?rest_route=/calendar/events/v1/events`;
    expect(JSON.parse((await sendRequest(`${url}&per_page=2`, { headers })).text)).toMatchObject({ total: 60, total_pages: 30 });
    const page = await sendRequest(`${sandbox.siteUrl}/wp-json/calendar/events/v1/events`, { headers, json: event });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    expect((await sendRequest(`${sandbox.siteUrl}/wp-json/x`)).status).toBe(301);
    expect((await sendRequest(sandbox.siteUrl)).headers.get("link")).toBe(
      `<${sandbox.siteUrl}/index.php?rest_route=/>; rel="https://api.w.org/"`,
    );
  });

  test("the front page and the REST index are open, and lead to the interface", async () => {
    const sandbox = await startTestSandbox();
    expect((await sendRequest(sandbox.siteUrl)).headers.get("link")).toBe(`<${sandbox.baseUrl}/>; rel="https://api.w.org/"`);
    expect(JSON.parse((await sendRequest(`${sandbox.baseUrl}/`)).text)).toMatchObject({
      namespaces: ["calendar/events/v1"],
      timezone_string: "America/New_York",
      gmt_offset: -5,
    });
  });
});
