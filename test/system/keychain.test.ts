// The real keychain: gnome-keyring on a D-Bus of its own, working, locked, frozen, absent, and used by twenty processes at once.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SecretStore } from "../../src/auth/credentials.ts";
import { createKeychainSecretStore, withChunkedSecrets } from "../../src/auth/keychain.ts";
import { requestTokenByPassword } from "../../src/auth/password.ts";
import {
  catchCalError,
  createAuthSettings,
  createTempFolder,
  createTestCredentialStore,
  createTestTransport,
  realClock,
} from "../auth/kit.ts";
import { buildAuthHeaderProgram, buildKeychainProgram, runNode } from "../auth/programs.ts";
import { account, startTokenService } from "../auth/token-service.ts";
import { missingKeychain, startKeychainSession } from "./keychain-session.ts";

async function keychainIn(env: Readonly<Record<string, string>>, program?: string, timeout = 10_000): Promise<SecretStore> {
  const path = await createTempFolder();
  return withChunkedSecrets(
    createKeychainSecretStore({
      program: program ?? (await buildKeychainProgram(path)),
      env,
      notice: async () => undefined,
      timeouts: { timeout },
    }),
  );
}

const otherwise =
  "or keep the login in a file only you can read: cal auth login --insecure-storage\nor give it in the environment: CAL_USERNAME and CAL_PASSWORD at a site that runs The Events Calendar, elsewhere CAL_TOKEN";

