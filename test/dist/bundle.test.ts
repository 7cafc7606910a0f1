// The built program: what its entries load at once, what a list loads, and what it expects to find installed.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Output {
  readonly bytes: number;
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const outputs: Readonly<Record<string, Output>> = JSON.parse(readFileSync(`${dist}meta.json`, "utf8")).outputs;
const { dependencies = {}, optionalDependencies } = JSON.parse(readFileSync(`${dist}../package.json`, "utf8"));

/** The output files that are loaded with an entry before any `import()` is called. */
function loadedWith(entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === "import-statement" && external !== true) loaded.add(path);
  }
  return loaded;
}

function packagesIn(files: Iterable<string>): readonly string[] {
  const inputs = [...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  const names = inputs.flatMap((input) => input.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
  return [...new Set(names)].sort();
}

function bytesOf(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}

test("there is an entry for the program, and one for the keychain's child", () => {
  const sources = ["src/main.ts", "src/auth/keychain-child.ts"];
  const entries = Object.entries(outputs).flatMap(([file, { entryPoint = "" }]) => (sources.includes(entryPoint) ? [file] : []));
  expect(entries.sort()).toEqual(["dist/keychain-child.js", "dist/main.js"]);
});

test("the program starts with no package", () => {
  const files = loadedWith("dist/main.js");
  expect(packagesIn(files)).toEqual([]);
  expect(bytesOf(files)).toBeLessThan(165_000);
});

/** The files of the program, in their order, and the modules of Node that a command line loads. */
function loadedBy(...args: readonly string[]): { readonly own: readonly string[]; readonly node: readonly string[] } {
  const recorder = [
    'const m=require("node:module"),load=m._load,seen=new Set();',
    "m._load=function(name,parent){seen.add(m._resolveFilename(name,parent));return load.apply(this,arguments)};",
    'process.on("exit",()=>require("node:fs").writeSync(3,[...seen].join("\\n")))',
  ].join("");
  const nowhere = `${dist}no-such-folder`;
  const env = {
    PATH: process.env["PATH"],
    CAL_CONFIG_DIR: nowhere,
    CAL_STATE_DIR: nowhere,
    CAL_CACHE_DIR: nowhere,
    CAL_BASE_URL: "http://127.0.0.1:9",
    CAL_TOKEN: "t",
    NODE_DISABLE_COMPILE_CACHE: "1",
  };
  const script = `${recorder};process.argv=["node","cal",...${JSON.stringify(args)}];require(${JSON.stringify(`${dist}main.js`)})`;
  const output = execFileSync("sh", ["-c", '"$0" -e "$1" 3>&1 >/dev/null 2>&1 || :', process.execPath, script], { env, encoding: "utf8" });
  const files = output.split("\n");
  return {
    own: files.filter((file) => file.startsWith(dist)).map((file) => file.slice(dist.length)),
    node: files.filter((file) => file.startsWith("node:")),
  };
}

test("help loads the first file and the one for help, and nothing for the network", () => {
  const { own, node } = loadedBy("events", "list", "--help");
  expect(own).toEqual(["main.js", "help.js"]);
  expect(node.filter((name) => /http|net|tls|tty|crypto|child_process|v8/.test(name))).toEqual([]);
});

test("a list loads the parser and two files more, and nothing of the keychain and the sandbox", () => {
  const { own, node } = loadedBy("events", "list", "--json", "--retries", "0");
  // The last one prints that no server answers at this address.
  expect(own).toEqual(["main.js", "parser.js", "known.js", "records.js", "problem.js"]);
  expect(node.filter((name) => /http2|sqlite|inspector|worker/.test(name))).toEqual([]);
});

test("of undici only the agents are bundled, and the request that asks a proxy for a tunnel", () => {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const others = inputs.filter((input) => /undici\/lib\/(?:api|cache|global|interceptor|mock|web)\//.test(input));
  expect(others.map((input) => input.replace(/.*undici\/lib\//, "")).sort()).toEqual(["api/abort-signal.js", "api/api-connect.js"]);
});

test("it is smaller than its limit", () => {
  const sizes = readdirSync(dist)
    .filter((file) => file !== "meta.json")
    .map((file) => statSync(`${dist}${file}`).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_700_000);
});

test("the keychain's child starts with next to nothing", () => {
  const files = loadedWith("dist/keychain-child.js");
  expect(packagesIn(files)).toEqual([]);
  expect(bytesOf(files)).toBeLessThan(10_000);
});

test("what it expects to find installed is what package.json installs", () => {
  const imported = Object.values(outputs).flatMap((output) => output.imports.filter((one) => one.external === true).map((one) => one.path));
  const packages = new Set(imported.filter((path) => !isBuiltin(path) && !path.startsWith("node:")));
  expect([...packages].sort()).toEqual([...Object.keys(dependencies), ...Object.keys(optionalDependencies)].sort());
});

test("the licence of every bundled package comes with it", () => {
  const text = readFileSync(`${dist}THIRD-PARTY-LICENSES.txt`, "utf8");
  const reported = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map((match) => match[1] ?? "");
  expect([...new Set(reported)].sort()).toEqual(packagesIn(Object.keys(outputs)));
});
