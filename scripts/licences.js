// The licences of the packages that are bundled into the program, which must travel with it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The folders of the packages that bundled files come from, sorted, each once.
 * @param {readonly string[]} inputs files relative to the checkout, as esbuild's metafile names them
 * @returns {string[]}
 */
export function bundledPackages(inputs) {
  const folders = inputs.map((input) => input.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * One text with every package's name, version and licence; throws where a package comes without the text of its licence.
 * @param {string} root
 * @param {readonly string[]} folders
 */
export function licenceText(root, folders) {
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (file === undefined) throw new Error(`${name} ${version} can't be bundled: no licence text in ${folder}`);
    const text = readFileSync(join(root, folder, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return sections.join(`\n${"-".repeat(78)}\n\n`);
}
