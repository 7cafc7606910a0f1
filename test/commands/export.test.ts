// Exports through the program: the formats that a flag alone chooses, and the CSV of the importer.
import { parse } from "csv-parse/sync";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../helpers/session.ts";
import { createTestView, renderText } from "../output/view.ts";

const cal = createSession();
const readUids = (text: string) =>
  new ICAL.Component(ICAL.parse(text) as string[]).getAllSubcomponents("vevent").map((one) => one.getFirstPropertyValue("uid"));

async function readIds(line: string): Promise<readonly string[]> {
  const { stdout } = await expectExitCode(cal(`${line} --format ids --quiet`), 0);
  return stdout.trim().split("\n").sort();
}

describe("--format ics", () => {
  test.each(["events list --all-dates --all", "agenda --next 30d", "events get 103 104 150"])("%s has every event once", async (line) => {
    const { stdout } = await expectExitCode(cal(`${line} --format ics`), 0);
    expect(readUids(stdout).sort()).toEqual((await readIds(line)).map((id) => `${id}@127.0.0.1`));
  });

  test("is one calendar for one ref, and for none that is found", async () => {
    const { stdout } = await expectExitCode(cal("events get jazz-night --format ics"), 0);
    expect(readUids(stdout)).toHaveLength(1);
    const none = await expectExitCode(cal("events list --search nothing-has-this-word --format ics --quiet"), 0);
    expect(readUids(none.stdout)).toEqual([]);
  });

  test("shows control and invisible characters as escapes on a terminal alone", async () => {
    const records = [{ id: 1 }];
    const toDocument = async function* () {
      yield "A:\u009b31m\u202e\r\n";
    };
    const report = { kind: "list", columns: [], fieldNames: [], records, toDocument } as const;
    expect(await renderText(report, createTestView("ics"))).toBe("A:\u009b31m\u202e\r\n");
    expect(await renderText(report, createTestView("ics", { tty: true }))).toBe("A:\\u009b31m\\u202e\n");
  });

  test("reports a ref that failed on stderr, with its exit code, and prints the others", async () => {
    const { stdout, stderr } = await expectExitCode(cal("events get 103 99999 --format ics"), 8);
    expect(readUids(stdout)).toEqual(["103@127.0.0.1"]);
    expect(stderr).toMatch(/^cal: 99999: /);
  });

  test("wins over CAL_FORMAT, and can't be combined with what chooses fields", async () => {
    const csv = createSession({ env: { CAL_FORMAT: "count" } });
    expect((await expectExitCode(csv("events list --format ics --quiet"), 0)).stdout).toMatch(/^BEGIN:VCALENDAR\r\n/);
    const { stdout, stderr } = await expectExitCode(cal("events list --format ics --fields id --envelope"), 2);
    expect([stdout, stderr]).toEqual(["", expect.stringContaining("--envelope is for json and yaml, not for ics") as string]);
    expect(stderr).toContain("--fields and --format ics exclude each other");
  });
});

describe("the formats of exports", () => {
  test.each([
    ["venues list --format ics", "ics is for events list, events get and agenda"],
    ["events get 103 --format html", "markdown and html are for events list and agenda"],
    ["events create --title x --format markdown", "markdown and html are for events list and agenda"],
    ["week --format ics", "ics is for events list, events get and agenda"],
  ])("are refused elsewhere: %s", async (line, reason) => {
    const { stdout, stderr } = await expectExitCode(cal(line), 2);
    expect(stdout).toBe("");
    expect(stderr).toContain(reason);
    expect(stderr).toContain("see cal help formats");
  });

  test.each(["ics", "markdown", "html"])("are refused in CAL_FORMAT and the profile: %s", async (format) => {
    const { stdout, stderr } = await expectExitCode(createSession({ env: { CAL_FORMAT: format } })("events list"), 2);
    expect([stdout, stderr]).toEqual(["", expect.stringContaining(`CAL_FORMAT: "${format}" is a value of --format alone`) as string]);
    expect((await expectExitCode(cal(`config set format ${format}`), 2)).stderr).toContain("is a value of --format alone");
  });

  test("are suggested for the words that users type", async () => {
    expect((await expectExitCode(cal("agenda --format md"), 2)).stderr).toContain("markdown");
    expect((await expectExitCode(cal("agenda --format ical"), 2)).stderr).toContain("ics");
  });
});

