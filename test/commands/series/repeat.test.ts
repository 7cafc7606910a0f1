// `events repeat`: when the copies take place, what they have, and what is not created, on both server profiles.

import { beforeAll, describe, expect, test } from "vitest";
import { createSession, expectExitCode, type Session } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "../records/sandbox.ts";

interface PlanDocument {
  readonly changes: readonly { readonly key: string; readonly fields: readonly { readonly name: string; readonly to: unknown }[] }[];
  readonly unchanged: number;
}

/** The starts that a preview shows. */
async function previewStarts(cal: Session, line: string): Promise<readonly string[]> {
  const { stdout } = await expectExitCode(cal(`events repeat ${line} --dry-run --json`), 0);
  const plan = JSON.parse(stdout) as PlanDocument;
  return plan.changes.map(({ fields }) => {
    const [start = "", end = ""] = ["start_date", "end_date"].map((name) => String(fields.find((field) => field.name === name)?.to));
    return `${start.slice(0, 16)} to ${end.slice(end.slice(0, 10) === start.slice(0, 10) ? 11 : 0, 16)}`;
  });
}

async function create(cal: Session, flags: string): Promise<string> {
  return (await expectExitCode(cal(`events create --quiet --field id ${flags}`), 0)).stdout.trim();
}

const evening = "--start-date '2027-03-02 20:00' --duration 2h";

