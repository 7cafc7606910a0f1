// The bill of materials: every package that is bundled into the program or installed with it, as CycloneDX. `node scripts/sbom.js [file]`.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { bundledPackages } from "./licences.js";

/**
 * npm counts the bundled packages among the development packages, and would leave them out together with the tools that built the program.
 * Reads package-lock.json and dist/meta.json, asks nobody; throws where a bundled package is not locked in the version that was bundled.
 * @param {string} root the checkout, built
 * @returns {Record<string, unknown>}
 */
export function billOfMaterials(root) {
  const whole = npmBill(root, []);
  const { inputs } = JSON.parse(readFileSync(join(root, "dist/meta.json"), "utf8"));
  const bundled = bundledPackages(Object.keys(inputs)).map((folder) =>
    urlOf(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))),
  );
  const locked = whole.components.map(({ purl }) => purl);
  const missing = bundled.filter((purl) => !locked.includes(purl));
  if (missing.length > 0) throw new Error(`bundled, and not in package-lock.json: ${missing.join(", ")}`);
  const wanted = new Set([...bundled, ...npmBill(root, ["--omit=dev"]).components.map(({ purl }) => purl)]);
  const components = whole.components.filter(({ purl }) => wanted.has(purl));
  const refs = new Set([whole.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // npm names the program after the folder that it is built in.
  const metadata = { ...whole.metadata, component: { ...whole.metadata.component, name } };
  return { ...whole, metadata, components, dependencies };
}

/**
 * @param {string} root
 * @param {readonly string[]} flags
 * @returns {{ metadata: { component: Record<string, string> }, components: Record<string, string>[], dependencies: { ref: string, dependsOn: string[] }[] }}
 */
function npmBill(root, flags) {
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", ...flags];
  return JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "inherit"] }));
}

/**
 * @param {{ name: string, version: string }} manifest
 * @returns {string}
 */
function urlOf({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(billOfMaterials(fileURLToPath(new URL("..", import.meta.url))), undefined, 2)}\n`;
  if (argv[2] === undefined) stdout.write(text);
  else writeFileSync(argv[2], text);
}
