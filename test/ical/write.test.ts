// Events as iCalendar, as another program reads it: ical.js.
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import type { DataRecord } from "../../src/data-record.ts";
import { createEvent, findInstants, hostileEvents, hostileTexts, writeCalendar } from "./calendar.ts";

const read = (text: string) => new ICAL.Component(ICAL.parse(text) as string[]);

async function readEvents(...records: readonly DataRecord[]) {
  return read(await writeCalendar(records))
    .getAllSubcomponents("vevent")
    .map((component) => ({ component, event: new ICAL.Event(component) }));
}

async function readEvent(changes: DataRecord) {
  const [found] = await readEvents(createEvent(7, changes));
  if (found === undefined) throw new Error("no event");
  return found;
}

const toEpoch = (time: { toUnixTime(): number }) => time.toUnixTime() * 1000;

async function writeLines(changes: DataRecord): Promise<readonly string[]> {
  return (await writeCalendar([createEvent(7, changes)])).replaceAll("\r\n ", "").split("\r\n");
}

describe("the file", () => {
  test("is the same for the same data, whatever the clock", async () => {
    expect(await writeLines({ timezone: "UTC", modified: "2026-12-01 03:30:00" })).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//cal//cal//EN",
      "CALSCALE:GREGORIAN",
      "BEGIN:VEVENT",
      "UID:7@events.example.org",
      "DTSTAMP:20261201T083000Z",
      "LAST-MODIFIED:20261201T083000Z",
      "DTSTART:20270116T200000Z",
      "DTEND:20270116T210000Z",
      "SUMMARY:Event 7",
      "STATUS:CONFIRMED",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });

  test("has lines of at most 75 octets that end in CRLF, cut between characters", async () => {
    const text = await writeCalendar(hostileEvents);
    expect(text.endsWith("\r\n")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const lines = text.split("\r\n");
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(lines.filter((line) => Buffer.from(line).toString() !== line && !line.includes("\ud800"))).toEqual([]);
  });

  test("comes in chunks, as events arrive", async () => {
    const { formatCalendar } = await import("../../src/ical/write.ts");
    let asked = 0;
    const batches = async function* () {
      for (asked = 1; asked < 100; asked++) yield [createEvent(asked)];
    };
    const chunks = formatCalendar(batches(), { host: "h", onUnreadable: () => undefined });
    await chunks.next();
    await chunks.next();
    expect(asked).toBe(1);
    await chunks.return(undefined);
  });

  test("names a zone once, before its first event", async () => {
    const paris = { timezone: "Europe/Paris" };
    const text = await writeCalendar([createEvent(1), createEvent(2, paris), createEvent(3), createEvent(4, paris)]);
    expect(text.match(/^(?:TZID|UID):.*/gm)?.map((line) => line.trim())).toEqual([
      "TZID:America/New_York",
      "UID:1@events.example.org",
      "TZID:Europe/Paris",
      "UID:2@events.example.org",
      "UID:3@events.example.org",
      "UID:4@events.example.org",
    ]);
  });
});

describe("times", () => {
  const zones = ["America/New_York", "Europe/Paris", "Europe/Dublin", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata"];

  test.each([...zones, "America/Sao_Paulo", "Pacific/Apia", "Asia/Tehran"])("%s: are the instants that Intl knows", async (timezone) => {
    const walls = Array.from({ length: 36 * 6 }, (_, at) => {
      const day = new Date(Date.UTC(2001 + (at % 36), 2 + Math.floor(at / 36) * 2, 1 + (at % 28)));
      return `${day.toISOString().slice(0, 10)} 12:30:00`;
    });
    // Samoa had no 30 December 2011.
    const known = walls.filter((wall) => findInstants(wall, timezone).length === 1);
    const found = await readEvents(...known.map((wall, id) => createEvent(id, { timezone, start_date: wall, end_date: "" })));
    expect(found.map(({ event }) => toEpoch(event.startDate))).toEqual(known.map((wall) => findInstants(wall, timezone)[0]));
  });

  test.each([
    ["2027-03-14 01:59:00", "2027-03-14 03:00:00"],
    ["2027-11-07 00:30:00", "2027-11-07 02:00:00"],
  ])("are right on both sides of a change of the clock: %s to %s", async (start_date, end_date) => {
    const { event } = await readEvent({ start_date, end_date });
    expect([toEpoch(event.startDate), toEpoch(event.endDate)]).toEqual(
      [start_date, end_date].map((wall) => findInstants(wall, "America/New_York")[0]),
    );
  });

  test("that occur twice are in UTC", async () => {
    const wall = { start_date: "2027-11-07 01:30:00", end_date: "2027-11-07 03:00:00", utc_end_date: "2027-11-07 08:00:00" };
    const [first = 0, second = 0] = findInstants(wall.start_date, "America/New_York");
    expect(second - first).toBe(3_600_000);
    const early = await readEvent({ ...wall, utc_start_date: "2027-11-07 05:30:00" });
    const late = await readEvent({ ...wall, utc_start_date: "2027-11-07 06:30:00" });
    expect([early, late].map(({ event }) => event.startDate.zone.tzid)).toEqual(["UTC", "UTC"]);
    expect([early, late].map(({ event }) => toEpoch(event.startDate))).toEqual([first, second]);
    expect(toEpoch(late.event.endDate)).toBe(Date.UTC(2027, 10, 7, 8));
  });

  test.each([
    ["UTC+3", "UTC+3", 3],
    ["UTC-3.5", "UTC-3.5", -3.5],
    ["UTC+5:30", "UTC+530", 5.5],
    ["+02:00", "+0200", 2],
  ])("in the zone %s have it as %s", async (timezone, tzid, hours) => {
    const { component, event } = await readEvent({ timezone });
    expect(component.getFirstProperty("dtstart")?.getFirstParameter("tzid")).toBe(tzid);
    expect(toEpoch(event.startDate)).toBe(Date.UTC(2027, 0, 16, 20) - hours * 3_600_000);
  });

  test.each([
    ["a zone that is unknown", { timezone: "Mars/Phobos", utc_start_date: "2027-01-16 19:00:00" }, "DTSTART:20270116T190000Z"],
    ["no zone", { timezone: "" }, "DTSTART:20270116T200000"],
    ["a clock that skips them", { start_date: "2027-03-14 02:30:00", end_date: "" }, "DTSTART:20270314T073000Z"],
    ["a year after the last one of VTIMEZONE", { start_date: "2038-07-01 20:00:00", end_date: "" }, "DTSTART:20380702T000000Z"],
  ])("with %s are in UTC, or floating", async (_what, changes, line) => {
    expect(await writeLines(changes)).toContain(line);
  });

  test.each([
    ["one day", "2027-01-16", "2027-01-16", "20270117"],
    ["several days", "2027-02-27", "2027-03-01", "20270302"],
    ["an end before its start", "2027-01-16", "2027-01-15", "20270117"],
  ])("of all-day events have an exclusive end: %s", async (_what, first, last, end) => {
    const lines = await writeLines({ all_day: true, start_date: `${first} 00:00:00`, end_date: `${last} 23:59:59` });
    expect(lines.filter((line) => line.startsWith("DT"))).toEqual([
      "DTSTAMP:20261201T083000Z",
      `DTSTART;VALUE=DATE:${first.replaceAll("-", "")}`,
      `DTEND;VALUE=DATE:${end}`,
    ]);
    expect(lines).not.toContain("BEGIN:VTIMEZONE");
  });

  test("have no end that is not after the start", async () => {
    for (const end_date of ["2027-01-16 20:00:00", "2027-01-16 19:00:00", "", "2027-02-30 20:00:00"])
      expect((await writeLines({ end_date })).filter((line) => line.startsWith("DTEND"))).toEqual([]);
  });

  test("that can't be read leave the event out, and are reported", async () => {
    const { formatCalendar } = await import("../../src/ical/write.ts");
    const bad = [
      createEvent(1, { start_date: "" }),
      createEvent(2, { start_date: "2027-02-30 10:00:00" }),
      createEvent(3, { all_day: true, start_date: "2027-01-01\r\nX:1" }),
      createEvent(4, { start_date: "20270101\r\nX:1" }),
    ];
    const unreadable: unknown[] = [];
    const batches = async function* () {
      yield [...bad, createEvent(5, { all_day: true, start_date: "9999-12-31 00:00:00", end_date: "9999-12-31 23:59:59" })];
    };
    let text = "";
    for await (const chunk of formatCalendar(batches(), { host: "h", onUnreadable: ({ id }) => unreadable.push(id) })) text += chunk;
    expect(unreadable).toEqual([1, 2, 4]);
    expect(text.match(/^UID.*$/gm)?.map((line) => line.trim())).toEqual(["UID:3@h", "UID:5@h"]);
    expect(text).not.toContain("X:1");
  });
});

describe("fields", () => {
  test("are read back", async () => {
    const { component, event } = await readEvent({
      title: "Rock &#038; Roll; part 1, &#8220;live&#8221;",
      description: "<p>Line one.<br />\nLine two.</p>\n<p>A, b; c \\ d</p>",
      venue: {
        venue: "Caf&eacute; d&#8217;Or",
        address: "1 Main St",
        zip: "12207",
        city: "Albany",
        stateprovince: "NY",
        country: "USA",
        geo_lat: 42.6526,
        geo_lng: "-73.7562",
      },
      organizer: [
        { organizer: "No Mail" },
        { organizer: 'Jane "JD" Doe', email: "jane+events&#64;example.org" },
        { organizer: "Second", email: "second@example.org" },
      ],
      categories: [{ name: "Music &amp; Arts" }, { name: "a, b" }],
      url: "https://example.org/event/rock/?a=1&#038;b=2",
      image: { url: "https://example.org/a.png" },
    });
    const get = (name: string) => component.getFirstPropertyValue(name);
    expect(event.summary).toBe("Rock & Roll; part 1, “live”");
    expect(event.description).toBe("Line one.\nLine two.\n\nA, b; c \\ d");
    expect(get("x-alt-desc")).toBe("<p>Line one.<br />\\nLine two.</p>\\n<p>A\\, b\\; c \\\\ d</p>");
    expect(event.location).toBe("Café d’Or, 1 Main St, 12207 Albany, NY, USA");
    expect(get("geo")).toEqual([42.6526, -73.7562]);
    expect(get("organizer")).toBe("mailto:jane+events@example.org");
    expect(component.getFirstProperty("organizer")?.getFirstParameter("cn")).toBe('Jane "JD" Doe');
    expect(component.getAllProperties("contact").map((one) => one.getFirstValue())).toEqual(["No Mail", "Second"]);
    expect(component.getFirstProperty("categories")?.getValues()).toEqual(["Music & Arts", "a, b"]);
    expect(get("url")).toBe("https://example.org/event/rock/?a=1&b=2");
    expect(get("image")).toBe("https://example.org/a.png");
  });

  test.each([
    ["publish", "CONFIRMED"],
    ["draft", "TENTATIVE"],
    ["pending", "TENTATIVE"],
    ["trash", "CANCELLED"],
  ])("the status %s is %s", async (status, expected) => {
    expect(await writeLines({ status })).toContain(`STATUS:${expected}`);
  });

  test("no venue, no organizer and no coordinates leave no property", async () => {
    const { component } = await readEvent({ venue: [], organizer: [], categories: [], image: false, url: "", description: "" });
    expect(component.getAllProperties().map((one) => one.name)).toEqual([
      "uid",
      "dtstamp",
      "last-modified",
      "dtstart",
      "dtend",
      "summary",
      "status",
    ]);
    expect(await writeLines({ venue: { venue: "A", geo_lat: "", geo_lng: "" } })).toContain("LOCATION:A");
    expect((await writeLines({ venue: { geo_lat: 91, geo_lng: 0 } })).filter((line) => line.startsWith("GEO"))).toEqual([]);
  });

  test("with hostile texts add no property and no component", async () => {
    const calendar = read(await writeCalendar(hostileEvents));
    const events = calendar.getAllSubcomponents("vevent");
    expect(
      calendar
        .getAllSubcomponents()
        .map((one) => one.name)
        .sort(),
    ).toEqual(["vtimezone", ...hostileEvents.map(() => "vevent")].sort());
    expect(events.map((one) => one.getFirstPropertyValue("uid"))).toEqual(hostileEvents.map(({ id }) => `${id}@events.example.org`));
    const allowed =
      /^(uid|dtstamp|last-modified|dtstart|dtend|summary|description|x-alt-desc|location|organizer|contact|categories|url|image|status)$/;
    expect(events.flatMap((one) => one.getAllProperties().map(({ name }) => name)).filter((name) => !allowed.test(name))).toEqual([]);
    expect(events.map((one) => one.getFirstProperty("organizer")?.getFirstValue())).toEqual(
      hostileTexts.map((text) => `mailto:${/^[=日]/.test(text) ? encodeURIComponent(text).replace("%2B", "+") : "info"}@example.org`),
    );
    expect(events[3]?.getFirstPropertyValue("summary")).toBe(hostileTexts[3]);
  });
});
