// The config file: read as plain JSON, written through conf under a lock of our own.

import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { formatSuggestion } from "../closest.ts";
import { isRecord } from "../data-record.ts";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import type { LockOptions } from "../lock.ts";
import { shellQuote } from "../text.ts";
import { formatSettingValue, getSettingFlag, parseSettingValue, type Setting, type SettingScalar, settingDefinitions } from "./settings.ts";

/** The stored profiles. Secrets are never in it. */
export interface ConfigFile {
  readonly path: string;
  /** What it holds now; the same as an empty one where there is no file. Rejects with a `local` CalError where it can't be used. */
  read(): Promise<ConfigData>;
  /** Replaces what it holds by the answer of `change`, which is called with the newest data and may throw: then nothing is written. */
  update(change: (data: ConfigData) => ConfigData): Promise<void>;
}

/** The config file of a folder, which need not exist yet. */
export function openConfigFile(folder: string, waiting: LockOptions): ConfigFile {
  const path = join(folder, "config.json");
  const read = async () => {
    const text = readConfigText(path);
    return text === undefined ? emptyConfig : parseConfig(text, path);
  };
  const update = async (change: (data: ConfigData) => ConfigData) => {
    const [{ replaceJson }, { withLock }] = await Promise.all([import("./conf-store.ts"), import("../lock.ts")]);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withLock(`${path}.lock`, waiting, async () => replaceJson(folder, { ...change(await read()) }));
    } catch (error) {
      throw error instanceof CalError ? error : createConfigFileError("write", path, error);
    }
  };
  return { path, read, update };
}

/** Read at once: every command waits for it, and Node takes 2 ms to load its promises of files. */
function readConfigText(path: string): string | undefined {
  try {
    // A FIFO in its place would be waited for, and no signal could end that.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw createConfigFileError("read", path, error);
  }
}

function createConfigFileError(doing: "read" | "write", path: string, cause: unknown): CalError {
  return new CalError("local", `cannot ${doing} the config file ${path}: ${messageOf(cause)}`, {
    hint: "check its owner and mode, or use another folder: CAL_CONFIG_DIR=<folder>",
    cause,
  });
}

// What the config file holds, and the check of what was read from it.

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
const emptyConfig: ConfigData = { version: 1, profiles: {} };

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

// Which profile is meant, and what may be done with profiles: pure functions over the data of the config file.

/** What can name a profile. */
export interface ProfileSources {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The name of the profile that is meant, whether it exists or not: `--profile`, `CAL_PROFILE`, the current one, `default`. */
export function resolveProfileName({ globals, env }: ProfileSources, data: ConfigData): Setting<string> {
  const typed = globals["profile"];
  if (typeof typed === "string") return { value: typed, origin: "flag --profile" };
  if (env["CAL_PROFILE"]) return { value: env["CAL_PROFILE"], origin: "environment CAL_PROFILE" };
  if (data.current !== undefined) return { value: data.current, origin: "config file" };
  return { value: "default", origin: "default" };
}

/** What a profile stores; undefined where there is none of that name. */
export function findProfile(data: ConfigData, name: string): Profile | undefined {
  return Object.hasOwn(data.profiles, name) ? data.profiles[name] : undefined;
}

/** What the chosen profile stores. Throws a usage CalError where it was asked for by name and is missing; nothing chosen is empty. */
export function getSelectedProfile(data: ConfigData, chosen: Setting<string>): Profile {
  const profile = findProfile(data, chosen.value);
  if (profile !== undefined) return profile;
  if (chosen.origin === "default") return {};
  throw usageError(
    `${chosen.origin}: there is no profile "${chosen.value}"${suggestProfileNames(data, chosen.value)}`,
    chosen.origin === "config file"
      ? { text: "choose one", command: "cal profile use <name>" }
      : { text: "add it", command: `cal profile add ${chosen.value} --base-url <url>` },
  );
}

/** What a profile given as an argument stores. Throws a not-found CalError where there is none. */
export function getProfile(data: ConfigData, name: string): Profile {
  const profile = findProfile(data, name);
  if (profile !== undefined) return profile;
  throw new CalError("not-found", `there is no profile "${name}"${suggestProfileNames(data, name)}`, {
    hint: { command: "cal profile list" },
  });
}

/** The word that an advice begins with, so that it means the same profile as the command that gives it. */
export function formatCalCommand({ profile }: { readonly profile: Setting<string> }): string {
  return profile.origin === "flag --profile" ? `cal -p ${profile.value}` : "cal";
}

/** What a profile stores of how commands run, without which site and who. */
export function preferencesOf(profile: Profile): Profile {
  const site = new Set<string>(settingDefinitions.filter((key) => key.scope === "site").map((key) => key.name));
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !site.has(name)));
}

/** The name itself. Throws a usage CalError where it can't name a profile. */
export function validateProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(`"${name}" can't name a profile: letters, digits, ".", "_" and "-", at most 64, a letter or digit first`);
}

/** The data with a profile put in place; the first profile of all becomes the current one. */
export function withProfile(data: ConfigData, name: string, profile: Profile): ConfigData {
  validateProfileName(name);
  const first = Object.keys(data.profiles).length === 0;
  return { ...data, ...(first ? { current: name } : {}), profiles: { ...data.profiles, [name]: profile } };
}

/** The data without a profile; where it was the current one, none is current. */
export function withoutProfile(data: ConfigData, name: string): ConfigData {
  const { [name]: _removed, ...profiles } = data.profiles;
  const { current, ...rest } = data;
  return { ...rest, ...(current === undefined || current === name ? {} : { current }), profiles };
}

function suggestProfileNames(data: ConfigData, name: string): string {
  const names = Object.keys(data.profiles);
  if (names.length === 0) return "; there are none yet";
  return formatSuggestion(name, names) || `; there are ${names.sort().join(", ")}`;
}

// What the flags of `cal profile add` and `cal init` give to a profile.

/** The settings that say which site and who, out of typed flags by their names. Throws a usage CalError with all problems at once. */
export function parseProfileFlags(flags: Readonly<Record<string, unknown>>): Profile {
  const profile: Record<string, SettingScalar> = {};
  const problems: string[] = [];
  for (const key of settingDefinitions) {
    const raw = flags[getSettingFlag(key)];
    if (key.scope !== "site" || raw === undefined) continue;
    const reading = parseSettingValue(key, raw);
    if ("value" in reading) profile[key.name] = formatSettingValue(key, reading.value);
    else problems.push(`--${getSettingFlag(key)}: ${reading.problem}`);
  }
  if (problems.length > 0) throw usageError(problems);
  if (flags["sandbox"] === true) {
    throw usageError(
      "--sandbox is for one call: it needs no profile, and none can hold it",
      "cal --sandbox events list; for a sandbox that a profile can name: cal sandbox serve",
    );
  }
  return profile;
}
