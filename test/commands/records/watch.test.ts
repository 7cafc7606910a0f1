// `watch`: what each round tells, to whom, and what it keeps. The rounds follow each other at once: the test moves the clock.

import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import type { System } from "../../../src/context.ts";
import { withLock } from "../../../src/lock.ts";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import type { SandboxRequest, SandboxResponse } from "../../../src/sandbox/http.ts";
import { startSandbox } from "../../../src/sandbox/server.ts";
import { startProgram, until } from "../../helpers/processes.ts";
import { createSession, expectExitCode, fixedNow } from "../../helpers/session.ts";
import { projectRoot } from "../../project/sources.ts";
import type { JsonRecord } from "./sandbox.ts";

interface Told {
  readonly change: string;
  readonly id: string;
  readonly title: string;
  readonly fields?: readonly { readonly name: string; readonly from: unknown; readonly to: unknown }[];
}

const parse = (lines: string): readonly Told[] =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Told);

const brief = (told: readonly Told[]) => told.map(({ change, id }) => `${change} ${id}`);

interface Play {
  /** What happens in the pauses between the rounds, one by one; after the last one a signal ends the command. */
  readonly pauses?: readonly (() => unknown)[];
  readonly runProgram?: System["machine"]["runProgram"];
  readonly env?: Readonly<Record<string, string>>;
  /** A program takes as long as it is allowed to. */
  readonly programsHang?: true;
  /** Gets the signal. */
  readonly onStart?: (stop: () => void) => void;
}

/** A site, its admin, and somebody who watches it. */
async function openSite(serverProfile: ServerProfileName = "generic") {
  let now = Date.parse(fixedNow);
  let fault: ((request: SandboxRequest) => SandboxResponse | undefined) | undefined;
  const sandbox = await startSandbox({
    file: ":memory:",
    day: fixedNow.slice(0, 10),
    now: () => now,
    serverProfile,
    intercept: async (request, answer) => fault?.(request) ?? answer(request),
  });
  afterAll(() => sandbox.close());
  const admin = sandbox.users.find(({ username }) => username === "admin");
  const login: Record<string, string> =
    serverProfile === "generic" ? { CAL_TOKEN: sandbox.token } : { CAL_USERNAME: "admin", CAL_PASSWORD: admin?.applicationPassword ?? "" };
  const { folder } = createSession();
  const env = {
    CAL_SANDBOX: "0",
    CAL_BASE_URL: sandbox.baseUrl,
    CAL_NAMESPACE: sandbox.namespace,
    CAL_RETRIES: "0",
    CAL_STATE_DIR: join(folder, "state"),
    ...login,
  };
  const paused: number[] = [];
  const watch = (line: string, { pauses = [], runProgram, env: more = {}, programsHang, onStart }: Play = {}) => {
    let stop: () => void = () => undefined;
    const steps = [...pauses];
    const sleep: System["clock"]["sleep"] = async (ms, signal) => {
      if (ms === 60_000) {
        if (programsHang === true) return;
        await new Promise<never>((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("ended"))));
      }
      paused.push(ms);
      now += ms;
      const step = steps.shift();
      if (step === undefined) stop();
      else await step();
    };
    const onSignal: System["machine"]["onSignal"] = (act) => {
      stop = () => act("terminated");
      onStart?.(stop);
      return () => undefined;
    };
    const machine = { onSignal, ...(runProgram && { runProgram }) };
    return createSession({ env: { ...env, ...more }, clock: { now: () => now, sleep }, machine })(line);
  };
  const fetchJson = async (path: string, method = "GET", body?: unknown): Promise<JsonRecord> => {
    const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as JsonRecord;
  };
  const post = async (path: string, body: unknown) => String((await fetchJson(path, "POST", body))["id"]);
  return {
    sandbox,
    env,
    folder,
    paused,
    watch,
    fetchJson,
    post,
    remove: (path: string) => fetchJson(path, "DELETE"),
    /** The site answers so from now on. */
    breakSite: (next: typeof fault) => {
      fault = next;
    },
    pass: (ms: number) => {
      now += ms;
    },
    once: async (flags: string, play: Play = {}) => parse((await expectExitCode(watch(`${flags} --once`, play), 0)).stdout),
    snapshots: () => readdirSync(join(folder, "state", "watch")).map((name) => join(folder, "state", "watch", name)),
  };
}

const fail = (status: number): SandboxResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code: "broken", message: "Broken." }),
});

