// What the build replaces in packages (scripts/build/patches.js) has to be there: a new version of a package may have moved it.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Patch {
  readonly file: string;
  readonly imports: string;
  readonly contents: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const { patches }: { readonly patches: readonly Patch[] } = await import(`${root}scripts/build/patches.js`);

test.each(patches)("$file imports $imports", ({ file, imports, contents }) => {
  const text = readFileSync(existsSync(root + file) ? root + file : `${root}node_modules/${file}`, "utf8");
  expect(text).toMatch(new RegExp(`(?:from |require\\()["']${imports.replaceAll(".", "\\.")}["']`));
  const replacements = [...contents.matchAll(/(?:from |require\()"([^":]+\.js)"/g)].map(([, path = ""]) => path);
  expect(replacements.filter((path) => !path.startsWith("/") && !existsSync(`${root}node_modules/${path}`))).toEqual([]);
});
