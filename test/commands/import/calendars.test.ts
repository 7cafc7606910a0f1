// Calendars through the command: occurrences, cancelled events, the time that is read, and what happens when a calendar comes again.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "../records/sandbox.ts";

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

const calendar = (...events: readonly (readonly string[])[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...events.flatMap((lines) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]), "END:VCALENDAR", ""].join(
    "\r\n",
  );

const talk = (hour: string, ...more: readonly string[]) => [
  "UID:talk@example.com",
  `DTSTART;TZID=America/New_York:20270302T${hour}0000`,
  "DURATION:PT1H",
  "SUMMARY:Weekly Talk",
  "LOCATION:Town Hall",
  ...more,
];

async function importCalendar({ cal }: SandboxSession, content: string, flags = "", code = 0) {
  const path = join(cal.folder, "club.ics");
  writeFileSync(path, content);
  const { stdout, stderr } = await expectExitCode(cal(`events import ${path} --yes --json ${flags}`), code);
  const rows = stdout === "" ? [] : (JSON.parse(stdout) as readonly JsonRecord[]);
  return { stderr, fates: rows.map(({ op, status }) => `${op ?? "none"} ${status}`) };
}

async function listTalks({ cal }: SandboxSession, title = "Weekly Talk"): Promise<readonly JsonRecord[]> {
  const { stdout } = await expectExitCode(cal("events list --all-dates --all --status publish,draft --json"), 0);
  const records = (JSON.parse(stdout) as readonly JsonRecord[]).filter((record) => record["title"] === title);
  return records.toSorted((one, other) => String(one["start_date"]).localeCompare(String(other["start_date"])));
}

const starts = (records: readonly JsonRecord[]) => records.map((record) => String(record["start_date"]).slice(5, 16));

describe.each(servers)("%s", (server) => {
  test("the occurrences of a rule that moves keep their ids, in order of their start", async () => {
    const session = await openSandboxSession(server);
    const rule = "RRULE:FREQ=WEEKLY;COUNT=4";
    const first = await importCalendar(session, calendar(talk("18", rule)));
    expect(first.fates).toEqual(Array.from({ length: 4 }, () => "create done"));
    const before = await listTalks(session);
    expect(starts(before)).toEqual(["03-02 18:00", "03-09 18:00", "03-16 18:00", "03-23 18:00"]);
    expect((await importCalendar(session, calendar(talk("18", rule)))).fates).toEqual([]);
    const moved = await importCalendar(session, calendar(talk("20", rule)));
    expect(moved.fates).toEqual(Array.from({ length: 4 }, () => "update done"));
    expect(moved.stderr.match(/: moved: event/g)).toHaveLength(4);
    const after = await listTalks(session);
    expect(starts(after)).toEqual(["03-02 20:00", "03-09 20:00", "03-16 20:00", "03-23 20:00"]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await importCalendar(session, calendar(talk("20", rule)))).fates).toEqual([]);
  });

  test("a program that makes its UIDs anew at each export makes no second event, also of those that are over", async () => {
    const session = await openSandboxSession(server);
    const export_ = (tag: string) =>
      calendar(
        ...["20261201", "20270302", "20270309"].map((day) => [
          `UID:${tag}-${day}@example.com`,
          `DTSTART:${day}T180000Z`,
          "DURATION:PT1H",
          "SUMMARY:Weekly Talk",
        ]),
      );
    await importCalendar(session, export_("a"));
    const again = await importCalendar(session, export_("b"));
    expect(again.fates).toEqual([]);
    expect(again.stderr).toContain("it has a new key: event");
    expect(await listTalks(session)).toHaveLength(3);
    expect((await importCalendar(session, export_("b"))).stderr).not.toContain("new key");
  });

  test("--cancelled makes a draft of an event, deletes it, or leaves it alone; a new one is not created", async () => {
    for (const [rule, fates, left] of [
      ["draft", ["update done"], ["draft"]],
      ["delete", ["delete done"], []],
      ["skip", [], ["publish"]],
    ] as const) {
      const session = await openSandboxSession(server);
      await importCalendar(session, calendar(talk("18")));
      const other = ["UID:new@example.com", "DTSTART:20270401T180000Z", "SUMMARY:Never Seen", "STATUS:CANCELLED"];
      const cancelled = calendar(talk("18", "STATUS:CANCELLED"), other);
      const { stderr, fates: found } = await importCalendar(session, cancelled, `--cancelled ${rule}`);
      expect(found, rule).toEqual(fates);
      expect(stderr).toContain("cancelled: nothing is written");
      expect((await listTalks(session)).map(({ status }) => status)).toEqual(left);
      expect(await listTalks(session, "Never Seen")).toEqual([]);
      expect((await importCalendar(session, cancelled, `--cancelled ${rule}`)).fates).toEqual([]);
      if (rule !== "draft") continue;
      expect((await importCalendar(session, calendar(talk("18"), other))).fates).toEqual(["update done"]);
      expect((await listTalks(session)).map(({ status }) => status)).toEqual(["publish"]);
    }
  });
});

test("--from and --until: the occurrences outside are neither created nor missing; a rule without an end needs --until", async () => {
  const session = await openSandboxSession("generic");
  const endless = calendar(talk("18", "RRULE:FREQ=WEEKLY"));
  const refused = await importCalendar(session, endless, "", 2);
  expect(refused.stderr).toContain("club.ics:9: the rule FREQ=WEEKLY has no end");
  expect(refused.stderr).toContain("--until");
  await importCalendar(session, endless, "--until 2027-03-23");
  expect(starts(await listTalks(session))).toEqual(["03-02 18:00", "03-09 18:00", "03-16 18:00", "03-23 18:00"]);
  const later = await importCalendar(session, endless, "--from 2027-03-16 --until 2027-03-30 --missing delete");
  expect(later.fates).toEqual(["create done"]);
  expect(await listTalks(session)).toHaveLength(5);
  const without = calendar(talk("18", "RRULE:FREQ=WEEKLY", "EXDATE;TZID=America/New_York:20270316T180000"));
  const missing = await importCalendar(session, without, "--from 2027-03-16 --until 2027-03-30 --missing delete");
  expect(missing.fates).toEqual(["delete done"]);
  expect(starts(await listTalks(session))).toEqual(["03-02 18:00", "03-09 18:00", "03-23 18:00", "03-30 18:00"]);
});

test("an occurrence of which the file has only the exception is a record of its own", async () => {
  const session = await openSandboxSession("generic");
  await importCalendar(session, calendar(talk("18", "RECURRENCE-ID;TZID=America/New_York:20270302T170000")));
  expect(starts(await listTalks(session))).toEqual(["03-02 18:00"]);
});

test("a calendar into another resource is refused, and --rejects of a calendar too", async () => {
  const { cal } = await openSandboxSession("generic");
  const path = join(cal.folder, "club.ics");
  writeFileSync(path, calendar(talk("18")));
  expect((await expectExitCode(cal(`venues import ${path} --yes`), 2)).stderr).toContain("events, not venues");
  expect((await expectExitCode(cal(`events import ${path} --yes --rejects bad.ics`), 2)).stderr).toContain("--rejects");
});
