// Gives every setting one value with its origin. Precedence: flag, sandbox, environment, profile, default.
import { CalError, usageError } from "../errors.ts";
import { namespaces } from "../model/resources.ts";
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

/** The settings of a running sandbox. It is a site of its own: of the profile, only the preferences (format, timeout and the like) apply to it. */
export interface SettingsOverride {
  /** As `cal config list --show-origin` prints it: `sandbox`. */
  readonly origin: string;
  readonly values: Partial<SettingTypes>;
}

export interface SettingSources extends ProfileSources {
  readonly data: ConfigData;
  /** Path of the config file, for messages. */
  readonly path: string;
  /** The zone of this machine. A getter that runs only when the value is read, because Node needs 10 ms to find the zone. */
  readonly systemZone: string;
  readonly override?: SettingsOverride;
  /** Defaults of the command, which replace those of the table. */
  readonly defaults?: Partial<SettingTypes>;
  /** Whether the selected profile may be missing, as for `cal init -p new <url>`. */
  readonly allowMissingProfile?: boolean;
}

/** Whether the sandbox is selected; asked before anything else is read. An invalid value counts as no here: `resolveSettings` refuses it. */
export function isSandboxEnabled(sources: Omit<SettingSources, "systemZone">): boolean {
  const key = findSettingDefinition("sandbox");
  const found = key && findRawSetting(key, sources, {}, "");
  const result = key && found && parseSettingValue(key, found.raw);
  return result !== undefined && "value" in result && result.value === true;
}

/** A problem with the value from one source. */
interface SettingError {
  readonly message: string;
  readonly fromProfile?: true;
  /** The variable that gave the value. */
  readonly variable?: string;
}

/**
 * Resolves every setting. Throws a CalError with all problems at once: `usage` for flags and variables, else `local` for the profile.
 * An invalid value that is overridden is no problem.
 */
export function resolveSettings(sources: SettingSources): Settings {
  const { data, globals } = sources;
  const selected = resolveProfileName(sources, data);
  const stored = sources.allowMissingProfile === true ? (findProfile(data, selected.value) ?? {}) : getSelectedProfile(data, selected);
  const profile = sources.override === undefined ? stored : preferencesOf(stored);
  const found: Record<string, Setting<SettingScalar>> = {};
  const profileUrls: Record<string, string> = {};
  const problems: SettingError[] = [];
  for (const { flag, shorthand } of settingDefinitions) {
    const typed = flag === undefined ? undefined : globals[flag];
    if (shorthand !== undefined && typed !== undefined && globals[shorthand.flag] === true && typed !== shorthand.value)
      problems.push({ message: `--${shorthand.flag} and --${flag} ${String(typed)} contradict each other` });
  }
  for (const key of settingDefinitions) {
    const source = findRawSetting(key, sources, profile, selected.value);
    if (source !== undefined) {
      const isExport = source.isFlag === true && key.flagChoices?.includes(String(source.raw)) === true;
      const result = isExport ? { value: String(source.raw) } : parseSettingValue(key, source.raw);
      if ("value" in result) found[key.name] = { value: result.value, origin: source.origin };
      else problems.push({ ...source, message: `${source.label}: ${result.problem}` });
    }
    if (key.name === "base_url" || key.name === "auth_url") {
      const result = parseSettingValue(key, stored[key.name]);
      if ("value" in result) profileUrls[`profile_${key.name}`] = String(result.value);
    }
  }
  throwSettingErrors(problems, selected.value);
  const siteZone = found["site_tz"];
  return {
    server: { value: found["namespace"]?.value === namespaces.theEventsCalendar ? "the-events-calendar" : "generic", origin: "namespace" },
    tz:
      siteZone === undefined
        ? {
            get value() {
              return sources.systemZone;
            },
            origin: "system",
          }
        : { value: siteZone.value, origin: `site_tz of ${siteZone.origin}` },
    ...found,
    ...profileUrls,
    profile: selected,
  } as Settings;
}

/**
 * The settings of another profile than the one that the command works with. Flags and variables that say which site and who are about the first
 * one; only `read_only` counts for both.
 */
