// Reads the checkout's own source files as text, and what they import.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** A source file: its path from the root of the checkout, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One import of a file: what it names, resolved from the root where it is relative, and whether it is gone at run time (`import type`). */
export interface SourceImport {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  readonly relative: boolean;
}

/** The root of the checkout. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Every file below a folder with one of these endings, sorted; without `deep`, of the folder alone. Throws where there is none. */
export function readSources(folder: string, endings: readonly string[], deep = true): readonly SourceFile[] {
  const paths = readdirSync(join(projectRoot, folder), { recursive: deep, encoding: "utf8" })
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort();
  if (paths.length === 0) throw new Error(`no source file in ${folder}`);
  return paths.map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));
}

/** The static, re-exporting and dynamic imports of a file, in its order. */
export function parseImports({ path, text }: SourceFile): readonly SourceImport[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
  const calls = text.matchAll(/\b(?:import|require)\(\s*["'`]([^"'`]+)["'`]/g);
  return [
    ...[...statements].map(([, type, target = ""]) => createImport(path, target, type !== undefined)),
    ...[...calls].map(([, target = ""]) => createImport(path, target, false)),
  ];
}

function createImport(from: string, target: string, typeOnly: boolean): SourceImport {
  const relative = target.startsWith(".");
  return { from, to: relative ? normalize(join(dirname(from), target)).replaceAll("\\", "/") : target, typeOnly, relative };
}
