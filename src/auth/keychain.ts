// The keychain of the operating system, spoken to through a process that can be killed: no call can hang cal.

import type { ChildProcess } from "node:child_process";
import { platform } from "node:os";
import { CalError } from "../errors.ts";
import type { Env, SecretStore } from "./credentials.ts";

/** What the keychain is reached with. */
export interface KeychainOptions {
  /** The path of the built keychain program (keychain-child). */
  readonly program: string;
  readonly env: Env;
  /** Told once a call takes long where a person may be looking at a window that asks for a password. */
  readonly notice: (text: string) => Promise<void>;
  /** Milliseconds until the notice, and until the call is given up; by default as `patienceFor` says. */
  readonly timeouts?: KeychainTimeouts;
}

/** Milliseconds; `notice` is absent where nobody can be asked to unlock anything. */
interface KeychainTimeouts {
  readonly noticeDelay?: number;
  readonly timeout: number;
}

/** A keychain that opens a window waits for a person; one without a display only ever waits for a broken service. */
export function getKeychainTimeouts(env: Env, system: string): KeychainTimeouts {
  const display = system !== "linux" || env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined;
  return display ? { noticeDelay: 3000, timeout: 60_000 } : { timeout: 10_000 };
}

/** The keychain as a store of secrets. */
export function createKeychainSecretStore(parts: KeychainOptions): SecretStore {
  return {
    read: async (accounts) => {
      const secrets = await runTask({ operation: "get", accounts }, parts);
      return new Map(accounts.flatMap((account, index) => toEntries(account, secrets[index])));
    },
    write: async (entries) => void (await runTask({ operation: "set", entries }, parts)),
    remove: async (accounts) => void (await runTask({ operation: "delete", accounts }, parts)),
  };
}

function toEntries(account: string, secret: string | null | undefined): readonly (readonly [string, string])[] {
  return typeof secret === "string" ? [[account, secret]] : [];
}

async function runTask(task: KeychainTask, parts: KeychainOptions): Promise<readonly (string | null)[]> {
  const first = await runTaskInChild(task, parts);
  // The service's own library can crash where another process deletes at the same moment; every task may be done twice.
  const answer = first === "crashed" ? await runTaskInChild(task, parts) : first;
  if (answer === "silent" || answer === "crashed") throw keychainError(answer, "");
  if (answer.ok) return answer.secrets;
  throw keychainError(answer.stage, answer.message);
}

async function runTaskInChild(task: KeychainTask, parts: KeychainOptions): Promise<KeychainResult | "silent" | "crashed"> {
  const { fork } = await import("node:child_process");
  const patience = parts.timeouts ?? getKeychainTimeouts(parts.env, platform());
  return new Promise((resolve) => {
    // Secrets go through the channel: never into arguments, and none of ours into the child's environment.
    const child = fork(parts.program, [], { execArgv: [], env: childEnv(parts.env), stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const timers: NodeJS.Timeout[] = [];
    const finish = (answer: KeychainResult | "silent" | "crashed"): void => {
      for (const timer of timers) clearTimeout(timer);
      killChild(child);
      resolve(answer);
    };
    timers.push(setTimeout(() => finish("silent"), patience.timeout));
    if (patience.noticeDelay !== undefined) {
      timers.push(
        setTimeout(
          () => void parts.notice("waiting for the keychain: it may be asking for its password in a window"),
          patience.noticeDelay,
        ),
      );
    }
    child.once("message", (answer: KeychainResult) => finish(answer));
    child.once("error", () => finish("crashed"));
    child.once("exit", () => finish("crashed"));
    child.send(task, () => undefined);
  });
}

/** From here on the child can neither be waited for nor be heard. */
function killChild(child: ChildProcess): void {
  child.removeAllListeners();
  child.on("error", () => undefined);
  child.kill("SIGKILL");
  if (child.connected) child.disconnect();
  child.unref();
}

/** It speaks to no server: Node would take 40 ms to read certificates for it. */
function childEnv(env: Env): NodeJS.ProcessEnv {
  const unwanted = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("CAL_") && !unwanted.includes(name)));
}

