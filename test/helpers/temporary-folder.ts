// All temporary files of a run of the tests are in one folder, which is removed at its end.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "cal-test-"));
  // Some tests run programs of another user.
  chmodSync(folder, 0o711);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
