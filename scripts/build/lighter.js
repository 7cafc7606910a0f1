// Leaves out of the bundle what packages load at once and this program never uses: it is read and compiled at every start otherwise.

/**
 * What a package's import stands for in the bundle: `from` is the end of the path of the importing file. Tests run with the whole packages.
 * @type {readonly { readonly from: RegExp, readonly path: RegExp, readonly contents: string }[]}
 */
const replacements = [
  // The package's index loads fetch, caches, WebSockets and a second protocol beside the agents.
  { from: /src\/http\/undici\.ts$/, path: /^undici$/, contents: 'export { default as Agent } from "undici/lib/dispatcher/agent.js";' },
  {
    from: /src\/http\/undici-proxy\.ts$/,
    path: /^undici$/,
    contents: 'export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";',
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
    build.onResolve({ filter: /^undici$|^node:child_process$|\/(?:client-h2|body)\.js$/ }, ({ importer, path, resolveDir }) => {
      const found = replacements.findIndex((one) => one.from.test(importer) && one.path.test(path));
      return found === -1 ? undefined : { path: `${found}:${path}`, namespace: "lighter", pluginData: { found, resolveDir } };
    });
    build.onLoad({ filter: /.*/, namespace: "lighter" }, ({ pluginData: { found, resolveDir } }) => ({
      contents: replacements[found]?.contents ?? "",
      resolveDir,
    }));
  },
};
