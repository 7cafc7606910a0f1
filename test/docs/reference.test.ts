// The reference and the guide leave nothing out: commands, environment variables, links, and what they claim of dates and accounts.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commandTree } from "../../src/cli/command-tree.ts";
import { parseDate } from "../../src/dates/parse.ts";
import { resources } from "../../src/model/resources.ts";
import { demoApplication, demoRedirectUrl, demoUsers } from "../../src/sandbox/seed.ts";
import { fixedNow } from "../helpers/session.ts";
import { projectRoot, readSources } from "../project/sources.ts";

const { commands } = commandTree;

const pages = [...readSources(".", [".md"], false), ...readSources("docs", [".md"])].filter(
  ({ path }) => !path.startsWith("docs/interface/"),
);
const page = (name: string) => pages.find(({ path }) => path === name)?.text ?? "";
const handwritten = ["README.md", "docs/guide.md", "docs/scripting.md", "docs/sandbox.md"].map(page).join("\n");

test("the reference is what the program says: npm run generate", () => {
  const { stderr, status } = spawnSync(process.execPath, [join(projectRoot, "scripts/generate.js"), "--check"], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});

test("every command is shown to people, every verb on some resource", () => {
  const shown = (words: string) => new RegExp(`\\bcal (?:--sandbox |-p \\w+ )?${words}\\b`).test(handwritten);
  const isRecords = (word: string | undefined) => word !== undefined && word in resources;
  const verbs = [...new Set(commands.filter(({ path }) => isRecords(path[0])).map(({ path }) => path[1]))].map((verb) => `\\w+ ${verb}`);
  const others = commands.filter(({ path }) => !isRecords(path[0])).map(({ path }) => path.join(" "));
  expect([...Object.keys(resources), ...verbs, ...others].filter((words) => !shown(words))).toEqual([]);
});

test("every environment variable that the code reads is in the reference", () => {
  const read = readSources("src", [".ts"]).flatMap(({ text }) => text.match(/\bCAL_[A-Z]+(?:_[A-Z]+)*\b/g) ?? []);
  const [, section = ""] = page("docs/reference.md").split("## Environment variables");
  const builtIn = ["CAL_VERSION"];
  expect([...new Set(read)].filter((name) => !builtIn.includes(name) && !section.includes(`\`${name}\``))).toEqual([]);
});

test("links lead somewhere, also within pages", () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
  const headings = (path: string) => [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, file = "", heading]) => {
      const target = file === "" ? join(projectRoot, path) : join(projectRoot, dirname(path), file);
      const found = existsSync(target) && (heading === undefined || headings(target).includes(heading));
      return found ? [] : [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("what the guide calls a date is one", () => {
  const [, table = ""] = /\| write \| for example \|\n([\s\S]*?)\n\n/.exec(page("docs/guide.md")) ?? [];
  const texts = [...table.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  expect(texts.length).toBeGreaterThan(15);
  for (const text of texts)
    expect(parseDate(text, { now: Date.parse(fixedNow), zone: "America/New_York", side: "start" }).wall).toMatch(/^\d{4}-/);
});

test("the accounts that the sandbox's page names are its accounts", () => {
  const text = page("docs/sandbox.md");
  const rows = demoUsers.map(
    ({ username, password, applicationPassword, role }) => `| ${username} | ${password} | ${applicationPassword} | ${role} |`,
  );
  const values = [...rows, demoApplication.clientId, demoApplication.clientSecret, demoRedirectUrl];
  expect(values.filter((value) => !text.includes(value))).toEqual([]);
});
