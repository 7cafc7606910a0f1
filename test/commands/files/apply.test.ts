// `cal diff` and `cal apply` of a folder: what is sent, what is kept, and that a second apply is empty.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { type FolderSession, pullSandbox, servers } from "./folder-session.ts";

const jazz = "events/2027-01-16-jazz-night-4.yaml";
const meeting = "events/2027-01-17-town-meeting-3.yaml";
const party = "events/summer-party.yaml";

const days = { line: "--from 2027-01-16 --until 2027-01-31" };

/** Nothing differs, and an apply sends nothing. */
async function expectSame({ folder, rows }: FolderSession): Promise<void> {
  expect(await rows(`apply ${folder} --yes`)).toEqual([]);
  expect(await rows(`diff ${folder}`)).toEqual([]);
}

describe.each(servers)("%s", (server) => {
  test("a changed field is sent alone, a new file is created with what it links to, and a second apply is empty", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, edit, write, idOf, rows } = session;
    await expectSame(session);
    edit(jazz, "title: Jazz Night", "title: Jazz Matinée");
    edit(jazz, "venue: blue-note-cellar", "venue: old-mill");
    write("venues/old-mill.yaml", "venue: Old Mill\ncity: Springfield\n");
    write("categories/open-air.yaml", "name: Open Air\nparent: summer\n");
    write("categories/summer.yaml", "name: Summer\n");
    write(
      party,
      "title: Summer Party\nstart_date: 2027-07-03 14:00\nend_date: 2027-07-03 22:00\ntimezone: Europe/Zurich\nvenue: Old Mill\ncategories: open-air\ndescription: |\n  <p>Bring a friend.</p>\n  <p>And a chair.</p>\n",
    );
    expect((await rows(`diff ${folder}`, 9)).filter(({ file }) => file === jazz)).toMatchObject([
      { changed: "here", field: "title", here: "Jazz Matinée", site: "Jazz Night" },
      { changed: "here", field: "venue", here: ["old-mill"], site: ["blue-note-cellar"] },
    ]);
    const plan = JSON.parse((await expectExitCode(cal(`apply ${folder} --dry-run --json`), 0)).stdout) as {
      changes: readonly { op: string; key: string; fields: readonly { name: string }[] }[];
    };
    expect(plan.changes.map(({ op, key }) => `${op} ${key}`)).toEqual([
      "create categories/summer",
      "create categories/open-air",
      "create venues/old-mill",
      `update ${jazz.slice(0, -5)}`,
      "create events/summer-party",
    ]);
    expect(plan.changes.find(({ op }) => op === "update")?.fields.map(({ name }) => name)).toEqual(["title", "venue"]);
    await expectExitCode(cal(`apply ${folder} --yes`), 0);
    await expectSame(session);
    const record = JSON.parse((await expectExitCode(cal(`events get ${idOf(party)} --json`), 0)).stdout) as Record<string, unknown>;
    expect(record).toMatchObject({ title: "Summer Party", start_date: "2027-07-03 14:00:00", timezone: "Europe/Zurich" });
    expect(JSON.stringify(record["venue"])).toContain("Old Mill");
    expect(JSON.stringify(record["categories"])).toContain("Open Air");
    expect((await cal("log --limit 1 --field changes --quiet")).stdout).toContain("4 created, 1 updated");
    await expectExitCode(cal(`pull ${folder}`), 0);
    await expectSame(session);
  });

  test("what the site has changed stays; the same field on both sides is a conflict", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, edit, idOf, rows } = session;
    await expectExitCode(cal(`events update ${idOf(jazz)} --website https://example.org/site`), 0);
    edit(jazz, "title: Jazz Night", "title: Jazz Matinee");
    expect(await rows(`diff ${folder}`, 9)).toMatchObject([
      { changed: "here", field: "title" },
      { changed: "site", field: "website", site: "https://example.org/site" },
    ]);
    await rows(`apply ${folder} --yes`);
    expect((await cal(`events get ${idOf(jazz)} --field website`)).stdout).toContain("https://example.org/site");
    await expectExitCode(cal(`events update ${idOf(jazz)} --title "Their Night"`), 0);
    edit(jazz, "title: Jazz Matinee", "title: Our Night");
    edit(meeting, "title: Town Meeting", "title: Town Hall Meeting");
    expect((await rows(`diff ${folder}`, 9)).map(({ changed, field }) => `${String(changed)} ${String(field)}`)).toEqual([
      "site website",
      "both title",
      "here title",
    ]);
    const { stderr } = await expectExitCode(cal(`apply ${folder} --yes`), 8);
    expect(stderr).toContain(`${jazz}: event ${idOf(jazz)}`);
    expect((await cal(`events get ${idOf(jazz)} --field title`)).stdout).toBe("Their Night\n");
    expect((await cal(`events get ${idOf(meeting)} --field title`)).stdout).toBe("Town Hall Meeting\n");
    await rows(`apply ${folder} --yes --on-conflict source`);
    expect((await cal(`events get ${idOf(jazz)} --field title`)).stdout).toBe("Our Night\n");
  });

  test("a file that is gone deletes its record only with --missing delete", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, idOf, rows } = session;
    const id = idOf(jazz);
    rmSync(join(folder, jazz));
    expect(await rows(`diff ${folder}`, 9)).toMatchObject([{ changed: "deleted here", file: jazz, id }]);
    const { stderr } = await expectExitCode(cal(`apply ${folder} --yes --json`), 0);
    expect(stderr).toContain(`${jazz} is gone, and its record stays: --missing delete deletes it\n`);
    expect(await rows(`apply ${folder} --yes`)).toEqual([]);
    await expectExitCode(cal(`apply ${folder} --missing delete`), 2);
    await rows(`apply ${folder} --missing delete --yes`);
    const { code, stdout } = await cal(`events get ${id} --field status`);
    expect([code, stdout]).toEqual(server === "generic" ? [3, ""] : [0, "trash\n"]);
    expect(await rows(`apply ${folder} --missing delete --yes`)).toEqual([]);
    await expectSame(session);
  });

  test("a lost ledger is made again, and overwrites nothing", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, idOf, edit, rows } = session;
    const id = idOf(jazz);
    rmSync(join(folder, ".calendar"), { recursive: true });
    await expectExitCode(cal(`apply ${folder} --yes`), 0);
    expect(idOf(jazz)).toBe(id);
    await expectSame(session);
    await expectExitCode(cal(`events update ${id} --website https://example.org/site`), 0);
    rmSync(join(folder, ".calendar"), { recursive: true });
    edit(jazz, /^website: .*$/m, "website: https://example.org/here");
    expect(await rows(`diff ${folder}`, 9)).toMatchObject([{ changed: "both", field: "website" }]);
    await expectExitCode(cal(`apply ${folder} --yes`), 8);
    expect((await cal(`events get ${id} --field website`)).stdout).toBe("https://example.org/site\n");
  });

  test("a lost ledger finds a record by its slug, where the file has another title", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, idOf, edit, rows } = session;
    const id = idOf(jazz);
    rmSync(join(folder, ".calendar"), { recursive: true });
    edit(jazz, "title: Jazz Night", "title: Jazz Matinee");
    edit("venues/town-hall.yaml", "venue: Town Hall", "venue: Old Town Hall");
    const count = (await cal("events list --all --format count")).stdout;
    await expectExitCode(cal(`apply ${folder} --yes`), 8);
    expect((await cal(`events get ${id} --field title`)).stdout).toBe("Jazz Night\n");
    await rows(`apply ${folder} --yes --on-conflict source`);
    expect((await cal(`events get ${id} --field title`)).stdout).toBe("Jazz Matinee\n");
    expect((await cal("venues get town-hall --field venue")).stdout).toBe("Old Town Hall\n");
    expect(idOf(jazz)).toBe(id);
    expect((await cal("events list --all --format count")).stdout).toBe(count);
    await expectSame(session);
  });

  test("a file with another name is the same record", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, idOf, files } = session;
    const id = idOf("venues/town-hall.yaml");
    renameSync(join(folder, "venues/town-hall.yaml"), join(folder, "venues/the-hall.yaml"));
    const { stderr } = await expectExitCode(cal(`apply ${folder} --yes`), 2);
    expect(stderr).toContain('there is no venue "town-hall": no file venues/town-hall.yaml');
    for (const [path, text] of Object.entries(files()))
      if (path.startsWith("events/")) session.write(path, text.replace("venue: town-hall", "venue: the-hall"));
    await expectSame(session);
    expect(idOf("venues/the-hall.yaml")).toBe(id);
  });

  test("whatever is edited, a second apply is empty", async () => {
    const session = await pullSandbox(server, days);
    const { cal, folder, write, rows } = session;
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((one) => /[a-z\d]/i.test(one) && !/[\p{C}<>[\]&\\%]/u.test(one));
    const edits = fc.record({
      title: text,
      description: fc.oneof(
        fc.constant("a: b\n# c\n  d"),
        text.map((one) => `<p>${one}</p>\n\n<p>x</p>`),
      ),
      cost: fc.constantFrom("10", "12.50", ""),
      venue: fc.constantFrom("town-hall", "Blue Note Cellar"),
      categories: fc.constantFrom("[]", "[jazz, Arts]", "music"),
      tags: fc.constantFrom("[free]", "[]"),
      featured: fc.constantFrom("true", "false", "no line"),
      start: fc.constantFrom("2027-03-05 19:30", "2027-03-28 02:59:59"),
      path: fc.constantFrom(jazz, meeting, "events/new-one.yaml"),
      loses: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(edits, async ({ path, loses, featured, start, title, ...fields }) => {
        const lines = [
          `title: ${JSON.stringify(title)}`,
          `start_date: ${start}`,
          "end_date: 2027-04-01 10:00",
          "timezone: America/New_York",
          `venue: ${fields.venue}`,
          `categories: ${fields.categories}`,
          `tags: ${fields.tags}`,
          `cost: ${JSON.stringify(fields.cost)}`,
          `description: ${JSON.stringify(fields.description)}`,
          ...(featured === "no line" ? [] : [`featured: ${featured}`]),
        ];
        write(path, `${lines.join("\n")}\n`);
        const first = await cal(`apply ${folder} --yes`);
        expect(first.code, first.stderr).toBe(0);
        expect(await rows(`apply ${folder} --yes`)).toEqual([]);
        if (!loses) return;
        rmSync(join(folder, ".calendar"), { recursive: true });
        expect(await rows(`apply ${folder} --yes`)).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });
});

test("an event with a password is compared with all that it has", async () => {
  const session = await pullSandbox("the-events-calendar", days);
  const { cal, folder, edit, idOf, read, rows } = session;
  const id = idOf(jazz);
  await expectExitCode(cal(`api POST /wp/v2/tribe_events/${id} --data '{"password":"sesame"}'`), 0);
  expect(JSON.parse((await cal("events list --month 2027-01 --json")).stdout)).toContainEqual(
    expect.objectContaining({ id: Number(id), all_day: null }),
  );
  await expectSame(session);
  const before = read(jazz);
  await expectExitCode(cal(`pull ${folder} ${days.line}`), 0);
  expect(read(jazz)).toBe(before);
  edit(jazz, /^cost: .*$/m, "cost: 33");
  expect(await rows(`diff ${folder}`, 9)).toMatchObject([{ changed: "here", field: "cost" }]);
  await rows(`apply ${folder} --yes`);
  await expectSame(session);
  rmSync(join(folder, ".calendar"), { recursive: true });
  await rows(`apply ${folder} --yes`);
  expect(idOf(jazz)).toBe(id);
  await expectSame(session);
  const record = JSON.parse((await expectExitCode(cal(`events get ${id} --json`), 0)).stdout) as Record<string, unknown>;
  expect(JSON.stringify(record["venue"])).toContain("Blue Note Cellar");
});

test("--no-overlap leaves out a file whose event would take a venue twice", async () => {
  const session = await pullSandbox("generic", days);
  const { cal, folder, write, rows } = session;
  const text = "start_date: 2027-01-16 21:00\nend_date: 2027-01-16 21:30\ntimezone: America/New_York\n";
  write(party, `title: Summer Party\n${text}venue: blue-note-cellar\n`);
  write("events/other.yaml", `title: Other\n${text}venue: town-hall\n`);
  const { stderr } = await expectExitCode(cal(`apply ${folder} --no-overlap --yes`), 8);
  expect(stderr).toContain("skipped: events/summer-party: it would take the venue at the same time as");
  expect(await rows(`diff ${folder}`, 9)).toContainEqual(expect.objectContaining({ changed: "new", file: party }));
  expect(session.idOf(party)).toBe("");
  expect(session.idOf("events/other.yaml")).not.toBe("");
});

test("a field that a file gets later is sent", async () => {
  const { cal, folder, write, idOf, rows } = await pullSandbox("generic", { line: "--resources tags" });
  const text = "title: Party\nstart_date: 2027-07-03 14:00\n";
  mkdirSync(join(folder, "events"));
  write(party, text);
  await rows(`apply ${folder} --yes`);
  write(party, `${text}featured: true\nstatus: draft\n`);
  await rows(`apply ${folder} --yes`);
  expect((await cal(`events get ${idOf(party)} --json`)).stdout).toMatch(/"status": "draft"[\s\S]*"featured": true/);
  write(party, text);
  await rows(`apply ${folder} --yes`);
  expect((await cal(`events get ${idOf(party)} --json`)).stdout).toMatch(/"status": "publish"[\s\S]*"featured": false/);
});

test("more than 30 % are deleted only with --max-delete, and an empty folder deletes nothing", async () => {
  const { cal, folder, rows } = await pullSandbox("generic", { line: "--resources tags,categories" });
  for (const name of ["c", "ete", "free", "online", "outdoor", "late-night"]) rmSync(join(folder, `tags/${name}.yaml`));
  expect((await expectExitCode(cal(`apply ${folder} --missing delete --yes`), 2)).stderr).toContain("more than 30 %");
  await rows(`apply ${folder} --missing delete --max-delete 6 --yes`);
  for (const name of ["tags", "categories"]) rmSync(join(folder, name), { recursive: true });
  expect((await expectExitCode(cal(`apply ${folder} --missing delete --yes`), 2)).stderr).toContain("the source is empty");
});

test("--plan-out saves a plan that can be carried out elsewhere", async () => {
  const { cal, folder, edit, idOf } = await pullSandbox("generic", days);
  edit(jazz, "title: Jazz Night", "title: Jazz Matinee");
  const file = join(cal.folder, "plan.json");
  const ledger = readFileSync(join(folder, ".calendar/ledger.ndjson"), "utf8");
  await expectExitCode(cal(`apply ${folder} --plan-out ${file}`), 0);
  expect(readFileSync(join(folder, ".calendar/ledger.ndjson"), "utf8")).toBe(ledger);
  await expectExitCode(cal(`apply ${file} --yes`), 0);
  expect((await cal(`events get ${idOf(jazz)} --field title`)).stdout).toBe("Jazz Matinee\n");
  expect((await expectExitCode(cal(`apply ${file} --missing delete`), 2)).stderr).toContain("--missing is for a folder");
});

test("a ledger of another site, and a lock of another command, send nothing", async () => {
  const { cal, folder, read, write } = await pullSandbox("generic", { line: "--resources tags" });
  write(".calendar/ledger.ndjson", read(".calendar/ledger.ndjson").replace('"sandbox"', '"https://example.org/wp-json/tribe/events/v1"'));
  for (const command of ["diff", "apply"]) await expectExitCode(cal(`${command} ${folder}`), 10);
  await expectExitCode(cal(`validate ${folder}`), 0);
  mkdirSync(join(folder, ".calendar/ledger.ndjson.lock"));
  writeFileSync(join(folder, ".calendar/ledger.ndjson.lock/someone"), "");
  expect((await expectExitCode(cal(`apply ${folder}`), 7)).stderr).toContain(`another command on ${folder} is running`);
});

test("what is no calendar is refused with what to do", async () => {
  const cal = createSession();
  expect((await expectExitCode(cal("apply"), 2)).stderr).toContain("there is no .calendar in this folder");
  expect((await expectExitCode(cal(`diff ${cal.folder}/nowhere`), 2)).stderr).toContain("cal pull");
  expect((await expectExitCode(cal(`validate ${cal.folder}`), 2)).stderr).toContain("does not hold a calendar");
  expect(existsSync(join(cal.folder, ".calendar"))).toBe(false);
});

test("a terminal shows the differences as git does", async () => {
  const { cal, folder, edit } = await pullSandbox("generic", days);
  edit(jazz, "title: Jazz Night", "title: Jazz Matinee");
  edit(jazz, "tags:\n  - late-night", "tags:\n  - online");
  const { stdout } = await expectExitCode(cal(`diff ${folder} --format table`), 9);
  expect(stdout).toMatch(
    /^events\/2027-01-16-jazz-night-4\.yaml \(event \d+\)\n@@ changed here: - site, \+ here @@\n-title: Jazz Night\n\+title: Jazz Matinee\n-tags: late-night\n\+tags: online\n$/,
  );
  expect((await cal(`diff ${folder} --format table --color always`)).stdout).toContain("\u001b[32m+title: Jazz Matinee");
});
