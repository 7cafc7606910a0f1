// From words to an invocation: the command, the values of its flags, and all problems at once.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { parseCommandLine } from "../../src/cli/program.ts";
import { CalError, formatHints } from "../../src/errors.ts";
import { splitCommandLine } from "../helpers/session.ts";

async function parse(argv: readonly string[]) {
  const result = await parseCommandLine(argv, commandTree, "9.9.9");
  if (result.kind === "text") return { text: result.text };
  const { spec, globals, invocation } = result;
  return { command: spec.path.join(" "), globals, ...invocation };
}

async function parseRefused(line: string) {
  try {
    return await parse(splitCommandLine(line));
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { kind: error.kind, message: error.message, hint: formatHints(error.details.hint) || undefined };
  }
}

const nothing = { globals: {}, args: [], flags: {}, problems: [] };

describe("valid command lines", () => {
  test.each<readonly [string, object]>([
    ["events list", { ...nothing, command: "events list" }],
    ["event ls", { ...nothing, command: "events list" }],
    ["--json events -p work list", { ...nothing, command: "events list", globals: { json: true, profile: "work" } }],
    ["events list -p work -nq", { ...nothing, command: "events list", globals: { profile: "work", "dry-run": true, quiet: true } }],
    ["events get 1 a-slug -- -x --json", { ...nothing, command: "events get", args: ["1", "a-slug", "-x", "--json"] }],
    ["events list --venue 4 --venue '5,6' --limit=3", { ...nothing, command: "events list", flags: { venue: ["4", "5,6"], limit: 3 } }],
    ["events list --categories 1 --category 2", { ...nothing, command: "events list", flags: { category: ["1", "2"] } }],
    ["events list --featured --no-featured", { ...nothing, command: "events list", flags: { featured: false } }],
    ["events list --week --all", { ...nothing, command: "events list", flags: { week: true, all: true } }],
    ["events list --week fri", { ...nothing, command: "events list", flags: { week: "fri" } }],
    ["events list --start-date -7d", { ...nothing, command: "events list", flags: { "start-date": "-7d" } }],
    ["events list --color always", { ...nothing, command: "events list", globals: { color: "always" } }],
    [
      "events list --no-color --no-input --no-header",
      { ...nothing, command: "events list", globals: { "no-color": true, "no-input": true, "no-header": true } },
    ],
    ["--no-read-only events list", { ...nothing, command: "events list", globals: { "read-only": false } }],
    ["events list --tz UTC --tz Asia/Tokyo", { ...nothing, command: "events list", globals: { tz: "Asia/Tokyo" } }],
    ["events create --title= --description=a=b", { ...nothing, command: "events create", flags: { title: "", description: "a=b" } }],
    ["events create --title --help", { ...nothing, command: "events create", flags: { title: "--help" } }],
    ["config set tz Asia/Tokyo", { ...nothing, command: "config set", args: ["tz", "Asia/Tokyo"] }],
    ["--version", { text: "9.9.9\n" }],
    ["events list -V", { text: "9.9.9\n" }],
    ["", { ...nothing, command: "help", flags: { short: true } }],
    ["--help", { ...nothing, command: "help" }],
    ["-h event", { ...nothing, command: "help", args: ["events"] }],
    ["venues list --excel --columns x --help", { ...nothing, globals: { fields: ["x"] }, command: "help", args: ["venues", "list"] }],
    ["venues", { ...nothing, command: "help", args: ["venues"] }],
    ["events ls --nonsense --help", { ...nothing, command: "help", args: ["events", "list"] }],
    ["help events list", { ...nothing, command: "help", args: ["events", "list"] }],
  ])("cal %s", async (line, expected) => {
    expect(await parse(splitCommandLine(line))).toEqual(expected);
  });
});

