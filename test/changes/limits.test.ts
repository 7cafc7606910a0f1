// `--max-changes` and `--max-delete` count what would really be written, before anything is sent, and say the line that allows it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/changes/change.ts";
import { assertWithinLimits, type Limits } from "../../src/changes/limits.ts";
import type { ServerProfileName } from "../../src/model/server-profiles.ts";
import { openSandboxSession } from "../commands/records/sandbox.ts";
import { expectExitCode } from "../helpers/session.ts";

describe("limits", () => {
  const change = (op: Change["op"], key: string): Change => ({ op, resource: "events", key, fields: [], needs: [] });
  const plan = (deletions: number, updates = 0) => [
    ...Array.from({ length: deletions }, (_, at) => change("delete", `d${at}`)),
    ...Array.from({ length: updates }, (_, at) => change("update", `u${at}`)),
  ];
  const rows: readonly (readonly [string, readonly Change[], Limits, string | undefined])[] = [
    ["no limit", plan(50, 50), {}, undefined],
    ["as many changes as allowed", plan(1, 2), { maxChanges: 3 }, undefined],
    ["one change more", plan(1, 3), { maxChanges: 3 }, "--max-changes 4"],
    ["as many deletions as allowed", plan(2, 9), { maxDelete: 2 }, undefined],
    ["one deletion more", plan(3), { maxDelete: 2 }, "--max-delete 3"],
    ["more of both", plan(3, 2), { maxChanges: 4, maxDelete: 2 }, "--max-changes 5 --max-delete 3"],
    ["30 % of a source", plan(3), { source: { managed: 10, isEmpty: false } }, undefined],
    ["more than 30 % of a source", plan(4), { source: { managed: 10, isEmpty: false } }, "--max-delete 4"],
    ["a small source", plan(9), { source: { managed: 9, isEmpty: false } }, undefined],
    ["more than 30 %, allowed", plan(4), { source: { managed: 10, isEmpty: false }, maxDelete: 4 }, undefined],
    ["an empty source", plan(1), { source: { managed: 3, isEmpty: true } }, "--max-delete 1"],
    ["an empty source that deletes nothing", plan(0, 1), { source: { managed: 3, isEmpty: true } }, undefined],
  ];
  test.each(rows)("%s", (_name, changes, limits, flag) => {
    const check = () => assertWithinLimits(changes, limits);
    if (flag === undefined) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ kind: "usage", details: expect.objectContaining({ hint: { text: "if that is meant", flags: flag } }) }),
      );
  });
});

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

/** The command of the hint, as a user pastes it. */
const findPastedLine = (stderr: string) => /if that is meant: cal (.*)/.exec(stderr)?.[1] ?? "";