describe.skipIf(missingKeychain !== undefined)("the keychain", () => {
  test("keeps each secret as an entry of its own that other programs can see, and forgets it", async () => {
    const session = await startKeychainSession();
    const keychain = await keychainIn(session.env);
    const long = "long-".repeat(2000);
    await keychain.write([
      ["work/1/refresh-token", "R1"],
      ["work/1/access-token", long],
      ["work/1/password", "pä ss\n"],
    ]);
    expect(await keychain.read(["work/1/access-token", "work/1/password", "work/1/refresh-token"])).toEqual(
      new Map([
        ["work/1/access-token", long],
        ["work/1/password", "pä ss\n"],
        ["work/1/refresh-token", "R1"],
      ]),
    );
    expect([session.lookup("work/1/refresh-token"), session.lookup("work/1/access-token")]).toEqual([
      "R1",
      expect.stringMatching(/^cal-pieces:6:[0-9a-f]{12}$/),
    ]);
    await keychain.remove(["work/1/access-token", "work/1/refresh-token"]);
    await keychain.remove(["work/1/access-token", "work/1/refresh-token"]);
    expect(await keychain.read(["work/1/access-token", "work/1/password"])).toEqual(new Map([["work/1/password", "pä ss\n"]]));
    expect(session.lookup("work/1/refresh-token")).toBe("");
  });

  test("locked: nothing is read as missing, and nothing counts as removed", async () => {
    const session = await startKeychainSession();
    const keychain = await keychainIn(session.env);
    await keychain.write([["a", "kept"]]);
    session.lock();
    const locked = {
      kind: "unauthenticated",
      code: "keychain-locked",
      message: "the keychain is locked",
      hint: `unlock it (log in to the desktop, or: gnome-keyring-daemon --unlock)\n${otherwise}`,
    };
    expect([
      await catchCalError(keychain.read(["a"])),
      await catchCalError(keychain.write([["b", "x"]])),
      await catchCalError(keychain.remove(["a"])),
    ]).toEqual([locked, locked, locked]);
  });

  test("frozen: given up in time, and the process ends with its own exit code", async () => {
    const session = await startKeychainSession();
    const path = await createTempFolder();
    const program = await buildKeychainProgram(path);
    const keychain = await keychainIn(session.env, program);
    const credentialStore = createTestCredentialStore(path, realClock, keychain);
    await credentialStore.save({ profile: "default", store: "keychain", method: "browser" }, { "access-token": "T1" });
    const ask = async () =>
      runNode([await buildAuthHeaderProgram(path), path, program, JSON.stringify(createAuthSettings({})), "1500"], session.env);
    expect(await ask()).toMatchObject({ code: 0, stdout: "Bearer T1\n", stderr: "" });
    session.suspend();
    const frozen = await ask();
    session.resume();
    expect(frozen).toMatchObject({ code: 4, stdout: "unauthenticated keychain-silent: the keychain does not answer\n", stderr: "" });
    expect(frozen.durationMs).toBeLessThan(6000);
  });

  test("no D-Bus, a D-Bus that is dead, and one without a keychain each have an error of their own", async () => {
    const without = await startKeychainSession(false);
    const { DBUS_SESSION_BUS_ADDRESS: _none, XDG_RUNTIME_DIR: _neither, ...bare } = without.env;
    const codeIn = async (env: Readonly<Record<string, string>>) => (await catchCalError((await keychainIn(env)).read(["a"]))).code;
    expect([
      await codeIn({ ...bare, XDG_RUNTIME_DIR: "/nowhere" }),
      await codeIn({ ...bare, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" }),
      await codeIn(without.env),
    ]).toEqual(["keychain-no-bus", "keychain-no-bus", "keychain-no-service"]);
  });

  test("no libsecret, no keytar, and a program that dies are distinguished", async () => {
    const path = await createTempFolder();
    await writeFile(join(path, "libsecret-1.so.0"), "");
    expect(await catchCalError((await keychainIn({ PATH: process.env["PATH"] ?? "", LD_LIBRARY_PATH: path })).read(["a"]))).toEqual({
      kind: "unauthenticated",
      code: "keychain-no-library",
      message: "the keychain's library could not be loaded; on Linux it needs libsecret; Alpine and 32-bit ARM have no suitable one",
      hint: `apt-get install libsecret-1-0\nor: dnf install libsecret\n${otherwise}`,
    });
    const built = await buildKeychainProgram(path);
    const { readFile } = await import("node:fs/promises");
    const homeless = join(path, "homeless.mjs");
    await writeFile(homeless, (await readFile(built, "utf8")).replaceAll(/import\("[^"]*keytar[^"]*"\)/g, 'import("keytar")'));
    expect((await catchCalError((await keychainIn({}, homeless)).read(["a"]))).code).toBe("keychain-not-installed");
    const dying = join(path, "dying.mjs");
    await writeFile(dying, "process.abort();");
    expect((await catchCalError((await keychainIn({}, dying)).read(["a"]))).code).toBe("keychain-crashed");
  });

  test("twenty processes with an ended token refresh it once, and twenty that write and delete at once lose nothing", async () => {
    const session = await startKeychainSession();
    const path = await createTempFolder();
    const program = await buildKeychainProgram(path);
    const service = await startTokenService();
    const grant = await requestTokenByPassword(
      { authUrl: service.authUrl, transport: createTestTransport(), clock: realClock },
      "token",
      account,
    );
    const row = {
      profile: "default",
      store: "keychain",
      method: "password",
      application: account.clientId,
      auth_origin: service.authUrl,
      expires_at: realClock.now() - 1000,
    } as const;
    const keychain = await keychainIn(session.env, program, 30_000);
    await createTestCredentialStore(path, realClock, keychain).save(row, {
      "access-token": grant.accessToken,
      "refresh-token": grant.refreshToken ?? "",
      "client-secret": account.clientSecret,
    });
    const asking = await buildAuthHeaderProgram(path);
    const settings = JSON.stringify(createAuthSettings({ auth_url: service.authUrl }));
    const ended = await Promise.all(Array.from({ length: 20 }, () => runNode([asking, path, program, settings, "30000"], session.env)));
    expect(new Set(ended.map(({ code, stdout, stderr }) => `${code} ${stdout} ${stderr}`)).size).toBe(1);
    expect(ended[0]).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Bearer [0-9a-f]{64}\n$/) });
    expect(service.log).toEqual(["password Basic 200", "refresh_token Basic 200"]);
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => keychain.write([[name, name]])));
    expect([...(await keychain.read(names)).keys()].sort()).toEqual(names.sort());
    await Promise.all(names.flatMap((name) => [keychain.remove([name]), keychain.remove([name])]));
    expect(await keychain.read(names)).toEqual(new Map());
  });
});
