// `cal date`: what an expression means, for people and for programs.

import { describe, expect, test } from "vitest";
import { createSession } from "../../helpers/session.ts";

const pipe = createSession({ env: { CAL_SANDBOX: "0" } });
const terminal = createSession({ env: { CAL_SANDBOX: "0" }, columns: 80 });

describe("for people", () => {
  test("whole days have a beginning and an end", async () => {
    expect(await terminal("date next-week")).toEqual({
      stdout: [
        "next-week: a whole week, in America/New_York",
        "",
        "  from  2027-01-18 00:00:00 -05:00, Monday",
        "        UTC    2027-01-18T05:00:00Z",
        "        epoch  1800248400",
        "",
        "  to    2027-01-24 23:59:59 -05:00, Sunday",
        "        UTC    2027-01-25T04:59:59Z",
        "        epoch  1800853199",
        "",
      ].join("\n"),
      stderr: "",
      code: 0,
    });
  });

  test("a moment is one; words need no quotes; what is doubtful is a warning", async () => {
    expect(await terminal("date 2027-11-07 01:30 America/New_York --tz UTC")).toEqual({
      stdout: [
        "2027-11-07 01:30 America/New_York: a moment, in America/New_York (from the expression)",
        "",
        "  at    2027-11-07 01:30:00 -04:00, Sunday",
        "        UTC    2027-11-07T05:30:00Z",
        "        epoch  1825565400",
        "",
      ].join("\n"),
      stderr:
        "warning: 2027-11-07 01:30:00 happens twice in America/New_York: the earlier is\n  taken; write 2027-11-07 01:30:00-05:00 for the later\n",
      code: 0,
    });
  });

  test("a minus goes behind --", async () => {
    expect((await terminal("date -- -3d")).stdout).toContain("  at    2027-01-12 07:00:00 -05:00, Tuesday\n");
  });
});

describe("for programs", () => {
  test("JSON has all of it", async () => {
    const { stdout, code } = await pipe("date 2027-03 --tz Europe/Paris --json");
    expect({ value: JSON.parse(stdout) as unknown, code }).toEqual({
      value: {
        expression: "2027-03",
        zone: "Europe/Paris",
        own_zone: false,
        precision: "month",
        start: { wall: "2027-03-01 00:00:00", weekday: "monday", offset: "+01:00", utc: "2027-02-28T23:00:00Z", epoch: 1803855600 },
        end: { wall: "2027-03-31 23:59:59", weekday: "wednesday", offset: "+02:00", utc: "2027-03-31T21:59:59Z", epoch: 1806530399 },
        warnings: [],
      },
      code: 0,
    });
  });

  test.each([
    ["date tomorrow --field start.wall", "2027-01-16 00:00:00\n"],
    ["date eom --field end.epoch", "1801457999\n"],
    ["date fri --fields start.weekday,end.utc --format csv", "start.weekday,end.utc\r\nfriday,2027-01-16T04:59:59Z\r\n"],
    ["date today --fields precision,zone", "precision\tzone\nday\tAmerica/New_York\n"],
  ])("%s", async (line, stdout) => {
    expect((await pipe(line)).stdout).toBe(stdout);
  });
});

test.each([
  ["date", "<expression> is missing"],
  ["date 01/02/2027", '"01/02/2027" is not a date'],
  ["date 2027-03-14 02:30 --tz America/New_York", "2027-03-14 02:30:00 does not exist in America/New_York"],
])("%s is refused", async (line, message) => {
  const { stdout, stderr, code } = await pipe(line);
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(stderr).toContain(`cal: ${message}`);
});
