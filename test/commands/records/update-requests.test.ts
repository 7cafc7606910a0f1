// What an update sends and what it refuses to send, with both server profiles.

import { beforeEach, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../../helpers/recorder.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession } from "./server.ts";

const server = await startRequestRecorder();
const ns = "/wp-json/calendar/events/v1";
const tribe = "/wp-json/tribe/events/v1";
const generic = createServerSession(server.url);
const tec = createServerSession(server.url, "tec");

const event = {
  id: 7,
  title: "Old",
  slug: "old",
  start_date: "2027-02-01 10:00:00",
  end_date: "2027-02-01 12:00:00",
  timezone: "Asia/Tokyo",
  author: 3,
  status: "draft",
  date: "2026-12-01 00:00:00",
  date_utc: "2026-12-01 05:00:00",
  all_day: false,
  image: "41",
  cost: "15",
  website: "https://x.example/",
  description: "D",
  excerpt: "",
  venue: { id: 4, venue: "Hall" },
  organizer: [{ id: 5 }, { id: 6 }],
  categories: [{ id: 2 }],
  tags: [],
  url: "https://site.example/old",
  featured: true,
  unknown: 1,
};

beforeEach(() => {
  server.reset();
  server.responses.set(`${ns}/events/8`, { ...event, id: 8, end_date: "2027-02-01T06:00:00Z" });
  for (const namespace of [ns, tribe])
    for (const path of ["events/7", "events/by-slug/old"]) server.responses.set(`${namespace}/${path}`, event);
});

/** The writes among what was sent. */
function writes(): readonly string[] {
  return server.receivedRequests.filter((line) => !line.startsWith("GET "));
}

describe("a server that is the contract to the letter", () => {
  const whole =
    '"start_date":"2027-02-01 10:00:00","end_date":"2027-02-01 12:00:00","author":3,"date":"2026-12-01 00:00:00","date_utc":"2026-12-01 05:00:00","description":"D"';
  const rest =
    '"excerpt":"","status":"draft","timezone":"Asia/Tokyo","all_day":false,"image":"41","cost":"15","website":"https://x.example/"';
  // Categories and tags are not in the interface's table, and this server's document does not name them.
  const links = '"featured":true,"venue":[4],"organizer":[5,6]}';
  const cases: readonly (readonly [line: string, ...sent: readonly string[]])[] = [
    ["events update 7 --title New", `PATCH ${ns}/events/7 {"title":"New"}`],
    ["events update 7 --title New --method post", `POST ${ns}/events/7 {"title":"New"}`],
    ["events update old --title New", `PATCH ${ns}/events/by-slug/old {"title":"New"}`],
    ["events update old --slug new", `PATCH ${ns}/events/by-slug/old {"slug":"new"}`],
    ["events update 7 --title New --method put", `PUT ${ns}/events/7 {"title":"New",${whole},"slug":"old",${rest},${links}`],
    ["events update old --title New --method put", `PUT ${ns}/events/by-slug/old {"title":"New",${whole},${rest},${links}`],
    // The old date in UTC would take back the new date.
    [
      "events update 7 --date 2027-01-01 --method put",
      `PUT ${ns}/events/7 {"title":"Old",${whole.replace('"date":"2026-12-01 00:00:00","date_utc":"2026-12-01 05:00:00"', '"date":"2027-01-01 00:00:00"')},"slug":"old",${rest},${links}`,
    ],
    ["events update 7 --title Old"],
    [
      "events update 7 --featured --venue 4 --organizer 5,6 --category 2 --timezone Asia/Tokyo --clear excerpt,tags --status draft",
      `PATCH ${ns}/events/7 {"excerpt":"","status":"draft","timezone":"Asia/Tokyo","featured":true,"venue":[4],"organizer":[5,6],"categories":[2],"tags":[]}`,
    ],
    [
      "events update 7 --featured --venue 4 --organizer 5,6 --category 2 --timezone Asia/Tokyo --start-date '2027-02-01 10:00' --status draft --clear tags",
    ],
    // What can't be read back as it was written is always sent.
    ["events update 7 --description D", `PATCH ${ns}/events/7 {"description":"D"}`],
    ["events update 7 --cost 15", `PATCH ${ns}/events/7 {"cost":"15"}`],
    // Their order is that of the input.
    ["events update 7 --organizer 6,5", `PATCH ${ns}/events/7 {"organizer":[6,5]}`],
    // The answer that was read has its own form of dates: it can't be compared with, so nothing is refused for it.
    [
      "events update 8 --start-date '2027-02-01 13:00'",
      `PATCH ${ns}/events/8 {"start_date":"2027-02-01 13:00:00","timezone":"Asia/Tokyo"}`,
    ],
    ["events update 7 --clear venue,website", `PATCH ${ns}/events/7 {"website":"","venue":[]}`],
    // Dates are read on the clock of the record, and its zone goes with them.
    [
      "events update 7 --start-date '2027-02-01 09:00'",
      `PATCH ${ns}/events/7 {"start_date":"2027-02-01 09:00:00","timezone":"Asia/Tokyo"}`,
    ],
    [
      "events update 7 --start-date 2027-02-01T00:30:00Z",
      `PATCH ${ns}/events/7 {"start_date":"2027-02-01 09:30:00","timezone":"Asia/Tokyo"}`,
    ],
    [
      "events update 7 --start-date '2027-01-31 18:30' --tz America/New_York",
      `PATCH ${ns}/events/7 {"start_date":"2027-02-01 08:30:00","timezone":"Asia/Tokyo"}`,
    ],
    [
      "events update 7 --start-date '2027-02-01 09:00' --duration 30m",
      `PATCH ${ns}/events/7 {"start_date":"2027-02-01 09:00:00","end_date":"2027-02-01 09:30:00","timezone":"Asia/Tokyo"}`,
    ],
    ["events update 7 --timezone Europe/Paris", `PATCH ${ns}/events/7 {"timezone":"Europe/Paris"}`],
    // The clocks of New York skip this time, those of Tokyo do not.
    ["events update 7 --end-date '2027-03-14 02:30'", `PATCH ${ns}/events/7 {"end_date":"2027-03-14 02:30:00","timezone":"Asia/Tokyo"}`],
    // A publication date is on the site's clock.
    ["events update 7 --date 2027-01-01T12:00:00Z", `PATCH ${ns}/events/7 {"date":"2027-01-01 07:00:00"}`],
  ];

  test.each(cases)("%s", async (line, ...sent) => {
    const { stderr } = await expectExitCode(generic(line), 0);
    expect(writes()).toEqual(sent);
    expect(stderr.includes("nothing to change")).toBe(sent.length === 0);
  });

  test("what is worth a warning about a date is said once", async () => {
    const line = "events update 7 --start-date '2027-11-07 01:30' --duration 1h --tz America/New_York";
    const { stderr } = await expectExitCode(generic(line), 0);
    expect(stderr.match(/warning: .*01:30/g)?.length).toBe(1);
  });

  test("the body of a venue's by-slug update carries the slug decoded, as the path does", async () => {
    await expectExitCode(generic("venues update %e6%97%a5 --phone 1 --raw"), 0);
    expect(writes()).toEqual([`PATCH ${ns}/venues/by-slug/%E6%97%A5 {"slug":"日","phone":"1"}`]);
  });
});

