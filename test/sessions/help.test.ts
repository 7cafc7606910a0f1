// Help and version: wherever they are requested, and never a request.

import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { commandTree } from "../../src/cli/command-tree.ts";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const { commands, groups } = commandTree;

const server = await startRequestRecorder();
const env = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n", CAL_TZ: "America/New_York" };
const cal = createSession({ env });

describe("help", () => {
  test("cal alone says what it is and how to get on", async () => {
    const { stdout, stderr, code } = await cal("");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    for (const word of ["events", "--sandbox", "init", "--help"]) expect(stdout).toContain(word);
  });

  test("--version and -V print the version alone", async () => {
    for (const line of ["--version", "-V", "events --version", "events list --version"]) {
      expect(await cal(line)).toEqual({ stdout: `${packageJson.version}\n`, stderr: "", code: 0 });
    }
  });

  test.each(groups.flatMap(({ name, aliases }) => [name, ...aliases]))(
    "cal %s alone, and with --help, names its commands",
    async (group) => {
      const name = groups.find((one) => one.name === group || one.aliases.includes(group))?.name;
      const words = commands.filter(({ path }) => path[0] === name).map(({ path }) => path[1] ?? "");
      for (const line of [group, `${group} --help`, `${group} -h`]) {
        const { stdout, stderr, code } = await cal(line);
        expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
        for (const word of words) expect(stdout).toContain(word);
      }
    },
  );

  // The page of `help` itself is that of all commands.
  const specs = commands.filter(({ path }) => path[0] !== "help");

  test.each(specs.map((spec) => ({ spec, words: spec.path.join(" ") })))(
    "cal $words --help names every flag, argument and example",
    async ({ spec, words }) => {
      const { stdout, stderr, code } = await cal(`${words} --help`);
      expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
      const text = stdout.replace(/\s+/g, " ");
      for (const { name } of spec.flags) expect(text).toMatch(new RegExp(`--(?:\\[no-\\])?${name}\\b`));
      for (const { name } of spec.args) expect(text).toContain(name);
      for (const { command } of spec.examples) expect(text).toContain(command.replace(/\s+/g, " "));
      expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    },
  );

  test("--help is no request, wherever it stands", async () => {
    for (const line of ["--help events delete 7", "events delete 7 --yes --help", "events create --help --title X"])
      expect((await cal(line)).code).toBe(0);
    expect(server.receivedRequests).toEqual([]);
  });
});
