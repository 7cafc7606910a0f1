// What goes over the wire, written by hand from the interface document: method, path, query and body of every verb and resource.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const server = await startRequestRecorder();
const settings = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n", CAL_TZ: "America/New_York" };
const generic = createSession({ env: settings });
const tec = createSession({ env: { ...settings, CAL_NAMESPACE: "tribe/events/v1" } });
const ns = "/wp-json/calendar/events/v1";
const anyDates = "start_date=1900-01-01%2000%3A00%3A00&end_date=9999-12-30%2023%3A59%3A59";
const tribe = "/wp-json/tribe/events/v1";

beforeEach(server.reset);

/** A command line and the requests that it sends, in order. */
type Row = readonly [line: string, ...requests: readonly string[]];

const genericRows: readonly Row[] = [
  ["root", `GET ${ns}`],
  ["root --context edit --root-namespace wp/v2", `GET ${ns}?namespace=wp%2Fv2&context=edit`],
  ["doc", `GET ${ns}/doc`],
  ["events list", `GET ${ns}/events`],
  ["event ls", `GET ${ns}/events`],
  ["events list --page 3 --per-page 5", `GET ${ns}/events?page=3&per_page=5`],
  ["events list --per-page 10", `GET ${ns}/events?per_page=10`],
  [
    "events list --start-date 2027-01-10 --end-date '2027-01-12 18:30'",
    `GET ${ns}/events?start_date=2027-01-10%2000%3A00%3A00&end_date=2027-01-12%2018%3A30%3A00`,
  ],
  ["events list --start-date 2027-01-10T10:00:00Z", `GET ${ns}/events?start_date=2027-01-10%2005%3A00%3A00`],
  ["events list --search 'C++ & jazz'", `GET ${ns}/events?search=C%2B%2B%20%26%20jazz`],
  // The input is sent, also where it is nothing.
  ["events update 7 --title '' --raw", `PATCH ${ns}/events/7 {"title":""}`],
  [
    "events list --categories 1,2 --tags 3 --venue 4 --venue 5 --organizer 6",
    `GET ${ns}/events?categories[]=1&categories[]=2&tags[]=3&venue[]=4&venue[]=5&organizer[]=6`,
  ],
  ["events list --category 1 --tag 2", `GET ${ns}/events?categories[]=1&tags[]=2`],
  ["events list --featured", `GET ${ns}/events?featured=true`],
  ["events list --no-featured --status draft", `GET ${ns}/events?featured=false&status=draft`],
  ["events list --geoloc --geoloc-lat 48.85 --geoloc-lng 2.35", `GET ${ns}/events?geoloc=true&geoloc_lat=48.85&geoloc_lng=2.35`],
  [
    "events list --starts-before 2027-01-10 --starts-after '2027-01-01 10:00' --ends-before 2027-01-11 --ends-after 2027-01-02 --include 8,9 --strict-dates",
    `GET ${ns}/events?starts_before=2027-01-10%2000%3A00%3A00&starts_after=2027-01-01%2010%3A00%3A00&ends_before=2027-01-11%2000%3A00%3A00&ends_after=2027-01-02%2023%3A59%3A59&include[]=8&include[]=9&strict_dates=true`,
  ],
  ["events list --all-dates", `GET ${ns}/events?start_date=1900-01-01%2000%3A00%3A00&end_date=9999-12-30%2023%3A59%3A59`],
  [
    "events conflicts --start-date 2027-03-10 --end-date 2027-03-12 --venue 4 --status publish,draft",
    `GET ${ns}/events?per_page=50&start_date=2027-02-07%2000%3A00%3A00&end_date=2027-03-14%2001%3A59%3A59&venue[]=4&status=publish%2Cdraft`,
  ],
  [
    "events create --title X --start-date '2027-01-10 10:00' --duration 2h --venue 4 --no-overlap --dry-run",
    `GET ${ns}/events?per_page=50&start_date=1900-01-01%2000%3A00%3A00&end_date=2027-01-11%2014%3A00%3A00&venue[]=4`,
  ],
  ["events conflicts --all-dates", `GET ${ns}/events?per_page=50&${anyDates}`],
  ["events get 12", `GET ${ns}/events/12`],
  ["events get id:12", `GET ${ns}/events/12`],
  ["events get jazz-night", `GET ${ns}/events/by-slug/jazz-night`],
  ["events get slug:2027", `GET ${ns}/events/by-slug/2027`],
  ["events get 日本語", `GET ${ns}/events/by-slug/%E6%97%A5%E6%9C%AC%E8%AA%9E`],
  ["events get %e6%97%a5%e6%9c%ac%e8%aa%9e", `GET ${ns}/events/by-slug/%E6%97%A5%E6%9C%AC%E8%AA%9E`],
  ["events get 'slug:a?b#c d'", `GET ${ns}/events/by-slug/a%3Fb%23c%20d`],
  [
    "events create --title X --start-date '2027-01-10 10:00' --end-date '2027-01-10 12:00'",
    `GET ${ns}/events?per_page=50&start_date=2027-01-10%2010%3A00%3A00&end_date=2027-01-10%2010%3A00%3A00&search=X`,
    `POST ${ns}/events {"title":"X","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 12:00:00","timezone":"America/New_York"}`,
  ],
  [
    "events create --title X --start-date 2027-01-10T10:00:00Z --duration 1d --timezone Asia/Tokyo --author 3 --date 2027-01-01 --date-utc 2027-01-01 --description D --slug s --excerpt E --status draft --all-day --image 451 --cost 15 --website https://x.example/ --show-map --no-show-map-link --hide-from-listings --sticky --no-featured --venue 4 --organizer 5,6 --category 7 --tag 8,9",
    `GET ${ns}/events?per_page=50&start_date=2027-01-10%2019%3A00%3A00&end_date=2027-01-10%2019%3A00%3A00&search=X`,
    `GET ${ns}/categories/7`,
    `GET ${ns}/tags/8`,
    `GET ${ns}/tags/9`,
    `POST ${ns}/events {"title":"X","start_date":"2027-01-10 19:00:00","end_date":"2027-01-10 23:59:59","author":3,"date":"2027-01-01 00:00:00","date_utc":"2027-01-01 00:00:00","description":"D","slug":"s","excerpt":"E","status":"draft","timezone":"Asia/Tokyo","all_day":true,"image":"451","cost":"15","website":"https://x.example/","show_map":true,"show_map_link":false,"hide_from_listings":true,"sticky":true,"featured":false,"venue":[4],"organizer":[5,6],"categories":[7],"tags":[8,9]}`,
  ],
  ["events delete 12 --yes", `GET ${ns}/events/12`, `DELETE ${ns}/events/12`],
  ["events delete 12 --yes --raw", `DELETE ${ns}/events/12`],
  ["events approve 12 --yes", `GET ${ns}/events/12`, `GET ${ns}/events/12`, `PATCH ${ns}/events/12 {"status":"publish"}`],
  [
    "events delete --where venue=4 --where ends-before=2027-01-10 --max-delete 5 --yes",
    `GET ${ns}/events?per_page=50&venue[]=4&ends_before=2027-01-10%2000%3A00%3A00`,
  ],
  ["events rm jazz-night -y", `GET ${ns}/events/by-slug/jazz-night`, `DELETE ${ns}/events/by-slug/jazz-night`],
  [
    "venues list --search hall --event 12 --has-events true --only-with-upcoming true --status publish",
    `GET ${ns}/venues?search=hall&event=12&has_events=true&only_with_upcoming=true&status=publish`,
  ],
  ["venues get city-hall", `GET ${ns}/venues/by-slug/city-hall`],
  [
    "venues create --venue 'City Hall' --author 1 --date 2027-01-01 --date-utc 2027-01-01 --description D --status publish --show-map --no-show-map-link --address A --city C --country K --province P --state S --zip 1 --phone 2 --stateprovince SP --website https://x.example/ --image 3",
    `POST ${ns}/venues {"venue":"City Hall","author":1,"date":"2027-01-01 00:00:00","date_utc":"2027-01-01 00:00:00","description":"D","status":"publish","show_map":"true","show_map_link":"false","address":"A","city":"C","country":"K","province":"P","state":"S","zip":"1","phone":"2","stateprovince":"SP","website":"https://x.example/","image":"3"}`,
  ],
  ["venues update 7 --phone 999 --raw", `PATCH ${ns}/venues/7 {"phone":"999"}`],
  ["venues update 7 --phone 999", `GET ${ns}/venues/7`, `PATCH ${ns}/venues/7 {"phone":"999"}`],
  [
    "venues update city-hall --phone 999 --raw",
    `GET ${ns}/venues/by-slug/city-hall`,
    `PATCH ${ns}/venues/by-slug/city-hall {"slug":"city-hall","phone":"999"}`,
  ],
  [
    "venues delete city-hall --yes",
    `GET ${ns}/venues/by-slug/city-hall`,
    `GET ${ns}/events?per_page=50&${anyDates}&venue[]=7`,
    `DELETE ${ns}/venues/by-slug/city-hall`,
  ],
  ["venues delete city-hall --yes --raw", `GET ${ns}/venues/by-slug/city-hall`, `DELETE ${ns}/venues/by-slug/city-hall`],
  ["venues list --has-events --no-only-with-upcoming", `GET ${ns}/venues?has_events=true&only_with_upcoming=false`],
  ["venues list --only-with-upcoming --has-events=false", `GET ${ns}/venues?has_events=false&only_with_upcoming=true`],
  ["events list --status draft --status pending", `GET ${ns}/events?status=draft%2Cpending`],
  ["organizers list --event 12 --only-with-upcoming false", `GET ${ns}/organizers?event=12&only_with_upcoming=false`],
  ["organizers get 3", `GET ${ns}/organizers/3`],
  [
    "organizers create --organizer 'Jane Doe' --author 1 --date 2027-01-01 --date-utc 2027-01-01 --description D --status publish --phone 2 --website https://x.example/ --email j@x.example --image 3",
    `POST ${ns}/organizers {"organizer":"Jane Doe","author":1,"date":"2027-01-01 00:00:00","date_utc":"2027-01-01 00:00:00","description":"D","status":"publish","phone":"2","website":"https://x.example/","email":"j@x.example","image":"3"}`,
  ],
  [
    "organizers update jane-doe --phone 1 --raw --method put",
    `GET ${ns}/organizers/by-slug/jane-doe`,
    `PUT ${ns}/organizers/by-slug/jane-doe {"phone":"1"}`,
  ],
  ["organizers update 3 --phone 1 --raw --method post", `POST ${ns}/organizers/3 {"phone":"1"}`],
  [
    "organizers delete 3 --yes",
    `GET ${ns}/organizers/3`,
    `GET ${ns}/events?per_page=50&${anyDates}&organizer[]=3`,
    `DELETE ${ns}/organizers/3`,
  ],
  ["organizers delete 3 --yes --raw", `DELETE ${ns}/organizers/3`],
  [
    "categories list --search m --exclude 1,2 --include 3 --order desc --orderby count --no-hide-empty --parent 4 --post 5 --event 6 --slug music",
    `GET ${ns}/categories?search=m&exclude[]=1&exclude[]=2&include[]=3&order=desc&orderby=count&hide_empty=false&parent=4&post=5&event=6&slug=music`,
  ],
  ["categories list --include-empty", `GET ${ns}/categories?hide_empty=false`],
  ["categories get 3", `GET ${ns}/categories/3`],
  [
    "categories create --name Jazz --description D --slug jazz --parent 2",
    `POST ${ns}/categories {"name":"Jazz","description":"D","slug":"jazz","parent":2}`,
  ],
  ["categories update 3 --name Jazz --raw", `PATCH ${ns}/categories/3 {"name":"Jazz"}`],
  [
    "categories delete 3 --yes",
    `GET ${ns}/categories/3`,
    `GET ${ns}/events?per_page=50&${anyDates}&categories[]=3`,
    `GET ${ns}/categories?per_page=50&hide_empty=false&parent=3`,
    `DELETE ${ns}/categories/3`,
  ],
  ["categories delete 3 --yes --raw", `DELETE ${ns}/categories/3`],
  [
    "tags list --search m --exclude 1 --include 2,3 --order asc --orderby name --hide-empty --post 5 --event 6 --slug free",
    `GET ${ns}/tags?search=m&exclude[]=1&include[]=2&include[]=3&order=asc&orderby=name&hide_empty=true&post=5&event=6&slug=free`,
  ],
  ["tags get 3", `GET ${ns}/tags/3`],
  ["tags create --name free --description D --slug free", `POST ${ns}/tags {"name":"free","description":"D","slug":"free"}`],
  ["tags update 3 --slug x --raw", `PATCH ${ns}/tags/3 {"slug":"x"}`],
  ["tags delete 3 --yes", `GET ${ns}/tags/3`, `GET ${ns}/events?per_page=50&${anyDates}&tags[]=3`, `DELETE ${ns}/tags/3`],
  ["tags delete 3 --yes --raw", `DELETE ${ns}/tags/3`],
  [
    "events update 7 --raw --title Y --start-date '2027-02-01 10:00'",
    `PATCH ${ns}/events/7 {"title":"Y","start_date":"2027-02-01 10:00:00","timezone":"America/New_York"}`,
  ],
  ["events update 7 --raw --clear website,venue --no-sticky", `PATCH ${ns}/events/7 {"website":"","sticky":false,"venue":[]}`],
  [
    "events update jazz-night --raw --slug other",
    `GET ${ns}/events/by-slug/jazz-night`,
    `PATCH ${ns}/events/by-slug/jazz-night {"slug":"other"}`,
  ],
  ["api GET events --query per_page=1 --query 'search=a b'", `GET ${ns}/events?per_page=1&search=a%20b`],
  ["api post tags --set name=free --set-json 'n=[1]'", `POST ${ns}/tags {"name":"free","n":[1]}`],
  ["api GET /wp/v2/users/me", "GET /wp-json/wp/v2/users/me"],
];