export function resolveOtherProfile(sources: Omit<SettingSources, "override" | "allowMissingProfile">, profile: string): Settings {
  const ownSettings = settingDefinitions.filter(({ name, scope }) => name === "sandbox" || (scope === "site" && name !== "read_only"));
  const omit = <T>(values: Readonly<Record<string, T>>, names: readonly (string | undefined)[]) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  const { globals, env, ...rest } = sources;
  return resolveSettings({
    ...rest,
    get systemZone() {
      return sources.systemZone;
    },
    globals: {
      ...omit(
        globals,
        ownSettings.map(({ flag }) => flag),
      ),
      profile,
    },
    env: omit(
      env,
      ownSettings.map((definition) => definition.env),
    ),
  });
}

interface RawSetting extends Omit<SettingError, "message"> {
  /** The value before it is checked. */
  readonly raw: unknown;
  readonly origin: string;
  /** The source as messages name it. */
  readonly label: string;
  readonly isFlag?: true;
}

function findRawSetting(
  key: SettingDefinition,
  { globals, env, override, path, defaults }: Omit<SettingSources, "systemZone">,
  profile: Profile,
  profileName: string,
): RawSetting | undefined {
  const { name, flag, shorthand, env: variable, presenceVariable } = key;
  if (shorthand !== undefined && globals[shorthand.flag] === true)
    return { raw: shorthand.value, origin: `flag --${shorthand.flag}`, label: `--${shorthand.flag}` };
  if (flag !== undefined && globals[flag] !== undefined)
    return { raw: globals[flag], origin: `flag --${flag}`, label: `--${flag}`, isFlag: true };
  if (override?.values[name] !== undefined) return { raw: override.values[name], origin: override.origin, label: override.origin };
  if (variable !== undefined && env[variable]) return { raw: env[variable], origin: `environment ${variable}`, label: variable, variable };
  if (presenceVariable !== undefined && env[presenceVariable] && !/^(0|false|no)$/i.test(env[presenceVariable]))
    return { raw: true, origin: `environment ${presenceVariable}`, label: presenceVariable };
  if (key.scope !== "never" && Object.hasOwn(profile, name))
    return { raw: profile[name], origin: `profile ${profileName}`, label: `${path}: profile ${profileName}: ${name}`, fromProfile: true };
  const fallback = defaults?.[name] ?? key.default;
  return fallback === undefined ? undefined : { raw: fallback, origin: "default", label: name };
}

function throwSettingErrors(problems: readonly SettingError[], profile: string): void {
  const fromUser = problems.filter(({ fromProfile }) => fromProfile !== true);
  if (fromUser.length > 0) {
    const variables = fromUser.flatMap(({ variable }) => variable ?? []);
    throw usageError(
      fromUser.map(({ message }) => message),
      variables.length < fromUser.length
        ? undefined
        : [{ command: `unset ${variables.join(" ")}` }, { text: "or", command: "cal help environment" }],
    );
  }
  if (problems.length === 0) return;
  throw new CalError("local", problems.map(({ message }) => message).join("\n"), {
    hint: [{ command: `cal -p ${profile} config set <key> <value>` }, { text: "or", command: `cal -p ${profile} config unset <key>` }],
  });
}

/**
 * The end of a hint "check the address": which source gave the address, and for a profile the command that changes it.
 * An address that is in no setting was typed as an argument.
 */
export function addressSource(url: string, settings: Settings): string | { readonly command: string } {
  const { origin } = new URL(url);
  const name = (["base_url", "auth_url"] as const).find((key) => {
    const address = settings[key]?.value;
    return address !== undefined && new URL(address).origin === origin;
  });
  const source = name && settings[name]?.origin;
  if (source === undefined) return " you typed";
  const explicit = /^(?:flag|environment) (.*)$/.exec(source)?.[1];
  if (explicit !== undefined) return ` in ${explicit}`;
  return source.startsWith("profile ") ? { command: `${formatCalCommand(settings)} config set ${name} <url>` } : "";
}
