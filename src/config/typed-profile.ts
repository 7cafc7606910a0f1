// What the flags of `cal profile add` and `cal init` give to a profile.
import { usage } from "../errors.ts";
import type { Profile } from "./data.ts";
import { flagName, keys, type Value } from "./keys.ts";
import { readable, readValue } from "./values.ts";

/** The settings that say which site and who, out of typed flags by their names. Throws a usage CalError with all problems at once. */
export function typedProfile(flags: Readonly<Record<string, unknown>>): Profile {
  const profile: Record<string, Value> = {};
  const problems: string[] = [];
  for (const key of keys) {
    const raw = flags[flagName(key)];
    if (key.stored !== "site" || raw === undefined) continue;
    const reading = readValue(key, raw);
    if ("value" in reading) profile[key.name] = readable(key, reading.value);
    else problems.push(`--${flagName(key)}: ${reading.problem}`);
  }
  if (problems.length > 0) throw usage(problems);
  if (flags["sandbox"] === true) {
    throw usage(
      "--sandbox is for one call: it needs no profile, and none can hold it",
      "cal --sandbox events list; for a sandbox that a profile can name: cal sandbox serve",
    );
  }
  return profile;
}
