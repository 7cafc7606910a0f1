// Words and flags of other programs, or in another order: the hint is the line that the user meant.

import { describe, expect, test } from "vitest";
import { createSession } from "../helpers/session.ts";

const cal = createSession();

async function getErrorLines(line: string): Promise<readonly string[]> {
  const { stdout, stderr, code } = await cal(line);
  expect([stdout, code]).toEqual(["", 2]);
  return stderr.split("\n");
}

describe("a command in other words", () => {
  test.each([
    ["list events", "cal events list"],
    ["list venues --limit 3", "cal venues list --limit 3"],
    ["create event --title 'Jazz Night'", "cal events create --title 'Jazz Night'"],
    ["update events yoga", "cal events update yoga"],
    ["get yoga", "cal events get yoga"],
    ["delete 12 13", "cal events delete 12 13"],
    ["search jazz", "cal events list --search jazz"],
    ["search open air --limit 2", "cal events list --search 'open air' --limit 2"],
    ["events search jazz", "cal events list --search jazz"],
    ["venues find 'Blue Note'", "cal venues list --search 'Blue Note'"],
    ["events view 103", "cal events get 103"],
    ["view venue 12", "cal venues get 12"],
    ["event new", "cal events create"],
    ["tags remove free", "cal tags delete free"],
    ["trash event 12", "cal events delete 12"],
    ["events cancel 103", "cal events update 103 --status draft"],
    ["cancel 103", "cal events update 103 --status draft"],
    ["restore 103", "cal events restore 103"],
    ["undelete 103", "cal events restore 103"],
    ["venues undelete 12", "cal venues restore 12"],
    ["tags undelete free", "cal tags create --name free"],
    ["events publish 103", "cal events update 103 --status publish"],
    ["publish 103", "cal events update 103 --status publish"],
    ["approve 103", "cal events approve 103"],
    ["events move 103 +1d", "cal events update 103 --shift +1d"],
    ["import jazz.json", "cal events import jazz.json"],
    ["clone 103", "cal events clone 103"],
    ["events ics", "cal events list --all --format ics"],
    ["move 103 2h", "cal events update 103 --shift 2h"],
    ["events load jazz.json", "cal events import jazz.json"],
    ["events yoga", "cal events get yoga"],
    ["events 103", "cal events get 103"],
    ["login --username ana", "cal auth login --username ana"],
    ["logout", "cal auth logout"],
    ["whoami", "cal auth status"],
    ["today", "cal events list --today"],
    ["version", "cal --version"],
    ["--sandbox list events", "cal events list --sandbox"],
  ])("%s", async (line, hint) => {
    const [problem = "", advice] = await getErrorLines(line);
    expect(problem).toMatch(/^cal: unknown command "/);
    expect(advice).toBe(`hint: ${hint}`);
  });

  test.each(["list venues", "update events yoga", "create event"])(
    "%s has its words in another order, and nothing else is suggested",
    async (line) => {
      expect((await getErrorLines(line))[0]).toBe(`cal: unknown command "${line.split(" ").slice(0, 2).join(" ")}"`);
    },
  );

  test.each(["search", "get", "events view", "update event"])("%s gets no line to paste while words are missing", async (line) => {
    expect((await getErrorLines(line))[1]).toBe("hint: all commands: cal help");
  });

  test.each([
    ["evnts list", 'cal: unknown command "evnts"; did you mean events?'],
    ["events lst", 'cal: unknown command "events lst"; did you mean list?'],
    ["zzzzzz", 'cal: unknown command "zzzzzz"'],
    ["auth yoga", 'cal: unknown command "auth yoga"'],
  ])("%s is treated as a typing error", async (line, problem) => {
    expect((await getErrorLines(line))[0]).toBe(problem);
  });
});

test.each(["undelete", "events undelete", "tags undelete"])("%s never suggests a deletion", async (line) => {
  expect((await getErrorLines(line)).join("\n")).not.toContain("delete?");
});

describe("a flag in other words", () => {
  test.each([
    ["events list --from 2027-01-01", "unknown flag --from; did you mean --start-date?"],
    ["events list --since 2027-01-01", "unknown flag --since; did you mean --start-date?"],
    ["events list --to 2027-02-01", "unknown flag --to; did you mean --end-date?"],
    ["events list --until 2027-02-01", "unknown flag --until; did you mean --end-date?"],
    ["events create --from 2027-01-01", "unknown flag --from; did you mean --start-date?"],
    ["events list --year 2025", "unknown flag --year; a year is --start-date 2025 --end-date 2025"],
    ["events list --sort title", "unknown flag --sort; the interface has no order to choose here: pipe --json to jq"],
    ["categories list --sort name", "unknown flag --sort; did you mean --orderby?"],
    ["venues update the-old-barn --url example.org", "unknown flag --url; did you mean --website?"],
    ["profile add work --url https://example.org", "unknown flag --url; did you mean --base-url?"],
    ["events create -f jazz.json", "unknown flag -f; did you mean --data @<file>?"],
    ["events create --file jazz.json", "unknown flag --file; did you mean --data @<file>?"],
    ["tags update free --from-file free.yaml", "unknown flag --from-file; did you mean --data @<file>?"],
    ["events create -", 'unexpected argument "-"; did you mean --data -?'],
    ["venues list --format ical", "ics is for events list, events get and agenda; markdown and html are for events list and agenda"],
    ["events list --format ical", 'not "ical"; did you mean --format ics?'],
    ["events list --timeout 2", '--timeout: "2" is not a duration such as 30s or 2m'],
    ["events list -f csv", "unknown flag -f; did you mean --format?"],
    ["events list -o csv", "unknown flag -o; did you mean --format?"],
    ["events list --output csv", "unknown flag --output; did you mean --format?"],
    ["venues create --name Barn", "unknown flag --name; did you mean --venue?"],
    ["events list --max 3", "unknown flag --max; did you mean --limit?"],
  ])("%s", async (line, problem) => {
    expect((await getErrorLines(line)).join("\n")).toContain(problem);
  });
});
