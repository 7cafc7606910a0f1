// A list whose reader has gone, as `| head` does: the rest of it is not requested, and that is no failure.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startTestServer } from "../api/replies/canned.ts";

const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-left-early-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = 200;
let requested = 0;
const url = await startTestServer((request) => {
  requested += 1;
  const page = Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);
  const tags = Array.from({ length: 50 }, (_none, index) => ({ id: page * 50 + index, name: "x".repeat(1000) }));
  return { body: JSON.stringify({ tags, total: pages * 50, total_pages: pages }) };
});

test.each(["ndjson", "csv", "ids"])("%s", async (format) => {
  requested = 0;
  const env = { PATH: process.env["PATH"], CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: folder, CAL_TOKEN: "t" };
  const line = ["tags", "list", "--all", "--per-page", "50", "--concurrency", "1", "--format", format, "--base-url", url];
  const cal = spawn(process.execPath, [program, ...line], { env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  cal.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  cal.stdout.once("data", () => cal.stdout.destroy());
  const [code] = (await once(cal, "close")) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  // The ids of a list are printed when it is whole.
  if (format === "ids") expect(requested).toBe(pages);
  else expect(requested).toBeLessThan(pages / 2);
});
