// Texts that came without quotes, or with such as a shell does not know.
import { expect, test } from "vitest";
import { expectCode, session } from "../helpers/session.ts";

const cal = session();

test.each([
  ["events list --start-date fri 20:00", `there is no place for "20:00"; one text needs quotes: --start-date 'fri 20:00'`],
  [
    "events create --title Jazz in the Foyer --start-date 2027-02-01 --duration 1h",
    `there is no place for "in", "the" and "Foyer"; one text needs quotes: --title 'Jazz in the Foyer'`,
  ],
  ["events list --venue Blue Note --limit 3", `there is no place for "Note"; one text needs quotes: --venue 'Blue Note'`],
  ["events list jazz --limit 3", 'there is no place for "jazz"'],
  ["events list --all jazz", 'there is no place for "jazz"'],
  ["events list --limit=3 jazz", 'there is no place for "jazz"'],
])("%s", async (line, told) => {
  expect((await expectCode(cal(line), 2)).stderr.split("\n").filter((one) => one.startsWith("cal: "))).toEqual([`cal: ${told}`]);
});

test.each([
  ["events create --title “Jazz Night” --start-date fri", "cal events create --title 'Jazz Night' --start-date fri"],
  ["events create --title=„Jazz am Abend“ --all-day", "cal events create --title='Jazz am Abend' --all-day"],
  ["events list --search ‘open air’", "cal events list --search 'open air'"],
  ["events get “name:Jazz Night”", "cal events get 'name:Jazz Night'"],
])("%s: curly quotes are none to a shell", async (line, mend) => {
  expect((await expectCode(cal(line), 2)).stderr).toBe(`cal: curly quotes are no quotes to a shell; type straight ones\nhint: ${mend}\n`);
});

test("in one word they are part of the text", async () => {
  await expectCode(cal("events list --search '“Jazz Night”'"), 0);
  await expectCode(cal("events list --search “Jazz”"), 0);
});
