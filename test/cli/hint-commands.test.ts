// The commands of hints: each one parses, and is for the profile and the site of the call that failed.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { parseCommandLine } from "../../src/cli/program.ts";
import { adaptHints, addCallScope } from "../../src/config/hint-commands.ts";
import { CalError, formatHints } from "../../src/errors.ts";
import { createAuthSettings } from "../auth/kit.ts";
import { createSession, splitCommandLine } from "../helpers/session.ts";
import { readSources } from "../project/sources.ts";

describe("a command of a hint", () => {
  test.each([
    ["cal events list", { profile: "work" }, {}, "cal -p work events list"],
    ["cal events list", {}, { CAL_PROFILE: "work" }, "cal -p work events list"],
    ["cal -p other events list", { profile: "work" }, {}, "cal -p other events list"],
    ["cal auth login --profile work", { profile: "work" }, {}, "cal auth login --profile work"],
    ["cal events get 7", { sandbox: true }, {}, "cal --sandbox events get 7"],
    ["cal events get 7", { "base-url": "https://b.example/?x" }, {}, "cal --base-url 'https://b.example/?x' events get 7"],
    ["cal config set tz UTC", { sandbox: true, profile: "work" }, {}, "cal -p work config set tz UTC"],
    ["cal help auth", { profile: "work" }, {}, "cal help auth"],
    ["cal profile use other", { profile: "work" }, {}, "cal profile use other"],
    ["gunzip -c FILE | cal events import -", { profile: "work" }, {}, "gunzip -c FILE | cal -p work events import -"],
    ["unset CAL_TOKEN", { profile: "work" }, {}, "unset CAL_TOKEN"],
  ])("%s, after a call with %j %j", (command, globals, env, expected) => {
    expect(addCallScope(command, { globals, env })).toBe(expected);
  });

  test.each([
    [
      "environment CAL_BASE_URL",
      "if so, change CAL_BASE_URL: export CAL_BASE_URL=https://b.example\ncal init <site-url>\nthen change CAL_BASE_URL: it comes before the profile",
    ],
    [
      "flag --base-url",
      "if so, change --base-url to https://b.example\ncal init <site-url>\nthen leave --base-url out: it comes before the profile",
    ],
    ["profile default", "if so: cal config set base_url https://b.example\ncal init <site-url>"],
  ])("an address that is from %s is changed there", (origin, expected) => {
    const settings = { ...createAuthSettings({}), base_url: { value: "https://a.example", origin } };
    const hints = [{ text: "if so", command: "cal config set base_url https://b.example" }, { command: "cal init <site-url>" }];
    expect(formatHints(adaptHints(hints, { globals: {}, env: {}, settings }))).toBe(expected);
  });
});

describe("the same command with other flags", () => {
  const repeat = (argv: readonly string[], flags = "--max-delete 45") =>
    formatHints(adaptHints({ text: "if that is meant", flags }, { globals: { profile: "work" }, env: {}, argv }));

  test.each([
    [["-p", "work", "apply", "my plan.json", "--yes"], "cal -p work apply 'my plan.json' --yes --max-delete 45"],
    [["apply", "plan.json", "--max-delete", "3", "--yes"], "cal apply plan.json --yes --max-delete 45"],
    [["apply", "--max-delete=3", "--", "-plan.json"], "cal apply --max-delete 45 -- -plan.json"],
    [["--base-url", "https://b.example", "apply", "plan.json"], "cal --base-url https://b.example apply plan.json --max-delete 45"],
  ])("%j", (argv, expected) => {
    expect(repeat(argv)).toBe(`if that is meant: ${expected}`);
  });

  test("no flag is the same command", () => {
    expect(repeat(["apply", "plan.json", "--yes"], "")).toBe("if that is meant: cal apply plan.json --yes");
    expect(repeat([], "")).toBe("if that is meant: the same command");
  });

  test("two flags take the place of both", () => {
    const argv = ["apply", "plan.json", "--max-changes", "1", "--max-delete", "3"];
    expect(repeat(argv, "--max-changes 50 --max-delete 45")).toBe("if that is meant: cal apply plan.json --max-changes 50 --max-delete 45");
  });

  test.each([
    ["an address of a feed can be secret", ["events", "import", "https://feeds.example/s3cret.ics"]],
    ["a long command", ["events", "delete", ...Array.from({ length: 300 }, (_none, at) => String(at))]],
    ["no arguments", []],
  ])("%s: it is only named", (_name, argv) => {
    expect(repeat(argv)).toBe("if that is meant: the same command with --max-delete 45");
  });
});

/** Values for the parts of a command that depend on the call. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\$\{spec\.path\.join\(" "\)\}|\$\{path\.join\(" "\)\}/, "events list"],
  [/\$\{(?:resource\.name|name|resource)\}/, "events"],
  [/\$\{path\.split\(.*\}(?= list)/, "events"],
  [/\$\{laterGroup\.name\} \$\{first\}.*/, "events list"],
  [/\{name\}|\$\{first\}/, "events"],
  [/\{title\}/, "title"],
  [/\$\{list\}/, "cal events list"],
  [/\$\{(?:verb|spec\.verb)\}/, "update"],
  // Events are not merged.
  [/\bevents merge\b/, "venues merge"],
  [/\$\{cal\}|\$\{formatCalCommand\(\w+\)\}/, "cal"],
];

