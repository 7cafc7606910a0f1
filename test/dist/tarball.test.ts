// The packed tarball, unpacked elsewhere beside its run-time packages only: it holds what runs, and it runs.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-tarball-"));
const installed = join(folder, "package");
let files: readonly string[] = [];

// What was built is packed as it is; building it again would change it while other tests use it.
beforeAll(() => {
  const answer = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    stdio: "pipe",
  });
  const [pack] = JSON.parse(answer);
  files = pack.files.map((file: { path: string }) => file.path);
  execFileSync("tar", ["-xzf", join(folder, pack.filename), "-C", folder]);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const link = join(installed, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function cal(args: readonly string[], nodeArgs: readonly string[] = []) {
  const state = join(folder, "home");
  const env = { PATH: process.env["PATH"], HOME: state, CAL_CONFIG_DIR: state, CAL_STATE_DIR: state, CAL_CACHE_DIR: state };
  const run = spawnSync(process.execPath, [...nodeArgs, join(installed, "bin/cal.js"), ...args], { cwd: folder, env, encoding: "utf8" });
  return { stdout: run.stdout, stderr: run.stderr, code: run.status };
}

test("it holds only what runs", () => {
  const needed = [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "bin/cal.js",
    "bin/package.json",
    "dist/THIRD-PARTY-LICENSES.txt",
    "dist/keychain-child.js",
    "dist/main.js",
    "dist/package.json",
    "dist/xdg-open",
    "package.json",
  ];
  expect(files.filter((file) => needed.includes(file)).sort()).toEqual(needed);
  expect(
    files.filter((file) => !needed.includes(file) && !/^dist\/[\w-]+\.js$|^completions\/[\w.]+$|^docs\/man\/\w+\.1$/.test(file)),
  ).toEqual([]);
});

test("it reports its version", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(cal(["--version"])).toEqual({ stdout: `${version}\n`, stderr: "", code: 0 });
});

test("it lists the sandbox's events", () => {
  const { stdout, stderr, code } = cal(["--sandbox", "events", "list", "--json"]);
  expect({ stderr, code }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout).length).toBeGreaterThan(0);
});

test("it refuses a Node that is too old, in plain words", () => {
  const pretend = "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.0'}})";
  expect(cal(["--version"], ["--import", pretend])).toEqual({
    stdout: "",
    stderr: "cal: needs Node 20.18.1 or newer; this is Node 20.18.0\n",
    code: 2,
  });
});