// What is wrong with the keychain, in words that say what to do: each fault of real systems has its own.

/** Where a call failed: keytar did not load, the call was refused, nothing was answered in time, or the process died. */
type KeychainStage = "load" | "call" | "silent" | "crashed";

interface KeychainFault {
  readonly code: string;
  readonly pattern: RegExp;
  readonly message: string;
  readonly hint: string;
}

const keychainFaults: readonly KeychainFault[] = [
  {
    code: "keychain-locked",
    pattern: /locked|dismissed|cancel/i,
    message: "the keychain is locked",
    hint: "unlock it (log in to the desktop, or: gnome-keyring-daemon --unlock)",
  },
  {
    code: "keychain-no-service",
    pattern: /org\.freedesktop\.secrets|ServiceUnknown|NameHasNoOwner/i,
    message: "no program on this machine offers a keychain (org.freedesktop.secrets)",
    hint: "install and start one, such as gnome-keyring or KeePassXC",
  },
  {
    code: "keychain-no-bus",
    pattern: /d-?bus|could not connect|connection is closed/i,
    message: "there is no D-Bus session, which the keychain is reached through; that is usual over SSH, in containers and in cron",
    hint: "run cal inside one (dbus-run-session)",
  },
];

/** The ways out that work with every fault. */
const alternativesHint =
  "or keep the login in a file only you can read: cal auth login --insecure-storage; or give it in the environment: " +
  "CAL_USERNAME and CAL_PASSWORD at a site that runs The Events Calendar, elsewhere CAL_TOKEN";

/** The error for a keychain that can't be used (exit 4). */
export function keychainError(stage: KeychainStage, message: string): CalError {
  const { code, message: says, hint } = findKeychainFault(stage, message);
  return new CalError("unauthenticated", says, { code, hint: `${hint}; ${alternativesHint}` });
}

/** Whether an error says that the keychain can't be used. */
export function isKeychainError(error: unknown): error is CalError {
  return error instanceof CalError && (error.details.code ?? "").startsWith("keychain-");
}

function findKeychainFault(stage: KeychainStage, message: string): { code: string; message: string; hint: string } {
  if (stage === "silent") {
    return {
      code: "keychain-silent",
      message: "the keychain does not answer",
      hint: "restart its service (on Linux often gnome-keyring-daemon)",
    };
  }
  if (stage === "crashed") {
    return { code: "keychain-crashed", message: "the program that speaks to the keychain ended without an answer", hint: "try again" };
  }
  if (stage === "load") return findLoadFault(message);
  const known = keychainFaults.find((fault) => fault.pattern.test(message));
  if (known !== undefined) return known;
  const words = message.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 160);
  return { code: "keychain-refused", message: `the keychain refused: ${words}`, hint: "look into its own program" };
}

function findLoadFault(message: string): { code: string; message: string; hint: string } {
  if (/cannot find (?:package|module)/i.test(message)) {
    return {
      code: "keychain-not-installed",
      message: "the optional package keytar is not installed",
      hint: "install cal again without --omit=optional",
    };
  }
  return {
    code: "keychain-no-library",
    message: "the keychain's library could not be loaded; on Linux that is libsecret, and Alpine and 32-bit ARM have none that fits",
    hint: "apt-get install libsecret-1-0, or dnf install libsecret",
  };
}

// What cal and the small program that speaks to the keychain say to each other.

/** The name under which the keychain lists our entries. It never changes, however the program is called. */
export const keychainService = "cal";

/** One task a process. `get` answers null for what is missing, but fails where the keychain is locked. */
export type KeychainTask =
  | { readonly operation: "get"; readonly accounts: readonly string[] }
  | { readonly operation: "set"; readonly entries: readonly (readonly [account: string, secret: string])[] }
  | { readonly operation: "delete"; readonly accounts: readonly string[] };

/** The answer: the secrets of a `get` in the order asked, or what went wrong. `stage` tells whether keytar itself came up. */
export type KeychainResult =
  | { readonly ok: true; readonly secrets: readonly (string | null)[] }
  | { readonly ok: false; readonly stage: "load" | "call"; readonly message: string };
