// The dates of a list mean the same on every server: events that start in the window, or run in it, by the instant.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectExitCode, type Session } from "../../helpers/session.ts";
import { fetchAllEvents, type JsonRecord, openSandboxSession } from "./sandbox.ts";

const tec = await openSandboxSession("the-events-calendar");
const generic = await openSandboxSession("generic");

/** Events at the edges of days and of the clocks of the world, beside the seeded ones. */
const edges: readonly JsonRecord[] = [
  { title: "Tokyo, first minute", timezone: "Asia/Tokyo", start_date: "2027-05-10 00:00:00", end_date: "2027-05-10 00:01:00" },
  { title: "Tokyo, last second", timezone: "Asia/Tokyo", start_date: "2027-05-10 23:59:59", end_date: "2027-05-11 01:00:00" },
  { title: "New York, first minute", timezone: "America/New_York", start_date: "2027-05-10 00:00:00", end_date: "2027-05-10 00:30:00" },
  { title: "New York, last second", timezone: "America/New_York", start_date: "2027-05-10 23:59:59", end_date: "2027-05-11 00:00:00" },
  { title: "New York, ends at midnight", timezone: "America/New_York", start_date: "2027-05-09 20:00:00", end_date: "2027-05-10 00:00:00" },
  {
    title: "Kiribati, all day",
    timezone: "Pacific/Kiritimati",
    start_date: "2027-05-11 00:00:00",
    end_date: "2027-05-11 23:59:59",
    all_day: true,
  },
  {
    title: "Midway, all day",
    timezone: "Pacific/Midway",
    start_date: "2027-05-09 00:00:00",
    end_date: "2027-05-09 23:59:59",
    all_day: true,
  },
  { title: "Twelve behind", timezone: "Etc/GMT+12", start_date: "2027-05-09 12:00:00", end_date: "2027-05-09 13:00:00" },
  { title: "A week", timezone: "Europe/Paris", start_date: "2027-05-06 18:00:00", end_date: "2027-05-13 18:00:00" },
  { title: "Years", timezone: "UTC", start_date: "2020-01-01 00:00:00", end_date: "2031-01-01 00:00:00" },
  { title: "A moment", timezone: "UTC", start_date: "2027-05-10 04:00:00", end_date: "2027-05-10 04:00:00" },
  { title: "Long ago", timezone: "UTC", start_date: "1999-05-10 10:00:00", end_date: "1999-05-10 11:00:00" },
  { title: "Far off", timezone: "UTC", start_date: "2035-05-10 10:00:00", end_date: "2035-05-10 11:00:00" },
];
for (const event of edges) for (const { fetchJson } of [tec, generic]) await fetchJson("events", "POST", event);
const known = {
  tec: (await fetchAllEvents(tec)).filter((row) => row["hide_from_listings"] !== true),
  generic: await fetchAllEvents(generic),
};

const instant = (row: JsonRecord, name: string) => Date.parse(`${String(row[`utc_${name}`]).replace(" ", "T")}Z`);
const ids = (rows: readonly JsonRecord[]) => rows.map(({ id }) => Number(id)).sort((left, right) => left - right);

async function listed(cal: Session, line: string): Promise<readonly number[]> {
  const { stdout } = await expectExitCode(cal(`events list --all --json ${line}`), 0);
  return ids(JSON.parse(stdout) as JsonRecord[]);
}

/** By brute force: what starts from one instant to the other, or runs between them. */
function starting(from: string, to: string): readonly number[] {
  return ids(known.tec.filter((row) => instant(row, "start_date") >= Date.parse(from) && instant(row, "start_date") <= Date.parse(to)));
}

function running(from: string, to: string): readonly number[] {
  return runningOf(known.tec, from, to);
}

function runningOf(rows: readonly JsonRecord[], from: string, to: string): readonly number[] {
  const inside = (row: JsonRecord) => instant(row, "start_date") >= Date.parse(from) || instant(row, "end_date") > Date.parse(from);
  return ids(rows.filter((row) => instant(row, "start_date") <= Date.parse(to) && inside(row)));
}