const event = { start_date: "2031-03-04 19:00:00", end_date: "2031-03-04 21:00:00", timezone: "America/New_York", status: "publish" };

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test("--once says nothing first, then what was created, updated, has left, entered and was deleted", async () => {
    const { once, post, remove, pass } = await openSite(serverProfile);
    const tell = () => once("events watch --all-dates --category music");
    const elsewhere = await post("events", { ...event, title: "Elsewhere" });
    pass(3_600_000);
    expect(await tell()).toEqual([]);
    expect(await tell()).toEqual([]);
    const id = await post("events", { ...event, title: "Open Stage", categories: [2] });
    expect(await tell()).toMatchObject([
      { change: "created", resource: "events", id, title: "Open Stage", record: { id, title: "Open Stage" } },
    ]);
    await post(`events/${id}`, { title: "Open & Free" });
    const [updated, ...others] = await tell();
    expect(others).toEqual([]);
    expect(updated).toMatchObject({ change: "updated", id, title: "Open & Free" });
    expect(updated?.fields).toEqual([{ name: "title", from: "Open Stage", to: "Open & Free" }]);
    await post(`events/${id}`, { categories: [9] });
    await post(`events/${elsewhere}`, { categories: [2] });
    const moved = await tell();
    expect(brief(moved).sort()).toEqual([`entered ${elsewhere}`, `left ${id}`]);
    expect(moved.find(({ change }) => change === "left")?.fields).toEqual([{ name: "categories", from: [2], to: [9] }]);
    await remove(`events/${elsewhere}`);
    // The Events Calendar moves it to the trash, where it still is.
    const gone = await tell();
    if (serverProfile === "generic") expect(brief(gone)).toEqual([`deleted ${elsewhere}`]);
    else
      expect(gone).toMatchObject([
        { change: "left", id: elsewhere, fields: expect.arrayContaining([{ name: "status", from: "publish", to: "trash" }]) },
      ]);
    expect(await tell()).toEqual([]);
  });
});

test("an event that a visitor may not read any more has left", async () => {
  const { once, post } = await openSite("the-events-calendar");
  const id = await post("events", { ...event, title: "Soon private" });
  const play = { env: { CAL_USERNAME: "", CAL_PASSWORD: "" } };
  await once("events watch --all-dates", play);
  await post(`events/${id}`, { status: "private" });
  expect(brief(await once("events watch --all-dates", play))).toEqual([`left ${id}`]);
});

describe("a deletion", () => {
  test("is told only after a complete list: after a page that fails nothing is", async () => {
    const { once, watch, post, remove, breakSite } = await openSite();
    const env = { CAL_PER_PAGE: "2" };
    const id = await post("tags", { name: "gone" });
    await once("tags watch --include-empty", { env });
    await remove(`tags/${id}`);
    breakSite(({ query }) => (/\bpage=[2-9]/.test(query) ? fail(503) : undefined));
    const failed = await expectExitCode(watch("tags watch --include-empty --once", { env }), 7);
    expect(failed.stdout).toBe("");
    breakSite(undefined);
    expect(brief(await once("tags watch --include-empty", { env }))).toEqual([`deleted ${id}`]);
  });

  test.each([
    [404, "deleted"],
    [410, "deleted"],
    [403, "left"],
  ])("is confirmed by the record itself: after a %i it is %s", async (status, change) => {
    const { once, remove, breakSite } = await openSite();
    await once("tags watch --include-empty");
    await remove("tags/17");
    breakSite(({ path }) => (path.endsWith("/tags/17") ? fail(status) : undefined));
    expect(brief(await once("tags watch --include-empty"))).toEqual([`${change} 17`]);
  });

  test("is not told after a 503 of the record itself", async () => {
    const { once, watch, remove, breakSite } = await openSite();
    await once("tags watch --include-empty");
    await remove("tags/17");
    breakSite(({ path }) => (path.endsWith("/tags/17") ? fail(503) : undefined));
    expect((await expectExitCode(watch("tags watch --include-empty --once"), 7)).stdout).toBe("");
    breakSite(undefined);
    expect(brief(await once("tags watch --include-empty"))).toEqual(["deleted 17"]);
  });

  test("is not told of a record that one list lacks and the next one has", async () => {
    const { once, fetchJson, breakSite } = await openSite();
    await once("tags watch --include-empty");
    const all = JSON.stringify(await fetchJson("tags?per_page=50&hide_empty=false"));
    let lists = 0;
    breakSite(({ path }) => {
      lists += path.endsWith("/tags") ? 1 : 0;
      if (!path.endsWith("/tags") || lists > 1) return undefined;
      const body = JSON.parse(all) as { tags: { id: number }[]; total: number };
      const tags = body.tags.filter(({ id }) => id !== 17);
      const text = JSON.stringify({ ...body, tags, total: tags.length });
      const ascii = text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
      return { status: 200, headers: { "content-type": "application/json" }, body: ascii };
    });
    expect(await once("tags watch --include-empty")).toEqual([]);
    expect(lists).toBe(2);
  });
});