const tecRows: readonly Row[] = [
  // Wall clocks from 12 hours behind to 14 hours ahead of UTC are requested, a day is 23:59:59 there, and the rest is trimmed here.
  [
    "events list --start-date 2027-01-10 --end-date 2027-01-12",
    `GET ${tribe}/events?per_page=50&starts_before=2027-01-13&starts_after=2027-01-08`,
  ],
  ["events list --on 2027-01-10", `GET ${tribe}/events?per_page=50&starts_before=2027-01-11&ends_after=2027-01-08`],
  [
    "events list --start-date 2027-01-10 --end-date 2027-01-12 --running",
    `GET ${tribe}/events?per_page=50&starts_before=2027-01-13&ends_after=2027-01-08`,
  ],
  [
    "events list --starts-before 2027-01-10 --ends-after '2027-01-01 12:00'",
    `GET ${tribe}/events?per_page=50&starts_before=2027-01-10&ends_after=2026-12-31`,
  ],
  ["events list", `GET ${tribe}/events`],
  [
    "events conflicts --on 2027-01-10 --venue 4",
    `GET ${tribe}/events?per_page=50&venue[]=4&starts_before=2027-01-11&ends_after=2027-01-08`,
  ],
  [
    "events create --title X --start-date '2027-01-10 10:00' --duration 2h --venue 4 --no-overlap --dry-run",
    `GET ${tribe}/events?per_page=50&venue[]=4&starts_before=2027-01-11&starts_after=1900-01-01&ends_after=2027-01-09`,
  ],
  ["events conflicts --all-dates", `GET ${tribe}/events?per_page=50&starts_after=1900-01-01`],
  ["events list --all-dates", `GET ${tribe}/events?starts_after=1900-01-01`],
  [
    "events update --where status=draft --where venue=4 --where featured=false --where all-dates=true --start-time 19:30 --max-changes 5 --yes",
    `GET ${tribe}/events?per_page=50&venue[]=4&featured=false&status=draft&starts_after=1900-01-01`,
  ],
  ["events list --venue 4 --category 1,2", `GET ${tribe}/events?categories[]=1&categories[]=2&venue[]=4`],
  [
    "events create --title X --start-date '2027-01-10 10:00' --duration 2h --venue 4 --organizer 5 --tag 8",
    `GET ${tribe}/events?per_page=50&search=X&starts_before=2027-01-11&starts_after=2027-01-09`,
    `GET ${tribe}/tags/8`,
    `POST ${tribe}/events {"title":"X","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 12:00:00","timezone":"America/New_York","venue":4,"organizer":[5],"tags":[8]}`,
  ],
  [
    "venues update city-hall --no-show-map --raw",
    `GET ${tribe}/venues/by-slug/city-hall`,
    `PATCH ${tribe}/venues/by-slug/city-hall {"show_map":"false"}`,
  ],
  [
    "events update jazz-night --raw --title Y",
    `GET ${tribe}/events/by-slug/jazz-night`,
    `PATCH ${tribe}/events/by-slug/jazz-night {"title":"Y"}`,
  ],
  ["venues create --venue 'New Hall'", `GET ${tribe}/venues?per_page=50&search=New%20Hall`, `POST ${tribe}/venues {"venue":"New Hall"}`],
  ["venues create --venue 'New Hall' --merge", `POST ${tribe}/venues {"venue":"New Hall"}`],
];

