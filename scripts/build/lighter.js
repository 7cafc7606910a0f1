// Leaves out of the bundle what packages load at once and this program never uses: it is read and compiled at every start otherwise.

import { fileURLToPath } from "node:url";

const widthFile = JSON.stringify(fileURLToPath(new URL("../../src/output/width.ts", import.meta.url)));

/**
 * What a package's import stands for in the bundle: `from` is the end of the path of the importing file. Tests run with the whole packages.
 * @type {readonly { readonly from: RegExp, readonly path: RegExp, readonly contents: string }[]}
 */
const replacements = [
  // A default export of Node's is copied with all its properties, of which this one has a hundred.
  { from: /src\/main\.ts$/, path: /^node:process$/, contents: "export default process;" },
  // The package's index loads fetch, caches, WebSockets and a second protocol beside the agents.
  { from: /src\/http\/undici\.ts$/, path: /^undici$/, contents: 'export { default as Agent } from "undici/lib/dispatcher/agent.js";' },
  // It also gives every dispatcher its methods. The agent of a proxy asks for a tunnel with one of them.
  {
    from: /src\/http\/undici-proxy\.ts$/,
    path: /^undici$/,
    contents: `
      import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
      import connect from "undici/lib/api/api-connect.js";
      Dispatcher.prototype.connect = connect;
      export { default as buildConnector } from "undici/lib/core/connect.js";
      export { default as Pool } from "undici/lib/dispatcher/pool.js";
      export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";`,
  },
  // undici's parser is WebAssembly. V8 would compile each of its functions when it is first called, then optimise the largest one: 30 MB and
  // 100 ms of another thread, for which Node 20 waits at its exit. Compiled at once, all of it, and never again, it costs 2 ms in all. V8
  // compares its flags when it takes compiled code from a cache, Node's own code too, so they have their defaults again right after.
  {
    from: /undici\/lib\/dispatcher\/client-h1\.js$/,
    path: /\/llhttp_simd-wasm\.js$/,
    contents: `
      if (/^1[1-3]\\./.test(process.versions.v8)) {
        const { setFlagsFromString } = require("node:v8");
        const flags = ["wasm-lazy-compilation", "wasm-dynamic-tiering", "wasm-tier-up"];
        for (const flag of flags) setFlagsFromString("--no-" + flag);
        queueMicrotask(() => {
          for (const flag of flags) setFlagsFromString("--" + flag);
        });
      }
      module.exports = require("undici/lib/llhttp/llhttp_simd-wasm.js");`,
  },
  // Node's assertions load what compares values and open stderr to see whether it has colours: 3 ms. undici asks only whether something is so.
  {
    from: /undici\/lib\/\S+\.js$/,
    path: /^node:assert$/,
    contents: 'module.exports = (value, message = "an assertion of undici does not hold") => { if (!value) throw new Error(message); };',
  },
  // Node's own client is not used by this one; the limit is Node's default.
  { from: /undici\/lib\/dispatcher\/client\.js$/, path: /^node:http$/, contents: "module.exports = { maxHeaderSize: 16384 };" },
  { from: /undici\/lib\/core\/util\.js$/, path: /^node:http$/, contents: "module.exports = {};" },
  // Asks Node for its tables of Unicode when it is loaded, which takes 20 ms; only text that is not plain needs them.
  {
    from: /src\/output\/width\.ts$/,
    path: /^string-width$/,
    contents: 'let measure; export default (text) => (measure ??= require("string-width").default)(text);',
  },
  // Unpacks its table of 2,000 names when it is loaded; most texts have none of them.
  {
    from: /src\/text\.ts$/,
    path: /^entities\/decode$/,
    contents: 'let decode; export const decodeHTMLStrict = (text) => (decode ??= require("entities/decode").decodeHTMLStrict)(text);',
  },
  // Its own string-width measures Thai, Hindi and some emoji by older rules. The whole bundle has one function for the width of text.
  { from: /cli-table3\/src\/\S+\.js$/, path: /^string-width$/, contents: `module.exports = require(${widthFile}).measureWidth;` },
  // For a log that nobody sees, every cell that is drawn is shortened to ten columns, letter by letter. All texts fit their columns already.
  {
    from: /cli-table3\/src\/cell\.js$/,
    path: /^\.\/utils$/,
    contents: 'module.exports = { ...require("cli-table3/src/utils.js"), truncate: (text) => text };',
  },
  // HTTP/2 is not asked for, bodies are texts, and no SOCKS proxy is used.
  { from: /undici\/lib\/dispatcher\/\S+\.js$/, path: /\/(?:client-h2|web\/fetch\/body)\.js$/, contents: "module.exports = undefined;" },
  // Commands are no programs of their own.
  { from: /commander\/lib\/command\.js$/, path: /^node:child_process$/, contents: "module.exports = undefined;" },
];

/** @type {import("esbuild").Plugin} */
export const lighter = {
  name: "lighter",
  setup(build) {
    build.onResolve(
      {
        filter:
          /^undici$|^string-width$|^entities\/decode$|^\.\/utils$|^node:(?:assert|child_process|http|process)$|\/(?:client-h2|body|llhttp_simd-wasm)\.js$/,
      },
      ({ importer, path, resolveDir }) => {
        const found = replacements.findIndex((one) => one.from.test(importer) && one.path.test(path));
        return found === -1 ? undefined : { path: `${found}:${path}`, namespace: "lighter", pluginData: { found, resolveDir } };
      },
    );
    build.onLoad({ filter: /.*/, namespace: "lighter" }, ({ pluginData: { found, resolveDir } }) => ({
      contents: replacements[found]?.contents ?? "",
      resolveDir,
    }));
  },
};