describe("rounds", () => {
  const line = "tags watch --include-empty --interval 45s";

  test("tell each change once, and a signal ends them with the snapshot saved", async () => {
    const { watch, once, post, paused } = await openSite();
    const ids: string[] = [];
    const create = async () => ids.push(await post("tags", { name: `tag ${ids.length}` }));
    const { stdout, stderr, code } = await watch(line, { pauses: [create, () => undefined, create] });
    expect(brief(parse(stdout))).toEqual(ids.map((id) => `created ${id}`));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\d+ tags are known now; .*\n$/) });
    expect(paused).toEqual([45_000, 45_000, 45_000, 45_000]);
    expect(await once("tags watch --include-empty")).toEqual([]);
  });

  test("a signal while the site does not answer ends the command at once, and the snapshot stays", async () => {
    const { watch, once, snapshots, breakSite, post } = await openSite();
    await once("tags watch --include-empty");
    const before = snapshots().map((path) => readFileSync(path, "utf8"));
    const id = await post("tags", { name: "later" });
    const onStart = (stop: () => void) =>
      breakSite(() => {
        stop();
        return undefined;
      });
    expect((await watch(line, { onStart })).code).toBe(0);
    breakSite(undefined);
    expect(snapshots().map((path) => readFileSync(path, "utf8"))).toEqual(before);
    expect(brief(await once("tags watch --include-empty"))).toEqual([`created ${id}`]);
  });

  test("go on while the site is away for hours: the pauses grow to an hour, one warning, one note when it is back", async () => {
    const { watch, post, paused, breakSite } = await openSite();
    let id = "";
    const away = [() => breakSite(() => fail(503)), ...Array.from({ length: 9 }, () => () => undefined)];
    const back = async () => {
      breakSite(undefined);
      id = await post("tags", { name: "while it was away" });
    };
    const { stdout, stderr, code } = await watch(line, { pauses: [...away, back] });
    expect(code).toBe(0);
    expect(paused).toEqual([45, 90, 180, 360, 720, 1440, 2880, 3600, 3600, 3600, 3600, 45].map((seconds) => seconds * 1000));
    expect(stderr.match(/trying again in/g)).toHaveLength(1);
    expect(stderr.match(/the site answers again/g)).toHaveLength(1);
    expect(brief(parse(stdout))).toEqual([`created ${id}`]);
  });

  test("end where waiting does not help: the login is refused", async () => {
    const { watch, breakSite } = await openSite();
    const { code, stdout } = await watch(line, { pauses: [() => breakSite(() => fail(401))] });
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  });

  test("1,000 of them need no more memory", async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const used: number[] = [];
    const measure = () => {
      gc();
      used.push(process.memoryUsage().heapUsed);
    };
    const { watch, post } = await openSite();
    const id = await post("tags", { name: "0" });
    const pauses = Array.from({ length: 999 }, (_, round) => {
      if (round === 199 || round === 998) return measure;
      return round % 100 === 50 ? () => post(`tags/${id}`, { name: String(round) }) : () => undefined;
    });
    const { stdout, code } = await watch("tags watch --include-empty --search 0 --interval 30s", { pauses });
    expect(code).toBe(0);
    expect(parse(stdout).length).toBeGreaterThan(5);
    const [early = 0, late = 0] = used;
    expect(late - early).toBeLessThan(3_000_000);
  });
});

