// `--plan-out` of the commands that write at once: nothing is sent, and the saved plan does the same later.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../src/model/server-profiles.ts";
import { type JsonRecord, openSandboxSession } from "../commands/records/sandbox.ts";
import { expectExitCode } from "../helpers/session.ts";

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

describe.each(servers)("%s", (server) => {
  test("an update of many", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    const { stdout } = await expectExitCode(cal(`events update 103 104 --title 'Late Jazz' --plan-out ${path} --json`), 0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(path, "utf8")));
    expect(await fetchJson("events/103")).toMatchObject({ title: "Jazz Night" });
    expect((await cal("log --format count")).stdout).toBe("0\n");
    await expectExitCode(cal(`apply ${path} --yes`), 0);
    for (const id of [103, 104]) expect(await fetchJson(`events/${id}`)).toMatchObject({ title: "Late Jazz" });
    await expectExitCode(cal(`apply ${path} --yes`), 0);
    expect((await cal("log --format count")).stdout).toBe("1\n");
  });

  test("a record that was changed since the plan was made is stale", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events update 103 --title 'Late Jazz' --plan-out ${path}`), 0);
    await expectExitCode(cal("events update 103 --no-featured"), 0);
    const { stdout } = await expectExitCode(cal(`apply ${path} --yes --json`), 6);
    expect(JSON.parse(stdout)).toMatchObject([{ op: "update", key: "103", status: "stale", ok: false, error: { code: "stale" } }]);
    expect(await fetchJson("events/103")).toMatchObject({ title: "Jazz Night" });
  });

  test("more records than --max-changes allows: nothing is sent", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    for (const line of ["update 103 104 --title X", "delete 103 104 --yes", "clone 103 --shift +1w --times 2"])
      expect((await expectExitCode(cal(`events ${line} --max-changes 1`), 2)).stderr).toContain("--max-changes allows 1");
    expect(await fetchJson("events/103")).toMatchObject({ title: "Jazz Night", status: "publish" });
    expect((await cal("log --format count")).stdout).toBe("0\n");
    await expectExitCode(cal("events update 103 104 --title X --max-changes 2"), 0);
  });

  test("an event and the venue that it links to, once", async () => {
    const { cal } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(
      cal(
        `events create --title Opening --start-date '2027-03-01 20:00' --duration 2h --venue 'New Hall' --create-missing --plan-out ${path}`,
      ),
      0,
    );
    const { changes } = JSON.parse(readFileSync(path, "utf8")) as { changes: readonly JsonRecord[] };
    expect(changes.map(({ op, resource, needs }) => ({ op, resource, needs }))).toEqual([
      { op: "create", resource: "venues", needs: [] },
      { op: "create", resource: "events", needs: ["venues/New Hall"] },
    ]);
    await expectExitCode(cal("venues get name:'New Hall'"), 3);
    const statuses = async () =>
      (JSON.parse((await expectExitCode(cal(`apply ${path} --yes --json`), 0)).stdout) as readonly JsonRecord[]).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(["done", "done"]);
    const { stdout } = await expectExitCode(cal("events list --search Opening --all-dates --json"), 0);
    expect(JSON.parse(stdout)).toMatchObject([{ title: "Opening", venue: { venue: "New Hall" } }]);
    expect(await statuses()).toEqual(["unchanged", "unchanged"]);
  });

  test("what needs something that failed is not tried", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events clone 103 --venue 'New Hall' --create-missing --plan-out ${path}`), 0);
    const plan = JSON.parse(readFileSync(path, "utf8")) as { changes: { fields: { name: string; to: unknown; origin: string }[] }[] };
    // The server refuses it.
    plan.changes[0]?.fields.push({ name: "status", to: "no-such-status", origin: "input" });
    writeFileSync(path, JSON.stringify(plan));
    const { stdout } = await expectExitCode(cal(`apply ${path} --yes --json`), 6);
    expect((JSON.parse(stdout) as readonly JsonRecord[]).map(({ status }) => status)).toEqual(["failed", "not-reached"]);
    expect(await fetchJson("events?search=Jazz%20Night")).toBeDefined();
  });

  test("a deletion asks, also in a saved plan, and twice is fine", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events delete 103 --plan-out ${path}`), 0);
    await expectExitCode(cal(`apply ${path}`), 2);
    await expectExitCode(cal(`apply ${path} --yes --max-delete 0`), 2);
    expect(await fetchJson("events/103")).toMatchObject({ status: "publish" });
    await expectExitCode(cal(`apply ${path} --yes`), 0);
    const { stdout } = await expectExitCode(cal(`apply ${path} --yes --json`), 0);
    expect(JSON.parse(stdout)).toMatchObject([{ op: "delete", status: "unchanged", ok: true }]);
  });

  test.each([`Rock 'n' Roll – "Live" & loud`, "Jane's <b>bold</b> 2 × 3 -- night...", "Ⅷ Ünïcödé ‘Fest’", "& \"'"])(
    "a plan that creates %j is applied twice and creates one",
    async (title) => {
      const { cal } = await openSandboxSession(server);
      const path = join(cal.folder, "plan.json");
      const dates = ["--start-date", "2027-05-01T20:00", "--end-date", "2027-05-01T22:00"];
      for (const words of [
        ["events", "create", "--title", title, ...dates],
        ["venues", "create", "--venue", title],
        ["tags", "create", "--name", title],
      ]) {
        await expectExitCode(cal.runArgs([...words, "--plan-out", path]), 0);
        const statuses = async () => {
          const { stdout } = await expectExitCode(cal(`apply ${path} --yes --json`), 0);
          return (JSON.parse(stdout) as readonly JsonRecord[]).map(({ status }) => status);
        };
        expect([words[0], await statuses()]).toEqual([words[0], ["done"]]);
        expect([words[0], await statuses()]).toEqual([words[0], ["unchanged"]]);
      }
    },
  );

  test("--where: the plan has what it selects, and neither asks nor needs a limit", async () => {
    const { cal } = await openSandboxSession(server);
    const filters = ["venue=Town Hall", "all-dates=true", "search=Meeting"];
    const list = await cal("events list --venue 'Town Hall' --all-dates --search Meeting --all --format ids");
    const ids = list.stdout.trimEnd().split("\n");
    for (const verb of ["update", "delete"]) {
      const path = join(cal.folder, `${verb}.json`);
      const words = ["events", verb, ...filters.flatMap((one) => ["--where", one]), ...(verb === "update" ? ["--cost", "7"] : [])];
      await expectExitCode(cal.runArgs([...words, "--plan-out", path]), 0);
      const { changes } = JSON.parse(readFileSync(path, "utf8")) as { readonly changes: readonly JsonRecord[] };
      expect(changes.map((one) => [one["op"], one["id"]])).toEqual(ids.map((id) => [verb, id]));
    }
    expect((await cal("log --json")).stdout.trim()).toBe("[]");
    await expectExitCode(cal(`apply ${join(cal.folder, "update.json")} --yes`), 0);
    const { stdout } = await cal(`events get ${ids[0]} --field cost`);
    expect(stdout).toContain("7");
  });

  test("a saved deletion names the record, and spares one that was changed since", async () => {
    const { cal, fetchJson } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events delete 103 --plan-out ${path}`), 0);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      changes: [{ title: "Jazz Night", read: { hash: expect.any(String) } }],
    });
    await expectExitCode(cal("events update 103 --cost 99"), 0);
    const { stdout } = await expectExitCode(cal(`apply ${path} --yes --json`), 6);
    const hint = expect.stringMatching(/cal events get 103\nto write it all the same, make the plan again$/);
    expect(JSON.parse(stdout)).toMatchObject([{ op: "delete", status: "stale", error: { code: "stale", hint } }]);
    expect(await fetchJson("events/103")).toMatchObject({ status: "publish" });
  });

  test("a ref that is not there is named in the plan, and decides the exit code", async () => {
    const { cal } = await openSandboxSession(server);
    const path = join(cal.folder, "plan.json");
    const { stderr } = await expectExitCode(cal(`venues update 21 9999 --phone 1 --plan-out ${path}`), 8);
    expect(stderr).toMatch(/^warning: skipped: 9999: \S.*\n1 to update, 1 skipped\n$/);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ changes: [{ key: "21" }], skipped: [{ key: "9999" }] });
    const none = join(cal.folder, "none.json");
    await expectExitCode(cal(`venues update 9999 --phone 1 --plan-out ${none}`), 3);
    expect(existsSync(none)).toBe(false);
  });
});

