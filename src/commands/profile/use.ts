// cal profile use <name>: makes a profile the current one.
import { requiredProfile } from "../../config/profiles.ts";
import { type ConfigHandler, change } from "../config/config-context.ts";
import { profileRecord, profileReport } from "./record.ts";

/** Stores which profile is current, and answers with it. */
export const use: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = {};
  await change(context, (data) => {
    profile = requiredProfile(data, name);
    return { ...data, current: name };
  });
  const { CAL_PROFILE: other } = context.env;
  if (other && other !== name) await context.warn(`CAL_PROFILE is set, so "${other}" is still used`);
  return profileReport(profileRecord(name, true, profile));
};
