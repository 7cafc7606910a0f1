// `--no-overlap` of create, update and apply, on both server profiles.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";

const create = (title: string, time: string, more = "--no-overlap") =>
  `events create --title ${title} --start-date '2031-03-04 ${time}' --duration 2h --venue town-hall --quiet --field id ${more}`;

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("a create is refused where the venue is taken, and nothing is sent", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const id = (await expectExitCode(cal(create("A", "19:00")), 0)).stdout.trim();
    for (const more of ["--no-overlap", "--no-overlap --dry-run"]) {
      const { stdout, stderr } = await expectExitCode(cal(create("B", "20:00", more)), 6);
      expect(stdout).toBe("");
      expect(stderr).toContain(`it would take the venue at the same time as event ${id} "A" (2031-03-04 19:00); nothing was sent`);
      expect(stderr).toContain(`cal events get ${id}`);
    }
    await expectExitCode(cal(create("C", "21:00")), 0);
    await expectExitCode(cal(create("D", "17:00")), 0);
    await expectExitCode(cal(create("E", "19:00", "")), 0);
    const { stdout } = await cal("events list --month 2031-03 --all --field title");
    expect(stdout.trim().split("\n").sort()).toEqual(["A", "C", "D", "E"]);
  });

  test("an event that began long before is seen", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await expectExitCode(
      cal("events create --title Long --start-date '2030-10-01 10:00' --end-date '2031-05-01 10:00' --venue town-hall --quiet"),
      0,
    );
    await expectExitCode(cal(create("A", "19:00")), 6);
  });

  test("an update that moves an event onto another one is refused; one of other fields is not, and its own time is free", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    await cal(create("A", "19:00"));
    const id = (await cal(create("B", "22:00"))).stdout.trim();
    await expectExitCode(cal(`events update ${id} --shift -2h --no-overlap`), 6);
    await expectExitCode(cal(`events update ${id} --shift -1h --no-overlap`), 0);
    await expectExitCode(cal(`events update ${id} --shift -1h`), 0);
    await expectExitCode(cal(`events update ${id} --cost 5 --no-overlap`), 0);
    await expectExitCode(cal(`events update ${id} --venue 21 --no-overlap`), 0);
    await expectExitCode(cal(`events update ${id} --venue 23 --no-overlap`), 6);
    expect(JSON.parse((await cal(`events get ${id} --json`)).stdout)).toMatchObject({ start_date: "2031-03-04 20:00:00" });
  });

  test("several refs are compared with each other, also with --dry-run", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const [a, b] = [(await cal(create("A", "10:00"))).stdout.trim(), (await cal(create("B", "14:00"))).stdout.trim()];
    for (const more of ["--dry-run", ""]) {
      const line = `events update ${a} ${b} --start-date '2031-03-05 10:00' --duration 1h --no-overlap --json ${more}`;
      const rows = JSON.parse((await expectExitCode(cal(line), 8)).stdout) as readonly { readonly ok?: boolean }[];
      expect(rows.at(-1)).toMatchObject({ ref: b, ok: false, error: { code: "overlap" } });
    }
    expect(JSON.parse((await cal(`events get ${b} --json`)).stdout)).toMatchObject({ start_date: "2031-03-04 14:00:00" });
  });

  test("apply leaves out what would overlap, with the site and inside the plan", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const made = [];
    for (const [title, time] of [
      ["A", "08:00"],
      ["B", "11:00"],
      ["C", "14:00"],
    ] as const)
      made.push((await cal(create(title, time))).stdout.trim());
    const plan = join(cal.folder, "plan.json");
    await expectExitCode(
      cal(`events update ${made.join(" ")} --start-date '2031-03-05 10:00' --duration 1h --plan-out ${plan} --quiet`),
      0,
    );
    const { stderr, stdout } = await expectExitCode(cal(`apply ${plan} --no-overlap --yes --json`), 8);
    expect(JSON.parse(stdout)).toMatchObject([{ key: made[0], status: "done" }]);
    for (const id of made.slice(1))
      expect(stderr).toContain(`skipped: ${id}: it would take the venue at the same time as event ${made[0]}`);
  });

  test.each([2, 12])("an import leaves out rows that overlap with the site or with rows before them: %i rows", async (count) => {
    const { cal } = await openSandboxSession(serverProfile);
    const taken = (await cal(create("Taken", "19:00"))).stdout.trim();
    const csv = join(cal.folder, "events.csv");
    const row = (title: string, day: number, time: string, venue = "Town Hall") =>
      `${title},2031-03-${String(day).padStart(2, "0")} ${time},2031-03-${String(day).padStart(2, "0")} 23:30,${venue}`;
    const more = Array.from({ length: count - 2 }, (_, at) => row(`More ${at}`, 10 + at, "12:00"));
    const rows = [
      row("On Taken", 4, "20:00"),
      row("Free", 5, "19:00"),
      ...more,
      row("On Free", 5, "20:00", "town-hall"),
      row("New", 4, "19:00", "New Hall"),
    ];
    writeFileSync(csv, `${["title,start_date,end_date,venue", ...rows].join("\n")}\n`);
    const line = `events import ${csv} --create-missing --no-overlap --rejects ${join(cal.folder, "rejects.csv")} --yes`;
    const { stderr } = await expectExitCode(cal(line), 8);
    expect(stderr).toContain(`events.csv:2: it would take the venue at the same time as event ${taken} "Taken" (2031-03-04 19:00)`);
    expect(stderr).toMatch(/events.csv:\d+: it would take the venue at the same time as event "Free" \(2031-03-05 19:00\)/);
    expect(
      readFileSync(join(cal.folder, "rejects.csv"), "utf8")
        .split("\n")
        .slice(1, 3)
        .map((one) => one.split(",")[0]),
    ).toEqual(["On Taken", "On Free"]);
    const { stdout } = await cal("events list --month 2031-03 --all --field title");
    expect(stdout.trim().split("\n").sort()).toEqual(["Free", ...more.map((one) => one.split(",")[0]), "New", "Taken"].sort());
    // The second time only what was refused is tried again.
    await expectExitCode(cal(`events update ${taken} --start-date '2031-03-01 10:00' --duration 1h --quiet`), 0);
    expect((await expectExitCode(cal(line), 8)).stderr).toContain(`1 written, ${count} unchanged, 1 failed`);
  });

  test("what does not go together is refused", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    expect((await expectExitCode(cal("events update 103 --shift +1h --raw --no-overlap"), 2)).stderr).toContain("--raw does not read it");
    expect((await expectExitCode(cal(create("A", "10:00", "--no-overlap --create-missing")), 2)).stderr).toContain("exclude each other");
    expect((await expectExitCode(cal("venues create --venue X --no-overlap"), 2)).stderr).toContain("--no-overlap");
  });
});