describe("requests to a server that is the contract to the letter", () => {
  test.each(genericRows)("%s", async (line, ...requests) => {
    const result = await generic(line);
    expect({ seen: server.receivedRequests, code: result.code }, result.stderr).toEqual({ seen: requests, code: 0 });
  });
});

describe("requests to a site that runs The Events Calendar", () => {
  test.each(tecRows)("%s", async (line, ...requests) => {
    const result = await tec(line);
    expect({ seen: server.receivedRequests, code: result.code }, result.stderr).toEqual({ seen: requests, code: 0 });
  });
});

test("inline data of linked records goes as it is, a venue bare where the server takes one", async () => {
  const data = JSON.stringify({
    title: "X",
    start_date: "2027-01-10 10:00:00",
    end_date: "2027-01-10 11:00:00",
    venue: { venue: "New" },
    organizer: [{ organizer: "O" }, 3],
  });
  await generic("events create --data -", data);
  await tec("events create --data - --merge", data);
  const dates = '"start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 11:00:00","timezone":"America/New_York"';
  expect(server.receivedRequests.filter((request) => request.startsWith("POST"))).toEqual([
    `POST ${ns}/events {"title":"X",${dates},"venue":[{"venue":"New"}],"organizer":[{"organizer":"O"},3]}`,
    `POST ${tribe}/events {"title":"X",${dates},"venue":{"venue":"New"},"organizer":[{"organizer":"O"},3]}`,
  ]);
});

