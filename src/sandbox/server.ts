// The sandbox: both interfaces of the contract on loopback, over real HTTP.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { CalError, codeOf, messageOf, usage } from "../errors.ts";
import { defaultLifetime } from "../spec/auth.ts";
import { namespaces } from "../spec/index.ts";
import type { World } from "./answer.ts";
import { accessToken } from "./auth/tokens.ts";
import { userByToken } from "./contract/access.ts";
import { contractVerbs } from "./contract/verbs.ts";
import { exchange } from "./exchange.ts";
import { FaultList } from "./faults.ts";
import { userByPassword } from "./habits/access.ts";
import { habitVerbs } from "./habits/verbs.ts";
import type { Sandbox, SandboxOptions, SeenRequest } from "./options.ts";
import { demoApplication, demoUsers } from "./seed/accounts.ts";
import { seedFor, siteZone } from "./seed/seed.ts";
import type { Site } from "./site/site.ts";
import { fileStore, memoryStore, resetFile, type Seed, type Store } from "./store/store.ts";
import { instant } from "./zone.ts";

export type { OrderedFault } from "./faults.ts";
export type { Sandbox, SandboxOptions, SeenRequest } from "./options.ts";

/** Starts a sandbox. Rejects with kind `local` where the port is taken or the data file can't be used, `usage` where the day is none. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const seed = seedOf(options.day);
  const store = options.file === ":memory:" ? memoryStore(seed) : await fileStore(options.file, seed);
  const faults = new FaultList();
  for (const fault of options.faults ?? []) faults.add(fault);
  const seen: SeenRequest[] = [];
  const server = createServer();
  const port = await listening(server, options.port ?? 0);
  const here = `http://127.0.0.1:${port}`;
  const world = worldOf(options, store, options.origin ?? here);
  const { log = () => undefined, onTrouble = () => undefined } = options;
  server.on("request", (request, response) => {
    // A client that goes away in the middle of something is no trouble of ours.
    exchange({ world, faults, seen, log, onTrouble }, request, response).catch(() => response.destroy());
  });
  const { site, token } = world.calendar;
  return {
    port,
    baseUrl: site.permalinks === "pretty" ? `${here}/wp-json` : `${here}/?rest_route=/`,
    authUrl: here,
    siteUrl: here,
    namespace: site.namespace,
    habits: site.habits,
    zone: site.zone,
    token,
    application: demoApplication,
    users: demoUsers,
    faults,
    requests: () => [...seen],
    close: () => closed(server),
  };
}

/** Puts freshly seeded data in the place of a data file, whatever is wrong with it. Running sandboxes see the new data. */
export async function resetSandbox(file: string, day: string): Promise<void> {
  await resetFile(file, seedOf(day));
}

function seedOf(day: string): Seed {
  if (Number.isNaN(instant(`${day} 00:00:00`))) throw usage(`the sandbox's day is not a date in the form YYYY-MM-DD: ${day}`);
  return seedFor(day);
}

function worldOf(options: SandboxOptions, store: Store, origin: string): World {
  const habits = options.habits ?? "contract";
  const isContract = habits === "contract";
  const site: Site = {
    origin,
    habits,
    version: options.tecVersion ?? "6.10",
    namespace: (options.namespace ?? (isContract ? namespaces.interface : namespaces.theEventsCalendar)).replace(/^\/+|\/+$/g, ""),
    permalinks: options.permalinks ?? "pretty",
    zone: siteZone,
    now: options.now,
  };
  const kind = isContract ? { verbs: contractVerbs, userOf: userByToken } : { verbs: habitVerbs, userOf: userByPassword };
  return {
    calendar: {
      site,
      store,
      kind,
      token: accessToken({ application: "cal-sandbox", user: { username: "admin" }, lifetime: defaultLifetime, now: options.now() }),
    },
    login: {
      tokenLifetime: options.tokenLifetime ?? defaultLifetime,
      rotate: options.rotateRefreshTokens ?? true,
      redirectUrls: options.redirectUrls ?? [],
      anyLoopbackRedirect: options.anyLoopbackRedirect ?? false,
      now: options.now,
    },
    localEnvironment: options.localEnvironment ?? false,
  };
}

async function listening(server: Server, port: number): Promise<number> {
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

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const done = once(server, "close");
  server.close();
  server.closeAllConnections();
  await done;
}
