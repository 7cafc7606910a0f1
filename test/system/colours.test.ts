// Colour is decided for each stream by itself: what goes to the terminal has it, what goes into a pipe or a file has none.

import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildTestProgram, findMissingPrograms, openTerminal, type Terminal } from "./terminal.ts";

const missing = findMissingPrograms();

describe("colours", () => {
  if (missing !== undefined) return test.skip(`a real terminal: ${missing}`);
  let built: BuiltProgram;
  let terminal: Terminal;

  beforeAll(async () => {
    built = buildTestProgram();
    terminal = await openTerminal(built, 100, 20);
  }, 120_000);

  afterAll(() => {
    terminal?.close();
    if (built !== undefined) rmSync(built.folder, { recursive: true, force: true });
  });

  // A message on stderr and a table on stdout, each to the terminal or through a pipe to it.
  const message = "cal tags get 999";
  const table = "cal tags get 17 --format table";
  test.each<[line: string, painted: boolean]>([
    [message, true],
    [`${message} | cat`, true],
    [`${message} 2>&1 | cat`, false],
    [`${message} --color never`, false],
    [`${message} --color always 2>&1 | cat`, true],
    [`FORCE_COLOR=1 ${message} 2>&1 | cat`, true],
    [`NO_COLOR=1 FORCE_COLOR=1 ${message}`, false],
    [`NO_COLOR=1 ${message} --color=always`, true],
    [table, true],
    [`${table} 2>&-`, true],
    [`${table} | cat`, false],
    [`${table} --no-color`, false],
    [`${table} --color always | cat`, true],
    [`FORCE_COLOR=0 ${table}`, false],
    [`TERM=dumb ${table}`, false],
  ])("%s: %s", async (line, painted) => {
    terminal.run(line);
    await terminal.waitForExitCode();
    await terminal.waitForText(/^(?:cal: There is no tag|id +17)/m);
    expect(terminal.captureColours().includes("\u001b[")).toBe(painted);
  });

  // A question is drawn on stderr, wherever stdout goes; Ctrl-C ends it, and the answer before it stays on the screen.
  const text = "cal events create --start-date 2027-02-01T20:00 --fields title,slug";
  const choice = "cal events get 'name:Town Meeting'";
  const secret =
    "CAL_SANDBOX=0 cal auth login --method password --base-url https://a.example --auth-url https://b.example --client-id x --username a --insecure-storage";
  test.each<[line: string, painted: boolean]>([
    [text, true],
    [`${text} | cat`, true],
    [`${text} --no-color`, false],
    [`${text} --color never`, false],
    [`NO_COLOR=1 ${text}`, false],
    [`TERM=dumb ${text}`, false],
    [`NO_COLOR=1 ${text} --color always`, true],
    [choice, true],
    [`${choice} | cat`, true],
    [`${choice} --no-color`, false],
    [secret, true],
    [`${secret} --no-color`, false],
  ])("the question of %s: %s", async (line, painted) => {
    // The question before it may be the same, and stand until the screen is cleared; its answers are kept, and would be offered first.
    terminal.run('rm -f "$CAL_STATE_DIR"/answers-*');
    await terminal.waitForExitCode();
    terminal.run(line);
    if (line.includes(text)) {
      await terminal.waitForText(/^\? Title/m);
      terminal.type("Night");
      terminal.press("Enter");
      await terminal.waitForText(/^\? End, or how long/m);
    } else await terminal.waitForText(/^\? (?:Which event\?$|Client secret \(.*\) \[input is masked\]$)/m);
    const colours = terminal.captureColours();
    terminal.press("C-c");
    await terminal.waitForExitCode();
    expect(colours.includes("\u001b[")).toBe(painted);
  });
});
