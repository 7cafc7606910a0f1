// The credential store: its file, long secrets, and the list of logins.

import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFileSecretStore, createLock, type Lock, writePrivateFile } from "../../src/auth/credential-file.ts";
import { type CredentialStore, createCredentialStore, type NewLogin } from "../../src/auth/credential-store.ts";
import { keychainError, maxEntryBytes, withChunkedSecrets } from "../../src/auth/keychain.ts";
import { catchCalError, createMemoryStore, createTempFolder, createTestClock, createTestCredentialStore, realClock } from "./kit.ts";

const row: NewLogin = {
  profile: "work",
  store: "keychain",
  method: "password",
  identity: "ana",
  application: "app-1",
  auth_origin: "https://a.test",
};

test("only the owner can read the file, it is never incomplete, and several stores can share it", async () => {
  const path = await createTempFolder();
  const store = () => createFileSecretStore(join(path, "state"), createLock(join(path, "locks"), realClock));
  await Promise.all(Array.from({ length: 20 }, (_, index) => store().write([[`a${index}`, `s${index}`]])));
  const accounts = Array.from({ length: 20 }, (_, index) => `a${index}`);
  expect([...(await store().read(accounts))].sort()).toEqual(accounts.map((name, index) => [name, `s${index}`]).sort());
  const file = join(path, "state", "credentials.json");
  expect([(await stat(file)).mode & 0o777, (await stat(join(path, "state"))).mode & 0o777]).toEqual([0o600, 0o700]);
  await chmod(file, 0o644);
  await store().read(["a1"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await store().remove(accounts.slice(1));
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ a0: "s0" });
});

test("a symbolic link is neither read nor written through", async () => {
  const path = await createTempFolder();
  const elsewhere = join(path, "elsewhere.json");
  await writeFile(elsewhere, '{"a":"theirs"}');
  await mkdir(join(path, "state"));
  await symlink(elsewhere, join(path, "state", "credentials.json"));
  const store = createFileSecretStore(join(path, "state"), createLock(join(path, "locks"), realClock));
  expect(await catchCalError(store.read(["a"]))).toMatchObject({ kind: "local", message: expect.stringContaining("symbolic link") });
  expect(await catchCalError(store.write([["a", "ours"]]))).toMatchObject({
    kind: "local",
    message: expect.stringContaining("symbolic link"),
  });
  expect([await readFile(elsewhere, "utf8"), (await lstat(join(path, "state", "credentials.json"))).isSymbolicLink()]).toEqual([
    '{"a":"theirs"}',
    true,
  ]);
});

test("a new file can be read by its owner only, and a link is not replaced", async () => {
  const path = await createTempFolder();
  const [own, link] = [join(path, "own.json"), join(path, "link.json")];
  await writePrivateFile(own, "{}");
  expect((await stat(own)).mode & 0o777).toBe(0o600);
  await symlink(own, link);
  expect(await catchCalError(writePrivateFile(link, "[]"))).toEqual(
    expect.objectContaining({ kind: "local", message: `${link} is a symbolic link; secrets are kept in plain files only` }),
  );
  expect([await readFile(own, "utf8"), (await lstat(link)).isSymbolicLink()]).toEqual(["{}", true]);
});

test("a file that is broken is named, and not overwritten", async () => {
  const path = await createTempFolder();
  await writeFile(join(path, "credentials.json"), '{"a": "unfinished');
  const store = createFileSecretStore(path, createLock(join(path, "locks"), realClock));
  expect(await catchCalError(store.write([["a", "new"]]))).toMatchObject({
    kind: "local",
    message: expect.stringContaining("credentials.json"),
  });
  expect(await readFile(join(path, "credentials.json"), "utf8")).toBe('{"a": "unfinished');
});

