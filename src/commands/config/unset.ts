// cal config unset <key>: takes a setting out of the profile that is meant.
import { keyNamed } from "../../config/keys.ts";
import { chosenProfile, existingProfile } from "../../config/profiles.ts";
import { keyColumn, profileColumn } from "./columns.ts";
import { type ConfigHandler, change } from "./config-context.ts";
import { storableSetting } from "./key.ts";

/** Removes a stored value, and answers with what was removed; a value that is not there is no error. What no setting is called can be removed too. */
export const unset: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = "";
  let key = "";
  await change(context, (data) => {
    const chosen = chosenProfile(context, data);
    const stored = existingProfile(data, chosen);
    profile = chosen.value;
    key = keyNamed(name) === undefined && Object.hasOwn(stored, name) ? name : storableSetting(name).name;
    if (!Object.hasOwn(stored, key)) return data;
    const { [key]: _removed, ...rest } = stored;
    return { ...data, profiles: { ...data.profiles, [profile]: rest } };
  });
  return { kind: "record", columns: [profileColumn, keyColumn], known: ["profile", "key"], record: { profile, key } };
};
