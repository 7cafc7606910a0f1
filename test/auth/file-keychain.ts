// A keychain program for tests in process: keeps entries in one file, and notes what it was started with in another.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the program into a folder, and says where it keeps what. */
export function createFileKeychain(folder: string): {
  readonly program: string;
  readonly entriesFile: string;
  readonly startedFile: string;
} {
  const program = join(folder, "keychain.cjs");
  const entriesFile = join(folder, "entries.json");
  const startedFile = join(folder, "started.txt");
  writeFileSync(
    program,
    `const fs = require("node:fs");
const [entries, started] = ${JSON.stringify([entriesFile, startedFile])};
fs.appendFileSync(started, JSON.stringify([process.argv, process.execArgv, process.env]) + "\\n");
process.on("message", (task) => {
  const kept = fs.existsSync(entries) ? JSON.parse(fs.readFileSync(entries, "utf8")) : {};
  for (const [account, secret] of task.entries ?? []) kept[account] = secret;
  if (task.operation === "delete") for (const account of task.accounts) delete kept[account];
  fs.writeFileSync(entries, JSON.stringify(kept));
  process.send({ ok: true, secrets: task.operation === "get" ? task.accounts.map((account) => kept[account] ?? null) : [] });
});
`,
  );
  return { program, entriesFile, startedFile };
}
