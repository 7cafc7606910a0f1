// `events conflicts`: which pairs it finds, on both server profiles.

import { describe, expect, test } from "vitest";
import { findOverlaps, getInterval, type TimedEvent } from "../../../src/commands/records/overlaps.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "./sandbox.ts";

interface Pair {
  readonly by: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly overlap_minutes: number;
  readonly first: JsonRecord;
  readonly second: JsonRecord;
}

const at = async ({ fetchJson, sandbox }: SandboxSession, title: string, start: string, end: string, more: JsonRecord = {}) => {
  const { venue = 23, ...others } = more;
  const event = { title, start_date: start, end_date: end, timezone: "America/New_York", ...others };
  // The generic interface takes a list.
  const linked = sandbox.namespace.startsWith("tribe") ? venue : [venue];
  return String((await fetchJson("events", "POST", { ...event, venue: linked }))["id"]);
};

const find = async ({ cal }: SandboxSession, flags: string, code = 9): Promise<readonly Pair[]> =>
  JSON.parse((await expectExitCode(cal(`events conflicts --json ${flags}`), code)).stdout) as Pair[];

const ids = (pairs: readonly Pair[]) => pairs.map(({ first, second }) => `${first["id"]} ${second["id"]}`);

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("half-open times: an event may start when another one ends, and --gap asks for time between them", async () => {
    const session = await openSandboxSession(serverProfile);
    expect(await find(session, "--all-dates", 0)).toEqual([]);
    const a = await at(session, "A", "2031-03-04 19:00:00", "2031-03-04 21:00:00");
    const b = await at(session, "B", "2031-03-04 21:00:00", "2031-03-04 22:00:00");
    expect(await find(session, "--month 2031-03", 0)).toEqual([]);
    const close = await find(session, "--month 2031-03 --gap 1m");
    expect(ids(close)).toEqual([`${a} ${b}`]);
    expect(close[0]).toMatchObject({ overlap_minutes: 0, gap_minutes: 0 });
    const c = await at(session, "C", "2031-03-04 20:30:00", "2031-03-04 20:45:00", { venue: 21 });
    expect(await find(session, "--month 2031-03", 0)).toEqual([]);
    const d = await at(session, "D", "2031-03-04 20:30:00", "2031-03-04 21:30:00");
    const pairs = await find(session, "--month 2031-03");
    expect(ids(pairs)).toEqual([`${a} ${d}`, `${d} ${b}`]);
    expect(pairs[0]).toMatchObject({
      by: "venue",
      id: "23",
      name: "Town Hall",
      from: "2031-03-04T20:30:00-05:00",
      to: "2031-03-04T21:00:00-05:00",
      overlap_minutes: 30,
    });
    expect(ids(pairs).join()).not.toContain(c);
  });

  test("instants count, not the clocks of the zones", async () => {
    const session = await openSandboxSession(serverProfile);
    const a = await at(session, "A", "2031-03-04 19:00:00", "2031-03-04 21:00:00");
    await at(session, "same clock", "2031-03-04 19:00:00", "2031-03-04 21:00:00", { timezone: "Europe/Paris" });
    const c = await at(session, "same moment", "2031-03-05 01:30:00", "2031-03-05 02:00:00", { timezone: "Europe/Paris" });
    expect(ids(await find(session, "--month 2031-03"))).toEqual([`${a} ${c}`]);
  });

  test("all-day events take the days of their own zone, several days too", async () => {
    const session = await openSandboxSession(serverProfile);
    const days = await at(session, "Fair", "2031-03-04 00:00:00", "2031-03-05 23:59:59", { all_day: true });
    const last = await at(session, "L", "2031-03-05 22:00:00", "2031-03-05 23:00:00");
    await at(session, "N", "2031-03-06 00:00:00", "2031-03-06 01:00:00");
    expect(ids(await find(session, "--month 2031-03"))).toEqual([`${days} ${last}`]);
  });

  test("an event that began before the window is compared", async () => {
    const session = await openSandboxSession(serverProfile);
    const long = await at(session, "Exhibition", "2031-03-01 00:00:00", "2031-03-20 00:00:00");
    const short = await at(session, "S", "2031-03-10 12:00:00", "2031-03-10 13:00:00");
    expect(ids(await find(session, "--on 2031-03-10"))).toEqual([`${long} ${short}`]);
    expect(ids(await find(session, "--start-date 2031-03-10 --end-date 2031-03-11"))).toEqual([`${long} ${short}`]);
  });

  test("drafts and private events are compared where they are asked for", async () => {
    const session = await openSandboxSession(serverProfile);
    await at(session, "A", "2031-03-04 19:00:00", "2031-03-04 21:00:00");
    await at(session, "B", "2031-03-04 19:00:00", "2031-03-04 21:00:00", { status: "draft" });
    await at(session, "C", "2031-03-04 20:00:00", "2031-03-04 21:00:00", { status: "private" });
    expect(await find(session, "--month 2031-03 --status publish", 0)).toHaveLength(0);
    expect(await find(session, "--month 2031-03 --status publish,draft")).toHaveLength(1);
    expect(await find(session, "--month 2031-03 --status publish,draft,private")).toHaveLength(3);
  });

  test("by organizer, and other filters", async () => {
    const session = await openSandboxSession(serverProfile);
    const a = await at(session, "Jazz A", "2031-03-04 19:00:00", "2031-03-04 21:00:00", { organizer: [31] });
    const b = await at(session, "Jazz B", "2031-03-04 20:00:00", "2031-03-04 21:00:00", { venue: 21, organizer: [32, 31] });
    expect(await find(session, "--month 2031-03", 0)).toEqual([]);
    const pairs = await find(session, "--month 2031-03 --by venue,organizer");
    expect(ids(pairs)).toEqual([`${a} ${b}`]);
    expect(pairs[0]).toMatchObject({ by: "organizer", id: "31", name: "Jane Doe" });
    expect(await find(session, "--month 2031-03 --by organizer --venue 21", 0)).toEqual([]);
  });

  test("a venue that holds several events at once is passed over", async () => {
    const session = await openSandboxSession(serverProfile);
    await at(session, "A", "2031-03-04 19:00:00", "2031-03-04 21:00:00");
    await at(session, "B", "2031-03-04 19:00:00", "2031-03-04 21:00:00");
    expect(await find(session, "--month 2031-03")).toHaveLength(1);
    await session.cal("profile add online --base-url https://calendar.example.com/wp-json");
    for (const name of ["23", "town-hall", "'Blue Note Cellar, town hall'"]) {
      await expectExitCode(session.cal(`config set shared_venues ${name} -p online`), 0);
      expect(await find(session, "--month 2031-03 -p online", 0)).toEqual([]);
    }
  });

  test("a table for people, and nothing that is not meant", async () => {
    const session = await openSandboxSession(serverProfile);
    const a = await at(session, "A &amp; B", "2031-03-04 19:00:00", "2031-03-04 21:00:00");
    const b = await at(session, "C", "2031-03-04 20:00:00", "2031-03-04 22:00:00");
    const { stdout, stderr } = await expectExitCode(session.cal("events conflicts --month 2031-03 --format table"), 9);
    expect(stdout.split("\n")[1]?.split(/ {2,}/)).toEqual(
      expect.arrayContaining(["Town Hall", a, b, "2031-03-04 20:00", "2031-03-04 21:00"]),
    );
    expect(stderr).toContain("2 events compared, 1 conflict\n");
    for (const [flags, message] of [
      ["--gap 1mo", "--gap: months and years have no fixed length"],
      ["--gap soon", '--gap: "soon" is not a length of time'],
      ["--by place", '--by takes venue, organizer, not "place"'],
      ["--month 2031-13", "there is no month 13"],
      ["--format ids", "no ids"],
      ["--limit 5", "--limit"],
    ] as const)
      expect((await expectExitCode(session.cal(`events conflicts ${flags}`), 2)).stderr).toContain(message);
  });
});

