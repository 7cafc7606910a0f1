// Finding the calendar of a website: recorded answers of real sites, and servers of our own making.

import { afterEach, describe, expect, it } from "vitest";
import { discover } from "../../../src/api/discover.ts";
import type { Transport } from "../../../src/http/transport.ts";
import { createJsonResponse, notFoundResponse, readRecordedResponse, startTestSite, type TestResponse } from "./site.ts";

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function site(answers: Readonly<Record<string, TestResponse>>) {
  const served = await startTestSite(answers);
  close = served.close;
  return served;
}

const authorization = "http://127.0.0.1:8089/wp-admin/authorize-application.php";
const wordpress = createJsonResponse({
  name: "TEC Test Site",
  namespaces: ["oembed/1.0", "tribe/event-aggregator/v1", "tribe/events/v1", "wp/v2"],
  timezone_string: "America/New_York",
  gmt_offset: -5,
  authentication: { "application-passwords": { endpoints: { authorization } } },
  routes: {},
});

/** What the index above says, at the origin where it is served. */
function tec(origin: string, base: string) {
  return {
    base_url: `${origin}${base}`,
    namespace: "tribe/events/v1",
    server: "the-events-calendar",
    auth_methods: ["application-password"],
    authorization_page: authorization.replace("http://127.0.0.1:8089", origin),
    name: "TEC Test Site",
    site_tz: "America/New_York",
    namespaces: ["oembed/1.0", "tribe/event-aggregator/v1", "tribe/events/v1", "wp/v2"],
    warnings: [],
  };
}

const pretty = { "/": readRecordedResponse("home_headers"), "/wp-json/": wordpress };
const plain = {
  "/": readRecordedResponse("plain_home_head"),
  "/wp-json/": readRecordedResponse("plain_wpjson_events_slash"),
  "/index.php?rest_route=/": wordpress,
};
const html = (head: string): TestResponse => ({
  status: 200,
  headers: { "content-type": "text/html" },
  body: `<!DOCTYPE html><html><head>${head}</head></html>`,
});

