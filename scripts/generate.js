// Writes the files that are generated from the command tree. With --check it writes nothing and lists those that are out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/** A module with all that the files are generated from. */
const source = `
export { renderReference } from "./scripts/docs/reference.ts";
export { renderManPage } from "./scripts/docs/man.ts";
export { scripts } from "./src/cli/completion/scripts.ts";
export { commandTree } from "./src/cli/command-tree.ts";
export { renderFaultsPage } from "./scripts/faults-table.ts";
export { faultGroups } from "./test/faults/table.ts";
`;

/** @returns {Promise<readonly { file: string, text: string }[]>} */
async function generateFiles() {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "warning",
    plugins: [withoutHandlers],
  });
  const { renderReference, renderManPage, scripts, commandTree, renderFaultsPage, faultGroups } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`
  );
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return [
    { file: "docs/reference.md", text: renderReference(commandTree.commands) },
    { file: "docs/man/cal.1", text: renderManPage(commandTree, version) },
    { file: "docs/faults.md", text: renderFaultsPage(faultGroups) },
    { file: "completions/cal.bash", text: scripts.bash },
    { file: "completions/_cal", text: scripts.zsh },
    { file: "completions/cal.fish", text: scripts.fish },
    { file: "completions/cal.ps1", text: scripts.powershell },
  ];
}

/** The handlers of commands are not needed to describe them. @type {import("esbuild").Plugin} */
const withoutHandlers = {
  name: "without-handlers",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : undefined));
  },
};

const isCheck = process.argv.includes("--check");
for (const { file, text } of await generateFiles()) {
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (isCheck) {
    console.error(`${file} is not what the program says: npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(file);
  }
}
