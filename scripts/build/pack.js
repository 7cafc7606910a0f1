// Writes the chunks of a split build as CommonJS files, several chunks in one file where a command loads them together. Node takes 0.3 ms or
// more for every file, and Node 20 takes 3 ms to start its loader of ES modules. esbuild splits ES modules only, so it runs a second time.
import { basename, dirname, resolve } from "node:path";
import { build } from "esbuild";

/**
 * @param {import("esbuild").BuildResult<{ metafile: true, write: false }>} split
 * @param {Readonly<Record<string, readonly string[]>>} packs source files by the name of the pack that they and their static imports go into
 * @param {import("esbuild").BuildOptions & { readonly absWorkingDir: string }} options of both builds, with `outdir`
 */
export async function writePacks({ metafile, outputFiles }, packs, options) {
  const packOf = assignPacks(metafile, packs, options.absWorkingDir);
  const chunks = outputFiles.map(({ path }) => path);
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const exportsOf = new Map(Object.entries(metafile.outputs).map(([path, { exports }]) => [resolve(options.absWorkingDir, path), exports]));
  const resolveDir = dirname(chunks[0] ?? "");
  /** @param {string} chunk */
  const exportName = (chunk) => `chunk${chunks.indexOf(chunk)}`;
  /** @param {string} chunk */
  const requireChunk = (chunk) => `require("./${packOf.get(chunk)}.js").${exportName(chunk)}`;

  /** @type {import("esbuild").Plugin} */
  const plugin = {
    name: "packs",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^pack:/ }, ({ path }) => ({ path: path.slice("pack:".length), namespace: "pack" }));
      onResolve({ filter: /^\.{0,2}\// }, ({ path, importer, namespace, kind }) => {
        if (kind === "require-call") return { path, external: true };
        const target = resolve(resolveDir, path);
        const importingPack = namespace === "pack" ? importer : packOf.get(importer);
        if (packOf.get(target) === importingPack) return { path: target, namespace: "chunk" };
        return { path: target, namespace: kind === "dynamic-import" ? "other-pack" : "constants" };
      });
      // A pack exports each of its chunks under a name, and another pack imports the chunk by this name.
      onLoad({ filter: /.*/, namespace: "pack" }, ({ path }) => ({
        contents: chunks
          .filter((chunk) => packOf.get(chunk) === path)
          .map((chunk) => `export * as ${exportName(chunk)} from ${JSON.stringify(chunk)};`)
          .join("\n"),
        resolveDir,
      }));
      onLoad({ filter: /.*/, namespace: "other-pack" }, ({ path }) => ({
        // The mark makes esbuild take the chunk's own default export.
        contents: `module.exports = Object.defineProperty(${requireChunk(path)}, "__esModule", { value: true });`,
        resolveDir,
      }));
      // Each import is a constant: esbuild would look up a property through two getters with every use of it.
      onLoad({ filter: /.*/, namespace: "constants" }, ({ path }) => {
        const names = (exportsOf.get(path) ?? []).map((name, index) => ({ name, constant: `other${index}` }));
        const constants = names.map(({ name, constant }) => `${name}: ${constant}`).join(", ");
        const exported = names.map(({ name, constant }) => `${constant} as ${name}`).join(", ");
        return {
          contents: `const { ${constants} } = ${requireChunk(path)};\nexport { ${exported} };`,
          resolveDir,
        };
      });
      onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({ contents: texts.get(path) ?? "", resolveDir }));
    },
  };
  await build({
    ...options,
    entryPoints: [...new Set(packOf.values())].map((name) => ({ in: `pack:${name}`, out: name })),
    outdir: resolveDir,
    format: "cjs",
    supported: { ...options.supported, "dynamic-import": false },
    define: { "import.meta.url": "fileUrl" },
    banner: { js: 'const fileUrl=require("node:url").pathToFileURL(__filename).href;' },
    plugins: [plugin],
  });
}

/**
 * The pack of every chunk, by absolute path. The first pack that wants a chunk gets it; a chunk that none wants is a pack of its own.
 * @param {import("esbuild").Metafile} metafile
 * @param {Readonly<Record<string, readonly string[]>>} packs
 * @param {string} root
 */
function assignPacks({ outputs }, packs, root) {
  /** @type {Map<string, string>} */
  const packOf = new Map();
  /**
   * @param {string} chunk
   * @param {string} pack
   */
  const assign = (chunk, pack) => {
    if (packOf.has(resolve(root, chunk))) return;
    packOf.set(resolve(root, chunk), pack);
    for (const { kind, path, external } of outputs[chunk]?.imports ?? [])
      if (kind === "import-statement" && external !== true) assign(path, pack);
  };
  for (const [pack, sources] of Object.entries(packs))
    for (const [chunk, { entryPoint = "" }] of Object.entries(outputs)) if (sources.includes(entryPoint)) assign(chunk, pack);
  for (const chunk of Object.keys(outputs)) if (!packOf.has(resolve(root, chunk))) packOf.set(resolve(root, chunk), basename(chunk, ".js"));
  return packOf;
}
