// An update of one field changes no other field: on the sandbox that acts like a real server, where every update is destructive.

import { describe, expect, test } from "vitest";
import { resources } from "../../../src/model/resources.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

const site = await openSandboxSession("the-events-calendar");
const { cal, fetchJson } = site;

/** Another value for every field, as it is entered. Venue 22, organizers 31 and 33, picture 41 are seeded; the author is another person. */
const entered: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: {
    title: "--title 'Neuer Titel'",
    start_date: "--start-date '2027-05-09 15:00'",
    end_date: "--end-date '2027-05-20 21:00'",
    author: "--author 3",
    date: "--date '2026-12-24 10:00'",
    date_utc: "--date-utc '2026-12-24 10:00'",
    description: "--description '<p>Other</p>'",
    slug: "--slug a-slug-of-its-own-COUNT",
    excerpt: "--excerpt Brief",
    status: "--status pending",
    timezone: "--timezone Australia/Sydney",
    all_day: "--set all_day=FLIP",
    image: "--clear image",
    cost: "--cost 17",
    website: "--website https://elsewhere.example/?x=1&y=2",
    show_map: "--set show_map=FLIP",
    show_map_link: "--set show_map_link=FLIP",
    hide_from_listings: "--set hide_from_listings=FLIP",
    sticky: "--set sticky=FLIP",
    featured: "--set featured=FLIP",
    venue: "--venue 22",
    organizer: "--organizer 36",
    categories: "--category 6",
    tags: "--tag 13",
  },
  venues: {
    venue: "--venue 'Other Hall'",
    author: "--author 3",
    date: "--date '2026-12-24 10:00'",
    date_utc: "--date-utc '2026-12-24 10:00'",
    description: "--description '<p>Other</p>'",
    status: "--status pending",
    show_map: "--set show_map=FLIP",
    show_map_link: "--set show_map_link=FLIP",
    address: "--address 'B 2'",
    city: "--city Lyon",
    country: "--country France",
    province: "--province Rhône",
    state: "--state XX",
    zip: "--zip 69001",
    phone: "--phone 999",
    stateprovince: "--stateprovince Elsewhere",
    website: "--website https://elsewhere.example/",
    image: "--clear image",
  },
  organizers: {
    organizer: "--organizer 'Somebody Else'",
    author: "--author 3",
    date: "--date '2026-12-24 10:00'",
    date_utc: "--date-utc '2026-12-24 10:00'",
    description: "--description '<p>Other</p>'",
    status: "--status pending",
    phone: "--phone 999",
    website: "--website https://elsewhere.example/",
    email: "--email other@x.example",
    image: "--clear image",
  },
  categories: { name: "--name Other", description: "--description Other", slug: "--slug other-term", parent: "--parent 6" },
  tags: { name: "--name Other", description: "--description Other", slug: "--slug other-term" },
};

/** What a change of a field brings with it; times and dates belong together, and a slug is in the address. */
const times = [
  "start_date",
  "start_date_details",
  "utc_start_date",
  "utc_start_date_details",
  "end_date",
  "end_date_details",
  "utc_end_date",
  "utc_end_date_details",
];
const brings: Readonly<Record<string, readonly string[]>> = {
  start_date: ["start_date", "start_date_details", "utc_start_date", "utc_start_date_details"],
  end_date: ["end_date", "end_date_details", "utc_end_date", "utc_end_date_details"],
  timezone: [...times.filter((name) => name.startsWith("utc_")), "timezone_abbr"],
  all_day: times,
  date: ["date_utc"],
  date_utc: ["date"],
  slug: ["url", "urls", "rest_url"],
  status: ["url", "date_utc", "modified_utc", "slug"],
  cost: ["cost_details"],
  parent: ["url", "urls"],
};