/** What starts, or ends, before or after an instant; never at it. */
function beside(key: "start_date" | "end_date", side: "before" | "after", moment: string): readonly number[] {
  const distance = (row: JsonRecord) => instant(row, key) - Date.parse(moment);
  return ids(known.tec.filter((row) => (side === "before" ? distance(row) < 0 : distance(row) > 0)));
}

/** New York is four hours behind UTC in May, Tokyo nine ahead. */
const day = { from: "2027-05-10T04:00:00Z", to: "2027-05-11T03:59:59Z" };
const tokyoDay = { from: "2027-05-09T15:00:00Z", to: "2027-05-10T14:59:59Z" };

describe("a site that runs The Events Calendar", () => {
  const cases: readonly (readonly [line: string, ids: readonly number[], atLeast: number])[] = [
    ["--start-date 2027-05-10 --end-date 2027-05-10", starting(day.from, day.to), 4],
    ["--start-date 2027-05-10 --end-date 2027-05-10 --tz Asia/Tokyo", starting(tokyoDay.from, tokyoDay.to), 3],
    ["--start-date '2027-05-10 04:00Z' --end-date '2027-05-10 04:00Z'", starting("2027-05-10T04:00:00Z", "2027-05-10T04:00:00Z"), 2],
    ["--start-date '2027-05-10 00:00:01' --end-date '2027-05-10 23:59:58'", starting("2027-05-10T04:00:01Z", "2027-05-11T03:59:58Z"), 1],
    ["--start-date 2027-05-10 --end-date 2027-05-10 --running", running(day.from, day.to), 6],
    ["--on 2027-05-10", running(day.from, day.to), 6],
    ["--on 2027-05-10 --tz Asia/Tokyo", running(tokyoDay.from, tokyoDay.to), 6],
    ["--start-date 2027-05-10", starting(day.from, "9999-01-01T00:00:00Z"), 8],
    ["--end-date 2026-12-31", starting("0001-01-01T00:00:00Z", "2027-01-01T04:59:59Z"), 10],
    ["--end-date 2000", starting("0001-01-01T00:00:00Z", "2001-01-01T04:59:59Z"), 1],
    ["--running", running("2027-01-15T12:00:00Z", "2027-01-15T12:00:00Z"), 1],
    ["--today", running("2027-01-15T05:00:00Z", "2027-01-16T04:59:59Z"), 1],
    ["--week 2027-05-12", running("2027-05-10T04:00:00Z", "2027-05-17T03:59:59Z"), 6],
    ["--month 2027-02", running("2027-02-01T05:00:00Z", "2027-03-01T04:59:59Z"), 8],
    ["--next 30d", running("2027-01-15T12:00:00Z", "2027-02-14T12:00:00Z"), 8],
    ["--all-dates", ids(known.tec), 60],
    ["--include 100,104", [100, 104], 2],
    ["--start-date 2027-05-10 --end-date 2027-05-10 --starts-before 2027-05-12", starting(day.from, day.to), 4],
  ];

  // Such a site moves all four to the last second of their day, on each event's own clock.
  const limits: typeof cases = [
    ["--starts-before 2027-05-10", beside("start_date", "before", day.from), 20],
    ["--starts-after 2027-05-10", beside("start_date", "after", day.to), 1],
    ["--ends-before 2027-05-10", beside("end_date", "before", day.from), 20],
    ["--ends-after 2027-05-10", beside("end_date", "after", day.to), 1],
    ["--ends-before 2027", beside("end_date", "before", "2027-01-01T05:00:00Z"), 10],
    ["--starts-after 2027-05", beside("start_date", "after", "2027-06-01T03:59:59Z"), 1],
    ["--starts-after '2027-05-10 00:00'", beside("start_date", "after", day.from), 1],
    ["--starts-before '2027-05-10 04:00Z'", beside("start_date", "before", "2027-05-10T04:00:00Z"), 20],
    ["--starts-after 2027-05-09 --strict-dates", beside("start_date", "after", "2027-05-10T03:59:59Z"), 1],
    ["--start-date 2027-05-10 --end-date 2027-05-10 --strict-dates", starting(day.from, day.to), 4],
    [
      "--start-date 2027-05-10 --starts-after '2027-05-10 00:00' --ends-before '2027-05-11 12:00Z'",
      beside("start_date", "after", day.from).filter((id) => beside("end_date", "before", "2027-05-11T12:00:00Z").includes(id)),
      3,
    ],
  ];

  test.each([...cases, ...limits])("%s", async (line, expected, atLeast) => {
    expect(expected.length).toBeGreaterThanOrEqual(atLeast);
    expect(await listed(tec.cal, line)).toEqual(expected);
  });

  // The first day of 1970 is refused there, and so is what lies before the year 1.
  test.each(["--start-date 1970-01-02", "--start-date 1970-01-03", "--start-date 0001"])("%s finds all", async (line) => {
    expect(await listed(tec.cal, line)).toEqual(ids(known.tec));
  });

  test.each(["--end-date 1969-12-31", "--end-date '1969-12-31 05:00'", "--end-date 1970-01-01"])("%s finds none", async (line) => {
    expect(await listed(tec.cal, line)).toEqual([]);
  });

  test("an event that ends as the day begins does not run on it, one that begins with its last second does", async () => {
    const { stdout } = await tec.cal("events list --on 2027-05-10 --all --json");
    const titles = (JSON.parse(stdout) as JsonRecord[]).map(({ title }) => title);
    expect(titles).toContain("New York, last second");
    expect(titles).not.toContain("New York, ends at midnight");
  });

  test("limit, count, pages and the envelope come after the trimming", async () => {
    const whole = starting(day.from, "9999-01-01T00:00:00Z");
    const ask = async (line: string) => (await expectExitCode(tec.cal(`events list --start-date 2027-05-10 ${line}`), 0)).stdout;
    const order = (await ask("--all --format ids")).trim().split("\n");
    expect(order.length).toBe(whole.length);
    expect(await ask("--format count")).toBe(`${whole.length}\n`);
    expect((await ask("--limit 3 --format ids")).trim().split("\n")).toEqual(order.slice(0, 3));
    expect((await ask("--page 2 --per-page 4 --format ids")).trim().split("\n")).toEqual(order.slice(4, 8));
    expect(await ask("--page 90 --format ids")).toBe("");
    expect(JSON.parse(await ask("--all --envelope --json --fields id"))).toMatchObject({
      total: whole.length,
      truncated: false,
      window: { from: "2027-05-10 00:00:00", zone: "America/New_York", running: false },
    });
    expect(JSON.parse(await ask("--limit 2 --envelope --json --fields id"))).toMatchObject({ truncated: true });
  });

  test("the window that was used is said, and a total that only the server knows is said as about", async () => {
    const { stderr } = await tec.cal("events list --start-date 2027-05-10 --end-date 2027-05-10 --limit 2 --json");
    expect(stderr).toContain("events that start from 2027-05-10 00:00:00 to 2027-05-10 23:59:59 (America/New_York)");
    expect(stderr).toMatch(/showing 2 of about \d+, use --all/);
    expect((await tec.cal("events list --json")).stderr).toContain("--all-dates");
  });

  test("the moments of --ends-before 2026 and its like are said, and stand in the envelope", async () => {
    const { stderr, stdout } = await tec.cal("events list --ends-before 2026 --starts-after '2025-03-01 09:00' --envelope --json");
    expect(stderr).toContain("events that start after 2025-03-01 09:00:00 and end before 2026-01-01 00:00:00 (America/New_York)");
    expect(JSON.parse(stdout)).toMatchObject({
      window: { starts_after: "2025-03-01 09:00:00", ends_before: "2026-01-01 00:00:00", zone: "America/New_York" },
    });
  });

  test("--strict-dates, which moves days there, is not needed for dates, and that is said", async () => {
    const { stderr } = await tec.cal("events list --starts-after 2027-05-09 --strict-dates");
    expect(stderr).toContain("--strict-dates is not sent: cal takes dates to the second by itself");
  });

  test("any window, any zone", async () => {
    const start = Date.parse("2027-05-06T00:00:00Z") / 1000;
    const second = fc.integer({ min: start, max: start + 8 * 86_400 });
    const zone = fc.constantFrom("America/New_York", "Asia/Tokyo", "Pacific/Kiritimati", "Etc/GMT+12", "UTC");
    await fc.assert(
      fc.asyncProperty(second, second, zone, fc.boolean(), async (one, other, tz, runs) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((seconds) => new Date(seconds * 1000).toISOString()) as [
          string,
          string,
        ];
        const line = `--start-date ${from.slice(0, 19)}Z --end-date ${to.slice(0, 19)}Z --tz ${tz}${runs ? " --running" : ""}`;
        expect(await listed(tec.cal, line)).toEqual(runs ? running(from, to) : starting(from, to));
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

describe("a server that is the contract to the letter", () => {
  /** It compares local times, as section 4.2 says, which says no more. */
  const byWall = (from: string, to: string) =>
    ids(known.generic.filter((row) => String(row["start_date"]) >= from && String(row["start_date"]) <= to));

  test("filters by what starts in the window, on the user's clock", async () => {
    expect(await listed(generic.cal, "--start-date 2027-05-10 --end-date '2027-05-10 18:00'")).toEqual(
      byWall("2027-05-10 00:00:00", "2027-05-10 18:00:00"),
    );
    expect(await listed(generic.cal, "--start-date 2027-05-10")).toEqual(byWall("2027-05-10 00:00:00", "9"));
    expect(await listed(generic.cal, "")).toEqual(ids(known.generic));
  });

  test("is asked a month back for what runs; what began before that is not known, and that is said", async () => {
    const { stderr, stdout } = await expectExitCode(generic.cal("events list --on 2027-05-10 --all --json"), 0);
    const began = ids(known.generic.filter((row) => String(row["start_date"]) >= "2027-04-09"));
    const expected = runningOf(known.generic, day.from, day.to).filter((id) => began.includes(id));
    expect(expected.length).toBeGreaterThanOrEqual(6);
    expect(ids(JSON.parse(stdout) as JsonRecord[])).toEqual(expected);
    expect(stderr).toContain("\nnot shown: events that began before 2027-04-09 and still run (cal help dates)\n");
    const limited = await generic.cal("events list --month 2027-05 --limit 2 --format ids");
    expect(limited.stderr).toContain("showing 2, and there are more, use --all\n");
    const earlier = await listed(generic.cal, "--start-date 2026-04-09 --end-date 2027-04-08");
    expect(earlier).toEqual(byWall("2026-04-09 00:00:00", "2027-04-08 23:59:59"));
  });

  test("is asked from the first years on as well", async () => {
    for (const line of ["--start-date 0001 --end-date 2027 --running", "--on 0001-01-01", "--on 9999-12-31"])
      await expectExitCode(generic.cal(`events list ${line} --all --format count`), 0);
  });

  test.each(["2027-05-10", "2027-05-15", "2027-01-15"])("a list and a view of %s show the same events", async (date) => {
    for (const { cal } of [generic, tec]) {
      const view = await expectExitCode(cal(`agenda ${date} --format ids`), 0);
      const viewed = view.stdout
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map(Number)
        .sort((left, right) => left - right);
      const days = ["Kiribati, all day", "Midway, all day"];
      const elsewhere = ids([...known.generic, ...known.tec].filter(({ title }) => days.includes(String(title))));
      const here = (all: readonly number[]) => all.filter((id) => !elsewhere.includes(id));
      expect(here(viewed)).toEqual(here(await listed(cal, `--on ${date}`)));
    }
  });

  test("any window", async () => {
    const start = Date.parse("2027-05-06T00:00:00Z") / 1000;
    const second = fc.integer({ min: start, max: start + 8 * 86_400 });
    await fc.assert(
      fc.asyncProperty(second, second, async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((seconds) =>
          new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " "),
        ) as [string, string];
        expect(await listed(generic.cal, `--start-date '${from}' --end-date '${to}'`)).toEqual(byWall(from, to));
      }),
      { numRuns: 30, seed: 12 },
    );
  });
});

test.each([
  "--start-date 2027-05-10 --end-date 2027-05-09",
  "--today --on 2027-05-10",
  "--all-dates --start-date 2027-05-10",
  "--start-date 01/02/2027 --end-date foo",
  "--next soon",
])("events list %s is refused before any request is sent", async (line) => {
  const before = tec.sandbox.requests().length;
  const { stderr } = await expectExitCode(tec.cal(`events list ${line}`), 2);
  expect(tec.sandbox.requests().length).toBe(before);
  if (line.includes("foo")) expect(stderr).toMatch(/--start-date: .*--end-date: /s);
});
