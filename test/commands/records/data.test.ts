// --data that can't be used: one problem is one message.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSession } from "../../helpers/session.ts";

const cal = createSession();

const loop = 'while IFS= read -r one; do cal events create --data "$one"; done';

test.each([
  [
    "a JSON array",
    '[{"title":"a"},{"title":"b"}]',
    "2 records as a JSON array; it takes one event, as an object",
    `one at a time: jq -c '.[]' FILE | ${loop}`,
  ],
  [
    "NDJSON",
    '{"title":"a"}\n{"title":"b"}\n\n{"title":"c"}\n',
    "3 records as NDJSON; it takes one event, as an object",
    `one at a time: ${loop} < FILE`,
  ],
  [
    "CSV",
    "title,start_date\na,2027-01-01\n",
    "1 row of CSV; it takes one event, as JSON or YAML",
    'write it as an object: {"title": "..."}',
  ],
  [
    "CSV of a spreadsheet",
    "\ufeffEvent Name;Start Date\r\na;2027-01-01\r\nb;2027-01-02\r\n",
    "2 rows of CSV; it takes one event, as JSON or YAML",
    'write it as an object: {"Event Name": "..."}',
  ],
])("%s says how many records it holds, and nothing of missing fields", async (_name, text, problem, hint) => {
  const file = join(cal.folder, "many");
  writeFileSync(file, text);
  expect(await cal(`events create --data '@${file}'`)).toEqual({
    stdout: "",
    stderr: `cal: --data holds ${problem}\nhint: ${hint.replace("FILE", file)}\n`,
    code: 2,
  });
});

test("broken JSON is the only problem beside those of the flags", async () => {
  const { stderr } = await cal("events create --data - --author x", '{"title": "a",,');
  expect(stderr).toMatch(
    /^cal: --author takes a whole number.*\ncal: --data is not valid JSON: .*\(check it with: jq \. file\.json\)\nhint: see/,
  );
  expect(stderr).not.toContain("is required");
});

test("an object on several lines and YAML are read as before", async () => {
  const fields = "--start-date 2027-02-01 --duration 1h --all-day --field title";
  expect((await cal(`events create --data - ${fields}`, '{\n  "title": "a"\n}\n')).stdout).toBe("a\n");
  expect((await cal(`events create --data - ${fields}`, "title: a, b\ncost: 5\n")).stdout).toBe("a, b\n");
});

test("a file that is not there is named in words", async () => {
  expect(await cal("events create --data @nofile.json")).toEqual({
    stdout: "",
    stderr: 'cal: --data: there is no file "nofile.json"\nhint: --data @file.json reads a file, --data - reads stdin\n',
    code: 10,
  });
  expect((await cal("events create --data nofile.json")).stderr).toContain("did you mean --data @nofile.json?");
});

test.each([
  ["events list --venue ''", "--venue is empty: it takes an id, a slug or a name"],
  ["events create --title A --start-date 2027-02-01 --duration 1h --category ' '", "--category is empty: it takes an id, a slug or a name"],
  ["categories create --name A --parent ''", "--parent is empty: it takes an id, a slug or a name"],
])("%s is refused before anything is sent", async (line, problem) => {
  const { stderr, code } = await cal(line);
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`^cal: ${problem}`));
});

test("a picture that the site does not have is named", async () => {
  const site = createSession({ env: { CAL_SANDBOX_SERVER: "the-events-calendar" } });
  const event = "events create --title A --start-date 2027-02-01 --duration 1h --all-day";
  expect((await site(`${event} --image 999999`)).stderr).toBe(
    "cal: the site has no picture with the id 999999\nhint: --image takes the id of a picture in the site's media library, or its address there\nhint: see what is there: cal api GET /wp/v2/media\n",
  );
  expect((await site(`${event} --image https://example.org/x.png`)).stderr).toMatch(/^cal: the site can't use the picture "https:/);
});
