// `cal log` and `cal undo` on both kinds of server: what was written is known, and can be taken back.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../src/model/server-profiles.ts";
import { fetchAllEvents, type JsonRecord, openSandboxSession, type SandboxSession } from "../commands/records/sandbox.ts";
import { expectExitCode, noPrompt } from "../helpers/session.ts";

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

interface LogRow {
  readonly operation: string;
  readonly state: string;
  readonly changes: string;
  readonly undo: string;
  readonly command: string;
}

async function readLog({ cal }: SandboxSession): Promise<readonly LogRow[]> {
  return JSON.parse((await expectExitCode(cal("log --all --json"), 0)).stdout) as readonly LogRow[];
}

async function undoNewest(session: SandboxSession, code = 0) {
  const [newest] = await readLog(session);
  return expectExitCode(session.cal(`undo ${newest?.operation} --yes --json`), code);
}

describe.each(servers)("%s", (server) => {
  test("an update gets its former values back, and the undo can be undone", async () => {
    const session = await openSandboxSession(server);
    const { cal, fetchJson } = session;
    const before = await fetchJson("events/103");
    await expectExitCode(cal("events update 103 --title 'Late Jazz' --cost 12 --add-tag free --clear website"), 0);
    expect(await fetchJson("events/103")).toMatchObject({ title: "Late Jazz" });
    await undoNewest(session);
    expect(comparable(await fetchJson("events/103"))).toEqual(comparable(before));
    await undoNewest(session);
    expect(await fetchJson("events/103")).toMatchObject({ title: "Late Jazz" });
    expect((await readLog(session)).map(({ changes, state }) => [changes, state])).toEqual(Array(3).fill(["1 updated", "done"]));
  });

  test("a price that is a range comes back as it was", async () => {
    const session = await openSandboxSession(server);
    const before = await session.fetchJson("events/128");
    await expectExitCode(session.cal("events update 128 --cost 7"), 0);
    await undoNewest(session);
    expect(before["cost"]).toContain("25");
    expect(await session.fetchJson("events/128")).toMatchObject({ cost: before["cost"] });
  });

  test("the log says what is undone, and by which operation", async () => {
    const session = await openSandboxSession(server);
    const { cal } = session;
    const column = async () => (await readLog(session)).map(({ undo }) => undo);
    const names = async () => (await readLog(session)).map(({ operation }) => operation);
    await expectExitCode(cal("events update 103 104 --title Late"), 0);
    await expectExitCode(cal("events delete 105 --yes"), 0);
    const [deletion, update] = await names();
    await expectExitCode(cal(`undo ${deletion} --yes`), 0);
    const [first] = await names();
    expect(await column()).toEqual(["yes", `undone by ${first}`, "yes"]);
    // Of the update one record only.
    await expectExitCode(cal("events update 103 --title Other"), 0);
    await expectExitCode(cal(`undo ${update} --yes`), 8);
    expect(await column()).toEqual(["yes", "yes", "yes", `undone by ${first}`, `undone in part by ${(await names())[0]}`]);
    // An undo that is undone counts no longer.
    await expectExitCode(cal(`undo ${first} --yes`), 0);
    expect(await column()).toEqual([
      "yes",
      "yes",
      "yes",
      `undone by ${(await names())[0]}`,
      "yes",
      expect.stringMatching(/^undone in part/),
    ]);
  });

  test("an undo that is run twice creates nothing twice", async () => {
    const session = await openSandboxSession(server);
    const { cal } = session;
    const count = async () => Number((await expectExitCode(cal("events list --all-dates --all --format count"), 0)).stdout);
    const before = await count();
    await expectExitCode(cal("events delete 103 104 --yes"), 0);
    await expectExitCode(cal("tags delete 12 --yes"), 0);
    const [tag, events] = await readLog(session);
    for (const operation of [tag, events, tag, events]) await cal(`undo ${operation?.operation} --yes`);
    expect(await count()).toBe(before);
    expect((await expectExitCode(cal("tags list --search free --format count"), 0)).stdout).toBe("1\n");
  });

  test("what somebody has changed since is stale, and stays", async () => {
    const session = await openSandboxSession(server);
    const { cal } = session;
    await expectExitCode(cal("events update 103 104 --cost 12"), 0);
    await expectExitCode(cal("events update 103 --cost 99"), 0);
    const [, first] = await readLog(session);
    const { stdout } = await expectExitCode(cal(`undo ${first?.operation} --yes --json`), 8);
    const rows = JSON.parse(stdout) as readonly JsonRecord[];
    expect(rows.map(({ op, resource, key, status, ok }) => ({ op, resource, key, status, ok }))).toEqual([
      { op: "update", resource: "events", key: "events/104", status: "done", ok: true },
      { op: "update", resource: "events", key: "events/103", status: "stale", ok: false },
    ]);
    expect((await cal("events get 103 --field cost")).stdout).toContain("99");
  });

  test("what was created is deleted", async () => {
    const session = await openSandboxSession(server);
    const { cal } = session;
    const { stdout } = await expectExitCode(
      cal(
        "events create --title New --start-date 2027-03-01 --end-date 2027-03-01 --all-day --venue 'New Hall' --create-missing --field id",
      ),
      0,
    );
    expect((await readLog(session))[0]).toMatchObject({ changes: "2 created" });
    await undoNewest(session);
    const code = (await cal(`events get ${stdout.trim()} --json`)).stdout;
    expect(server === "generic" ? code : (JSON.parse(code) as JsonRecord)["status"]).toBe(server === "generic" ? "" : "trash");
    await expectExitCode(cal("venues get name:'New Hall'"), 3);
  });

  test("what was created and edited since is stale, and stays", async () => {
    const session = await openSandboxSession(server);
    const { cal, fetchJson } = session;
    const create = "events create --start-date 2027-03-01T20:00 --end-date 2027-03-01T22:00 --tag free --field id";
    const ids: string[] = [];
    for (const title of ["One", "Two"]) ids.push((await expectExitCode(cal(`${create} --title ${title}`), 0)).stdout.trim());
    const [second, first] = await readLog(session);
    // A field that the create did not have.
    await expectExitCode(cal(`events update ${ids[0]} --website https://example.org/one`), 0);
    const { stdout } = await expectExitCode(cal(`undo ${first?.operation} --yes --json`), 6);
    expect(JSON.parse(stdout)).toMatchObject([{ op: "delete", status: "stale", ok: false }]);
    expect(await fetchJson(`events/${ids[0]}`)).toMatchObject({ status: "publish" });
    await expectExitCode(cal(`undo ${second?.operation} --yes`), 0);
  });

  test("a category that was deleted comes back with its events and its child categories", async () => {
    const session = await openSandboxSession(server);
    const { cal, fetchJson } = session;
    const [events, child] = [await fetchAllEvents(session), await fetchJson("categories/3")];
    await expectExitCode(cal("categories delete 2 --yes"), 0);
    expect(await fetchJson("categories/3")).not.toEqual(child);
    await undoNewest(session);
    const newId = Number((await expectExitCode(cal("categories get slug:music --field id"), 0)).stdout);
    expect(await fetchJson("categories/3")).toMatchObject({ parent: newId });
    const links = (records: readonly JsonRecord[], id: number) =>
      records.flatMap((record) => (idsOf(record["categories"]).includes(id) ? [record["id"]] : []));
    expect(links(await fetchAllEvents(session), newId)).toEqual(links(events, 2));
  });

  test("a venue and its events that were deleted together come back linked", async () => {
    const session = await openSandboxSession(server);
    const { cal } = session;
    const ids = (await cal("events list --all-dates --venue 23 --all --format ids")).stdout.trim().split("\n");
    await expectExitCode(cal(`venues delete 23 --yes`), 0);
    await expectExitCode(cal(`events delete ${ids.join(" ")} --yes`), 0);
    await undoNewest(session);
    const [, , deletion] = await readLog(session);
    await expectExitCode(cal(`undo ${deletion?.operation} --yes`), 0);
    const { stdout } = await expectExitCode(cal("events list --all-dates --venue town-hall --all --format count"), 0);
    expect(Number(stdout)).toBe(ids.length);
  });

  test("without a question the operation must be named", async () => {
    const { cal } = await openSandboxSession(server);
    await expectExitCode(cal("undo"), 3);
    await expectExitCode(cal("tags create --name x"), 0);
    for (const line of ["undo", "undo --yes"])
      expect((await expectExitCode(cal(line), 2)).stderr).toMatch(/undo needs the name of the operation.*\bcal undo 20/s);
    await expectExitCode(cal("undo 2"), 2);
    await expectExitCode(cal("undo 1999"), 3);
  });

  test("what was sent raw, and what was not read, can't be undone", async () => {
    const session = await openSandboxSession(server);
    const { cal } = session;
    await expectExitCode(cal("tags delete 12 --raw --yes"), 0);
    expect((await readLog(session))[0]).toMatchObject({ undo: "can't be undone" });
    const { stderr } = await undoNewest(session, 6);
    expect(stderr).toContain("was not read before");
  });

  test("a plan shows what undo would write, and writes nothing", async () => {
    const session = await openSandboxSession(server);
    const { cal, fetchJson } = session;
    await expectExitCode(cal("events update 103 --title 'Late Jazz'"), 0);
    const plan = JSON.parse((await expectExitCode(cal("undo --dry-run --json"), 0)).stdout) as JsonRecord;
    expect(plan).toMatchObject({
      version: 1,
      site: expect.stringContaining("/wp-json/"),
      changes: [
        { op: "update", resource: "events", id: "103", fields: [{ name: "title", from: "Late Jazz", to: "Jazz Night", origin: "input" }] },
      ],
    });
    const lines = (await expectExitCode(cal("undo -n --format ndjson"), 0)).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(plan["changes"]);
    expect(await fetchJson("events/103")).toMatchObject({ title: "Late Jazz" });
    expect(await readLog(session)).toHaveLength(1);
  });

  test("a saved plan is carried out once, also when it is applied twice", async () => {
    const session = await openSandboxSession(server);
    const { cal, fetchJson } = session;
    await expectExitCode(cal("events update 103 104 --title 'Late Jazz'"), 0);
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`undo --plan-out ${path} --dry-run`), 0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expectExitCode(cal(`apply ${path}`), 2);
    await expectExitCode(cal(`apply ${path} --yes --max-changes 1`), 2);
    expect(await fetchJson("events/103")).toMatchObject({ title: "Late Jazz" });
    const statuses = async (code: number) =>
      (JSON.parse((await expectExitCode(cal(`apply ${path} --yes --json`), code)).stdout) as readonly JsonRecord[]).map(
        ({ status }) => status,
      );
    expect(await statuses(0)).toEqual(["done", "done"]);
    expect(await statuses(0)).toEqual(["unchanged", "unchanged"]);
    await expectExitCode(cal("events update 103 --title Other"), 0);
    expect(await statuses(8)).toEqual(["unchanged", "stale"]);
  });

  test("random operations, undone in the reverse order, leave equal records", async () => {
    const word = fc.constantFrom("Jazz & more", "Café", "x", "日本");
    const line = fc.oneof(
      fc.tuple(fc.integer({ min: 103, max: 112 }), word).map(([id, title]) => `events update ${id} --title '${title}'`),
      fc
        .tuple(fc.integer({ min: 103, max: 112 }), fc.integer({ min: 1, max: 90 }))
        .map(([id, cost]) => `events update ${id} --cost ${cost}`),
      fc.integer({ min: 103, max: 112 }).map((id) => `events update ${id} --add-tag free --remove-category 3`),
      fc.integer({ min: 103, max: 112 }).map((id) => `events update ${id} --shift +1d --featured`),
      fc.integer({ min: 103, max: 112 }).map((id) => `events delete ${id} --yes --ignore-missing`),
      fc.constantFrom(21, 22, 23).map((id) => `venues update ${id} --city Albany --phone 1`),
      fc.constantFrom(21, 22, 23).map((id) => `venues delete ${id} --yes --ignore-missing`),
      fc.constantFrom(31, 32).map((id) => `organizers delete ${id} --yes --ignore-missing`),
      fc.constantFrom(2, 3, 4).map((id) => `categories delete ${id} --yes --ignore-missing`),
      fc.constantFrom(12, 17).map((id) => `tags delete ${id} --yes --ignore-missing`),
      word.map((name) => `tags create --name 'new ${name}'`),
      word.map((title) => `events create --title '${title}' --start-date 2027-05-01 --end-date 2027-05-01 --all-day --tag 12`),
      fc.integer({ min: 103, max: 112 }).map((id) => `events clone ${id} --shift +1w`),
    );
    // A tag gets a new id while an event that had it is in the trash: the event comes back with it, in its former place.
    const linesThatFailed: [string[]][] = [
      [
        [
          "tags delete 12 --yes --ignore-missing",
          "events delete 105 --yes --ignore-missing",
          "events update 110 --shift +1d --featured",
          "tags delete 17 --yes --ignore-missing",
        ],
      ],
      [["events delete 111 --yes --ignore-missing", "tags delete 12 --yes --ignore-missing"]],
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 6 }), async (lines) => {
        const session = await openSandboxSession(server);
        const { cal } = session;
        const before = await readSite(session);
        // An operation on what is gone by then fails, and writes nothing.
        for (const one of lines) await cal(one);
        for (const { operation, state } of await readLog(session)) {
          if (state !== "done") continue;
          const { code, stderr } = await cal(`undo ${operation} --yes --json`);
          expect(code, `${lines.join("\n")}\n${stderr}`).toBe(0);
        }
        expect(findDifferences(before, await readSite(session)), lines.join("\n")).toEqual([]);
      }),
      { numRuns: 8, endOnFailure: true, examples: linesThatFailed },
    );
  }, 120_000);
});

