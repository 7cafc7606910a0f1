// Command lines made of the program's real words and of hostile text, for the fuzz tests.

import fc from "fast-check";
import { commandTree } from "../../src/cli/command-tree.ts";
import { globalFlags } from "../../src/cli/global-flags.ts";
import type { CommandSpec, Flag } from "../../src/commands/command.ts";

const { commands } = commandTree;

/** Texts that programs stumble over. */
export const arbitraryHostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "-",
    "--",
    "---",
    "=",
    "--=",
    "@",
    "@/",
    ",",
    ",,",
    ":",
    "id:",
    "slug:",
    'name:""',
    "name:%",
    "../..",
    "%2f%2e",
    "%",
    "%e6%",
    "?x=1#y",
    "\0",
    "\u001b[31m\u0007",
    "\u202eabc",
    "\ud800",
    "👩‍👩‍👧",
    "e\u0301",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "null",
    "undefined",
    "NaN",
    "true",
    "[]",
    "{}",
    '{"__proto__":{"title":1}}',
    "[[[[",
    "1e999",
    "-1",
    "0",
    "007",
    "9007199254740993",
    "99999999999999999999999",
    "a=b",
    "=b",
    "title=",
    "tomorrow",
    "2027-02-30",
    "0000-00-00",
    "25:61",
    "+1d",
    "99999999d",
    "P1Y",
    "x".repeat(5000),
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.nat().map(String),
  fc.json({ maxDepth: 3 }),
);

/** Fuzzing stays on this machine and in no folder of anybody: addresses and files come from here, never from hostile text. */
export interface SafeTargets {
  readonly urls: readonly string[];
  readonly files: readonly string[];
}

/** A command line: a real command or none, real flags with right and wrong values, and hostile words anywhere. */
export function createCommandLineArbitrary(safe: SafeTargets): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...commands).chain((spec) => lineOf(spec, safe)) },
    { weight: 1, arbitrary: fc.array(stray) },
  );
}

/** A hostile word that is not by chance the beginning of a flag that names a file or an address. */
const stray = arbitraryHostileText.filter((word) => !/^--?(?:d|p|c|b|a|r|redirect|se)/.test(word));

function lineOf(spec: CommandSpec, safe: SafeTargets): fc.Arbitrary<readonly string[]> {
  const flags = [...spec.flags, ...globalFlags];
  const flag = fc.constantFrom(...flags).chain((one) => flagWords(one, safe));
  const isOfFolder = ["pull", "diff", "apply", "validate"].includes(spec.path[0] ?? "");
  const argument = spec.path[0] === "init" ? fc.constantFrom(...safe.urls) : isOfFolder ? fc.constantFrom(...safe.files) : stray;
  return fc
    .tuple(
      fc.array(flag, { maxLength: 4 }),
      fc.array(argument, { maxLength: 3 }),
      fc.subarray([...spec.path], { minLength: spec.path.length - 1 }),
    )
    .map(([entered, words, path]) => [...path.flatMap(endRounds), ...words.slice(0, 1), ...entered.flat(), ...words.slice(1)]);
}

/** Without `--once` a watch ends with a signal only. */
const endRounds = (word: string) => (word === "watch" ? [word, "--once"] : [word]);

function flagWords(flag: Flag, safe: SafeTargets): fc.Arbitrary<readonly string[]> {
  const dashed = fc.constantFrom(`--${flag.name}`, ...(flag.negatable === true ? [`--no-${flag.name}`] : []));
  if (flag.type === "boolean") return dashed.map((word) => [word]);
  const value = flagValue(flag, safe);
  return fc.oneof(
    fc.tuple(dashed, value).map(([word, text]) => [`${word}=${text}`]),
    fc.tuple(dashed, value).map((words) => words),
  );
}

function flagValue(flag: Flag, { urls, files }: SafeTargets): fc.Arbitrary<string> {
  if (/file$|^(?:plan-out|exec|images|rejects|ledger)$/.test(flag.name)) return fc.constantFrom(...files);
  if (/url$/.test(flag.name))
    return fc.oneof(
      fc.constantFrom(...urls),
      fc.constantFrom("", "x", "http:", "//", "ftp://127.0.0.1", "http://[::1", "http://a:b@127.0.0.1"),
    );
  // The browser's login waits for a user for three minutes.
  const choices = (flag.choices ?? []).filter((choice) => choice !== "browser");
  const plain = stray.filter((word) => word !== "browser" && !word.startsWith("@"));
  return choices.length > 0 ? fc.oneof(fc.constantFrom(...choices), plain) : plain;
}
