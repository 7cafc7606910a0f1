// The keychain of the operating system, used through a child process that can be killed: no call can make cal hang.

import { platform } from "node:os";
import { CalError, type Hint, type Hints, listHints } from "../errors.ts";
import type { Env, SecretStore } from "./credentials.ts";

/** The service name of our entries in the keychain. It never changes, whatever the program is called. */
export const keychainService = "cal";

/** What the child process is sent: one task. A `get` answers null for a missing secret, but fails where the keychain is locked. */
export type KeychainTask =
  | { readonly operation: "get"; readonly accounts: readonly string[] }
  | { readonly operation: "set"; readonly entries: readonly (readonly [account: string, secret: string])[] }
  | { readonly operation: "delete"; readonly accounts: readonly string[] };

/** What the child process answers: the secrets of a `get` in the order of its accounts, or the stage that failed. */
export type KeychainResult =
  | { readonly ok: true; readonly secrets: readonly (string | null)[] }
  | { readonly ok: false; readonly stage: KeychainStage; readonly message: string };

/** Where a task failed: keytar did not load, the keychain refused the call, it did not answer in time, or the process ended. */
type KeychainStage = "load" | "call" | "silent" | "crashed";

/** Milliseconds; without `noticeDelay` there is no notice. */
interface KeychainTimeouts {
  readonly noticeDelay?: number;
  readonly timeout: number;
}

export interface KeychainOptions {
  /** The path of the built program of keychain-child.ts. */
  readonly program: string;
  readonly env: Env;
  /** Called once a task takes long, where the keychain may have opened a window that asks for a password. */
  readonly notice: (text: string) => Promise<void>;
  /** By default those of `getKeychainTimeouts`. */
  readonly timeouts?: KeychainTimeouts;
}

/** With a display the keychain may wait for its user to unlock it; without one only a broken service takes long. */
export function getKeychainTimeouts(env: Env, system: string): KeychainTimeouts {
  const display = system !== "linux" || env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined;
  return display ? { noticeDelay: 3000, timeout: 60_000 } : { timeout: 10_000 };
}

export function createKeychainSecretStore(options: KeychainOptions): SecretStore {
  return {
    read: async (accounts) => {
      const secrets = await runTask({ operation: "get", accounts }, options);
      const entries = accounts.map((account, index) => [account, secrets[index]] as const);
      return new Map(entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === "string"));
    },
    write: async (entries) => void (await runTask({ operation: "set", entries }, options)),
    remove: async (accounts) => void (await runTask({ operation: "delete", accounts }, options)),
  };
}

async function runTask(task: KeychainTask, options: KeychainOptions): Promise<readonly (string | null)[]> {
  let result = await runTaskInChild(task, options);
  // libsecret can crash where another process deletes an entry at the same moment. Every task may be repeated.
  if (!result.ok && result.stage === "crashed") result = await runTaskInChild(task, options);
  if (result.ok) return result.secrets;
  throw keychainError(result.stage, result.message);
}

