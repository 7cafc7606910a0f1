// Folders and files that the user has no right to: exit 10 with the path and a way out, and nothing that was stored is touched.

import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { createSession } from "../helpers/session.ts";
import { createTestInstallation, grantOwnership } from "./place.ts";

const { cal, createFolder, revokeAccess, folder } = createTestInstallation();
const stored = '{"version":1,"current":"work","profiles":{"work":{"tz":"Europe/Oslo"}}}';

/** A config folder with a file in it. */
function configured(name: string): { readonly dir: string; readonly file: string; readonly env: Readonly<Record<string, string>> } {
  const dir = createFolder(name);
  const file = join(dir, "config.json");
  writeFileSync(file, stored, { mode: 0o600 });
  grantOwnership(file);
  return { dir, file, env: { CAL_CONFIG_DIR: dir } };
}

describe("the config file", () => {
  test("that can't be read stops what needs it, and no more", () => {
    const { file, env } = configured("unreadable");
    revokeAccess(file);
    for (const line of [
      ["config", "list"],
      ["config", "set", "tz", "UTC"],
      ["profile", "add", "b"],
      ["--sandbox", "events", "list"],
    ]) {
      const { stdout, stderr, code } = cal(line, env);
      expect({ line, stdout, stderr, code }).toEqual({
        line,
        stdout: "",
        stderr: expect.stringContaining(`cannot read the config file ${file}`),
        code: 10,
      });
    }
    expect(cal(["--version"], env).code).toBe(0);
    expect(cal(["help"], env).code).toBe(0);
  });

  test("in a folder that can't be written stays as it is", () => {
    const { dir, file, env } = configured("read-only");
    chmodSync(dir, 0o500);
    const { stdout, stderr, code } = cal(["config", "set", "tz", "UTC"], env);
    expect({ stdout, stderr, code }).toEqual({
      stdout: "",
      stderr: expect.stringMatching(/^cal: cannot write the config file .*config\.json: .+\nhint: .*CAL_CONFIG_DIR/),
      code: 10,
    });
    expect({ text: readFileSync(file, "utf8"), left: readdirSync(dir) }).toEqual({ text: stored, left: ["config.json"] });
    expect(cal(["config", "get", "tz"], env)).toMatchObject({ stdout: "Europe/Oslo\n", code: 0 });
  });
});

describe("a home that does not exist", () => {
  test("is made where that can be done", () => {
    const env = { HOME: join(folder, "home/new/deep") };
    expect(cal(["config", "set", "tz", "Europe/Oslo"], env).code).toBe(0);
    expect(cal(["config", "get", "tz"], env)).toMatchObject({ stdout: "Europe/Oslo\n", code: 0 });
  });

  test("and can't be made, is an empty one to read and exit 10 to write", () => {
    const env = { HOME: "/nonexistent/home" };
    expect(cal(["config", "list"], env).code).toBe(0);
    expect(cal(["config", "set", "tz", "UTC"], env)).toEqual({
      stdout: "",
      stderr: expect.stringContaining("/nonexistent/home"),
      code: 10,
    });
    expect(cal(["--sandbox", "events", "list"], env)).toEqual({
      stdout: "",
      stderr: expect.stringContaining("/nonexistent/home"),
      code: 10,
    });
    expect(existsSync("/nonexistent")).toBe(false);
  });
});

