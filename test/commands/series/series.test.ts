// `cal series`: its events are changed together, what was edited by hand is left alone, and undo takes all of it back.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createSession, expectExitCode, type Session } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "../records/sandbox.ts";

interface ShownEvent {
  readonly id: number;
  readonly start_date: string;
  readonly title: string;
  readonly past: boolean;
  readonly edited: readonly string[];
}

const show = async (cal: Session, series = "club") =>
  JSON.parse((await expectExitCode(cal(`series show ${series} --json --quiet`), 0)).stdout) as readonly ShownEvent[];

/** `2027-03-09 20:00 Club`, with the fields that were edited. */
const summarize = async (cal: Session, series = "club") =>
  (await show(cal, series)).map(({ start_date, title, edited }) => [start_date.slice(0, 16), title, ...edited].join(" "));

const listNames = async (cal: Session) =>
  (JSON.parse((await cal("series list --json --quiet")).stdout) as { series: string }[]).map(({ series }) => series);

const undoLast = async (cal: Session) => {
  const operation = (await cal("log --limit 1 --quiet --field operation")).stdout.trim();
  return expectExitCode(cal(`undo ${operation} --yes`), 0);
};

/** A club every week across the change of the clocks in New York, on 14 March 2027. */
async function createClub(cal: Session, count = 3): Promise<string> {
  const flags = "--title Club --start-date '2027-03-02 20:00' --duration 2h --venue 24 --cost 10";
  const id = (await expectExitCode(cal(`events create --quiet --field id ${flags}`), 0)).stdout.trim();
  await expectExitCode(cal(`events repeat ${id} --every week --count ${count} --yes`), 0);
  return id;
}

