// A list whose later page fails, while pages behind it are still under way: the error is the last word, and nothing is waited for.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-failed-page-"));
afterAll(() => rmSync(folder, { recursive: true }));

function answer(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** Ten pages of two tags. The third fails when the fourth is to be requested again in 25 s and the fifth has been requested. */
async function site(status: number): Promise<string> {
  let third: ServerResponse | undefined;
  const waiting = new Set(["4", "5"]);
  const server = createServer((request, response) => {
    const page = new URL(request.url ?? "", "http://x").searchParams.get("page") ?? "1";
    if (page === "3") third = response;
    else if (page === "4") answer(response, 503, {}, { "retry-after": "25" });
    else if (page !== "5") {
      const first = Number(page) * 2;
      answer(response, 200, { tags: [{ id: first }, { id: first + 1 }], total: 20, total_pages: 10 });
    }
    waiting.delete(page);
    if (third !== undefined && waiting.size === 0) answer(third, status, { code: "broken", message: "The third page is broken." });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`;
}

test.each([
  [500, 7, 3],
  [403, 5, 0],
])("a page that is answered with %d", async (status, exit, repetitions) => {
  const env = { PATH: process.env["PATH"], CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: folder, CAL_TOKEN: "t" };
  const line = ["tags", "list", "--all", "--json", "--concurrency", "4", "--per-page", "2", "--base-url", await site(status)];
  const { code, stdout, stderr } = await new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      // It is killed where it waits for the fourth page.
      execFile(process.execPath, [program, ...line], { env, timeout: 15_000 }, (error, ...texts) =>
        resolve({ code: error === null ? 0 : error.code, stdout: texts[0], stderr: texts[1] }),
      );
    },
  );
  const lines = stderr.trimEnd().split("\n");
  expect({ code, stdout, before: lines.slice(0, -1) }).toEqual({
    code: exit,
    stdout: "",
    before: [
      expect.stringContaining("the server answered 503; trying again in 25.0 s (1 of 3)"),
      ...Array.from({ length: repetitions }, (_, at) =>
        expect.stringMatching(new RegExp(`the server answered ${status}; trying again in \\S+ s \\(${at + 1} of 3\\)$`)),
      ),
    ],
  });
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    error: expect.objectContaining({ status, message: expect.stringContaining("broken") }),
  });
});
