// What a user's machine gets beside our own code: few packages, locked, without scripts, each one listed.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const json = (name: string) => JSON.parse(readFileSync(`${root}${name}`, "utf8"));

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}
const locked: readonly (readonly [string, Locked])[] = Object.entries<Locked>(json("package-lock.json").packages).filter(
  ([path]) => path !== "",
);

test("no package must be installed with it", () => {
  const installed = locked
    .filter(([, { dev }]) => dev !== true)
    .map(([path, { optional }]) => `${path.replace("node_modules/", "")}${optional === true ? " (optional)" : ""}`);
  expect(installed.sort()).toEqual(["keytar (optional)", "node-addon-api (optional)"]);
});

test("every package is locked with its checksum", () => {
  expect(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")).map(([path]) => path)).toEqual([]);
});

test("nothing that must be installed runs a script, and neither do we", () => {
  expect(
    locked.filter(([, { dev, optional, hasInstallScript }]) => dev !== true && optional !== true && hasInstallScript === true),
  ).toEqual([]);
  expect(Object.keys(json("package.json").scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});

test("the bill of materials names what is bundled and what is installed, in the versions of the licence list, and no tool", () => {
  const bill = JSON.parse(
    execFileSync(process.execPath, ["scripts/sbom.js"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  const listed: readonly string[] = bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl.replace("pkg:npm/", "")));
  const licences = readFileSync(`${root}dist/THIRD-PARTY-LICENSES.txt`, "utf8");
  const bundled = [...licences.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`);
  const installed = locked
    .filter(([, { dev }]) => dev !== true)
    .map(
      ([path, { version }]) =>
        `${path.replace("node_modules/keytar", "node_modules/@github/keytar").replace("node_modules/", "")}@${version}`,
    );
  expect([...listed].sort()).toEqual([...new Set([...bundled, ...installed])].sort());
  expect({ format: bill.bomFormat, of: bill.metadata.component["bom-ref"] }).toEqual({
    format: "CycloneDX",
    of: `calctl@${json("package.json").version}`,
  });
}, 60_000);

test("the release script can be read by its shell", () => {
  expect(() => execFileSync("bash", ["-n", "scripts/release.sh"], { cwd: root, stdio: "pipe" })).not.toThrow();
});