/** A session at a terminal, and the questions that were asked. */
async function openAskedSession(server: ServerProfileName, answer: boolean) {
  const questions: string[] = [];
  const confirm = async (question: string) => {
    questions.push(question);
    return answer;
  };
  return { questions, ...(await openSandboxSession(server, {}, { prompt: { ...noPrompt, confirm } })) };
}

describe("before it asks", () => {
  test("undo names a field that the site can't empty, and then its exit code is 8", async () => {
    const warning = "can't be undone: tags/12: description was empty, and can't be emptied on this server";
    for (const answer of [false, true]) {
      const { cal, questions, fetchJson } = await openAskedSession("the-events-calendar", answer);
      await expectExitCode(cal("tags update 12 --description new --name New"), 0);
      const { stderr } = await expectExitCode(cal("undo"), answer ? 8 : 130);
      // The text of a question is not on stderr here: what is there after a No was said before it.
      expect(stderr).toContain(warning);
      expect(questions).toHaveLength(1);
      expect(questions[0]).toContain('update tag 12 "free"; name: "New" -> "free"');
      expect(await fetchJson("tags/12")).toMatchObject({ name: answer ? "free" : "New", description: "new" });
    }
  });

  test.each(servers)("%s: it shows the counts and the first ten changes, and how many more there are", async (server) => {
    const { cal, questions } = await openAskedSession(server, false);
    const ids = Array.from({ length: 14 }, (_none, at) => 103 + at);
    await expectExitCode(cal(`events update ${ids.join(" ")} --cost 99`), 0);
    await expectExitCode(cal("undo"), 130);
    const [first, ...lines] = questions[0]?.split("\n") ?? [];
    expect(first).toBe("Carry this out?");
    expect(lines.slice(0, 10).every((line) => /^ {2}update event \d+ ".*"; cost: ".*99.*" -> /.test(line))).toBe(true);
    expect(lines.slice(10)).toEqual(["  and 4 more: --dry-run shows all", "14 to update."]);
  });
});

