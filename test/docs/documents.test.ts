// What the documents show is what the program prints: every console block is typed into a fresh sandbox.
// After a wanted change, `npx vitest run test/docs -u` writes what is printed now into the documents: read the diff.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot, readSources } from "../project/sources.ts";
import { type DocumentPart, formatDocument, matchesOutput, parseDocument } from "./document.ts";
import { findPrograms, openShell, type Shell } from "./shell.ts";

const handwritten = ["README.md", ...readSources("docs", [".md"], false).map(({ path }) => path)].filter(
  (path) => path !== "docs/reference.md",
);
const documents = handwritten
  .map((path) => ({ path, parts: parseDocument(readFileSync(join(projectRoot, path), "utf8")) }))
  .filter(({ parts }) => commandsOf(parts).length > 0);

function commandsOf(parts: readonly DocumentPart[]): readonly string[] {
  return parts.flatMap((part) => ("step" in part && isRun(part.step.command) ? [part.step.command] : []));
}

/** What installs and builds is run by .ci/run, not by a test of what was built. */
function isRun(command: string): boolean {
  return !command.startsWith("npm ");
}

// The files that examples of the guide write.
afterAll(() => {
  for (const file of ["plan.json", "spring.csv", "poster.gif", "calendar"]) rmSync(file, { force: true, recursive: true });
});

async function runPart(part: DocumentPart, shell: Shell): Promise<DocumentPart> {
  if (!("step" in part) || !isRun(part.step.command)) return part;
  const { command, expectedOutput } = part.step;
  const { stdout, stderr } = await shell.runLine(command);
  return matchesOutput(expectedOutput, stdout, stderr) ? part : { step: { command, expectedOutput: [...stderr, ...stdout] } };
}

test.for(documents)("$path shows what is printed", { timeout: 120_000 }, async ({ path, parts }, { skip }) => {
  const missing = findPrograms(commandsOf(parts)).filter((program) => spawnSync("bash", ["-c", `type ${program}`]).status !== 0);
  if (missing.length > 0 && !process.env["CI"]) skip(`not installed: ${missing.join(" ")} (apt-get install jq)`);
  expect(missing).toEqual([]);
  const shell = openShell();
  const now: DocumentPart[] = [];
  for (const part of parts) now.push(await runPart(part, shell));
  await expect(formatDocument(now)).toMatchFileSnapshot(join(projectRoot, path));
});

test("every document that is run is one of these", () => {
  expect(documents.map(({ path }) => path)).toEqual(["README.md", "docs/guide.md", "docs/sandbox.md", "docs/scripting.md"]);
});
