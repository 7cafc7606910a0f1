// Check: the settings can be read, they name a site, and where each of them comes from.
import { findSettingDefinition } from "../../config/keys.ts";
import { formatCalCommand, getSelectedProfile } from "../../config/profiles.ts";
import type { Setting, Settings } from "../../config/settings.ts";
import type { Check } from "./finding.ts";

/** Broken settings are told by their own error. */
export const configurationCheck: Check = {
  name: "configuration",
  run: async ({ context }) => {
    const file = await context.configFile();
    const data = await file.read();
    const settings = await context.settings();
    const { profile } = settings;
    const unknown = Object.keys(getSelectedProfile(data, profile)).filter((name) => findSettingDefinition(name) === undefined);
    const found = `${file.path}: ${formatSettings(settings)}`;
    if (settings.base_url === undefined) {
      return {
        state: "failure",
        found: `${found}; no site is chosen`,
        advice: `${formatCalCommand(settings)} init <site-url>; or try it without a site: cal --sandbox events list`,
      };
    }
    if (unknown.length === 0) return { state: "ok", found };
    return {
      state: "warning",
      found: `${found}; the profile holds what no setting is called: ${unknown.join(", ")}`,
      advice: `${formatCalCommand(settings)} config list --show-origin shows the settings; the others do nothing`,
    };
  },
};

function formatSettings(settings: Settings): string {
  const { profile, base_url, auth_url, namespace, server } = settings;
  const named: readonly (readonly [string, Setting<string> | undefined])[] = Object.entries({
    profile,
    base_url,
    auth_url,
    namespace,
    server,
  });
  return named.flatMap(([name, setting]) => (setting === undefined ? [] : `${name} ${setting.value} (${setting.origin})`)).join(", ");
}
