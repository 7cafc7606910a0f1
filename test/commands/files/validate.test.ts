// `cal validate`: each problem with its file and line, and nothing is sent.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type FolderSession, pullSandbox } from "./folder-session.ts";

const session: FolderSession = await pullSandbox("generic");
const { cal, folder, write, rows } = session;
const bad = "events/bad.yaml";
const dates = "start_date: 2027-03-01 20:00\nend_date: 2027-03-01 22:00\ntimezone: Europe/Paris\n";

test("what a pull wrote is valid, also after every field was written", async () => expect(await rows(`validate ${folder}`)).toEqual([]));

test.each([
  ["an unknown field", `title: A\n${dates}titel: B\n`, `${bad}:5: titel is not a field of events; did you mean title?`],
  ["a field of the site alone", `title: A\nurl: x\n${dates}`, `${bad}:2: url can't be written`],
  ["a tab", `title: A\n\tx: 1\n`, `${bad}:2: a tab`],
  ["a conflict of git", `title: A\n<<<<<<< HEAD\ncost: 1\n=======\ncost: 2\n>>>>>>> other\n`, `${bad}:2: a merge conflict of git`],
  ["a name twice", `title: A\ntitle: B\n${dates}`, `${bad}:2: this name is there twice`],
  ["a picture without quotes", `title: A\n${dates}image: @a.jpg\n`, `${bad}:5: a text that begins with this character needs quotes`],
  ["an alias", `title: &a A\nslug: *a\n${dates}`, `${bad}:2: an alias is not taken`],
  ["a tag", `title: !!str A\n${dates}`, `${bad}:1: the tag`],
  ["a mapping", `title: {a: b}\n${dates}`, `${bad}:1: title takes a text`],
  ["a second document", `title: A\n${dates}---\ntitle: B\n`, `${bad}:5: a second document begins here`],
  ["no mapping", `- title\n`, `${bad}:1: it holds no fields`],
  ["no title", dates, `${bad}: title is missing`],
  ["no date", `title: A\nstart_date: soon\n`, `${bad}:2: start_date: "soon" is not a date`],
  ["an end before the start", `title: A\nstart_date: 2027-03-02 20:00\nend_date: 2027-03-01\n`, `${bad}:3: the end`],
  [
    "a time that does not exist",
    `title: A\nstart_date: 2027-03-28 02:30\ntimezone: Europe/Paris\n`,
    `${bad}:2: 2027-03-28 02:30:00 does not exist`,
  ],
  ["no zone", `title: A\n${dates.replace("Paris", "Pariss")}`, `${bad}:4: timezone "Europe/Pariss" is not a time zone`],
  ["a wrong type", `title: A\n${dates}featured: maybe\n`, `${bad}:5: featured takes true or false`],
  ["a list for one value", `title: A\n${dates}cost:\n  - 1\n`, `${bad}:5: cost takes one value`],
  [
    "a link to nothing",
    `title: A\n${dates}venue: town-hal\n`,
    `${bad}:5: venue: there is no venue "town-hal": no file venues/town-hal.yaml; did you mean town-hall?`,
  ],
  ["a slug", `title: A\n${dates}slug: a b\n`, `${bad}:5: slug "a b" is not a slug`],
  ["a picture", `title: A\n${dates}image: ../../etc/passwd\n`, `${bad}:5: image takes`],
  [
    "the same slug",
    `title: A\n${dates}slug: jazz-night-4\n`,
    `${bad}:5: two files for one event: the same slug as events/2027-01-16-jazz-night-4.yaml:5`,
  ],
])("%s", async (_name, text, message) => {
  write(bad, text);
  for (const command of ["validate", "apply --yes", "diff"]) {
    const { stderr, stdout } = await expectExitCode(cal(`${command} ${folder}`), 2);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
  }
  rmSync(join(folder, bad));
});

test("all problems are named at once", async () => {
  write(bad, "titel: A\nstart_date: soon\n");
  write("venues/bad.yaml", "venue: [a\n");
  const { stderr } = await expectExitCode(cal(`validate ${folder}`), 2);
  for (const place of [`${bad}:1: `, `${bad}:2: `, `${bad}: title is missing`, "venues/bad.yaml:"]) expect(stderr).toContain(place);
  rmSync(join(folder, bad));
  rmSync(join(folder, "venues/bad.yaml"));
});

test("two files for one record", async () => {
  const text = `title: A\n${dates}venue: town-hall\n`;
  write(bad, text);
  write("events/bad-2.yaml", `${text}cost: 5\n`);
  const { stderr } = await expectExitCode(cal(`validate ${folder}`), 2);
  expect(stderr).toContain(`${bad}:1: two files for one event: the same title, start_date, venue as events/bad-2.yaml:1`);
  rmSync(join(folder, "events/bad-2.yaml"));
  rmSync(join(folder, bad));
});

test("events of one venue at the same time are a warning", async () => {
  write(bad, "title: A\nstart_date: 2027-01-16 21:00\nend_date: 2027-01-16 22:00\ntimezone: America/New_York\nvenue: blue-note-cellar\n");
  const expected = [
    { file: bad, line: 2, message: "at the same time in venues/blue-note-cellar as events/2027-01-16-jazz-night-4.yaml:2" },
  ];
  expect(await rows(`validate ${folder}`)).toEqual(expected);
  expect(await rows(`validate ${folder} --strict`, 9)).toEqual(expected);
  rmSync(join(folder, bad));
});

test("a file that is too large, and names that are one file elsewhere, are refused", async () => {
  write(bad, `title: ${"x".repeat(1_000_001)}\n`);
  write("tags/Free.yaml", "name: Free 2\n");
  write("tags/other.yml", "name: Other\n");
  const { stderr } = await expectExitCode(cal(`validate ${folder}`), 2);
  expect(stderr).toContain(`${bad}: it is larger than 1 MB`);
  expect(stderr).toContain("are one file on some systems");
  expect(stderr).toContain("tags/other.yml: the name must end in .yaml");
  for (const path of [bad, "tags/Free.yaml", "tags/other.yml"]) rmSync(join(folder, path));
});
