// cal profile remove <name>: deletes a profile and what is kept in secret for it.
import { getProfile, withoutProfile } from "../../config/profiles.ts";
import { type ConfigHandler, requireConfirmation, updateConfig } from "../config/config-context.ts";
import { createProfileReport, toProfileRecord } from "./record.ts";

/** Asks, deletes the secrets and then the profile, so that a failure in between can be repeated; answers with what was deleted. */
export const remove: ConfigHandler = async ({ args: [name = ""] }, context) => {
  const data = await (await context.configFile()).read();
  const profile = getProfile(data, name);
  await requireConfirmation(context, `Delete profile "${name}" and its stored login?`);
  if (context.globals["dry-run"] !== true) await context.deleteSecrets(name);
  await updateConfig(context, (newest) => withoutProfile(newest, name));
  const rest = Object.keys(data.profiles).filter((other) => other !== name);
  if (data.current === name && rest.length > 0)
    await context.notice(`no profile is current now; choose one: cal profile use ${rest.sort()[0]}`);
  return createProfileReport(toProfileRecord(name, false, profile));
};