test("the journal holds no login, is private, and stays in the state folder", async () => {
  const { cal, sandbox } = await openSandboxSession("generic");
  await expectExitCode(cal("events update 103 --website https://example.org/feed?key=s3cret"), 0);
  const folder = join(cal.folder, "state", "journal");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const [file = ""] = readdirSync(folder);
  expect(file).toMatch(/^20270115-120000-001\.one\.ndjson$/);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const text = readFileSync(join(folder, file), "utf8");
  expect(text).not.toContain(sandbox.token);
  const [header = ""] = text.split("\n");
  expect(header).not.toContain("s3cret");
  expect(JSON.parse(header)).toMatchObject({ command: expect.stringContaining("https://example.org/...") });
});

function idsOf(links: unknown): readonly unknown[] {
  return (Array.isArray(links) ? links : []).map((link: JsonRecord) => link["id"]);
}

/** A record without what differs after a write and its undo. */
function comparable(record: JsonRecord): JsonRecord {
  const { modified: _m, modified_utc: _u, json_ld: _j, ...rest } = record;
  return JSON.parse(
    JSON.stringify(rest, (key, value: unknown) => (/^(modified|modified_utc|count|term_taxonomy_id)$/.test(key) ? undefined : value)),
  ) as JsonRecord;
}

/** Fields of a record that was created anew which are its own, or which the interface can't write. */
const ownFields = /^(id|slug|url|urls|rest_url|global_id|global_id_lineage|date|date_utc|parent|geo_lat|geo_lng)$/;

