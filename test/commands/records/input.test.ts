// The input of a record: all problems are reported at once before anything is sent, and refs have several forms.

import { beforeEach, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../../helpers/recorder.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";
import { createServerSession } from "./server.ts";

const server = await startRequestRecorder();
const generic = createServerSession(server.url);
const nowhere = createServerSession("", "generic", { env: { CAL_BASE_URL: "" } });
const ns = "/wp-json/calendar/events/v1";

beforeEach(() => {
  server.receivedRequests.length = 0;
});

describe("all problems at once", () => {
  const cases: readonly (readonly [line: string, stdin: string, ...parts: readonly string[]])[] = [
    ["events create", "", "--title is required", "--start-date is required", "--end-date is required"],
    [
      "events create --bogus --title X --start-date foo --timezone Nowhere/Land --duration soon --author abc --set all_day=maybe --set colour=red --set-json venue={ --no-such",
      "",
      "--bogus",
      "--no-such",
      "--start-date: ",
      "--timezone: ",
      "--duration: ",
      "--author takes a whole number",
      "--set all_day takes true or false",
      "colour is not a field of events",
      "--set-json venue takes JSON",
    ],
    [
      `events create --title X --set-json duration='"2h"'`,
      "",
      "--set-json: duration is not a field of events; give the flag --duration beside it",
    ],
    [
      "events create --title X --start-date 2027-01-02 --end-date 2027-01-01 --author x",
      "",
      "--end-date is before --start-date",
      "--author takes",
    ],
    [
      "events create --title X --start-date 2027-01-02 --end-date 2027-01-03 --duration 1h --set a",
      "",
      "--duration and --end-date exclude each other",
      "--set takes name=value",
    ],
    [
      `events create --title X --set-json custom=1 --set-json author=1e400 --set-json venue=${"[".repeat(1000)}${"]".repeat(1000)}`,
      "",
      "--set-json author can't be sent: the number 1e400 is too large",
      "--set-json venue can't be sent: JSON nested deeper than 500 levels",
    ],
    ["events create --title X --data -", "{not json", "--data is not valid JSON"],
    ["events create --title X --data -", "[nonsense\n", '"[nonsense " is not valid JSON'],
    ["events create --data -", "[1]", "--data takes one object"],
    [
      "events create --data -",
      '{"id":1,"titel":"X","venue":true,"categories":[{"name":"x"}],"all_day":3}',
      "id can't be written",
      "did you mean title",
      "venue takes ids, names or objects",
      "categories takes ids or names",
      "all_day takes true or false",
    ],
    [
      "events update 1 --clear colour --start-date foo --data -",
      '{"x":1}',
      "--clear: colour is not a field",
      "--start-date: ",
      "--data: x is not a field",
    ],
    ["events update 1", "", "nothing to update"],
    ["events update 1 --venue ''", "", "--venue is empty: it takes an id, a slug or a name"],
    ["events update 1 --tag ' ' --organizer ''", "", "--tag is empty", "--organizer is empty"],
    ["events list --venue ''", "", "--venue is empty"],
    ["events list --category ''", "", "--category is empty"],
    ["events update 1 --duration 1h --raw", "", "--duration needs --start-date"],
    ["events update 1 --start-date '2027-01-10 10:00' --end-date '2027-01-10 09:00' --tz UTC", "", "--end-date is before --start-date"],
    [
      "events list --geoloc-lat 1 --limit x --page 0 --start-date foo",
      "",
      "--geoloc-lat needs --geoloc-lng",
      "--limit takes",
      "--page takes",
      "--start-date: ",
    ],
    ["events list --geoloc-lat 1 --per-page 0 --limit x", "", "--geoloc-lat needs --geoloc-lng", "--per-page", "--limit takes"],
    ["events create --author x --tz Nowhere", "", "--author takes", "--tz"],
    ["events list --all --page 2 --limit 3", "", "--all and --page exclude each other", "--all and --limit exclude each other"],
    ["categories create --parent /", "", "--name is required"],
  ];

  test.each(cases)("%s", async (line, stdin, ...parts) => {
    const { stderr } = await expectExitCode(generic(line, stdin), 2);
    for (const part of parts) expect(stderr).toContain(part);
    expect(server.receivedRequests).toEqual([]);
  });

  test.each(["events create", "events list --limit x", "events get a/b", "events update 1 --author x", "events delete a/b"])(
    "%s is reported before a site is requested",
    async (line) => {
      await expectExitCode(nowhere(line), 2);
    },
  );
});

describe("a problem of --data is alone: what the data would have is not called missing", () => {
  test.each([
    [
      "[{}, {}, {}]",
      "cal: --data takes one object: its fields and their values; this is a list of 3\n" +
        "hint: to create or update them all: cal events import -\n",
    ],
    [
      '{"title": "A"}\n{"title": "B"}\n',
      "cal: --data takes one object: its fields and their values; this is NDJSON of 2\n" +
        "hint: to create or update them all: cal events import -\n",
    ],
    [
      'title,start_date,description\nA,2027-03-01,"two\nlines"\n"B, or: ""C""",2027-03-02,\n',
      "cal: --data takes one object: its fields and their values; this is CSV of 2\n" +
        "hint: to create or update them all: cal events import -\n",
    ],
    [
      "\uFEFFtitle;Start date\r\nA;2027-03-01\r\n",
      "cal: --data takes one object: its fields and their values; this is CSV of 1\n" +
        "hint: to create or update them all: cal events import -\n",
    ],
    ["7", "cal: --data takes one object: its fields and their values\nhint: see the flags: cal events create --help\n"],
  ])("%s", async (stdin, text) => {
    expect((await expectExitCode(generic("events create --data -", stdin), 2)).stderr).toBe(text);
  });

  test.each(["{not json", "title: [", "title: X\n start_date: 2027-01-01\n"])("%s", async (stdin) => {
    const { stderr } = await expectExitCode(generic("events create --data -", stdin), 2);
    expect(stderr).toMatch(/^cal: --data is (?:not valid|neither valid) JSON/);
    expect(stderr).not.toContain("is required");
  });

  test("the name of a file without @ is no data", async () => {
    const { stderr } = await expectExitCode(generic("events create --data event.json"), 2);
    expect(stderr).toBe("cal: --data takes one object: its fields and their values\nhint: to read a file: --data '@event.json'\n");
  });

  test.each(["--file e.json", "-f e.json", "--from-file e.json", "-"])("%s is another word for it", async (words) => {
    const { stderr } = await expectExitCode(generic(`events create ${words}`), 2);
    expect(stderr).toMatch(/did you mean --data (?:@<file>|-)\?\nhint: see the flags: cal events create --help\n$/);
    expect(stderr).not.toContain("is required");
  });

  test("an update takes its records from the command line", async () => {
    const { stderr } = await expectExitCode(generic("events update 1 --data -", "[{}, {}]"), 2);
    expect(stderr).toBe(
      "cal: --data takes one object: its fields and their values; this is a list of 2\nhint: see the flags: cal events update --help\n",
    );
  });

  test("a file that is not there is named in words", async () => {
    const { stderr } = await expectExitCode(generic("events create --data @no/such.json"), 10);
    expect(stderr).toMatch(/^cal: --data: there is no file "no\/such\.json"\nhint: /);
    expect((await expectExitCode(generic("events create --data @/"), 10)).stderr).toMatch(/^cal: --data: "\/" is a folder\n/);
  });
});

describe("dates", () => {
  const sent = async (line: string, stdin = "") => {
    await expectExitCode(generic(line, stdin), 0);
    const { title: _, ...body } = JSON.parse(server.receivedRequests.at(-1)?.replace(/^\w+ \S+ /, "") ?? "{}") as JsonRecord;
    return body;
  };
  const cases: readonly (readonly [line: string, data: JsonRecord, body: JsonRecord])[] = [
    [
      "",
      { start_date: "2027-01-10T10:00:00Z", end_date: "2027-01-10 12:00" },
      { start_date: "2027-01-10 05:00:00", end_date: "2027-01-10 12:00:00", timezone: "America/New_York" },
    ],
    [
      "",
      { start_date: "2027-01-10 10am", end_date: "2027-01-10 noon", timezone: "Asia/Tokyo" },
      { start_date: "2027-01-10 10:00:00", end_date: "2027-01-10 12:00:00", timezone: "Asia/Tokyo" },
    ],
    [
      "--tz Europe/Paris",
      { start_date: "2027-01-10 10:00", end_date: "2027-01-10 12:00" },
      { start_date: "2027-01-10 10:00:00", end_date: "2027-01-10 12:00:00", timezone: "Europe/Paris" },
    ],
    [
      "--tz Europe/Paris --timezone Asia/Tokyo",
      { start_date: "2027-01-10 10:00", end_date: "2027-01-10 12:00" },
      { start_date: "2027-01-10 18:00:00", end_date: "2027-01-10 20:00:00", timezone: "Asia/Tokyo" },
    ],
    [
      "--timezone UTC+5.5",
      { start_date: "2027-01-10T10:00:00Z", end_date: "2027-01-10T11:00:00Z" },
      { start_date: "2027-01-10 15:30:00", end_date: "2027-01-10 16:30:00", timezone: "UTC+5.5" },
    ],
    [
      "--duration 2h",
      { start_date: "tomorrow noon" },
      { start_date: "2027-01-16 12:00:00", end_date: "2027-01-16 14:00:00", timezone: "America/New_York" },
    ],
    [
      "--timezone Asia/Tokyo --date 2027-01-01T00:00:00Z --date-utc '2027-01-01 00:00'",
      { start_date: "2027-01-10", end_date: "2027-01-10" },
      {
        start_date: "2027-01-10 00:00:00",
        end_date: "2027-01-10 23:59:59",
        timezone: "Asia/Tokyo",
        date: "2026-12-31 19:00:00",
        date_utc: "2027-01-01 00:00:00",
      },
    ],
  ];

  test.each(cases)("create %s with %j", async (line, data, body) => {
    expect(await sent(`events create --title X --data - ${line}`, JSON.stringify(data))).toEqual(body);
  });

  test("data gives way to --set, and that to flags", async () => {
    const line =
      "events create --data - --set cost=2 --set website=https://b.example/ --website https://c.example/ --set-json 'organizer=[5,6]'";
    const data = { title: "X", start_date: "2027-01-10", end_date: "2027-01-11", cost: 1, website: "https://a.example/", excerpt: "E" };
    expect(await sent(line, JSON.stringify(data))).toMatchObject({
      cost: "2",
      website: "https://c.example/",
      organizer: [5, 6],
      excerpt: "E",
    });
  });
});

describe("refs of linked records", () => {
  const visited = Promise.all([openSandboxSession("the-events-calendar"), openSandboxSession("generic")]);
  const create = "events create --title X --start-date 2027-01-10 --duration 1h --json";
  const cases: readonly (readonly [flags: string, field: string, ids: readonly number[]])[] = [
    ["--venue 22", "venue", [22]],
    ["--venue 'Town Hall'", "venue", [23]],
    ["--venue town-hall", "venue", [23]],
    ["--venue slug:town-hall", "venue", [23]],
    ["--venue 'name:café de l’été'", "venue", [24]],
    ['--venue "Café de l\'Été"', "venue", [24]],
    ["--venue 渋谷文化ホール", "venue", [25]],
    ["--organizer 'Smith & Sons'", "organizer", [33]],
    ["--organizer 'Jane Doe,34,smith-sons'", "organizer", [31, 33, 34]],
    ["--organizer 31,31 --organizer id:31", "organizer", [31]],
    ["--category 'community & family'", "categories", [8]],
    ["--category 'Jazz,Community & Family'", "categories", [3, 8]],
    // Lectures has no event: lists hide it.
    ["--category Lectures", "categories", [11]],
    ["--tag C++ --tag online", "tags", [18, 19]],
    ["--tag free", "tags", [12]],
  ];

  test.each(cases)("%s", async (flags, field, ids) => {
    for (const { cal } of await visited) {
      const { stdout } = await expectExitCode(cal(`${create} ${flags}`), 0);
      const value: unknown = (JSON.parse(stdout) as JsonRecord)[field];
      const links = (Array.isArray(value) ? value : [value]) as readonly { id: number }[];
      expect(links.map(({ id }) => id).sort()).toEqual([...ids].sort());
    }
  });

  test("a name with a comma is tried whole first", async () => {
    for (const { cal, fetchJson } of await visited) {
      const { id } = await fetchJson("categories", "POST", { name: "Community, Family" });
      const { stdout } = await expectExitCode(cal(`${create} --category 'Community, Family'`), 0);
      expect(((JSON.parse(stdout) as JsonRecord)["categories"] as readonly JsonRecord[]).map((one) => one["id"])).toEqual([id]);
    }
  });

  test("what names nothing is not found, what names several is reported with its candidates", async () => {
    for (const { cal, fetchJson } of await visited) {
      await expectExitCode(cal(`${create} --venue 'No Such Place'`), 3);
      await expectExitCode(cal(`${create} --tag 'free,nonesuch'`), 3);
      await fetchJson("organizers", "POST", { organizer: "Doubled", email: "a@x.example" });
      // A server that merges makes no second one, but it renames one to the name of another.
      const { id } = await fetchJson("organizers", "POST", { organizer: "Other" });
      await fetchJson(`organizers/${String(id)}`, "POST", { organizer: "DOUBLED" });
      const { stderr } = await expectExitCode(cal(`${create} --organizer name:doubled`), 2);
      expect(stderr).toMatch(new RegExp(`is several: .*${String(id)} ..DOUBLED`));
    }
  });

  test("positional refs", async () => {
    for (const { cal } of await visited) {
      const id = async (ref: string, resource: string) =>
        Number((await expectExitCode(cal.runArgs([resource, "get", ref, "--field", "id"]), 0)).stdout);
      expect(await id("town-hall", "venues")).toBe(23);
      expect(await id("name:Town Hall", "venues")).toBe(23);
      expect(await id('name:"New Year’s Run"', "events")).toBeGreaterThan(100);
      expect(await id("jazz", "categories")).toBe(3);
      expect(await id("lectures", "categories")).toBe(11);
      expect(await id("name:kids & teens", "tags")).toBe(14);
      expect(await id("%e9%9f%b3%e6%a5%bd", "tags")).toBe(16);
      await expectExitCode(cal("tags get nonesuch"), 3);
    }
  });
});

test("filters take refs too, and ask for terms without events", async () => {
  const { cal } = await openSandboxSession("the-events-calendar");
  const count = async (line: string) => Number((await expectExitCode(cal(`events list --all-dates --format count ${line}`), 0)).stdout);
  expect(await count("--venue 'Town Hall'")).toBe(await count("--venue 23"));
  expect(await count("--category Jazz")).toBeGreaterThan(5);
  expect(await count("--category Lectures")).toBe(0);
  expect(await count("--status draft")).toBe(2);
  expect(await count("--status draft,pending")).toBeGreaterThanOrEqual(2);
});

test("a numeric slug needs its word", async () => {
  await generic("events get slug:2027");
  await generic("events get 2027");
  expect(server.receivedRequests).toEqual([`GET ${ns}/events/by-slug/2027`, `GET ${ns}/events/2027`]);
});
