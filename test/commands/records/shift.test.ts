// An event is moved: whole with --shift, or by one of its dates, which changes its duration.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

describe.each(["generic", "the-events-calendar"] as const)("%s", async (serverProfile) => {
  const { cal, fetchJson } = await openSandboxSession(serverProfile);

  async function event(start: string, end: string, more: JsonRecord = {}): Promise<number> {
    const row = await fetchJson("events", "POST", { title: "Moved", timezone: "Europe/Paris", start_date: start, end_date: end, ...more });
    return Number(row["id"]);
  }

  async function times(id: number): Promise<readonly unknown[]> {
    const row = await fetchJson(`events/${id}`);
    return [row["start_date"], row["end_date"], row["timezone"], row["all_day"]];
  }

  test.each([
    ["an hour later", "2027-02-10 19:30:00", "2027-02-10 22:00:00", "+1h", "2027-02-10 20:30:00", "2027-02-10 23:00:00"],
    ["half an hour earlier", "2027-02-10 19:30:00", "2027-02-10 22:00:00", "-30m", "2027-02-10 19:00:00", "2027-02-10 21:30:00"],
    ["a week ago", "2027-02-10 19:30:00", "2027-02-11 01:00:00", "7d-ago", "2027-02-03 19:30:00", "2027-02-04 01:00:00"],
    [
      "over the change of clocks, days keep the time",
      "2027-03-27 20:00:00",
      "2027-03-27 23:00:00",
      "+1d",
      "2027-03-28 20:00:00",
      "2027-03-28 23:00:00",
    ],
    [
      "over the change of clocks, hours are hours",
      "2027-03-28 00:30:00",
      "2027-03-28 01:30:00",
      "+1h",
      "2027-03-28 01:30:00",
      "2027-03-28 03:30:00",
    ],
    [
      "a month, by the days that its start moves",
      "2027-01-30 22:00:00",
      "2027-01-31 02:00:00",
      "+1mo",
      "2027-02-28 22:00:00",
      "2027-03-01 02:00:00",
    ],
  ])("--shift moves it %s", async (_what, start, end, offset, newStart, newEnd) => {
    const id = await event(start, end);
    const { stderr } = await expectExitCode(cal(`events update ${id} --shift ${offset} --tz Asia/Tokyo --field id`), 0);
    expect(await times(id)).toEqual([newStart, newEnd, "Europe/Paris", false]);
    expect(stderr).toContain(`start_date: "${start}" -> "${newStart}"`);
    expect(stderr).not.toContain("so it lasts");
  });

  test("--shift sends both dates and their zone", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00");
    const { stdout } = await expectExitCode(cal(`events update ${id} --shift +1w --dry-run --json`), 0);
    const [request] = [JSON.parse(stdout) as unknown].flat() as { body: JsonRecord }[];
    expect(request?.body).toMatchObject({ start_date: "2027-02-17 19:30:00", end_date: "2027-02-17 22:00:00", timezone: "Europe/Paris" });
  });

  test("--shift keeps whole days of an event that lasts all day, whatever its clocks do", async () => {
    // Cairo's clocks skip the first hour of 30 April 2027.
    const id = await event("2027-04-28 00:00:00", "2027-04-29 23:59:59", { all_day: true, timezone: "Africa/Cairo" });
    await expectExitCode(cal(`events update ${id} --shift +2d`), 0);
    expect(await times(id)).toEqual(["2027-04-30 00:00:00", "2027-05-01 23:59:59", "Africa/Cairo", true]);
    const { stderr } = await expectExitCode(cal(`events update ${id} --shift +90m`), 2);
    expect(stderr).toContain("lasts all day: --shift moves it by days, weeks, months or years");
  });

  test("--shift into an hour that the clocks skip is refused, and nothing is sent", async () => {
    const id = await event("2027-03-27 02:15:00", "2027-03-27 05:00:00");
    const { stderr } = await expectExitCode(cal(`events update ${id} --shift +1d`), 2);
    expect(stderr).toContain("2027-03-28 02:15:00 does not exist in Europe/Paris");
    expect(stderr).toContain("--start-date and --end-date");
    expect(await times(id)).toEqual(["2027-03-27 02:15:00", "2027-03-27 05:00:00", "Europe/Paris", false]);
  });

  test("--shift works over many refs, and with other fields", async () => {
    const [one, two] = [
      await event("2027-02-10 19:30:00", "2027-02-10 22:00:00"),
      await event("2027-02-11 08:00:00", "2027-02-11 09:00:00"),
    ];
    await expectExitCode(cal("events update - --shift +1d --title Later", `${one}\n${two}\n`), 0);
    expect(await times(one)).toEqual(["2027-02-11 19:30:00", "2027-02-11 22:00:00", "Europe/Paris", false]);
    expect(await times(two)).toEqual(["2027-02-12 08:00:00", "2027-02-12 09:00:00", "Europe/Paris", false]);
  });

  test.each([
    ["--shift +1h --start-date fri", "--shift and --start-date exclude each other"],
    ["--shift +1h --end-date fri", "--shift and --end-date exclude each other"],
    ["--shift +1h --duration 2h", "--shift and --duration exclude each other"],
    ["--shift +1h --timezone UTC", "--shift and --timezone exclude each other"],
    ["--shift +1h --raw", "--shift needs the record to be read, and --raw does not read it"],
    ["--shift 1h", '--shift takes an offset such as +1h, -30m or +7d, not "1h"\nhint: write +1h'],
    ["--shift +1week", 'not "+1week"\nhint: write +1w'],
    ["--shift '+3 days'", 'not "+3 days"\nhint: write +3d'],
    ["--shift '-2 hours 30 mins'", 'not "-2 hours 30 mins"\nhint: write -2h30m'],
    ["--start-date fri --duration 3hours", '--duration: "3hours" is not a length of time\nhint: write 3h'],
    ["--shift tomorrow", '--shift takes an offset such as +1h, -30m or +7d, not "tomorrow"'],
  ])("%s is refused before any request is sent", async (flags, why) => {
    const { stderr } = await expectExitCode(cal(`events update 999999 ${flags}`), 2);
    expect(stderr).toContain(why);
  });

  test("a copy can be moved too", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00");
    const { stdout } = await expectExitCode(cal(`events clone ${id} --shift +1w --json`), 0);
    expect(JSON.parse(stdout)).toMatchObject({
      start_date: "2027-02-17 19:30:00",
      end_date: "2027-02-17 22:00:00",
      timezone: "Europe/Paris",
    });
    expect((await cal(`events clone ${id} --shift +1w --start-date fri`)).code).toBe(2);
  });

  test("a space around the offset loses nothing", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00");
    await expectExitCode(cal(`events update ${id} --title Spaced --shift ' +1h '`), 0);
    expect(await times(id)).toEqual(["2027-02-10 20:30:00", "2027-02-10 23:00:00", "Europe/Paris", false]);
  });

  test("--duration alone keeps the start", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00");
    const { stderr } = await expectExitCode(cal(`events update ${id} --duration 90m --tz Asia/Tokyo`), 0);
    expect(await times(id)).toEqual(["2027-02-10 19:30:00", "2027-02-10 21:00:00", "Europe/Paris", false]);
    expect(stderr).not.toContain("so it lasts");
  });

  test("a later start alone shortens the event, and that is said", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00");
    const { stderr } = await expectExitCode(cal(`events update ${id} --start-date '2027-02-10 21:00' --dry-run`), 0);
    expect(stderr).toContain(
      `event ${id} "Moved": its end stays, so it lasts 1h, not 2h30m (--duration 2h30m keeps its length, --shift moves it whole)\n`,
    );
    const later = await expectExitCode(cal(`events update ${id} --end-date '2027-02-12 21:00'`), 0);
    expect(later.stderr).toContain(`its start stays, so it lasts 2d1h30m, not 2h30m (--shift moves it whole)\n`);
    expect((await cal(`events update ${id} --start-date '2027-02-10 18:00' --duration 1h`)).stderr).not.toContain("so it lasts");
  });

  test("a start at or after the kept end is refused, with both and the remedies", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00");
    for (const start of ["2027-02-10 22:00", "2027-02-11 10:00"]) {
      const { stderr } = await expectExitCode(cal(`events update ${id} --start-date '${start}'`), 2);
      const how = start.endsWith("22:00") ? "as soon as" : "before";
      expect(stderr).toContain(`would end (2027-02-10 22:00:00) ${how} it starts (${start}:00)`);
      expect(stderr).toContain("--shift <offset>");
      expect(stderr).toContain("--duration 2h30m");
    }
    expect(await times(id)).toEqual(["2027-02-10 19:30:00", "2027-02-10 22:00:00", "Europe/Paris", false]);
  });

  test("+1h as a date counts from now, and that is said", async () => {
    const id = await event("2027-01-15 12:00:00", "2027-01-15 22:00:00");
    const { stderr } = await expectExitCode(cal(`events update ${id} --start-date +1h`), 0);
    expect(stderr).toContain("--start-date +1h counts from now: 2027-01-15 14:00:00 (Europe/Paris); --shift +1h moves the event itself\n");
    const copied = await expectExitCode(cal(`events clone ${id} --start-date +7d`), 0);
    expect(copied.stderr).toContain(
      "--start-date +7d counts from now: 2027-01-22 13:00:00 (Europe/Paris); --shift +7d moves the event itself\n",
    );
    const made = await expectExitCode(cal("events create --title New --start-date +1h --duration 1h"), 0);
    expect(made.stderr).not.toContain("counts from now");
  });

  test("a date without a time is reported where the event had one, with what keeps it", async () => {
    const id = await event("2027-02-10 10:00:00", "2027-02-10 11:30:00");
    const named = `warning: event ${id} "Moved":`;
    const copied = await expectExitCode(cal(`events clone ${id} --start-date 2027-03-12`), 0);
    expect(copied.stderr).toContain(
      `${named} 2027-03-12 has no time, so it starts 2027-03-12 00:00; it started at 10:00: --start-date "2027-03-12 10:00"\n`,
    );
    const both = await expectExitCode(cal(`events update ${id} --start-date 2027-03 --end-date 2027-03-14 --dry-run`), 0);
    expect(both.stderr).toContain(
      `${named} 2027-03 has no time, so it starts 2027-03-01 00:00; it started at 10:00: --start-date "2027-03-01 10:00"\n${named} 2027-03-14 has no time, so it ends 2027-03-14 23:59; it ended at 11:30: --end-date "2027-03-14 11:30"\n`,
    );
    const abroad = await expectExitCode(cal(`events update ${id} --start-date 2027-03-12 --duration 32h --tz Asia/Tokyo --dry-run`), 0);
    expect(abroad.stderr).toContain(
      `${named} 2027-03-12 has no time, so it starts 2027-03-11 16:00 (Europe/Paris); it started at 10:00: --start-date "2027-03-12 10:00 Europe/Paris"\n`,
    );
  });

  test("a date without a time is not reported where nothing is lost by it", async () => {
    const id = await event("2027-02-10 00:00:00", "2027-02-10 23:59:59");
    const whole = await event("2027-02-10 00:00:00", "2027-02-10 23:59:59", { all_day: true });
    for (const flags of [
      `${id} --start-date 2027-02-11 --end-date 2027-02-12`,
      `${whole} --start-date 2027-02-11 --end-date 2027-02-12`,
      `${id} --start-date '2027-02-11 08:00' --end-date eod+60d`,
    ])
      expect((await cal(`events update ${flags} --dry-run`)).stderr).not.toContain("has no time");
  });

  test("an event created on a day without a time or --all-day is reported", async () => {
    const { stderr } = await expectExitCode(cal("events create --title Yoga --start-date mon --duration 1h"), 0);
    expect(stderr).toContain("warning: mon has no time, so the event starts 2027-01-18 00:00; give a time, or --all-day\n");
    const whole = await expectExitCode(cal("events create --title Fair --start-date mon --end-date tue --all-day"), 0);
    expect(whole.stderr).not.toContain("has no time");
  });
});
