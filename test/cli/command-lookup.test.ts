// Words that users type for commands with other names.

import { describe, expect, test } from "vitest";
import { getSynonyms, lookupCommand } from "../../src/cli/command-lookup.ts";
import { commandTree } from "../../src/cli/command-tree.ts";
import { parseCommandLine } from "../../src/cli/program.ts";
import { createSession, splitCommandLine } from "../helpers/session.ts";

const cal = createSession();

test.each([
  ["whoami", "cal auth status"],
  ["login", "cal auth login"],
  ["logout", "cal auth logout"],
  ["auth whoami", "cal auth status"],
  ["events search", "cal events list --search <text>"],
  ["events search jazz --limit 3", "cal events list --search <text>"],
  ["event show-all", "cal events list --all"],
  ["events cancel 103", "cal events update <ref> --status draft or cal events delete <ref>"],
  ["venue rename 21", "cal venues update <ref> --venue <text>"],
  ["tags remove 12", "cal tags delete <ref>"],
  ["help whoami", "cal auth status"],
])("cal %s is unknown, and the command is suggested", async (line, instead) => {
  const { stdout, stderr, code } = await cal(line);
  expect([stdout, code, stderr.split("\n")[0]]).toEqual(["", 2, expect.stringContaining(`"; did you mean ${instead}?`)]);
});

test("a word that fits only some resources is suggested for those alone", async () => {
  expect((await cal("tags publish 12")).stderr).toMatch(/^cal: unknown command "tags publish"\n/);
});

describe.each([undefined, ...commandTree.groups.map(({ name }) => name)])("the synonyms of %s", (group) => {
  test.each(Object.entries(getSynonyms(group)))("%s is no command, and the suggested line is one", async (word, lines) => {
    expect(lookupCommand(commandTree, group === undefined ? [word] : [group, word]).kind).toBe("unknown");
    for (const command of lines.map((line) => line.replace(/^cal /, ""))) {
      const parsed = await parseCommandLine(splitCommandLine(command.replace(/@?<[^>]+>/g, "1")), commandTree, "0");
      expect(parsed.kind, command).toBe(command === "--version" ? "text" : "command");
    }
  });
});
