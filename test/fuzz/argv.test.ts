// Whatever is entered: a known exit code that is not 1, no stack trace, and a message where it failed.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { type CommandResult, createSession } from "../helpers/session.ts";
import { getRunOptions } from "./runs.ts";
import { createCommandLineArbitrary } from "./words.ts";

const server = await startRequestRecorder();
const nowhere = "http://127.0.0.1:9";
const cal = createSession({
  env: {
    CAL_SANDBOX: "0",
    CAL_BASE_URL: server.url,
    CAL_TOKEN: "s3cr3t",
    CAL_RETRIES: "1",
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    CI: "1",
  },
});
const files = ["missing", "folder", "text.json", "broken.json"].map((name) => join(cal.folder, "files", name));
mkdirSync(join(cal.folder, "files", "folder"), { recursive: true });
writeFileSync(join(cal.folder, "files", "text.json"), '{"title":"x"}');
writeFileSync(join(cal.folder, "files", "broken.json"), "\u0000{");
const line = createCommandLineArbitrary({ urls: [server.url, nowhere], files });
const codes = new Set([0, ...Object.values(exitCodes).filter((code) => code !== exitCodes.internal)]);

/** What is wrong with an outcome; nothing for most. */
function faultsOf(argv: readonly string[], { stdout, stderr, code }: CommandResult): readonly string[] {
  return [
    ...(codes.has(code) ? [] : [`exit ${code}`]),
    ...(/^\s+at .+:\d+|internal error|TypeError|RangeError/m.test(stdout + stderr) ? ["a stack trace"] : []),
    ...(code !== 0 && stdout + stderr === "" ? ["no message"] : []),
    ...((printsToken(argv) ? stderr : stdout + stderr).includes("s3cr3t") ? ["the token"] : []),
  ];
}

/** `cal auth token` prints it: that is what it is for. */
function printsToken(argv: readonly string[]): boolean {
  return argv.includes("auth") && argv.includes("token");
}

test("any command line ends in a known way", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      rmSync(join(cal.folder, "config"), { recursive: true, force: true });
      const outcome = await cal.runArgs(argv, "x\n");
      expect({ argv, faults: faultsOf(argv, outcome) }, JSON.stringify(outcome)).toEqual({ argv, faults: [] });
    }),
    getRunOptions(400),
  );
}, 600_000);
