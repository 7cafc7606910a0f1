// The built program and a proxy: its bundle has less of undici than the tests of the source load, and https goes through more of it.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { formatRawResponse } from "../faults/acts.ts";
import { getCertificatePath, startFaultServer } from "../faults/server.ts";

const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-proxy-"));
afterAll(() => rmSync(folder, { recursive: true }));

const site = await startFaultServer(
  [{ send: formatRawResponse(200, '[{"id":7,"name":"Free"}]'), next: "keep" }],
  { tls: "elsewhere" },
  (text) => text,
);
afterAll(() => site.close());

/** A proxy that answers CONNECT with a tunnel to the site, or refuses it; resolves with its port and the requests that reached it. `tls` is its certificate. */
async function proxy({ refusal, tls }: { readonly refusal?: string; readonly tls?: string } = {}) {
  const requested: string[] = [];
  const plain = () => createServer();
  const secure = (name: string) =>
    createTlsServer({ cert: readFileSync(getCertificatePath(name)), key: readFileSync(getCertificatePath("key")) });
  const server = (tls === undefined ? plain() : secure(tls)).on("connect", (request, socket) => {
    requested.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`);
    const tunnel = connect(site.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(tunnel).pipe(socket);
    });
    socket.on("error", () => tunnel.destroy());
    return tunnel.on("error", () => socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => server.close());
  return { port: (server.address() as AddressInfo).port, asked: requested, close: () => once(server.close(), "close") };
}

/** Lists the tags of `https://other.example` through a proxy, with the authority's certificate where no other trust is set. */
function listed(through: string, trust: readonly string[] = ["--ca-file", getCertificatePath("authority")], more: NodeJS.ProcessEnv = {}) {
  const env = {
    PATH: process.env["PATH"],
    CAL_CONFIG_DIR: folder,
    CAL_STATE_DIR: folder,
    CAL_CACHE_DIR: folder,
    CAL_TOKEN: "t",
    HTTPS_PROXY: through,
    ...more,
  };
  const flags = ["--base-url", "https://other.example/wp-json", ...trust, "--retries", "0"];
  return new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [program, "tags", "list", "--field", "name", ...flags], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test("a site with https is reached through the tunnel of a proxy", async () => {
  const { port, asked: requested } = await proxy();
  expect(await listed(`http://127.0.0.1:${port}`)).toEqual({ code: 0, stdout: "Free\n", stderr: "" });
  expect(await listed(`http://ann:o%20o@127.0.0.1:${port}`)).toEqual({ code: 0, stdout: "Free\n", stderr: "" });
  expect(await listed(`http://ann@127.0.0.1:${port}`)).toEqual({ code: 0, stdout: "Free\n", stderr: "" });
  expect(requested).toEqual([
    "CONNECT other.example:443",
    "CONNECT other.example:443 Basic YW5uOm8gbw==",
    "CONNECT other.example:443 Basic YW5uOg==",
  ]);
  expect(site.receivedRequests.map((request) => request.split("\r\n")[0])).toEqual(
    Array(3).fill("GET /wp-json/calendar/events/v1/tags HTTP/1.1"),
  );
});

test.each([
  ["403 Forbidden", "it answered 403"],
  ["407 Proxy Authentication Required", "it wants a user name and a password"],
])("a proxy that answers %s", async (refusal, says) => {
  const { port, asked: requested } = await proxy({ refusal });
  const { code, stdout, stderr } = await listed(`http://127.0.0.1:${port}`);
  expect({ code, stdout, stderr }).toEqual({
    code: 7,
    stdout: "",
    stderr: expect.stringContaining(`:${port} made no connection: ${says}\n`),
  });
  expect(requested).toEqual(["CONNECT other.example:443"]);
});

describe("a proxy that is spoken to with TLS, whose certificate is of an own authority", () => {
  const authority = getCertificatePath("authority");

  test.each([
    ["--ca-file", ["--ca-file", authority], {}, ""],
    ["NODE_EXTRA_CA_CERTS", [], { NODE_EXTRA_CA_CERTS: authority }, ""],
    ["--insecure", ["--insecure"], {}, "warning: any certificate is accepted (flag --insecure): what is sent and answered is not safe\n"],
  ])("%s holds for it too", async (_name, trust, env, stderr) => {
    const { port, asked: requested } = await proxy({ tls: "here" });
    expect(await listed(`https://ann:o%20o@localhost:${port}`, trust, env)).toEqual({ code: 0, stdout: "Free\n", stderr });
    expect(await listed(`https://127.0.0.1:${port}`, trust, env)).toEqual({ code: 0, stdout: "Free\n", stderr });
    expect(requested).toEqual(["CONNECT other.example:443 Basic YW5uOm8gbw==", "CONNECT other.example:443"]);
  });

  test.each([
    ["is from nobody known", "here", [], "the certificate's issuer is not known", "a certificate authority of your own: --ca-file"],
    ["has expired", "expired", ["--ca-file", authority], "the certificate has expired", "a certificate authority of your own: --ca-file"],
    ["is for another name", "elsewhere", ["--ca-file", authority], "the certificate is for another name", "check HTTPS_PROXY"],
  ])("its certificate %s: the proxy is named", async (_what, tls, trust, says, hint) => {
    const { port, asked: requested } = await proxy({ tls });
    const { code, stdout, stderr } = await listed(`https://localhost:${port}`, trust);
    const reported = `the proxy localhost:${port} made no connection: ${says}\nhint: ${hint}`;
    expect({ code, stdout, stderr }).toEqual({ code: 7, stdout: "", stderr: expect.stringContaining(reported) });
    expect(requested).toEqual([]);
  });
});

test("a proxy that nobody listens at", async () => {
  const { port, close } = await proxy();
  await close();
  const { code, stdout, stderr } = await listed(`http://127.0.0.1:${port}`);
  expect({ code, stdout, stderr }).toEqual({
    code: 7,
    stdout: "",
    stderr: expect.stringContaining(`:${port} made no connection: the connection was refused\n`),
  });
});
