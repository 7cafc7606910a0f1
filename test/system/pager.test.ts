// The program's output in a pager, which has the terminal while the program still runs and after it has ended.

import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildTestProgram, findMissingPrograms, openTerminal, type Terminal } from "./terminal.ts";

const missing = findMissingPrograms();

describe("in a pager", () => {
  if (missing !== undefined) return test.skip(`a real terminal: ${missing}`);
  let built: BuiltProgram;
  let terminal: Terminal;
  /** A calendar that answers when the test says so. */
  const calendar = createServer();

  beforeAll(async () => {
    built = buildTestProgram();
    calendar.listen(0, "127.0.0.1");
    await once(calendar, "listening");
    terminal = await openTerminal(built, 100, 12);
  }, 120_000);

  afterAll(() => {
    calendar.close();
    terminal?.close();
    if (built !== undefined) rmSync(built.folder, { recursive: true, force: true });
  });

  test("a table keeps its colours where they are requested", async () => {
    terminal.run("cal events list --all-dates --all --format table --color always | less -R");
    await terminal.waitForText(/^ID +START/m);
    expect(terminal.captureColours()).toContain("\u001b[");
    expect(await terminal.waitForText(/^:/m)).not.toMatch(/ESC|\^\[/);
    terminal.press("G");
    await terminal.waitForText("(END)");
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test("the pager gets each key also where cal started before it and ends while it reads", async () => {
    const go = join(terminal.folder, "go");
    const lets = once(calendar, "request");
    const site = `CAL_SANDBOX=0 CAL_TOKEN=x CAL_BASE_URL=http://127.0.0.1:${(calendar.address() as AddressInfo).port}`;
    terminal.run(`(${site} cal tags list; echo left:$? >&2) | { until [ -e '${go}' ]; do sleep 0.05; done; exec less; }`);
    const [, answer] = (await lets) as [IncomingMessage, ServerResponse];
    writeFileSync(go, "");
    await terminal.waitForRawMode();
    answer
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ tags: [{ id: 17, name: "jazz" }], total: 1, total_pages: 1 }));
    await terminal.waitForText("left:0");
    await terminal.waitForText("jazz");
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test("help and lists that are longer than the screen come in the pager, tables as wide as the terminal", async () => {
    terminal.run("cal help dates");
    await terminal.waitForText(/^:/m);
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
    terminal.run("cal events list --all-dates --all");
    const screen = await terminal.waitForText(/^:/m);
    expect(screen).toMatch(/^ID +START/m);
    expect(Math.max(...screen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(terminal.captureColours()).not.toMatch(/ESC|\^\[/);
    // Ctrl-C is for the pager.
    terminal.press("C-c");
    // The terminal drops keys that come before the pager has handled it.
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await terminal.waitForText(/\(END\)|^:/m)).includes("(END)")) break;
      terminal.press("G");
    }
    await terminal.waitForText("(END)");
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test.each([
    ["what fits on the screen", "CAL_PAGER=", "cal venues get 23 --fields id,venue", /^venue +Town Hall/m],
    ["--no-pager", "", "cal tags list --fields id --no-pager", /^ended/m],
    ["CAL_PAGER=cat", "CAL_PAGER=cat", "cal tags list --fields id", /^ended/m],
    ["a pager that is not there", "CAL_PAGER=no-such-pager", "cal venues list --fields id", /^ *\d+$/m],
  ])("%s is printed without it", async (_name, env, line, shown) => {
    const pager = join(terminal.folder, "paged");
    rmSync(pager, { force: true });
    terminal.run(`PAGER="touch '${pager}'; cat" ${env} ${line}`);
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText(shown);
    expect(existsSync(pager)).toBe(false);
  });

  test("CAL_PAGER wins over the setting, and the setting over PAGER; none of them gets a secret", async () => {
    const listed = (name: string) => `env > '${join(terminal.folder, name)}'; cat > /dev/null`;
    terminal.run(`cal config set pager "${listed("setting")}" -q; PAGER=false cal help dates`);
    expect(await terminal.waitForExitCode()).toBe(0);
    expect(readFileSync(join(terminal.folder, "setting"), "utf8")).toContain("HOME=");
    const secrets = "CAL_TOKEN=secret CAL_PASSWORD=secret CAL_CLIENT_SECRET_FILE=/secret";
    terminal.run(`${secrets} CAL_PAGER="${listed("variable")}" cal help dates`);
    expect(await terminal.waitForExitCode()).toBe(0);
    const env = readFileSync(join(terminal.folder, "variable"), "utf8");
    expect(env).toMatch(/^LESS=FRX$/m);
    expect(env).not.toMatch(/secret|CAL_(?:TOKEN|PASSWORD|CLIENT_SECRET)(?:_FILE)?=/);
    terminal.run("cal config unset pager -q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test("a command ends when its pager is left, although the next page has not come", async () => {
    const site = `CAL_SANDBOX=0 CAL_TOKEN=x CAL_BASE_URL=http://127.0.0.1:${(calendar.address() as AddressInfo).port}`;
    const first = once(calendar, "request");
    terminal.run(`${site} cal tags list --all --format ndjson --timeout 10m`);
    const tags = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, name: `tag ${at + 1}` }));
    const [, answer] = (await first) as [IncomingMessage, ServerResponse];
    answer.setHeader("content-type", "application/json").end(JSON.stringify({ tags, total: 100, total_pages: 2 }));
    await terminal.waitForText('"tag 1"');
    await terminal.waitForRawMode();
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test("a pager that is left early, and head, are no failure", async () => {
    terminal.run("(cal events list --all-dates --all --format ndjson; echo left:$? >&2) | less");
    await terminal.waitForText(/^:/m);
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText("left:0");
    terminal.run("(cal events list --all-dates --all; echo left:$? >&2) | head -n 2");
    expect(await terminal.waitForExitCode()).toBe(0);
    expect(await terminal.waitForText("left:0")).toMatch(/^id +start_date/m);
  });
});
