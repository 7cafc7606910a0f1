// The built program loads packages on demand: their exports arrive unchanged.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

test("`config set` writes the config file through conf", () => {
  const folder = mkdtempSync(join(tmpdir(), "cal-lazy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
  const env = { PATH: process.env["PATH"], HOME: folder, CAL_CONFIG_DIR: folder, CAL_CACHE_DIR: join(folder, "cache") };
  execFileSync(process.execPath, [program, "config", "set", "tz", "Europe/Paris"], { env, encoding: "utf8" });
  const { profiles } = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
  expect(profiles).toEqual({ default: { tz: "Europe/Paris" } });
});
