// cal profile show [name]: what a profile stores.
import { chosenProfile, existingProfile, requiredProfile } from "../../config/profiles.ts";
import type { ConfigHandler } from "../config/config-context.ts";
import { profileRecord, profileReport } from "./record.ts";

/** Answers with the profile of that name, or with the current one. */
export const show: ConfigHandler = async ({ args: [name] }, context) => {
  const data = await (await context.configFile()).read();
  const chosen = chosenProfile(context, data);
  const profile = name === undefined ? existingProfile(data, chosen) : requiredProfile(data, name);
  return profileReport(profileRecord(name ?? chosen.value, (name ?? chosen.value) === chosen.value, profile));
};
