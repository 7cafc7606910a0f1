// cal profile use <name>: makes a profile the current one.
import { getProfile } from "../../config/profiles.ts";
import { type ConfigHandler, updateConfig } from "../config/config-context.ts";
import { createProfileReport, toProfileRecord } from "./record.ts";

/** Stores which profile is current, and answers with it. */
export const use: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = {};
  await updateConfig(context, (data) => {
    profile = getProfile(data, name);
    return { ...data, current: name };
  });
  const { CAL_PROFILE: other } = context.env;
  if (other && other !== name) await context.warn(`CAL_PROFILE is set, so "${other}" is still used`);
  return createProfileReport(toProfileRecord(name, true, profile));
};