test("a plan of another site is refused", async () => {
  const [one, other] = [await openSandboxSession("generic"), await openSandboxSession("generic")];
  const path = join(one.cal.folder, "plan.json");
  await expectExitCode(one.cal(`events update 103 --title X --plan-out ${path}`), 0);
  expect((await expectExitCode(other.cal(`apply ${path} --yes`), 2)).stderr).toContain("for another site");
});

test("a plan that can't be written or read says so in one line each", async () => {
  const { cal } = await openSandboxSession("generic");
  const update = await expectExitCode(cal(`events update 103 --title X --plan-out ${cal.folder}/none/plan.json`), 10);
  expect(update.stderr).toMatch(
    /^cal: the plan can't be written to \S+none\/plan\.json: [^\n]+\nhint: --plan-out takes a file in a folder that exists\n$/,
  );
  expect(update.stderr).not.toContain(".tmp");
  const path = join(cal.folder, "plan.json");
  writeFileSync(path, '{"a":\n"b');
  const broken = await expectExitCode(cal(`apply ${path}`), 2);
  expect(broken.stderr).toMatch(/^cal: \S+ is not valid JSON: [^\n]+\nhint: [^\n]+\n$/);
  const missing = await expectExitCode(cal(`apply ${path}x`), 2);
  expect(missing.stderr).toMatch(/^cal: there is no file or folder \S+plan\.jsonx\n/);
});
