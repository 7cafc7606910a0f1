// The keychain of the operating system, spoken to through a process that can be killed: no call can hang cal.
import type { ChildProcess } from "node:child_process";
import { platform } from "node:os";
import type { KeychainResult, KeychainTask } from "./keychain-message.ts";
import { keychainError } from "./keychain-problem.ts";
import type { Env } from "./parts.ts";
import type { SecretStore } from "./vault/secret-store.ts";

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
export interface KeychainTimeouts {
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