describe("a site that runs The Events Calendar", () => {
  const stored = (changed: Readonly<Record<string, unknown>>) => {
    const carried = {
      start_date: event.start_date,
      end_date: event.end_date,
      date: event.date,
      date_utc: event.date_utc,
      status: event.status,
      timezone: event.timezone,
      all_day: false,
      image: "41",
      cost: "15",
      website: event.website,
      featured: true,
      organizer: [5, 6],
    };
    return { ...carried, ...changed };
  };
  const cases: readonly (readonly [line: string, path: string, body: Readonly<Record<string, unknown>>])[] = [
    ["events update 7 --title New", "events/7", stored({ title: "New" })],
    ["events update old --title New", "events/by-slug/old", stored({ title: "New" })],
    ["events update old --slug new", "events/7", stored({ slug: "new" })],
    ["events update old --slug new --raw", "events/7", { slug: "new" }],
    ["events update old --title New --raw", "events/by-slug/old", { title: "New" }],
    ["events update 7 --venue 9", "events/7", stored({ venue: 9 })],
    ["events update 7 --clear image --raw", "events/7", {}],
    ["events update 7 --clear organizer", "events/7", stored({ organizer: [] })],
    ["events update 7 --start-date '2027-02-01 09:00'", "events/7", stored({ start_date: "2027-02-01 09:00:00" })],
    ["events update 7 --timezone Europe/Paris", "events/7", stored({ timezone: "Europe/Paris" })],
  ];

  test.each(cases)("%s", async (line, path, body) => {
    await expectExitCode(tec(line), 0);
    const [sent = "", ...more] = writes();
    expect([sent.slice(0, sent.indexOf(" {")), JSON.parse(sent.slice(sent.indexOf(" {"))), more]).toEqual([
      `PATCH ${tribe}/${path}`,
      body,
      [],
    ]);
  });

  test("what a new record has not anyway is not sent empty where that is refused", async () => {
    await expectExitCode(tec("categories create --data -", '{"name":"C","parent":null}'), 0);
    await expectExitCode(generic("categories create --data -", '{"name":"C","parent":null}'), 0);
    expect(writes()).toEqual([`POST ${tribe}/categories {"name":"C"}`, `POST ${ns}/categories {"name":"C","parent":0}`]);
  });

  test("an address beyond ASCII, which the server has but does not take, is carried in ASCII", async () => {
    server.responses.set(`${tribe}/events/7`, { ...event, website: "https://été.example/né?a=1&amp;b=2" });
    await expectExitCode(tec("events update 7 --title New"), 0);
    expect(writes().join()).toContain('"website":"https://xn--t-9fab.example/n%C3%A9?a=1&b=2"');
  });

  test("so is one that is entered, and it is the same one afterwards", async () => {
    server.responses.set(`${tribe}/events/7`, { ...event, website: "https://xn--t-9fab.example/n%C3%A9" });
    expect((await expectExitCode(tec("events update 7 --website https://été.example/né"), 0)).stderr).toContain("nothing to change");
    await tec("events update 7 --website https://été.example/où?à=1");
    await generic("events update 7 --website https://été.example/où");
    const sent = writes().map((line) => /"website":"([^"]*)"/.exec(line)?.[1]);
    expect(sent).toEqual(["https://xn--t-9fab.example/o%C3%B9?%C3%A0=1", "https://été.example/où"]);
  });

  test("the image is taken away by leaving it out", async () => {
    await expectExitCode(tec("events update 7 --clear image"), 0);
    expect(writes().join()).not.toContain("image");
  });

  test("the parent of a category is taken away by its own id", async () => {
    server.responses.set(`${tribe}/categories/7`, { id: 7, name: "C", parent: 2 });
    await tec("categories update 7 --clear parent");
    await tec("categories update 7 --clear parent --raw");
    expect(writes()).toEqual([`PATCH ${tribe}/categories/7 {"parent":7}`, `PATCH ${tribe}/categories/7 {"parent":7}`]);
  });

  const refused: readonly (readonly [line: string, ...problems: readonly string[]])[] = [
    [
      "events update 7 --clear description,excerpt,venue,title",
      "title can't be emptied",
      "description can't be emptied",
      "excerpt can't be emptied",
      "venue can't be emptied",
    ],
    ["events update 7 --title ''", "title can't be emptied"],
    ["events update 7 --clear slug,status,date,author", "slug can't", "status can't", "date can't", "author can't"],
    ["venues update 7 --clear venue,description", "venue can't be emptied", "description can't be emptied"],
    ["tags update 7 --clear name", "name can't be emptied"],
    ["events update 7 --venue 4,5", "--venue takes one record on this server"],
    ["events create --title X --start-date 2027-01-01 --duration 1h --venue 4 --venue 5", "--venue takes one record on this server"],
    ["events update 7 --start-date '2027-02-01 13:00'", "would end (2027-02-01 12:00:00) before it starts (2027-02-01 13:00:00)"],
  ];

  test.each(refused)("%s is refused, and nothing is sent", async (line, ...problems) => {
    const { stderr } = await expectExitCode(tec(line), 2);
    for (const problem of problems) expect(stderr).toContain(problem);
    expect(writes()).toEqual([]);
  });
});

