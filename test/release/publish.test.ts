// What --publish stops at, and what it sends: the script runs whole, with npm's own pack and publish against a registry on loopback.
// Only the steps before them are stood in for, which other tests take, and the proof of where it was built, for which npm wants the signature
// of a build service.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-publish-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Published {
  readonly access: string;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

const sent: Published[] = [];
const registry = createServer(async (request, response) => {
  const body = await text(request);
  if (request.method === "PUT") sent.push(JSON.parse(body) as Published);
  response.writeHead(request.method === "PUT" ? 201 : 404, { "content-type": "application/json" }).end("{}");
});
let port = 0;
beforeAll(async () => {
  await once(registry.listen(0, "127.0.0.1"), "listening");
  const address = registry.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => registry.close());
beforeEach(() => sent.splice(0));

/** In front of npm: writes down what it is asked, takes what is built for what it was to build, and does only what makes the bill of materials, packs and publishes. */
const fakeNpm = `#!/usr/bin/env bash
[[ $1 == sbom ]] || printf '%s\\n' "$*" >>"$CALLS"
case $* in
  'run check') cp -R "$ROOT/dist" . ;;
esac
case $1 in
  pack | sbom) exec "$NPM" "$@" ;;
  publish) exec "$NPM" "\${@/--provenance/--no-provenance}" ;;
esac
`;

interface Released {
  readonly code: number;
  readonly output: string;
  /** What npm was asked, line by line. */
  readonly calls: readonly string[];
  /** The folder of what is made. */
  readonly out: string;
  readonly left: readonly string[];
}

const git = (copy: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.test", ...args], { cwd: copy, stdio: "pipe" });

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };

/** Runs the script in a copy of the checkout that is committed and has the tag of its version; `spoil` does what is wrong with it. */
async function released(mode: string, spoil: (copy: string) => void = () => undefined): Promise<Released> {
  const copy = mkdtempSync(join(folder, "checkout-"));
  for (const part of ["package.json", "package-lock.json", "scripts", "bin", "LICENSE"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  writeFileSync(join(copy, "CHANGELOG.md"), `# Changelog\n\n## ${version}\n\nThe first version.\n`);
  git(copy, "init", "-q");
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n");
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  git(copy, "add", ".");
  git(copy, "commit", "-qm", "a release");
  git(copy, "tag", "-am", "", `v${version}`);
  spoil(copy);
  const beside = mkdtempSync(join(folder, "beside-"));
  const [bin, out, calls] = ["bin", "out", "calls"].map((name) => join(beside, name)) as [string, string, string];
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), fakeNpm);
  chmodSync(join(bin, "npm"), 0o755);
  writeFileSync(join(beside, ".npmrc"), `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=t\nfetch-retries=0\n`);
  const npm = execFileSync("bash", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: beside, RELEASE_DIR: out, CALLS: calls, NPM: npm, ROOT: root };
  const child = spawn("bash", ["scripts/release.sh", mode], { cwd: copy, env });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "close");
  return {
    code: Number(code),
    output: (await output).join("\n"),
    calls: existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [],
    out,
    left: existsSync(out) ? readdirSync(out).sort() : [],
  };
}

const steps = [
  "audit --package-lock-only --audit-level=low",
  "ci --ignore-scripts",
  "audit signatures",
  "run check",
  "run soak",
  expect.stringMatching(/^pack --ignore-scripts --pack-destination \//),
];
const made = ["SHA256SUMS", `calctl-${version}.cdx.json`, `calctl-${version}.tgz`];

test("a release that is only checked is packed with its sums, and nothing is sent", async () => {
  const { code, output, calls, out, left } = await released("--check", (copy) => writeFileSync(join(copy, "more"), ""));
  expect({ code, calls, left, sent }, output).toEqual({ code: 0, calls: steps, left: made, sent: [] });
  expect(execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: out, encoding: "utf8" })).toBe(
    `./calctl-${version}.tgz: OK\n./calctl-${version}.cdx.json: OK\n`,
  );
}, 60_000);

test("what is published is what was packed, with a proof of where it was built, for everybody", async () => {
  const { code, output, calls, out, left } = await released("--publish");
  const publish = `publish ${out}/calctl-${version}.tgz --provenance --access public --ignore-scripts`;
  expect({ code, calls, left }, output).toEqual({ code: 0, calls: [...steps, publish], left: made });
  const [{ access, _attachments: files } = { access: "", _attachments: {} }] = sent;
  const data = Buffer.from(files[`calctl-${version}.tgz`]?.data ?? "", "base64");
  const sum = createHash("sha256").update(data).digest("hex");
  expect({
    times: sent.length,
    access,
    listed: readFileSync(join(out, "SHA256SUMS"), "utf8").includes(`${sum}  ./calctl-${version}.tgz`),
  }).toEqual({
    times: 1,
    access: "public",
    listed: true,
  });
}, 60_000);

test.each<readonly [string, (copy: string) => void, string]>([
  ["a file that is not committed", (copy) => writeFileSync(join(copy, "more"), ""), "there are changes that are not committed"],
  ["a change that is not committed", (copy) => writeFileSync(join(copy, "LICENSE"), ""), "there are changes that are not committed"],
  ["no tag", (copy) => git(copy, "tag", "-d", `v${version}`), "unknown revision"],
  ["a commit after the tag", (copy) => git(copy, "commit", "-qm", "more", "--allow-empty"), `HEAD is not v${version}`],
  [
    "no word of it in the changelog",
    (copy) => {
      writeFileSync(join(copy, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n");
      git(copy, "commit", "-qam", "none");
      git(copy, "tag", "-fam", "", `v${version}`);
    },
    `CHANGELOG.md does not tell of ${version}`,
  ],
])("nothing is published with %s", async (_what, spoil, says) => {
  const { code, output, calls, left } = await released("--publish", spoil);
  expect(output).toContain(says);
  expect({ failed: code !== 0, calls, left, sent }).toEqual({ failed: true, calls: [], left: [], sent: [] });
});

test("another word than --check or --publish does nothing", async () => {
  const { code, output, calls, left } = await released("--publsh");
  expect({ code, output, calls, left }).toEqual({
    code: 2,
    output: "\nusage: scripts/release.sh [--check | --publish]\n",
    calls: [],
    left: [],
  });
});