describe("--exec", () => {
  const line = "tags watch --include-empty --interval 45s --exec ./told";

  /** A program that keeps what it is told, and fails where the test says so. */
  function createProgram(fails: (told: Told) => boolean = () => false) {
    const taken: Told[] = [];
    const tried: Told[] = [];
    const runProgram: System["machine"]["runProgram"] = async (program, input) => {
      expect(program).toBe("./told");
      const [told] = parse(input);
      if (told === undefined) throw new Error("nothing was told");
      tried.push(told);
      if (fails(told)) return { kind: "exit", code: 3 };
      taken.push(told);
      return { kind: "exit", code: 0 };
    };
    return { taken, tried, runProgram };
  }

  test("tells a change again until it is taken: in the order of one record, and others are not held back", async () => {
    const { watch, post } = await openSite();
    let isBroken = true;
    const { taken, runProgram } = createProgram(({ id }) => isBroken && id === "17");
    const rename = (id: string, name: string) => () => post(`tags/${id}`, { name });
    const { stdout, stderr, code } = await watch(line, {
      runProgram,
      pauses: [
        rename("17", "first"),
        async () => {
          await rename("17", "second")();
          await rename("16", "other")();
        },
        () => {
          isBroken = false;
        },
      ],
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(taken.map(({ id, title }) => `${id} ${title}`)).toEqual(["16 other", "17 first", "17 second"]);
    expect(stderr).toContain('./told ended with 3: updated tags 17 "first"');
  });

  test("--once fails with 8 where a change was not taken, and the next call tells it again", async () => {
    const { watch, once, post } = await openSite();
    const once8 = `${line} --once`;
    await once(line);
    const id = await post("tags", { name: "new" });
    const failing = createProgram(() => true);
    expect((await expectExitCode(watch(once8, { runProgram: failing.runProgram }), 8)).stderr).toContain("1 change was not taken");
    const { taken, runProgram } = createProgram();
    await expectExitCode(watch(once8, { runProgram }), 0);
    expect(brief(taken)).toEqual([`created ${id}`]);
    await expectExitCode(watch(once8, { runProgram }), 0);
    expect(taken).toHaveLength(1);
  });

  test("ends a program after 60 seconds, which is a failure", async () => {
    const { watch, once, post } = await openSite();
    await once(line);
    await post("tags", { name: "new" });
    const runProgram: System["machine"]["runProgram"] = (_program, _input, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve({ kind: "killed" });
        signal.addEventListener("abort", () => resolve({ kind: "killed" }));
      });
    const { stderr } = await expectExitCode(watch(`${line} --once`, { runProgram, programsHang: true }), 8);
    expect(stderr).toContain("./told took longer than 60 s: created tags");
  });

  test("1,000 changes wait, and with one more the round ends with 8 and the snapshot stays", async () => {
    const { watch, once, snapshots } = await openSite();
    await once(line);
    const [path = ""] = snapshots();
    const snapshot = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    const waiting = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ change: "created", resource: "tags", id: String(5000 + at), title: "", record: {} }));
    const failing = createProgram(() => true);
    writeFileSync(path, JSON.stringify({ ...snapshot, pending: waiting(1000) }));
    expect((await expectExitCode(watch(`${line} --once`, failing), 8)).stderr).toContain("1000 changes were not taken");
    const kept = JSON.parse(readFileSync(path, "utf8")) as { pending: readonly unknown[] };
    expect(kept.pending).toHaveLength(1000);
    writeFileSync(path, JSON.stringify({ ...snapshot, pending: waiting(1001) }));
    const before = readFileSync(path, "utf8");
    // Also where it would go on.
    expect((await expectExitCode(watch(line, failing), 8)).stderr).toContain("more than 1000 changes were not taken; the snapshot stays");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("a real program gets the change on stdin alone, and nothing of the login", async () => {
    const { env, folder, post, snapshots } = await openSite();
    const program = join(folder, "told");
    writeFileSync(program, `#!/bin/sh\necho "$#" > '${folder}/args'\nenv > '${folder}/env'\ncat > '${folder}/stdin'\n`);
    chmodSync(program, 0o755);
    const own = { ...env, PATH: process.env["PATH"], CAL_CONFIG_DIR: join(folder, "config"), CAL_CACHE_DIR: join(folder, "cache") };
    const secrets = { CAL_USERNAME: "ana", CAL_TO_TOKEN: "t0-secret", CAL_CLIENT_ID: "app" };
    const args = [join(projectRoot, "bin/cal.js"), "tags", "watch", "--include-empty", "--exec", program];
    const start = (...more: string[]) => startProgram(process.execPath, [...args, ...more], { env: { ...own, ...secrets } });
    const first = start("--once");
    expect((await first.ended).code, first.text.stderr).toBe(0);
    const id = await post("tags", { name: "it's $(new)" });
    const running = start();
    const isTold = () => snapshots().some((path) => path.endsWith(".json") && readFileSync(path, "utf8").includes(`"${id}"`));
    await until(isTold);
    running.kill("SIGTERM");
    expect((await running.ended).code, running.text.stderr).toBe(143);
    expect(snapshots().filter((path) => !path.endsWith(".json"))).toEqual([]);
    expect(running.text.stdout).toBe("");
    expect(readFileSync(join(folder, "args"), "utf8")).toBe("0\n");
    expect(parse(readFileSync(join(folder, "stdin"), "utf8"))).toMatchObject([{ change: "created", id, title: "it's $(new)" }]);
    const names = readFileSync(join(folder, "env"), "utf8").split("\n");
    expect(
      names
        .filter((name) => /^CAL_/.test(name))
        .map((name) => name.split("=")[0])
        .sort(),
    ).toEqual(["CAL_BASE_URL", "CAL_CACHE_DIR", "CAL_CONFIG_DIR", "CAL_NAMESPACE", "CAL_RETRIES", "CAL_SANDBOX", "CAL_STATE_DIR"]);
  });

  test("a program that is not there ends the command, and the change is told by the next call", async () => {
    const { env, folder, post, once } = await openSite();
    await once("tags watch --include-empty");
    const id = await post("tags", { name: "new" });
    const { runProgram } = await import("../../../src/terminal/programs.ts");
    await expect(runProgram(join(folder, "nothing"), "", env, new AbortController().signal)).rejects.toMatchObject({ kind: "local" });
    expect(brief(await once("tags watch --include-empty"))).toEqual([`created ${id}`]);
  });
});