test("a secret of any length comes back, no entry is over the limit, and nothing is left behind", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.nat(6000)), { minLength: 1, maxLength: 4 }), async (writes) => {
      const inner = createMemoryStore();
      const store = withChunkedSecrets(inner);
      for (const [unit, length] of writes) {
        const secret = `${unit}x`.repeat(Math.ceil((length + 1) / (unit.length + 1)));
        await store.write([
          ["a", secret],
          ["b", "short"],
        ]);
        expect(Object.fromEntries(await store.read(["a", "b", "c"]))).toEqual({ a: Buffer.from(secret).toString(), b: "short" });
        expect([...inner.secrets.values()].every((entry) => Buffer.byteLength(entry) <= maxEntryBytes)).toBe(true);
      }
      await store.remove(["a", "b"]);
      expect(inner.secrets.size).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test("a new long secret that is cut off while it is written can be removed whole", async () => {
  const inner = createMemoryStore();
  const { write } = inner;
  for (let count = 1; count <= 3; count++) {
    const cut = { ...inner, write: async (entries: Parameters<typeof write>[0]) => write(entries.slice(0, count)) };
    await withChunkedSecrets(cut).write([["a", "x".repeat(maxEntryBytes + 1)]]);
    expect(inner.secrets.size).toBe(count);
    await withChunkedSecrets(inner).remove(["a"]);
    expect([...inner.secrets.keys()]).toEqual([]);
  }
});

test("a secret that looks like the head of a long one is still a secret", async () => {
  const store = withChunkedSecrets(createMemoryStore());
  await store.write([["a", "cal-pieces:2:0123456789ab"]]);
  expect(await store.read(["a"])).toEqual(new Map([["a", "cal-pieces:2:0123456789ab"]]));
});

test("a login is listed without its secrets, and a new one replaces the old one and its secrets", async () => {
  const path = await createTempFolder();
  const clock = createTestClock();
  const keychain = createMemoryStore();
  const credentialStore = createTestCredentialStore(path, clock, keychain);
  const first = await credentialStore.save(row, { "access-token": "A1", "refresh-token": "R1", "client-secret": "C1" });
  clock.advance(1000);
  const second = await credentialStore.save({ ...row, store: "file", expires_at: 5 }, { "access-token": "A2" });
  expect(await credentialStore.listLogins()).toEqual([
    { ...row, store: "file", expires_at: 5, id: expect.stringMatching(/^[0-9a-f]{8}$/), stored_at: clock.now(), holds: ["access-token"] },
  ]);
  expect([first.login.holds, second.cleanupError, keychain.secrets.size]).toEqual([
    ["refresh-token", "client-secret", "access-token"],
    undefined,
    0,
  ]);
  expect(await credentialStore.readSecrets(second.login, ["access-token", "password"])).toEqual({ "access-token": "A2" });
  expect(await readFile(join(path, "logins.json"), "utf8")).not.toMatch(/A1|R1|C1|A2/);
  expect([await credentialStore.remove("work"), await credentialStore.remove("work"), await credentialStore.listLogins()]).toEqual([
    { wasFound: true, cleanupError: undefined },
    { wasFound: false, cleanupError: undefined },
    [],
  ]);
});

test("a listed login without its secrets is another error than no login", async () => {
  const keychain = createMemoryStore();
  const credentialStore = createTestCredentialStore(await createTempFolder(), createTestClock(), keychain);
  const { login } = await credentialStore.save(row, { "access-token": "A1" });
  keychain.secrets.clear();
  expect(await catchCalError(credentialStore.readSecrets(login, ["access-token"]))).toEqual({
    kind: "unauthenticated",
    code: "login-lost",
    message: "the keychain no longer holds the access-token of profile work: removed by someone or something else",
    hint: "cal auth login --profile work",
  });
});

test("a login whose secrets can't be removed stays listed; one that can't be stored is not listed", async () => {
  const refusing = { ...createMemoryStore(), remove: async () => Promise.reject(keychainError("silent", "")) };
  const credentialStore = createTestCredentialStore(await createTempFolder(), createTestClock(), refusing);
  const { login } = await credentialStore.save(row, { "access-token": "A1" });
  expect(await catchCalError(credentialStore.remove("work"))).toMatchObject({ code: "keychain-silent" });
  const again = await credentialStore.save(row, { "access-token": "A2" });
  expect([again.cleanupError?.details.code, (await credentialStore.listLogins()).map(({ id }) => id === login.id)]).toEqual([
    "keychain-silent",
    [false],
  ]);
  const broken = { ...createMemoryStore(), write: async () => Promise.reject(keychainError("load", "")) };
  const other = createTestCredentialStore(await createTempFolder(), createTestClock(), broken);
  expect([await catchCalError(other.save(row, { "access-token": "A1" })), await other.listLogins()]).toEqual([
    expect.objectContaining({ code: "keychain-no-library" }),
    [],
  ]);
});

test("where no keychain can be reached, a login in the file goes on and is removed, whatever an earlier one has left in the keychain", async () => {
  const folder = await createTempFolder();
  const reachable = createMemoryStore();
  await createTestCredentialStore(folder, createTestClock(), reachable).save(row, { "access-token": "A1" });
  const unreachable = async () => Promise.reject(keychainError("call", "d-bus"));
  const store = createTestCredentialStore(folder, createTestClock(), { read: unreachable, write: unreachable, remove: unreachable });
  expect(await catchCalError(store.save({ ...row, profile: "other" }, { "access-token": "A2" }))).toMatchObject({
    code: "keychain-no-bus",
  });
  const file = { ...row, store: "file" } as const;
  expect((await store.save({ ...file, profile: "other" }, { "access-token": "A2" })).cleanupError).toBeUndefined();
  expect((await store.save(file, { "access-token": "A3" })).cleanupError?.details.code).toBe("keychain-no-bus");
  const removed = await store.remove("work");
  expect([removed.wasFound, removed.cleanupError?.details.code]).toEqual([true, "keychain-no-bus"]);
  expect((await store.listLogins()).map(({ profile }) => profile)).toEqual(["other"]);
  // Where the keychain is there again, the secret is still known.
  expect(await createTestCredentialStore(folder, createTestClock(), reachable).remove("work")).toEqual({ wasFound: true });
  expect(reachable.secrets.size).toBe(0);
});

test("twenty profiles that log in at once are all listed", async () => {
  const path = await createTempFolder();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      createTestCredentialStore(path, realClock).save({ ...row, store: "file", profile: `p${index}` }, { "access-token": `A${index}` }),
    ),
  );
  expect((await createTestCredentialStore(path, realClock).listLogins()).map(({ profile }) => profile).sort()).toEqual(
    Array.from({ length: 20 }, (_, index) => `p${index}`).sort(),
  );
});

