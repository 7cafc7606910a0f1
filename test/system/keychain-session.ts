// A real Secret Service without a desktop: a D-Bus of its own and gnome-keyring, both gone when the test ends.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createTempFolder } from "../auth/kit.ts";

const tools = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool"] as const;

/** Why the keychain can't be tested here, with how to install what is missing; undefined where it can. In CI it must be there. */
export const missingKeychain: string | undefined = (() => {
  if (process.platform !== "linux") return "the real keychain is tested on Linux only";
  const gone = tools.filter((tool) => spawnSync("which", [tool]).status !== 0);
  if (gone.length === 0) return undefined;
  const text = `${gone.join(", ")} missing: apt-get install -y --no-install-recommends dbus-daemon dbus-bin gnome-keyring libsecret-1-0 libsecret-tools`;
  if (process.env["CI"]) throw new Error(text);
  console.warn(`skipped: ${text}`);
  return text;
})();

/** A bus, with or without a keychain on it. */
export interface KeychainSession {
  /** For everything that shall speak to it. */
  readonly env: Readonly<Record<string, string>>;
  lock(): void;
  /** Stands still and answers nothing until it is thawed. */
  suspend(): void;
  resume(): void;
  /** What the keychain holds, read by a program that is not ours. */
  lookup(account: string): string;
}

const busConfig = (path: string): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

/** Starts a bus on which nothing but the keyring is ever started. */
export async function startKeychainSession(withKeyring = true): Promise<KeychainSession> {
  const path = await createTempFolder();
  const address = `unix:path=${join(path, "bus")}`;
  await writeFile(join(path, "bus.conf"), busConfig(join(path, "bus")));
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: path,
    XDG_DATA_HOME: path,
    XDG_CACHE_HOME: path,
    XDG_RUNTIME_DIR: path,
    DBUS_SESSION_BUS_ADDRESS: address,
  };
  await firstWord(
    ended(
      spawn("dbus-daemon", [`--config-file=${join(path, "bus.conf")}`, "--nofork", "--print-address=1"], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
      }),
    ),
  );
  const keyring = withKeyring
    ? spawn("gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], { env, stdio: ["pipe", "ignore", "ignore"] })
    : undefined;
  keyring?.stdin.end("test");
  if (keyring !== undefined) ended(keyring);
  const call = (command: string, ...args: readonly string[]): string => spawnSync(command, args, { env, encoding: "utf8" }).stdout;
  if (withKeyring) await until(() => call("dbus-send", ...toBus, "string:org.freedesktop.secrets").includes("true"));
  return {
    env,
    lock: () =>
      void call(
        "dbus-send",
        "--session",
        "--print-reply",
        "--dest=org.freedesktop.secrets",
        "/org/freedesktop/secrets",
        lockMethod,
        `array:objpath:${collection}`,
      ),
    suspend: () => void keyring?.kill("SIGSTOP"),
    resume: () => void keyring?.kill("SIGCONT"),
    lookup: (account) => call("secret-tool", "lookup", "service", "cal", "account", account),
  };
}

const toBus = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"] as const;
const lockMethod = "org.freedesktop.Secret.Service.Lock";
const collection = "/org/freedesktop/secrets/collection/login";

/** Ends a process with the test, also one that stands still. */
function ended<C extends ChildProcess>(child: C): C {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  });
  return child;
}

function firstWord(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${child.spawnfile} ended at once`)));
  });
}

async function until(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the keyring did not come up");
}
