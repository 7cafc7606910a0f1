// The examples of the help and the reference: each can be typed, and those that need no site of one's own do their work on a fresh sandbox.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { parseCommandLine } from "../../src/cli/program.ts";
import { resources } from "../../src/model/resources.ts";
import { splitCommandLine } from "../helpers/session.ts";
import { findPrograms, openShell, splitPipeline } from "./shell.ts";

const { commands } = commandTree;

const examples = commands.flatMap(({ path, examples }) => examples.map(({ command }) => ({ path, command })));

/** Commands that need an earlier write or a saved plan, a folder of files, that end by Ctrl-C, or that speak to a site (with a trash), a browser, a keychain or an editor of the user. */
const notHere = [
  ...[
    "sandbox serve",
    "init",
    "auth",
    "api GET /wp",
    "undo",
    "-p live undo",
    "apply",
    "diff",
    "validate",
    "series show",
    "series update",
    "series shift",
    "series delete",
  ],
  ...Object.keys(resources).flatMap((name) => [`${name} edit`, `${name} restore`]),
];

test("every command has an example of itself", () => {
  const without = commands.filter(
    ({ path, examples: own }) => !own.some(({ command }) => command.replace(/ -p \w+/, "").includes(`cal ${path.join(" ")}`)),
  );
  expect(without.map(({ path }) => path.join(" "))).toEqual([]);
});

test.each(examples)("$command can be typed", async ({ command }) => {
  const calls = splitPipeline(command).filter((stage) => stage.startsWith("cal "));
  for (const call of calls) expect((await parseCommandLine(splitCommandLine(call.slice(4)), commandTree, "0")).kind).toBe("command");
});

describe("on a fresh sandbox", () => {
  const shell = openShell();
  writeFileSync(
    join(shell.folder, "event.json"),
    JSON.stringify({ title: "From a file", start_date: "2027-02-01 10:00:00", end_date: "2027-02-01 11:00:00" }),
  );
  for (const { name, titleField, hasDates } of Object.values(resources)) {
    const [header, cells] = hasDates ? [",start_date,end_date", ",2027-02-01 10:00,2027-02-01 11:00"] : ["", ""];
    writeFileSync(join(shell.folder, `${name}.csv`), `${titleField}${header}\nFrom a table${cells}\n`);
  }
  const here = examples.filter(({ command }) => !notHere.some((words) => command.includes(`cal ${words}`)));

  test.for(here)("$command", async ({ command }, { skip }) => {
    const missing = findPrograms([command]).filter((program) => spawnSync("bash", ["-c", `type ${program}`]).status !== 0);
    if (missing.length > 0 && !process.env["CI"]) skip(`not installed: ${missing.join(" ")} (apt-get install jq)`);
    await shell.runLine("cal sandbox reset --yes");
    await shell.runLine("cal profile remove work --yes");
    if (!command.includes("profile add")) await shell.runLine("cal profile add work --base-url https://calendar.example.com/wp-json");
    const line = command
      .replace("@event.json", `@${shell.folder}/event.json`)
      .replace(/ import (?=\w+\.csv)/, ` import ${shell.folder}/`)
      .replace(/ pull (?=\w+)/, ` pull ${shell.folder}/`);
    const { stderr } = await shell.runLine(line);
    expect(await shell.runLine("echo $?"), stderr.join("\n")).toEqual({ stdout: ["0"], stderr: [] });
  });
});
