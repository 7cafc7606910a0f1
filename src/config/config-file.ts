// The config file and the profiles in it: read as plain JSON, written through conf under a lock.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { formatSuggestion } from "../closest.ts";
import { isRecord } from "../data-record.ts";
import { CalError, messageOf, usageError } from "../errors.ts";
import type { LockOptions } from "../lock.ts";
import { readOwnFile } from "../own-file.ts";
import { shellQuote } from "../text.ts";
import { formatSettingValue, getSettingFlag, parseSettingValue, type Setting, type SettingScalar, settingDefinitions } from "./settings.ts";

/** A profile as it is stored, unknown settings included. Its values are checked where they are used; secrets are never in it. */
export type Profile = Readonly<Record<string, unknown>>;

/** The content of the config file. Keys that this version does not know are kept. */
export interface ConfigData {
  readonly version: 1;
  /** The profile that is used where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export interface ConfigFile {
  readonly path: string;
  /** Empty data where there is no file. Rejects with a `local` CalError where the file can't be used. */
  read(): Promise<ConfigData>;
  /** Replaces the content by the answer of `change`, which gets the newest data. Where `change` throws, nothing is written. */
  update(change: (data: ConfigData) => ConfigData): Promise<void>;
}

/** The config file of a folder. Neither has to exist. */
export function openConfigFile(folder: string, lockOptions: LockOptions): ConfigFile {
  const path = join(folder, "config.json");
  const read = async (): Promise<ConfigData> => {
    const text = readConfigText(path);
    return text === undefined ? { version: 1, profiles: {} } : parseConfig(text, path);
  };
  const update = async (change: (data: ConfigData) => ConfigData) => {
    // conf loads a schema validator, which takes 25 ms and which reading does not need.
    const [{ default: Conf }, { withLock }] = await Promise.all([import("conf"), import("../lock.ts")]);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await withLock(`${path}.lock`, lockOptions, async () => {
        const data = change(await read());
        const store = new Conf<Record<string, unknown>>({
          cwd: folder,
          configName: "config",
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
        });
        try {
          store.store = { ...data };
        } finally {
          // conf removes the temporary file of a failed write later, and a killed process never does.
          for (const name of readdirSync(folder)) if (name.startsWith("config.json.tmp-")) rmSync(join(folder, name), { force: true });
        }
      });
    } catch (error) {
      throw error instanceof CalError ? error : createConfigFileError("write", path, error);
    }
  };
  return { path, read, update };
}

function readConfigText(path: string): string | undefined {
  try {
    return readOwnFile(path);
  } catch (error) {
    throw error instanceof CalError ? error : createConfigFileError("read", path, error);
  }
}

function createConfigFileError(operation: "read" | "write", path: string, cause: unknown): CalError {
  return new CalError("local", `cannot ${operation} the config file ${path}: ${messageOf(cause)}`, {
    hint: "check its owner and mode, or use another folder: CAL_CONFIG_DIR=<folder>",
    cause,
  });
}

/** Parses and checks the text of the file. Throws a `local` CalError where it is broken or newer than this program. */
export function parseConfig(text: string, path: string): ConfigData {
  const fail = (why: string) =>
    new CalError("local", `cannot use the config file ${path}: ${why}`, {
      hint: {
        text: "repair it by hand, or move it away and start again",
        command: `mv ${shellQuote(path)} ${shellQuote(`${path}.broken`)}`,
      },
    });
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // The parser's own message would quote the file.
    throw fail("it is not valid JSON");
  }
  if (!isRecord(value)) throw fail("it holds no JSON object");
  const { version = 1, current, profiles = {} } = value;
  if (version !== 1) {
    throw new CalError("local", `${path} was written by a newer version of cal (version ${JSON.stringify(version)}, known is 1)`, {
      hint: "upgrade cal, or use another folder: CAL_CONFIG_DIR=<folder>",
    });
  }
  if (current !== undefined && typeof current !== "string") throw fail('"current" is not text');
  if (!isRecord(profiles)) throw fail('"profiles" is not an object');
  const checked: Record<string, Profile> = {};
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isRecord(profile)) throw fail(`profile ${JSON.stringify(name)} is not an object`);
    checked[name] = profile;
  }
  return { ...value, version, ...(current === undefined ? {} : { current }), profiles: checked };
}

