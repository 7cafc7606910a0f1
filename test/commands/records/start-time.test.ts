// `--start-time`: another time on the same day, as long as before, on both server profiles.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", async (serverProfile) => {
  const { cal, fetchJson } = await openSandboxSession(serverProfile);
  const event = async (start: string, end: string, more: JsonRecord = {}) =>
    Number((await fetchJson("events", "POST", { title: "E", timezone: "Europe/Paris", start_date: start, end_date: end, ...more }))["id"]);

  test.each([
    ["later", "2027-02-10 18:00:00", "2027-02-10 20:30:00", "19:30", "2027-02-10 19:30:00", "2027-02-10 22:00:00"],
    ["over midnight", "2027-02-10 18:00:00", "2027-02-10 20:00:00", "11pm", "2027-02-10 23:00:00", "2027-02-11 01:00:00"],
    ["back from over midnight", "2027-02-10 23:00:00", "2027-02-11 01:00:00", "8 pm", "2027-02-10 20:00:00", "2027-02-10 22:00:00"],
    ["the same", "2027-02-10 18:00:00", "2027-02-10 20:00:00", "18:00", "2027-02-10 18:00:00", "2027-02-10 20:00:00"],
    ["on the day of a change", "2027-03-28 00:30:00", "2027-03-28 01:30:00", "19:30", "2027-03-28 19:30:00", "2027-03-28 20:30:00"],
    ["over the change", "2027-03-27 22:00:00", "2027-03-28 01:00:00", "23:30", "2027-03-27 23:30:00", "2027-03-28 03:30:00"],
    ["several days", "2027-03-27 10:00:00", "2027-03-29 12:00:00", "noon", "2027-03-27 12:00:00", "2027-03-29 14:00:00"],
  ])("%s", async (_name, start, end, time, newStart, newEnd) => {
    const id = await event(start, end);
    const copy = (await expectExitCode(cal(`events clone ${id} --start-time '${time}' --quiet --field id`), 0)).stdout.trim();
    await expectExitCode(cal(`events update ${id} --start-time '${time}'`), 0);
    for (const one of [id, copy]) {
      const { start_date, end_date, timezone } = await fetchJson(`events/${one}`);
      expect([start_date, end_date, timezone]).toEqual([newStart, newEnd, "Europe/Paris"]);
    }
  });

  test("a time of the event's own clock, whatever --tz says", async () => {
    const id = await event("2027-02-10 18:00:00", "2027-02-10 20:00:00");
    await expectExitCode(cal(`events update ${id} --start-time 19:30 --tz Asia/Tokyo`), 0);
    expect(await fetchJson(`events/${id}`)).toMatchObject({ start_date: "2027-02-10 19:30:00", timezone: "Europe/Paris" });
  });

  test("what can't be meant is refused, and nothing is written", async () => {
    const id = await event("2027-03-28 18:00:00", "2027-03-28 20:00:00");
    const allDay = await event("2027-02-10 00:00:00", "2027-02-10 23:59:59", { all_day: true });
    for (const [line, message] of [
      [`${id} --start-time 25:00`, '--start-time takes a time, not "25:00"'],
      [`${id} --start-time '2027-01-01 10:00'`, "--start-time takes a time"],
      [`${id} --start-time ''`, "--start-time takes a time"],
      [`${id} --start-time 02:30`, "does not exist in Europe/Paris"],
      [`${id} --start-time 10:00 --duration 2h`, "--start-time and --duration exclude each other"],
      [`${id} --start-time 10:00 --shift +1d`, "--start-time and --shift exclude each other"],
      [`${id} --start-time 10:00 --start-date tomorrow`, "--start-time and --start-date exclude each other"],
      [`${id} --start-time 10:00 --timezone UTC`, "--start-time and --timezone exclude each other"],
      [`${id} --start-time 10:00 --raw`, "--raw does not read it"],
      [`${allDay} --start-time 10:00`, "lasts all day"],
    ] as const) {
      expect((await expectExitCode(cal(`events update ${line}`), 2)).stderr).toContain(message);
    }
    expect(await fetchJson(`events/${id}`)).toMatchObject({ start_date: "2027-03-28 18:00:00", end_date: "2027-03-28 20:00:00" });
    await expectExitCode(cal("venues update 23 --start-time 10:00"), 2);
  });
});
