// The embedded calendar within a command: started when it is asked for, ended with the command.
import type { SettingsOverride } from "../config/resolve.ts";
import type { Env } from "../context.ts";
import { type CalError, usageError } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import { once } from "../once.ts";
import { defaultSandboxPort, type Sandbox, type SandboxOptions } from "../sandbox/options.ts";

/** The embedded calendar listens on another port for each command; its records name this one, so that their addresses stay the same. */
const sandboxOrigin = `http://127.0.0.1:${defaultSandboxPort}`;

/** What a command can do with the embedded calendar. */
export interface SandboxManager {
  /** Starts one more, as told; `CAL_SANDBOX_HABITS` says how it behaves where nothing else does. */
  start(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** The one of `--sandbox`. */
  getSharedSandbox(): Promise<Sandbox>;
  /** Makes of an answer that this machine caused by what it refuses the local fault that it is. */
  withStoreErrors(send: Transport): Transport;
  /** Throws the data of a file away and seeds it anew. */
  reset(file: string): Promise<void>;
}

/** Makes it; whatever is started is given to `closing`. */
export function createSandboxManager(file: string, now: () => number, env: Env, closing: (() => Promise<void>)[]): SandboxManager {
  const today = () => new Date(now()).toISOString().slice(0, 10);
  const start = async (options: Partial<SandboxOptions>): Promise<Sandbox> => {
    const { startSandbox } = await import("../sandbox/server.ts");
    const sandbox = await startSandbox({ file, day: today(), now, serverProfile: getSandboxServerProfile(env), ...options });
    closing.push(() => sandbox.close());
    return sandbox;
  };
  let trouble: CalError | undefined;
  const onStoreError = (told: CalError) => {
    trouble = told;
  };
  return {
    start,
    getSharedSandbox: once(() => start({ origin: sandboxOrigin, onStoreError })),
    withStoreErrors: (send) => async (request) => {
      const answer = await send(request);
      if (answer.status >= 500 && trouble !== undefined) throw trouble;
      return answer;
    },
    reset: async (path) => (await import("../sandbox/server.ts")).resetSandbox(path, today()),
  };
}

function getSandboxServerProfile(env: Env): Sandbox["serverProfile"] {
  const named = env["CAL_SANDBOX_HABITS"] || "contract";
  if (named === "contract" || named === "the-events-calendar") return named;
  throw usageError("CAL_SANDBOX_HABITS is neither contract nor the-events-calendar", "unset CAL_SANDBOX_HABITS");
}

/** What a running sandbox tells the settings of itself. */
export function createSandboxOverride(sandbox: Sandbox): SettingsOverride {
  const server = sandbox.serverProfile === "contract" ? "generic" : sandbox.serverProfile;
  return {
    origin: "sandbox",
    values: { base_url: sandbox.baseUrl, auth_url: sandbox.authUrl, namespace: sandbox.namespace, server, site_tz: sandbox.zone },
  };
}
