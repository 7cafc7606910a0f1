// Node's own modules are loaded when something of them is first used, not when a pack is that may use them: some take 2 ms.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Those that a usual command may need nothing of. */
const modules = /^node:(?:child_process|crypto|fs\/promises|http|os|timers\/promises|tls|tty|url|v8)$/;

/** @type {import("esbuild").Plugin} */
export const late = {
  name: "late",
  setup(build) {
    build.onResolve({ filter: modules }, ({ kind, namespace, path }) =>
      kind === "import-statement" && namespace !== "late" ? { path, namespace: "late" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => name !== "default");
      const parts = names.map((name) => `get ${name}(){return load().${name}}`);
      return { contents: `const load=()=>require(${JSON.stringify(path)});module.exports={${parts.join(",")}};`, loader: "js" };
    });
  },
};
