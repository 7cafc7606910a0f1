// `cal month`, `cal week` and `cal agenda` on the sandbox, on the day that is fixed: what is shown, and what is said beside it.

import { describe, expect, test } from "vitest";
import { viewCommands } from "../../../src/cli/declarations/views.ts";
import { createSession, expectExitCode, splitCommandLine } from "../../helpers/session.ts";

const pipe = createSession();
const tec = createSession({ env: { CAL_SANDBOX_HABITS: "the-events-calendar", NO_COLOR: "1" }, columns: 60 });
const terminal = createSession({ env: { NO_COLOR: "1" }, columns: 60 });
const startFilterNotice = (day: string) => `not shown: events that began before ${day} and still run (cal help dates)\n`;
const running = (first: string, last = first, zone = "America/New_York") => `events that run from ${first} to ${last} (${zone})\n`;

const january = [
  "January 2027                           America/New_York",
  " Mon   │ Tue   │ Wed   │ Thu   │ Fri   │ Sat   │ Sun",
  "───────┼───────┼───────┼───────┼───────┼───────┼───────",
  "       │       │       │       │  1    │  2    │  3",
  "       │       │       │       │◆東京… │       │",
  "───────┼───────┼───────┼───────┼───────┼───────┼───────",
  "  4    │  5    │  6    │  7    │  8    │  9    │ 10",
  "       │·C++ S…│       │       │▼Bebop…│▼…Bebo…│",
  "───────┼───────┼───────┼───────┼───────┼───────┼───────",
  " 11    │ 12    │ 13    │ 14    │[15]   │ 16    │ 17",
  "       │       │       │       │       │◆Jazz …│◇Town …",
  "───────┼───────┼───────┼───────┼───────┼───────┼───────",
  " 18    │ 19    │ 20    │ 21    │ 22    │ 23    │ 24",
  "       │       │·Onlin…│       │◇Story…│       │",
  "───────┼───────┼───────┼───────┼───────┼───────┼───────",
  " 25    │ 26    │ 27    │ 28    │ 29    │ 30    │ 31",
];
const legend = ["", "▼ Bebop  ○ Classical  ◇ Community & Family  △ Football", "◆ Jazz  ▲ Music", ""];

describe("on a terminal", () => {
  test("a month is drawn, and a notice says that the server is asked by start", async () => {
    const last = "○City …│       │·Volun…│△Harbo…│       │▲রবীন্দ্রস…│·Membe…";
    expect(await terminal("month")).toEqual({
      stdout: [...january, last, ...legend].join("\n"),
      stderr: startFilterNotice("2026-12-01").replace(" (", "\n  ("),
      code: 0,
    });
  });

  test("the other kind of server filters by what runs", async () => {
    const last = "○City …│       │       │△Harbo…│       │▲রবীন্দ্রস…│";
    expect(await tec("month 2027-01")).toEqual({ stdout: [...january, last, ...legend].join("\n"), stderr: "", code: 0 });
  });

  test("an agenda is a list by day, the next fourteen unless set, filters as in a list", async () => {
    const { stdout } = await expectExitCode(tec("agenda --category jazz,football"), 0);
    expect(stdout.split("\n")).toEqual([
      "2027-01-15 to 2027-01-28                    America/New_York",
      "",
      "Friday 2027-01-15  [today]",
      "",
      "Saturday 2027-01-16",
      "  20:00–23:00  ◆ Jazz Night",
      "                 Blue Note Cellar · Jazz · featured",
      "",
      "Thursday 2027-01-28",
      "  15:00–16:45  △ Harbour League · Harbour Stadium · Football",
      "",
    ]);
  });

  test("a week without events says so", async () => {
    const { stdout, stderr } = await expectExitCode(tec("week 2027-07-01 --week-start sunday"), 0);
    expect({ days: stdout.split("\n\n"), stderr }).toEqual({
      days: [
        "2027-06-27 to 2027-07-03                    America/New_York",
        "Sunday 2027-06-27",
        "Monday 2027-06-28",
        "Tuesday 2027-06-29",
        "Wednesday 2027-06-30",
        "Thursday 2027-07-01",
        "Friday 2027-07-02",
        "Saturday 2027-07-03\n",
      ],
      stderr: "no events\n",
    });
  });

  test("the week begins where the locale has it", async () => {
    const american = createSession({ env: { NO_COLOR: "1", LC_TIME: "en_US.UTF-8" }, columns: 100 });
    const { stdout } = await expectExitCode(american("week"), 0);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "Week of 2027-01-10                                                               America/New_York",
      " Sunday      │ Monday      │ Tuesday     │ Wednesday   │ Thursday    │ Friday      │ Saturday",
      " 2027-01-10  │ 2027-01-11  │ 2027-01-12  │ 2027-01-13  │ 2027-01-14  │[2027-01-15] │ 2027-01-16",
    ]);
  });

  test("columns or fields of one's own make a table", async () => {
    expect((await expectExitCode(terminal("agenda --today --columns date,today -q"), 0)).stdout).toBe(
      "DATE        TODAY\n2027-01-15  yes\n",
    );
    expect((await expectExitCode(terminal("week 2027-05-16 --fields date,events.title -q"), 0)).stdout.split("\n").at(-2)).toBe(
      "2027-05-16  Spring Fair",
    );
  });

  test("colour is as the flags and the environment say, and is never needed", async () => {
    const colourful = createSession({ columns: 60 });
    const plain = await expectExitCode(terminal("month"), 0);
    const coloured = await expectExitCode(colourful("month"), 0);
    expect(coloured.stdout).toContain("\u001b[36m◆\u001b[39m");
    expect(coloured.stdout.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain.stdout);
    expect((await expectExitCode(colourful("month --no-color"), 0)).stdout).toBe(plain.stdout);
    expect((await expectExitCode(pipe("month --format table --color always"), 0)).stdout).toContain("\u001b[36m◆");
  });
});