describe("invalid command lines", () => {
  const month =
    "this cal manages an events calendar, and is also installed as calctl; the month printer of Unix is `ncal`, or its cal by the full path";
  test.each<readonly [string, string, string]>([
    ["evnts list", 'unknown command "evnts"; did you mean events?', "all commands: cal help"],
    ["events lst", 'unknown command "events lst"; did you mean list?', "all commands: cal help"],
    ["zzzzzz", 'unknown command "zzzzzz"', "all commands: cal help"],
    ["12 2026", 'unknown command "12"', month],
    ["-3", 'unknown command "-3"', month],
    ["--json=no", "--json takes no value", "see: cal help"],
    ["config path --quiet=yes --jsno", "--quiet takes no value\nunknown flag --jsno; did you mean --json?", "see: cal config path --help"],
    ["--jsno", "unknown flag --jsno; did you mean --json?", "see: cal help"],
    ["events --limit 3", "cal events needs its command before the flags", "see: cal events --help"],
    ["config list --origin", "unknown flag --origin; did you mean --show-origin?", "see: cal config list --help"],
    ["config path --csv", "unknown flag --csv; did you mean --format csv?", "see: cal config path --help"],
    [
      "config path --format excel",
      '--format takes table, json, ndjson, csv, tsv, yaml, ids, count, not "excel"; did you mean --format csv --excel?',
      "see: cal config path --help",
    ],
    [
      "config path --format jsno",
      '--format takes table, json, ndjson, csv, tsv, yaml, ids, count, not "jsno"; did you mean --format json?',
      "see: cal config path --help",
    ],
    ["config get", "<key> is missing: Name of a setting", "see: cal config get --help"],
    ["config get a b", 'unexpected argument "b"', "see: cal config get --help"],
    ["config path next-week", 'unexpected argument "next-week"', "see: cal config path --help"],
    ["--tz", "--tz needs a value", "see: cal --help"],
    ["events list --limit", "--limit needs a value", "see: cal events list --help"],
    [
      "config path --nope --format xml",
      'unknown flag --nope\n--format takes table, json, ndjson, csv, tsv, yaml, ids, count, not "xml"',
      "see: cal config path --help",
    ],
  ])("cal %s", async (line, message, hint) => {
    expect(await parseRefused(line)).toEqual({ kind: "usage", message, hint });
  });

  test.each([
    ["next-week", "--week next-week"],
    ["this-month", "--month this-month"],
    ["sat", "--on sat"],
    ["2027-03", "--on 2027-03"],
  ])("events list %s: the flag for the word is suggested", async (word, flag) => {
    expect(await parse(splitCommandLine(`events list ${word}`))).toMatchObject({
      problems: [`unexpected argument ${JSON.stringify(word)}; did you mean ${flag}?`],
    });
  });

  test("a command that reports all its problems itself gets these", async () => {
    expect(await parse(splitCommandLine("events list --serch jazz -json --limit x"))).toEqual({
      ...nothing,
      command: "events list",
      problems: [
        "unknown flag --serch; did you mean --search?",
        "unknown flag -json; did you mean --json?",
        '--limit takes a whole number, not "x"',
      ],
    });
  });

  test("any words give an invocation, a text or a usage error", async () => {
    const word = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom("events", "list", "--json", "--", "-p", "--venue", "--help", "config", "get", "--limit=", "--week", "-"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 7 }), async (argv) => {
        try {
          expect((await parseCommandLine(argv, commandTree, "9.9.9")).kind).toMatch(/^(command|text)$/);
        } catch (error) {
          expect(error).toBeInstanceOf(CalError);
          expect((error as CalError).kind).toBe("usage");
        }
      }),
    );
  });

  test("words without flags, for which commander is not loaded, are parsed alike", async () => {
    const word = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("", "events", "list", "help", "get", "12", "--help", "-h", "-"));
    const outcome = (argv: readonly string[]) => parse(argv).catch((error: unknown) => String(error));
    type Outcome = Awaited<ReturnType<typeof outcome>>;
    const addQuiet = (one: Outcome) =>
      typeof one === "string" || "text" in one ? one : { ...one, globals: { ...one.globals, quiet: true } };
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (argv) => {
        fc.pre(!argv.includes("--"));
        const plain = await outcome(argv);
        const withFlag = await outcome(["--quiet", ...argv]);
        // A word may be a flag after all: -p.
        expect(addQuiet(withFlag)).toEqual(addQuiet(plain));
      }),
    );
  });
});
