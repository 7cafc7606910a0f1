// Every row of the table of faults: the real program against a real socket.

import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { createSession } from "../helpers/session.ts";
import type { FaultCase } from "./row.ts";
import { type FaultServer, getCertificatePath, startFaultServer, startUnresponsiveServer } from "./server.ts";
import { faultGroups } from "./table.ts";

const token = "s3cr3t-t0k3n-value";
const password = "pr0xy-s3cr3t";
/** Another site: nothing may ever reach it. */
const other = await startFaultServer([], {}, (text) => text);
afterAll(() => other.close());

async function closedPort(): Promise<number> {
  const server = await startUnresponsiveServer("silence");
  await server.close();
  return server.port;
}

interface Setup {
  readonly env: Readonly<Record<string, string>>;
  readonly server?: FaultServer;
}

/** The server of a row, and what the environment says of it. */
async function setUp({ target }: FaultCase): Promise<Setup> {
  if ("url" in target) return { env: { CAL_BASE_URL: target.url } };
  if ("atConnect" in target) {
    const server = await startUnresponsiveServer(target.atConnect);
    return { env: { CAL_BASE_URL: `https://127.0.0.1:${server.port}/wp-json` }, server };
  }
  if ("closed" in target) return { env: addressed(target, await closedPort()) };
  let port = 0;
  const fill = (text: string) =>
    text
      .replaceAll("{origin}", `http://127.0.0.1:${port}`)
      .replaceAll("{port}", String(port))
      .replaceAll("{other}", `http://127.0.0.1:${other.port}`);
  const server = await startFaultServer(target.acts, "proxies" in target ? {} : target, fill);
  port = server.port;
  return { env: addressed(target, port), server };
}

function addressed(
  at: { readonly proxies?: string; readonly tls?: string; readonly host?: string; readonly scheme?: string },
  port: number,
): Record<string, string> {
  if (at.proxies !== undefined) {
    const proxy = `http://user:${password}@127.0.0.1:${port}`;
    return { CAL_BASE_URL: `${at.proxies}/wp-json`, CAL_ALLOW_HTTP: "1", HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  }
  return {
    CAL_BASE_URL: `${at.scheme ?? (at.tls === undefined ? "http" : "https")}://${at.host === undefined ? "127.0.0.1" : `[${at.host}]`}:${port}/wp-json`,
  };
}

describe.each(faultGroups)("$title", ({ rows, separateTests }) => {
  test.each(rows)("$fault: cal $commandLine", async (row) => {
    const { env, server } = await setUp(row);
    const port = String(server?.port ?? "");
    const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_TOKEN: token, ...env, ...row.env } });
    const { stdout, stderr, code } = await cal(row.commandLine.replace("{authority}", getCertificatePath("authority")));
    await server?.close();
    const reported = code === 0 ? `${stdout}${stderr}` : stderr;
    expect(
      {
        code,
        sent: server?.receivedRequests.length ?? 0,
        again: stderr.split("trying again in ").length - 1,
        unsaid: row.expectedOutput.map((part) => part.replaceAll("{port}", port)).filter((part) => !reported.includes(part)),
        stdoutOfFailure: code === 0 ? "" : stdout,
        leaked: [token, password].filter((secret) => `${stdout}${stderr}`.includes(secret)),
        elsewhere: other.receivedRequests,
      },
      `${stdout}\n${stderr}\n${server?.receivedRequests.join("\n")}`,
    ).toEqual({
      code: row.exitCode,
      sent: row.requestCount,
      again: row.retryCount,
      unsaid: [],
      stdoutOfFailure: "",
      leaked: [],
      elsewhere: [],
    });
  });

  if (separateTests.length > 0) {
    test.each(separateTests)("$fault is proven in $test", ({ test: path, searchText }) => {
      expect(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")).toContain(searchText);
    });
  }
});