describe("--for-import", () => {
  const read = (text: string) => parse(text, { columns: true, bom: true }) as Readonly<Record<string, string>>[];

  test("has the columns and the formats that the importer takes", async () => {
    const { stdout } = await expectExitCode(cal("events list --search jazz --limit 1 --format csv --for-import --quiet"), 0);
    expect(read(stdout)).toEqual([
      {
        event_name: "Jazz Night",
        event_description: "<p>The house trio and a guest. <strong>Two sets</strong>, one break.</p>",
        event_excerpt: "",
        event_start_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
        event_start_time: "20:00:00",
        event_end_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
        event_end_time: "23:00:00",
        event_timezone: "America/New_York",
        event_all_day: "no",
        event_hide: "no",
        event_sticky: "no",
        feature_event: "yes",
        event_venue_name: "Blue Note Cellar",
        event_organizer_name: "Jane Doe",
        event_show_map_link: "yes",
        event_show_map: "yes",
        event_cost: "15",
        event_currency_code: "",
        event_currency_symbol: "",
        event_currency_position: "",
        event_category: "Jazz",
        event_tags: "late-night",
        event_website: "https://cellar.example.org/jazz?a=1&b=2",
        featured_image: "",
      },
    ]);
  });

  test("says what the importer can't take", async () => {
    const site = createSession();
    await expectExitCode(site('categories create --name "Arts, Crafts"'), 0);
    await expectExitCode(
      site('events create --title "A \\ B" --start-date "2027-02-01" --end-date 2027-02-02 --all-day --category "Arts, Crafts" --image 41'),
      0,
    );
    const { stdout, stderr } = await expectExitCode(
      site("events list --search 'A' --start-date 2027-02-01 --end-date 2027-02-02 --format csv --for-import"),
      0,
    );
    const found = read(stdout).find(({ event_name }) => event_name?.startsWith("A "));
    expect(found).toMatchObject({ event_start_time: "", event_all_day: "yes", featured_image: "", event_category: "Arts, Crafts" });
    expect(stdout).not.toContain("\\");
    expect(stderr).toContain("categories: a name with a comma, which the importer takes for several (in 1 of the events)");
    expect(stderr).toContain("featured_image: an id of this site");
  });

  test("is there for venues and organizers, not for terms, and only as CSV", async () => {
    const venues = await expectExitCode(cal("venues list --search hall --format csv --for-import --quiet"), 0);
    expect(venues.stdout.split("\r\n", 2)).toEqual([
      "venue_name,venue_description,venue_country,venue_address,venue_city,venue_state,venue_zip,venue_phone,venue_url,featured_image",
      expect.stringContaining("Town Hall,") as string,
    ]);
    const organizers = await expectExitCode(cal("organizers list --format csv --for-import --quiet"), 0);
    expect(organizers.stdout).toContain("jane@example.org");
    await expectExitCode(cal("tags list --format csv --for-import"), 2);
    expect((await expectExitCode(cal("events list --json --for-import"), 2)).stderr).toContain("--for-import is for csv, not for json");
  });
});

describe("a programme", () => {
  test("of a list has each event on its first day, of the agenda on each of its days", async () => {
    const site = createSession();
    await expectExitCode(
      site(
        'events create --title "Long *Fair*" --start-date "2027-01-20" --end-date 2027-01-22 --all-day --cost 0 --set website=https://a.example',
      ),
      0,
    );
    const { stdout: listed } = await expectExitCode(
      site("events list --search Fair --start-date 2027-01-15 --all --format markdown --quiet"),
      0,
    );
    expect(listed.split("\n").filter((line) => line.includes("Long"))).toEqual([
      expect.stringMatching(/^- all day · \[\*\*Long \\\*Fair\\\*\*\*\]\(<http:.*>\) · until Friday 22 January 2027 · Free$/) as string,
    ]);
    const { stdout: agenda } = await expectExitCode(site("agenda 2027-01 --search Fair --format markdown --quiet"), 0);
    expect(agenda.match(/^## .*$/gm)).toEqual(
      expect.arrayContaining(["## Wednesday 20 January 2027", "## Thursday 21 January 2027", "## Friday 22 January 2027"]) as string[],
    );
  });

  test("has a line for an event without a title", async () => {
    const site = createSession();
    await expectExitCode(site('events create --title "<b></b>" --start-date 2027-01-20 --duration 1h'), 0);
    const { stdout } = await expectExitCode(site("events list --on 2027-01-20 --all --format markdown --quiet"), 0);
    expect(stdout).toContain("[**\\(no title\\)**]");
  });

  test("without events says so", async () => {
    const line = "events list --search nothing-has-this-word --quiet --format";
    expect((await expectExitCode(cal(`${line} markdown`), 0)).stdout).toBe("# No events\n\nTimes: America/New\\_York\n");
    expect((await expectExitCode(cal(`${line} html`), 0)).stdout).toContain("<h1>No events</h1>");
  });

  test("is on the clock of --tz, and says when that is not the event's own", async () => {
    const { stdout } = await expectExitCode(cal("events list --search jazz --limit 1 --tz Asia/Tokyo --format markdown --quiet"), 0);
    expect(stdout).toContain("Times: Asia/Tokyo\n");
    expect(stdout).toMatch(/- 0[89]:00–1[12]:00 · .* · 20:00 America\/New\\_York · /);
  });
});
