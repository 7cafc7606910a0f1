// Events that last all day end on their last day: on create, update, clone and --shift, with both server profiles.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer } from "./server.ts";

describe.each(["generic", "the-events-calendar"] as const)("%s", async (serverProfile) => {
  const { cal, fetchJson } = await openSandboxSession(serverProfile);
  const create = async (flags: string): Promise<string> => {
    const { stdout } = await expectExitCode(cal(`events create --title Fair ${flags} --field id`), 0);
    return stdout.trim();
  };
  const datesOf = async (id: string) => {
    const { start_date, end_date, all_day } = await fetchJson(`events/${id}`);
    return [start_date, end_date, all_day];
  };

  test.each([
    ["--start-date 2027-01-10 --all-day --duration 1d", "2027-01-10 00:00:00", "2027-01-10 23:59:59"],
    ["--start-date 2027-01-10 --all-day --duration 3d", "2027-01-10 00:00:00", "2027-01-12 23:59:59"],
    ["--start-date 2027-01-31 --all-day --duration 1mo", "2027-01-31 00:00:00", "2027-02-27 23:59:59"],
    ["--start-date 2027-01-10 --all-day --end-date 2027-01-11", "2027-01-10 00:00:00", "2027-01-11 23:59:59"],
    ["--start-date 2027-01-10 --all-day --end-date '2027-01-11 00:00'", "2027-01-10 00:00:00", "2027-01-10 23:59:59"],
    // The night on which the clocks of this zone skip midnight.
    ["--start-date 2027-03-20 --all-day --duration 2d --timezone Asia/Beirut", "2027-03-20 00:00:00", "2027-03-21 23:59:59"],
  ])("create %s", async (flags, start, end) => {
    expect(await datesOf(await create(flags))).toEqual([start, end, true]);
  });

  test("update --duration counts days", async () => {
    const id = await create("--start-date 2027-01-10 --all-day --duration 1d");
    await expectExitCode(cal(`events update ${id} --duration 2d`), 0);
    expect(await datesOf(id)).toEqual(["2027-01-10 00:00:00", "2027-01-11 23:59:59", true]);
    await expectExitCode(cal(`events update ${id} --start-date 2027-02-01 --duration 1d`), 0);
    expect(await datesOf(id)).toEqual(["2027-02-01 00:00:00", "2027-02-01 23:59:59", true]);
    await expectExitCode(cal(`events update ${id} --end-date '2027-02-03 00:00'`), 0);
    expect(await datesOf(id)).toEqual(["2027-02-01 00:00:00", "2027-02-02 23:59:59", true]);
    await expectExitCode(cal(`events update ${id} --shift +1d`), 0);
    expect(await datesOf(id)).toEqual(["2027-02-02 00:00:00", "2027-02-03 23:59:59", true]);
  });

  test("an event that ends at midnight becomes one of that day", async () => {
    const id = await create("--start-date '2027-01-10 18:00' --end-date '2027-01-11 00:00'");
    await expectExitCode(cal(`events update ${id} --all-day`), 0);
    expect((await datesOf(id))[1]).toBe("2027-01-10 23:59:59");
  });

  test("clone keeps the number of days", async () => {
    const id = await create("--start-date 2027-01-10 --all-day --duration 2d");
    const { stdout } = await expectExitCode(cal(`events clone ${id} --start-date '2027-03-01 09:00' --field id`), 0);
    expect((await datesOf(stdout.trim()))[1]).toBe("2027-03-02 23:59:59");
    const shifted = await expectExitCode(cal(`events clone ${id} --shift +1w --times 2 --format ids`), 0);
    const ends = await Promise.all(
      shifted.stdout
        .trim()
        .split(/\s+/)
        .map(async (copy) => (await datesOf(copy))[1]),
    );
    expect(ends).toEqual(["2027-01-18 23:59:59", "2027-01-25 23:59:59"]);
    const long = await expectExitCode(cal(`events clone ${id} --duration 5d --field id`), 0);
    expect((await datesOf(long.stdout.trim()))[1]).toBe("2027-01-14 23:59:59");
  });

  test.each(["3h", "24h", "1d12h", "0d"])("--duration %s is refused", async (duration) => {
    const created = await expectExitCode(cal(`events create --title X --start-date 2027-01-10 --all-day --duration ${duration}`), 2);
    expect(created.stderr).toContain(`--duration ${duration}: an event that lasts all day`);
    const id = await create("--start-date 2027-01-10 --all-day --duration 1d");
    const updated = await expectExitCode(cal(`events update ${id} --duration ${duration}`), 2);
    expect(updated.stderr).toContain("write --duration 1d");
    await expectExitCode(cal(`events clone ${id} --duration ${duration}`), 2);
  });
});

test("an event whose end is the midnight after its last day: --shift, clone and a new end mend it", async () => {
  const times = { start_date: "2027-01-10 00:00:00", end_date: "2027-01-12 00:00:00", timezone: "America/New_York", all_day: true };
  const server = await startTestServer(() => ({ body: { id: 7, title: "Fair", ...times } }));
  const cal = createServerSession(server.url);
  await expectExitCode(cal("events update 7 --shift +1d"), 0);
  await expectExitCode(cal("events clone 7"), 0);
  await expectExitCode(cal("events update 7 --title Other"), 0);
  const writes = server.receivedRequests.filter((line) => !line.startsWith("GET "));
  expect(writes[0]).toContain('"start_date":"2027-01-11 00:00:00","end_date":"2027-01-12 23:59:59"');
  expect(writes[1]).toContain('"start_date":"2027-01-10 00:00:00","end_date":"2027-01-11 23:59:59"');
  expect(writes[2]).toBe('PATCH /calendar/events/v1/events/7 {"title":"Other"}');
});
