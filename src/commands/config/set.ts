// cal config set <key> <value>: puts a setting into the profile that is meant.
import { chosenProfile, existingProfile, withProfile } from "../../config/profiles.ts";
import { readable, readValue } from "../../config/values.ts";
import { usage } from "../../errors.ts";
import { keyColumn, profileColumn, valueColumn } from "./columns.ts";
import { type ConfigHandler, change } from "./config-context.ts";
import { storableSetting } from "./key.ts";

/** Checks and stores a value, and answers with what was stored. */
export const set: ConfigHandler = async ({ args: [name = "", text = ""] }, context) => {
  const key = storableSetting(name);
  const reading = readValue(key, text);
  if ("problem" in reading) throw usage(`${key.name}: ${reading.problem}`);
  const value = readable(key, reading.value);
  let profile = "";
  await change(context, (data) => {
    const chosen = chosenProfile(context, data);
    profile = chosen.value;
    return withProfile(data, profile, { ...existingProfile(data, chosen), [key.name]: value });
  });
  const columns = [profileColumn, keyColumn, valueColumn];
  return { kind: "record", columns, known: ["profile", "key", "value"], record: { profile, key: key.name, value } };
};
