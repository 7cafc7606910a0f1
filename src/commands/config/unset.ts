// cal config unset <key>: takes a setting out of the profile that is meant.
import { findSettingDefinition } from "../../config/keys.ts";
import { getSelectedProfile, resolveProfileName } from "../../config/profiles.ts";
import { keyColumn, profileColumn } from "./columns.ts";
import { type ConfigHandler, updateConfig } from "./config-context.ts";
import { requireStorableKey } from "./key.ts";

/** Removes a stored value, and answers with what was removed; a value that is not there is no error. What no setting is called can be removed too. */
export const unset: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = "";
  let key = "";
  await updateConfig(context, (data) => {
    const chosen = resolveProfileName(context, data);
    const stored = getSelectedProfile(data, chosen);
    profile = chosen.value;
    key = findSettingDefinition(name) === undefined && Object.hasOwn(stored, name) ? name : requireStorableKey(name).name;
    if (!Object.hasOwn(stored, key)) return data;
    const { [key]: _removed, ...rest } = stored;
    return { ...data, profiles: { ...data.profiles, [profile]: rest } };
  });
  return { kind: "record", columns: [profileColumn, keyColumn], fieldNames: ["profile", "key"], record: { profile, key } };
};
