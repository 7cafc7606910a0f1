// The README promises two commands; they are the ones that the package and CI know.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project/sources.ts";

const readme = readFileSync(join(projectRoot, "README.md"), "utf8");

test("two commands install: one runs the main job, one passes the tests, each alone in its block", () => {
  const blocks = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text]) => text).filter((text) => text?.includes("npm "));
  expect(blocks).toEqual(["$ npm ci && npm run build && node bin/cal.js --sandbox events list\n", "$ npm ci && npm test\n"]);
});

test("what they call is there", () => {
  expect(packageJson).toMatchObject({
    bin: { cal: "bin/cal.js" },
    scripts: { build: expect.any(String), test: expect.stringContaining("vitest run") },
  });
  expect(packageJson.engines.node).toBe(`>=${/Node (\d+\.\d+\.\d+) or newer/.exec(readme)?.[1]}`);
});

test("CI finds the second one by its own search", () => {
  const search = /^command=\$\((awk .+ README\.md)\)$/m.exec(readFileSync(join(projectRoot, ".ci/run"), "utf8"))?.[1] ?? "exit 1";
  expect(execFileSync("bash", ["-c", search], { cwd: projectRoot, encoding: "utf8" })).toBe("npm ci && npm test\n");
});
