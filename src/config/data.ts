// What the config file holds, and the check of what was read from it.
import { isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { shellQuote } from "../http/shell-word.ts";

/** A profile as it is stored: settings by their names, unknown ones too; values are checked where they are used. */
export type Profile = Readonly<Record<string, unknown>>;

/** The content of the config file. Keys that this version does not know are kept. */
export interface ConfigData {
  readonly version: 1;
  /** The profile that is used where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** What holds where there is no file yet. */
export const emptyConfig: ConfigData = { version: 1, profiles: {} };

/** The data of a file's text. Throws a `local` CalError that names the file and the way out where it is broken or newer than this program. */
export function parseConfig(text: string, path: string): ConfigData {
  const value = parseConfigJson(text, path);
  if (!isRecord(value)) throw createInvalidConfigError(path, "it holds no JSON object");
  const { version = 1, current, profiles = {} } = value;
  if (version !== 1) {
    throw new CalError("local", `${path} was written by a newer version of cal (version ${JSON.stringify(version)}, known is 1)`, {
      hint: "upgrade cal, or use another folder: CAL_CONFIG_DIR=<folder>",
    });
  }
  if (current !== undefined && typeof current !== "string") throw createInvalidConfigError(path, '"current" is not text');
  if (!isRecord(profiles)) throw createInvalidConfigError(path, '"profiles" is not an object');
  const checked: Record<string, Profile> = {};
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isRecord(profile)) throw createInvalidConfigError(path, `profile ${JSON.stringify(name)} is not an object`);
    checked[name] = profile;
  }
  return { ...value, version, ...(current === undefined ? {} : { current }), profiles: checked };
}

function parseConfigJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // The parser's own message would quote the file.
    throw createInvalidConfigError(path, "it is not valid JSON");
  }
}

function createInvalidConfigError(path: string, why: string): CalError {
  return new CalError("local", `cannot use the config file ${path}: ${why}`, {
    hint: `repair it by hand, or move it away and start again: mv ${shellQuote(path)} ${shellQuote(`${path}.broken`)}`,
  });
}
