// Where the output is JSON, a failure is the last line of stderr, whatever was said before it: every command, and failures with notices.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { type CommandResult, createSession } from "../helpers/session.ts";

const { commands } = commandTree;

// Answers everything with a fault that is worth another attempt.
const busy = createServer((_request, response) => response.writeHead(503, { "content-type": "application/json" }).end("{}"));
await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
afterAll(() => void busy.close());
const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}/wp-json`;
const site = { CAL_SANDBOX: "0", CAL_BASE_URL: url, CAL_AUTH_URL: url, CAL_TOKEN: "t", CAL_RETRIES: "1" };

/** The error that the last line of stderr holds. */
function reported({ stderr }: CommandResult): Readonly<Record<string, unknown>> {
  const { error } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") as { readonly error: Readonly<Record<string, unknown>> };
  return error;
}

/** Examples of the help, on a site that is busy. Those that start programs of the system are left out. */
const lines = commands.flatMap(({ path, examples }) =>
  examples
    .map(({ command }) => command.replace(/^cal /, "").replace(/https?:\/\/[^\s/]+/g, url))
    .filter((line) => !/[|><]|serve/.test(line))
    .map((line) => [path.join(" "), line] as const),
);

test("there is an example of nearly every command", () => {
  expect(new Set(lines.map(([path]) => path)).size).toBeGreaterThanOrEqual(commands.length - 4);
});

test.each(lines)("cal %s: %s --json", async (_path, line) => {
  const outcome = await createSession({ env: site })(`${line} --json`);
  // Findings (9) and what became of several refs (8) are data, on stdout.
  if (outcome.stdout !== "") expect([0, 7, 8, 9]).toContain(outcome.code);
  else if (outcome.code !== 0) expect(reported(outcome)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
});

describe("behind notices", () => {
  test("of the dates and of another attempt", async () => {
    const outcome = await createSession({ env: site })("events list --today --json");
    expect(outcome).toMatchObject({ stdout: "", code: 7 });
    expect(outcome.stderr.split("\n").length).toBeGreaterThan(2);
    expect(reported(outcome)).toMatchObject({ status: 503 });
  });

  test("with --quiet it is the only line, or follows warnings", async () => {
    const { stderr } = await createSession({ env: site })("events list --today --json -q");
    expect(stderr).toMatch(/^\{"error":.*\}\n$/);
  });

  test.each(["--format ndjson", "--format json", "--json"])("%s, for a field that is not there", async (format) => {
    expect(reported(await createSession()(`events list --fields nope ${format}`))).toMatchObject({ code: "usage" });
  });
});