/** What of a record is to stay: all but the moment of its change. Recorded: no address stands for a website that was never set any more, and a currency is distinguished. */
function lasting(record: JsonRecord, changed: string): JsonRecord {
  const gone = new Set(["modified", "modified_utc", "json_ld", "_links", changed, ...(brings[changed] ?? [])]);
  const stored = Object.entries(record).filter(([name]) => !gone.has(name));
  const reported: Readonly<Record<string, (value: unknown) => unknown>> = {
    website: (value) => (value === record["url"] ? "" : value),
    // The date of a draft is kept by sending it in UTC too, which a draft has not before.
    date_utc: (value) => (record["status"] === "draft" || record["status"] === "pending" ? "" : value),
    cost_details: (value) => Object(value)["values"] as unknown,
  };
  return Object.fromEntries(stored.map(([name, value]) => [name, reported[name]?.(value) ?? value]));
}

const base = {
  title: 'A & B: "Tom\'s" <b>night</b>',
  start_date: "2027-05-10 20:00:00",
  end_date: "2027-05-12 02:30:00",
  description: "<p>Text &amp; <em>more</em></p>",
  excerpt: 'Short "one"',
};
const flags = { show_map: true, show_map_link: true, sticky: true, featured: true, hide_from_listings: true };

/** Events, each with what real servers lose first. */
const records: readonly (readonly [resource: string, name: string, body: JsonRecord])[] = [
  [
    "events",
    "a private one in Tokyo with everything",
    {
      ...base,
      ...flags,
      status: "private",
      timezone: "Asia/Tokyo",
      cost: "$10 - $20",
      website: "https://x.example/?a=1&b=2",
      image: "41",
      venue: 21,
      organizer: [33, 31],
      categories: [3, 8],
      tags: [12, 14],
      author: 2,
    },
  ],
  ["events", "a draft without anything", { ...base, status: "draft" }],
  [
    "events",
    "one that lasts several days",
    { ...base, all_day: true, timezone: "Europe/Paris", cost: "0", slug: "whole-days", venue: 24, organizer: [34] },
  ],
  [
    "events",
    "one that is published later",
    { ...base, status: "future", date: "2027-03-01 08:00:00", cost: "from 5", website: "", timezone: "UTC" },
  ],
  [
    "events",
    "one with a slug beyond ASCII",
    { ...base, title: "日本 ジャズ", slug: "日本-ジャズ", cost: "¥4500", image: "41", timezone: "Asia/Tokyo" },
  ],
  [
    "venues",
    "a draft with everything",
    {
      venue: 'Smith & "Sons"\' Hall',
      status: "draft",
      description: "<p>D &amp; d</p>",
      address: "1 Road",
      city: "Albany",
      country: "United States",
      state: "NY",
      zip: "1",
      phone: "2",
      website: "https://x.example/?a=1&b=2",
      show_map: "false",
      show_map_link: "false",
      stateprovince: "NY",
      image: "41",
      author: 2,
    },
  ],
  ["venues", "a name and little more", { venue: "Bare Hall", status: "private" }],
  [
    "organizers",
    "a draft with everything",
    {
      organizer: 'Q & A "Ltd"',
      status: "draft",
      description: "<p>D</p>",
      phone: "2",
      website: "https://x.example/?a=1&b=2",
      email: "a@x.example",
      image: "41",
      author: 2,
    },
  ],
  ["categories", "a child with a text", { name: "Q & A", description: "Text &amp; <em>more</em>", slug: "q-and-a", parent: 3 }],
  ["tags", "one with a text", { name: "R & B", description: "Text", slug: "r-and-b" }],
];

/** Switches are typed the other way round than they are. */
function lineOf(resource: string, field: string, record: JsonRecord): string {
  return (entered[resource]?.[field] ?? "")
    .replace("FLIP", String(!(record[field] === true || record[field] === "true")))
    .replace("COUNT", String(count));
}

test("every field of the interface has a value here", () => {
  expect(Object.fromEntries(Object.entries(entered).map(([name, values]) => [name, Object.keys(values)]))).toEqual(
    Object.fromEntries(Object.values(resources).map(({ name, fields }) => [name, fields.map((field) => field.name)])),
  );
});

let count = 0;

/** Created again for each test, so that no test depends on an earlier update. */
async function made(resource: string, body: JsonRecord): Promise<JsonRecord> {
  count++;
  const title = resources[resource as keyof typeof resources].titleField;
  const slug = body["slug"] === undefined ? {} : { slug: `${String(body["slug"])}-${count}` };
  const { id } = await fetchJson(resource, "POST", { ...body, [title]: `${String(body[title])} ${count}`, ...slug });
  return fetchJson(`${resource}/${String(id)}`);
}

