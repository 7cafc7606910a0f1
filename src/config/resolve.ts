// From everything that may give a setting to one value each, with where it came from.
import { CalError, usageError } from "../errors.ts";
import { namespaces } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import {
  type ConfigData,
  findProfile,
  formatCalCommand,
  getSelectedProfile,
  type Profile,
  type ProfileSources,
  preferencesOf,
  resolveProfileName,
} from "./config-file.ts";
import {
  findSettingDefinition,
  parseSettingValue,
  type Setting,
  type SettingDefinition,
  type SettingScalar,
  type Settings,
  type SettingTypes,
  settingDefinitions,
} from "./settings.ts";

/**
 * What a running sandbox tells of itself: put over the environment, but under the flags. It is a site of its own, so what the profile
 * says of its site and its user counts for nothing; how commands run (format, timeout and the like) stays.
 */
export interface SettingsOverride {
  /** As `cal config list --show-origin` prints it: `sandbox`. */
  readonly origin: string;
  readonly values: Partial<SettingTypes>;
}

/** Everything that may give a setting. */
export interface SettingSources extends ProfileSources {
  readonly data: ConfigData;
  /** Path of the config file, for messages. */
  readonly path: string;
  /** The zone of this machine, used where nothing else names one; asked when the setting is read, for it takes Node 10 ms to tell. */
  readonly systemZone: string;
  readonly override?: SettingsOverride;
  /** Instead of the usual defaults. */
  readonly defaults?: Partial<SettingTypes>;
  /** Whether the chosen profile may be missing, as for `cal init -p new <url>`. */
  readonly allowMissingProfile?: boolean;
}

/** All of them but the machine's zone, which nobody gave. */
type ExplicitSources = Omit<SettingSources, "systemZone">;

/** Whether the embedded calendar is meant, told before anything else is read. What is neither yes nor no is left for `resolveSettings` to refuse. */
export function isSandboxEnabled(sources: ExplicitSources): boolean {
  const key = findSettingDefinition("sandbox");
  const given = key && findRawSetting(key, sources, {}, "");
  const reading = key && given && parseSettingValue(key, given.raw);
  return reading !== undefined && "value" in reading && reading.value === true;
}

/** What a source gave for a setting, unchecked. */
interface RawSetting {
  readonly raw: unknown;
  readonly origin: string;
  /** The source as messages name it. */
  readonly sourceLabel: string;
  readonly fromProfile?: true;
  /** The variable that gave it. */
  readonly variable?: string;
}

/** What is wrong with what a source gave. */
type SettingError = { readonly message: string } & Pick<RawSetting, "fromProfile" | "variable">;

/**
 * Resolves every setting: flag > override > environment > profile > default. Throws a CalError with all problems at once:
 * `usage` for flags and variables, else `local` for what the profile stores. A broken value that is overridden is no problem.
 */
export function resolveSettings(sources: SettingSources): Settings {
  const chosen = resolveProfileName(sources, sources.data);
  const stored =
    sources.allowMissingProfile === true ? (findProfile(sources.data, chosen.value) ?? {}) : getSelectedProfile(sources.data, chosen);
  const profile = sources.override === undefined ? stored : preferencesOf(stored);
  const found: Record<string, Setting<SettingScalar>> = {};
  const problems: SettingError[] = findConflicts(sources);
  for (const key of settingDefinitions) {
    const given = findRawSetting(key, sources, profile, chosen.value);
    if (given === undefined) continue;
    const reading = parseSettingValue(key, given.raw);
    if ("value" in reading) found[key.name] = { value: reading.value, origin: given.origin };
    else problems.push({ ...given, message: `${given.sourceLabel}: ${reading.problem}` });
  }
  throwSettingErrors(problems, chosen.value);
  return { ...deriveSettings(found, sources), ...getProfileUrls(stored), profile: chosen } as Settings;
}