describe("the snapshot", () => {
  const flags = "tags watch --include-empty";

  test("belongs to the site, the login, the filters and --name", async () => {
    const { sandbox, once, post, snapshots } = await openSite("the-events-calendar");
    const other = await openSite("the-events-calendar");
    const editor = sandbox.users.find(({ username }) => username === "editor")?.applicationPassword ?? "";
    const variants: readonly [string, Play][] = [
      [flags, {}],
      ["tags watch --search a", {}],
      [`${flags} --name second`, {}],
      [flags, { env: { CAL_USERNAME: "editor", CAL_PASSWORD: editor } }],
      [flags, { env: { CAL_BASE_URL: other.sandbox.baseUrl } }],
    ];
    for (const [line, play] of variants) expect(await once(line, play)).toEqual([]);
    expect(snapshots()).toHaveLength(variants.length);
    const id = await post("tags", { name: "new" });
    expect(brief(await once(flags))).toEqual([`created ${id}`]);
    // Other flags of this command are no filters.
    expect(await once(`${flags} --interval 1h`)).toEqual([]);
    expect(brief(await once(`${flags} --name second`))).toEqual([`created ${id}`]);
    for (const path of snapshots()) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("is locked while it is in use: another process ends with 7 and says who has it", async () => {
    const { once, watch, snapshots } = await openSite();
    await once(flags);
    const lock = `${snapshots()[0]}.lock`;
    await withLock(lock, { sleep: async () => undefined }, async () => {
      const { stderr, stdout } = await expectExitCode(watch(`${flags} --once`), 7);
      expect(stderr).toMatch(new RegExp(`another watch with these filters .*--name.* is running \\(pid ${process.pid}, since `));
      expect(stdout).toBe("");
      await once(`${flags} --name second`);
    });
    await once(flags);
  });

  test("that can't be read is named, with the command that begins again", async () => {
    const { once, watch, snapshots } = await openSite();
    await once(flags);
    const [path = ""] = snapshots();
    writeFileSync(path, "{");
    const { stderr } = await expectExitCode(watch(`${flags} --once`), 10);
    expect(stderr).toContain(`rm ${path}`);
  });
});

test("all that is wrong with a command line is said at once, and nothing is sent or kept", async () => {
  const { watch, breakSite, folder } = await openSite();
  let requests = 0;
  breakSite(() => {
    requests += 1;
    return undefined;
  });
  const { stderr } = await expectExitCode(watch("events watch --interval 29s --format csv --field id --start-date soon"), 2);
  for (const part of ["--interval: the shortest is 30s", "--format: ", "--field: ", "--start-date: "]) expect(stderr).toContain(part);
  expect((await expectExitCode(watch("events watch --interval 1mo"), 2)).stderr).toContain("no fixed length");
  expect([requests, existsSync(join(folder, "state"))]).toEqual([0, false]);
});

test("--format table is a line for people, without control characters", async () => {
  const { watch, once, post } = await openSite();
  await once("tags watch --include-empty");
  const id = await post("tags", { name: "a\u001b[31m\u202eb" });
  await once("tags watch --include-empty --name other");
  const { stdout } = await expectExitCode(watch("tags watch --include-empty --once --format table"), 0);
  expect(stdout).toMatch(new RegExp(`^created tags ${id} ".*"\\n$`));
  expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
});