async function runTaskInChild(task: KeychainTask, options: KeychainOptions): Promise<KeychainResult> {
  const { fork } = await import("node:child_process");
  const { noticeDelay, timeout } = options.timeouts ?? getKeychainTimeouts(options.env, platform());
  // The child talks to no server: Node would take 40 ms to read NODE_EXTRA_CA_CERTS. Our secrets are in variables that begin with CAL_.
  const unwanted = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"];
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !name.startsWith("CAL_") && !unwanted.includes(name)));
  return new Promise((resolve) => {
    // Secrets are sent through the channel, never in arguments.
    const child = fork(options.program, [], { execArgv: [], env, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const timers: NodeJS.Timeout[] = [];
    const finish = (result: KeychainResult): void => {
      for (const timer of timers) clearTimeout(timer);
      child.removeAllListeners();
      child.on("error", () => undefined);
      child.kill("SIGKILL");
      if (child.connected) child.disconnect();
      child.unref();
      resolve(result);
    };
    const fail = (stage: KeychainStage): void => finish({ ok: false, stage, message: "" });
    timers.push(setTimeout(() => fail("silent"), timeout));
    if (noticeDelay !== undefined) {
      const notice = () => void options.notice("waiting for the keychain: it may be asking for its password in a window");
      timers.push(setTimeout(notice, noticeDelay));
    }
    child.once("message", (result: KeychainResult) => finish(result));
    child.once("error", () => fail("crashed"));
    child.once("exit", () => fail("crashed"));
    child.send(task, () => undefined);
  });
}

/** The faults of real systems. The first one counts whose stage and pattern match. */
const keychainFaults: readonly { stage: KeychainStage; pattern?: RegExp; code: string; message: string; hint: Hints }[] = [
  {
    stage: "silent",
    code: "keychain-silent",
    message: "the keychain does not answer",
    hint: "restart its service (on Linux often gnome-keyring-daemon)",
  },
  {
    stage: "crashed",
    code: "keychain-crashed",
    message: "the program that speaks to the keychain ended without an answer",
    hint: "try again",
  },
  {
    stage: "load",
    pattern: /cannot find (?:package|module)/i,
    code: "keychain-not-installed",
    message: "the optional package keytar is not installed",
    hint: "install cal again without --omit=optional",
  },
  {
    stage: "load",
    code: "keychain-no-library",
    message: "the keychain's library could not be loaded; on Linux it needs libsecret; Alpine and 32-bit ARM have no suitable one",
    hint: [{ command: "apt-get install libsecret-1-0" }, { text: "or", command: "dnf install libsecret" }],
  },
  {
    stage: "call",
    pattern: /locked|dismissed|cancel/i,
    code: "keychain-locked",
    message: "the keychain is locked",
    hint: "unlock it (log in to the desktop, or: gnome-keyring-daemon --unlock)",
  },
  {
    stage: "call",
    pattern: /org\.freedesktop\.secrets|ServiceUnknown|NameHasNoOwner/i,
    code: "keychain-no-service",
    message: "no program on this machine offers a keychain (org.freedesktop.secrets)",
    hint: "install and start one, such as gnome-keyring or KeePassXC",
  },
  {
    stage: "call",
    pattern: /d-?bus|could not connect|connection is closed/i,
    code: "keychain-no-bus",
    message: "there is no D-Bus session, which the keychain needs; this is usual over SSH, in containers and in cron",
    hint: "run cal inside one (dbus-run-session)",
  },
];

/** Works with every fault. */
const alternatives: readonly Hint[] = [
  { text: "or keep the login in a file only you can read", command: "cal auth login --insecure-storage" },
  "or give it in the environment: CAL_USERNAME and CAL_PASSWORD at a site that runs The Events Calendar, elsewhere CAL_TOKEN",
];

/** The error for a keychain that can't be used (exit 4). `text` is the error message of keytar. */
export function keychainError(stage: KeychainStage, text: string): CalError {
  const { code, message, hint } = keychainFaults.find((fault) => fault.stage === stage && fault.pattern?.test(text) !== false) ?? {
    code: "keychain-refused",
    message: `the keychain refused: ${text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 160)}`,
    hint: "look into its own program",
  };
  return new CalError("unauthenticated", message, { code, hint: [...listHints(hint), ...alternatives] });
}

/** Whether an error says that the keychain can't be used. */
export function isKeychainError(error: unknown): error is CalError {
  return error instanceof CalError && (error.details.code ?? "").startsWith("keychain-");
}

/** The bytes of a keychain entry at most: Windows allows 2,560. */
export const maxEntryBytes = 2400;

const chunkHeaderPattern = /^cal-pieces:(\d{1,4}):([0-9a-f]{12})$/;

/**
 * Stores longer secrets in chunks; the entry of the account is then a header that names them. New chunks have new names, so a reader
 * never joins chunks of two secrets.
 */
export function withChunkedSecrets(inner: SecretStore): SecretStore {
  const listChunkNames = async (accounts: readonly string[]): Promise<readonly string[]> =>
    [...(await inner.read(accounts))].flatMap(([account, value]) => formatChunkNames(account, value));
  return {
    read: async (accounts) => {
      // Where another process is replacing the chunks, the second attempt finds the new ones.
      const secrets = (await readChunkedSecrets(inner, accounts)) ?? (await readChunkedSecrets(inner, accounts));
      if (secrets !== undefined) return secrets;
      throw new CalError("unauthenticated", `a part of a stored secret is missing: ${accounts.join(", ")}`, {
        hint: { command: "cal auth login" },
      });
    },
    write: async (entries) => {
      const former = await inner.read(entries.map(([account]) => account));
      const old = [...former].flatMap(([account, value]) => formatChunkNames(account, value));
      await inner.write(
        entries.flatMap(([account, secret]) => {
          const parts = splitIntoChunks(account, secret);
          // Nobody reads a new secret yet. With its header first, no chunk is unknown where the write is cut off.
          return former.has(account) ? parts : parts.toReversed();
        }),
      );
      if (old.length > 0) await inner.remove(old);
    },
    remove: async (accounts) => inner.remove([...accounts, ...(await listChunkNames(accounts))]),
  };
}

/** The entries of a secret. The header comes last: without it the chunks do not count. */
function splitIntoChunks(account: string, secret: string): readonly (readonly [string, string])[] {
  if (Buffer.byteLength(secret) <= maxEntryBytes && !chunkHeaderPattern.test(secret)) return [[account, secret]];
  const text = Buffer.from(secret, "utf8").toString("base64");
  const header = `cal-pieces:${Math.ceil(text.length / maxEntryBytes)}:${crypto.randomUUID().slice(-12)}`;
  const chunks = formatChunkNames(account, header).map(
    (name, index) => [name, text.slice(index * maxEntryBytes, (index + 1) * maxEntryBytes)] as const,
  );
  return [...chunks, [account, header]];
}

/** The account names of the chunks; none where the value is no header. */
function formatChunkNames(account: string, value: string): readonly string[] {
  const [, count, tag] = chunkHeaderPattern.exec(value) ?? [];
  return Array.from({ length: Number(count ?? 0) }, (_, index) => `${account}/${tag}/${index + 1}`);
}

/** Undefined where a chunk is missing. */
async function readChunkedSecrets(inner: SecretStore, accounts: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
  const secrets = new Map(await inner.read(accounts));
  const names = [...secrets].flatMap(([account, value]) => formatChunkNames(account, value));
  if (names.length === 0) return secrets;
  const chunks = await inner.read(names);
  if (chunks.size < names.length) return undefined;
  for (const [account, value] of secrets) {
    const own = formatChunkNames(account, value).map((name) => chunks.get(name) ?? "");
    if (own.length > 0) secrets.set(account, Buffer.from(own.join(""), "base64").toString("utf8"));
  }
  return secrets;
}
