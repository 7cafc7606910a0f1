// `cal pull`: files that stay the same, local edits that are kept, and records that are gone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { pullSandbox, servers } from "./folder-session.ts";

const jazz = "events/2027-01-16-jazz-night-4.yaml";
const hall = "venues/town-hall.yaml";

describe.each(servers)("%s", (server) => {
  test("a second pull changes no byte, and one file holds one record", async () => {
    const { cal, folder, files } = await pullSandbox(server);
    const first = files();
    expect(Object.keys(first).length).toBeGreaterThan(80);
    const { stderr } = await expectExitCode(cal(`pull ${folder}`), 0);
    expect(stderr).toContain(`${Object.keys(first).length - 1} unchanged`);
    expect(files()).toEqual(first);
    const lines = (first[".calendar/ledger.ndjson"] ?? "").trimEnd().split("\n");
    const keys = lines.slice(1).map((line) => (JSON.parse(line) as { key: string }).key);
    expect(keys).toEqual([...keys].sort());
    expect(keys.map((key) => `${key}.yaml`).sort()).toEqual(Object.keys(first).filter((name) => !name.startsWith(".")));
  });

  test("takes what has changed on the site, and keeps the names of files", async () => {
    const { cal, folder, files, idOf, rows } = await pullSandbox(server);
    const before = files();
    await expectExitCode(
      cal(`events update ${idOf(jazz)} --title "Jazz Matinee" --start-date "2027-01-17 11:00" --end-date "2027-01-17 13:00" --tag online`),
      0,
    );
    expect(await rows(`pull ${folder}`)).toMatchObject([{ status: "updated", file: jazz, id: idOf(jazz) }]);
    const after = files();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after[jazz]).toContain("title: Jazz Matinee\nstart_date: 2027-01-17 11:00\nend_date: 2027-01-17 13:00\n");
    expect(after[jazz]).toContain("tags:\n  - online\n");
    expect(await rows(`pull ${folder}`)).toEqual([]);
  });

  test("a file that was edited stays, until --on-conflict site", async () => {
    const { cal, folder, edit, read, files, idOf, rows } = await pullSandbox(server);
    const original = read(jazz);
    edit(jazz, "title: Jazz Night", "title: Our Jazz Night");
    const edited = read(jazz);
    expect(await rows(`pull ${folder}`)).toMatchObject([
      { status: "edited", file: jazz, fields: [{ name: "title", file: "Our Jazz Night", site: "Jazz Night" }] },
    ]);
    await expectExitCode(cal(`events update ${idOf(jazz)} --website https://example.org/new`), 0);
    expect(await rows(`pull ${folder}`)).toMatchObject([{ status: "edited", file: jazz }]);
    expect(read(jazz)).toBe(edited);
    await expectExitCode(cal(`events update ${idOf(jazz)} --title "Their Jazz Night"`), 0);
    expect(await rows(`pull ${folder}`, 8)).toMatchObject([{ status: "conflict", file: jazz }]);
    expect(await rows(`pull ${folder} --dry-run --on-conflict site`)).toMatchObject([{ status: "updated", file: jazz }]);
    expect(read(jazz)).toBe(edited);
    await rows(`pull ${folder} --on-conflict site`);
    expect(read(jazz)).toContain("title: Their Jazz Night\n");
    const now = files();
    await rows(`pull ${folder}`);
    expect(files()).toEqual(now);
    expect(original).not.toBe(now[jazz]);
  });

  test("--on-conflict source keeps the file, and the next apply sends it", async () => {
    const { cal, folder, edit, read, idOf, rows } = await pullSandbox(server, { line: "--from 2027-01-16 --until 2027-01-31" });
    edit(jazz, "title: Jazz Night", "title: Our Jazz Night");
    await expectExitCode(cal(`events update ${idOf(jazz)} --title "Their Jazz Night"`), 0);
    const edited = read(jazz);
    const line = `pull ${folder} --from 2027-01-16 --until 2027-01-31`;
    expect(await rows(`${line} --on-conflict source`)).toMatchObject([{ status: "edited", file: jazz }]);
    expect(read(jazz)).toBe(edited);
    await rows(`apply ${folder} --yes`);
    expect((await cal(`events get ${idOf(jazz)} --field title`)).stdout).toBe("Our Jazz Night\n");
    expect(await rows(line)).toEqual([]);
  });

  test("the file of a record that is gone is removed only if it was not edited", async () => {
    const { cal, folder, edit, idOf, rows } = await pullSandbox(server);
    const other = "events/2027-01-17-town-meeting-3.yaml";
    edit(other, "title: Town Meeting", "title: Town Hall Meeting");
    await expectExitCode(cal(`events delete ${idOf(jazz)} ${idOf(other)} --yes`), 0);
    const id = idOf(other);
    const expected = [
      { status: "removed", file: jazz },
      { status: "conflict", file: other },
    ];
    expect(await rows(`pull ${folder}`, 8)).toMatchObject(expected);
    expect([existsSync(join(folder, jazz)), existsSync(join(folder, other))]).toEqual([false, true]);
    expect([idOf(jazz), idOf(other)]).toEqual(["", id]);
    expect(await rows(`pull ${folder} --on-conflict site`)).toMatchObject([{ status: "removed", file: other }]);
    expect(existsSync(join(folder, other))).toBe(false);
  });

  test("a range of days leaves the other files alone", async () => {
    const { cal, folder, files, idOf, rows } = await pullSandbox(server, {
      line: "--resources events,venues --from 2027-01-10 --until 2027-01-20",
    });
    const names = Object.keys(files()).filter((name) => name.startsWith("events/"));
    expect(names.length).toBeGreaterThan(1);
    expect(names.every((name) => name >= "events/2027-01-09" && name < "events/2027-01-21")).toBe(true);
    expect(Object.keys(files()).some((name) => name.startsWith("tags/"))).toBe(false);
    await expectExitCode(cal(`events delete ${idOf(jazz)} --yes`), 0);
    expect(await rows(`pull ${folder} --resources events --from 2027-01-18 --until 2027-01-20`)).toEqual([]);
    expect(await rows(`pull ${folder} --resources events --from 2027-01-10 --until 2027-01-20`)).toMatchObject([
      { status: "removed", file: jazz },
    ]);
  });
});