const weekly = ["2027-03-02 20:00 Club", "2027-03-09 20:00 Club", "2027-03-16 20:00 Club", "2027-03-23 20:00 Club"];

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("update, start time and shift change all events that are not past, and each can be undone, and done again", async () => {
    const { cal, fetchJson } = await openSandboxSession(serverProfile);
    const id = await createClub(cal);
    expect(await summarize(cal)).toEqual(weekly);
    await expectExitCode(cal("series update club --title 'Club Night' --add-category 3 --yes"), 0);
    expect(await summarize(cal, id)).toEqual(weekly.map((line) => `${line} Night`));
    await expectExitCode(cal("series update club --start-time 19:30 --from 2027-03-10 --yes"), 0);
    const later = [...weekly.slice(0, 2), "2027-03-16 19:30 Club", "2027-03-23 19:30 Club"].map((line) => `${line} Night`);
    expect(await summarize(cal)).toEqual(later);
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly.map((line) => `${line} Night`));
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(later);
    await expectExitCode(cal("series shift club +1d --yes"), 0);
    const shifted = ["03-03 20:00", "03-10 20:00", "03-17 19:30", "03-24 19:30"].map((start) => `2027-${start} Club Night`);
    expect(await summarize(cal)).toEqual(shifted);
    await expectExitCode(cal("series shift club --shift -30m --from 2027-03-20 --yes"), 0);
    expect((await summarize(cal)).at(-1)).toBe("2027-03-24 19:00 Club Night");
    // The instant follows the clocks.
    const [, , third] = await show(cal);
    expect((await fetchJson(`events/${third?.id}`))["utc_start_date"]).toBe("2027-03-17 23:30:00");
  });

  test("what was edited by hand is left alone and named, unless --include-edited, also after an undo", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await createClub(cal);
    const [, second, third] = await show(cal);
    await expectExitCode(cal(`events update ${second?.id} --description 'A guest tonight'`), 0);
    const { stderr } = await expectExitCode(cal("series update club --cost 12 --yes --json"), 0);
    expect(stderr).toContain(`left alone, edited by hand: event ${second?.id} "Club, 2027-03-09 20:00" (description)`);
    const costs = async () =>
      Promise.all((await show(cal)).map(async ({ id }) => (await cal(`events get ${id} --field cost`)).stdout.replace(/\D/g, "")));
    expect(await costs()).toEqual(["12", "10", "12", "12"]);
    await expectExitCode(cal("series update club --cost 14 --include-edited --yes"), 0);
    expect(await costs()).toEqual(["14", "14", "14", "14"]);
    // Another field of it is still the one that was written by hand.
    expect((await summarize(cal))[1]).toBe("2027-03-09 20:00 Club description");
    await undoLast(cal);
    expect(await costs()).toEqual(["12", "10", "12", "12"]);
    expect((await summarize(cal)).map((line) => line.split(" ").slice(3))).toEqual([[], ["description"], [], []]);
    // An edit that is taken back is none.
    await expectExitCode(cal(`events update ${third?.id} --title Special`), 0);
    expect((await summarize(cal))[2]).toBe("2027-03-16 20:00 Special title");
    await undoLast(cal);
    expect((await summarize(cal))[2]).toBe("2027-03-16 20:00 Club");
    // Edited by hand, changed with the others, and undone: it is edited still.
    await expectExitCode(cal(`events update ${third?.id} --title Special`), 0);
    await expectExitCode(cal("series update club --title Renamed --include-edited --yes"), 0);
    expect((await summarize(cal))[2]).toBe("2027-03-16 20:00 Renamed");
    await undoLast(cal);
    expect((await summarize(cal))[2]).toBe("2027-03-16 20:00 Special title");
  });

  test("delete and its undo, also twice; the undo of repeat leaves no series", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const id = await createClub(cal);
    const created = (await cal("log --limit 1 --quiet --field operation")).stdout.trim();
    await expectExitCode(cal("series delete club --from 2027-03-05 --yes"), 0);
    expect(await listNames(cal)).toEqual([]);
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly);
    await undoLast(cal);
    expect(await listNames(cal)).toEqual([]);
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly);
    await expectExitCode(cal("series update club --title Renamed --yes"), 0);
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly);
    if (serverProfile === "the-events-calendar") await expectExitCode(cal(`undo ${created} --yes`), 0);
    else await expectExitCode(cal("series delete club --from 2027-03-05 --yes"), 0);
    expect(await listNames(cal)).toEqual([]);
    expect((await expectExitCode(cal("series show club"), 3)).stderr).toContain('there is no series "club"');
    const again = await expectExitCode(cal(`events repeat ${id} --every week --count 3 --yes --json`), 0);
    expect(JSON.parse(again.stdout)).toHaveLength(3);
    expect(await summarize(cal)).toEqual(weekly);
  });

  test("undo of repeat, and the undo of that", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await createClub(cal);
    await undoLast(cal);
    expect(await listNames(cal)).toEqual([]);
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly);
    const plan = JSON.parse((await cal("series update club --cost 11 --dry-run --json")).stdout) as JsonRecord;
    expect(plan["changes"]).toHaveLength(4);
    expect(plan["skipped"]).toEqual([]);
    const columns = await expectExitCode(cal("series shift club +1d --dry-run --fields record,changes --no-header"), 0);
    expect(columns.stdout).toMatch(/^event \d+ "Club, 2027-03-02 20:00"\tstart_date: "2027-03-02 20:00:00" -> "2027-03-03 20:00:00"; /);
  });

  test("events that are past are never changed, and those that are gone are named", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const flags = "--title Club --start-date '2027-01-01 20:00' --duration 2h";
    const id = (await cal(`events create --quiet --field id ${flags}`)).stdout.trim();
    await expectExitCode(cal(`events repeat ${id} --every week --count 3 --yes`), 0);
    const [, , third] = await show(cal);
    expect((await show(cal)).map(({ past }) => past)).toEqual([true, true, false, false]);
    await expectExitCode(cal("series update club --title Changed --from 2026-01-01 --yes"), 0);
    expect((await show(cal)).map(({ title }) => title)).toEqual(["Club", "Club", "Changed", "Changed"]);
    await expectExitCode(cal(`events delete ${third?.id} --yes`), 0);
    const { stderr } = await expectExitCode(cal("series shift club +1w --yes"), 0);
    expect(stderr).toContain(`event ${third?.id} of the series is no longer there`);
    expect(JSON.parse((await cal("series list --json --quiet")).stdout)).toEqual([
      {
        series: "club",
        title: "Changed",
        events: 3,
        upcoming: 1,
        edited: 0,
        first: "2027-01-01 20:00:00",
        next: "2027-01-29 20:00:00",
        last: "2027-01-29 20:00:00",
        timezone: "America/New_York",
      },
    ]);
  });

  test("a merge of venues is no edit, and neither is its undo", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await createClub(cal, 1);
    await expectExitCode(cal("venues merge 24 --into 23 --yes"), 0);
    expect(await summarize(cal)).toEqual(weekly.slice(0, 2));
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly.slice(0, 2));
  });

  test("a saved plan is carried out later, and nothing counts as edited after it", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await createClub(cal);
    const plan = `${cal.folder}/plan.json`;
    await expectExitCode(cal(`series shift club +1d --plan-out ${plan}`), 0);
    expect(await summarize(cal)).toEqual(weekly);
    await expectExitCode(cal(`apply ${plan} --yes`), 0);
    expect(await summarize(cal)).toEqual(["03-03", "03-10", "03-17", "03-24"].map((day) => `2027-${day} 20:00 Club`));
    await undoLast(cal);
    expect(await summarize(cal)).toEqual(weekly);
  });

  test("adopt makes a series of events that are there, without a request that writes", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await expectExitCode(cal("series adopt 103 104 --dry-run"), 0);
    expect(await listNames(cal)).toEqual([]);
    const { stdout } = await expectExitCode(cal("series adopt - --json", "103\n104\n"), 0);
    expect((JSON.parse(stdout) as ShownEvent[]).map(({ id }) => id)).toEqual([103, 104]);
    await expectExitCode(cal("series adopt 105 --series jazz-night"), 0);
    expect((await show(cal, "jazz-night")).map(({ id }) => id)).toEqual([103, 104, 105]);
    await expectExitCode(cal("series adopt 120 121 --series meetings"), 0);
    expect((await listNames(cal)).sort()).toEqual(["jazz-night", "meetings"]);
    expect((await expectExitCode(cal("series adopt 105 120"), 2)).stderr).toContain('event 120 "Town Meeting" is in the series meetings');
    await expectExitCode(cal("series adopt 105 --series meetings"), 0);
    expect((await show(cal, "meetings")).map(({ id }) => id)).toEqual([120, 121, 105]);
    expect((await expectExitCode(cal("series adopt 107"), 2)).stderr).toContain("a series has two events or more");
    expect((await cal("log --json --quiet")).stdout).toBe("[]\n");
    await expectExitCode(cal("series update jazz-night --cost 20 --yes"), 0);
    expect((await show(cal, "jazz-night")).flatMap(({ edited }) => edited)).toEqual([]);
  });
});