describe("when the copies take place", () => {
  const cal = createSession();
  let id = "";
  beforeAll(async () => {
    id = await create(cal, `--title Club ${evening}`);
  });

  // The dates are those of a calendar on paper: 2 March 2027 is a Tuesday.
  test.each([
    ["--every week --count 2", ["2027-03-09 20:00 to 22:00", "2027-03-16 20:00 to 22:00"]],
    ["--every '2 weeks' --until 2027-03-30", ["2027-03-16 20:00 to 22:00", "2027-03-30 20:00 to 22:00"]],
    ["--every 'tue,thu' --count 3", ["2027-03-04 20:00 to 22:00", "2027-03-09 20:00 to 22:00", "2027-03-11 20:00 to 22:00"]],
    ["--every '2nd tue' --count 3", ["2027-03-09 20:00 to 22:00", "2027-04-13 20:00 to 22:00", "2027-05-11 20:00 to 22:00"]],
    ["--every 'last fri' --until 2027-05-01", ["2027-03-26 20:00 to 22:00", "2027-04-30 20:00 to 22:00"]],
    ["--every 'last day' --count 2", ["2027-03-31 20:00 to 22:00", "2027-04-30 20:00 to 22:00"]],
    // COUNT counts the original, and a day of --except.
    ["--rule 'FREQ=WEEKLY;COUNT=4' --except 2027-03-16", ["2027-03-09 20:00 to 22:00", "2027-03-23 20:00 to 22:00"]],
    ["--rule 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270309'", ["2027-03-04 20:00 to 22:00", "2027-03-09 20:00 to 22:00"]],
    // 01:00 on the 10th in UTC is 20:00 on the 9th in New York.
    ["--rule 'FREQ=WEEKLY;UNTIL=20270310T010000Z'", ["2027-03-09 20:00 to 22:00"]],
    ["--rule 'FREQ=WEEKLY;UNTIL=20270310T005959Z;INTERVAL=1' --at 19:00", ["2027-03-09 19:00 to 21:00"]],
    // --count is the number of new events.
    ["--every week --count 2 --except 2027-03-09,2027-03-23", ["2027-03-16 20:00 to 22:00", "2027-03-30 20:00 to 22:00"]],
    [
      "--every week --until 2027-05-06 --except 2027-04",
      ["03-09", "03-16", "03-23", "03-30", "05-04"].map((day) => `2027-${day} 20:00 to 22:00`),
    ],
    // Only what comes after the original, also on its own day.
    [
      "--every week --at 15:00,20:00,22:30 --count 3",
      ["2027-03-02 22:30 to 2027-03-03 00:30", "2027-03-09 15:00 to 17:00", "2027-03-09 20:00 to 22:00"],
    ],
    ["--every week --at 15:00,20:00 --except '2027-03-09 15:00' --count 2", ["2027-03-09 20:00 to 22:00", "2027-03-16 15:00 to 17:00"]],
    // The original is on no Monday.
    ["--every mon --at 10:00,12:00 --count 2", ["2027-03-08 10:00 to 12:00", "2027-03-08 12:00 to 14:00"]],
    ["--every week --start-time 7:30pm --count 1", ["2027-03-09 19:30 to 21:30"]],
  ])("%s", async (flags, starts) => {
    expect(await previewStarts(cal, `${id} ${flags}`)).toEqual(starts);
  });

  test("the time on the clock stays across a change of the clocks, and the instant does not", async () => {
    const paris = await create(cal, "--title Paris --start-date '2027-03-20 20:00' --duration 2h --timezone Europe/Paris");
    const { stdout } = await expectExitCode(cal(`events repeat ${paris} --every week --count 2 --yes --json`), 0);
    const rows = JSON.parse(stdout) as { record: JsonRecord }[];
    expect(rows.map(({ record }) => [record["start_date"], record["utc_start_date"], record["timezone"]])).toEqual([
      ["2027-03-27 20:00:00", "2027-03-27 19:00:00", "Europe/Paris"],
      ["2027-04-03 20:00:00", "2027-04-03 18:00:00", "Europe/Paris"],
    ]);
  });

  test("a time that the clocks skip is left out and named, and with --shift-skipped it is later", async () => {
    const late = await create(cal, "--title Late --start-date '2027-03-07 02:30' --duration 1h");
    const { stderr } = await cal(`events repeat ${late} --every week --count 2 --dry-run`);
    expect(stderr).toContain("left out: 2027-03-14 02:30: the clocks of America/New_York skip this time; --shift-skipped");
    expect(await previewStarts(cal, `${late} --every week --count 2`)).toEqual(["2027-03-21 02:30 to 03:30", "2027-03-28 02:30 to 03:30"]);
    expect(await previewStarts(cal, `${late} --every week --count 2 --shift-skipped`)).toEqual([
      "2027-03-14 03:30 to 04:30",
      "2027-03-21 02:30 to 03:30",
    ]);
    const overnight = await create(cal, "--title Night --start-date '2027-03-06 23:00' --end-date '2027-03-07 02:30'");
    expect(await previewStarts(cal, `${overnight} --every week --count 1`)).toEqual(["2027-03-20 23:00 to 2027-03-21 02:30"]);
  });

  test("events that last all day, or several days, take as many days", async () => {
    const fair = await create(cal, "--title Fair --all-day --start-date 2027-03-13 --end-date 2027-03-14 --timezone America/Santiago");
    expect(await previewStarts(cal, `${fair} --every month --count 2`)).toEqual([
      "2027-04-13 00:00 to 2027-04-14 23:59",
      "2027-05-13 00:00 to 2027-05-14 23:59",
    ]);
    expect((await expectExitCode(cal(`events repeat ${fair} --every month --count 2 --at 10:00`), 2)).stderr).toContain("lasts all day");
    const camp = await create(cal, "--title Camp --start-date '2027-03-12 18:00' --end-date '2027-03-14 12:00'");
    expect(await previewStarts(cal, `${camp} --every week --count 1`)).toEqual(["2027-03-19 18:00 to 2027-03-21 12:00"]);
  });

  test("months without the day are named, copies that are over too, and an exception without an occurrence", async () => {
    const old = await create(cal, "--title Old --start-date '2026-12-31 20:00' --duration 1h");
    const { stderr } = await cal(`events repeat ${old} --every month --count 2 --except 2027-02-01 --dry-run`);
    expect(stderr).toContain("months without a day 31 have no occurrence");
    expect(stderr).toContain("--except 2027-02-01: there is no occurrence then");
    expect((await cal(`events repeat ${old} --every week --count 3 --dry-run`)).stderr).toContain(
      `2 of the copies of event ${old} "Old" are over: the first on 2027-01-07 20:00`,
    );
  });
});

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("a copy has what the original has, and with flags something else", async () => {
    const { cal, fetchJson } = await openSandboxSession(serverProfile);
    const fields = `--cost '€10' --venue town-hall --organizer 31 --category 3 --tag 12 --description 'Songs & <em>more</em>' --featured --website https://club.example/`;
    const id = await create(cal, `--title Club ${evening} ${fields}`);
    const { stdout } = await expectExitCode(
      cal(`events repeat ${id} --every week --count 2 --tag 13 --date '2027-01-14 9am' --yes --json`),
      0,
    );
    const rows = JSON.parse(stdout) as { op: string; status: string; record: JsonRecord }[];
    expect(rows.map(({ op, status }) => [op, status])).toEqual([
      ["create", "done"],
      ["create", "done"],
    ]);
    const [original, copy] = [await fetchJson(`events/${id}`), await fetchJson(`events/${String(rows[0]?.record["id"])}`)];
    for (const name of ["title", "description", "cost", "website", "featured", "timezone", "all_day", "status", "categories", "organizer"])
      expect([name, copy[name]]).toEqual([name, original[name]]);
    expect(JSON.stringify(copy["tags"])).toContain("13");
    expect(copy["slug"]).not.toBe(original["slug"]);
    expect(copy["start_date"]).toBe("2027-03-09 20:00:00");
    expect(copy["date"]).toBe("2027-01-14 09:00:00");
  });

  test("what is there is not created again: run twice, moved by hand, or deleted by hand", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const id = await create(cal, `--title Club ${evening} --status draft`);
    const line = `events repeat ${id} --every week --count 3 --yes`;
    const made = JSON.parse((await expectExitCode(cal(`${line} --json`), 0)).stdout) as { record: JsonRecord }[];
    const ids = made.map(({ record }) => String(record["id"]));
    const again = await expectExitCode(cal(`${line} --json`), 0);
    expect(JSON.parse(again.stdout)).toEqual([]);
    expect(again.stderr).toContain(`3 are there already: cal events get ${ids.join(" ")}`);
    await expectExitCode(cal(`events update ${ids[0]} --shift +1d`), 0);
    await expectExitCode(cal(`events delete ${ids[1]} --yes`), 0);
    const third = await expectExitCode(cal(`${line} --json`), 0);
    expect(JSON.parse(third.stdout)).toEqual([]);
    expect(third.stderr).toContain(`event ${ids[1]} of the series was deleted, and is not created again`);
    // More of them are.
    const more = await expectExitCode(cal(`events repeat ${id} --every week --count 4 --yes --json`), 0);
    expect(JSON.parse(more.stdout)).toMatchObject([{ record: { start_date: "2027-03-30 20:00:00" } }]);
  });

  test("--no-overlap leaves out what would take its venue twice", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const id = await create(cal, `--title Club ${evening} --venue 24`);
    const other = await create(cal, "--title Other --start-date '2027-03-09 21:00' --duration 2h --venue 24");
    const { stdout, stderr } = await expectExitCode(cal(`events repeat ${id} --every week --count 2 --no-overlap --yes --json`), 8);
    expect(JSON.parse(stdout)).toMatchObject([{ record: { start_date: "2027-03-16 20:00:00" } }]);
    expect(stderr).toContain(`left out: 2027-03-09 20:00: it would take the venue at the same time as event ${other} "Other"`);
    // Copies of the same plan, too: each lasts two hours.
    const crowded = await cal(`events repeat ${id} --every '4 weeks' --at 15:00,16:00 --count 2 --no-overlap --dry-run --json`);
    expect((JSON.parse(crowded.stdout) as PlanDocument).changes).toHaveLength(1);
  });

  test("a saved plan is carried out later, and the events are a series then", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const id = await create(cal, `--title Club ${evening}`);
    const plan = `${cal.folder}/plan.json`;
    await expectExitCode(cal(`events repeat ${id} --every week --count 2 --plan-out ${plan}`), 0);
    expect((await cal("series list --json --quiet")).stdout).toBe("[]\n");
    await expectExitCode(cal(`apply ${plan} --yes`), 0);
    expect(JSON.parse((await cal("series list --json --quiet")).stdout)).toMatchObject([{ series: "club", events: 2 }]);
  });
});