/** Every record that is not in the trash, by resource. */
async function readSite({ cal }: SandboxSession): Promise<readonly JsonRecord[]> {
  const lines = [
    "events list --all-dates",
    "venues list",
    "organizers list",
    "categories list --include-empty",
    "tags list --include-empty",
  ];
  const lists: (readonly JsonRecord[])[] = [];
  for (const line of lines) lists.push(JSON.parse((await expectExitCode(cal(`${line} --all --json`), 0)).stdout) as readonly JsonRecord[]);
  const names = new Map(lists[3]?.map((category) => [category["id"], category["name"]]));
  const strip = (record: JsonRecord): JsonRecord => {
    // A site that runs The Events Calendar shows its own address where there is no website, and none after any write.
    const website = record["website"] === record["url"] ? "" : record["website"];
    const whole = { ...comparable(record), website, parentName: names.get(record["parent"]) };
    return sortKeys(JSON.parse(JSON.stringify(whole, (key, value: unknown) => (ownFields.test(key) ? undefined : value)))) as JsonRecord;
  };
  return lists.flatMap((list) => list.map(strip)).sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

/** The same value with the keys of its objects in one order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, part]) => [key, sortKeys(part)]),
  );
}

/** The fields that differ, of records that are not on both sides. */
function findDifferences(before: readonly JsonRecord[], after: readonly JsonRecord[]): readonly unknown[] {
  const only = (list: readonly JsonRecord[], others: readonly JsonRecord[]) => {
    const texts = new Set(others.map((record) => JSON.stringify(record)));
    return list.filter((record) => !texts.has(JSON.stringify(record)));
  };
  const [gone, added] = [only(before, after), only(after, before)];
  return Array.from({ length: Math.max(gone.length, added.length) }, (_, at) => {
    const [left = {}, right = {}] = [gone[at], added[at]];
    const differs = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
      (key) => JSON.stringify(left[key]) !== JSON.stringify(right[key]),
    );
    return [left["title"] ?? left["name"], ...differs.map((key) => [key, left[key], right[key]])];
  }).slice(0, 5);
}