describe("a site with The Events Calendar is found", () => {
  it.each([
    ["from its front page", pretty, "/", "/wp-json"],
    [
      "from a page of an event",
      { ...pretty, "/event/kids/": readRecordedResponse("home_event_single_headers") },
      "/event/kids/#comments",
      "/wp-json",
    ],
    ["from the events page", { ...pretty, "/events/": readRecordedResponse("home_event_headers") }, "/events/", "/wp-json"],
    ["from a page that is missing", { ...pretty, "/old": readRecordedResponse("root_wpjson_wrongpath") }, "/old", "/wp-json"],
    ["from a JSON answer of 404", { ...pretty, "/x": readRecordedResponse("home_head") }, "/x", "/wp-json"],
    [
      "from its namespace",
      { ...pretty, "/wp-json/tribe/events/v1": readRecordedResponse("root_ns") },
      "/wp-json/tribe/events/v1",
      "/wp-json",
    ],
    ["from its REST root", pretty, "/wp-json/", "/wp-json"],
    ["with plain permalinks", plain, "/", "/index.php?rest_route=/"],
    ["with plain permalinks, from /wp-json/, which answers 200 HTML", plain, "/wp-json/", "/index.php?rest_route=/"],
    ["with plain permalinks, from its REST root", { "/?rest_route=/": wordpress }, "/?rest_route=/", "/?rest_route=/"],
    [
      "with index.php in its permalinks",
      { "/": readRecordedResponse("pathinfo_rest_route_cats"), "/index.php/wp-json/": wordpress },
      "/",
      "/index.php/wp-json",
    ],
    [
      "without rewrites: its own link leads nowhere",
      { "/": readRecordedResponse("home_headers"), "/?rest_route=/": wordpress },
      "/",
      "/?rest_route=/",
    ],
    [
      "by a link in its HTML",
      { "/": html('<link href="/blog/wp-json/" rel="https://api.w.org/" />'), "/blog/wp-json/": wordpress },
      "/",
      "/blog/wp-json",
    ],
    [
      "by the header of the calendar",
      { "/": { ...notFoundResponse, headers: { "x-tec-api-root": "http://127.0.0.1:8089/api/tribe/events/v1/" } }, "/api/": wordpress },
      "/",
      "/api",
    ],
    ["by its usual place", { "/wp-json/": wordpress }, "/", "/wp-json"],
    ["in a folder", { "/blog/wp-json/": wordpress }, "/blog/", "/blog/wp-json"],
    ["from a deep page without hints", { "/?rest_route=/": wordpress }, "/a/b.html", "/?rest_route=/"],
    ["behind a byte order mark", { ...pretty, "/wp-json/": { ...wordpress, body: `\uFEFF${wordpress.body}` } }, "/", "/wp-json"],
  ])("%s", async (_what, answers, path, base) => {
    const { origin, send } = await site(answers);
    expect(await discover({ send, address: `${origin}${path}` })).toEqual(tec(origin, base));
  });

  it("without a scheme, on this machine: https is tried first, then http", async () => {
    const { origin, port, send } = await site(pretty);
    expect(await discover({ send, address: `127.0.0.1:${port}` })).toEqual(tec(origin, "/wp-json"));
  });

  it("with GET alone, and nothing that could let anyone in", async () => {
    const { origin, send, seen } = await site(plain);
    await discover({ send, address: `${origin}/` });
    expect(seen.map(({ line }) => line)).toEqual(["GET /", "GET /index.php?rest_route=/"]);
    for (const { headers } of seen) expect(Object.keys(headers).sort()).toEqual(["accept", "accept-encoding", "connection", "host"]);
  });

  it("although its index is hidden from strangers", async () => {
    const locked = createJsonResponse(
      { code: "rest_not_logged_in", message: "You are not currently logged in.", data: { status: 401 } },
      401,
    );
    const { origin, send } = await site({
      "/": readRecordedResponse("home_headers"),
      "/wp-json/": locked,
      "/wp-json/tribe/events/v1": locked,
    });
    expect(await discover({ send, address: origin })).toEqual({
      base_url: `${origin}/wp-json`,
      namespace: "tribe/events/v1",
      server: "the-events-calendar",
      auth_methods: [],
      namespaces: [],
      warnings: [`${origin}/wp-json answers 401 without a login, so the namespace tribe/events/v1 is a guess`],
    });
  });
});

describe("time zones of an index", () => {
  it.each([
    [{ timezone_string: "Europe/Paris", gmt_offset: 1 }, "Europe/Paris"],
    [{ timezone_string: "", gmt_offset: 5.75 }, "+05:45"],
    [{ timezone_string: "", gmt_offset: "-3.5" }, "-03:30"],
    [{ gmt_offset: 0 }, "UTC"],
    [{ gmt_offset: 400 }, undefined],
    [{ gmt_offset: "" }, undefined],
  ])("%j", async (zone, expected) => {
    const { origin, send } = await site({ "/": createJsonResponse({ namespaces: ["calendar/events/v1"], ...zone }) });
    expect((await discover({ send, address: origin })).site_tz).toBe(expected);
  });
});

describe("a generic server is found", () => {
  const both = ["calendar/events/v1", "tribe/events/v1"];
  const generic = {
    server: "generic",
    namespace: "calendar/events/v1",
    auth_methods: ["password", "browser"],
    namespaces: [],
    warnings: [],
  };

  it("by its index, and its namespace is chosen before that of The Events Calendar", async () => {
    const { origin, send } = await site({ "/api": createJsonResponse({ namespaces: both }) });
    expect(await discover({ send, address: `${origin}/api` })).toEqual({ ...generic, base_url: `${origin}/api`, namespaces: both });
  });

  it.each([["/api"], ["/api/"], ["/api/calendar/events/v1"], ["/api/calendar/events/v1/events?page=2"]])(
    "by a plain base_url, given as %s",
    async (path) => {
      const { origin, send } = await site({
        "/api/calendar/events/v1": createJsonResponse({ namespace: "calendar/events/v1", routes: {} }),
      });
      expect(await discover({ send, address: `${origin}${path}` })).toEqual({ ...generic, base_url: `${origin}/api` });
    },
  );

  it("by a plain base_url that asks for a login first", async () => {
    const { origin, send } = await site({ "/calendar/events/v1": createJsonResponse({ error: { message: "no token" } }, 401) });
    expect(await discover({ send, address: origin })).toEqual({
      ...generic,
      base_url: origin,
      warnings: [`${origin} answers 401 without a login, so the namespace calendar/events/v1 is a guess`],
    });
  });

  it("by the routes of an index without namespaces", async () => {
    const routes = {
      "/": {},
      "/calendar/events/v1": { namespace: "calendar/events/v1" },
      "/calendar/events/v1/doc": { namespace: "calendar/events/v1" },
    };
    const { origin, send } = await site({ "/": createJsonResponse({ routes }) });
    expect(await discover({ send, address: origin })).toEqual({ ...generic, base_url: origin, namespaces: ["calendar/events/v1"] });
  });
});

