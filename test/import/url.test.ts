// Sources at an address: what is followed, what is refused, and that nothing secret goes along or is shown.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { CalError } from "../../src/errors.ts";
import { readSource, type SourceOptions } from "../../src/import/source.ts";
import { isPrivateAddress } from "../../src/import/url.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const certificates = new URL("../faults/certificates/", import.meta.url);
const csv = "title,start_date\nJazz Night,2027-01-16 20:00\n";

async function serve(listener: RequestListener, make: (listener: RequestListener) => Server = createServer): Promise<string> {
  const server = make(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const allowed = { allowHttp: true, allowPrivate: true };

async function read(location: string, options: Partial<SourceOptions> = {}) {
  async function* stdin(): AsyncGenerator<Uint8Array> {}
  const source = await readSource({ location, resource: "events", stdin: stdin(), timeout: 5000, zone: "UTC", ...allowed, ...options });
  const rows = [];
  for await (const row of source.rows) rows.push(row.values);
  return { ...source, rows };
}

async function failure(location: string, options: Partial<SourceOptions> = {}): Promise<CalError> {
  const error: unknown = await read(location, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CalError)) throw error ?? new Error("it was read");
  expect(JSON.stringify([error.message, error.details])).not.toContain("s3cret");
  return error;
}

describe("what is read", () => {
  test("a file at an address, by its content type, with a name that hides the path", async () => {
    const requests: IncomingMessage[] = [];
    const host = await serve((request, response) => {
      requests.push(request);
      response.writeHead(200, { "content-type": "text/csv; charset=utf-8" }).end(csv);
    });
    const source = await read(`http://${host}/feeds/s3cret?token=s3cret`);
    expect(source.rows).toEqual([{ title: "Jazz Night", start_date: "2027-01-16 20:00" }]);
    expect(source.label).toBe(`http://${host}`);
    expect(source.name).toMatch(new RegExp(`^http://${host}#[0-9a-f]{8}$`));
    expect((await read(`http://${host}/feeds/s3cret?token=s3cret`)).name).toBe(source.name);
    expect((await read(`http://${host}/feeds/other`)).name).not.toBe(source.name);
    expect(Object.keys(requests[0]?.headers ?? {}).toSorted()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("%s is unpacked", async (encoding, compress) => {
    const host = await serve((_request, response) => response.writeHead(200, { "content-encoding": encoding }).end(compress(csv)));
    expect((await read(`http://${host}/a.csv`)).rows).toHaveLength(1);
  });

  test("five redirects are followed, a sixth is not", async () => {
    const host = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(csv);
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await read(`http://${host}/5`, { format: "csv" })).rows).toHaveLength(1);
    expect(await failure(`http://${host}/6`)).toMatchObject({ kind: "usage", message: `http://${host} redirects more than 5 times` });
  });
});

describe("what is refused before anything is sent", () => {
  test.each<[string, Partial<SourceOptions>, RegExp]>([
    ["http://example.com/s3cret", { allowHttp: false }, /^http:\/\/example\.com is not encrypted$/],
    ["https://127.0.0.1/s3cret", { allowPrivate: false }, /^https:\/\/127\.0\.0\.1 is an address of this machine/],
    ["webcal://10.1.2.3/s3cret", { allowPrivate: false }, /^https:\/\/10\.1\.2\.3 is an address of this machine/],
    ["https://[::1]/s3cret", { allowPrivate: false }, /^https:\/\/\[::1\] is an address/],
    ["https://[::ffff:192.168.1.1]/s3cret", { allowPrivate: false }, /is an address of this machine/],
    ["https://2130706433/s3cret", { allowPrivate: false }, /^https:\/\/127\.0\.0\.1 is an address/],
    ["https://0x7f.1/s3cret", { allowPrivate: false }, /^https:\/\/127\.0\.0\.1 is an address/],
    ["https://localhost/s3cret", { allowPrivate: false }, /^https:\/\/localhost is an address of this machine/],
    ["https://s3cret:s3cret@example.com/", {}, /^the address at https:\/\/example\.com has a user name or a password/],
    ["https://", {}, /^the address of the source is not valid$/],
  ])("%s", async (address, options, message) => {
    const error = await failure(address, options);
    expect([error.exitCode, error.message]).toEqual([2, expect.stringMatching(message)]);
  });

  test("addresses that are not public", () => {
    const closed = [
      "0.0.0.0",
      "10.0.0.1",
      "100.64.0.1",
      "127.8.8.8",
      "169.254.169.254",
      "172.31.0.1",
      "192.168.0.1",
      "198.18.0.1",
      "224.0.0.1",
      "255.255.255.255",
    ];
    const closed6 = [
      "::",
      "::1",
      "fc00::1",
      "fdff::1",
      "fe80::1",
      "fe80::1%eth0",
      "ff02::1",
      "::ffff:10.0.0.1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "no address",
    ];
    expect([...closed, ...closed6].filter((one) => !isPrivateAddress(one))).toEqual([]);
    expect(["1.1.1.1", "172.32.0.1", "100.128.0.1", "193.0.0.1", "2606:4700::1111", "::ffff:1.1.1.1"].filter(isPrivateAddress)).toEqual([]);
  });
});

describe("what is refused on the way", () => {
  test("a redirect from https to http, to a private address, and to another protocol", async () => {
    const [key, cert] = ["key.pem", "here.pem"].map((name) => readFileSync(new URL(name, certificates), "utf8"));
    const ca = [readFileSync(new URL("authority.pem", certificates), "utf8")];
    let location = "";
    const host = await serve(
      (_request, response) => response.writeHead(301, { location }).end(),
      (listener) => createHttpsServer({ key: key ?? "", cert: cert ?? "" }, listener),
    );
    const address = `https://${host}/s3cret`;
    location = "http://example.com/s3cret";
    expect(await failure(address, { ca })).toMatchObject({
      kind: "usage",
      message: `https://${host} redirects to http://example.com, which is not encrypted`,
    });
    location = "file:///etc/s3cret";
    expect((await failure(address, { ca })).message).toContain("which is not encrypted");
    location = "https://s3cret@example.com/";
    expect((await failure(address, { ca })).message).toContain("has a user name or a password");
  });

  test("a redirect within http to what is no address of the web", async () => {
    const host = await serve((_request, response) => response.writeHead(301, { location: "gopher://s3cret/" }).end());
    expect(await failure(`http://${host}/`)).toMatchObject({ kind: "usage", message: "an address of the form gopher: is not read" });
  });

  test("more than 64 MB, unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, " "));
    const host = await serve((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    expect(await failure(`http://${host}/a.json`)).toMatchObject({ kind: "usage", message: `http://${host} sends more than 64 MB` });
  });

  test("an answer that is not there, is broken off, or never comes", async () => {
    const host = await serve((request, response) => {
      if (request.url === "/404") response.writeHead(404).end("s3cret");
      else if (request.url === "/cut.csv") {
        response.writeHead(200, { "content-length": "1000" }).write(csv);
        setTimeout(() => response.destroy(), 50);
      } else if (request.url === "/slow.csv") response.writeHead(200).write(csv);
    });
    expect(await failure(`http://${host}/404`)).toMatchObject({ kind: "unavailable", message: `http://${host} answered 404` });
    expect(await failure(`http://${host}/cut.csv`)).toMatchObject({ kind: "unavailable" });
    expect(await failure(`http://${host}/slow.csv`, { timeout: 300 })).toMatchObject({
      kind: "unavailable",
      message: `http://${host}: the answer was not complete within 0.3 s`,
    });
    expect(await failure("http://127.0.0.1:1/s3cret")).toMatchObject({
      kind: "unavailable",
      message: "http://127.0.0.1:1: it accepts no connections",
    });
  });

  test("a certificate that is not trusted", async () => {
    const [key, cert] = ["key.pem", "here.pem"].map((name) => readFileSync(new URL(name, certificates), "utf8"));
    const host = await serve(
      (_request, response) => response.end(csv),
      (listener) => createHttpsServer({ key: key ?? "", cert: cert ?? "" }, listener),
    );
    expect((await failure(`https://${host}/s3cret`)).kind).toBe("unavailable");
  });
});