describe("the state folder", () => {
  test("of another user: the sandbox, logins and logging in say so", () => {
    const state = createFolder("theirs");
    revokeAccess(state);
    const env = { CAL_STATE_DIR: state, CAL_BASE_URL: "http://127.0.0.1:9", CAL_AUTH_URL: "http://127.0.0.1:9" };
    for (const line of [
      ["--sandbox", "events", "list"],
      ["--sandbox", "sandbox", "reset", "--yes"],
      ["auth", "status"],
      ["events", "list"],
    ]) {
      const { stdout, stderr, code } = cal(line, env);
      expect({ line, stdout, stderr, code }).toEqual({
        line,
        stdout: "",
        stderr: expect.stringMatching(new RegExp(`^cal: .*${state}.*\nhint: .*CAL_STATE_DIR`, "s")),
        code: 10,
      });
    }
  });

  test("that became read-only keeps the sandbox's data", () => {
    const state = createFolder("sealed");
    const env = { CAL_STATE_DIR: state };
    expect(cal(["--sandbox", "tags", "create", "--name", "kept"], env).code).toBe(0);
    const before = readFileSync(join(state, "sandbox.ndjson"));
    chmodSync(state, 0o500);
    expect(cal(["--sandbox", "tags", "create", "--name", "lost"], env)).toMatchObject({ stdout: "", code: 10 });
    expect(readFileSync(join(state, "sandbox.ndjson")).equals(before)).toBe(true);
    chmodSync(state, 0o700);
    expect(cal(["--sandbox", "tags", "get", "kept", "--field", "name"], env)).toMatchObject({ stdout: "kept\n", code: 0 });
  });
});

test("a cache folder that can't be written is no obstacle", () => {
  const cache = createFolder("cache", 0o500);
  expect(cal(["--sandbox", "events", "list", "--limit", "1"], { CAL_CACHE_DIR: cache })).toMatchObject({ code: 0 });
});

describe("a file of this user that others can write", () => {
  test.each([
    ["config.json", "config", ["config", "list"]],
    ["config.json", "config", ["config", "set", "tz", "UTC"]],
    ["config.json", "config", ["--sandbox", "events", "list"]],
    ["logins.json", "state", ["auth", "status"]],
    ["logins.json", "state", ["--base-url", "http://127.0.0.1:9", "events", "list"]],
    ["credentials.json", "state", ["auth", "logout"]],
  ] as const)("%s in the %s folder is refused: cal %j", (name, kind, line) => {
    const folder = createFolder(`writable-${line.join("-").replaceAll("/", "")}`);
    const login = { profile: "default", id: "12345678", store: "file", method: "browser", holds: ["access-token"], stored_at: 1 };
    const texts = {
      "config.json": stored.replace("work", "default"),
      "logins.json": JSON.stringify({ logins: [login] }),
      "credentials.json": "{}",
    };
    for (const file of kind === "config" ? ["config.json" as const] : (["logins.json", "credentials.json"] as const)) {
      writeFileSync(join(folder, file), texts[file], { mode: 0o600 });
      grantOwnership(join(folder, file));
    }
    const path = join(folder, name);
    chmodSync(path, 0o620);
    const env = { [`CAL_${kind.toUpperCase()}_DIR`]: folder };
    expect(cal(line, env)).toEqual({
      stdout: "",
      stderr: `cal: ${path} is not used: other users can write it\nhint: look at what it holds; if that is yours: chmod go-w ${path}\n`,
      code: 10,
    });
    expect(readFileSync(path, "utf8")).toBe(texts[name]);
  });
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("a file of another user (only root can make one: run the tests as root)", () => {
  test.each(["config.json", "logins.json"])("%s is refused, although everybody can read it", (name) => {
    const folder = createFolder(`foreign-${name}`);
    const path = join(folder, name);
    writeFileSync(path, '{"profiles":{},"logins":[]}', { mode: 0o644 });
    const { stdout, stderr, code } = cal(["auth", "status"], { CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder });
    expect([stdout, stderr, code]).toEqual(["", expect.stringContaining(`${path} is not used: it belongs to another user (uid 0)`), 10]);
  });

  test("is refused for root too", async () => {
    const session = createSession({ env: { CAL_SANDBOX: "0" } });
    expect((await session("config set tz UTC")).code).toBe(0);
    const path = join(session.folder, "config", "config.json");
    chownSync(path, 65_534, 65_534);
    const { stderr, code } = await session("config list");
    expect([stderr, code]).toEqual([expect.stringContaining(`sudo chown $(id -u) ${path}`), 10]);
  });
});
