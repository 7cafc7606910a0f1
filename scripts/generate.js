// Writes the files that are made from the built program's own command tree; with --check says which of them have drifted instead.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** @type {readonly { file: string, args: readonly string[] }[]} each file with the arguments that print it */
const generated = [
  { file: "completions/cal.bash", args: ["completion", "bash"] },
  { file: "completions/_cal", args: ["completion", "zsh"] },
  { file: "completions/cal.fish", args: ["completion", "fish"] },
  { file: "completions/cal.ps1", args: ["completion", "powershell"] },
];

const root = resolve(fileURLToPath(import.meta.url), "../..");

/** @param {readonly string[]} args */
function printed(args) {
  const run = spawnSync(process.execPath, [join(root, "bin/cal.js"), ...args], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`cal ${args.join(" ")} failed (${run.status}): ${run.stderr}`);
  return run.stdout;
}

const checking = process.argv.includes("--check");
for (const { file, args } of generated) {
  const path = join(root, file);
  const text = printed(args);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (checking) {
    console.error(`${file} is not what the program prints: npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(file);
  }
}
