// Which profile is meant, and what may be done with profiles: pure functions over the data of the config file.

import { formatSuggestion } from "../closest.ts";
import { CalError, usageError } from "../errors.ts";
import type { ConfigData, Profile } from "./data.ts";
import { settingDefinitions } from "./keys.ts";
import type { Setting } from "./settings.ts";

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
    chosen.origin === "config file" ? "choose one: cal profile use <name>" : `add it: cal profile add ${chosen.value} --base-url <url>`,
  );
}

/** What a profile given as an argument stores. Throws a not-found CalError where there is none. */
export function getProfile(data: ConfigData, name: string): Profile {
  const profile = findProfile(data, name);
  if (profile !== undefined) return profile;
  throw new CalError("not-found", `there is no profile "${name}"${suggestProfileNames(data, name)}`, { hint: "cal profile list" });
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
