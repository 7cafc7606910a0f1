// `cal api` in the formats that are made of rows: the records of an answer, not its envelope, and nothing else under their name.

import { expect, test } from "vitest";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const server = await startRequestRecorder();
const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t" } });
const ns = "/wp-json/calendar/events/v1";
const tags = [
  { id: 2, name: "Free" },
  { id: 3, name: "Jazz" },
];
server.responses.set(`${ns}/tags`, { rest_url: "http://x/tags", total: 2, total_pages: 1, tags });
server.responses.set(`${ns}/none`, { tags: [], total: 0, total_pages: 0 });
server.responses.set(`${ns}/bare`, tags);
server.responses.set(`${ns}/word`, "yes");
server.responses.set(`${ns}/about`, { items: [{ name: "A" }] });
server.responses.set(`${ns}/plain`, { name: "A" });
server.responses.set(`${ns}/tags/2`, tags[0]);
server.responses.set(`${ns}/events/9`, { id: 9, title: "A", tags });

const rows: readonly (readonly [line: string, stdout: string])[] = [
  ["tags --format csv", "id,name\r\n2,Free\r\n3,Jazz\r\n"],
  ["tags --format tsv", "id\tname\n2\tFree\n3\tJazz\n"],
  ["tags --format tsv --fields name", "name\nFree\nJazz\n"],
  ["tags --format table", "ID  NAME\n2   Free\n3   Jazz\n"],
  ["tags --format ids", "2\n3\n"],
  ["tags --format count", "2\n"],
  ["tags --field total", "2\n"],
  ["bare --format ids", "2\n3\n"],
  ["none --format ids", ""],
  ["none --format count", "0\n"],
  ["none --format csv", "id\r\n"],
  ["none --format tsv", "id\n"],
  ["tags/2 --format csv", "id,name\r\n2,Free\r\n"],
  ["tags/2 --format ids", "2\n"],
  ["tags/2 --format count", "1\n"],
  ["events/9 --format ids", "9\n"],
];

test.each(rows)("cal api GET %s", async (line, stdout) => {
  expect(await cal(`api GET ${line}`)).toMatchObject({ stdout, code: 0 });
});

test.each(["csv", "tsv", "table", "ids", "count"])("an answer without rows is refused as %s", async (format) => {
  const { stdout, stderr, code } = await cal(`api GET word --format ${format}`);
  expect({ stdout, stderr, code }).toEqual({
    stdout: "",
    stderr: `cal: this answer has no rows, which --format ${format} is made of\nhint: see the raw answer: --format json\n`,
    code: 2,
  });
});

test("one record without an id has none either", async () => {
  const { stdout, stderr, code } = await cal("api GET plain --format ids");
  expect({ stdout, code }, stderr).toEqual({ stdout: "", code: 2 });
  expect(stderr).toContain("there are no ids");
});

test("records without ids have none to print", async () => {
  const { stdout, stderr, code } = await cal("api GET about --format ids");
  expect({ stdout, code }, stderr).toEqual({ stdout: "", code: 2 });
  expect(stderr).toContain("there are no ids");
});
