// cal doctor over TLS: a certificate that is not trusted, one that --ca-file makes trusted, and one that is not checked.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSession } from "../../helpers/session.ts";

const missing = spawnSync("openssl", ["version"]).status !== 0;

/** Serves `{}` with a new certificate for 127.0.0.1. */
async function secureSite(): Promise<{ readonly url: string; readonly ca: string }> {
  const folder = mkdtempSync(join(tmpdir(), "cal-tls-"));
  const [key, ca] = [join(folder, "key.pem"), join(folder, "ca.pem")];
  const subject = ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...kind, "-keyout", key, "-out", ca, ...subject], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(ca) }, (_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`, ca };
}

test("a certificate is trusted, or the way to trust it is reported", async ({ skip }) => {
  if (missing && !process.env["CI"]) skip("not installed: openssl (apt-get install openssl)");
  const { url, ca } = await secureSite();
  const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: url } });
  const connection = async (flags: string) => {
    const rows = JSON.parse((await cal(`doctor --json ${flags}`)).stdout) as { check: string; state: string; advice?: string }[];
    const found = rows.find(({ check }) => check === "connection");
    return [found?.state, found?.advice];
  };
  expect(await connection("")).toEqual(["failure", "a certificate authority of your own: --ca-file ca.pem; a test server: --insecure"]);
  expect(await connection(`--ca-file ${ca}`)).toEqual(["ok", undefined]);
  expect(await connection("--insecure")).toEqual(["warning", "leave --insecure out; for an authority of your own: --ca-file ca.pem"]);
});