test("a token goes as the profile says, on every request, and the answer is requested as JSON", async () => {
  await generic("events get 12");
  expect(server.headers[0]).toMatchObject({ authorization: "Bearer t0k3n", accept: "application/json" });
  expect(server.headers[0]?.["user-agent"]).toMatch(/^cal\/\d/);
});

test("a site without permalinks is asked through rest_route, every path and query alike", async () => {
  const plain = createSession({ env: { ...settings, CAL_BASE_URL: `${server.url.replace("/wp-json", "")}/index.php?rest_route=/` } });
  await plain("events list --per-page 2 --search 'a b' --venue 1,2");
  await plain("events get 日本語");
  expect(server.receivedRequests).toEqual([
    "GET /index.php?rest_route=/calendar/events/v1/events&per_page=2&search=a%20b&venue[]=1&venue[]=2",
    "GET /index.php?rest_route=/calendar/events/v1/events/by-slug/%E6%97%A5%E6%9C%AC%E8%AA%9E",
  ]);
});

test("a merge reads both records, and the events that link to the one that goes", async () => {
  const paths = { venues: "/wp/v2/tribe_venue", events: "/wp/v2/tribe_events" };
  const fields = "_fields=id%2Cdate_gmt%2Ctitle.raw%2Ccontent.raw%2Cexcerpt.raw%2Cmeta%2C_links";
  const prepare = (root: string) => {
    server.reset();
    for (const id of [4, 5]) server.responses.set(`${root}/venues/${id}`, { id, venue: `Venue ${id}` });
    server.responses.set(`${root}/events`, { events: [{ id: 9, title: "X", venue: { id: 5 } }], total: 1, total_pages: 1 });
  };
  prepare(ns);
  expect((await generic("venues merge 5 --into 4 --dry-run --json")).code).toBe(0);
  expect(server.receivedRequests).toEqual([
    `GET ${ns}/venues/4`,
    `GET ${ns}/venues/5`,
    `GET ${ns}/events?per_page=50&${anyDates}&venue[]=5`,
  ]);
  prepare(tribe);
  server.responses.set(`/wp-json${paths.events}`, []);
  const { stdout, code } = await tec("venues merge 5 --into 4 --dry-run --json");
  expect(code).toBe(0);
  expect(server.receivedRequests).toEqual([
    `GET ${tribe}/venues/4`,
    `GET /wp-json${paths.venues}/4?context=edit&${fields}`,
    `GET ${tribe}/venues/5`,
    `GET /wp-json${paths.venues}/5?context=edit&${fields}`,
    `GET ${tribe}/events?per_page=50&venue[]=5&starts_after=1900-01-01`,
    `GET ${tribe}/events?per_page=50&venue[]=5&status=trash&starts_after=1900-01-01`,
    `GET /wp-json${paths.events}?context=edit&status=any%2Ctrash&orderby=id&order=asc&per_page=100&_fields=id%2Cstatus%2Ctitle.raw%2Cmeta&page=1`,
  ]);
  expect((JSON.parse(stdout) as { readonly changes: readonly unknown[] }).changes).toMatchObject([
    { op: "update", resource: "events", id: "9", fields: [{ name: "venue", from: [5], to: [4] }] },
    { op: "delete", resource: "venues", id: "5", needs: ["events/9"], onlyIfUnused: true },
  ]);
});

