// Imports point one way, and a package is imported by one file: the rules that Biome's patterns can't express.

import { expect, test } from "vitest";
import { parseImports, readSources, type SourceImport } from "./sources.ts";

const siblings = ["api", "auth", "config", "dates", "output", "terminal"];
const below = [
  "http",
  "model",
  "atomic-file.ts",
  "lock.ts",
  "closest.ts",
  "data-record.ts",
  "errors.ts",
  "once.ts",
  "own-file.ts",
  "html-text.ts",
  "text.ts",
];

/** What the files of a folder may load, beside the folder itself. Types may also come from elsewhere, except where `closed` says no. */
const mayLoad: Readonly<Record<string, readonly string[]>> = {
  "errors.ts": [],
  "closest.ts": [],
  "once.ts": [],
  "data-record.ts": [],
  "text.ts": [],
  "html-text.ts": ["text.ts"],
  "own-file.ts": ["errors.ts", "text.ts"],
  model: [],
  "atomic-file.ts": [],
  "lock.ts": ["errors.ts"],
  http: ["model", "errors.ts", "text.ts"],
  ...Object.fromEntries(siblings.map((folder) => [folder, below])),
  ical: ["dates", ...below],
  sandbox: ["model", "atomic-file.ts", "lock.ts", "errors.ts"],
  import: ["ical", "dates", "output", ...below],
  files: ["output", ...below],
  changes: [...siblings, ...below],
  commands: ["changes", "files", "import", "ical", ...siblings, ...below, "sandbox"],
  "context.ts": [],
  "create-context.ts": ["changes", ...siblings, ...below, "sandbox"],
  cli: ["commands", "changes", "files", ...siblings, ...below],
  "run.ts": ["cli", "create-context.ts", "commands", ...siblings, ...below],
  "main.ts": ["run.ts", ...siblings, ...below],
  start: ["config"],
};

/** Folders whose types, too, come only from what they may load: their agreement with the rest must not be shared code. */
const closed = ["errors.ts", "model", "lock.ts", "sandbox"];

/** Packages that several files may import. */
const families: Readonly<Record<string, RegExp>> = { undici: /^src\/http\/undici/ };

const imports = readSources("src", [".ts"]).flatMap(parseImports);
const packages = imports.filter((one) => !one.relative && !one.to.startsWith("node:"));

/** The folder or file right below src/ that a path lies in. */
function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isAllowed({ from, to, typeOnly }: SourceImport): boolean {
  const folder = folderOf(from);
  if (folder === folderOf(to)) return true;
  if (typeOnly && !closed.includes(folder)) return true;
  return mayLoad[folder]?.includes(folderOf(to)) === true;
}

const formatImport = ({ from, to, typeOnly }: SourceImport) => `${from} ${typeOnly ? "imports types of" : "loads"} ${to}`;

test("every folder has its place in the one direction of imports", () => {
  const folders = new Set(imports.map((one) => folderOf(one.from)));
  expect([...folders].filter((folder) => !(folder in mayLoad))).toEqual([]);
});

test("imports point one way", () => {
  const inside = imports.filter((one) => one.relative && one.to.startsWith("src/"));
  expect(inside.filter((one) => !isAllowed(one)).map(formatImport)).toEqual([]);
});

test("src imports nothing of the checkout outside src", () => {
  expect(imports.filter((one) => one.relative && !one.to.startsWith("src/")).map(formatImport)).toEqual([]);
});

test("every package is imported by one file", () => {
  const names = [...new Set(packages.map((one) => packageOf(one.to)))];
  const entryPoints = names.map((name) => {
    const files = packages.filter((one) => packageOf(one.to) === name).map((one) => one.from);
    return { name, files: [...new Set(files)].filter((file) => !families[name]?.test(file)) };
  });
  expect(entryPoints.filter(({ name, files }) => files.length > (name in families ? 0 : 1))).toEqual([]);
});

test("no file leads back to itself, not even by its types", () => {
  const leads = new Map<string, readonly string[]>();
  for (const { from, to, relative } of imports) if (relative) leads.set(from, [...(leads.get(from) ?? []), to]);
  const reached = (start: string): ReadonlySet<string> => {
    const found = new Set(leads.get(start));
    for (const file of found) for (const next of leads.get(file) ?? []) found.add(next);
    return found;
  };
  expect([...leads.keys()].filter((file) => reached(file).has(file))).toEqual([]);
});
