// The journal under `kill -9` and with several processes, with the built program: every write that the server has is known afterwards.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { fixedNow } from "../helpers/session.ts";

const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-kill-"));
const stateFolder = join(folder, "state");
/** How often a command is killed; `npm run soak` does it in full. */
const rounds = process.env["CAL_SOAK"] === "1" ? 50 : 6;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ file: ":memory:", day: fixedNow.slice(0, 10), now: Date.now, serverProfile: "generic" });
});

afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      CAL_CONFIG_DIR: join(folder, "config"),
      CAL_STATE_DIR: stateFolder,
      CAL_CACHE_DIR: join(folder, "cache"),
      CAL_BASE_URL: sandbox.baseUrl,
      CAL_TOKEN: sandbox.token,
      ...env,
    },
  });
}

async function run(args: readonly string[], stdin = "", env: Readonly<Record<string, string>> = {}) {
  const child = start(args, env);
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout?.on("data", (text) => out.push(String(text)));
  child.stderr?.on("data", (text) => errors.push(String(text)));
  child.stdin?.end(stdin);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: out.join(""), stderr: errors.join("") };
}

interface Row {
  readonly operation: string;
  readonly state: string;
  readonly id?: string;
  readonly status: string;
}

async function readRows(line: readonly string[]): Promise<readonly Row[]> {
  const { stdout, stderr, code } = await run([...line, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as readonly Row[];
}

const ids = Array.from({ length: 56 }, (_, at) => String(103 + at));

async function readTitles(): Promise<ReadonlyMap<string, string>> {
  const titles = await Promise.all(
    ids.map(async (id) => {
      const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/events/${id}`, {
        headers: { authorization: `Bearer ${sandbox.token}` },
      });
      return [id, String(((await response.json()) as Record<string, unknown>)["title"])] as const;
    }),
  );
  return new Map(titles);
}

test("after each kill the log knows every write that the server has, and the same command goes on", async () => {
  for (let round = 1; round <= rounds; round++) {
    const title = `Round ${round}`;
    const child = start(["events", "update", "-", "--title", title, "--format", "ndjson", "--quiet"]);
    child.stdin?.end(`${ids.join("\n")}\n`);
    let answered = 0;
    child.stdout?.on("data", (text) => {
      answered += String(text).split("\n").length - 1;
      if (answered >= round * 3) child.kill("SIGKILL");
    });
    await once(child, "close");
    const [newest] = await readRows(["log"]);
    expect(newest?.state).toBe("interrupted");
    const onServer = [...(await readTitles())].filter(([, now]) => now === title).map(([id]) => id);
    const journal = readdirSync(join(stateFolder, "journal")).find((name) => name.startsWith(`${newest?.operation}.`)) ?? "";
    const before = readFileSync(join(stateFolder, "journal", journal), "utf8");
    // Before anything is looked up, every write is there.
    for (const id of onServer) expect(before).toContain(`"id":"${id}"`);
    const shown = await readRows(["log", "show", newest?.operation ?? ""]);
    expect(
      shown
        .filter(({ status }) => status === "done")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(onServer.sort());
    expect(shown.filter(({ status }) => status === "unknown")).toEqual([]);

    const again = await run(["events", "update", "-", "--title", title, "--quiet"], ids.join("\n"));
    expect(again.code, again.stderr).toBe(0);
    expect(new Set((await readTitles()).values())).toEqual(new Set([title]));
    const [, interrupted] = await readRows(["log"]);
    expect(interrupted?.operation).toBe(newest?.operation);
  }
}, 120_000);

test("several processes at once write files of their own", async () => {
  const results = await Promise.all(ids.slice(0, 8).map((id) => run(["events", "update", id, "--cost", id, "--quiet"])));
  expect(results.map(({ code }) => code)).toEqual(results.map(() => 0));
  const names = (await readRows(["log", "--all"])).map(({ operation }) => operation);
  expect(new Set(names).size).toBe(names.length);
  const latest = readdirSync(join(stateFolder, "journal")).filter((name) => name.endsWith(".one.ndjson"));
  expect(latest.length).toBeGreaterThanOrEqual(8);
});

// Root may write to every folder.
if (process.getuid?.() !== 0)
  test("a folder that can't be written: one record with a warning, several are refused", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o500 });
    const one = await run(["events", "update", "103", "--cost", "1"], "", { CAL_STATE_DIR: closed });
    expect(one).toMatchObject({ code: 0, stderr: expect.stringContaining("not journaled, can't be undone") });
    const many = await run(["events", "update", "103", "104", "--cost", "2"], "", { CAL_STATE_DIR: closed });
    expect(many).toMatchObject({ code: 10, stdout: expect.stringContaining("nothing was sent") });
    const off = await run(["events", "update", "103", "104", "--cost", "3"], "", { CAL_STATE_DIR: closed, CAL_JOURNAL: "0" });
    expect(off.code, off.stderr).toBe(0);
    chmodSync(closed, 0o700);
  });

test("a state folder that is a file: one record with a warning, several are refused before anything is sent", async () => {
  const env = { CAL_STATE_DIR: join(program, "state") };
  const one = await run(["events", "update", "103", "--cost", "41"], "", env);
  expect(one).toMatchObject({ code: 0, stderr: expect.stringContaining("not journaled, can't be undone") });
  const many = await run(["events", "update", "104", "105", "--cost", "42", "--json"], "", env);
  expect(many.code).toBe(10);
  const rows = JSON.parse(many.stdout) as readonly { error: { hint: string } }[];
  expect(rows[0]?.error.hint).toContain("CAL_JOURNAL=0");
  const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/events/104`, {
    headers: { authorization: `Bearer ${sandbox.token}` },
  });
  expect(((await response.json()) as Record<string, unknown>)["cost"]).not.toBe("42");
});

test.each(["SIGKILL", "SIGINT"] as const)(
  "an import that ended with %s is run again, and each row has one event",
  async (signal) => {
    const titles = Array.from({ length: 40 }, (_, at) => `${signal} ${at}`);
    const path = join(folder, `${signal}.csv`);
    writeFileSync(path, ["title,start_date,end_date", ...titles.map((title) => `${title},2027-05-01 10:00,2027-05-01 11:00`)].join("\n"));
    const line = ["events", "import", path, "--yes", "--format", "ndjson", "--quiet"];
    const child = start(line);
    child.stdin?.end();
    child.stdout?.once("data", () => child.kill(signal));
    await once(child, "close");
    const [newest] = await readRows(["log"]);
    expect(newest?.state).toBe("interrupted");
    const again = await run(line);
    expect(again.code, again.stderr).toBe(0);
    const { stdout } = await run(["events", "list", "--start-date", "2027-05-01", "--all", "--quiet", "--field", "title"]);
    expect(
      stdout
        .split("\n")
        .filter((title) => title.startsWith(signal))
        .toSorted(),
    ).toEqual(titles.toSorted());
    expect((await run(line)).stdout).toBe("");
  },
  60_000,
);
