// Creates the software bill of materials (SBOM) in CycloneDX format: all bundled packages and all runtime dependencies.
// Usage: node scripts/sbom.js [file]

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { findBundledPackages } from "./licences.js";

/**
 * Bundled packages are development dependencies, so `npm sbom --omit=dev` does not list them. This function adds them.
 * It reads package-lock.json and dist/meta.json and sends no requests.
 * Throws if package-lock.json does not have the bundled version of a package.
 * @param {string} root folder of the repository; dist/ must be built
 * @returns {Record<string, unknown>}
 */
export function createSbom(root) {
  const fullSbom = runNpmSbom(root, []);
  const { inputs } = JSON.parse(readFileSync(join(root, "dist/meta.json"), "utf8"));
  const bundledUrls = findBundledPackages(Object.keys(inputs)).map((folder) =>
    formatPackageUrl(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))),
  );
  const lockedUrls = fullSbom.components.map(({ purl }) => purl);
  const missing = bundledUrls.filter((purl) => !lockedUrls.includes(purl));
  if (missing.length > 0) throw new Error(`bundled, and not in package-lock.json: ${missing.join(", ")}`);
  const includedUrls = new Set([...bundledUrls, ...runNpmSbom(root, ["--omit=dev"]).components.map(({ purl }) => purl)]);
  const components = fullSbom.components.filter(({ purl }) => includedUrls.has(purl));
  const refs = new Set([fullSbom.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = fullSbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => refs.has(dependency)) }));
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // npm uses the name of the folder as the name of the program.
  const metadata = { ...fullSbom.metadata, component: { ...fullSbom.metadata.component, name } };
  return { ...fullSbom, metadata, components, dependencies };
}

/**
 * @param {string} root
 * @param {readonly string[]} flags
 * @returns {{ metadata: { component: Record<string, string> }, components: Record<string, string>[], dependencies: { ref: string, dependsOn: string[] }[] }}
 */
function runNpmSbom(root, flags) {
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", ...flags];
  return JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "inherit"] }));
}

/**
 * @param {{ name: string, version: string }} manifest
 * @returns {string}
 */
function formatPackageUrl({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(createSbom(fileURLToPath(new URL("..", import.meta.url))), undefined, 2)}\n`;
  if (argv[2] === undefined) stdout.write(text);
  else writeFileSync(argv[2], text);
}
