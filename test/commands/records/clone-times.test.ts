// `clone --times`: several copies of an event in one command.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

describe.each(["generic", "the-events-calendar"] as const)("%s", (serverProfile) => {
  test("each copy starts later than the one before", async () => {
    const { cal, fetchJson } = await openSandboxSession(serverProfile);
    const { id } = await fetchJson("events", "POST", {
      title: "Club",
      start_date: "2027-01-31 20:00:00",
      end_date: "2027-01-31 22:00:00",
      timezone: "Europe/Paris",
    });
    const { stdout, stderr } = await expectExitCode(cal(`events clone ${id} --shift +1mo --times 3 --category 3 --json`), 0);
    const rows = JSON.parse(stdout) as { ref: string; ok: boolean; record: JsonRecord }[];
    expect(rows.map(({ ref, ok, record }) => [ref, ok, record["start_date"], record["end_date"], record["timezone"]])).toEqual([
      ["+1mo", true, "2027-02-28 20:00:00", "2027-02-28 22:00:00", "Europe/Paris"],
      ["+2mo", true, "2027-03-31 20:00:00", "2027-03-31 22:00:00", "Europe/Paris"],
      ["+3mo", true, "2027-04-30 20:00:00", "2027-04-30 22:00:00", "Europe/Paris"],
    ]);
    expect(stderr.match(/^Created event \d+ ".*" \S+ \S+/gm)?.map((line) => line.replace(/^.*" /, ""))).toEqual([
      "2027-02-28 20:00",
      "2027-03-31 20:00",
      "2027-04-30 20:00",
    ]);
    const ids = rows.map(({ record }) => Number(record["id"]));
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
  });
});

test("what is missing is created once", async () => {
  const cal = createSession({ env: { CAL_SANDBOX_HABITS: "the-events-calendar" } });
  const { stdout, stderr } = await expectExitCode(
    cal("events clone 103 --shift +1w --times 4 --tag Brandnew --create-missing --format ids"),
    0,
  );
  expect(stdout.trim().split("\n")).toHaveLength(4);
  expect(stderr.match(/Created tag/g)).toHaveLength(1);
});

test("--dry-run shows every copy", async () => {
  const cal = createSession();
  const { stdout } = await expectExitCode(cal("events clone 103 --shift +1w --times 2 --dry-run --json"), 0);
  expect((JSON.parse(stdout) as { body: JsonRecord }[]).map(({ body }) => body["start_date"])).toEqual([
    "2027-01-23 20:00:00",
    "2027-01-30 20:00:00",
  ]);
});

test.each([
  ["--times 3", "--times needs --shift"],
  ["--times 9999 --shift +99d", "--times 9999 goes too far: the last copy would be moved by +989901d"],
  ["--times 0 --shift +1w", "--times takes a number from 1"],
  ["--times 2 --shift +1w --columns nope", "--fields: nope is not a known field of events"],
])("%s is refused", async (flags, why) => {
  expect((await expectExitCode(createSession()(`events clone 103 ${flags}`), 2)).stderr).toContain(why);
});
