// What the tests of logins share: a real transport, real loopback servers, a temporary folder, and small fakes of our own types.

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { createFileSecretStore, createLock } from "../../src/auth/credential-file.ts";
import { type CredentialStore, createCredentialStore } from "../../src/auth/credential-store.ts";
import type { Clock, SecretStore } from "../../src/auth/credentials.ts";
import type { Settings } from "../../src/config/settings.ts";
import { CalError, formatHints } from "../../src/errors.ts";
import type { Transport } from "../../src/http/transport.ts";
import { createHttpConnection } from "../../src/http/undici.ts";

/** A clock that changes only by `advance`. Sleeping takes 1 ms of real time. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(start = Date.UTC(2030, 0, 1)): TestClock {
  let now = start;
  const advance = (ms: number): void => {
    now += ms;
  };
  return { now: () => now, sleep: async () => void (await sleep(1)), advance };
}

/** Real time, for tests with several processes. */
export const realClock: Clock = { now: () => performance.timeOrigin + performance.now(), sleep: async (ms) => void (await sleep(ms)) };

/** A folder that is removed when the test ends. */
export async function createTempFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "cal-auth-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The transport of the program. */
export function createTestTransport(): Transport {
  const { send, close } = createHttpConnection({ timeout: 10_000, connections: 8 });
  onTestFinished(close);
  return send;
}

/** A request that a test server got. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface TestServer {
  readonly origin: string;
  readonly receivedRequests: ReceivedRequest[];
}

/** What a test server answers with; a body that is no text goes out as JSON. */
export interface TestResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server on loopback that sends the responses of `answer` and records its requests. */
export async function startTestServer(answer: (got: ReceivedRequest) => TestResponse): Promise<TestServer> {
  const receivedRequests: ReceivedRequest[] = [];
  const server = createServer((request, response) => void take(request, response));
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await request.toArray()).join("");
    const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    receivedRequests.push(one);
    const { status = 200, headers = {}, body: said = "" } = answer(one);
    response.writeHead(status, { "content-type": typeof said === "string" ? "text/plain" : "application/json", ...headers });
    response.end(typeof said === "string" ? said : JSON.stringify(said));
  };
  return { origin: await listenOnFreePort(server), receivedRequests };
}

let nextPort = 20_000 + (process.pid % 1000) * 10;

/** A port that nothing listens at: below those that the system gives to connections, and for each process from a place of its own. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = nextPort;
    nextPort = port === 29_999 ? 20_000 : port + 1;
    const server = createServer();
    const free = new Promise<boolean>((resolve) =>
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true)),
    );
    if (!(await free)) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Listens on a free port until the test ends; answers with the origin. */
export async function listenOnFreePort(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A store in memory, in the place of a keychain that works. */
export function createMemoryStore(secrets = new Map<string, string>()): SecretStore & { readonly secrets: Map<string, string> } {
  return {
    secrets,
    read: async (accounts) => new Map([...secrets].filter(([account]) => accounts.includes(account))),
    write: async (entries) => entries.forEach(([account, secret]) => void secrets.set(account, secret)),
    remove: async (accounts) => accounts.forEach((account) => void secrets.delete(account)),
  };
}

/** A credential store in a folder, with the real file store and this keychain. */
export function createTestCredentialStore(path: string, clock: Clock, keychain: SecretStore = createMemoryStore()): CredentialStore {
  const lock = createLock(join(path, "locks"), clock);
  return createCredentialStore(path, clock, lock, { keychain, file: createFileSecretStore(path, lock) });
}

/** Settings of plain values, with the profile as their origin. */
export function createAuthSettings(values: Readonly<Record<string, unknown>>): Settings {
  const defaults = { profile: "default", server: "generic", auth_header: "Authorization", auth_scheme: "Bearer" };
  const settings = Object.entries({ ...defaults, ...values }).map(([name, value]) => [name, { value, origin: "profile default" }]);
  return Object.fromEntries(settings) as Settings;
}

/** The parts of a CalError, for a comparison of the whole value. Other errors are thrown again. */
export async function catchCalError(
  work: Promise<unknown>,
): Promise<{ kind: string; message: string; hint?: string; code?: string; status?: number }> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    const { hint, code, status } = error.details;
    return {
      kind: error.kind,
      message: error.message,
      ...(hint && { hint: formatHints(hint) }),
      ...(code && { code }),
      ...(status && { status }),
    };
  }
  throw new Error("it did not fail");
}
