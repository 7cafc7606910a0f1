// What the flags of `cal profile add` and `cal init` give to a profile.
import { usageError } from "../errors.ts";
import type { Profile } from "./data.ts";
import { getSettingFlag, type SettingScalar, settingDefinitions } from "./keys.ts";
import { formatSettingValue, parseSettingValue } from "./values.ts";

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
