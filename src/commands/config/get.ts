// cal config get <key>: one setting as commands see it.
import { getSelectedProfile } from "../../config/profiles.ts";
import { formatSettingValue } from "../../config/values.ts";
import { CalError } from "../../errors.ts";
import { keyColumn, originColumn, valueColumn } from "./columns.ts";
import type { ConfigHandler } from "./config-context.ts";
import { requireSettingKey } from "./key.ts";

/** Answers with the bare value, or with its origin too under --show-origin. Rejects with kind `not-found` where it is not set. */
export const get: ConfigHandler = async ({ args: [name = ""], flags }, context) => {
  const key = requireSettingKey(name);
  const settings = await context.settings();
  getSelectedProfile(await (await context.configFile()).read(), settings.profile);
  const setting = settings[key.name];
  if (setting === undefined) {
    throw new CalError("not-found", `${key.name} is not set (profile ${settings.profile.value})`, {
      hint: `cal config set ${key.name} <value>`,
    });
  }
  const value = formatSettingValue(key, setting.value);
  if (flags["show-origin"] !== true) return { kind: "value", value, text: String(value) };
  const columns = [keyColumn, valueColumn, originColumn];
  return { kind: "record", columns, fieldNames: ["key", "value", "origin"], record: { key: key.name, value, origin: setting.origin } };
};
