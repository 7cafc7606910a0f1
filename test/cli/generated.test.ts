// The committed files that are generated from the command tree are up to date, and commands print the same.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { renderManPage } from "../../scripts/docs/man.ts";
import { commandTree } from "../../src/cli/command-tree.ts";
import { globalFlags } from "../../src/cli/global-flags.ts";
import { exitCodes } from "../../src/errors.ts";
import { resources } from "../../src/model/resources.ts";
import { createSession } from "../helpers/session.ts";

const { commands } = commandTree;

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const cal = createSession({ env: { CAL_SANDBOX: "0" } });

const files = [
  ["bash", "cal.bash"],
  ["zsh", "_cal"],
  ["fish", "cal.fish"],
  ["powershell", "cal.ps1"],
] as const;

describe("completion scripts", () => {
  test.each(files)("cal completion %s prints completions/%s and no more in a pipe", async (shell, file) => {
    expect(await cal(`completion ${shell}`)).toEqual({ stdout: read(`completions/${file}`), stderr: "", code: 0 });
  });

  test.each(files)("on a terminal the script of %s comes with how to install it", async (shell, file) => {
    const { stdout, stderr, code } = await createSession({ env: { CAL_SANDBOX: "0" }, columns: 80 })(`completion ${shell}`);
    expect({ stdout, code }).toEqual({ stdout: read(`completions/${file}`), code: 0 });
    expect(stderr).toMatch(new RegExp(`^\nTo install it:\n  .*cal completion ${shell}`));
  });

  test.each([
    ["bash", "completions/cal.bash"],
    ["zsh", "completions/_cal"],
    ["fish", "completions/cal.fish"],
  ])("%s accepts its script, and both names are in it", (shell, file) => {
    const check = spawnSync(shell, ["-n", join(root, file)], { encoding: "utf8" });
    if (check.error === undefined) expect({ code: check.status, stderr: check.stderr }).toEqual({ code: 0, stderr: "" });
    expect(read(file)).toMatch(/\bcal\b.*\bcalctl\b|-c cal [\s\S]*-c calctl /);
  });
});

describe("the man page", () => {
  const page = read("docs/man/cal.1");

  test("is up to date", () => {
    expect(page).toBe(renderManPage(commandTree, packageJson.version));
  });

  test("has every command and flag, and no line that roff reads as a request", () => {
    const plain = page.replaceAll("\\-", "-");
    for (const { path } of commands) expect(plain).toContain(`.SS "cal ${path.join(" ")}`);
    for (const { name } of globalFlags) expect(plain).toMatch(new RegExp(`^\\.B .*--(\\[no-\\])?${name}\\b`, "m"));
    expect(page.split("\n").filter((line) => /^[.']/.test(line) && !/^\.(TH|SH|SS|PP|TP|B|I|br)\b/.test(line))).toEqual([]);
  });

  test("is installed under both names", () => {
    expect(packageJson.man).toEqual(["docs/man/cal.1", "docs/man/calctl.1"]);
    expect(read("docs/man/calctl.1")).toBe(".so man1/cal.1\n");
  });
});

describe("cal schema", () => {
  const document = async (line: string) => JSON.parse((await cal(line)).stdout);

  test("is one JSON object with everything", async () => {
    const value = await document("schema");
    expect(Object.keys(value)).toEqual(["version", "commands", "global_flags", "resources", "formats", "environment", "exit_codes"]);
    expect(value.version).toBe(packageJson.version);
    expect(value.commands.map(({ command }: { command: string }) => command)).toEqual(commands.map(({ path }) => path.join(" ")));
    expect(value.commands.map(({ flags }: { flags: unknown[] }) => flags.length)).toEqual(commands.map(({ flags }) => flags.length));
    expect(value.resources.map(({ name, fields }: { name: string; fields: unknown[] }) => [name, fields.length])).toEqual(
      Object.values(resources).map(({ name, fields }) => [name, fields.length]),
    );
    expect(new Set(value.exit_codes.map(({ code }: { code: number }) => code))).toEqual(new Set([0, ...Object.values(exitCodes)]));
    expect(value.environment.every(({ name }: { name: string }) => /^[A-Z_]+$/.test(name))).toBe(true);
  });

  test("of one command, of a group, and of a command without a resource", async () => {
    const one = await document("schema event add");
    expect([one.commands.length, one.commands[0].command, one.resources.length, one.resources[0].name]).toEqual([
      1,
      "events create",
      1,
      "events",
    ]);
    expect(one.commands[0].flags[0]).toEqual({ name: "title", type: "text", value: "text", meaning: "Title (required)", group: "Fields" });
    expect(one.resources[0].fields[0]).toEqual({ name: "title", type: "string", required: true, meaning: "Title", flag: "--title" });
    expect(one.resources[0].fields.find(({ name }: { name: string }) => name === "venue").refers_to).toBe("venues");
    const group = await document("schema tags");
    expect([group.commands.length, group.resources.length]).toEqual([11, 1]);
    expect((await document("schema config get")).resources).toEqual([]);
  });

  test("unknown words are exit 2 with a suggestion", async () => {
    expect(await cal("schema evnts")).toEqual({
      stdout: "",
      stderr: 'cal: unknown command "evnts"; did you mean events?\nhint: all commands: cal help\n',
      code: 2,
    });
  });
});
