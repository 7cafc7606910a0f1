// The built program and its streams: a reader that goes away, a full disk, a slow reader, a signal.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer } from "../api/replies/canned.ts";
import { createUserEnvironment } from "../helpers/processes.ts";

const root = new URL("../../", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "cal-built-"));
const program = join(folder, "dist", "main.js");

beforeAll(() => {
  const build = `import(${JSON.stringify(new URL("scripts/build.js", root).href)}).then(({ buildProgram }) => buildProgram(...process.argv.slice(1)))`;
  // The calendar of --sandbox is in a package beside the program.
  symlinkSync(fileURLToPath(new URL("node_modules", root)), join(folder, "node_modules"));
  execFileSync(process.execPath, ["--input-type=module", "-e", build, fileURLToPath(root), join(folder, "dist")]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** 100 pages of 50 events of a thousand letters each: 5 MB. */
const pages = 100;
const page = (number: number) => Array.from({ length: 50 }, (_, at) => ({ id: number * 50 + at, title: "x".repeat(1000) }));
const all = Array.from({ length: pages }, (_, at) => page(at + 1)).flat();

let answering = true;
const url = await startTestServer((requested) => {
  const number = Number(new URL(requested.split(" ")[1] ?? "", "http://x").searchParams.get("page") ?? "1");
  return { body: answering ? JSON.stringify({ events: page(number), total_pages: pages }) : () => undefined };
});

const env = createUserEnvironment(url, folder);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Runs a line of bash, `cal` being the built program, whose code counts in a pipe too; `pause` is waited between two chunks that are read. */
async function bash(line: string, pause = 0): Promise<Ended> {
  const child = spawn("bash", ["-c", `set -o pipefail\ncal() { "${process.execPath}" "${program}" "$@"; }\n${line}`], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stderr: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const stdout: Buffer[] = [];
  for await (const chunk of child.stdout) {
    stdout.push(chunk);
    if (pause > 0) await sleep(pause);
  }
  return { code: await closed, stdout: Buffer.concat(stdout).toString("utf8"), stderr: Buffer.concat(stderr).toString("utf8") };
}

describe("a reader that goes away is no error", () => {
  test.each(["ndjson", "tsv", "csv", "ids", "json", "yaml", "table"])("cal events list --all --format %s | head -1", async (format) => {
    const { code, stdout, stderr } = await bash(`cal events list --all --format ${format} | head -n 1`);
    expect({ code, stderr, lines: stdout.split("\n").length }).toEqual({ code: 0, stderr: "", lines: 2 });
  });

  test("nor is one that never was", async () => {
    expect(await bash("cal events list --format ids | true")).toMatchObject({ code: 0, stdout: "" });
    expect(await bash("cal events list --format ids >&-")).toMatchObject({ code: 0, stdout: "" });
    expect(await bash("cal --help | true")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("a disk that is full is a local fault", () => {
  test.each(["events list", "events list --json", "events list --all --format ndjson", "--help", "--version"])(
    "cal %s > /dev/full",
    async (line) => {
      const { code, stderr } = await bash(`cal ${line} > /dev/full`);
      expect(code, stderr).toBe(10);
      expect(stderr).toMatch(/the output can't be written: ENOSPC/);
    },
  );

  test("where even the message can't be written, the exit code reports it", async () => {
    expect(await bash("cal events list > /dev/full 2> /dev/full")).toEqual({ code: 10, stdout: "", stderr: "" });
  });
});

describe("where nothing can be reported on stderr, the work is done, the data is whole, and the exit code reports it", () => {
  test("a record that is created is printed", async () => {
    const made = 'CAL_SANDBOX=1 cal tags create --name "Silent Night" --field slug';
    expect(await bash(`${made} 2> /dev/full`)).toEqual({ code: 10, stdout: "silent-night\n", stderr: "" });
    expect(await bash("CAL_SANDBOX=1 cal tags update silent-night --description x --field description 2> /dev/full")).toMatchObject({
      code: 10,
      stdout: "x\n",
    });
    expect(await bash("CAL_SANDBOX=1 cal tags get silent-night --field name 2> /dev/full")).toMatchObject({
      code: 0,
      stdout: "Silent Night\n",
    });
    expect(await bash("CAL_SANDBOX=1 cal tags get silent-night --field name --debug 2> /dev/full")).toMatchObject({
      code: 10,
      stdout: "Silent Night\n",
    });
  });

  test("a failure keeps its own code", async () => {
    expect(await bash("CAL_SANDBOX=1 cal tags get nonesuch 2> /dev/full")).toMatchObject({ code: 3, stdout: "" });
    expect(await bash("cal tags list --no-such-flag 2> /dev/full")).toMatchObject({ code: 2, stdout: "" });
  });

  test("a server goes on serving", async () => {
    const port = await freePort();
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [program, "sandbox", "serve", "--port", String(port)], {
      env,
      stdio: ["ignore", "ignore", full],
    });
    const closed = once(child, "close");
    const front = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(front, { timeout: 15_000 }).toBe(200);
    expect([await front(), await front()]).toEqual([200, 200]);
    child.kill("SIGTERM");
    expect((await closed)[0]).toBe(143);
    closeSync(full);
  });

  test("a reader of stderr that goes away is no error", async () => {
    expect(await bash("CAL_SANDBOX=1 cal tags create --name Gone --field slug 2> >(true)")).toMatchObject({ code: 0, stdout: "gone\n" });
  });
});

describe("a slow reader gets all of it", () => {
  test("5 MB as JSON", async () => {
    const { code, stdout, stderr } = await bash("cal events list --all --json", 2);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.length).toBeGreaterThan(5_000_000);
    expect(JSON.parse(stdout)).toEqual(all);
  });

  test("5 MB as lines", async () => {
    const { code, stdout } = await bash("cal events list --all --format ndjson | { sleep 0.5; cat; }");
    expect(code).toBe(0);
    expect(stdout).toBe(all.map((record) => `${JSON.stringify(record)}\n`).join(""));
  });
});

describe("a signal ends it with its code", () => {
  test.each([
    ["INT", 130],
    ["TERM", 143],
  ] as const)("SIG%s", async (signal, code) => {
    answering = false;
    const child = spawn(process.execPath, [program, "events", "list", "--debug"], { env, stdio: ["ignore", "ignore", "pipe"] });
    await new Promise((resolve) => child.stderr.once("data", resolve));
    child.kill(`SIG${signal}`);
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(code);
    answering = true;
  });
});
