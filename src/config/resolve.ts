// From everything that may give a setting to one value each, with where it came from.
import { CalError, usage } from "../errors.ts";
import { namespaces } from "../spec/index.ts";
import type { ServerName } from "../spec/server-kinds.ts";
import type { ConfigData, Profile } from "./data.ts";
import { type Key, keyNamed, keys, type Value } from "./keys.ts";
import { chosenProfile, existingProfile, habitsOf, type ProfileSources, profileNamed } from "./profiles.ts";
import type { Setting, Settings, SettingTypes } from "./settings.ts";
import { readValue } from "./values.ts";

/**
 * What a running sandbox tells of itself: put over the environment, but under the flags. It is a site of its own, so what the profile
 * says of its site and its user counts for nothing; how commands run (format, timeout and the like) stays.
 */
export interface Override {
  /** As `cal config list --show-origin` prints it: `sandbox`. */
  readonly origin: string;
  readonly values: Partial<SettingTypes>;
}

/** Everything that may give a setting. */
export interface Sources extends ProfileSources {
  readonly data: ConfigData;
  /** Path of the config file, for messages. */
  readonly path: string;
  /** The zone of this machine, used where nothing else names one; asked when the setting is read, for it takes Node 10 ms to tell. */
  readonly systemZone: string;
  readonly override?: Override;
  /** Instead of the usual defaults. */
  readonly defaults?: Partial<SettingTypes>;
  /** Whether the chosen profile may be missing, as for `cal init -p new <url>`. */
  readonly mayBeNew?: boolean;
}

/** All of them but the machine's zone, which nobody gave. */
type GivenSources = Omit<Sources, "systemZone">;

/** Whether the embedded calendar is meant, told before anything else is read. What is neither yes nor no is left for `resolveSettings` to refuse. */
export function wantsSandbox(sources: GivenSources): boolean {
  const key = keyNamed("sandbox");
  const given = key && givenFor(key, sources, {}, "");
  const reading = key && given && readValue(key, given.raw);
  return reading !== undefined && "value" in reading && reading.value === true;
}

/** What a source gave for a setting, unchecked. */
interface Given {
  readonly raw: unknown;
  readonly origin: string;
  /** The source as messages name it. */
  readonly place: string;
  readonly stored?: true;
  /** The variable that gave it. */
  readonly variable?: string;
}

/** What is wrong with what a source gave. */
type Problem = { readonly text: string } & Pick<Given, "stored" | "variable">;

/**
 * Resolves every setting: flag > override > environment > profile > default. Throws a CalError with all problems at once:
 * `usage` for flags and variables, else `local` for what the profile stores. A broken value that is overridden is no problem.
 */
export function resolveSettings(sources: Sources): Settings {
  const chosen = chosenProfile(sources, sources.data);
  const stored = sources.mayBeNew === true ? (profileNamed(sources.data, chosen.value) ?? {}) : existingProfile(sources.data, chosen);
  const profile = sources.override === undefined ? stored : habitsOf(stored);
  const found: Record<string, Setting<Value>> = {};
  const problems: Problem[] = contradictions(sources);
  for (const key of keys) {
    const given = givenFor(key, sources, profile, chosen.value);
    if (given === undefined) continue;
    const reading = readValue(key, given.raw);
    if ("value" in reading) found[key.name] = { value: reading.value, origin: given.origin };
    else problems.push({ ...given, text: `${given.place}: ${reading.problem}` });
  }
  refuse(problems, chosen.value);
  return { ...derived(found, sources), ...ownAddresses(stored), profile: chosen } as Settings;
}

function givenFor(key: Key, sources: GivenSources, profile: Profile, name: string): Given | undefined {
  const { globals, env, override, path, defaults } = sources;
  if (key.shorthand !== undefined && globals[key.shorthand.flag] === true) {
    return { raw: key.shorthand.value, origin: `flag --${key.shorthand.flag}`, place: `--${key.shorthand.flag}` };
  }
  const typed = key.flag === undefined ? undefined : globals[key.flag];
  if (typed !== undefined) return { raw: typed, origin: `flag --${key.flag}`, place: `--${key.flag}` };
  const overriding = override?.values[key.name];
  if (override !== undefined && overriding !== undefined) return { raw: overriding, origin: override.origin, place: override.origin };
  if (key.env !== undefined && env[key.env])
    return { raw: env[key.env], origin: `environment ${key.env}`, place: key.env, variable: key.env };
  if (key.presence !== undefined && env[key.presence] && !/^(0|false|no)$/i.test(env[key.presence] ?? "")) {
    return { raw: true, origin: `environment ${key.presence}`, place: key.presence };
  }
  if (key.stored !== "never" && Object.hasOwn(profile, key.name)) {
    return { raw: profile[key.name], origin: `profile ${name}`, place: `${path}: profile ${name}: ${key.name}`, stored: true };
  }
  const fallback = defaults?.[key.name] ?? key.default;
  return fallback === undefined ? undefined : { raw: fallback, origin: "default", place: key.name };
}

function contradictions({ globals }: Sources): Problem[] {
  return keys.flatMap(({ flag, shorthand }) => {
    const typed = flag === undefined ? undefined : globals[flag];
    if (shorthand === undefined || typed === undefined || globals[shorthand.flag] !== true || typed === shorthand.value) return [];
    return [{ text: `--${shorthand.flag} and --${flag} ${String(typed)} contradict each other` }];
  });
}

function refuse(problems: readonly Problem[], profile: string): void {
  const typed = problems.filter(({ stored }) => stored !== true);
  if (typed.length > 0)
    throw usage(
      typed.map(({ text }) => text),
      unsetting(typed),
    );
  if (problems.length === 0) return;
  throw new CalError("local", problems.map(({ text }) => text).join("\n"), {
    hint: `cal -p ${profile} config set <key> <value>, or cal -p ${profile} config unset <key>`,
  });
}

/** What mends it where only variables are wrong. */
function unsetting(problems: readonly Problem[]): string | undefined {
  const variables = problems.flatMap(({ variable }) => variable ?? []);
  return variables.length < problems.length ? undefined : `unset ${variables.join(" ")}, or: cal help environment`;
}

/** Settings that follow from others where nobody gave them: the kind of server from the namespace, the zone from the site or the machine. */
function derived(found: Readonly<Record<string, Setting<Value>>>, sources: Sources): Record<string, Setting<Value>> {
  const known: ServerName = found["namespace"]?.value === namespaces.theEventsCalendar ? "the-events-calendar" : "generic";
  const site = found["site_tz"];
  return {
    server: { value: known, origin: "namespace" },
    tz: site === undefined ? machineZone(sources) : { value: site.value, origin: `site_tz of ${site.origin}` },
    ...found,
  };
}

function machineZone(sources: Sources): Setting<Value> {
  return {
    get value() {
      return sources.systemZone;
    },
    origin: "system",
  };
}

function ownAddresses(profile: Profile): Record<string, string> {
  const own: Record<string, string> = {};
  for (const key of keys) {
    if (key.name !== "base_url" && key.name !== "auth_url") continue;
    const reading = readValue(key, profile[key.name]);
    if ("value" in reading) own[`profile_${key.name}`] = String(reading.value);
  }
  return own;
}
