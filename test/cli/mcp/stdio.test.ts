// The built program as a client starts it: the protocol's own client over stdio, with each version of the protocol.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("../../../bin/cal.js", import.meta.url));

test.each(["legacy", "auto"] as const)("%s: an event is planned and created, and the process ends when the client closes", async (mode) => {
  const folder = mkdtempSync(join(tmpdir(), "cal-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(existsSync(program)).toBe(true);
  const env = { PATH: process.env["PATH"] ?? "", CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: folder };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "--sandbox", "mcp", "--allow-write"],
    env,
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const { pid } = transport;
  const call = async (name: string, values: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: values })).structuredContent as Readonly<Record<string, unknown>>;
  const event = { title: "Over stdio", start_date: "2027-03-01 10:00", duration: "1h" };
  const { plan, confirm } = await call("events_create", event);
  expect(plan).toMatchObject({ changes: [{ op: "create", resource: "events" }] });
  expect(await call("events_create", { ...event, confirm })).toMatchObject({ results: [{ ok: true }] });
  expect(JSON.stringify(await call("events_list", { search: "Over stdio", start_date: "2027-03-01" }))).toContain("Over stdio");
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
});