function findRawSetting(key: SettingDefinition, sources: ExplicitSources, profile: Profile, name: string): RawSetting | undefined {
  const { globals, env, override, path, defaults } = sources;
  if (key.shorthand !== undefined && globals[key.shorthand.flag] === true) {
    return { raw: key.shorthand.value, origin: `flag --${key.shorthand.flag}`, sourceLabel: `--${key.shorthand.flag}` };
  }
  const typed = key.flag === undefined ? undefined : globals[key.flag];
  if (typed !== undefined) return { raw: typed, origin: `flag --${key.flag}`, sourceLabel: `--${key.flag}` };
  const overriding = override?.values[key.name];
  if (override !== undefined && overriding !== undefined) return { raw: overriding, origin: override.origin, sourceLabel: override.origin };
  if (key.env !== undefined && env[key.env])
    return { raw: env[key.env], origin: `environment ${key.env}`, sourceLabel: key.env, variable: key.env };
  if (key.presenceVariable !== undefined && env[key.presenceVariable] && !/^(0|false|no)$/i.test(env[key.presenceVariable] ?? "")) {
    return { raw: true, origin: `environment ${key.presenceVariable}`, sourceLabel: key.presenceVariable };
  }
  if (key.scope !== "never" && Object.hasOwn(profile, key.name)) {
    return { raw: profile[key.name], origin: `profile ${name}`, sourceLabel: `${path}: profile ${name}: ${key.name}`, fromProfile: true };
  }
  const fallback = defaults?.[key.name] ?? key.default;
  return fallback === undefined ? undefined : { raw: fallback, origin: "default", sourceLabel: key.name };
}

function findConflicts({ globals }: SettingSources): SettingError[] {
  return settingDefinitions.flatMap(({ flag, shorthand }) => {
    const typed = flag === undefined ? undefined : globals[flag];
    if (shorthand === undefined || typed === undefined || globals[shorthand.flag] !== true || typed === shorthand.value) return [];
    return [{ message: `--${shorthand.flag} and --${flag} ${String(typed)} contradict each other` }];
  });
}

function throwSettingErrors(problems: readonly SettingError[], profile: string): void {
  const typed = problems.filter(({ fromProfile }) => fromProfile !== true);
  if (typed.length > 0)
    throw usageError(
      typed.map(({ message }) => message),
      formatUnsetHint(typed),
    );
  if (problems.length === 0) return;
  throw new CalError("local", problems.map(({ message }) => message).join("\n"), {
    hint: `cal -p ${profile} config set <key> <value>, or cal -p ${profile} config unset <key>`,
  });
}

/** What mends it where only variables are wrong. */
function formatUnsetHint(problems: readonly SettingError[]): string | undefined {
  const variables = problems.flatMap(({ variable }) => variable ?? []);
  return variables.length < problems.length ? undefined : `unset ${variables.join(" ")}, or: cal help environment`;
}

/** Settings that follow from others where nobody gave them: the kind of server from the namespace, the zone from the site or the machine. */
function deriveSettings(
  found: Readonly<Record<string, Setting<SettingScalar>>>,
  sources: SettingSources,
): Record<string, Setting<SettingScalar>> {
  const known: ServerProfileName = found["namespace"]?.value === namespaces.theEventsCalendar ? "the-events-calendar" : "generic";
  const site = found["site_tz"];
  return {
    server: { value: known, origin: "namespace" },
    tz: site === undefined ? createSystemZoneSetting(sources) : { value: site.value, origin: `site_tz of ${site.origin}` },
    ...found,
  };
}

function createSystemZoneSetting(sources: SettingSources): Setting<SettingScalar> {
  return {
    get value() {
      return sources.systemZone;
    },
    origin: "system",
  };
}

function getProfileUrls(profile: Profile): Record<string, string> {
  const own: Record<string, string> = {};
  for (const key of settingDefinitions) {
    if (key.name !== "base_url" && key.name !== "auth_url") continue;
    const reading = parseSettingValue(key, profile[key.name]);
    if ("value" in reading) own[`profile_${key.name}`] = String(reading.value);
  }
  return own;
}

// Where an address came from, in the words of a hint.

/** What follows on "check the address": who gave it, and for a profile the command that mends it. An address of no setting was typed as an argument. */
export function addressSource(url: string, settings: Settings): string {
  const { origin } = new URL(url);
  const name = (["base_url", "auth_url"] as const).find((key) => {
    const address = settings[key]?.value;
    return address !== undefined && new URL(address).origin === origin;
  });
  const source = name === undefined ? undefined : settings[name]?.origin;
  if (name === undefined || source === undefined) return " you typed";
  const given = /^(?:flag|environment) (.*)$/.exec(source)?.[1];
  if (given !== undefined) return ` in ${given}`;
  return source.startsWith("profile ") ? `: ${formatCalCommand(settings)} config set ${name} <url>` : "";
}
