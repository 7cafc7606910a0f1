// The recipe of the document for a feed, in a real shell with the built program.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../project/sources.ts";

const recipe = [...readFileSync(join(projectRoot, "docs/scripting.md"), "utf8").matchAll(/```sh\n(.*?)```/gs)]
  .map(([, text = ""]) => text.trim())
  .find((text) => text.includes("events.ics.new"));
const folder = mkdtempSync(join(tmpdir(), "cal-feed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runRecipe(env: Readonly<Record<string, string>>) {
  const script = `cal() { "${process.execPath}" "${join(projectRoot, "bin/cal.js")}" "$@"; }\n${recipe}`;
  const folders = { CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: folder };
  return spawnSync("bash", ["-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder, ...folders, ...env },
  });
}

test("a feed is written, is the same without changes, and stays when the site can't be reached", () => {
  const read = () => readFileSync(join(folder, "events.ics"), "utf8");
  const first = runRecipe({ CAL_SANDBOX: "1" });
  expect([first.status, first.stderr]).toEqual([0, ""]);
  const feed = read();
  expect(feed).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*BEGIN:VEVENT[\s\S]*END:VCALENDAR\r\n$/);
  expect(runRecipe({ CAL_SANDBOX: "1" }).status).toBe(0);
  expect(read()).toBe(feed);
  const failed = runRecipe({ CAL_BASE_URL: "http://127.0.0.1:9/wp-json", CAL_RETRIES: "0" });
  expect(failed.status).not.toBe(0);
  expect(read()).toBe(feed);
});
