// What a user sees of work on many records while it runs, and after a signal: apply, undo, import and many refs.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createServerSession, startTestServer } from "../commands/records/server.ts";
import { expectExitCode, noPrompt } from "../helpers/session.ts";

type Signal = "interrupted" | "terminated";

/** Called for each request, before its answer. */
let onRequest: (method: string) => void = () => undefined;

/** The descriptions of the tags that are there. */
const tags = new Map<number, string>(Array.from({ length: 40 }, (_none, at) => [at + 1, `own ${at + 1}`]));

/** A site with tags, of which 3 and 4 can't be written. */
const server = await startTestServer(({ method, path, body }) => {
  onRequest(method);
  const [, last = ""] = /\/([^/]+)$/.exec(path) ?? [];
  const id = method === "POST" && last === "tags" ? tags.size + 100 : Number(last);
  if (Number.isNaN(id)) return { body: [] };
  const missing = { status: 404, body: { code: "rest_not_found", message: "no such tag" } };
  if (!tags.has(id) && method !== "POST") return missing;
  if (method !== "GET" && (id === 3 || id === 4)) return { status: 400, body: { code: "x", message: "refused" } };
  const { description = tags.get(id) ?? "" } = body === "" ? {} : (JSON.parse(body) as { readonly description?: string });
  if (method === "DELETE") tags.delete(id);
  else tags.set(id, description);
  return { body: { id, name: `T${id}`, slug: `t${id}`, description } };
});

const refs = Array.from({ length: 12 }, (_none, at) => at + 1).join(" ");

/** Sends the signal of a user. */
let signal: () => void = () => undefined;

/** Leaves the signals to the test. */
const onSignal = (act: (kind: Signal) => void) => {
  signal = () => act("interrupted");
  return () => {
    signal = () => undefined;
  };
};

describe("progress", () => {
  test.each(["tags update", "apply"])("of %s counts what failed", async (verb) => {
    const ticks: (() => void)[] = [];
    const startInterval = (_ms: number, tick: () => void) => {
      ticks.push(tick);
      return () => undefined;
    };
    const cal = createServerSession(server.url, "generic", { columns: 100, tickMs: 200, machine: { startInterval } });
    const path = join(cal.folder, "plan.json");
    const line = `tags update ${refs} --description ${verb.length}`;
    if (verb === "apply") await expectExitCode(cal(`${line} --plan-out ${path}`), 0);
    onRequest = () => {
      for (const tick of ticks) tick();
    };
    const { stderr } = await expectExitCode(cal(`${verb === "apply" ? `apply ${path} --yes` : line} --json --concurrency 1`), 8);
    expect(stderr).toMatch(/\] 8 of 12, 2 failed, /);
    onRequest = () => undefined;
  });
});

/** Interrupts the command at its third write. */
function interruptThirdWrite() {
  let writes = 0;
  onRequest = (method) => {
    if (method !== "GET" && ++writes === 3) signal();
  };
}

interface Row {
  readonly key: string;
  readonly status: string;
}

const countStatuses = (stdout: string) => {
  const counts: Record<string, number> = {};
  for (const { status } of JSON.parse(stdout) as readonly Row[]) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe("a signal ends the command after the requests under way, and the same command again goes on", () => {
  test("apply", async () => {
    const cal = createServerSession(server.url, "generic", { machine: { onSignal } });
    const path = join(cal.folder, "plan.json");
    await expectExitCode(cal(`tags update 11 12 13 14 15 16 17 18 --description applied --plan-out ${path}`), 0);
    interruptThirdWrite();
    const line = `apply ${path} --yes --json --concurrency 2`;
    const { stdout, stderr } = await expectExitCode(cal(line), 130);
    const { done = 0, "not-reached": rest = 0 } = countStatuses(stdout);
    expect(done + rest).toBe(8);
    // The third one, and one beside it.
    expect([3, 4]).toContain(done);
    expect(JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: { code: "interrupted", message: `interrupted: ${done} of 8 written, ${rest} not tried`, hint: `to go on: cal ${line}` },
    });
    onRequest = () => undefined;
    expect(countStatuses((await expectExitCode(cal(line), 0)).stdout)).toEqual({ unchanged: done, done: rest });
    expect([11, 12, 13, 14, 15, 16, 17, 18].map((id) => tags.get(id))).toEqual(Array(8).fill("applied"));
  });

  test("undo, also without a name", async () => {
    const answers: string[] = [];
    const prompt = { ...noPrompt, confirm: async (question: string) => answers.push(question) > 0 };
    const cal = createServerSession(server.url, "generic", { machine: { onSignal }, prompt });
    await expectExitCode(cal("tags update 21 22 23 24 25 26 --description changed"), 0);
    interruptThirdWrite();
    const { stdout } = await expectExitCode(cal("undo --json --concurrency 2"), 130);
    const { done = 0 } = countStatuses(stdout);
    expect([3, 4]).toContain(done);
    onRequest = () => undefined;
    expect(countStatuses((await expectExitCode(cal("undo --json"), 0)).stdout)).toEqual({ unchanged: done, done: 6 - done });
    expect([21, 22, 23, 24, 25, 26].map((id) => tags.get(id))).toEqual([21, 22, 23, 24, 25, 26].map((id) => `own ${id}`));
    expect(answers).toHaveLength(2);
  });

  test("an undo that creates deleted records again creates none twice", async () => {
    const cal = createServerSession(server.url, "generic", { machine: { onSignal } });
    const before = tags.size;
    await expectExitCode(cal("tags delete 31 32 33 34 35 36 --yes"), 0);
    const [{ operation }] = JSON.parse((await cal("log --json")).stdout) as readonly [{ readonly operation: string }];
    interruptThirdWrite();
    const { stdout } = await expectExitCode(cal(`undo ${operation} --yes --json --concurrency 2`), 130);
    onRequest = () => undefined;
    const { done = 0 } = countStatuses(stdout);
    expect(tags.size).toBe(before - 6 + done);
    await expectExitCode(cal(`undo ${operation} --yes`), 0);
    expect(tags.size).toBe(before);
  });
});