describe("names that exist already", () => {
  test("are not merged into unless that is allowed", async () => {
    const { cal, fetchJson, sandbox } = await openSandboxSession("the-events-calendar");
    const before = await fetchJson("venues/24");
    const written = () => sandbox.requests().filter(({ method }) => method !== "GET").length;
    const cases: readonly (readonly [line: string, stdin?: string])[] = [
      ["venues create --venue 'Café de l’Été' --phone 1"],
      // The server makes the quotes typographic; the stored name may have either.
      ['venues create --venue "café de l\'été" --phone 1'],
      ["events create --title X --start-date 2027-01-01 --duration 1h --data -", '{"venue":{"venue":"Café de l’Été","phone":"1"}}'],
      ["events update 100 --data -", '{"venue":{"venue":"Café de l’Été","phone":"1"}}'],
      ["organizers create --organizer 'Smith & Sons'"],
      ["events update 100 --data -", '{"organizer":[31,{"organizer":"Smith & Sons"}]}'],
    ];
    for (const [line, stdin] of cases) {
      const { stderr } = await expectExitCode(cal(line, stdin), 6);
      expect(stderr).toMatch(/(24 "Café de l’Été".*cal venues edit 24|33 "Smith & Sons".*cal organizers edit 33)/s);
    }
    expect([written(), await fetchJson("venues/24")]).toEqual([0, before]);
    await expectExitCode(cal("venues create --venue 'Café de l’Été' --phone 1 --merge"), 0);
    expect(await fetchJson("venues/24")).toMatchObject({ id: 24, phone: "1" });
  });

  test("are no matter to a server that does not merge", async () => {
    const { cal } = await openSandboxSession("generic");
    const { stdout } = await expectExitCode(cal("venues create --venue 'Town Hall' --field id"), 0);
    expect(Number(stdout)).toBeGreaterThan(100);
  });
});
