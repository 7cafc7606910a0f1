// Every row of the table of faults: the real program against a real socket.
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { session } from "../helpers/session.ts";
import type { Row } from "./row.ts";
import { certificate, deafServer, type FaultServer, faultServer } from "./server.ts";
import { groups } from "./table.ts";

const token = "s3cr3t-t0k3n-value";
const password = "pr0xy-s3cr3t";
/** Another site: nothing may ever reach it. */
const other = await faultServer([], {}, (text) => text);
afterAll(() => other.close());

async function closedPort(): Promise<number> {
  const server = await deafServer("silence");
  await server.close();
  return server.port;
}

interface Stage {
  readonly env: Readonly<Record<string, string>>;
  readonly server?: FaultServer;
}

/** The server of a row, and what the environment says of it. */
async function staged({ at }: Row): Promise<Stage> {
  if ("url" in at) return { env: { CAL_BASE_URL: at.url } };
  if ("atConnect" in at) {
    const server = await deafServer(at.atConnect);
    return { env: { CAL_BASE_URL: `https://127.0.0.1:${server.port}/wp-json` }, server };
  }
  if ("closed" in at) return { env: addressed(at, await closedPort()) };
  let port = 0;
  const fill = (text: string) =>
    text
      .replaceAll("{origin}", `http://127.0.0.1:${port}`)
      .replaceAll("{port}", String(port))
      .replaceAll("{other}", `http://127.0.0.1:${other.port}`);
  const server = await faultServer(at.acts, "proxies" in at ? {} : at, fill);
  port = server.port;
  return { env: addressed(at, port), server };
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

describe.each(groups)("$title", ({ rows, proven }) => {
  test.each(rows)("$fault: cal $line", async (row) => {
    const { env, server } = await staged(row);
    const port = String(server?.port ?? "");
    const cal = session({ env: { CAL_SANDBOX: "0", CAL_TOKEN: token, ...env, ...row.env } });
    const { stdout, stderr, code } = await cal(row.line.replace("{authority}", certificate("authority")));
    await server?.close();
    const told = code === 0 ? `${stdout}${stderr}` : stderr;
    expect(
      {
        code,
        sent: server?.seen.length ?? 0,
        again: stderr.split("trying again in ").length - 1,
        unsaid: row.says.map((part) => part.replaceAll("{port}", port)).filter((part) => !told.includes(part)),
        stdoutOfFailure: code === 0 ? "" : stdout,
        leaked: [token, password].filter((secret) => `${stdout}${stderr}`.includes(secret)),
        elsewhere: other.seen,
      },
      `${stdout}\n${stderr}\n${server?.seen.join("\n")}`,
    ).toEqual({ code: row.code, sent: row.sent, again: row.again, unsaid: [], stdoutOfFailure: "", leaked: [], elsewhere: [] });
  });

  if (proven.length > 0) {
    test.each(proven)("$fault is proven in $test", ({ test: path, words }) => {
      expect(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")).toContain(words);
    });
  }
});