test("an event without a length takes its moment, and one with a broken date is not compared", () => {
  const event = (id: number, start: string, end: string) => {
    const record = { id, venue: { id: 1 }, timezone: "UTC", start_date: start, end_date: end };
    const interval = getInterval(record, "UTC");
    return interval === undefined ? [] : [{ ...interval, record }];
  };
  const events = [
    ...event(1, "2031-03-04 19:00:00", "2031-03-04 21:00:00"),
    ...event(2, "2031-03-04 19:00:00", "2031-03-04 19:00:00"),
    ...event(3, "2031-03-04 21:00:00", "2031-03-04 21:00:00"),
    ...event(4, "soon", "2031-03-04 21:00:00"),
  ];
  expect(events).toHaveLength(3);
  const pairs = [...findOverlaps(events, { by: ["venue"], gap: 0, exempt: [] })];
  expect(pairs.map(({ first, second }) => [first.record["id"], second.record["id"]])).toEqual([[2, 1]]);
});

test("a day of a changed clock is as long as it is", () => {
  const day = { id: 1, all_day: true, timezone: "Europe/Paris", start_date: "2027-03-28 00:00:00", end_date: "2027-03-28 23:59:59" };
  const { from, to } = getInterval(day, "UTC") ?? { from: 0, to: 0 };
  expect((to - from) / 3_600_000).toBe(23);
});

test("the work grows with the events and the pairs, not with all possible pairs", () => {
  let steps = 0;
  const events = Array.from({ length: 100_000 }, (_none, index): TimedEvent => {
    const start = index * 3_600_000;
    return {
      get from() {
        steps += 1;
        return start;
      },
      to: start + (index % 1000 === 0 ? 5_400_000 : 3_600_000),
      record: { id: index, venue: [{ id: index % 2 }] },
    };
  });
  expect([...findOverlaps(events, { by: ["venue"], gap: 0, exempt: [] })]).toHaveLength(0);
  // Sorting compares about n log n times, and each event looks at those that still run.
  expect(steps).toBeLessThan(100_000 * 60);
});
