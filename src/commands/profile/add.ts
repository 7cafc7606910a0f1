// cal profile add <name>: a new profile from flags alone.
import { profileNamed, withProfile } from "../../config/profiles.ts";
import { typedProfile } from "../../config/typed-profile.ts";
import { usage } from "../../errors.ts";
import { type ConfigHandler, change } from "../config/config-context.ts";
import { profileRecord, profileReport } from "./record.ts";

/** Stores a profile, and answers with it. The first one becomes the current one; --use makes a later one so. */
export const add: ConfigHandler = async ({ args: [name = ""], flags }, context) => {
  const profile = typedProfile({ ...context.globals, ...flags });
  let current = false;
  await change(context, (data) => {
    if (profileNamed(data, name) !== undefined) {
      throw usage(`there is a profile "${name}" already`, `change it: cal -p ${name} config set <key> <value>`);
    }
    const added = withProfile(data, name, profile);
    const next = flags["use"] === true ? { ...added, current: name } : added;
    current = next.current === name;
    return next;
  });
  return profileReport(profileRecord(name, current, profile));
};
