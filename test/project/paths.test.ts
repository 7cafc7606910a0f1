// Pages that describe the code name existing files, and the layout page names every folder.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSources } from "./sources.ts";

const pages = [...readSources("docs", [".md"]), ...readSources(".", ["CONTRIBUTING.md"], false)];
const files = ["src", "test", "scripts"].flatMap((folder) => readSources(folder, [".ts", ".js"])).map(({ path }) => path);
const namesIn = (text: string) => [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);

test("every path of the code that a page names is there", () => {
  const paths = pages.flatMap(({ path, text }) => namesIn(text).map((name) => ({ page: path, name })));
  const code = paths.filter(({ name }) => /^(?:src|test|scripts)\/./.test(name));
  expect(code.length).toBeGreaterThan(20);
  expect(code.filter(({ name }) => !existsSync(join(projectRoot, name)))).toEqual([]);
});

test("every file that the layout calls by its name is there", () => {
  const [layout] = pages.filter(({ path }) => path === "docs/layout.md");
  const names = namesIn(layout?.text ?? "").filter((name) => /\.ts$/.test(name));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

test("every folder is in the layout", () => {
  const [layout] = pages.filter(({ path }) => path === "docs/layout.md");
  const folders = readdirSync(join(projectRoot, "src"), { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  expect(folders.filter((folder) => !namesIn(layout?.text ?? "").some((name) => name === folder || name === `src/${folder}`))).toEqual([]);
});
