// Rules about the source files that the linter does not know.

import { expect, test } from "vitest";
import { readSources, type SourceFile } from "./sources.ts";

const code = [".ts", ".js", ".json", ".md", "/run"];
const src = readSources("src", [".ts"]);
const written = [
  ...src,
  ...["test", "scripts", "bin", "docs", ".ci"].flatMap((folder) => readSources(folder, code)),
  ...readSources(
    ".",
    ["package.json", "package-lock.json", "biome.json", "config.ts", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"],
    false,
  ),
];

/** Where a pattern is found, as `file:line`, for a message that can be clicked. */
function places(sources: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return sources.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}

const except = (...paths: readonly string[]) => src.filter(({ path }) => !paths.includes(path));

test("what is special about a resource is a property of the table, not a comparison with its name", () => {
  const engine = src.filter(({ path }) => !path.startsWith("src/sandbox/"));
  const byName = /\b(?:resource|target)\.name [!=]==|[!=]== "(?:events|venues|organizers|categories|tags)"/;
  expect(places(engine, byName)).toEqual([]);
});

test("the clock is read in main.ts only", () => {
  expect(places(except("src/main.ts"), /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bTemporal\.Now\b/)).toEqual([]);
});

test("the process is touched in main.ts and in the keychain's child only", () => {
  const rest = except("src/main.ts", "src/auth/keychain-child.ts");
  // Locks prove that their owner lives, by its number and a signal that does nothing. The owner of a file is compared with the user.
  const proofOfLife = /^import \{ (?:kill|pid|getuid)(?:, (?:kill|pid))? \} from "node:process";/;
  const touched = places(rest, /["'](?:node:)?process["']|\bglobalThis\.process\b|\bprocess\.(?:env|exit|argv|std|on)/);
  expect(touched.filter((place) => !proofOfLife.test(place.replace(/^\S+ /, "")))).toEqual([]);
});

test("types are not talked out of their opinion", () => {
  const typescript = written.filter(({ path }) => path.endsWith(".ts"));
  expect(places(typescript, /\bas[ ]unknown[ ]as\b|@ts[-](?:ignore|nocheck|expect-error)|biome[-]ignore/)).toEqual([]);
});

test("nothing is mocked: tests use the real parts or fakes of our own types", () => {
  expect(places(written, /\bvi[.](?:mock|doMock|stubGlobal|spyOn)\(/)).toEqual([]);
});

test("nothing is left for later", () => {
  expect(places(written, /\b(?:TO[D]O|FI[X]ME|XX[X])\b/)).toEqual([]);
});

test("nothing reports the machine or the place where it was written", () => {
  expect(places(written, /(?<![\w.}:/])\/(?:root|work)\/\w/)).toEqual([]);
  expect(places(written, /\b(?:issue|ticket|pull request) #?\d+\b|\b(?:fixes|closes) #\d/i)).toEqual([]);
  expect(places(written, /https?:\/\/[\w.-]*(?:registry|mirror|artifact)[\w.-]*/i)).toEqual([]);
});

test("the lock file names no address to download from", () => {
  const lock = written.filter(({ path }) => path === "package-lock.json");
  expect(lock.length).toBe(1);
  expect(places(lock, /"resolved": "http/)).toEqual([]);
});
