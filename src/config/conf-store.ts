// The only importer of conf. Loaded to write only: conf brings a schema validator along that reading can do without.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Conf from "conf";

/** Replaces `config.json` in a folder as a whole, readable by its owner alone: afterwards it is the old file or the new one, never a part. */
export function replaceJson(folder: string, data: Record<string, unknown>): void {
  const store = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: "config",
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  });
  try {
    store.store = data;
  } finally {
    removeTempFiles(folder);
  }
}

/** conf removes what it could not write a moment later, and a process that is killed does not. Only the holder of the lock comes here. */
function removeTempFiles(folder: string): void {
  const drafts = readdirSync(folder).filter((name) => /^config\.json\.tmp-/.test(name));
  for (const name of drafts) rmSync(join(folder, name), { force: true });
}