describe("as data", () => {
  test("a pipe gets a row a day, with the window on stderr", async () => {
    expect(await pipe("week 2027-05-15")).toEqual({
      stdout: [
        "date\tweekday\ttoday\tevents.id\tevents.title",
        "2027-05-10\tmonday\tfalse\t\t",
        "2027-05-11\ttuesday\tfalse\t\t",
        "2027-05-12\twednesday\tfalse\t\t",
        "2027-05-13\tthursday\tfalse\t\t",
        "2027-05-14\tfriday\tfalse\t\t",
        "2027-05-15\tsaturday\tfalse\t137\tSpring Fair",
        "2027-05-16\tsunday\tfalse\t137\tSpring Fair",
        "",
      ].join("\n"),
      stderr: running("2027-05-10", "2027-05-16") + startFilterNotice("2027-04-09"),
      code: 0,
    });
  });

  test("an agenda of a weekend, and from a first day to a last one", async () => {
    expect((await expectExitCode(pipe("agenda weekend --field events.title -q"), 0)).stdout).toBe("Jazz Night\nTown Meeting\n");
    expect((await expectExitCode(pipe("events list --on weekend --field title -q"), 0)).stdout).toBe("Jazz Night\nTown Meeting\n");
    expect((await expectExitCode(pipe("agenda sat 2027-01-20 --field date -q"), 0)).stdout).toBe(
      "2027-01-16\n2027-01-17\n2027-01-18\n2027-01-19\n2027-01-20\n",
    );
    expect((await expectExitCode(pipe("agenda 2027-01 2027-02 --format csv -q"), 0)).stdout.split("\r\n")).toHaveLength(1 + 31 + 28 + 1);
    expect((await expectExitCode(pipe("agenda fri thu"), 0)).stderr).toContain("from 2027-01-15 to 2027-01-21");
    expect(await pipe("agenda 2027-02 2027-01")).toEqual({
      stdout: "",
      stderr:
        "cal: the last day (2027-01) is before the first one (2027-02)\nhint: a day of the week is the next one from today; write dates: YYYY-MM-DD\n",
      code: 2,
    });
    expect((await expectExitCode(pipe("agenda fri sat --today"), 2)).stderr).toContain('"fri sat" and --today exclude each other');
  });

  test("an agenda of --next shows its last day to the end", async () => {
    expect(await pipe("agenda --next 2d --field events.title")).toEqual({
      stdout: "\nJazz Night\nTown Meeting\n",
      stderr: running("2027-01-15", "2027-01-17") + startFilterNotice("2026-12-15"),
      code: 0,
    });
  });

  test("JSON has every day, and each event with its times on the viewer's clock and which of its days it is", async () => {
    const { stdout } = await expectExitCode(pipe("agenda --on 2027-01-09 --json --tz Asia/Tokyo"), 0);
    expect(JSON.parse(stdout)).toEqual([
      {
        date: "2027-01-09",
        weekday: "saturday",
        today: false,
        events: [
          {
            id: 108,
            title: "Bebop Jam",
            start: "2027-01-09T12:30:00+09:00",
            end: "2027-01-09T15:00:00+09:00",
            all_day: false,
            day: 1,
            days: 1,
            timezone: "America/New_York",
            status: "publish",
            featured: false,
            venue: "Blue Note Cellar",
            categories: ["Bebop"],
            url: expect.stringMatching(/\/event\/bebop-jam-2\/$/) as unknown,
          },
        ],
      },
    ]);
  });

  test("an event that lasts all day is on its own days, whatever the viewer's clock, and begun before the window", async () => {
    const { stdout } = await expectExitCode(pipe("agenda 2027-05-17 --json --tz Pacific/Kiritimati -q"), 0);
    expect(JSON.parse(stdout)).toMatchObject([
      { date: "2027-05-17", events: [{ title: "Spring Fair", start: "2027-05-15", end: "2027-05-17", all_day: true, day: 3, days: 3 }] },
    ]);
  });

  test.each([
    ["month 2027-05 --format count", "1\n"],
    ["month 2027-05 --format ids", "137\n"],
    ["agenda --today --format ndjson", '{"date":"2027-01-15","weekday":"friday","today":true,"events":[]}\n'],
    ["agenda --today --format csv", "date,weekday,today,events.id,events.title\r\n2027-01-15,friday,true,,\r\n"],
    ["agenda tomorrow --format yaml --fields date,events.title", "- date: 2027-01-16\n  events.title:\n    - Jazz Night\n"],
    ["agenda tomorrow --field events.id", "103\n"],
  ])("%s", async (line, stdout) => {
    const result = await expectExitCode(pipe(`${line} -q`), 0);
    expect(result.stdout.replaceAll('"', "")).toBe(stdout.replaceAll('"', ""));
  });

  test("all pages are read, and the events are those that a list has", async () => {
    const paged = createSession({ env: { CAL_PER_PAGE: "5" } });
    const listed = (await expectExitCode(pipe("events list --on 2027 --all --format ids -q"), 0)).stdout.trim().split("\n");
    const viewed = (await expectExitCode(paged("agenda 2027 --format ids -q"), 0)).stdout.trim().split("\n");
    expect(listed.length).toBeGreaterThan(20);
    expect(viewed.sort()).toEqual(listed.sort());
  });
});

describe("what can't be shown is refused before anything is sent", () => {
  test.each([
    ["month 2027", '"2027" is more than a month'],
    ["month 2027-13", "2027-13: there is no month 13"],
    ["week 2027-02", '"2027-02" is more than a week'],
    ["agenda soon", '--on: "soon" is not a date'],
    ["agenda tomorrow --on today", '"tomorrow" and --on exclude each other'],
    ["agenda --today --next 3d", "--today and --next exclude each other"],
    ["week --week-start tuesday", '--week-start takes monday, sunday, saturday, not "tuesday"'],
    ["month --start-date today", "unknown flag --start-date"],
    ["month 1 2027", 'unexpected argument "2027"'],
  ])("%s", async (line, message) => {
    const { stdout, stderr, code } = await pipe(line);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toContain(`cal: ${message}`);
  });

  test("a category that is not there is not found", async () => {
    expect((await pipe("month --category polka")).code).toBe(3);
  });
});

describe("examples of the help", () => {
  test.each(viewCommands.flatMap(({ examples }) => examples.map(({ command }) => command)))("%s", async (command) => {
    await expectExitCode(pipe.runArgs(splitCommandLine(command.split(" | ")[0] ?? "").slice(1)), 0);
  });
});
