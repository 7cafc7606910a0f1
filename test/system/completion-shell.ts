// A user at a real shell in a real terminal (tmux): what is entered, and what the program was then called with.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How each shell is started without anybody's own set-up, given the prompt `at> `, and set up for the completions. */
const shells = {
  bash: { command: "bash --norc --noprofile -i", prompt: "PS1='at> '", setUp: `source ${root}completions/cal.bash` },
  zsh: { command: "zsh -f -i", prompt: "PS1='at> '", setUp: `fpath=(${root}completions $fpath) && autoload -U compinit && compinit -u -D` },
  fish: {
    command: "fish --no-config -i",
    prompt: "function fish_prompt; echo -n 'at> '; end",
    setUp: `source ${root}completions/cal.fish`,
  },
} as const;

export type ShellName = keyof typeof shells;

/** What is missing for the tests of a shell, and how to install it; undefined where all is there. */
export function findMissingPrograms(shell: ShellName): string | undefined {
  const absent = [shell, "tmux"].filter((program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0);
  return absent.length === 0 ? undefined : `apt-get install ${absent.join(" ")}`;
}

/** Keys of tmux: text is entered as it is, these are pressed. */
export type Key = "Tab" | "Enter" | "C-c" | "C-u";

/** The key that completes. */
export const tabKey = { press: "Tab" } as const;

export interface Terminal {
  /** A folder of its own, where the shell stands. */
  readonly folder: string;
  /** Types and presses, then Enter, and resolves with what the program was called with. */
  captureArguments(...keys: readonly (string | { readonly press: Key })[]): Promise<readonly string[]>;
  /** Types and presses, resolves when the screen shows the text, and clears the line. */
  waitForText(text: string, ...keys: readonly (string | { readonly press: Key })[]): Promise<void>;
  /** Ends the shell and the terminal. */
  close(): void;
}

/** Opens a shell in a terminal. Completion asks the built program, any other call is only noted. */
export async function openTerminal(shell: ShellName, env: Readonly<Record<string, string>>): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), `cal-${shell}-`));
  const socket = join(folder, "tmux");
  const note = join(folder, "called");
  const tmux = (...args: readonly string[]) => spawnSync("tmux", ["-S", socket, ...args], { encoding: "utf8" }).stdout;
  const close = () => {
    tmux("kill-server");
    // The shells end after the terminal, and may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const answers = join(folder, "answers");
  const wrapper = `#!/bin/sh
case " $* " in *" __complete "*) "${process.execPath}" "${root}bin/cal.js" "$@"; printf x >> "${answers}"; exit ;; esac
printf '%s\\0' "$@" > "${note}.new" && mv "${note}.new" "${note}"
`;
  mkdirSync(join(folder, "bin"));
  for (const name of ["cal", "calctl"]) writeFileSync(join(folder, "bin", name), wrapper, { mode: 0o755 });
  const own = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    HOME: folder,
    TERM: "xterm",
    HISTFILE: "/dev/null",
    LANG: "C.UTF-8",
    ...env,
  };
  spawnSync("tmux", ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "180", "-y", "50", shells[shell].command], {
    cwd: folder,
    env: own,
  });
  const screen = () => tmux("capture-pane", "-p");
  const press = (key: string | { readonly press: Key }) =>
    tmux("send-keys", ...(typeof key === "string" ? ["-l", "--", key] : [key.press]));
  /** Resolves when the shell waits for a line: what is entered while it changes the modes of the terminal might be lost. */
  const requested = async () =>
    until(
      () => {
        const [column, row] = tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").split(" ").map(Number);
        return column === 4 && screen().split("\n")[row ?? 0] === "at>";
      },
      () => `the shell does not wait for a line:\n${screen()}`,
    );
  const send = async (keys: readonly (string | { readonly press: Key })[]) => {
    await requested();
    for (const key of keys) {
      const before = sizeOf(answers);
      press(key);
      if (key !== tabKey) continue;
      await until(
        () => sizeOf(answers) > before,
        () => `the program was not asked what fits:\n${screen()}`,
      );
    }
  };
  const captureArguments = async (...keys: readonly (string | { readonly press: Key })[]) => {
    rmSync(note, { force: true });
    await send([...keys, { press: "Enter" }]);
    await until(
      () => sizeOf(note) > 0,
      () => `the program was not called:\n${screen()}`,
    );
    return readFileSync(note, "utf8").split("\0").slice(0, -1);
  };
  const waitForText = async (text: string, ...keys: readonly (string | { readonly press: Key })[]) => {
    await send(keys);
    await until(
      () => screen().includes(text),
      () => `the screen does not show ${text}:\n${screen()}`,
    );
    // Ctrl-C would do too, but the terminal forgets with it what is entered next.
    press({ press: "C-u" });
  };
  const ready = async () => {
    await until(
      () => /\S/.test(screen()),
      () => "the shell says nothing",
    );
    for (const key of [shells[shell].prompt, { press: "Enter" }] as const) press(key);
    await send([shells[shell].setUp, { press: "Enter" }]);
    await captureArguments("cal ready");
  };
  await ready().catch((error: unknown) => {
    close();
    throw error;
  });
  return { folder, captureArguments, waitForText, close };
}

/** Bytes of a file; none where it is not there yet. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function until(holds: () => boolean, otherwise: () => string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(otherwise());
}
