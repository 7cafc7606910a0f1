// Texts without quotes, or with curly quotes.

import { expect, test } from "vitest";
import { createSession, expectExitCode } from "../helpers/session.ts";

const cal = createSession();

test.each([
  ["events list --start-date fri 20:00", `unexpected argument "20:00"\nhint: one text needs quotes: --start-date 'fri 20:00'`],
  [
    "events create --title Jazz in the Foyer --start-date 2027-02-01T20:00 --duration 1h",
    `unexpected arguments "in", "the" and "Foyer"\nhint: one text needs quotes: --title 'Jazz in the Foyer'`,
  ],
  ["events list --venue Blue Note --limit 3", `unexpected argument "Note"\nhint: one text needs quotes: --venue 'Blue Note'`],
  ["events list jazz --limit 3", 'unexpected argument "jazz"'],
  ["events list --all jazz", 'unexpected argument "jazz"'],
  ["events list --limit=3 jazz", 'unexpected argument "jazz"'],
])("%s", async (line, message) => {
  const { stderr } = await expectExitCode(cal(line), 2);
  expect(stderr.replace(/hint: see the flags.*\n/, "")).toBe(`cal: ${message}\n`);
});

test.each([
  ["events create --title “Jazz Night” --start-date fri", "cal events create --title 'Jazz Night' --start-date fri"],
  ["events create --title=„Jazz am Abend“ --all-day", "cal events create --title='Jazz am Abend' --all-day"],
  ["events list --search ‘open air’", "cal events list --search 'open air'"],
  ["events get “name:Jazz Night”", "cal events get 'name:Jazz Night'"],
])("%s: a shell knows no curly quotes", async (line, corrected) => {
  expect((await expectExitCode(cal(line), 2)).stderr).toBe(
    `cal: a shell does not accept curly quotes; type straight ones\nhint: ${corrected}\n`,
  );
});

test("in one word they are part of the text", async () => {
  await expectExitCode(cal("events list --search '“Jazz Night”'"), 0);
  await expectExitCode(cal("events list --search “Jazz”"), 0);
});
