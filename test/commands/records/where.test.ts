// `--where FILTER=VALUE` of update and delete: what it selects, its limits and its question, on both server profiles.

import { describe, expect, test } from "vitest";
import type { Prompt } from "../../../src/terminal/prompt.ts";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "./sandbox.ts";

const filters = "--venue town-hall --all-dates --search Meeting";
const where = "--where venue='Town Hall' --where all-dates=true --where search=Meeting";

const list = async ({ cal }: SandboxSession, flags: string) =>
  (await expectExitCode(cal(`events list ${flags} --all --format ids`), 0)).stdout.split("\n").filter((line) => line !== "");

interface Row {
  readonly ref: string;
  readonly ok: boolean;
  readonly record: JsonRecord;
}

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("an update selects exactly what the list prints, and says the counts by month", async () => {
    const session = await openSandboxSession(serverProfile);
    const ids = await list(session, filters);
    expect(ids.length).toBeGreaterThan(3);
    const { stdout, stderr } = await expectExitCode(
      session.cal(`events update ${where} --start-time 18:15 --max-changes 50 --yes --json`),
      0,
    );
    const rows = JSON.parse(stdout) as readonly Row[];
    expect(rows.map(({ ref }) => ref)).toEqual(ids);
    for (const { record } of rows) expect(String(record["start_date"]).slice(11)).toBe("18:15:00");
    expect(stderr).toContain(`--where selects ${ids.length} events: 2026-`);
    expect(stderr).toMatch(/2027-01 1(?:,|\n)/);
  });

  test("a delete, the window, and one record as a list", async () => {
    const session = await openSandboxSession(serverProfile);
    const [id] = await list(session, "--venue town-hall --month 2027-02 --search Meeting");
    const line = `events delete --where venue=23 --where month=2027-02 --where search=Meeting --max-delete 1 --json`;
    expect((await expectExitCode(session.cal(line), 2)).stderr).toContain("--yes");
    const { stdout, stderr } = await expectExitCode(session.cal(`${line} --yes`), 0);
    expect(JSON.parse(stdout)).toMatchObject([{ ref: id, ok: true }]);
    expect(stderr).toContain("events that run from 2027-02-01 00:00:00 to 2027-02-28 23:59:59");
    expect(await list(session, "--venue town-hall --month 2027-02 --search Meeting")).toEqual([]);
    expect(JSON.parse((await expectExitCode(session.cal(`${line} --yes`), 0)).stdout)).toEqual([]);
  });

  test("limits are checked before anything is sent", async () => {
    const session = await openSandboxSession(serverProfile);
    const ids = await list(session, filters);
    for (const [line, message] of [
      [`update ${where} --start-time 18:15 --max-changes 2 --yes`, `${ids.length} records would be written, --max-changes allows 2`],
      [`update ${where} --start-time 18:15 --yes`, "--where needs --max-changes if there is no terminal"],
      [`update ${where} --start-time 18:15 --max-changes 50`, "that needs a confirmation"],
      [`delete ${where} --yes`, "--where needs --max-delete if there is no terminal"],
      [`delete ${where} --max-delete 50`, "delete needs a confirmation"],
      [`delete ${where} --max-delete 2 --yes`, "--max-delete allows 2"],
      [`delete 103 ${where} --max-delete 50 --yes`, "refs and --where exclude each other"],
      ["delete --where '' --max-delete 5 --yes", "--where: there is no filter"],
      ["delete --where venue= --max-delete 5 --yes", "--where venue has no value"],
      ["delete --where venue --max-delete 5 --yes", "--where venue has no value"],
      ["delete --where venu=23 --max-delete 5 --yes", "did you mean venue?"],
      ["delete --where limit=3 --max-delete 5 --yes", '--where: there is no filter "limit"'],
      ["delete --where featured=maybe --max-delete 5 --yes", "--where featured takes true or false"],
      ["delete --where status=lost --max-delete 5 --yes", "--status takes"],
      ["delete --where month=2027-13 --max-delete 5 --yes", "there is no month 13"],
      ["delete --yes --max-delete 5", "which event?"],
      ["update --title X", "which event?"],
      [`update ${where} --max-changes 50 --yes`, "nothing to update"],
      ["update 103 104 --title X --max-changes 1", "--max-changes allows 1"],
    ] as const)
      expect((await expectExitCode(session.cal(`events ${line}`), 2)).stderr).toContain(message);
    expect((await expectExitCode(session.cal("events delete --where venue=nowhere --max-delete 5 --yes"), 3)).stderr).toContain("nowhere");
    expect(await list(session, filters)).toEqual(ids);
  });

  test("--dry-run shows every write and needs no limit", async () => {
    const session = await openSandboxSession(serverProfile);
    const ids = await list(session, filters);
    for (const line of [`update ${where} --featured`, `delete ${where}`]) {
      const { stdout } = await expectExitCode(session.cal(`events ${line} --dry-run --json`), 0);
      const text = JSON.stringify(JSON.parse(stdout));
      for (const id of ids) expect(text).toContain(`/events/${id}`);
    }
    expect(await list(session, filters)).toEqual(ids);
  });

  test("other resources too", async () => {
    const session = await openSandboxSession(serverProfile);
    const { stdout, stderr } = await expectExitCode(
      session.cal("venues update --where search=Hall --phone 555 --max-changes 5 --json --yes"),
      0,
    );
    expect((JSON.parse(stdout) as readonly Row[]).map(({ record }) => record["phone"])).toContain("555");
    expect(stderr).toMatch(/--where selects \d venues?\n/);
  });
});

test("at a terminal it asks once, with the first records and the counts", async () => {
  const questions: string[] = [];
  let answer = false;
  const prompt: Prompt = {
    text: () => Promise.reject(new Error("text")),
    secret: () => Promise.reject(new Error("secret")),
    choose: () => Promise.reject(new Error("choose")),
    confirm: async (question) => {
      questions.push(question);
      return answer;
    },
  };
  const cal = createSession({ prompt });
  const line = "events delete --where venue=23 --where all-dates=true";
  const count = Number((await cal("events list --venue 23 --all-dates --format count")).stdout);
  await expectExitCode(cal(line), 130);
  expect(questions).toHaveLength(1);
  expect(questions[0]).toMatch(/^Delete these events\?\n {2}event \d+ "/);
  expect(questions[0]?.trimEnd().split("\n")).toHaveLength(1 + Math.min(count, 10) + (count > 10 ? 1 : 0) + 1);
  expect((await cal("events list --venue 23 --all-dates --format count")).stdout).toBe(`${count}\n`);
  answer = true;
  await expectExitCode(cal(line), 0);
  expect(questions).toHaveLength(2);
  expect((await cal("events list --venue 23 --all-dates --format count")).stdout).toBe("0\n");
});
