// The command tree as a whole is consistent, and everything that it names is documented.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { dateWords } from "../../src/cli/completion/complete.ts";
import { environmentVariables, globalFlags, outputFormats, withoutOwn } from "../../src/cli/global-flags.ts";
import { topics } from "../../src/cli/help-topics.ts";
import { parseCommandLine } from "../../src/cli/program.ts";
import { getFlagNames } from "../../src/commands/command.ts";
import { settingDefinitions } from "../../src/config/settings.ts";
import { anchorWords } from "../../src/dates/day.ts";
import { exportFormats } from "../../src/output/report.ts";
import { splitCommandLine } from "../helpers/session.ts";

const { commands, groups } = commandTree;

const findDuplicates = (list: readonly string[]) => list.filter((one, at) => list.indexOf(one) !== at);
const documented = new Set(environmentVariables.flatMap(({ name }) => name.split(", ")));

describe.each(commands.map((spec) => ({ name: spec.path.join(" "), spec })))("cal $name", ({ spec }) => {
  test("has no flag twice, with the global flags", () => {
    const flags = [...withoutOwn(globalFlags, spec.flags), ...spec.flags];
    expect(findDuplicates(flags.flatMap(getFlagNames))).toEqual([]);
    expect(findDuplicates(flags.flatMap(({ short }) => short ?? []))).toEqual([]);
  });

  test("has details of at most 400 characters; longer texts belong in a topic", () => {
    expect((spec.details ?? "").length).toBeLessThanOrEqual(400);
  });

  test("has examples, and each is valid", async () => {
    expect(spec.examples.length).toBeGreaterThan(0);
    for (const { command } of spec.examples) {
      const [, line] = /(?:^|\| |\$\(|<\()cal (.*?)(?:\)"?.*| [|>] .*)?$/.exec(command) ?? [];
      expect(line, command).toBeDefined();
      await expect(parseCommandLine(splitCommandLine(line ?? ""), commandTree, "0"), command).resolves.toBeDefined();
    }
  });
});

test("no two commands or groups have a name in common", () => {
  expect(
    findDuplicates(
      commands.flatMap(({ path, aliases = [] }) =>
        [path, ...aliases.map((alias) => [...path.slice(0, -1), alias])].map((one) => one.join(" ")),
      ),
    ),
  ).toEqual([]);
  const first = [
    ...groups.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...commands.filter(({ path }) => path.length === 1).flatMap(({ path, aliases = [] }) => [...path, ...aliases]),
  ];
  expect(findDuplicates([...first, ...topics.map(({ name }) => name).filter((name) => name !== "auth")])).toEqual([]);
});

test("every command is found by its first word", () => {
  const heads = new Set(commands.map(({ path: [first = ""] }) => first));
  expect([...heads].flatMap((word) => commandTree.findByFirstWord(word))).toEqual(commands);
});

test("every command of two words belongs to a group, and every group has commands", () => {
  const heads = new Set(commands.flatMap(({ path }) => (path.length === 2 ? [path[0]] : [])));
  expect([...heads].sort()).toEqual(groups.map(({ name }) => name).sort());
});

test("every variable that a flag names or the sources read is documented", () => {
  expect(globalFlags.flatMap(({ env }) => env?.split(", ") ?? []).filter((name) => !documented.has(name))).toEqual([]);
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const read = files.flatMap((path) =>
    [...readFileSync(join(src, path), "utf8").matchAll(/\benv\["((?:CAL|XDG)_\w+)"\]/g)].map(([, name]) => name ?? ""),
  );
  expect([...new Set(read)].filter((name) => !documented.has(name))).toEqual([]);
});

test("a setting has the choices of its flag", () => {
  const both = settingDefinitions.flatMap(({ flag, choices }) =>
    globalFlags.filter(({ name }) => name === flag).map((own) => [choices, own.choices]),
  );
  expect(both.filter(([, own]) => own !== undefined).length).toBeGreaterThan(0);
  expect(both.map(([stored]) => stored)).toEqual(both.map(([, entered]) => entered));
});

test("the formats of the help are the choices of the flag", () => {
  const choices = globalFlags.find(({ name }) => name === "format")?.choices ?? [];
  expect(outputFormats.map(({ name }) => name)).toEqual([...choices, ...exportFormats]);
});

test("the words that completion offers for dates are words of the date grammar", () => {
  expect(dateWords.filter((word) => !anchorWords.includes(word))).toEqual([]);
});
