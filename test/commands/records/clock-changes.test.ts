// Events at a clock change. The interface has wall times only, and of a time that happens twice a calendar takes the earlier.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

describe.each(["generic", "the-events-calendar"] as const)("%s", async (serverProfile) => {
  const { cal, fetchJson } = await openSandboxSession(serverProfile);

  async function event(start: string, end: string, zone: string): Promise<number> {
    const row = await fetchJson("events", "POST", { title: "Changed", timezone: zone, start_date: start, end_date: end });
    return Number(row["id"]);
  }

  async function times(id: number | string): Promise<readonly unknown[]> {
    const row = await fetchJson(`events/${id}`);
    return [row["start_date"], row["end_date"], row["timezone"]];
  }

  const tooShort = [
    ["America/New_York", "2027-11-07 00:45", "2h", "2027-11-07 01:45:00", "1h"],
    ["Europe/Paris", "2027-10-31 01:00", "2h", "2027-10-31 02:00:00", "1h"],
    ["Australia/Lord_Howe", "2027-04-04 01:00", "1h15m", "2027-04-04 01:45:00", "45m"],
    ["America/Havana", "2026-10-31 23:30", "2h", "2026-11-01 00:30:00", "1h"],
  ] as const;

  describe.each(tooShort)("in %s, %s and %s end the second time the clocks show %s", (zone, start, length, end, real) => {
    const twice = `${end} happens twice in ${zone}: the later is meant, but a calendar takes the earlier`;
    const shorter = `the event lasts ${real} on the calendar, not ${length}`;

    test("create says how long the event really is", async () => {
      const created = await expectExitCode(
        cal(`events create --title Late --timezone ${zone} --start-date '${start}' --duration ${length} --field id`),
        0,
      );
      expect(created.stderr).toContain(`warning: ${twice}\n`);
      expect(created.stderr).toContain(`warning: ${shorter}\n`);
      expect(await times(created.stdout.trim())).toEqual([`${start}:00`, end, zone]);
    });

    test("update says it too, with a start or without", async () => {
      const id = await event(`${start}:00`, `${start}:00`, zone);
      for (const flags of [`--duration ${length}`, `--start-date '${start}' --timezone ${zone} --duration ${length}`]) {
        const { stderr } = await expectExitCode(cal(`events update ${id} ${flags} --dry-run`), 0);
        expect(stderr).toContain(`warning: ${shorter}\n`);
      }
    });

    test("a copy says it too", async () => {
      const id = await event("2027-02-10 19:30:00", "2027-02-10 22:00:00", zone);
      const { stderr } = await expectExitCode(cal(`events clone ${id} --start-date '${start}' --duration ${length} --dry-run`), 0);
      expect(stderr).toContain(`warning: ${shorter}\n`);
    });
  });

  test("an event that ends before the change, or after both times, is as long as it was asked to be", async () => {
    for (const length of ["1h", "3h", "1d"]) {
      const command = `events create --title Plain --timezone America/New_York --start-date '2027-11-07 00:45' --duration ${length}`;
      expect((await expectExitCode(cal(command), 0)).stderr).not.toMatch(/warning: .*(twice|lasts)/);
    }
  });

  test.each([
    ["America/New_York", "2027-11-07 01:30", "1h", "2027-11-07 01:30:00", "-04:00", "-05:00"],
    ["America/New_York", "2027-11-07 01:45", "30m", "2027-11-07 01:15:00", "-04:00", "-05:00"],
    ["Europe/Paris", "2027-10-31 02:15", "1h", "2027-10-31 02:15:00", "+02:00", "+01:00"],
    ["Australia/Lord_Howe", "2027-04-04 01:45", "30m", "2027-04-04 01:45:00", "+11:00", "+10:30"],
  ])(
    "in %s, %s and %s would end no later than it starts: refused with what can be reported",
    async (zone, start, length, end, before, after) => {
      const [from, to] = [`${start}:00${before}`, `${end}${after}`];
      const why = `${end} happens twice in ${zone}, and a calendar takes the earlier, which is not after the start`;
      const remedy = `--timezone UTC --start-date "${from}" --end-date "${to}"`;
      const flags = `--timezone ${zone} --start-date '${start}'`;
      const created = await expectExitCode(cal(`events create --title Never ${flags} --duration ${length}`), 2);
      expect(created.stderr).toContain(`--duration: ${why}`);
      expect(created.stderr).toContain(remedy);
      const ended = await expectExitCode(cal(`events create --title Never ${flags} --end-date '${to}'`), 2);
      expect(ended.stderr).toContain(`--end-date: ${why}`);
      const id = await event(`${start}:00`, `${start}:00`, zone);
      const updated = await expectExitCode(cal(`events update ${id} --duration ${length}`), 2);
      expect(updated.stderr).toContain(why);
      expect((await expectExitCode(cal(`events update ${id} --end-date '${to}'`), 2)).stderr).toContain(why);
      expect(await times(id)).toEqual([`${start}:00`, `${start}:00`, zone]);
      await expectExitCode(cal(`events create --title Told ${remedy}`), 0);
    },
  );

  test("a start that is the later of two is reported earlier, and the event gets longer", async () => {
    const command = "events create --title Long --timezone America/New_York --start-date '2027-11-07 01:30-05:00' --duration";
    const { stderr } = await expectExitCode(cal(`${command} 1h`), 0);
    expect(stderr).toContain("warning: 2027-11-07 01:30:00 happens twice in America/New_York: the later is meant");
    expect(stderr).toContain("warning: the event lasts 2h on the calendar, not 1h\n");
    const both = await expectExitCode(cal(`${command} 15m`), 0);
    expect(both.stderr).toContain("2027-11-07 01:45:00 happens twice");
    expect(both.stderr).not.toContain("lasts");
  });

  test("an end that was converted from another zone says it too", async () => {
    const command = "events create --title Far --timezone America/New_York --start-date '2027-11-07 00:45' --end-date '2027-11-07 06:45Z'";
    const { stderr } = await expectExitCode(cal(command), 0);
    expect(stderr).toContain("warning: the event lasts 1h on the calendar, not 2h\n");
  });

  test("--shift says how long the event is afterwards, and is refused where nothing is left of it", async () => {
    const id = await event("2027-11-06 23:45:00", "2027-11-07 00:45:00", "America/New_York");
    const { stderr } = await expectExitCode(cal(`events update ${id} --shift +1h15m`), 2);
    expect(stderr).toContain("2027-11-07 01:00:00 happens twice in America/New_York, and a calendar takes the earlier");
    expect(stderr).toContain('--timezone UTC --start-date "2027-11-07 01:00:00-04:00" --end-date "2027-11-07 01:00:00-05:00"');
    expect((await expectExitCode(cal(`events clone ${id} --shift +1h15m`), 2)).stderr).toContain("happens twice");
    expect(await times(id)).toEqual(["2027-11-06 23:45:00", "2027-11-07 00:45:00", "America/New_York"]);
    const longer = await event("2027-11-06 22:45:00", "2027-11-07 00:45:00", "America/New_York");
    const moved = await expectExitCode(cal(`events update ${longer} --shift +1h30m`), 0);
    expect(moved.stderr).toContain("warning: the event lasts 1h on the calendar, not 2h\n");
  });

  test("over skipped time the event is as long as it was asked to be, and ends when the clocks show it", async () => {
    const command = "events create --title Spring --timezone Europe/Paris --start-date '2027-03-28 01:30' --duration 1h --field id";
    const { stdout, stderr } = await expectExitCode(cal(command), 0);
    expect(await times(stdout.trim())).toEqual(["2027-03-28 01:30:00", "2027-03-28 03:30:00", "Europe/Paris"]);
    expect(stderr).not.toContain("warning");
    const id = await event("2027-03-27 20:00:00", "2027-03-27 23:00:00", "Europe/Paris");
    await expectExitCode(cal(`events update ${id} --start-date '2027-03-28 00:00' --duration 2h30m`), 0);
    expect(await times(id)).toEqual(["2027-03-28 00:00:00", "2027-03-28 03:30:00", "Europe/Paris"]);
  });

  test("a copy whose kept length ends in skipped time ends when the clocks go on, and says so", async () => {
    const id = await event("2027-02-10 19:30:00", "2027-02-10 20:30:00", "Europe/Paris");
    const { stdout, stderr } = await expectExitCode(cal(`events clone ${id} --start-date '2027-03-28 01:30' --json`), 0);
    const copy = JSON.parse(stdout) as JsonRecord;
    expect([copy["start_date"], copy["end_date"]]).toEqual(["2027-03-28 01:30:00", "2027-03-28 03:30:00"]);
    expect(stderr).toContain("warning: 2027-03-28 02:30:00 does not exist in Europe/Paris: 2027-03-28 03:30:00 is taken\n");
  });
});
