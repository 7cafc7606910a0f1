// The hint of an error: the correction itself where there is one, else the help page.

import { expect, test } from "vitest";
import { createSession, expectExitCode } from "../helpers/session.ts";

const cal = createSession();

test.each([
  [
    "events list --start-date 01/02/2026",
    'cal: --start-date: "01/02/2026" is not a date: day and month can be in either order\nhint: write 2026-01-02 or 2026-02-01\n',
  ],
  ["events list --month 12", 'cal: --month: "12" is a month without its year\nhint: write 2027-12\n'],
  [
    "events list --month 12 --limit x",
    'cal: --limit takes a whole number, not "x"\ncal: --month: "12" is a month without its year (write 2027-12)\nhint: see the flags: cal events list --help\n',
  ],
])("%s", async (line, stderr) => {
  expect((await expectExitCode(cal(line), 2)).stderr).toBe(stderr);
});

test.each(["--venue 'The Old Bran'", "--category nonsense"])(
  "a list with %s does not offer to create the missing record",
  async (flags) => {
    const { stderr } = await expectExitCode(cal(`events list ${flags}`), 3);
    expect(stderr).not.toContain("--create-missing");
    expect(stderr).toMatch(/^cal: there is no (?:venue|category) "/);
  },
);

test("a create offers it", async () => {
  const { stderr } = await expectExitCode(cal("events create --title X --start-date 2027-02-01 --duration 1h --venue Nowhere"), 3);
  expect(stderr).toContain("to create it: --create-missing");
});
