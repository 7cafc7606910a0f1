// cal config set <key> <value>: puts a setting into the profile that is meant.
import { getSelectedProfile, resolveProfileName, withProfile } from "../../config/profiles.ts";
import { formatSettingValue, parseSettingValue } from "../../config/values.ts";
import { usageError } from "../../errors.ts";
import { keyColumn, profileColumn, valueColumn } from "./columns.ts";
import { type ConfigHandler, updateConfig } from "./config-context.ts";
import { requireStorableKey } from "./key.ts";

/** Checks and stores a value, and answers with what was stored. */
export const set: ConfigHandler = async ({ args: [name = "", text = ""] }, context) => {
  const key = requireStorableKey(name);
  const reading = parseSettingValue(key, text);
  if ("problem" in reading) throw usageError(`${key.name}: ${reading.problem}`);
  const value = formatSettingValue(key, reading.value);
  let profile = "";
  await updateConfig(context, (data) => {
    const chosen = resolveProfileName(context, data);
    profile = chosen.value;
    return withProfile(data, profile, { ...getSelectedProfile(data, chosen), [key.name]: value });
  });
  const columns = [profileColumn, keyColumn, valueColumn];
  return { kind: "record", columns, fieldNames: ["profile", "key", "value"], record: { profile, key: key.name, value } };
};
