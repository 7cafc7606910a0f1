// A user at a real terminal (tmux) with the built program: keys in, the screen as it looks out.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What is missing for these tests, and how to install it; undefined where all is there. */
export function findMissingPrograms(): string | undefined {
  const absent = ["tmux", "less"].filter((program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0);
  return absent.length === 0 ? undefined : `apt-get install ${absent.join(" ")}`;
}

/** The program, built into a folder of its own; `path` is what PATH needs. */
export interface BuiltProgram {
  readonly folder: string;
  readonly path: string;
}

/** Builds the program as it is now. */
export function buildTestProgram(): BuiltProgram {
  const folder = mkdtempSync(join(tmpdir(), "cal-terminal-"));
  const script = 'import("./scripts/build.js").then(({ buildProgram }) => buildProgram(process.cwd(), process.argv[1]))';
  const { status, stderr } = spawnSync(process.execPath, ["-e", script, join(folder, "dist")], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  mkdirSync(join(folder, "bin"));
  for (const name of ["bin/cal.js", "bin/package.json", "package.json"]) copyFileSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const path = join(folder, "path");
  mkdirSync(path);
  writeFileSync(join(path, "cal"), `#!/bin/sh\nexec "${process.execPath}" "${folder}/bin/cal.js" "$@"\n`, { mode: 0o755 });
  return { folder, path };
}

export interface Terminal {
  readonly folder: string;
  /** Types a text as it is. */
  type(text: string): void;
  /** Presses keys as tmux calls them: `Enter`, `C-c`, `Down`. */
  press(...keys: readonly string[]): void;
  /** Types a line and presses Enter; the line reports its exit code when it has ended. */
  run(line: string): void;
  /** Takes a stopped program up again; resolves when the screen is the program's. */
  resumeProgram(): Promise<void>;
  /** Resolves with the screen when it matches; rejects with what is on it where that lasts too long. */
  waitForText(pattern: RegExp | string): Promise<string>;
  /** Resolves with the exit code of the line that was run. */
  waitForExitCode(): Promise<number>;
  resize(columns: number, rows: number): void;
  /** The screen with its colours, as escape sequences. */
  captureColours(): string;
  /** The modes of the terminal and whether its cursor can be seen. */
  readState(): Promise<string>;
  /** Resolves when the terminal hands each key over as it is pressed: a pager has begun to read. */
  waitForRawMode(): Promise<void>;
  close(): void;
}

/** Opens a terminal with a shell; its sandbox is its own. */
export async function openTerminal(
  built: BuiltProgram,
  columns: number,
  rows: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), "cal-pane-"));
  const socket = join(folder, "tmux");
  const tmux = (...args: readonly string[]) => spawnSync("tmux", ["-S", socket, ...args], { encoding: "utf8" }).stdout;
  const own = {
    PATH: `${built.path}:${process.env["PATH"]}`,
    HOME: folder,
    LANG: "C.UTF-8",
    CAL_SANDBOX: "1",
    CAL_CONFIG_DIR: join(folder, "config"),
    CAL_STATE_DIR: join(folder, "state"),
    CAL_CACHE_DIR: join(folder, "cache"),
    CAL_TZ: "America/New_York",
  };
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", String(columns), "-y", String(rows)];
  spawnSync("tmux", ["-S", socket, "-f", "/dev/null", "new-session", "-d", ...size, ["env", ...set, "sh"].join(" ")], {
    cwd: folder,
    env: own,
  });
  const screen = () => tmux("capture-pane", "-p");
  const type = (text: string) => void tmux("send-keys", "-l", "--", text);
  const press = (...keys: readonly string[]) => void tmux("send-keys", ...keys);
  let lines = 0;
  const run = (line: string) => {
    lines++;
    type(`clear; ${line}; echo "ended ${lines} with:$?"`);
    press("Enter");
  };
  /** Takes a stopped program up again; what the shell said of it must be gone first, for its question still stands above that. */
  const resumeProgram = async () => {
    run("fg");
    await until(
      () => !/Stopped|fg;/.test(screen()),
      () => `the screen is not cleared:\n${screen()}`,
    );
  };
  const waitForText = async (pattern: RegExp | string) => {
    await until(
      () => screen().search(pattern instanceof RegExp ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) !== -1,
      () => `the screen does not show ${pattern}:\n${screen()}`,
    );
    return screen();
  };
  const waitForExitCode = async () =>
    Number(new RegExp(`ended ${lines} with:(\\d+)`).exec(await waitForText(new RegExp(`ended ${lines} with:\\d+`)))?.[1]);
  const readState = async () => {
    run("stty -g");
    await waitForExitCode();
    return `${/^[\da-f:]{40,}$/m.exec(screen().replace(/\n(?=[\da-f:]+\n)/g, ""))?.[0]} cursor ${tmux("display-message", "-p", "#{cursor_flag}").trim()}`;
  };
  const waitForRawMode = async () => {
    const modes = () =>
      spawnSync("sh", ["-c", `stty -a < ${tmux("display-message", "-p", "#{pane_tty}").trim()}`], { encoding: "utf8" }).stdout;
    await until(
      () => modes().includes("-icanon"),
      () => `the terminal waits for Enter:\n${modes()}`,
    );
  };
  const close = () => {
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  await waitForText(/\S/).catch((error: unknown) => {
    close();
    throw error;
  });
  return {
    folder,
    type,
    press,
    run,
    resumeProgram,
    waitForText,
    waitForExitCode,
    resize: (width, height) => void tmux("resize-window", "-x", String(width), "-y", String(height)),
    captureColours: () => tmux("capture-pane", "-p", "-e"),
    readState,
    waitForRawMode,
    close,
  };
}

async function until(holds: () => boolean, otherwise: () => string): Promise<void> {
  for (let attempt = 0; attempt < 250; attempt++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  throw new Error(otherwise());
}