/** A text after what makes it a command: of a hint, of a notice, made by a function, or a suggestion for another word. */
const hintPattern =
  /(?:\bcommand: |\bunbreakable\(|=> |\bconst \w+ = |\ball: addCallScope\(|(?<=\n\s*)(?="cal [^"]*": \[))(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** The commands of cal that hints and notices have, from the text of the program, with a word for each part that depends on the call. */
function findHintCommands(): readonly string[] {
  const files = readSources("src", [".ts"]).filter(({ path }) => !/\/(?:declarations|help[^/]*|command-tree)\b/.test(path));
  const commands = files.flatMap(({ text }) => [...text.matchAll(hintPattern)]);
  return commands.flatMap(([, plain, template = ""]) => {
    let command = plain ?? template;
    for (const [pattern, value] of parts) command = command.replaceAll(new RegExp(pattern, "g"), value);
    return /^cal (?!.*\.\.\.)/.test(command) && !/\$\{[^}]*$/.test(command) ? [command.replaceAll(/\$\{[^{}]*\}|<[\w-]+>/g, "x")] : [];
  });
}

describe("every command of a hint in the source parses, and takes the profile of the call", () => {
  const commands = [...new Set(findHintCommands())];

  test("they are found", () => {
    expect(commands.length).toBeGreaterThan(40);
  });

  test.each(commands)("%s", async (command) => {
    const scoped = addCallScope(command, { globals: { profile: "work" }, env: {} });
    const [, ...argv] = splitCommandLine(scoped);
    const parsed = await parseCommandLine(argv, commandTree, "0").catch((error: unknown) => {
      if (error instanceof CalError) throw new Error(`${scoped}: ${error.message}`);
      throw error;
    });
    if (parsed.kind !== "text" && scoped !== command) expect(parsed.globals["profile"]).toBe("work");
  });
});

test("what a terminal shows of a new event, of a crowded day and of a deletion leads to the same profile", async () => {
  const cal = createSession({ columns: 100, env: { CAL_SANDBOX_SERVER: "the-events-calendar" } });
  await cal("profile add work --base-url http://127.0.0.1:9/wp-json");
  const create = () => cal("-p work events create --title A --start-date '2027-01-16 20:00' --duration 1h");
  expect((await create()).stdout).toMatch(/all of it: cal -p work events get \d+\n/);
  for (let count = 0; count < 9; count++) await create();
  expect((await cal("-p work month")).stdout).toContain("+n more: cal -p work agenda 2027-01-16");
  expect((await cal("-p work events delete 103 --yes")).stderr).toContain("to restore it: cal -p work events restore 103)");
  expect((await cal("-p work doctor --format csv")).stdout).toContain("cal -p work auth login --insecure-storage");
});

describe("a call with -p work", () => {
  const answers: Readonly<Record<string, readonly [number, unknown]>> = {
    "/events/403": [403, { code: "rest_forbidden", message: "No." }],
    "/events/401": [401, { code: "rest_forbidden", message: "No." }],
    "/events/404": [404, { code: "event-not-found", message: "None." }],
    "/events/500": [500, { code: "x", message: "Broken." }],
    "/events/405": [405, "<html>"],
    "/events/200": [200, "<html>"],
    "/nope": [404, { code: "rest_no_route", message: "No route.", data: { status: 404 } }],
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname.replace(/^.*\/v1/, "");
    const [status, body] = answers[path] ?? [404, "<html>"];
    response.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close());

  test.each([
    "events get 401",
    "events get 403",
    "events get 404",
    "events get 500",
    "events get 405",
    "events get 200",
    "events get nothing-of-this-slug",
    "events delete 401 404 --yes",
    "events delete 405 --yes",
    "events create --title X",
    "api GET nope",
    "auth status --check",
    "auth token",
    "auth refresh",
    "auth login --method browser",
    "events list --tz Nowhere/Land",
    "config get nothing",
  ])("cal %s: every hint that is a command is for that profile", async (line) => {
    await listening;
    const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_RETRIES: "0" } });
    await cal(`profile add work --base-url http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`);
    await cal("profile add other --use --base-url http://127.0.0.1:9/wp-json");
    for (const format of ["", " --json"]) {
      const { stderr, code } = await cal(`-p work ${line}${format}`);
      expect(code).not.toBe(0);
      const commands = [...stderr.matchAll(/(?:hint: |hint":"|\\n|: |; |\()(cal [^\n;)"\\]*)/g)].map(([, command = ""]) => command);
      const foreign = commands.filter((command) => !/^cal (?:-p work|help|profile) |--profile work\b|--help$/.test(command));
      expect(foreign).toEqual([]);
    }
  });
});
