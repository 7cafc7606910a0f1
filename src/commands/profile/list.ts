// cal profile list: the profiles, the current one marked.
import { resolveProfileName } from "../../config/profiles.ts";
import type { ConfigHandler } from "../config/config-context.ts";
import { profileColumns, profileFields, toProfileRecord } from "./record.ts";

/** Lists the profiles by name. The current one is the one that commands use now, so --profile and CAL_PROFILE count. */
export const list: ConfigHandler = async (_invocation, context) => {
  const data = await (await context.configFile()).read();
  const current = resolveProfileName(context, data).value;
  const records = Object.entries(data.profiles)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, profile]) => toProfileRecord(name, name === current, profile));
  return { kind: "list", columns: profileColumns, fieldNames: profileFields, records };
};