test("a picture is uploaded as the body of a request, and its id goes to the event as a text", async () => {
  const file = join(tec.folder, "Stage 1.png");
  writeFileSync(file, Buffer.from("89504e470d0a1a0a00", "hex"));
  server.responses.set("/wp-json/wp/v2/media", { id: 451, source_url: "https://example.org/stage-1.png" });
  server.responses.set(`${tribe}/events`, { id: 7, title: "X", image: { id: 451 } });
  await tec(`events create --title X --start-date '2027-01-10 10:00' --duration 2h --image '@${file}' --image-alt 'A & B' --merge --yes`);
  const at = server.receivedRequests.findIndex((request) => request.includes("/wp/v2/media"));
  expect(server.receivedRequests[at]?.replace(/[^\x20-\x7e]+/g, "")).toBe(
    "POST /wp-json/wp/v2/media?title=Stage%201&alt_text=A%20%26%20B PNG",
  );
  expect(server.headers[at]).toMatchObject({
    "content-type": "image/png",
    "content-disposition": 'attachment; filename="Stage-1.png"',
    "content-length": "9",
  });
  expect(server.receivedRequests.at(-1)).toBe(
    `POST ${tribe}/events {"title":"X","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 12:00:00","timezone":"America/New_York","image":"451"}`,
  );
});