test("at a terminal it asks once, with the times", async () => {
  const questions: string[] = [];
  const no = () => Promise.reject(new Error("another question"));
  const confirm = async (question: string) => questions.push(question) > 1;
  const cal = createSession({ prompt: { text: no, secret: no, choose: no, confirm } });
  const line = "events repeat 103 --every '3 days' --count 2";
  await expectExitCode(cal(line), 130);
  expect(questions[0]).toBe(
    'Carry this out?\n  create event "Jazz Night, 2027-01-19 20:00"\n  create event "Jazz Night, 2027-01-22 20:00"\n2 to create.',
  );
  await expectExitCode(cal(line), 0);
  expect(questions).toHaveLength(2);
});

test("--no-series remembers nothing", async () => {
  const cal = createSession();
  await expectExitCode(cal("events repeat 103 --every '3 days' --count 2 --no-series --yes"), 0);
  expect((await cal("series list --json --quiet")).stdout).toBe("[]\n");
});

const unchanged = createSession();

test.each([
  ["--count 2", "--every or --rule is required"],
  ["--every week", "--count or --until is required"],
  ["--every week --rule FREQ=DAILY --count 2", "--every and --rule exclude each other"],
  ["--every week --count 2 --until 2027-06-01", "--count and --until exclude each other"],
  ["--every week --count 0", "--count takes a number from 1"],
  ["--every fortnight --count 2", '--every takes day, 3 days, week, 2 weeks, month, year; tue, "tue,thu"'],
  ["--every week --until soon", '--until: "soon" is not a date'],
  ["--every week --count 2 --except 1/2/2027", "--except: "],
  ["--every week --count 2 --at 25:00", '--at takes times, not "25:00"'],
  ["--every week --count 2 --at 10:00 --start-time 11:00", "--at and --start-time exclude each other"],
  ["--every week --count 2 --start-date 2027-02-01", "unknown flag --start-date; the rule gives the days"],
  ["--every week --count 2 --set end_date=2027-02-01", "repeat takes no end_date"],
  ["--rule FREQ=SOMETIMES --count 2", 'FREQ can\'t be "SOMETIMES"'],
  ["--rule FREQ=WEEKLY", "--count or --until is required"],
  ["--rule 'FREQ=WEEKLY;COUNT=3' --count 2", "--rule has its own end, so it excludes --count"],
  ["--rule 'FREQ=WEEKLY;COUNT=1'", "COUNT=2 creates one event"],
  ["--rule 'FREQ=DAILY;BYHOUR=10' --at 11:00 --count 2", "--at and times in --rule exclude each other"],
  ["--rule 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' --count 2", "gives no event after 2027-01-16 20:00"],
  ["--every week --until 2027-01-20", "gives no event after 2027-01-16 20:00, until 2027-01-20 23:59"],
  ["--every day --until 2029-01-01 --yes", "more than 500 need --max-changes"],
  ["--every day --count 501 --max-changes 400 --yes", "498 records would be written, --max-changes allows 400"],
  ["--every week --count 2", "2 to create: that needs a confirmation, and there is no terminal"],
])("%s is refused, and nothing is created", async (flags, why) => {
  expect((await expectExitCode(unchanged(`events repeat 103 ${flags}`), 2)).stderr).toContain(why);
  expect((await unchanged("log --json --quiet")).stdout).toBe("[]\n");
});
