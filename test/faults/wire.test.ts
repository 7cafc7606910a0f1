// The wire and its repetitions where a session can't see them: connections, late answers, clocks.

import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { withRetries } from "../../src/http/retries.ts";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../src/http/transport.ts";
import { createHttpConnection } from "../../src/http/undici.ts";
import { formatRawResponse, tagRecord } from "./acts.ts";
import { getCertificatePath } from "./server.ts";

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function listening(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    closing.push(() => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function wire(options: { readonly timeout?: number; readonly ca?: readonly string[] } = {}) {
  const opened = createHttpConnection({ timeout: 2000, connections: 4, ...options });
  closing.push(opened.close);
  return opened.send;
}

function request(method: string, url: string): HttpRequest {
  return { method, url, headers: {}, ...(method === "POST" ? { body: "{}" } : {}) };
}

describe("connections", () => {
  test("a create never goes over a connection that was used before, nor anything after it", async () => {
    const seen: string[][] = [];
    const port = await listening((socket) => {
      const own: string[] = [];
      seen.push(own);
      socket.on("data", (chunk) => {
        own.push(chunk.toString("latin1").split(" ")[0] ?? "");
        socket.write(formatRawResponse(200, tagRecord));
      });
    });
    const send = wire();
    for (const method of ["GET", "GET", "POST", "POST", "GET"]) {
      await send(request(method, `http://127.0.0.1:${port}/`));
      // A connection is free again shortly after its answer.
      await sleep(10);
    }
    expect(seen).toEqual([["GET", "GET", "GET"], ["POST"], ["POST"]]);
  });

  test("that a server closes as the next request comes lose no create", async () => {
    let creates = 0;
    const port = await listening((socket) => {
      let requests = 0;
      socket.on("data", (chunk) => {
        requests += 1;
        if (requests > 1) return socket.resetAndDestroy();
        creates += chunk.toString("latin1").startsWith("POST") ? 1 : 0;
        return socket.write(formatRawResponse(200, tagRecord));
      });
    });
    const send = wire();
    const statuses: number[] = [];
    for (const method of ["GET", "POST", "POST"]) {
      statuses.push((await send(request(method, `http://127.0.0.1:${port}/`))).status);
      await sleep(10);
    }
    expect({ statuses, creates }).toEqual({ statuses: [200, 200, 200], creates: 2 });
  });

  test("what was given up is not sent when the connection comes late", async () => {
    const seen: string[] = [];
    const keys = { cert: readFileSync(getCertificatePath("here")), key: readFileSync(getCertificatePath("key")) };
    const secure = createTlsServer(keys, (socket) => {
      socket
        .on("error", () => undefined)
        .on("data", (chunk) => {
          seen.push(chunk.toString("latin1").split(" ")[0] ?? "");
          socket.write(formatRawResponse(200, tagRecord));
        });
    });
    const port = await listening((socket) => setTimeout(() => secure.emit("connection", socket), 250));
    const send = wire({ timeout: 100, ca: [readFileSync(getCertificatePath("authority"), "utf8")] });
    const lost = await send(request("POST", `https://127.0.0.1:${port}/`)).catch((error: unknown) => error);
    await sleep(400);
    expect(lost).toBeInstanceOf(NetworkError);
    expect({ sent: lost instanceof NetworkError && lost.sent, seen }).toEqual({ sent: false, seen: [] });
  });
});

/** Calls through the repetitions, on a clock that stands still but for what `elapse` lets each attempt take. */
async function repeated(
  answer: HttpResponse | NetworkError,
  options: { readonly elapse?: number; readonly retries?: number; readonly random?: number } = {},
) {
  const { elapse = 0, retries = 20, random = 0.5 } = options;
  const pauses: number[] = [];
  let now = 0;
  let attempts = 0;
  const send = async () => {
    attempts += 1;
    now += elapse;
    if (answer instanceof NetworkError) throw answer;
    return answer;
  };
  const sleepOn = async (ms: number) => {
    pauses.push(ms);
  };
  const transport = withRetries(send, { retries, sleep: sleepOn, now: () => now, random: () => random, notice: async () => undefined });
  await transport(request("GET", "http://x/")).catch(() => undefined);
  return { attempts, pauses };
}

describe("pauses", () => {
  const busy: HttpResponse = { status: 503, headers: {}, body: new Uint8Array() };
  const gone = new NetworkError("gone", true, { code: "ECONNRESET" });

  test("grow, differ by chance, and stay within 30 s in all", async () => {
    expect(await repeated(busy)).toEqual({ attempts: 7, pauses: [400, 800, 1600, 3200, 6400, 12800] });
    expect(await repeated(busy, { retries: 2, random: 0 })).toEqual({ attempts: 3, pauses: [200, 400] });
    expect(await repeated(gone, { retries: 2, random: 1 })).toEqual({ attempts: 3, pauses: [600, 1200] });
  });

  test("no attempt begins later than 30 s after the first", async () => {
    expect(await repeated(gone, { elapse: 12_000 })).toEqual({ attempts: 3, pauses: [400, 800] });
    expect(await repeated(gone, { elapse: 31_000 })).toEqual({ attempts: 1, pauses: [] });
  });

  test("end also where the clock goes back", async () => {
    expect(await repeated(busy, { elapse: -60_000 })).toEqual({ attempts: 7, pauses: [400, 800, 1600, 3200, 6400, 12800] });
  });
});
