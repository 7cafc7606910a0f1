// A new start without an end, a zone without times, an end without a day: reported, or refused with what was probably meant.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

describe.each(["generic", "the-events-calendar"] as const)("%s", async (serverProfile) => {
  const { cal, fetchJson } = await openSandboxSession(serverProfile);

  async function event(start: string, end: string, more: JsonRecord = {}): Promise<number> {
    const row = await fetchJson("events", "POST", {
      title: "Club",
      timezone: "America/New_York",
      start_date: start,
      end_date: end,
      ...more,
    });
    return Number(row["id"]);
  }

  async function times(id: number): Promise<readonly unknown[]> {
    const row = await fetchJson(`events/${id}`);
    return [row["start_date"], row["end_date"], row["timezone"]];
  }

  /** The commands of the hint, as they would be pasted. */
  const mends = (stderr: string) => [...stderr.matchAll(/: cal (events update .*)$/gm)].map(([, line]) => line ?? "");

  test("moving an event a week earlier is refused, and both commands of the hint work", async () => {
    const id = await event("2027-03-01 18:30:00", "2027-03-01 20:00:00");
    const line = `events update ${id} --start-date '2027-02-22 18:30'`;
    const { stderr } = await expectExitCode(cal(line), 2);
    expect(stderr).toBe(
      [
        `cal: event ${id} "Club": its end (2027-03-01 20:00:00) stays, so it would last 7d1h30m instead of 1h30m`,
        `hint: to move it whole: cal events update ${id} --start-date "2027-02-22 18:30" --duration 1h30m`,
        `hint: if it is to last so long: cal events update ${id} --start-date "2027-02-22 18:30" --end-date "2027-03-01 20:00"`,
        "",
      ].join("\n"),
    );
    expect(await times(id)).toEqual(["2027-03-01 18:30:00", "2027-03-01 20:00:00", "America/New_York"]);
    const [whole = "", long = ""] = mends(stderr);
    await expectExitCode(cal(long), 0);
    expect(await times(id)).toEqual(["2027-02-22 18:30:00", "2027-03-01 20:00:00", "America/New_York"]);
    await expectExitCode(cal(whole), 0);
    expect(await times(id)).toEqual(["2027-02-22 18:30:00", "2027-02-22 20:00:00", "America/New_York"]);
  });

  test("where dates are read in another zone, so are those of the hint", async () => {
    const id = await event("2027-03-01 18:30:00", "2027-03-01 20:00:00");
    const { stderr } = await expectExitCode(cal(`events update ${id} --start-date '2027-02-22 18:30' --tz UTC`), 2);
    const [whole = ""] = mends(stderr);
    await expectExitCode(cal(`${whole} --tz UTC`), 0);
    expect(await times(id)).toEqual(["2027-02-22 13:30:00", "2027-02-22 15:00:00", "America/New_York"]);
  });

  test("of an event that lasts all day the hint moves days", async () => {
    const id = await event("2027-03-02 00:00:00", "2027-03-02 23:59:59", { all_day: true });
    const { stderr } = await expectExitCode(cal(`events update ${id} --start-date 2027-02-22`), 2);
    const [whole = ""] = mends(stderr);
    expect(whole).toContain("--shift -8d");
    await expectExitCode(cal(whole), 0);
    expect(await times(id)).toEqual(["2027-02-22 00:00:00", "2027-02-22 23:59:59", "America/New_York"]);
  });

  test.each([
    ["twice as long", "2027-03-01 18:30:00", "2027-03-01 20:00:00", "'2027-03-01 17:00'", {}],
    ["a day more of one that lasts all day", "2027-03-02 00:00:00", "2027-03-02 23:59:59", "2027-03-01", { all_day: true }],
  ])("%s is done and reported", async (_what, start, end, to, more) => {
    const id = await event(start, end, more);
    expect((await expectExitCode(cal(`events update ${id} --start-date ${to}`), 0)).stderr).toContain("its end stays, so it lasts");
  });

  test("of many only those are refused that would be stretched", async () => {
    const ids = [await event("2027-03-01 18:30:00", "2027-03-01 20:00:00"), await event("2027-03-01 09:00:00", "2027-03-01 17:00:00")];
    const { stdout } = await expectExitCode(cal(`events update ${ids.join(" ")} --start-date '2027-03-01 08:00' --json`), 8);
    expect((JSON.parse(stdout) as JsonRecord[]).map(({ ok }) => ok)).toEqual([false, true]);
  });

  test("another zone alone moves the moment, which is reported with what keeps it", async () => {
    const id = await event("2027-03-01 18:30:00", "2027-03-01 20:00:00");
    const { stderr } = await expectExitCode(cal(`events update ${id} --timezone Europe/Berlin`), 0);
    expect(stderr).toContain(
      `event ${id} "Club": its times stay as they are on the clock, so it starts 6h earlier than it did in America/New_York; to keep the moment: --start-date "2027-03-01 18:30 America/New_York" --end-date "2027-03-01 20:00 America/New_York" with the new zone\n`,
    );
    const [, dates = ""] = /to keep the moment: (.*) with the new zone/.exec(stderr) ?? [];
    const other = await event("2027-03-01 18:30:00", "2027-03-01 20:00:00");
    const stored = await expectExitCode(cal(`events update ${other} ${dates} --timezone Europe/Berlin`), 0);
    expect(stored.stderr).not.toContain("on the clock");
    expect(await times(other)).toEqual(["2027-03-02 00:30:00", "2027-03-02 02:00:00", "Europe/Berlin"]);
  });

  test.each(["--timezone America/New_York", "--title Renamed"])("%s moves nothing, and nothing is said", async (flags) => {
    const id = await event("2027-03-01 18:30:00", "2027-03-01 20:00:00");
    expect((await expectExitCode(cal(`events update ${id} ${flags}`), 0)).stderr).not.toContain("on the clock");
  });

  test.each([
    ["create --title X --start-date '2027-05-01 20:00' --end-date 22:00", '\nhint: write "2027-05-01 22:00"\n'],
    ["create --title X --start-date 2027-05-01T20:00 --end-date 10pm", '\nhint: write "2027-05-01 22:00"\n'],
    ["create --title X --start-date '2027-05-01 20:00' --end-date 01:00", '\nhint: write "2027-05-02 01:00"\n'],
    ["update 103 --end-date 22:00", '\nhint: write "YYYY-MM-DD 22:00"\n'],
  ])("events %s: the day of the start is meant", async (line, mend) => {
    const { stderr } = await expectExitCode(cal(`events ${line}`), 2);
    expect(stderr).toContain(`a time needs a day${mend}`);
    expect(stderr).not.toContain("today");
  });
});