describe("the namespace that is requested wins", () => {
  it.each([
    ["tribe/events/v1", "the-events-calendar", ["the site offers no application passwords: they need https, and may be switched off"]],
    ["other/v1", "generic", ["the site does not list the namespace other/v1; it lists calendar/events/v1, tribe/events/v1"]],
  ])("%s", async (namespace, server, warnings) => {
    const { origin, send } = await site({ "/": createJsonResponse({ namespaces: ["calendar/events/v1", "tribe/events/v1"] }) });
    expect(await discover({ send, address: origin, namespace })).toMatchObject({ namespace, server, warnings });
  });
});

describe("nothing is found", () => {
  it("where the site has no calendar: its namespaces are named", async () => {
    const { origin, send } = await site({ "/wp-json/": createJsonResponse({ namespaces: ["oembed/1.0", "wp/v2"] }) });
    await expect(discover({ send, address: origin })).rejects.toMatchObject({
      kind: "local",
      message: `the site at ${origin}/wp-json has no calendar interface; its namespaces are oembed/1.0, wp/v2`,
      details: {
        hint: {
          text: "it runs WordPress: is The Events Calendar installed and active there? If one of them is the calendar's",
          command: "cal init <url> --namespace <namespace>",
        },
      },
    });
  });

  it("where the site is under maintenance: no missing calendar is reported", async () => {
    const page = { ...createJsonResponse({ code: "wp_die", message: "Briefly unavailable." }, 503), headers: { "retry-after": "600" } };
    const { origin, send } = await site({ "/": page, "/wp-json/": page, "/?rest_route=/": page });
    await expect(discover({ send, address: origin })).rejects.toMatchObject({
      kind: "unavailable",
      message: `${origin} answers 503, so nothing can be found there now`,
      details: { status: 503, hint: "try again in 600 s: the server asks for it" },
    });
  });

  it.each([
    ["no interface at all", {}],
    ["JSON that says it has no route", { "/calendar/events/v1": readRecordedResponse("root_ns_unknown") }],
    ["a page for every address", { "/": html(""), "/wp-json/": html(""), "/calendar/events/v1": html("") }],
  ])("where there is %s", async (_what, answers) => {
    const { origin, send } = await site(answers);
    await expect(discover({ send, address: origin })).rejects.toMatchObject({
      kind: "local",
      message: `no calendar interface was found at ${origin}: no REST root, and no calendar/events/v1 or tribe/events/v1`,
    });
  });

  it("where nobody answers", async () => {
    const { origin, send } = await site({});
    const gone = await startTestSite({});
    await gone.close();
    expect(gone.origin).not.toBe(origin);
    await expect(discover({ send, address: gone.origin })).rejects.toMatchObject({ kind: "unavailable" });
  });

  it.each([
    ["", "that is not the address of a website"],
    ["ftp://example.com", "that is not the address of a website"],
    ["https://ann:hunter2@example.com", "the address holds a user name or password"],
  ])("in %j, and nothing is sent", async (address, message) => {
    const send: Transport = () => Promise.reject(new Error("something was sent"));
    await expect(discover({ send, address })).rejects.toMatchObject({ kind: "usage", message });
  });
});
