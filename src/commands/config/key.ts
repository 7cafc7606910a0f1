// The key that a user typed -> its row of the settings, or a refusal that helps.

import { formatSuggestion } from "../../closest.ts";
import { findSettingDefinition, type SettingDefinition, settingDefinitions } from "../../config/keys.ts";
import { usageError } from "../../errors.ts";

const secretSettingNames: ReadonlySet<string> = new Set([
  "password",
  "token",
  "access_token",
  "refresh_token",
  "client_secret",
  "secret",
  "api_key",
]);

/** The setting of that name. Throws a usage CalError for a secret and for an unknown name. */
export function requireSettingKey(name: string): SettingDefinition {
  const key = findSettingDefinition(name);
  if (key !== undefined) return key;
  if (secretSettingNames.has(name.toLowerCase().replaceAll("-", "_"))) {
    throw usageError(`"${name}" is a secret, and secrets are never in the config file`, "cal auth login asks for it and keeps it safe");
  }
  const names = settingDefinitions.map((row) => row.name);
  throw usageError(`there is no setting "${name}"${formatSuggestion(name, names) || `; there are ${names.join(", ")}`}`);
}

/** The setting of that name that a profile can hold. Throws a usage CalError where it is for one call only. */
export function requireStorableKey(name: string): SettingDefinition {
  const key = requireSettingKey(name);
  if (key.scope !== "never") return key;
  const ways = [key.flag === undefined ? [] : [`--${key.flag}`], key.env === undefined ? [] : [`${key.env}=1`]].flat();
  throw usageError(`"${key.name}" is not stored; it is given with each call: ${ways.join(" or ")}`);
}