/** What can name a profile. */
export interface ProfileSources {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The name of the selected profile, whether it exists or not: `--profile`, `CAL_PROFILE`, the current one, `default`. */
export function resolveProfileName({ globals, env }: ProfileSources, data: ConfigData): Setting<string> {
  const typed = globals["profile"];
  if (typeof typed === "string") return { value: typed, origin: "flag --profile" };
  if (env["CAL_PROFILE"]) return { value: env["CAL_PROFILE"], origin: "environment CAL_PROFILE" };
  if (data.current !== undefined) return { value: data.current, origin: "config file" };
  return { value: "default", origin: "default" };
}

export function findProfile(data: ConfigData, name: string): Profile | undefined {
  return Object.hasOwn(data.profiles, name) ? data.profiles[name] : undefined;
}

/** The selected profile; empty where none was named. Throws a usage CalError where a named one is missing. */
export function getSelectedProfile(data: ConfigData, selected: Setting<string>): Profile {
  const profile = findProfile(data, selected.value);
  if (profile !== undefined) return profile;
  if (selected.origin === "default") return {};
  throw usageError(
    `${selected.origin}: there is no profile "${selected.value}"${suggestProfileNames(data, selected.value)}`,
    selected.origin === "config file"
      ? { text: "choose one", command: "cal profile use <name>" }
      : { text: "add it", command: `cal init <site-url> -p ${selected.value}` },
  );
}

/** The profile that an argument names. Throws a not-found CalError where there is none. */
export function getProfile(data: ConfigData, name: string): Profile {
  const profile = findProfile(data, name);
  if (profile !== undefined) return profile;
  throw new CalError("not-found", `there is no profile "${name}"${suggestProfileNames(data, name)}`, {
    hint: { command: "cal profile list" },
  });
}

function suggestProfileNames(data: ConfigData, name: string): string {
  const names = Object.keys(data.profiles);
  if (names.length === 0) return "; there are none yet";
  return formatSuggestion(name, names) || `; there are ${names.sort().join(", ")}`;
}

/** The start of a command in a hint: it selects the same profile as the command that failed. */
export function formatCalCommand({ profile }: { readonly profile: Setting<string> }): string {
  return profile.origin === "flag --profile" ? `cal -p ${profile.value}` : "cal";
}

/** A profile without the settings that say which site and who. */
export function preferencesOf(profile: Profile): Profile {
  const siteSettings = new Set<string>(settingDefinitions.filter(({ scope }) => scope === "site").map(({ name }) => name));
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !siteSettings.has(name)));
}

/** The name itself. Throws a usage CalError where it can't name a profile. */
export function validateProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(`"${name}" can't name a profile: letters, digits, ".", "_" and "-", at most 64, a letter or digit first`);
}

/** The data with a profile added or replaced. The first profile of all becomes the current one. */
export function withProfile(data: ConfigData, name: string, profile: Profile): ConfigData {
  validateProfileName(name);
  const first = Object.keys(data.profiles).length === 0;
  return { ...data, ...(first ? { current: name } : {}), profiles: { ...data.profiles, [name]: profile } };
}

/** The data without a profile. Where it was the current one, none is current. */
export function withoutProfile(data: ConfigData, name: string): ConfigData {
  const { [name]: _removed, ...profiles } = data.profiles;
  const { current, ...rest } = data;
  return { ...rest, ...(current === undefined || current === name ? {} : { current }), profiles };
}

/** A profile from the flags of `cal profile add` or `cal init`: the settings that say which site and who. Throws a usage CalError with all problems at once. */
export function parseProfileFlags(flags: Readonly<Record<string, unknown>>): Profile {
  const profile: Record<string, SettingScalar> = {};
  const problems: string[] = [];
  for (const key of settingDefinitions) {
    const raw = flags[getSettingFlag(key)];
    if (key.scope !== "site" || raw === undefined) continue;
    const result = parseSettingValue(key, raw);
    if ("value" in result) profile[key.name] = formatSettingValue(key, result.value);
    else problems.push(`--${getSettingFlag(key)}: ${result.problem}`);
  }
  if (problems.length > 0) throw usageError(problems);
  if (flags["sandbox"] === true) {
    throw usageError("--sandbox is for one call: it needs no profile, and none can hold it", [
      { command: "cal --sandbox events list" },
      { text: "for a sandbox that a profile can name", command: "cal sandbox serve" },
    ]);
  }
  return profile;
}
