// cal profile add <name>: a new profile from flags alone.
import { findProfile, withProfile } from "../../config/profiles.ts";
import { parseProfileFlags } from "../../config/typed-profile.ts";
import { usageError } from "../../errors.ts";
import { type ConfigHandler, updateConfig } from "../config/config-context.ts";
import { createProfileReport, toProfileRecord } from "./record.ts";

/** Stores a profile, and answers with it. The first one becomes the current one; --use makes a later one so. */
export const add: ConfigHandler = async ({ args: [name = ""], flags }, context) => {
  const profile = parseProfileFlags({ ...context.globals, ...flags });
  let current = false;
  await updateConfig(context, (data) => {
    if (findProfile(data, name) !== undefined) {
      throw usageError(`there is a profile "${name}" already`, `change it: cal -p ${name} config set <key> <value>`);
    }
    const added = withProfile(data, name, profile);
    const next = flags["use"] === true ? { ...added, current: name } : added;
    current = next.current === name;
    return next;
  });
  return createProfileReport(toProfileRecord(name, current, profile));
};
