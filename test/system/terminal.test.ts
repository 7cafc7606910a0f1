// The program at a real terminal: questions, arrow keys, Ctrl-C, an editor, and small and changing windows.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildTestProgram, findMissingPrograms, openTerminal, type Terminal } from "./terminal.ts";

const missing = findMissingPrograms();

describe("at a terminal", () => {
  if (missing !== undefined) return test.skip(`a real terminal: ${missing}`);
  let built: BuiltProgram;
  const open: Terminal[] = [];

  beforeAll(() => {
    built = buildTestProgram();
  }, 120_000);

  afterAll(() => {
    for (const terminal of open) terminal.close();
    if (built !== undefined) rmSync(built.folder, { recursive: true, force: true });
  });

  const terminalOf = async (columns = 100, rows = 40, env: Readonly<Record<string, string>> = {}) => {
    const terminal = await openTerminal(built, columns, rows, env);
    open.push(terminal);
    return terminal;
  };

  /** Adds no more fields, and publishes. */
  const publish = async (terminal: Terminal) => {
    await terminal.waitForText("❯ No, go on");
    terminal.press("Enter");
    await terminal.waitForText("❯ Publish");
    terminal.press("Enter");
  };

  /** A script that stands in for an editor. */
  const editorOf = (terminal: Terminal, script: string) => {
    const path = join(terminal.folder, "editor.sh");
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  };

  test("create asks for what is missing; keys edit the answer, a bad one is reported", async () => {
    const terminal = await terminalOf();
    terminal.run("cal events create --start-date '2027-02-01 20:00' --fields title,end_date");
    await terminal.waitForText("? Title");
    terminal.type("Nigt");
    await terminal.waitForText("? Title Nigt");
    terminal.press("Left");
    terminal.type("h");
    await terminal.waitForText("? Title Night");
    terminal.press("Home");
    terminal.type("A");
    await terminal.waitForText("? Title ANight");
    terminal.type(" ");
    await terminal.waitForText("? Title A Night");
    terminal.press("Enter");
    await terminal.waitForText("? End, or how long");
    terminal.type("01/02/2027");
    terminal.press("Enter");
    await terminal.waitForText("is not a date: day and month can be in either order");
    terminal.press("C-u");
    terminal.press("Enter");
    await publish(terminal);
    expect(await terminal.waitForExitCode()).toBe(0);
    expect(await terminal.waitForText(/^title +A Night$/m)).toMatch(/^end_date +2027-02-01 21:00$/m);
  });

  test("a text pasted into the middle of an answer stays together and in its place", async () => {
    const terminal = await terminalOf();
    terminal.run("cal events create --start-date '2027-02-01 20:00' --duration 2h --field title");
    await terminal.waitForText("? Title");
    terminal.type("Jazzt");
    await terminal.waitForText("? Title Jazzt");
    terminal.press("Left");
    terminal.type(" 🎷 Nigh");
    await terminal.waitForText("? Title Jazz 🎷 Night");
    terminal.press("Enter");
    await publish(terminal);
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^Jazz 🎷 Night$/m);
  });

  test("a question that was put aside with Ctrl-Z goes on after fg, as often as it is", async () => {
    const terminal = await terminalOf();
    terminal.run("cal events create --start-date '2027-02-01 20:00' --duration 2h --field title");
    await terminal.waitForText("? Title");
    for (const text of ["Jazz", " Nig"]) {
      terminal.type(text);
      await terminal.waitForText(text);
      terminal.press("C-z");
      expect(await terminal.waitForExitCode()).toBeGreaterThan(128);
      await terminal.resumeProgram();
      await terminal.waitForText(/^\? Title/m);
      await terminal.waitForRawMode();
    }
    terminal.type("ht");
    await terminal.waitForText("? Title Jazz Night");
    terminal.press("Enter");
    await publish(terminal);
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^Jazz Night$/m);
    terminal.run("cal events create");
    await terminal.waitForText("? Title");
    terminal.press("C-z");
    expect(await terminal.waitForExitCode()).toBeGreaterThan(128);
    await terminal.resumeProgram();
    await terminal.waitForText(/^\? Title/m);
    terminal.press("C-c");
    expect(await terminal.waitForExitCode()).toBe(130);
  });

  test("a choice that was put aside is shown whole after fg, with the cursor back in the shell meanwhile", async () => {
    const terminal = await terminalOf();
    terminal.run("cal events get 'name:Town Meeting' --field id");
    await terminal.waitForText("❯ 118 Town Meeting");
    terminal.press("Down");
    await terminal.waitForText("❯ 119 Town Meeting");
    terminal.press("C-z");
    expect(await terminal.waitForExitCode()).toBeGreaterThan(128);
    expect(await terminal.readState()).toMatch(/cursor 1$/);
    await terminal.resumeProgram();
    const screen = await terminal.waitForText("❯ 119 Town Meeting");
    expect(screen.match(/\d Town Meeting/g)).toHaveLength(5);
    terminal.press("Down");
    expect((await terminal.waitForText("❯ 120 Town Meeting")).match(/\d Town Meeting/g)).toHaveLength(5);
    terminal.press("Enter");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^120$/m);
  });

  test("arrow keys choose among records of one name", async () => {
    const terminal = await terminalOf();
    terminal.run("cal events get 'name:Town Meeting' --field id");
    await terminal.waitForText("? Which event?");
    terminal.press("Down", "Down");
    await terminal.waitForText("❯ 120 Town Meeting");
    terminal.press("Up");
    await terminal.waitForText("❯ 119 Town Meeting");
    // They went to the first choice.
    terminal.press("Left", "Escape", "Enter");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^119$/m);
  });

  describe("Ctrl-C, and Ctrl-D for an answer, is exit 130 and leaves the terminal as it was", () => {
    let terminal: Terminal;
    let before = "";
    beforeAll(async () => {
      terminal = await terminalOf();
      before = await terminal.readState();
      expect(before).toMatch(/^[\da-f:]+ cursor 1$/);
    });

    const login =
      "cal auth login --base-url https://calendar.example --auth-url https://login.example --client-id x --username admin --insecure-storage";
    const retitle = `sed -i 's/^title: .*/title: Other/' "$1"`;
    const broken = `echo 'title: [' > "$1"`;
    test.each<[string, string, string, string]>([
      ["a text", "cal events create", "? Title", ""],
      ["the text after it", "cal events create --title A", "? Start date and time", ""],
      ["yes or no", "cal events delete 103", "? Delete event 103", ""],
      ["a choice", "cal events get 'name:Town Meeting'", "? Which event?", ""],
      ["a secret", `CAL_SANDBOX=0 ${login} --method password`, "? Client secret", ""],
      ["a change to be sent", "cal events edit 103", "? Send this change?", retitle],
      ["a text to be mended", "cal events edit 103", "? Edit it again?", broken],
    ])("%s", async (_name, line, question, script) => {
      terminal.run(`EDITOR=${editorOf(terminal, script)} ${line}`);
      await terminal.waitForText(question);
      terminal.press("C-c");
      expect(await terminal.waitForExitCode()).toBe(130);
      if (script !== "") await terminal.waitForText(/your text is kept for 30 days; to send it:\s+cal events update 103 --data @/);
      expect(await terminal.readState()).toBe(before);
      terminal.run(`EDITOR=${editorOf(terminal, script)} ${line}`);
      await terminal.waitForText(question);
      terminal.press("C-d");
      expect(await terminal.waitForExitCode()).toBe(130);
      expect(await terminal.readState()).toBe(before);
    });

    test("and so does an end by SIGTERM, with 143", async () => {
      const file = join(terminal.folder, "pid");
      terminal.run(`sh -c 'echo $$ > ${file}; exec cal events get "name:Town Meeting"'`);
      await terminal.waitForText("? Which event?");
      process.kill(Number(readFileSync(file, "utf8")), "SIGTERM");
      expect(await terminal.waitForExitCode()).toBe(143);
      expect(await terminal.readState()).toBe(before);
    });

    test("in an editor it is the editor's", async () => {
      terminal.run(
        `EDITOR=${editorOf(terminal, "trap 'echo heard >&2' INT; echo ready >&2; sleep 9; sleep 0.1; exit 0")} cal events edit 103`,
      );
      await terminal.waitForText("ready");
      terminal.press("C-c");
      await terminal.waitForText("heard");
      expect(await terminal.waitForExitCode()).toBe(0);
      await terminal.waitForText("nothing to change");
    });
  });

  test("an editor changes a record, and no text is left behind", async () => {
    const terminal = await terminalOf();
    const script = editorOf(terminal, `sed -i 's/^title: .*/title: "By hand"/; s/^venue: .*/venue: Town Hall/' "$2"`);
    terminal.run(`EDITOR='${script} --wait' VISUAL= cal events edit 103 --fields title,venue.venue`);
    const shown = await terminal.waitForText("? Send this change?");
    expect(shown).toMatch(/- title: Jazz Night\n\+ title: By hand\n/);
    terminal.press("Enter");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^venue.venue +Town Hall$/m);
    expect(readdirSync(join(terminal.folder, "state")).filter((name) => name.startsWith("edit-"))).toEqual([]);
    terminal.run("EDITOR=/nowhere/editor cal events edit 103");
    expect(await terminal.waitForExitCode()).toBe(10);
    await terminal.waitForText("hint: name another one in VISUAL or EDITOR");
  });

  test("a window that is made smaller and wider while a question is shown", async () => {
    const terminal = await terminalOf(100, 30);
    terminal.run("cal events create --start-date '2027-02-01 20:00' --duration 2h --field title");
    await terminal.waitForText("? Title");
    terminal.type("Half");
    terminal.resize(40, 20);
    await terminal.waitForText("Half");
    terminal.type(" and half");
    terminal.resize(120, 30);
    await terminal.waitForText("? Title Half and half");
    terminal.press("Enter");
    await publish(terminal);
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^Half and half$/m);
  });

  test("a window of 40 columns: tables fit, questions and choices can be read", async () => {
    const terminal = await terminalOf(40, 40);
    terminal.run("cal venues list");
    expect(await terminal.waitForExitCode()).toBe(0);
    const table = (await terminal.waitForText(/^ID /m)).split("\n");
    expect(table.filter((line) => /^2\d /.test(line)).length).toBe(8);
    terminal.run("cal events get 'name:Town Meeting' --field id");
    await terminal.waitForText(/\? Which event\?/);
    terminal.press("Down", "Enter");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^119$/m);
  });

  test.each([
    ["TERM=dumb", { TERM: "dumb" }],
    ["NO_COLOR", { NO_COLOR: "1" }],
  ])("%s: data without colours, and a question can be answered", async (_name, env) => {
    const terminal = await terminalOf(100, 30, env);
    terminal.run("cal events list --all-dates --limit 5 --columns id,title,status");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^ID +TITLE/m);
    expect(terminal.captureColours()).not.toContain("\u001b[");
    terminal.run("cal tags delete 17 --field id");
    await terminal.waitForText("Delete tag 17");
    terminal.type("y");
    terminal.press("Enter");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(/^17$/m);
  });
});
