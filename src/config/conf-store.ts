// The only importer of conf. Loaded to write only: conf brings a schema validator along that reading can do without.
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
  store.store = data;
}
