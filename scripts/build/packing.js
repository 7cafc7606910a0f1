// Packs what esbuild has split. Finding, reading and compiling a file costs Node 0.3 ms and more, so chunks that are used together become
// one file; and CommonJS, because Node 20 needs 3 ms to start its loader of ES modules. esbuild itself splits ES modules only.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { late } from "./late.js";

/**
 * Writes the chunks of a split build, packed. A group is named by its file and lists source files: their chunks, and the chunks that these
 * import statically, go into it, unless an earlier group has them. Every other chunk stays a file.
 * @param {object} split
 * @param {import("esbuild").Metafile} split.metafile
 * @param {readonly import("esbuild").OutputFile[]} split.outputFiles
 * @param {Readonly<Record<string, readonly string[]>>} groups
 * @param {import("esbuild").BuildOptions} options what holds for every file
 */
export async function pack({ metafile, outputFiles }, groups, options) {
  const root = options.absWorkingDir ?? "";
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [resolve(root, path), output]));
  const homes = homesOf(outputs, groups, root);
  const outdir = dirname([...texts.keys()][0] ?? "");
  const alone = [...texts.keys()].filter((path) => !homes.has(path));
  const packed = await build({
    ...options,
    entryPoints: [...Object.keys(groups).map((group) => join(outdir, `${group}.js`)), ...alone],
    outdir,
    format: "cjs",
    write: false,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "own.url" },
    banner: { js: 'const own={get url(){return require("node:url").pathToFileURL(__filename).href}};' },
    plugins: [inPlace(texts, homes, groups), late(texts)],
  });
  for (const { path, text } of packed.outputFiles) await writeFile(path, asFunction(text));
}

/**
 * The module as a function, for src/start/loader.ts: to put this around it at every start means to copy it. Before it stands what tells its content.
 * All is in ASCII, which Node reads fastest; esbuild leaves it to us to escape regular expressions.
 * @param {string} text
 */
function asFunction(text) {
  const ascii = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const digest = createHash("sha256").update(ascii).digest("hex").slice(0, 16);
  return `//${digest}\n(function(exports,require,module,__filename,__dirname){${ascii}})\n`;
}

/**
 * The group of every chunk that is in one.
 * @param {ReadonlyMap<string, import("esbuild").Metafile["outputs"][string]>} outputs by absolute path
 * @param {Readonly<Record<string, readonly string[]>>} groups
 * @param {string} root
 */
function homesOf(outputs, groups, root) {
  /** @type {Map<string, string>} */
  const homes = new Map();
  for (const [group, sources] of Object.entries(groups)) {
    const paths = [...outputs]
      .filter(([, { entryPoint }]) => entryPoint !== undefined && sources.includes(entryPoint))
      .map(([path]) => path);
    for (const path of paths) {
      if (homes.has(path)) continue;
      homes.set(path, group);
      for (const one of outputs.get(path)?.imports ?? [])
        if (one.kind === "import-statement" && one.external !== true) paths.push(resolve(root, one.path));
    }
  }
  return homes;
}

/**
 * Inside a group chunks are bundled. From outside they are reached through the file of the group, so that each is there once.
 * @param {ReadonlyMap<string, string>} texts
 * @param {ReadonlyMap<string, string>} homes
 * @param {Readonly<Record<string, readonly string[]>>} groups
 * @returns {import("esbuild").Plugin}
 */
function inPlace(texts, homes, groups) {
  const chunks = [...texts.keys()];
  /** @param {string} path */
  const nameOf = (path) => `c${chunks.indexOf(path)}`;
  return {
    name: "in-place",
    setup(build) {
      build.onResolve({ filter: /^\.{0,2}\// }, ({ kind, path, importer, resolveDir, namespace }) => {
        const target = resolve(resolveDir, path);
        if (kind === "entry-point") return { path: target, namespace: groups[groupOf(target)] === undefined ? "chunk" : "group" };
        if (namespace === "door") return { path, external: true };
        const home = homes.get(target);
        if (home === undefined) return { path, external: true };
        const from = namespace === "group" ? groupOf(importer) : homes.get(importer);
        return { path: target, namespace: home === from ? "chunk" : "door" };
      });
      const resolveDir = dirname(chunks[0] ?? "");
      build.onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({ contents: texts.get(path) ?? "", resolveDir }));
      build.onLoad({ filter: /.*/, namespace: "door" }, ({ path }) => ({
        contents: `module.exports = require("./${homes.get(path)}.js").${nameOf(path)};`,
        resolveDir,
      }));
      build.onLoad({ filter: /.*/, namespace: "group" }, ({ path }) => ({
        contents: chunks
          .filter((chunk) => homes.get(chunk) === groupOf(path))
          .map((chunk) => `export * as ${nameOf(chunk)} from ${JSON.stringify(chunk)};`)
          .join("\n"),
        resolveDir,
      }));
    },
  };
}

/** @param {string} path */
function groupOf(path) {
  return path.replace(/^.*\/|\.js$/g, "");
}
