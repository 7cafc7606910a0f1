// Help pages: their order, their width, and the errors for unknown words.

import { describe, expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { globalFlags } from "../../src/cli/global-flags.ts";
import { topics } from "../../src/cli/help-topics.ts";
import { anchorWords } from "../../src/dates/day.ts";
import { exitCodes } from "../../src/errors.ts";
import { createSession } from "../helpers/session.ts";

const { commands, groups } = commandTree;

const env = { CAL_SANDBOX: "0" };
const cal = createSession({ env });

const pages = [
  "",
  "help",
  ...groups.map(({ name }) => name),
  ...topics.map(({ name }) => `help ${name}`),
  ...commands.map(({ path }) => `help ${path.join(" ")}`),
];

/** Commands to paste and usage lines are never broken. */
const whole = new Set(commands.flatMap(({ examples }) => examples.map(({ command }) => `  ${command}`)));
const isWhole = (line: string) => whole.has(line) || /^ {2}cal /.test(line);

describe.each([undefined, 60, 100, 200])("on a terminal of %s columns", (columns) => {
  const reader = createSession({ env: { ...env, NO_COLOR: "1" }, ...(columns === undefined ? {} : { columns }) });

  test.each(pages)("cal %s fits", async (line) => {
    const { stdout, stderr, code } = await reader(line);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout.split("\n").filter((text) => text.length > (columns ?? 80) && !isWhole(text))).toEqual([]);
    expect(stdout).toMatch(/^\S[\s\S]*\S\n$/);
  });
});

test("on a narrow terminal only what can't be broken is longer than a line", async () => {
  const reader = createSession({ env: { ...env, NO_COLOR: "1" }, columns: 40 });
  for (const page of pages) {
    const long = (await reader(page)).stdout.split("\n").filter((text) => text.length > 40 && !isWhole(text));
    expect(long.filter((text) => !/^ {2}(?:-|\w+_\w+,)|^ *\S+$/.test(text))).toEqual([]);
  }
});

test("a line that is wide enough for a terminal of 80 columns is not broken earlier", async () => {
  const { stdout } = await cal("help exit-codes");
  expect(stdout.split("\n")).toContain("  7    try again later: network, TLS, timeout, too many requests, a server");
});

test("cal without words fits on a screen, and shows six commands", async () => {
  const { stdout } = await cal("");
  expect(stdout.split("\n").length).toBeLessThan(30);
  expect(stdout.slice(0, stdout.indexOf("Get started")).match(/^ {2}cal /gm)?.length).toBe(6);
});

test("examples come first, then the usage, arguments and flags under their headings", async () => {
  const { stdout } = await cal("events update --help");
  expect([...stdout.matchAll(/^[A-Z]\w+.*/gm)].map(([line]) => line).filter((line) => line.length < 20)).toEqual([
    "Examples",
    "Usage",
    "Arguments",
    "Fields",
    "More fields",
    "Any field",
    "How it is sent",
    "Flags",
    "The plan",
  ]);
  expect(stdout).toContain("\n  cal events update [ref...] [flags]\n  also: cal event update\n");
  expect(stdout).toMatch(/^ {2}--method <method> +HTTP method \(patch, put, post\) \(default: patch\)$/m);
  expect(stdout).toMatch(/Every command also takes .*--json.* and more: cal help\s+flags\n$/s);
});

test("the fields that people use most come first", async () => {
  const flagsOf = (text: string, heading: string) => {
    const [, section = ""] = new RegExp(`\\n${heading}\\n([\\s\\S]*?)\\n\\n`).exec(text) ?? [];
    return [...section.matchAll(/^ {2}--(?:\[no-\])?([\w-]+)/gm)].map(([, name]) => name);
  };
  const event = (await cal("events create --help")).stdout;
  expect(flagsOf(event, "Fields").join(" ")).toBe(
    "title start-date end-date duration all-day venue category description status cost image",
  );
  expect(flagsOf(event, "More fields")).toContain("date-utc");
  expect(event).toMatch(/--venue <ref> +A venue: id, slug or name$/m);
  expect(
    flagsOf((await cal("venues create --help")).stdout, "Fields")
      .slice(0, 3)
      .join(" "),
  ).toBe("venue address city");
});

test.each(commands.map((spec) => ({ line: spec.path.join(" "), spec })))(
  "help $line lists the flags of its examples",
  async ({ line, spec }) => {
    const { stdout } = await cal(`help ${line}`);
    const own = spec.examples.flatMap(({ command }) =>
      command
        .replace(/\$\(.*?\)/g, "")
        .split("|")
        .filter((part) => part.trim().startsWith(`cal ${line}`)),
    );
    const used = own.flatMap((part) => [...part.matchAll(/ --(?:no-)?([a-z][\w-]+)/g)].map(([, name]) => name));
    const page = stdout.slice(stdout.indexOf("\nUsage\n"));
    expect(used.filter((name) => !new RegExp(`--(\\[no-\\])?(no-)?${name}\\b`).test(page))).toEqual([]);
  },
);

test("cal help <command> prints its --help", async () => {
  for (const line of ["events list", "event", "config set", "completion"])
    expect(await cal(`help ${line}`)).toEqual(await cal(`${line} --help`));
  expect(await cal("help")).toEqual(await cal("--help"));
});

test("the topics are complete", async () => {
  const flags = (await cal("help flags")).stdout;
  for (const { name } of globalFlags) expect(flags).toMatch(new RegExp(`--(\\[no-\\])?${name}\\b`));
  const dates = (await cal("help dates")).stdout;
  for (const word of anchorWords.filter((one) => one.length > 3)) expect(dates).toContain(word);
  const codes = (await cal("help exit-codes")).stdout;
  for (const code of [0, ...Object.values(exitCodes)]) expect(codes).toMatch(new RegExp(`^ {2}${code} `, "m"));
});

test("headings are bold on a terminal, unless colour is not wanted", async () => {
  const reader = createSession({ env, columns: 80 });
  expect((await reader("help dates")).stdout).toContain("\u001b[1mWords\u001b[22m");
  expect((await reader("--no-color help dates")).stdout).not.toContain("\u001b");
  expect((await cal("--color always help dates")).stdout).toContain("\u001b[1mWords\u001b[22m");
});

test.each<readonly [string, string]>([
  ["help dats", 'cal: unknown topic "dats"; did you mean dates?\nhint: commands and topics: cal help\n'],
  ["help exitcodes", 'cal: unknown topic "exitcodes"; did you mean exit-codes?\nhint: commands and topics: cal help\n'],
  ["help evnts", 'cal: unknown command "evnts"; did you mean events?\nhint: commands and topics: cal help\n'],
  ["help events lst", 'cal: unknown command "events lst"; did you mean list?\nhint: commands and topics: cal help\n'],
  ["help zzzzzz", 'cal: unknown command "zzzzzz"\nhint: commands and topics: cal help\n'],
  ["evnts --help", 'cal: unknown command "evnts"; did you mean events?\nhint: all commands: cal help\n'],
  ["completion fich", 'cal: there is no completion for "fich"; did you mean fish?\nhint: there is one for bash, zsh, fish, powershell\n'],
])("cal %s is exit 2 with a suggestion", async (line, stderr) => {
  expect(await cal(line)).toEqual({ stdout: "", stderr, code: 2 });
});
