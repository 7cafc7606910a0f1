// cal config list: every setting that has a value, as commands see it.

import { findSettingDefinition, settingDefinitions } from "../../config/keys.ts";
import { getSelectedProfile } from "../../config/profiles.ts";
import type { Setting } from "../../config/settings.ts";
import { formatSettingValue } from "../../config/values.ts";
import type { DataRecord } from "../../output/report.ts";
import { keyColumn, originColumn, valueColumn } from "./columns.ts";
import type { ConfigContext, ConfigHandler } from "./config-context.ts";

/** Lists the settings with their values; --show-origin adds where each one came from. */
export const list: ConfigHandler = async ({ flags }, context) => {
  const settings = await context.settings();
  const rows: DataRecord[] = [{ key: "profile", ...settings.profile }];
  for (const key of settingDefinitions) {
    const setting = settings[key.name];
    if (setting !== undefined) rows.push({ key: key.name, value: formatSettingValue(key, setting.value), origin: setting.origin });
  }
  await warnUnknownKeys(context, settings.profile);
  if (flags["show-origin"] === true) {
    return { kind: "list", columns: [keyColumn, valueColumn, originColumn], fieldNames: ["key", "value", "origin"], records: rows };
  }
  return {
    kind: "list",
    columns: [keyColumn, valueColumn],
    fieldNames: ["key", "value"],
    records: rows.map(({ key, value }) => ({ key, value })),
  };
};

async function warnUnknownKeys(context: ConfigContext, chosen: Setting<string>): Promise<void> {
  const file = await context.configFile();
  const unknown = Object.keys(getSelectedProfile(await file.read(), chosen)).filter((key) => findSettingDefinition(key) === undefined);
  if (unknown.length > 0)
    await context.warn(`${file.path}: profile ${chosen.value} holds what no setting is called: ${unknown.join(", ")}`);
}
