// Nothing leaks: every command over logins, and every failure of one, is driven with known secrets, which are then searched for
// wherever they do not belong: on both streams, in what children are started with, in files outside the store, in the server's log.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { type CommandResult, createSession } from "../helpers/session.ts";
import { createFileKeychain } from "./file-keychain.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-leaks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { program: keychain, entriesFile, startedFile } = createFileKeychain(folder);

const log: string[] = [];
const box = await startSandbox({
  file: ":memory:",
  day: "2027-01-15",
  now: () => Date.parse("2027-01-15T12:00:00Z"),
  log: (line) => void log.push(line),
});
afterAll(() => box.close());

const key = box.application;
const wrong = { password: "wr0ng-passw0rd-of-nobody", secret: "wr0ng-client-s3cret", token: "wr0ng-t0ken-0123456789" };
const keyFile = join(folder, "client-secret");
const wrongKeyFile = join(folder, "wrong-client-secret");
writeFileSync(keyFile, `${key.clientSecret}\n`);
writeFileSync(wrongKeyFile, `${wrong.secret}\n`);

const env = { CAL_SANDBOX: "0", CAL_BASE_URL: box.baseUrl, CAL_AUTH_URL: box.authUrl, CAL_CLIENT_ID: key.clientId, CAL_USERNAME: "admin" };
const login = `auth login --method password --password-stdin --client-secret-file ${keyFile}`;

/** Command lines with their stdin, in order; each is run plain, with --debug and with --json. */
const lines: readonly (readonly [line: string, stdin?: string])[] = [
  [login, "admin-demo"],
  [`${login} --endpoint app`, "admin-demo"],
  [`${login} --remember`, "admin-demo"],
  [login, wrong.password],
  [`${login} --endpoint app`, wrong.password],
  [login.replace(keyFile, wrongKeyFile), "admin-demo"],
  ["auth status"],
  ["auth status --check"],
  ["auth refresh"],
  ["events list --limit 1"],
  ["events list --limit 1 --auth-url http://127.0.0.1:9"],
  ["events list --limit 1 --base-url http://127.0.0.1:9 --retries 0"],
  ["api GET /wp/v2/users/me"],
  ["config list --show-origin"],
  ["doctor"],
  ["auth logout"],
  ["auth logout"],
  ["auth status"],
];

function filesIn(path: string): readonly string[] {
  return readdirSync(path).flatMap((name) => (statSync(join(path, name)).isDirectory() ? filesIn(join(path, name)) : [join(path, name)]));
}

/** Every secret of the test: those on stdin, and all that were ever in a store. */
const secrets = new Set<string>([...Object.values(wrong), "admin-demo", key.clientSecret, box.token]);
function remember(): void {
  const entries: unknown = JSON.parse(readIfThere(entriesFile) ?? "{}");
  for (const secret of Object.values(entries as Record<string, string>)) secrets.add(secret);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const found = (where: string, text: string) =>
  [...secrets].filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret.slice(0, 6)}...`);

const stored = createSession({ env, keychainProgram: keychain });
const fromEnvironment = createSession({
  env: { ...env, CAL_PASSWORD: "admin-demo", CAL_CLIENT_SECRET: key.clientSecret, CAL_AUTH_METHOD: "password" },
});
const wrongEnvironment = createSession({
  env: { ...env, CAL_PASSWORD: wrong.password, CAL_CLIENT_SECRET: key.clientSecret, CAL_AUTH_METHOD: "password" },
});
const wrongToken = createSession({ env: { ...env, CAL_TOKEN: wrong.token } });

test("no secret is anywhere but in its store", { timeout: 120_000 }, async () => {
  const outcomes: { readonly line: string; readonly outcome: CommandResult }[] = [];
  const type = async (cal: typeof stored, line: string, stdin?: string) => {
    outcomes.push({ line, outcome: await cal(line, stdin) });
    remember();
  };
  for (const mode of ["", " --debug", " --json"]) {
    for (const [line, stdin] of lines) await type(stored, `${line}${mode}`, stdin);
    for (const cal of [fromEnvironment, wrongEnvironment, wrongToken]) {
      for (const line of [
        "events list --limit 1",
        "tags update 12 --name free",
        "tags delete 12 --yes",
        "log",
        "auth status",
        "auth status --check",
        "auth refresh",
        "doctor",
      ])
        await type(cal, `${line}${mode}`);
    }
  }
  const printed = outcomes.flatMap(({ line, outcome }) => [
    ...found(`stdout of ${line}`, outcome.stdout),
    ...found(`stderr of ${line}`, outcome.stderr),
  ]);
  const folders = [stored, fromEnvironment, wrongEnvironment, wrongToken].map((cal) => cal.folder);
  const left = folders.flatMap(filesIn).flatMap((path) => found(path, readFileSync(path, "latin1")));
  const started = found("what children are started with", readIfThere(startedFile) ?? "");
  const logged = [...found("the server's log", log.join("\n")), ...found("the server's memory", JSON.stringify(box.requests()))];
  expect({ printed, left, started, logged }).toEqual({ printed: [], left: [], started: [], logged: [] });

  // The search itself would find them: they were there, and logins of every kind succeeded and failed.
  expect([secrets.size > 12, (readIfThere(startedFile) ?? "").length > 0, log.length > 50]).toEqual([true, true, true]);
  expect(new Set(outcomes.filter(({ line }) => line.startsWith("auth login")).map(({ outcome }) => outcome.code))).toEqual(new Set([0, 4]));
});

test("`auth token` alone prints a token, and nothing else of it", async () => {
  await stored(login, "admin-demo");
  remember();
  const { stdout, stderr, code } = await stored("auth token --debug");
  expect([code, secrets.has(stdout.trim()), found("stderr", stderr)]).toEqual([0, true, []]);
});
