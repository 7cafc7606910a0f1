// The sandbox: both interfaces of the contract on loopback, over real HTTP.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import { defaultTokenLifetime } from "../spec/auth.ts";
import { namespaces } from "../spec/index.ts";
import type { SandboxState } from "./answer.ts";
import { createAccessToken } from "./auth/tokens.ts";
import { authenticateByToken } from "./contract/access.ts";
import { genericHandlers } from "./contract/verbs.ts";
import { handleRequest } from "./exchange.ts";
import { FaultList } from "./faults.ts";
import { authenticateByPassword } from "./habits/access.ts";
import { tecHandlers } from "./habits/verbs.ts";
import type { LoggedRequest, Sandbox, SandboxOptions } from "./options.ts";
import { demoApplication, demoUsers } from "./seed/accounts.ts";
import { createSeed, siteZone } from "./seed/seed.ts";
import type { Site } from "./site/site.ts";
import { createMemoryStore, openFileStore, resetDataFile, type Seed, type Store } from "./store/store.ts";
import { parseUtcTime } from "./zone.ts";

export type { InjectedFault as OrderedFault } from "./faults.ts";
export type { LoggedRequest as SeenRequest, Sandbox, SandboxOptions } from "./options.ts";

/** Starts a sandbox. Rejects with kind `local` where the port is taken or the data file can't be used, `usage` where the day is none. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const seed = createSeedForDay(options.day);
  const store = options.file === ":memory:" ? createMemoryStore(seed) : await openFileStore(options.file, seed);
  const faults = new FaultList();
  for (const fault of options.faults ?? []) faults.add(fault);
  const requestLog: LoggedRequest[] = [];
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const here = `http://127.0.0.1:${port}`;
  const state = createSandboxState(options, store, options.origin ?? here);
  const { log = () => undefined, onStoreError = () => undefined } = options;
  server.on("request", (request, response) => {
    // A client that goes away in the middle of something is no trouble of ours.
    handleRequest({ state, faults, requestLog, log, onStoreError }, request, response).catch(() => response.destroy());
  });
  const { site, token } = state.calendar;
  return {
    port,
    baseUrl: site.permalinks === "pretty" ? `${here}/wp-json` : `${here}/?rest_route=/`,
    authUrl: here,
    siteUrl: here,
    namespace: site.namespace,
    serverProfile: site.serverProfile,
    zone: site.zone,
    token,
    application: demoApplication,
    users: demoUsers,
    faults,
    requests: () => [...requestLog],
    close: () => closeServer(server),
  };
}

/** Puts freshly seeded data in the place of a data file, whatever is wrong with it. Running sandboxes see the new data. */
export async function resetSandbox(file: string, day: string): Promise<void> {
  await resetDataFile(file, createSeedForDay(day));
}

function createSeedForDay(day: string): Seed {
  if (Number.isNaN(parseUtcTime(`${day} 00:00:00`))) throw usageError(`the sandbox's day is not a date in the form YYYY-MM-DD: ${day}`);
  return createSeed(day);
}

function createSandboxState(options: SandboxOptions, store: Store, origin: string): SandboxState {
  const serverProfile = options.serverProfile ?? "contract";
  const isContract = serverProfile === "contract";
  const site: Site = {
    origin,
    serverProfile,
    version: options.tecVersion ?? "6.10",
    namespace: (options.namespace ?? (isContract ? namespaces.interface : namespaces.theEventsCalendar)).replace(/^\/+|\/+$/g, ""),
    permalinks: options.permalinks ?? "pretty",
    zone: siteZone,
    now: options.now,
  };
  const emulation = isContract
    ? { handlers: genericHandlers, authenticate: authenticateByToken }
    : { handlers: tecHandlers, authenticate: authenticateByPassword };
  return {
    calendar: {
      site,
      store,
      emulation,
      token: createAccessToken({
        application: "cal-sandbox",
        user: { username: "admin" },
        lifetime: defaultTokenLifetime,
        now: options.now(),
      }),
    },
    login: {
      tokenLifetime: options.tokenLifetime ?? defaultTokenLifetime,
      rotateRefreshTokens: options.rotateRefreshTokens ?? true,
      redirectUrls: options.redirectUrls ?? [],
      anyLoopbackRedirect: options.anyLoopbackRedirect ?? false,
      now: options.now,
    },
    localEnvironment: options.localEnvironment ?? false,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
  } catch (cause) {
    const isTaken = codeOf(cause) === "EADDRINUSE";
    const why = isTaken ? "is taken by another program" : `can't be used (${messageOf(cause)})`;
    throw new CalError("local", `port ${port} of 127.0.0.1 ${why}`, {
      cause,
      ...(isTaken ? { code: "port-taken" } : {}),
      hint: "choose another one with --port, or any free one with --port 0",
    });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const done = once(server, "close");
  server.close();
  server.closeAllConnections();
  await done;
}