/** Runs work that is killed before or after its n-th change of a file; resolves when it is killed or done. */
async function killAtChange(count: number, moment: "before" | "after", work: (lock: Lock) => Promise<unknown>): Promise<"killed" | "done"> {
  return new Promise((resolve) => {
    let changes = 0;
    const kill = () => {
      resolve("killed");
      return new Promise<never>(() => undefined);
    };
    const lock: Lock = async (name, change) => {
      const isLast = name !== "login-work" && ++changes === count;
      if (isLast && moment === "before") return kill();
      const result = await change();
      return isLast ? kill() : result;
    };
    void work(lock).then(() => resolve("done"));
  });
}

const noLock: Lock = (_name, work) => work();

describe("a login, a refresh or a logout that is killed at any moment leaves no secret without an owner", () => {
  const openStore = (folder: string, lock: Lock) =>
    createCredentialStore(folder, createTestClock(), lock, {
      keychain: createMemoryStore(),
      file: createFileSecretStore(folder, lock),
    });
  const work: Readonly<Record<string, (store: CredentialStore) => Promise<unknown>>> = {
    "first login": (store) => store.save({ ...row, store: "file" }, { "access-token": "A2", "client-secret": "C2" }),
    refresh: async (store) => {
      const login = await store.findLogin("work");
      if (login !== undefined) await store.update(login, {}, { "access-token": "A2", "refresh-token": "R2" });
    },
    logout: (store) => store.remove("work"),
  };
  test.each(
    Object.keys(work).flatMap((name) =>
      [true, false].flatMap((isLoggedIn) => (["before", "after"] as const).map((moment) => [name, isLoggedIn, moment] as const)),
    ),
  )("%s, logged in before: %s, killed %s a change", async (name, isLoggedIn, moment) => {
    for (let count = 1; ; count++) {
      const folder = await createTempFolder();
      if (isLoggedIn) await openStore(folder, noLock).save({ ...row, store: "file" }, { "access-token": "A1", "client-secret": "C1" });
      const end = await killAtChange(count, moment, (lock) => work[name]?.(openStore(folder, lock)) ?? Promise.resolve());
      // The next command of any kind.
      await openStore(folder, noLock).findLogin("other");
      const after = await openStore(folder, noLock).findLogin("work");
      const secrets = await readFile(join(folder, "credentials.json"), "utf8").catch(() => "{}");
      const owned = after?.holds.map((secret) => `work/${after.id}/${secret}`) ?? [];
      expect(Object.keys(JSON.parse(secrets)).filter((account) => !owned.includes(account))).toEqual([]);
      if (end === "done") break;
      expect(count).toBeLessThan(20);
    }
  });

  test("a login that is just being written is not swept", async () => {
    const folder = await createTempFolder();
    const other = createTestCredentialStore(folder, realClock);
    const slow = createTestCredentialStore(folder, realClock);
    await slow.withLoginLock("work", async () => {
      const unowned = [{ profile: "work", id: "12345678", store: "file", holds: ["access-token"] }];
      await writeFile(join(folder, "logins.json"), JSON.stringify({ logins: [], unowned }), { mode: 0o600 });
      await writeFile(join(folder, "credentials.json"), '{"work/12345678/access-token":"A"}', { mode: 0o600 });
      await other.findLogin("work");
      expect(await readFile(join(folder, "credentials.json"), "utf8")).toContain("12345678");
    });
    expect([
      (await other.withLoginLock("work", () => other.remove("work"))).wasFound,
      await readFile(join(folder, "credentials.json"), "utf8"),
    ]).toEqual([true, "{}\n"]);
  });
});
