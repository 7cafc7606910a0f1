// Completion in real shells: the Tab key is pressed, and the program must be called with exactly what was meant.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { findMissingPrograms, openTerminal, type ShellName, type Terminal, tabKey } from "./completion-shell.ts";

/** Names of venues that a shell might make something of, by the letters that are typed of them. */
const names: Readonly<Record<string, string>> = {
  Blue: "Blue Note",
  k1: "k1 $(touch hacked)",
  k2: "k2 `touch hacked`",
  k3: "k3 O'Brien's",
  k4: 'k4 The "Q"',
  k5: "k5; touch hacked | cat & true",
  k6: "k6 *?[a] {b,c} ~ #d",
  k7: "k7 back\\slash \\$HOME",
  k8: "k8 wow! !! !$",
  k9: "k9 Ünïcödé 渋谷",
  m1: `m1 $HOME \${HOME} %s`,
  m2: "m2 a:b=c@d",
  m3: "m3 quoted'",
  "m4@a": "m4@a:b=c d",
  "m5:x=": "m5:x=y@z e",
};

const server = await startRequestRecorder();
const venues = Object.values(names).map((venue, index) => ({ id: 41 + index, venue, slug: `venue-${index}` }));
// A line feed, an escape sequence and a bell: what is offered has to be one line of plain text.
venues.push({ id: 90, venue: "n1 one\nn1 two\u001b[31m\u0007\ttab", slug: "n1" });
server.responses.set("/wp-json/calendar/events/v1/venues", { venues, total: venues.length });
server.responses.set("/wp-json/calendar/events/v1/events", { events: [{ id: 7, title: "Jazz Night", slug: "jazz-night" }], total: 1 });

server.responses.set("/wp-json/other/v1/venues", { venues: [{ id: 5, venue: "Other Hall", slug: "other" }], total: 1 });

const kinds: readonly ShellName[] = ["bash", "zsh", "fish"];

describe.each(kinds)("%s", (shell) => {
  const missing = findMissingPrograms(shell);
  if (missing !== undefined) return test.skip(`completion in ${shell}: ${missing}`);
  let terminal: Terminal;

  beforeAll(async () => {
    terminal = await openTerminal(shell, { CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n" });
    return () => terminal.close();
  });

  test("commands, flags and their values, under both names of the program", async () => {
    expect(await terminal.captureArguments("cal ven", tabKey, "li", tabKey, "--per", tabKey, "5 --forma", tabKey, "nd", tabKey)).toEqual([
      "venues",
      "list",
      "--per-page",
      "5",
      "--format",
      "ndjson",
    ]);
    expect(await terminal.captureArguments("calctl event up", tabKey, "7 --no-fe", tabKey)).toEqual([
      "event",
      "update",
      "7",
      "--no-featured",
    ]);
    expect(await terminal.captureArguments("cal --tz=Europe/Buch", tabKey, "events list")).toEqual([
      "--tz=Europe/Bucharest",
      "events",
      "list",
    ]);
    expect(await terminal.captureArguments("calctl help exi", tabKey)).toEqual(["help", "exit-codes"]);
  });

  test("slugs and names of records, and what they mean", async () => {
    expect(await terminal.captureArguments("cal events get ja", tabKey)).toEqual(["events", "get", "jazz-night"]);
    expect(await terminal.captureArguments("calctl events get name:ja", tabKey)).toEqual(["events", "get", "name:Jazz Night"]);
    if (shell !== "bash") await terminal.waitForText("Blue Note", "cal venues get venue-", tabKey);
  });

  test.each(Object.entries(names))("%s becomes one word, to the letter: %s", async (entered, name) => {
    expect(await terminal.captureArguments(`cal events list --venue ${entered}`, tabKey)).toEqual(["events", "list", "--venue", name]);
    expect(existsSync(join(terminal.folder, "hacked"))).toBe(false);
  });

  // zsh and fish quote by themselves; for bash the program does.
  test.each(Object.entries(names).filter(([entered]) => shell === "bash" || /^k[134]$/.test(entered)))(
    "%s inside quotes: %s",
    async (entered, name) => {
      expect(await terminal.captureArguments(`cal events list --venue "${entered}`, tabKey)).toEqual(["events", "list", "--venue", name]);
      expect(await terminal.captureArguments(`cal events list --venue '${entered}`, tabKey)).toEqual(["events", "list", "--venue", name]);
      expect(existsSync(join(terminal.folder, "hacked"))).toBe(false);
    },
  );

  test.each(["k1", "m2", "m4@a", "m5:x="])("%s after something that belongs to the word", async (entered) => {
    expect(await terminal.captureArguments(`cal events list --venue=${entered}`, tabKey)).toEqual([
      "events",
      "list",
      `--venue=${names[entered]}`,
    ]);
    expect(await terminal.captureArguments(`cal venues get name:${entered}`, tabKey)).toEqual(["venues", "get", `name:${names[entered]}`]);
    expect(await terminal.captureArguments(`cal venues get name:"${entered}`, tabKey)).toEqual(["venues", "get", `name:${names[entered]}`]);
  });

  test("control characters of a name are gone, and it stays one word", async () => {
    expect(await terminal.captureArguments("cal events list --venue n1", tabKey)).toEqual([
      "events",
      "list",
      "--venue",
      "n1 one n1 two tab",
    ]);
  });

  test("files where a file is requested", async () => {
    writeFileSync(join(terminal.folder, "my event.json"), "{}");
    writeFileSync(join(terminal.folder, "zoo.yaml"), "{}");
    expect(await terminal.captureArguments("cal events create --data=@z", tabKey)).toEqual(["events", "create", "--data=@zoo.yaml"]);
    expect(await terminal.captureArguments("cal events create --data @my", tabKey)).toEqual([
      "events",
      "create",
      "--data",
      "@my event.json",
    ]);
    expect(await terminal.captureArguments("cal --ca-file my", tabKey, "doc")).toEqual(["--ca-file", "my event.json", "doc"]);
  });

  test("nothing is offered, and nothing breaks, where nothing fits", async () => {
    expect(await terminal.captureArguments("cal events list --venue zzz", tabKey)).toEqual(["events", "list", "--venue", "zzz"]);
    expect(await terminal.captureArguments("cal nonsense zzz", tabKey)).toEqual(["nonsense", "zzz"]);
  });

  // zsh looks behind an alias by itself, and so at what it begins with, unless it is configured to complete aliases.
  const aliasesAre = (set: "setopt" | "unsetopt") => (shell === "zsh" ? `${set} completealiases; ` : "");

  test("an alias that starts the program otherwise, as a checkout does", async () => {
    await terminal.captureArguments(`${aliasesAre("setopt")}alias cal="sh ./bin/calctl"; rm bin/cal; calctl ready`);
    expect(await terminal.captureArguments("cal ven", tabKey, "get venue-0", tabKey)).toEqual(["venues", "get", "venue-0"]);
  });

  test("an alias with flags of its own, which count for what is offered", async () => {
    await terminal.captureArguments(`${aliasesAre("unsetopt")}alias cal="calctl --namespace other/v1"; calctl ready`);
    const own = ["--namespace", "other/v1"];
    expect(await terminal.captureArguments("cal events list --venue Oth", tabKey)).toEqual([
      ...own,
      "events",
      "list",
      "--venue",
      "Other Hall",
    ]);
  });
});