test("a sandbox that is reset has no series", async () => {
  const cal = createSession();
  await expectExitCode(cal("series adopt 103 104"), 0);
  await expectExitCode(cal("sandbox reset --yes"), 0);
  expect(await listNames(cal)).toEqual([]);
});

test("a draft that is published is not edited, and one that is taken off the calendar is", async () => {
  const cal = createSession();
  await expectExitCode(cal("events update 103 104 --status draft"), 0);
  await expectExitCode(cal("series adopt 103 104 --series club"), 0);
  await expectExitCode(cal("events approve 103"), 0);
  expect((await show(cal)).map(({ edited }) => edited)).toEqual([[], []]);
  await expectExitCode(cal("series adopt 105 106 --series other"), 0);
  await expectExitCode(cal("events update 105 --status draft"), 0);
  expect((await show(cal, "other")).map(({ edited }) => edited)).toEqual([["status"], []]);
});

test("an occurrence that a shift would move to a time that the clocks skip is left out", async () => {
  const cal = createSession();
  const flags = "--title Club --start-date '2027-03-06 02:30' --duration 1h";
  const id = (await cal(`events create --quiet --field id ${flags}`)).stdout.trim();
  await expectExitCode(cal(`events repeat ${id} --every week --count 1 --yes`), 0);
  const { stderr } = await expectExitCode(cal("series shift club +1d --yes"), 8);
  expect(stderr).toMatch(/left out: event \d+: --shift: 2027-03-14 02:30:00 does not exist in America\/New_York/);
  expect(await summarize(cal)).toEqual(["2027-03-07 02:30 Club", "2027-03-13 02:30 Club"]);
});

