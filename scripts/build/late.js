// Node's own modules are loaded when something of them is first used, not when a pack is that may use them: some take 2 ms.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Those that a usual command may need nothing of. */
const modules = /^node:(?:child_process|crypto|fs\/promises|http|os|timers\/promises|tls|tty|url|v8)$/;

/**
 * The plugin, for chunks with these texts.
 * @param {ReadonlyMap<string, string>} texts
 * @returns {import("esbuild").Plugin}
 */
export function late(texts) {
  return {
    name: "late",
    setup(build) {
      build.onResolve({ filter: modules }, ({ importer, kind, namespace, path }) => {
        if (kind !== "import-statement" || namespace === "late") return undefined;
        return { path, namespace: "late", suffix: `?${namesIn(texts.get(importer) ?? "", path).join()}` };
      });
      build.onLoad({ filter: /.*/, namespace: "late" }, ({ path, suffix }) => {
        const parts = suffix
          .slice(1)
          .split(",")
          .map((name) => `get ${name}(){return load().${name}}`);
        return { contents: `const load=()=>require(${JSON.stringify(path)});module.exports={${parts.join(",")}};`, loader: "js" };
      });
    },
  };
}

/**
 * What a chunk imports of a module; everything where it does not name it. Each name is made, and copied, at every start.
 * @param {string} text
 * @param {string} path
 */
function namesIn(text, path) {
  const imports = [...text.matchAll(/\bimport\b\s*([^"';()]*?)\s*\bfrom\s*"([^"]+)"/g)].filter(([, , from]) => from === path);
  const lists = imports.map(([, what = ""]) => /^\{([^}]*)\}$/.exec(what)?.[1]);
  if (lists.length === 0 || lists.includes(undefined)) return Object.keys(require(path)).filter((name) => name !== "default");
  return [...new Set(lists.flatMap((list = "") => list.split(",").map((one) => one.trim().split(" ")[0] ?? "")))];
}
