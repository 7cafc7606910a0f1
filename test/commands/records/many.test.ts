// One ref or many: output, order, exit codes, missing records, and that nothing is sent without a confirmation.

import { beforeEach, describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer } from "./server.ts";

/** Venue 1 is there, 2 is not, 3 is forbidden, 4 breaks; the token of 9 is refused. */
const server = await startTestServer(({ path, method }) => {
  const id = Number(path.split("/").at(-1));
  if (id === 2) return { status: 404, body: { code: "rest_not_found", message: "no such venue" } };
  if (id === 3) return { status: 403, body: { code: "rest_forbidden", message: "not yours" } };
  if (id === 4) return { status: 500, body: { code: "x", message: "broken" } };
  if (id === 8) return { status: 404, headers: { "content-type": "text/html" }, body: "<html>not found</html>" };
  if (id === 9) return { status: 401, body: { code: "rest_forbidden", message: "log in" } };
  return { body: { id, venue: `V${id}`, slug: `v${id}`, ...(method === "GET" ? {} : { phone: "1" }) } };
});
const cal = createServerSession(server.url);

beforeEach(() => {
  server.receivedRequests.length = 0;
});

const writes = () => server.receivedRequests.filter((line) => !line.startsWith("GET "));

describe.each(["get", "update", "delete"])("%s", (verb) => {
  const tail = verb === "update" ? " --phone 1" : verb === "delete" ? " --yes" : "";
  const line = (refs: string, more = "") => `venues ${verb} ${refs}${tail}${more}`;
  const there = (id: number) => ({ id, venue: `V${id}`, slug: `v${id}`, ...(verb === "get" ? {} : { phone: "1" }) });

  test("one ref is one object, several are rows in the order given", async () => {
    expect(JSON.parse((await expectExitCode(cal(line("1", " --json")), 0)).stdout)).toEqual(there(1));
    const { stdout } = await expectExitCode(cal(line("7 1 5", " --json")), 0);
    expect(JSON.parse(stdout)).toEqual([7, 1, 5].map((id) => ({ ref: String(id), ok: true, record: there(id) })));
  });

  test("stdin is many, also with one line or none", async () => {
    const rows = async (stdin: string) =>
      JSON.parse((await expectExitCode(cal(line("-", " --json"), stdin), 0)).stdout) as readonly { ref: string }[];
    expect((await rows("1\n")).map(({ ref }) => ref)).toEqual(["1"]);
    expect((await rows("5\r\n\n  1 \n")).map(({ ref }) => ref)).toEqual(["5", "1"]);
    expect(await rows("")).toEqual([]);
  });

  const codes: readonly (readonly [refs: string, code: number])[] = [
    ["2", 3],
    ["2 2", 3],
    ["1 2", 8],
    ["2 3", 8],
    ["3 3", 5],
    ["4 4", 7],
    ["9 1 1 1 1 1", 8],
    ["8", 10],
    ["1 2 --ignore-missing", 0],
    ["2 2 --ignore-missing", 0],
    ["2 --ignore-missing", 0],
    ["2 3 --ignore-missing", 5],
    ["8 --ignore-missing", 10],
  ];

  test.each(codes)("%s ends with %i", async (refs, code) => {
    await expectExitCode(cal(line(refs, " --retries 0")), code);
  });

  test("what failed is a row with its error, and the others are done", async () => {
    const { stdout } = await expectExitCode(cal(line("1 2 5", " --json")), 8);
    const rows = JSON.parse(stdout) as readonly { ref: string; ok: boolean; error?: { code: string } }[];
    expect(rows.map(({ ref, ok, error }) => [ref, ok, error?.code])).toEqual([
      ["1", true, undefined],
      ["2", false, "rest_not_found"],
      ["5", true, undefined],
    ]);
  });

  test("what can't be a ref is reported with everything else, and nothing is sent", async () => {
    const { stderr } = await expectExitCode(cal(line("1 a/b id:x '' --no-such-flag")), 2);
    for (const part of ["a/b", "id:x", "it is empty", "--no-such-flag"]) expect(stderr).toContain(part);
    expect(server.receivedRequests).toEqual([]);
    await expectExitCode(cal(`venues ${verb}${tail}`), 2);
    expect(server.receivedRequests).toEqual([]);
  });
});

