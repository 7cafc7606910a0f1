// Collects the licences of the bundled packages. They must be distributed with the program.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The folders of the bundled packages, sorted and without duplicates.
 * @param {readonly string[]} inputs paths in esbuild's metafile, relative to the repository
 * @returns {string[]}
 */
export function findBundledPackages(inputs) {
  const folders = inputs.map((input) => input.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * The name, version and licence text of each package. Throws if a package has no licence file.
 * @param {string} root
 * @param {readonly string[]} folders
 */
export function formatLicences(root, folders) {
  const sections = folders.map((folder) => {
    const { name, version, license, repository } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file === undefined) throw new Error(`${name} ${version} can't be bundled: no licence text in ${folder}`);
    const text = readFileSync(join(root, folder, file), "utf8").trim();
    // The Mozilla licence wants to be told where the source is (3.2).
    const source = /MPL/.test(license) ? `Source code: ${repository?.url ?? repository}\n\n` : "";
    return `${name} ${version} (${license})\n\n${source}${text}\n`;
  });
  return sections.join(`\n${"-".repeat(78)}\n\n`);
}
