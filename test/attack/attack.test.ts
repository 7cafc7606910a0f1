// Attacks by area, generated from lists, on loopback: every twentieth in `npm test`, all in `npm run attack`. Each command ends in a known
// way, shows nothing that a terminal obeys, and gives the token to no other server.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { formats } from "../../src/output/report.ts";
import { startTestServer, type TestResponse } from "../api/replies/canned.ts";
import { type CommandResult, createSession } from "../helpers/session.ts";
import { bodies, codings, createForeignAddresses, files, texts } from "./words.ts";

const full = process.env["CAL_ATTACK"] === "1";
const token = "t0k3n-of-the-user";

let answer: TestResponse = { body: "{}" };
const requested: string[] = [];
const url = await startTestServer((line) => {
  requested.push(line);
  return answer;
});

/** Another server on this machine, which must never be asked. */
const stolen: string[] = [];
const thief = createServer((request, response) => {
  stolen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
  response.end("{}");
});
await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  thief.closeAllConnections();
  thief.close();
});
const foreign = createForeignAddresses(`127.0.0.1:${(thief.address() as AddressInfo).port}`);

// Whatever leaves this machine ends at a closed port.
const nowhere = "http://127.0.0.1:9";
const env = {
  CAL_SANDBOX: "0",
  CAL_BASE_URL: url,
  CAL_TOKEN: token,
  CAL_RETRIES: "0",
  CI: "1",
  NO_COLOR: "1",
  HTTP_PROXY: nowhere,
  HTTPS_PROXY: nowhere,
};
const terminal = createSession({ env, columns: 80 });
const pipe = createSession({ env });

const codes = new Set([0, ...Object.values(exitCodes).filter((code) => code !== exitCodes.internal)]);

/** What a terminal obeys or does not show. */
const unsafe = /(?![\n\t])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\u{e0000}-\u{e007f}]/u;

