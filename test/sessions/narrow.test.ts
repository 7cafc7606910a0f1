// Messages in a narrow terminal: lines end between words, and what can be pasted is in one piece.

import { describe, expect, test } from "vitest";
import { createSession } from "../helpers/session.ts";

const env = { CAL_TZ: "America/New_York", NO_COLOR: "1" };

describe("in 40 columns", () => {
  const cal = createSession({ env, columns: 40 });

  test("an error and its hint broke in mid-word", async () => {
    const { stderr } = await cal("events update 103 --start-date 2027-02-01 --end-date 01/02/2027");
    expect(stderr.split("\n")).toEqual([
      'cal: --end-date: "01/02/2027" is not a',
      "  date: day and month can be in either",
      "  order",
      "hint: write 2027-01-02 or 2027-02-01",
      "",
    ]);
    expect((await cal("events update 103 --max 5")).stderr.split("\n")).toEqual([
      "cal: unknown flag --max; did you mean",
      "  --max-changes?",
      "hint: see the flags:",
      "  cal events update --help",
      "",
    ]);
  });

  test("so did a notice; a flag stays with its value", async () => {
    const { stderr } = await cal("events update 103 --end-date +1d");
    expect(stderr.split("\n").slice(0, 4)).toEqual([
      "--end-date +1d counts from now:",
      "  2027-01-16 07:00:00",
      "  (America/New_York); --shift +1d moves",
      "  the event itself",
    ]);
    expect(stderr).toContain("\n  --duration 3h\n");
  });
});

test("off a terminal a message is one line", async () => {
  const { stderr } = await createSession({ env: { ...env, COLUMNS: "40" } })("events update 103 --start-date 01/02/2027");
  expect(stderr).toBe(
    'cal: --start-date: "01/02/2027" is not a date: day and month can be in either order\nhint: write 2027-01-02 or 2027-02-01\n',
  );
});
