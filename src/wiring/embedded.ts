// The embedded calendar within a command: started when it is asked for, ended with the command.
import type { Override } from "../config/resolve.ts";
import type { Env } from "../context.ts";
import type { CalError } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { Sandbox, SandboxOptions } from "../sandbox/options.ts";
import { once } from "./once.ts";

/** What a command can do with the embedded calendar. */
export interface Embedded {
  /** Starts one more, as told. */
  start(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** The one of `--sandbox`; `CAL_SANDBOX_HABITS` says how it behaves. */
  own(): Promise<Sandbox>;
  /** Makes of an answer that this machine caused by what it refuses the local fault that it is. */
  watched(send: Transport): Transport;
  /** Throws the data of a file away and seeds it anew. */
  reset(file: string): Promise<void>;
}

/** Makes it; whatever is started is given to `closing`. */
export function embeddedCalendar(file: string, now: () => number, env: Env, closing: (() => Promise<void>)[]): Embedded {
  const today = () => new Date(now()).toISOString().slice(0, 10);
  const start = async (options: Partial<SandboxOptions>): Promise<Sandbox> => {
    const { startSandbox } = await import("../sandbox/server.ts");
    const sandbox = await startSandbox({ file, day: today(), now, ...options });
    closing.push(() => sandbox.close());
    return sandbox;
  };
  let trouble: CalError | undefined;
  const onTrouble = (told: CalError) => {
    trouble = told;
  };
  const habits = env["CAL_SANDBOX_HABITS"] === "the-events-calendar" ? "the-events-calendar" : "contract";
  return {
    start,
    own: once(() => start({ habits, onTrouble })),
    watched: (send) => async (request) => {
      const answer = await send(request);
      if (answer.status >= 500 && trouble !== undefined) throw trouble;
      return answer;
    },
    reset: async (path) => (await import("../sandbox/server.ts")).resetSandbox(path, today()),
  };
}

/** What a running sandbox tells the settings of itself. */
export function sandboxOverride(sandbox: Sandbox): Override {
  const server = sandbox.namespace.startsWith("tribe/") ? "the-events-calendar" : "generic";
  return {
    origin: "sandbox",
    values: { base_url: sandbox.baseUrl, auth_url: sandbox.authUrl, namespace: sandbox.namespace, server, site_tz: sandbox.zone },
  };
}