describe("deleting", () => {
  test.each([
    "venues delete 1",
    "venues delete 1 5",
    "venues delete 1 --no-input",
    "venues delete 1 5 --yes --max-delete 1",
    "venues delete - --yes --max-delete 1",
    "venues delete -",
  ])("%s is refused, and nothing is sent", async (line) => {
    const { stderr } = await expectExitCode(cal(line, "1\n5\n"), 2);
    expect(stderr).toMatch(/nothing was (?:deleted|sent)/);
    expect(server.receivedRequests).toEqual([]);
  });

  test("what can't be a ref is reported before the confirmation that is missing, and with it", async () => {
    const { stderr } = await expectExitCode(cal("venues delete bad/ref 1"), 2);
    expect(stderr).toMatch(/^cal: "bad\/ref" .*\ncal: delete needs a confirmation.*--yes.*\nhint: /);
    expect(server.receivedRequests).toEqual([]);
  });

  test("the confirmation can be pasted", async () => {
    const { stderr } = await cal("venues delete 1 'name:Blue Note'");
    expect(stderr).toContain("cal venues delete 1 'name:Blue Note' --yes");
  });

  test("the server's answer is printed, and whether it is in the trash is said", async () => {
    const trashing = await openSandboxSession("the-events-calendar");
    const destroying = await openSandboxSession("generic");
    const outcomes = await Promise.all([trashing, destroying].map((site) => expectExitCode(site.cal("venues delete 28 --yes --json"), 0)));
    expect(outcomes.map(({ stdout, stderr }) => [JSON.parse(stdout).id, stderr.includes("it is in the trash")])).toEqual([
      [28, true],
      [28, false],
    ]);
    const term = await expectExitCode(trashing.cal("tags delete 19 --yes"), 0);
    expect(term.stderr).not.toContain("trash");
    const again = await expectExitCode(trashing.cal("venues delete 28 --yes"), 3);
    expect(again.stderr).toContain("in the trash");
  });
});

test("--dry-run prints what each ref would send, and sends none of it", async () => {
  for (const line of ["venues update 1 5 --phone 1", "venues delete 1 5", "venues delete -"]) {
    const { stdout } = await expectExitCode(cal(`${line} --dry-run --json`, "1\n5\n"), 0);
    const planned = JSON.parse(stdout) as readonly { method: string; url: string }[];
    const method = line.includes("update") ? "PATCH" : "DELETE";
    expect(planned.map((request) => [request.method, request.url.split("/").at(-1)])).toEqual([
      [method, "1"],
      [method, "5"],
    ]);
  }
  expect(writes()).toEqual([]);
});

describe("--dry-run of several refs of which some fail goes on, a row for each", () => {
  const planned = (id: number) => ({ method: "PATCH", url: `${server.url}/calendar/events/v1/venues/${id}`, body: { phone: "1" } });
  const failed = { ref: "2", ok: false, error: expect.objectContaining({ code: "rest_not_found" }) };
  const line = (refs: string, more: string) => cal(`venues update ${refs} --phone 1 --dry-run ${more}`);

  test("in JSON and NDJSON", async () => {
    const { stdout } = await expectExitCode(line("1 2 5", "--json"), 8);
    expect(JSON.parse(stdout)).toEqual([planned(1), failed, planned(5)]);
    const rows = (await expectExitCode(line("2 1", "--format ndjson"), 8)).stdout.trimEnd().split("\n");
    expect(rows.map((row): unknown => JSON.parse(row))).toEqual([failed, planned(1)]);
  });

  test("as text", async () => {
    const { stdout } = await expectExitCode(line("1 2", ""), 8);
    expect(stdout).toMatch(/^PATCH .*\/1\n\{\n.*\n\}\n\n2: no such venue \(.*\)\n$/);
  });

  test("several refs are an array, also where one request is left, or none", async () => {
    expect(JSON.parse((await expectExitCode(line("1 2 --ignore-missing", "--json"), 0)).stdout)).toEqual([planned(1)]);
    expect(JSON.parse((await expectExitCode(line("2 2 --ignore-missing", "--json"), 0)).stdout)).toEqual([]);
  });

  test("the exit code is that of the real run", async () => {
    await expectExitCode(line("2 2", ""), 3);
    await expectExitCode(line("1 2 --ignore-missing", ""), 0);
    await expectExitCode(line("2 3", ""), 8);
    expect(writes()).toEqual([]);
  });
});

test("a refused token stops the rest", async () => {
  await cal(`venues get 9 ${Array.from({ length: 50 }, () => "1").join(" ")} --concurrency 2`);
  expect(server.receivedRequests.length).toBeLessThan(10);
});

test("refs and data can't both come from stdin", async () => {
  const { stderr } = await expectExitCode(cal("venues update - --data - --bogus", "1"), 2);
  expect(stderr).toMatch(/--bogus.*both come from stdin/s);
  expect(server.receivedRequests).toEqual([]);
});
