// Files that were made for the CSV importer of The Events Calendar, with all of its columns, go in without a change.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "../records/sandbox.ts";

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

/** The columns by their keys, and the same by the labels that its users see. */
const eventKeys =
  "event_name,event_description,event_excerpt,event_start_date,event_start_time,event_end_date,event_end_time,event_timezone,event_all_day,event_hide,event_sticky,feature_event,event_venue_name,event_organizer_name,event_show_map_link,event_show_map,event_cost,event_currency_code,event_currency_symbol,event_currency_position,event_category,event_tags,event_website,featured_image,event_comment_status,event_ping_status";
const eventLabels =
  "Event Name,Event Description,Event Excerpt,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Time Zone,All Day Event,Hide Event From Event Listings,Event Sticky in Month View,Feature Event,Event Venue Name,Event Organizer Name(s) or ID(s),Event Show Map Link,Event Show Map,Event Cost,Event ISO Currency Code,Event Currency Symbol,Event Currency Position,Event Category,Event Tags,Event Website,Event Featured Image,Event Allow Comments,Event Allow Trackbacks and Pingbacks";

async function importFile({ cal }: SandboxSession, resource: string, lines: readonly string[], flags = "") {
  const path = join(cal.folder, `${resource}.csv`);
  writeFileSync(path, [...lines, ""].join("\n"));
  return expectExitCode(cal(`${resource} import ${path} --yes ${flags}`), 0);
}

async function find({ cal }: SandboxSession, resource: string, field: string, name: string): Promise<JsonRecord> {
  const all = resource === "events" ? "--all-dates --all" : "--all";
  const { stdout } = await expectExitCode(cal(`${resource} list ${all} --json`), 0);
  const found = (JSON.parse(stdout) as readonly JsonRecord[]).filter((record) => record[field] === name);
  expect(found, name).toHaveLength(1);
  return found[0] ?? {};
}

const names = (links: unknown, key: string) => [links].flat().map((link) => (link as JsonRecord)[key]);

describe.each(servers)("%s", (server) => {
  test.each([
    ["keys", eventKeys],
    ["labels", eventLabels],
  ])("events with the importer's %s as headers, its dates and its words for yes", async (_name, header) => {
    const session = await openSandboxSession(server);
    const lines = [
      header,
      // Slashes are month/day/year where one of them can be nothing else.
      'Vendor One,"A ""long"" night",Short,3/25/2027,7:30:00,3/25/2027,12:30:00 PM,America/New_York,no,,1,TRUE,Town Hall,Jane Doe,yes,true,10,USD,$,prefix,"Jazz, New Thing","one, two",https://example.com/,,open,closed',
      "Vendor Two,Words,,4/2/27,,4/3/27,,UTC+3:30,Yes,,,,,,,,,,,,,,,,,",
      // A row that ends early.
      "Vendor Three,Words,,4/5/2027,18:00,,",
    ];
    const { stderr } = await importFile(session, "events", lines, "--create-missing");
    expect(stderr).toContain("dates with slashes are read as month/day/year");
    expect(stderr).toMatch(/the interface can't write .*currency.*:? /i);
    expect(stderr).toContain("events.csv:4");
    const one = await find(session, "events", "title", "Vendor One");
    expect(one).toMatchObject({
      start_date: "2027-03-25 07:30:00",
      end_date: "2027-03-25 12:30:00",
      timezone: "America/New_York",
      featured: true,
      sticky: true,
      website: "https://example.com/",
    });
    expect(String(one["description"])).toContain("night");
    expect(names(one["venue"], "venue")).toEqual(["Town Hall"]);
    expect(names(one["organizer"], "organizer")).toEqual(["Jane Doe"]);
    expect(names(one["categories"], "name").toSorted()).toEqual(["Jazz", "New Thing"]);
    expect(names(one["tags"], "name").toSorted()).toEqual(["one", "two"]);
    const two = await find(session, "events", "title", "Vendor Two");
    expect(two).toMatchObject({ all_day: true });
    expect(String(two["start_date"])).toContain("2027-04-02");
    expect(String(two["end_date"])).toContain("2027-04-03");
    expect(await find(session, "events", "title", "Vendor Three")).toMatchObject({
      start_date: "2027-04-05 18:00:00",
      end_date: "2027-04-05 18:00:00",
    });
    const { stderr: again } = await importFile(session, "events", lines, "--create-missing");
    expect(again).toContain("0 written, 3 unchanged");
  });

  test("day-month-year with hyphens, and months by name", async () => {
    const session = await openSandboxSession(server);
    await importFile(session, "events", [
      "EVENT NAME,START DATE,END DATE,VENUE NAME,ORGANIZER NAME,CATEGORIES,ALL DAY EVENT?,SHOW MAP?",
      'Vendor Four,25-03-2027 19:00,25-03-2027 21:00,Town Hall,,,,"yes"',
      'Vendor Five,"apr 19, 2027","apr 19, 2027",,,,,',
    ]);
    expect(await find(session, "events", "title", "Vendor Four")).toMatchObject({ start_date: "2027-03-25 19:00:00" });
    expect(String((await find(session, "events", "title", "Vendor Five"))["start_date"])).toContain("2027-04-19");
  });

  test("venues and organizers", async () => {
    const session = await openSandboxSession(server);
    await importFile(session, "venues", [
      "Venue Name,Venue Description,Venue Country,Venue Address,Venue Address 2,Venue City,Venue State/Province,Venue Zip,Venue Phone,Venue Website,Venue Featured Image",
      "Vendor Hall,Words,United States,12 Main St,Suite 5,Springfield,IL,62701,555-1234,https://example.com/hall,",
    ]);
    expect(await find(session, "venues", "venue", "Vendor Hall")).toMatchObject({
      address: "12 Main St Suite 5",
      city: "Springfield",
      state: "IL",
      zip: "62701",
      phone: "555-1234",
    });
    await importFile(session, "organizers", [
      "organizer_name,organizer_description,organizer_email,organizer_website,organizer_phone,featured_image",
      "Vendor Band,Words,band@example.com,https://example.com/band,555-4321,",
    ]);
    expect(await find(session, "organizers", "organizer", "Vendor Band")).toMatchObject({ phone: "555-4321" });
  });
});
