// The built program under signals that come at any moment, without a standard input, and in a folder of somebody else's.

import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestResponse } from "../api/replies/canned.ts";
import { createUserEnvironment, startProgram, until } from "../helpers/processes.ts";

const root = new URL("../../", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "cal-signals-"));
const program = join(folder, "dist", "main.js");
const seen: string[] = [];
let answer: TestResponse = { body: () => undefined };
const url = await startTestServer((line) => {
  seen.push(line);
  return answer;
});

beforeAll(() => {
  const build = `import(${JSON.stringify(new URL("scripts/build.js", root).href)}).then(({ buildProgram }) => buildProgram(...process.argv.slice(1)))`;
  execFileSync(process.execPath, ["--input-type=module", "-e", build, fileURLToPath(root), join(folder, "dist")]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = createUserEnvironment(url, folder);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const codes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Starts the program, sends it a signal once `moment` resolves, and waits for its end. A signal that came before it was ready counts the same, as in a shell. */
async function signalled(
  args: readonly string[],
  signal: "SIGINT" | "SIGTERM",
  moment: (stderr: () => string) => Promise<unknown>,
): Promise<Ended> {
  const { text, ended, kill } = startProgram(process.execPath, [program, ...args], { env });
  await moment(() => text.stderr);
  kill(signal);
  const end = await ended;
  return { code: end.code ?? codes[end.signal ?? ""] ?? -1, ...text };
}

const signals = ["SIGINT", "SIGTERM"] as const;

describe.each(signals)("%s", (signal) => {
  test("while an answer is waited for ends at once, and prints nothing", async () => {
    answer = { body: () => undefined };
    seen.length = 0;
    const outcome = await signalled(["tags", "list", "--json"], signal, () => until(() => seen.length > 0));
    expect(outcome).toEqual({ code: codes[signal], stdout: "", stderr: "" });
  });

  test("in a pause before another attempt ends at once, and nothing more is sent", async () => {
    answer = { status: 503, headers: { "retry-after": "20" }, body: "{}" };
    seen.length = 0;
    const { code, stdout } = await signalled(["tags", "list"], signal, (stderr) => until(() => stderr().includes("trying again")));
    expect({ code, stdout, sent: seen.length }).toEqual({ code: codes[signal], stdout: "", sent: 1 });
  });

  test("in the middle of many deletes starts no more", async () => {
    answer = { body: () => undefined };
    seen.length = 0;
    const refs = Array.from({ length: 40 }, (_, at) => String(at + 1));
    const { code } = await signalled(["tags", "delete", ...refs, "--yes"], signal, () => until(() => seen.length === 4));
    expect({ code, sent: seen.length }).toEqual({ code: codes[signal], sent: 4 });
  });

  test("while a file is waited for that nobody writes to ends at once", async () => {
    const fifo = join(folder, `fifo-${signal}`);
    execFileSync("mkfifo", [fifo]);
    let writer = -1;
    // The other end can be opened once the program has begun to open its own.
    const isOpen = () => {
      try {
        writer = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
        return true;
      } catch {
        return false;
      }
    };
    const outcome = await signalled(["tags", "create", "--data", `@${fifo}`], signal, () => until(isOpen));
    closeSync(writer);
    expect(outcome).toEqual({ code: codes[signal], stdout: "", stderr: "" });
  });
});

test("a FIFO in the place of the configuration is no configuration, and is not waited for", () => {
  const config = join(folder, "fifo-config");
  mkdirSync(config);
  execFileSync("mkfifo", [join(config, "config.json")]);
  const list = spawnSync(process.execPath, [program, "config", "list"], {
    env: { ...env, CAL_CONFIG_DIR: config },
    encoding: "utf8",
    timeout: 20_000,
    // Waiting for a FIFO it handles no signal.
    killSignal: "SIGKILL",
  });
  expect([list.status, list.stderr]).toEqual([10, expect.stringContaining("config.json")]);
});

test("a signal at any moment of a write of the configuration leaves no temporary file and no half file", async () => {
  const outcomes: number[] = [];
  for (let ms = 20; ms <= 200; ms += 15) {
    const signal = signals[ms % 2] ?? "SIGINT";
    outcomes.push((await signalled(["profile", "add", `p${ms}`, "--base-url", "https://calendar.example"], signal, () => sleep(ms))).code);
  }
  expect(outcomes.filter((code) => ![0, 130, 143].includes(code))).toEqual([]);
  execFileSync(process.execPath, [program, "profile", "add", "last", "--base-url", "https://calendar.example"], { env, stdio: "ignore" });
  const config = env.CAL_CONFIG_DIR;
  expect(readdirSync(config)).toEqual(["config.json"]);
  const stored = JSON.parse(readFileSync(join(config, "config.json"), "utf8"));
  // Each command that ended well has kept its profile; one that was ended may have kept it too.
  expect(Object.keys(stored.profiles).length).toBeGreaterThan(outcomes.filter((code) => code === 0).length);
  expect(stored.profiles.last).toEqual({ base_url: "https://calendar.example" });
});

describe("a closed standard input", () => {
  const closed = (line: string): Ended => {
    try {
      const stdout = execFileSync("bash", ["-c", `"$0" "$1" ${line} <&-`, process.execPath, program], {
        env,
        encoding: "utf8",
        stdio: "pipe",
      });
      return { code: 0, stdout, stderr: "" };
    } catch (error) {
      if (!(error instanceof Error) || !("status" in error)) throw error;
      return { code: Number(error.status), stdout: "", stderr: "stderr" in error ? String(error.stderr) : "" };
    }
  };

  test.each([
    ["profile list --format count", 0, ""],
    ["tags get -", 0, ""],
    ["tags create --data -", 2, "--name is required"],
    ["tags delete 3", 2, "there is no terminal"],
  ] as const)("cal %s", (line, code, says) => {
    const outcome = closed(line);
    expect({ code: outcome.code, says: outcome.stderr.includes(says) }, outcome.stderr).toEqual({ code, says: true });
  });
});

test("no file of the working directory is read for settings", () => {
  const folderWithSettings = join(folder, "folderWithSettings");
  mkdirSync(join(folderWithSettings, ".config", "cal"), { recursive: true });
  const evil = JSON.stringify({
    version: 1,
    current: "evil",
    profiles: { evil: { base_url: "https://evil.example" } },
    base_url: "https://evil.example",
  });
  for (const name of ["config.json", "cal.json", ".calrc", ".calrc.json", ".config/cal/config.json"])
    writeFileSync(join(folderWithSettings, name), evil);
  for (const name of [".env", ".envrc", ".npmrc"])
    writeFileSync(join(folderWithSettings, name), "CAL_BASE_URL=https://evil.example\nCAL_TOKEN=evil\n");
  const settings = (cwd: string) =>
    execFileSync(process.execPath, [program, "config", "list", "--show-origin", "--json"], {
      env: { ...env, HOME: folder },
      cwd,
      encoding: "utf8",
    });
  expect(settings(folderWithSettings)).toBe(settings(folder));
});
