// A server that keeps no rule of HTTP: it reads requests whole, counts them, and sends the bytes that a row defines.

import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { ServerAction } from "./row.ts";

/** A running server. */
export interface FaultServer {
  readonly port: number;
  /** The requests that came in whole, heads and bodies. */
  readonly receivedRequests: readonly string[];
  close(): Promise<void>;
}

/** How it is reached. */
export interface ListenOptions {
  /** The certificate; absent is plain HTTP. */
  readonly tls?: string;
  readonly host?: string;
}

/** A file of the certificates: made for tests, valid from 2000 to 2120 but for the expired one. */
export function getCertificatePath(name: string): string {
  return new URL(`certificates/${name}.pem`, import.meta.url).pathname;
}

/** Starts a server whose `n`-th request gets the `n`-th act, and every later one the last. */
export async function startFaultServer(
  acts: readonly ServerAction[],
  { tls, host = "127.0.0.1" }: ListenOptions,
  fill: (text: string) => string,
): Promise<FaultServer> {
  const seen: string[] = [];
  const serve = (socket: Socket) => {
    let read = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      read += chunk.toString("latin1");
      // The greeting of TLS: a web server takes it for a request that it can't read.
      if (read.startsWith("\u0016")) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      for (let length = wholeLength(read); length > 0; length = wholeLength(read)) {
        seen.push(read.slice(0, length));
        read = read.slice(length);
        const act = acts[Math.min(seen.length, acts.length) - 1];
        if (act !== undefined) perform(socket, act, fill);
      }
    });
  };
  const keys = () => ({ cert: readFileSync(getCertificatePath(tls ?? "")), key: readFileSync(getCertificatePath("key")) });
  return listening(tls === undefined ? createServer(serve) : createTlsServer(keys(), serve), host, seen);
}

/** Starts a server that resets each connection, or takes it and sends nothing. */
export function startUnresponsiveServer(how: "reset" | "silence"): Promise<FaultServer> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (how === "reset") socket.resetAndDestroy();
  });
  return listening(server, "127.0.0.1", seen);
}

/** The length of the request at the beginning, or 0 where it is not there whole. */
function wholeLength(read: string): number {
  const head = read.indexOf("\r\n\r\n") + 4;
  if (head < 4) return 0;
  const length = head + Number(/\r\ncontent-length: (\d+)/i.exec(read.slice(0, head))?.[1] ?? 0);
  return read.length >= length ? length : 0;
}

function perform(socket: Socket, { send, next, byteIntervalMs }: ServerAction, fill: (text: string) => string): void {
  const bytes = Buffer.from(fill(send), "utf8");
  const finish = () => {
    if (next === "end") socket.end();
    if (next === "reset") socket.resetAndDestroy();
  };
  if (byteIntervalMs !== undefined) sendSlowly(socket, bytes, byteIntervalMs);
  else if (bytes.length === 0) finish();
  // A reset would overtake bytes that are still on their way.
  else socket.write(bytes, () => (next === "reset" ? setTimeout(finish, 20) : finish()));
}

function sendSlowly(socket: Socket, bytes: Buffer, ms: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at === bytes.length || socket.destroyed) return clearInterval(timer);
    socket.write(bytes.subarray(at, at + 1));
    at += 1;
  }, ms);
}

async function listening(server: Server, host: string, receivedRequests: readonly string[]): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, host, resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, receivedRequests, close };
}