describe.each(records)("%s: %s", (resource, _name, body) => {
  const fields = Object.keys(entered[resource] ?? {});

  test.each(fields)("%s", async (field) => {
    const before = await made(resource, body);
    const outcome = await expectExitCode(cal(`${resource} update ${String(before["id"])} ${lineOf(resource, field, before)} --json`), 0);
    const after = await fetchJson(`${resource}/${String(before["id"])}`);
    expect(lasting(after, field), outcome.stderr).toEqual(lasting(before, field));
    expect(outcome.stderr).not.toContain("warning");
    // A picture that is not there can't be taken away, and drafts don't tell their date in UTC.
    const nothing = (field === "image" && (before["image"] ?? false) === false) || String(after[field]).startsWith("0000-");
    expect(JSON.stringify(after[field]) === JSON.stringify(before[field]), outcome.stderr).toBe(nothing);
  });
});

describe.each(["put", "post"])("--method %s", (method) => {
  test("loses no more than PATCH does", async () => {
    const [, , body = {}] = records[0] ?? [];
    const before = await made("events", body);
    await expectExitCode(cal(`events update ${String(before["id"])} --title New --method ${method}`), 0);
    expect(lasting(await fetchJson(`events/${String(before["id"])}`), "title")).toEqual(lasting(before, "title"));
  });
});

describe("a server that is the contract to the letter", async () => {
  const letter = await openSandboxSession("generic");

  test.each(["events/107", "events/114", "venues/24", "organizers/31", "categories/3", "tags/12"])(
    "a PUT of %s sends back all of it",
    async (path) => {
      const [resource = "", id] = path.split("/");
      const before = await letter.fetchJson(path);
      const { stderr } = await expectExitCode(letter.cal(`${resource} update ${id} --description Other --method put`), 0);
      expect(stderr).not.toContain("warning");
      expect(lasting(await letter.fetchJson(path), "description")).toEqual(lasting(before, "description"));
    },
  );
});

describe("by slug", () => {
  const slugged = records.filter(([resource, , body]) => resource === "events" && body["slug"] !== undefined);

  test.each(slugged)("%s: %s", async (_resource, _name, body) => {
    const before = await made("events", body);
    await expectExitCode(cal.runArgs(["events", "update", String(before["slug"]), "--cost", "3"]), 0);
    expect(lasting(await fetchJson(`events/${String(before["id"])}`), "cost")).toEqual(lasting(before, "cost"));
  });

  test("a venue, whose slug may not be in the body there", async () => {
    const before = await fetchJson("venues/21");
    await expectExitCode(cal(`venues update ${String(before["slug"])} --phone 1`), 0);
    expect(lasting(await fetchJson("venues/21"), "phone")).toEqual(lasting(before, "phone"));
  });

  test.each(["", " --raw"])("an event is renamed through its id%s", async (raw) => {
    const before = await made("events", { ...base, slug: "old-name" });
    const { id } = before;
    const outcome = await expectExitCode(cal(`events update ${String(before["slug"])} --slug new-name-${count}${raw}`), 0);
    expect((await fetchJson(`events/${String(id)}`))["slug"], outcome.stderr).toBe(`new-name-${count}`);
  });
});

test("every seeded event keeps all of it when its excerpt is changed", async () => {
  const seeded = Array.from({ length: 60 }, (_none, index) => 100 + index);
  const rows = await Promise.all(seeded.map((id) => fetchJson(`events/${id}`).catch(() => ({}))));
  const there = rows.filter((row): row is JsonRecord => "id" in row);
  expect(there.length).toBeGreaterThan(50);
  await expectExitCode(cal(`events update ${there.map(({ id }) => String(id)).join(" ")} --excerpt X`), 0);
  const after = await Promise.all(there.map(({ id }) => fetchJson(`events/${String(id)}`)));
  expect(after.map((row) => lasting(row, "excerpt"))).toEqual(there.map((row) => lasting(row, "excerpt")));
});
