// iCalendar as another program reads it: Python's icalendar, as Debian has it.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createEvent, findInstants, hostileEvents, hostileTexts, writeCalendar } from "../ical/calendar.ts";

// Debian's Python, which has Debian's packages.
const python = "/usr/bin/python3";

const script = `
import icalendar, json, sys
from datetime import datetime
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
zones = {str(zone["TZID"]): zone.to_tz() for zone in calendar.walk("VTIMEZONE")}
def tell(event):
    def moment(name):
        value = event.get(name)
        if value is None: return None
        if not isinstance(value.dt, datetime): return value.dt.isoformat()
        # By the rules of the file: the package would take its own for a name that it knows.
        zone = zones.get(value.params.get("TZID"))
        return (value.dt if zone is None else zone.localize(value.dt.replace(tzinfo=None))).timestamp() * 1000
    return {"uid": str(event["UID"]), "summary": str(event["SUMMARY"]), "start": moment("DTSTART"), "end": moment("DTEND"),
            "names": sorted(set(event.keys())), "errors": event.errors}
print(json.dumps({"zones": list(zones),
                  "events": [tell(event) for event in calendar.walk("VEVENT")]}))
`;

interface Reading {
  readonly zones: readonly string[];
  readonly events: readonly {
    readonly uid: string;
    readonly summary: string;
    readonly start: number | string;
    readonly end: number | string | null;
    readonly names: readonly string[];
    readonly errors: readonly unknown[];
  }[];
}

function readWithPython(text: string): Reading {
  const { stdout, stderr, status } = spawnSync(python, ["-c", script], { input: text, encoding: "utf8", timeout: 60_000 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Reading;
}

describe("Python's icalendar", () => {
  if (spawnSync(python, ["-c", "import icalendar"]).status !== 0) {
    const missing = "no python3-icalendar: apt-get install -y --no-install-recommends python3-icalendar";
    if (process.env["CI"]) throw new Error(missing);
    console.warn(`skipped: ${missing}`);
    return test.skip(missing);
  }

  test("reads every event at its instant, in zones of all kinds, on both sides of each change of the clock", async () => {
    const walls = [
      "01-10 09:00:00",
      "03-14 01:30:00",
      "03-14 03:00:00",
      "06-21 20:00:00",
      "11-07 00:30:00",
      "11-07 02:00:00",
      "12-31 23:30:00",
    ];
    const zones = ["America/New_York", "Europe/Paris", "Asia/Kolkata", "Australia/Sydney", "America/St_Johns", "UTC"];
    const cases = zones.flatMap((timezone) => walls.map((wall) => ({ timezone, start_date: `2027-${wall}` })));
    const { zones: written, events } = readWithPython(
      await writeCalendar(cases.map((one, index) => createEvent(index, { ...one, end_date: "" }))),
    );
    expect(written).toEqual(zones.filter((zone) => zone !== "UTC"));
    expect(events.map(({ start }) => start)).toEqual(cases.map(({ start_date, timezone }) => findInstants(start_date, timezone)[0]));
  });

  test("reads offsets, days and times that occur twice", async () => {
    const { events } = readWithPython(
      await writeCalendar([
        createEvent(1, { timezone: "UTC+3" }),
        createEvent(2, { timezone: "UTC-3:30" }),
        createEvent(3, { all_day: true, start_date: "2027-02-27 00:00:00", end_date: "2027-02-28 23:59:59" }),
        createEvent(4, { start_date: "2027-11-07 01:30:00", utc_start_date: "2027-11-07 06:30:00", end_date: "2027-11-07 03:00:00" }),
      ]),
    );
    expect(events.map(({ start, end }) => [start, end])).toEqual([
      [Date.UTC(2027, 0, 16, 17), Date.UTC(2027, 0, 16, 18)],
      [Date.UTC(2027, 0, 16, 23, 30), Date.UTC(2027, 0, 17, 0, 30)],
      ["2027-02-27", "2027-03-01"],
      [Date.UTC(2027, 10, 7, 6, 30), Date.UTC(2027, 10, 7, 8)],
    ]);
  });

  test("reads hostile texts as texts", async () => {
    const { events } = readWithPython(await writeCalendar(hostileEvents));
    expect(events.map(({ uid }) => uid)).toEqual(hostileEvents.map(({ id }) => `${id}@events.example.org`));
    expect(events.flatMap(({ errors }) => errors)).toEqual([]);
    expect(events.flatMap(({ names }) => names).filter((name) => ["ATTENDEE", "X", "BEGIN"].includes(name))).toEqual([]);
    // This version takes a backslash and an n, of which the backslash is escaped, for a line end.
    expect(events[3]?.summary).toBe(hostileTexts[3]?.replace("\\n", "\n"));
  });
});