/** What is wrong with an outcome; nothing for most. */
function findFaults({ stdout, stderr, code }: CommandResult, isTerminal: boolean, isRedirected: boolean): readonly string[] {
  const shown = stdout.replaceAll("\r\n", "\n") + stderr;
  return [
    ...(codes.has(code) ? [] : [`exit ${code}`]),
    ...(/^\s+at .+:\d+|internal error|TypeError|RangeError/m.test(shown) ? ["a stack trace"] : []),
    ...(code !== 0 && stdout + stderr === "" ? ["no message"] : []),
    ...(shown.includes(token) ? ["the token"] : []),
    ...(isTerminal && unsafe.test(shown.replaceAll(/[\u2068\u2069]/gu, "")) ? ["raw characters"] : []),
    // A read follows a redirect within its origin.
    ...(!isRedirected && requested.some((line) => !/^[A-Z]+ \/wp-json\//.test(line)) ? ["a path outside of the interface"] : []),
    ...(stolen.length > 0 ? ["another server was asked"] : []),
  ];
}

/** Hosts that are not this machine by definition, and what is no address at all. */
const hosts = foreign.filter((address) => !/127\.|localhost:|0x7f|2130706433/.test(address) || address.includes("calendar.test"));

interface Attack {
  readonly answer?: TestResponse;
  readonly argv: readonly string[];
  readonly stdin?: string;
  readonly before?: () => void;
}

const reads = [
  ["tags", "get", "7"],
  ["tags", "list"],
  ["api", "GET", "tags"],
  ["events", "list", "--json"],
];
const writes = [
  ["tags", "update", "7", "--name", "a"],
  ["tags", "create", "--name", "a"],
  ["tags", "delete", "7", "--yes"],
];
const configFile = join(terminal.folder, "config", "config.json");

const areas: Readonly<Record<string, readonly Attack[]>> = {
  "hostile answers": bodies.flatMap((body) =>
    [200, 400, 401, 404, 500].flatMap((status) => [...reads, ...writes].map((argv) => ({ answer: { status, body }, argv }))),
  ),
  "content codings": codings.flatMap((coding) =>
    bodies.slice(-20).map((body) => ({ answer: { headers: { "content-encoding": coding }, body }, argv: ["tags", "list"] })),
  ),
  redirects: foreign.flatMap((location) =>
    [301, 302, 303, 307, 308].flatMap((status) =>
      [...reads, ...writes].map((argv) => ({
        answer: { status, headers: { location: location.replace(/[^!-~]/g, encodeURIComponent) }, body: "" },
        argv,
      })),
    ),
  ),
  "refs and paths": [...texts, ...foreign].flatMap((text) => [
    { argv: ["tags", "get", "--", text] },
    { argv: ["events", "get", "--", `slug:${text}`] },
    { argv: ["tags", "delete", "--yes", "--", text] },
    { argv: ["api", "GET", "--", text] },
    { argv: ["api", "DELETE", "--", text] },
  ]),
  "arguments and data": texts.flatMap((text) => [
    { argv: ["events", "list", "--search", text] },
    { argv: ["events", "list", "--start-date", text] },
    { argv: ["events", "list", "--fields", text] },
    { argv: ["events", "create", "--title", text, "--start-date", "2027-02-01 10:00", "--duration", "1h"] },
    { argv: ["tags", "create", "--set", text] },
    { argv: ["tags", "create", "--name", "x", "--set-json", `description=${text}`] },
    { argv: ["tags", "create", "--data", text.replace(/^@/, "")] },
    { argv: ["tags", "create", "--data", "-"], stdin: text },
    { argv: ["tags", "get", "-"], stdin: text },
    { argv: [text] },
    { argv: ["events", text] },
    { argv: ["events", "list", `--${text}`] },
  ]),
  hosts: hosts.flatMap((address) =>
    [
      ["init", address],
      ["tags", "list", "--base-url", address],
      ["tags", "create", "--name", "a", "--base-url", address],
      ["config", "set", "base_url", address],
    ].map((argv) => ({ argv })),
  ),
  files: files.flatMap((content) =>
    [
      ["config", "list"],
      ["tags", "list"],
      ["config", "set", "format", "json"],
      ["auth", "status"],
      ["profile", "list"],
    ].map((argv) => ({
      argv,
      before: () => {
        mkdirSync(join(terminal.folder, "config"), { recursive: true, mode: 0o700 });
        writeFileSync(configFile, content, { mode: 0o600 });
      },
    })),
  ),
  "texts in every format": texts.flatMap((text) =>
    formats.flatMap((format) =>
      [
        ["tags", "list"],
        ["tags", "get", "7"],
      ].map((argv) => ({
        answer: {
          body: JSON.stringify(argv[1] === "list" ? [{ id: 7, name: text, slug: text }] : { id: 7, name: text, slug: text, [text]: text }),
        },
        argv: [...argv, "--format", format],
      })),
    ),
  ),
};

/** Runs an attack on a terminal, and in a pipe where `piped`. */
async function attack({ answer: given = { body: "{}" }, argv, stdin, before }: Attack, piped: boolean): Promise<readonly string[]> {
  rmSync(join(terminal.folder, "config"), { recursive: true, force: true });
  before?.();
  requested.length = 0;
  stolen.length = 0;
  answer = given;
  const faults = findFaults(await (piped ? pipe : terminal).runArgs(argv, stdin), !piped, given.headers?.["location"] !== undefined);
  return faults.map((fault) => `${fault}: ${JSON.stringify(argv).slice(0, 200)} ${JSON.stringify(given).slice(0, 200)}`);
}

test.each(Object.entries(areas))(
  "%s",
  async (_area, attacks) => {
    const chosen = full ? attacks : attacks.filter((_, index) => index % 20 === 0);
    const faults: string[] = [];
    for (const [index, one] of chosen.entries()) faults.push(...(await attack(one, index % 4 === 3)));
    expect(faults).toEqual([]);
  },
  600_000,
);

test("their numbers are in the documentation", () => {
  const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
  const rows = Object.entries(areas).map(([area, attacks]) => `| ${area} | ${attacks.length} |`);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
