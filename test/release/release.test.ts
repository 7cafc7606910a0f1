// What a release stops at, with npm's own audit against a registry on loopback; and what is in the tarball and its bill of materials.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the registry knows against a package; everything but advisories it has not. */
let weak: string | undefined;
const registry = createServer(async (request, response) => {
  const packed = request.headers["content-encoding"] === "gzip";
  const body = await text(packed ? request.pipe(createGunzip()) : request);
  const isBulk = request.url?.endsWith("/security/advisories/bulk") === true;
  const advisory = { id: 1, url: "https://example.test/advisory", title: "made up", severity: "low", vulnerable_versions: "*" };
  const known = isBulk && weak !== undefined && body.includes(`"${weak}":`) ? { [weak]: [advisory] } : {};
  response.writeHead(isBulk ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(known));
});
beforeAll(async () => {
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
});
afterAll(() => registry.close());

/** Runs the script in a copy of the checkout that has nothing installed; the registry has nothing to install. */
async function released(): Promise<{ readonly code: number; readonly output: string; readonly left: readonly string[] }> {
  const copy = mkdtempSync(join(folder, "checkout-"));
  for (const part of ["package.json", "package-lock.json", "scripts"]) cpSync(join(root, part), join(copy, part), { recursive: true });
  const address = registry.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const child = spawn("bash", ["scripts/release.sh", "--check"], {
    cwd: copy,
    env: {
      PATH: process.env["PATH"],
      HOME: join(copy, "home"),
      RELEASE_DIR: join(copy, "out"),
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: "0",
    },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "close");
  const left = existsSync(join(copy, "out")) ? readdirSync(join(copy, "out")) : [];
  return { code: Number(code), output: (await output).join("\n"), left };
}

describe("a release", () => {
  test.each(["undici", "vitest"])("stops at a known weakness in %s, before anything is installed", async (name) => {
    weak = name;
    const { code, output, left } = await released();
    expect(output).toContain("made up");
    expect({ code, left, installing: output.includes("what is locked is installed") }).toEqual({ code: 1, left: [], installing: false });
  });

  test("goes on where none is known, and stops where what is locked can't be installed", async () => {
    weak = undefined;
    const { code, output, left } = await released();
    expect(output).toContain("found 0 vulnerabilities");
    expect({ installing: output.includes("what is locked is installed"), checking: output.includes("checks and soak") }).toEqual({
      installing: true,
      checking: false,
    });
    expect({ failed: code !== 0, left }).toEqual({ failed: true, left: [] });
  });
});

describe("the tarball", () => {
  const unpacked = join(folder, "unpacked");
  const files = () => readdirSync(join(unpacked, "package"), { recursive: true, encoding: "utf8" });
  const inside = (path: string) => readFileSync(join(unpacked, "package", path), "utf8");

  beforeAll(async () => {
    const copy = join(folder, "built");
    for (const part of ["bin", "completions", "docs/man", "package.json", "README.md", "CHANGELOG.md", "LICENSE", "src"])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const build = `import(${JSON.stringify(new URL("../../scripts/build.js", import.meta.url).href)}).then(({ buildProgram }) => buildProgram(...process.argv.slice(1)))`;
    execFileSync(process.execPath, ["--input-type=module", "-e", build, root, join(copy, "dist")]);
    const npm = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    execFileSync("npm", npm, { cwd: copy, stdio: ["ignore", "ignore", "pipe"], env: { PATH: process.env["PATH"], HOME: folder } });
    const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    mkdirSync(unpacked);
    execFileSync("tar", ["-xzf", join(folder, tarball), "-C", unpacked]);
  }, 60_000);

  test("holds the program, its help and its licences, and nothing else of the checkout", () => {
    const tops = [...new Set(files().map((name) => name.split("/")[0]))].sort();
    expect(tops).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "bin", "completions", "dist", "docs", "package.json"]);
    expect(
      files()
        .filter((name) => /^docs\/.*\.|^completions\/.|^bin\/./.test(name))
        .sort(),
    ).toEqual(
      [
        "bin/cal.js",
        "bin/package.json",
        ...readdirSync(join(root, "completions")).map((name) => `completions/${name}`),
        "docs/man/cal.1",
        "docs/man/calctl.1",
      ].sort(),
    );
    expect(files().filter((name) => /\.(?:ts|map|env|tgz|sqlite)$|meta\.json/.test(name))).toEqual([]);
  });

  test("names the licence of every package that is in it, as the bill of materials does", () => {
    const bill = join(folder, "bill.json");
    execFileSync(process.execPath, [join(root, "scripts/sbom.js"), bill], { stdio: ["ignore", "ignore", "pipe"] });
    const { components, bomFormat } = JSON.parse(readFileSync(bill, "utf8")) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly name: string; readonly version: string; readonly licenses?: readonly unknown[] }[];
    };
    const licences = inside("dist/THIRD-PARTY-LICENSES.txt");
    const reported = [...licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(([^)]+)\)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    );
    const billed = components.map(({ name, version }) => `${name}@${version}`);
    expect(bomFormat).toBe("CycloneDX");
    expect(reported.length).toBeGreaterThan(15);
    expect(reported.filter((one) => !billed.includes(one))).toEqual([]);
    const installed = Object.keys(JSON.parse(inside("package.json")).dependencies ?? {});
    expect(installed.filter((name) => !components.some((one) => one.name === name))).toEqual([]);
    expect(components.filter(({ licenses }) => licenses === undefined || licenses.length === 0).map(({ name }) => name)).toEqual([]);
    expect(inside("LICENSE")).toMatch(/MIT/);
  }, 60_000);

  test("runs where nothing is installed but what it asks for", () => {
    const cal = (...args: readonly string[]) =>
      execFileSync(process.execPath, [join(unpacked, "package/bin/cal.js"), ...args], {
        encoding: "utf8",
        env: { HOME: join(folder, "home"), CAL_SANDBOX: "1" },
      });
    expect(cal("--version").trim()).toContain(JSON.parse(inside("package.json")).version);
    expect(cal("tags", "create", "--name", "Packed", "--field", "slug", "-q")).toBe("packed\n");
    expect(cal("events", "list", "--limit", "2", "--format", "count")).toMatch(/^\d+\n$/);
  });
});
