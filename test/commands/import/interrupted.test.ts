// A ledger with keys that are pending: a create was begun, and its outcome is not known. It is looked for and never created blindly.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "../records/sandbox.ts";

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];
const rows = [
  "title,start_date,end_date,venue,status",
  "Alpha,2027-03-05 10:00,2027-03-05 11:00,Town Hall,publish",
  "Beta,2027-03-06 10:00,2027-03-06 11:00,,draft",
  "Gamma,2027-03-07 10:00,2027-03-07 11:00,,publish",
];

/** Imports the rows, and then makes every key of the ledger pending, as after a process that was killed. */
async function openInterrupted(server: ServerProfileName) {
  const { cal } = await openSandboxSession(server);
  const [path, ledger] = [join(cal.folder, "events.csv"), join(cal.folder, "events.ledger")];
  writeFileSync(path, rows.join("\n"));
  const run = async (code = 0) => {
    const { stdout, stderr } = await expectExitCode(cal(`events import ${path} --ledger ${ledger} --yes --json`), code);
    return { stderr, fates: (JSON.parse(stdout) as readonly JsonRecord[]).map(({ op, status }) => `${op ?? "none"} ${status}`) };
  };
  expect((await run()).fates).toEqual(["create done", "create done", "create done"]);
  const [head = "", ...lines] = readFileSync(ledger, "utf8").trim().split("\n");
  const pending = lines.map((line) => JSON.stringify({ key: (JSON.parse(line) as JsonRecord)["key"], pending: true }));
  writeFileSync(ledger, `${[head, ...pending].join("\n")}\n`);
  const list = async () => {
    const { stdout } = await cal("events list --all-dates --all --status publish,draft --json");
    return (JSON.parse(stdout) as readonly JsonRecord[]).filter(({ title }) => /^(?:Alpha|Beta|Gamma)$/.test(String(title)));
  };
  return { cal, run, list, ledger };
}

describe.each(servers)("%s", (server) => {
  test("records that are there are found, those that are not are created, once", async () => {
    const { cal, run, list, ledger } = await openInterrupted(server);
    const gamma = (await list()).find(({ title }) => title === "Gamma");
    await expectExitCode(cal(`events delete ${gamma?.["id"]} --yes`), 0);
    const again = await run();
    expect(again.fates).toEqual(["create done"]);
    expect(again.stderr).toMatch(/adopted event \d+ "Alpha"/);
    expect(again.stderr).toMatch(/adopted event \d+ "Beta"/);
    expect(await list()).toHaveLength(3);
    expect(readFileSync(ledger, "utf8")).not.toContain("pending");
    expect((await run()).fates).toEqual([]);
  });

  test("where several records are what was begun, nothing is created until somebody decides", async () => {
    const { cal, run, list } = await openInterrupted(server);
    const create = "events create --title Gamma --start-date '2027-03-07 10:00' --end-date '2027-03-07 11:00' --yes";
    await expectExitCode(cal(create), 0);
    const again = await run(8);
    expect(again.fates).toEqual(["none failed"]);
    expect(again.stderr).toContain("several events match");
    expect(await list()).toHaveLength(4);
  });
});
