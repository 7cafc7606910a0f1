// `venues merge` and `organizers merge`: every event gets the record that stays, and only then the others are deleted.

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { fetchAllEvents, type JsonRecord, openSandboxSession, type SandboxSession } from "./sandbox.ts";

/** The ids of the links of an event, however the server tells them. */
const linksOf = (event: JsonRecord, field: string): readonly number[] =>
  [event[field] ?? []].flat().map((link) => (typeof link === "object" && link !== null && "id" in link ? Number(link.id) : Number(link)));

const add = async ({ fetchJson, sandbox }: SandboxSession, values: JsonRecord): Promise<number> => {
  const isTribe = sandbox.namespace.startsWith("tribe");
  const times = { start_date: "2031-03-04 19:00:00", end_date: "2031-03-04 20:00:00", timezone: "America/New_York" };
  const venue = values["venue"] === undefined ? {} : { venue: isTribe ? values["venue"] : [values["venue"]] };
  return Number((await fetchJson("events", "POST", { title: "Event", ...times, ...values, ...venue }))["id"]);
};

const venuesOf = async (session: SandboxSession, ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => linksOf(await session.fetchJson(`events/${id}`), "venue")[0]));

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  const isTribe = serverProfile === "the-events-calendar";

  test("events of any date and status get the venue that stays, hidden ones too; then the venue is deleted, and undo takes all back", async () => {
    const session = await openSandboxSession(serverProfile);
    const { cal, fetchJson } = session;
    const own = await Promise.all(
      [
        {},
        { start_date: "2019-05-01 10:00:00", end_date: "2019-05-01 11:00:00" },
        { status: "draft" },
        { status: "private" },
        { hide_from_listings: true },
      ].map((more) => add(session, { venue: 28, ...more })),
    );
    const before = await fetchAllEvents(session);
    const { stdout, stderr } = await expectExitCode(cal("venues merge community-garden --into town-hall --yes --json"), 0);
    const linked = before.filter((event) => linksOf(event, "venue").includes(28)).map(({ id }) => Number(id));
    expect(linked).toEqual(expect.arrayContaining(own));
    const rows = JSON.parse(stdout) as readonly JsonRecord[];
    expect(
      rows
        .slice(0, -1)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(linked.map((id) => `events/${id}`).sort());
    expect(rows.at(-1)).toMatchObject({ op: "delete", resource: "venues", key: "venues/28", status: "done" });
    expect(stderr).not.toContain("hidden");
    expect(new Set(await venuesOf(session, linked))).toEqual(new Set([23]));
    const gone = await fetchJson("venues/28").catch(() => ({ status: "destroyed" }));
    expect(gone["status"]).toBe(isTribe ? "trash" : "destroyed");
    const others = before.filter((event) => !linked.includes(Number(event["id"])));
    for (const event of await fetchAllEvents(session))
      if (!linked.includes(Number(event["id"])))
        expect(linksOf(event, "venue")).toEqual(linksOf(others.find(({ id }) => id === event["id"]) ?? {}, "venue"));
    expect((await fetchJson(`events/${own[2]}`))["status"]).toBe("draft");

    const operation = JSON.parse((await cal("log --json")).stdout)[0].operation as string;
    await expectExitCode(cal(`undo ${operation} --yes --quiet`), 0);
    const [venue] = (JSON.parse((await cal("venues list --search Garden --json")).stdout) as readonly JsonRecord[]).map(({ id }) =>
      Number(id),
    );
    expect(isTribe ? venue === 28 : (venue ?? 0) > 28).toBe(true);
    expect(new Set(await venuesOf(session, linked))).toEqual(new Set([venue]));
  });

  test("an organizer is replaced among others and never doubled, and --fill takes what the one that stays lacks", async () => {
    const session = await openSandboxSession(serverProfile);
    const { cal, fetchJson } = session;
    const [both, three] = [await add(session, { organizer: [36, 31] }), await add(session, { organizer: [34, 36, 32, 33] })];
    await expectExitCode(cal("organizers merge 36 33 36 --into 31 --fill --yes --quiet"), 0);
    expect(linksOf(await fetchJson(`events/${both}`), "organizer")).toEqual([31]);
    expect(linksOf(await fetchJson(`events/${three}`), "organizer")).toEqual([34, 31, 32]);
    await expectExitCode(cal("organizers merge 34 --into 32 --fill --yes --quiet"), 0);
    expect(await fetchJson("organizers/32")).toMatchObject({ email: "friends@library.example.org", website: "https://canal.example.org/" });
    expect((await cal("organizers list --all --field id")).stdout.trim().split("\n").sort()).toEqual(["31", "32", "35"]);
  });

  test("events in the trash are named and left alone", async () => {
    const session = await openSandboxSession(serverProfile);
    const trashed = await add(session, { title: "Old", venue: 28 });
    await session.fetchJson(`events/${trashed}`, "DELETE");
    const { stderr } = await expectExitCode(session.cal("venues merge 28 --into 23 --yes"), 0);
    expect(stderr.includes(`event ${trashed} "Old" is in the trash, and keeps its venue`)).toBe(isTribe);
  });

  test("a venue stays where one of its events was not written, and where a new event has it", async () => {
    const session = await openSandboxSession(serverProfile);
    const { cal, fetchJson } = session;
    const plan = join(cal.folder, "plan.json");
    const moved = await add(session, { title: "Moved", venue: 28 });
    await expectExitCode(cal(`venues merge 28 --into 23 --plan-out ${plan} --quiet`), 0);
    await expectExitCode(cal(`events update ${moved} --venue 21 --quiet`), 0);
    const stale = JSON.parse((await expectExitCode(cal(`apply ${plan} --yes --json`), 8)).stdout) as readonly JsonRecord[];
    expect(stale.find(({ key }) => key === `events/${moved}`)).toMatchObject({ status: "stale" });
    expect(stale.at(-1)).toMatchObject({ key: "venues/28", status: "not-reached" });

    const added = await add(session, { title: "Added", venue: 28 });
    await expectExitCode(cal(`venues merge 28 --into 23 --plan-out ${plan} --quiet`), 0);
    const late = await add(session, { title: "Late", venue: 28, hide_from_listings: true });
    const rows = JSON.parse((await expectExitCode(cal(`apply ${plan} --yes --json`), 8)).stdout) as readonly JsonRecord[];
    expect(rows.at(-1)).toMatchObject({ key: "venues/28", status: "failed", error: { code: "in-use" } });
    expect(await venuesOf(session, [added, late])).toEqual([23, 28]);
    expect((await fetchJson("venues/28"))["status"]).not.toBe("trash");
  });

  test("what is wrong is told at once, and nothing is sent", async () => {
    const { cal, fetchJson } = await openSandboxSession(serverProfile);
    const { stderr, stdout } = await expectExitCode(cal("venues merge 23 999 no-such-place 28 --into 23 --yes"), 3);
    expect(stdout).toBe("");
    expect(stderr).toContain("venue 23 can't be merged into itself");
    expect(stderr).toContain("999");
    expect(stderr).toContain("no-such-place");
    const usage = (await expectExitCode(cal("venues merge 'Town Hall' --yes"), 2)).stderr;
    expect(usage).toContain("--into <ref> names the one that stays");
    expect(usage).toContain('"Town Hall" is not a ref');
    expect((await expectExitCode(cal("venues merge 28 --into 23"), 2)).stderr).toContain(
      "without a question: cal venues merge 28 --into 23 --yes",
    );
    expect((await expectExitCode(cal("venues merge 28 --into 23 --max-changes 1 --yes"), 2)).stderr).toContain("--max-changes allows 1");
    expect((await expectExitCode(cal("venues merge 28 --into 23 --dry-run"), 0)).stdout).toContain(`delete\tvenue 28 "Community Garden"`);
    expect((await fetchJson("venues/28"))["venue"]).toBe("Community Garden");
  });

  test("duplicates: the same name and city, and near names; each with the record to merge it into", async () => {
    const session = await openSandboxSession(serverProfile);
    const { cal, fetchJson } = session;
    const find = async (resource: string, code: number) => expectExitCode(cal(`${resource} duplicates --json`), code);
    expect(JSON.parse((await find("venues", 0)).stdout)).toEqual([]);
    expect(JSON.parse((await find("organizers", 0)).stdout)).toEqual([]);
    const venue = async (name: string, city: string) => Number((await fetchJson("venues", "POST", { venue: name, city }))["id"]);
    const same = await venue("Hall, The Town", "ALBANY");
    const near = await venue("Riverside Publik Library", "");
    await venue("Town Hall?", "Troy");
    await venue("Harbour Stadium 2", "New York");
    const { stdout, stderr } = await find("venues", 9);
    expect(JSON.parse(stdout)).toMatchObject([
      { id: same, match: "same name", events: 0, into: { id: 23, name: "Town Hall", city: "Albany" } },
      { id: near, match: "near name", into: { id: 22 } },
    ]);
    expect(stderr).toContain(`cal venues merge ${same} --into 23`);
    expect((await expectExitCode(cal("venues duplicates --format table"), 9)).stdout).toContain("Hall, The Town");
    const person = Number((await fetchJson("organizers", "POST", { organizer: "Smith and Sons" }))["id"]);
    expect(JSON.parse((await find("organizers", 9)).stdout)).toMatchObject([{ id: person, match: "same name", into: { id: 33 } }]);
  });
});
