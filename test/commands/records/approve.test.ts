// `events approve`: what it shows, its question, and what it publishes, on both server profiles.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode, type Session } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";

const make = async (cal: Session, title: string, time: string, status = "pending") =>
  (
    await cal(
      `events create --title ${title} --start-date '2031-03-04 ${time}' --duration 2h --venue town-hall --status ${status} --quiet --field id`,
    )
  ).stdout.trim();

const statusOf = async (cal: Session, id: string) => (await cal(`events get ${id} --field status`)).stdout.trim();

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("it shows each event with its conflicts, also with those that are approved before it, and publishes", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const there = await make(cal, "There", "19:00", "publish");
    const [a, b] = [await make(cal, "A", "20:00"), await make(cal, "B", "23:00")];
    const { stderr } = await expectExitCode(cal(`events approve ${a} ${b}`), 2);
    expect(stderr).toContain("--yes");
    expect([await statusOf(cal, a), await statusOf(cal, b)]).toEqual(["pending", "pending"]);
    const approved = await expectExitCode(cal(`events approve ${a} ${b} --yes --json`), 0);
    expect(approved.stderr).toContain(
      `approve event ${a} "A", 2031-03-04 20:00 to 2031-03-04 22:00 America/New_York, Town Hall, pending; conflict: `,
    );
    expect(approved.stderr).toContain(`event ${there} "There"`);
    expect(approved.stderr).toMatch(new RegExp(`approve event ${b} "B".*pending\\n`));
    expect(JSON.parse(approved.stdout)).toMatchObject([
      { ref: a, ok: true, record: { status: "publish" } },
      { ref: b, ok: true },
    ]);
    expect([await statusOf(cal, a), await statusOf(cal, b)]).toEqual(["publish", "publish"]);
  });

  test("refs from stdin, by filter, a preview, and one record", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const [a, b, c] = [await make(cal, "A", "10:00"), await make(cal, "B", "13:00"), await make(cal, "C", "16:00")];
    await expectExitCode(cal(`events approve ${a} ${b} --dry-run`), 0);
    expect(await statusOf(cal, a)).toBe("pending");
    expect(JSON.parse((await expectExitCode(cal(`events approve ${a} --json`), 0)).stdout)).toMatchObject({ status: "publish" });
    await expectExitCode(cal("events approve - --yes", `${b}\n`), 0);
    const line = "events approve --where status=pending --where month=2031-03 --yes --json";
    expect((await expectExitCode(cal(line), 2)).stderr).toContain("--where needs --max-changes");
    expect(JSON.parse((await expectExitCode(cal(`${line} --max-changes 5`), 0)).stdout)).toMatchObject([{ ref: c, ok: true }]);
    expect([await statusOf(cal, a), await statusOf(cal, b), await statusOf(cal, c)]).toEqual(["publish", "publish", "publish"]);
  });

  test("a ref that is not there, and wrong input", async () => {
    const { cal } = await openSandboxSession(serverProfile);
    const a = await make(cal, "A", "10:00");
    expect(JSON.parse((await expectExitCode(cal(`events approve ${a} 99999 --yes --json`), 8)).stdout)).toMatchObject([
      { ref: a, ok: true },
      { ref: "99999", ok: false },
    ]);
    expect((await expectExitCode(cal("events approve"), 2)).stderr).toContain("which event?");
    expect((await expectExitCode(cal(`events approve ${a} --where status=pending --yes`), 2)).stderr).toContain("exclude each other");
    expect((await expectExitCode(cal("venues approve 23"), 2)).stderr).toContain("approve");
  });
});

test("at a terminal it asks once for all", async () => {
  const questions: string[] = [];
  const no = () => Promise.reject(new Error("another question"));
  const confirm = async (question: string) => questions.push(question) > 1;
  const cal = createSession({ prompt: { text: no, secret: no, choose: no, confirm } });
  await expectExitCode(cal("events update 103 104 --status pending"), 0);
  await expectExitCode(cal("events approve 103 104"), 130);
  expect(await statusOf(cal, "103")).toBe("pending");
  await expectExitCode(cal("events approve 103 104"), 0);
  expect(questions).toHaveLength(2);
  expect(questions[0]).toMatch(/^Publish these 2 events\?\n {2}event 103 "Jazz Night", .*\n {2}event 104 /);
  expect(await statusOf(cal, "104")).toBe("publish");
});
