// cal profile show [name]: what a profile stores.
import { getProfile, getSelectedProfile, resolveProfileName } from "../../config/profiles.ts";
import type { ConfigHandler } from "../config/config-context.ts";
import { createProfileReport, toProfileRecord } from "./record.ts";

/** Answers with the profile of that name, or with the current one. */
export const show: ConfigHandler = async ({ args: [name] }, context) => {
  const data = await (await context.configFile()).read();
  const chosen = resolveProfileName(context, data);
  const profile = name === undefined ? getSelectedProfile(data, chosen) : getProfile(data, name);
  return createProfileReport(toProfileRecord(name ?? chosen.value, (name ?? chosen.value) === chosen.value, profile));
};