test("at a terminal it asks once, and names each event with its time", async () => {
  const questions: string[] = [];
  const no = () => Promise.reject(new Error("another question"));
  const confirm = async (question: string) => questions.push(question) > 2;
  const cal = createSession({ prompt: { text: no, secret: no, choose: no, confirm } });
  await expectExitCode(cal("series adopt 103 104 --quiet"), 0);
  await expectExitCode(cal("series delete jazz-night"), 130);
  expect(questions[0]).toBe(
    'Carry this out?\n  delete event 103 "Jazz Night, 2027-01-16 20:00"\n  delete event 104 "Jazz Night, 2027-02-12 20:00"\n2 to delete.',
  );
  await expectExitCode(cal("series update jazz-night --cost 20"), 130);
  expect(questions[1]).toContain('update event 103 "Jazz Night, 2027-01-16 20:00"; cost: "15" -> "20"');
  await expectExitCode(cal("series update jazz-night --cost 20"), 0);
  expect(questions).toHaveLength(3);
});

describe("a series of two events", () => {
  const cal = createSession();
  let before: readonly string[] = [];
  beforeAll(async () => {
    await createClub(cal, 1);
    before = readLedgers(cal);
  });

  test.each([
    ["series show", 2, "which series?"],
    ["series show clb", 3, 'there is no series "clb"; did you mean club?'],
    ["series show 103", 3, "event 103 is in no series"],
    ["series update club", 2, "nothing to update: no field was given"],
    [
      "series update club --start-date 2027-04-01",
      2,
      "unknown flag --start-date; cal series shift moves the events of a series, and --start-time",
    ],
    ["series update club --end-date 2027-04-01", 2, "unknown flag --end-date; cal series shift"],
    ["series update club --slug new", 2, "unknown flag --slug; a slug belongs to one event: cal events update"],
    ["series update club --set start_date=2027-04-01", 2, "series update takes no start_date"],
    ["series update club --set slug=new", 2, "series update takes no slug"],
    ["series update club --cost 12 --from soon", 2, '--from: "soon" is not a date'],
    ["series update club --start-time 25:00 --yes", 2, '--start-time takes a time, not "25:00"'],
    ["series update club --cost 12", 2, "2 to update: that needs a confirmation, and there is no terminal"],
    ["series update club --cost 12 --max-changes 1 --yes", 2, "2 records would be written, --max-changes allows 1"],
    ["series shift club", 2, "by how much?"],
    ["series shift club later --yes", 2, '--shift takes an offset such as +1h, -30m or +7d, not "later"'],
    ["series delete club", 2, "2 to delete: that needs a confirmation"],
    ["series delete club --max-delete 1 --yes", 2, "2 records would be deleted, --max-delete allows 1"],
    ["series adopt", 2, "which event?"],
    ["series adopt 103 104 --series 12", 2, "is not only digits"],
    ["series adopt 103 99999", 3, "99999"],
  ])("%s is refused with %d, and nothing is written", async (line, code, why) => {
    expect((await expectExitCode(cal(line), code)).stderr).toContain(why);
    expect(JSON.parse((await cal("log --json --quiet")).stdout)).toHaveLength(2);
    expect(readLedgers(cal)).toEqual(before);
  });
});

function readLedgers(cal: Session): readonly string[] {
  const folder = join(cal.folder, "state", "ledgers");
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
}