describe.each(servers)("%s", (server) => {
  test("records that are as they should be do not count", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    await expectExitCode(cal("events update 103 104 --title Late --max-changes 2"), 0);
    await expectExitCode(cal("events update 103 104 105 106 --title Late --max-changes 1 --dry-run"), 2);
    await expectExitCode(cal("events update 103 104 105 --title Late --max-changes 1 --dry-run"), 0);
    const refused = await expectExitCode(cal("events update 103 104 105 106 --title Late --max-changes 1"), 2);
    expect(refused.stderr).toContain("2 records would be written, --max-changes allows 1; nothing was sent");
    expect((await fetchJson("events/105"))["title"]).not.toBe("Late");
    const { stdout } = await expectExitCode(cal("events update 103 104 105 --title Late --max-changes 1 --json"), 0);
    expect(JSON.parse(stdout)).toHaveLength(3);
    expect((await fetchJson("events/105"))["title"]).toBe("Late");
  });

  test("the pasted line allows it", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    const { stderr } = await expectExitCode(cal("venues update 21 22 23 --phone '1 2' --max-changes 1"), 2);
    const line = findPastedLine(stderr);
    expect(line).toBe("venues update 21 22 23 --phone '1 2' --max-changes 3");
    await expectExitCode(cal(line), 0);
    expect(await fetchJson("venues/23")).toMatchObject({ phone: "1 2" });
  });

  test("a linked record that would be created counts, and is not created", async () => {
    const { cal } = await openSandboxSession(server);
    const line = "events update 103 104 --venue 'New Hall' --create-missing";
    const { stderr } = await expectExitCode(cal(`${line} --max-changes 2`), 2);
    expect(stderr).toContain("3 records would be written");
    await expectExitCode(cal("venues get name:'New Hall'"), 3);
    await expectExitCode(cal(`${line} --max-changes 3`), 0);
    await expectExitCode(cal("venues get name:'New Hall'"), 0);
  });

  test("a saved plan that is done in part", async () => {
    const { cal } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events update 103 104 105 --title Late --plan-out ${path}`), 0);
    await expectExitCode(cal("events update 103 104 --title Late"), 0);
    const { stderr } = await expectExitCode(cal(`apply ${path} --yes --max-changes 0`), 2);
    expect(findPastedLine(stderr)).toBe(`apply ${path} --yes --max-changes 1`);
    await expectExitCode(cal(`apply ${path} --yes --max-changes 1`), 0);
  });

  test("a saved plan whose event links to a venue that it creates", async () => {
    const { cal } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    const dates = "--start-date 2027-05-01T20:00 --end-date 2027-05-01T22:00";
    await expectExitCode(cal(`events create --title Newer ${dates} --venue 'New Hall' --create-missing --plan-out ${path}`), 0);
    expect((await expectExitCode(cal(`apply ${path} --yes --max-changes 1`), 2)).stderr).toContain("2 records would be written");
    await expectExitCode(cal("venues get name:'New Hall'"), 3);
    await expectExitCode(cal(`apply ${path} --yes --max-changes 2`), 0);
    await expectExitCode(cal(`apply ${path} --yes --max-changes 0`), 0);
  });

  test("an undo", async () => {
    const { cal } = await openSandboxSession(server);
    await expectExitCode(cal("events clone 103 --shift +1w --times 3"), 0);
    const [{ operation }] = JSON.parse((await cal("log --json")).stdout) as readonly [{ readonly operation: string }];
    const { stderr } = await expectExitCode(cal(`undo ${operation} --yes --max-changes 1 --max-delete 2`), 2);
    expect(stderr).toContain("3 records would be written, --max-changes allows 1; 3 records would be deleted, --max-delete allows 2");
    await expectExitCode(cal(findPastedLine(stderr)), 0);
  });

  test("an import that would delete more than 30 % of its records, or whose source came out empty", async () => {
    const { cal } = await openSandboxSession(server);
    const path = join(cal.folder, "tags.csv");
    const write = (count: number) =>
      writeFileSync(path, ["id_of_source,name", ...Array.from({ length: count }, (_none, at) => `k${at},Tag ${at}`)].join("\n"));
    const line = `tags import ${path} --key id_of_source --ignore-columns --missing delete --yes`;
    write(12);
    await expectExitCode(cal(line), 0);
    const countTags = async () => Number((await cal("tags list --search Tag --include-empty --all --format count")).stdout);
    expect(await countTags()).toBe(12);
    write(0);
    expect((await expectExitCode(cal(line), 2)).stderr).toContain("the source is empty, and 12 records would be deleted; nothing was sent");
    write(8);
    const { stderr } = await expectExitCode(cal(line), 2);
    expect(stderr).toContain("4 of 12 records of this source would be deleted, which is more than 30 %; nothing was sent");
    expect(await countTags()).toBe(12);
    await expectExitCode(cal(findPastedLine(stderr)), 0);
    expect(await countTags()).toBe(8);
  });

  test("--where counts what an update changes, and what a delete selects", async () => {
    const { cal } = await openSandboxSession(server);
    const where = "--where venue='Town Hall' --where all-dates=true --where search=Meeting";
    await expectExitCode(cal(`events update ${where} --featured --max-changes 99 --yes`), 0);
    await expectExitCode(cal(`events update ${where} --featured --max-changes 0 --yes`), 0);
    const { stderr } = await expectExitCode(cal(`events delete ${where} --max-delete 1 --yes`), 2);
    expect(findPastedLine(stderr)).toMatch(/^events delete --where 'venue=Town Hall' .* --yes --max-delete \d+$/);
  });
});
