// Imports of packages that get something else in the bundle. Tests run with the whole packages, except those in test/dist and test/system.
// An import is replaced only if that saves at least 8 ms on a command, or if the output is wrong without it.

import { fileURLToPath } from "node:url";

const widthFile = JSON.stringify(fileURLToPath(new URL("../../src/output/width.ts", import.meta.url)));

/**
 * @typedef {object} Patch
 * @property {string} saves measured with `env -i PATH=$PATH`, medians in milliseconds on Node 20.20 and Node 24.21
 * @property {string} file the importing file: its path under node_modules/, or under the root of this repository
 * @property {string} imports
 * @property {string} contents the module that it gets
 */

/** @type {readonly Patch[]} */
export const patches = [
  {
    // The index of the package also loads fetch, caches and WebSockets.
    saves: "`events list --json`: 42 on Node 20, 40 on Node 24",
    file: "src/http/undici.ts",
    imports: "undici",
    contents: 'export { default as Agent } from "undici/lib/dispatcher/agent.js";',
  },
  {
    // Without it the index is in the bundle again. It also gives every dispatcher its methods; ProxyAgent calls `connect`.
    saves: "part of the one before",
    file: "src/http/undici-proxy.ts",
    imports: "undici",
    contents: `
      import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
      import connect from "undici/lib/api/api-connect.js";
      Dispatcher.prototype.connect = connect;
      export { default as buildConnector } from "undici/lib/core/connect.js";
      export { default as Pool } from "undici/lib/dispatcher/pool.js";
      export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";`,
  },
  {
    // V8 of Node 20 optimizes the WebAssembly of the HTTP parser in another thread, and Node 20 waits for it when it exits.
    saves: "`events list --json`: 90 on Node 20, nothing on Node 22 and 24",
    file: "undici/lib/dispatcher/client-h1.js",
    imports: "../llhttp/llhttp_simd-wasm.js",
    contents: `
      if (process.versions.node.startsWith("20.")) require("node:v8").setFlagsFromString("--liftoff-only");
      module.exports = require("undici/lib/llhttp/llhttp_simd-wasm.js");`,
  },
  // HTTP/2, bodies of fetch and Node's own HTTP client are not used. 16384 is Node's default.
  {
    saves: "`events list --json`: 5 on Node 20, 9 on Node 24, together with the next three",
    file: "undici/lib/dispatcher/client.js",
    imports: "./client-h2.js",
    contents: "module.exports = undefined;",
  },
  {
    saves: "see client-h2.js",
    file: "undici/lib/dispatcher/client-h1.js",
    imports: "../web/fetch/body.js",
    contents: "module.exports = undefined;",
  },
  {
    saves: "see client-h2.js",
    file: "undici/lib/dispatcher/client.js",
    imports: "node:http",
    contents: "module.exports = { maxHeaderSize: 16384 };",
  },
  { saves: "see client-h2.js", file: "undici/lib/core/util.js", imports: "node:http", contents: "module.exports = {};" },
  {
    // The package makes a segmenter and compiles Unicode patterns when it is loaded. Only text that is not ASCII or Latin needs them.
    saves: "every command: 28 on Node 20, 27 on Node 24",
    file: "src/output/width.ts",
    imports: "string-width",
    contents: 'let stringWidth; export default (text) => (stringWidth ??= require("string-width").default)(text);',
  },
  {
    // Its own version of string-width measures Thai, Hindi and some emoji by older rules. The whole bundle has one function for this.
    saves: "nothing; without it the columns of such a table are not aligned",
    file: "cli-table3/src/utils.js",
    imports: "string-width",
    contents: `module.exports = require(${widthFile}).measureWidth;`,
  },
  {
    // For a log that nobody reads, every cell is shortened to ten columns, letter by letter. All texts fit their columns already.
    saves: "`events list --format table`, 1,000 rows: 30 on Node 20; more for text that is not Latin",
    file: "cli-table3/src/cell.js",
    imports: "./utils",
    contents: 'module.exports = { ...require("cli-table3/src/utils.js"), truncate: (text) => text };',
  },
];

/** @type {import("esbuild").Plugin} */
export const patchPlugin = {
  name: "patches",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /.*/ }, ({ importer, path, resolveDir }) => {
      const index = patches.findIndex(({ file, imports }) => path === imports && importer.endsWith(`/${file}`));
      return index === -1 ? undefined : { path: String(index), namespace: "patch", pluginData: resolveDir };
    });
    onLoad({ filter: /.*/, namespace: "patch" }, ({ path, pluginData }) => ({
      contents: patches[Number(path)]?.contents ?? "",
      resolveDir: pluginData,
    }));
  },
};