test("a lost ledger is made again, and no edit is lost", async () => {
  for (const server of servers) {
    const { cal, folder, files, edit, idOf, rows } = await pullSandbox(server);
    const before = files();
    rmSync(join(folder, ".calendar/ledger.ndjson"));
    await expectExitCode(cal(`pull ${folder}`), 0);
    const found = files();
    expect({ ...found, ".calendar/ledger.ndjson": "" }).toEqual({ ...before, ".calendar/ledger.ndjson": "" });
    expect(idOf(hall)).not.toBe("");
    edit(jazz, /^website: .*$/m, "website: https://example.org/mine");
    rmSync(join(folder, ".calendar/ledger.ndjson"));
    expect(await rows(`pull ${folder}`, 8)).toMatchObject([{ status: "conflict", file: jazz }]);
    expect(files()[jazz]).toContain("https://example.org/mine");
  }
});

test("a file with another name keeps its record", async () => {
  const { cal, folder, files, idOf } = await pullSandbox("generic");
  const id = idOf(jazz);
  renameSync(join(folder, jazz), join(folder, "events/my-favourite.yaml"));
  await expectExitCode(cal(`pull ${folder}`), 0);
  expect(Object.keys(files())).not.toContain(jazz);
  expect(idOf("events/my-favourite")).toBe(id);
  const ledger = files()[".calendar/ledger.ndjson"];
  await expectExitCode(cal(`pull ${folder}`), 0);
  expect(files()[".calendar/ledger.ndjson"]).toBe(ledger);
});

test("a name with separate accents, as some systems write it, stays the name of its file", async () => {
  const { cal, folder, files, idOf, rows } = await pullSandbox("generic");
  const [composed, decomposed] = ["tags/\u00e9t\u00e9.yaml", "tags/e\u0301te\u0301.yaml"];
  renameSync(join(folder, "tags/ete.yaml"), join(folder, decomposed));
  await expectExitCode(cal(`pull ${folder}`), 0);
  const id = idOf(composed);
  await expectExitCode(cal(`tags update ${id} --description New`), 0);
  expect(await rows(`pull ${folder}`)).toMatchObject([{ status: "updated", file: composed }]);
  expect(Object.keys(files())).not.toContain(composed);
  expect(files()[decomposed]).toContain("description: New\n");
  await expectExitCode(cal(`tags delete ${id} --yes`), 0);
  await expectExitCode(cal(`pull ${folder}`), 0);
  expect(Object.keys(files()).filter((name) => name.startsWith("tags/e") || name === composed)).toEqual([]);
});

test("a file that was deleted here is not written again without --on-conflict site", async () => {
  const { folder, rows } = await pullSandbox("generic");
  rmSync(join(folder, jazz));
  expect(await rows(`pull ${folder}`)).toMatchObject([{ status: "edited", file: jazz }]);
  expect(existsSync(join(folder, jazz))).toBe(false);
  await rows(`pull ${folder} --on-conflict site`);
  expect(existsSync(join(folder, jazz))).toBe(true);
});

test("symbolic links are not followed, and nothing outside the folder is written", async () => {
  const { cal, folder, edit, read, idOf, rows } = await pullSandbox("generic");
  const outside = join(cal.folder, "outside.yaml");
  writeFileSync(outside, "title: Outside\n");
  rmSync(join(folder, jazz));
  symlinkSync(outside, join(folder, jazz));
  await expectExitCode(cal(`events update ${idOf(jazz)} --title "Jazz Matinee"`), 0);
  expect(await rows(`pull ${folder}`, 8)).toMatchObject([{ status: "refused", file: jazz }]);
  expect(readFileSync(outside, "utf8")).toBe("title: Outside\n");
  edit(hall, "venue: Town Hall", "venue: Old Town Hall");
  expect(read(hall)).toContain("Old Town Hall");
  const other = join(cal.folder, "elsewhere");
  mkdirSync(other);
  rmSync(join(folder, "tags"), { recursive: true });
  symlinkSync(other, join(folder, "tags"));
  expect((await expectExitCode(cal(`pull ${folder}`), 2)).stderr).toContain("tags is a symbolic link, which is not followed");
});

test("a ledger of another site is refused", async () => {
  const { cal, folder, write, read } = await pullSandbox("generic");
  write(
    ".calendar/ledger.ndjson",
    read(".calendar/ledger.ndjson").replace('"sandbox"', '"https://other.example.org/wp-json/tribe/events/v1"'),
  );
  expect((await expectExitCode(cal(`pull ${folder}`), 10)).stderr).toContain("belongs to another site");
});

test("wrong flags and folders are named", async () => {
  const cal = createSession();
  const { stderr } = await expectExitCode(cal("pull x --resources event,tags --from nonsense"), 2);
  expect(stderr).toContain("there is no event;");
  expect(stderr).toContain("--from:");
  const file = join(cal.folder, "file");
  writeFileSync(file, "");
  expect((await expectExitCode(cal(`pull ${file}`), 2)).stderr).toContain("is no folder");
});