describe("a repeated event", () => {
  const event = (id: number, day: string) => ({
    id,
    title: "X",
    start_date: `2027-02-${day} 20:00:00`,
    end_date: `2027-02-${day} 22:00:00`,
    timezone: "America/New_York",
    status: "publish",
    venue: { id: 4 },
  });
  const stored = (id: number) => ({ id, title: { raw: "X" }, content: { raw: "" }, excerpt: { raw: "" }, meta: {} });
  const fields = "_fields=id%2Cdate_gmt%2Ctitle.raw%2Ccontent.raw%2Cexcerpt.raw%2Cmeta%2C_links";
  const prepare = (root: string) => {
    server.reset();
    for (const [id, day] of [
      [12, "02"],
      [13, "09"],
    ] as const) {
      server.responses.set(`${root}/events/${id}`, event(id, day));
      server.responses.set(`/wp-json/wp/v2/tribe_events/${id}`, stored(id));
    }
  };
  const copy = (day: string) => `"start_date":"2027-02-${day} 20:00:00","end_date":"2027-02-${day} 22:00:00"`;
  const rest = '"status":"publish","timezone":"America/New_York"';

  test("the events of its title are read, then each copy is sent", async () => {
    prepare(ns);
    await generic("events repeat 12 --every week --count 2 --no-series --concurrency 1 --yes");
    expect(server.receivedRequests).toEqual([
      `GET ${ns}/events/12`,
      `GET ${ns}/events?per_page=50&start_date=2027-02-08%2020%3A00%3A00&end_date=2027-02-17%2020%3A00%3A00&search=X`,
      `POST ${ns}/events {"title":"X",${copy("09")},${rest},"venue":[4]}`,
      `POST ${ns}/events {"title":"X",${copy("16")},${rest},"venue":[4]}`,
    ]);
    prepare(tribe);
    await tec("events repeat 12 --every week --count 1 --no-series --yes");
    expect(server.receivedRequests).toEqual([
      `GET ${tribe}/events/12`,
      `GET /wp-json/wp/v2/tribe_events/12?context=edit&${fields}`,
      `GET ${tribe}/events?per_page=50&search=X&starts_before=2027-02-11&starts_after=2027-02-07`,
      `POST ${tribe}/events {"title":"X",${copy("09")},${rest},"venue":4}`,
    ]);
  });

  test("a series reads its events, plans, and reads each again before it is written", async () => {
    prepare(ns);
    await generic("series adopt 12 13 --series weekly");
    const adopted = [`GET ${ns}/events/12`, `GET ${ns}/events/13`];
    expect(server.receivedRequests).toEqual([...adopted, ...adopted]);
    prepare(ns);
    await generic("series list");
    expect(server.receivedRequests).toEqual(adopted);
    prepare(ns);
    await generic("series update weekly --cost 5 --from 2027-02-05");
    expect(server.receivedRequests).toEqual([
      ...adopted,
      `GET ${ns}/events/13`,
      `GET ${ns}/events/13`,
      `PATCH ${ns}/events/13 {"cost":"5"}`,
    ]);
    prepare(ns);
    await generic("series delete weekly --from 2027-02-05 --include-edited --yes");
    expect(server.receivedRequests).toContain(`DELETE ${ns}/events/13`);
    prepare(tribe);
    await tec("series adopt 12 13 --series weekly");
    prepare(tribe);
    await tec("series shift weekly +1d --concurrency 1 --yes");
    expect(server.receivedRequests.filter((request) => !request.startsWith("GET"))).toEqual([
      `PATCH ${tribe}/events/12 {${copy("03")},${rest}}`,
      `PATCH ${tribe}/events/13 {${copy("10")},${rest}}`,
    ]);
  });
});
