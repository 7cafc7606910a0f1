// The commands `cal init`, `cal config` and `cal profile`.
import type { CommandSpec, Flag } from "../../commands/command.ts";
import { getSettingFlag, settingDefinitions } from "../../config/settings.ts";

const keyArgument = { name: "key", meaning: "Name of a setting", required: true } as const;
const profileArgument = { name: "name", meaning: "Name of a profile", required: true } as const;
const showOriginFlag: Flag = { name: "show-origin", type: "boolean", meaning: "Show where each value comes from" };

/** The names of values in the help, by the type of the setting. */
const valueNameByType: Readonly<Record<string, string>> = { choice: "name", zone: "zone", "redirect-url": "url" };

/** The settings of a profile that no global flag sets. */
const profileFlags: readonly Flag[] = settingDefinitions
  .filter((setting) => setting.scope === "site" && setting.flag === undefined)
  .map((setting) => ({
    name: getSettingFlag(setting),
    ...(setting.type === "boolean"
      ? { type: "boolean" as const }
      : { type: "text" as const, value: valueNameByType[setting.type] ?? "text" }),
    meaning: setting.meaning,
    ...(setting.choices === undefined ? {} : { choices: setting.choices }),
    ...(setting.default === undefined || setting.type === "boolean" ? {} : { default: String(setting.default) }),
  }));

const initCommands: readonly CommandSpec[] = [
  {
    path: ["init"],
    summary: "Find the calendar of a website and write a profile for it",
    details:
      "Looks for the REST root of the site (its Link header, /wp-json/, ?rest_route=/) and stores its address, namespace, server profile and time zone. " +
      "A plain base URL works too, and nothing secret is sent. It writes the profile of --profile, or else the current one; the first profile is created. " +
      "What a login takes depends on the site: cal help auth.",
    args: [{ name: "site-url", meaning: "Address of the website, with or without https://", required: true }],
    flags: [],
    examples: [
      { command: "cal init https://www.example.com", does: "Write the first profile" },
      {
        command: "cal init https://www.example.com --auth-url https://login.example.com --client-id my-app",
        does: "With the values from the administrator of its authentication service",
      },
      { command: "cal init -p work https://intranet.example.com/calendar", does: "Write a profile of another name" },
    ],
    withoutIds: true,
    load: async () => (await import("../../commands/init.ts")).init,
  },
];

const configCommands: readonly CommandSpec[] = [
  {
    path: ["config", "get"],
    summary: "Print one setting as commands see it",
    args: [keyArgument],
    flags: [showOriginFlag],
    examples: [{ command: "cal config get base_url", does: "Print the address that is used now" }],
    load: async () => (await import("../../commands/config.ts")).get,
  },
  {
    path: ["config", "set"],
    summary: "Store a setting in the profile",
    details: "Secrets are refused: cal auth login stores them elsewhere.",
    args: [keyArgument, { name: "value", meaning: "Its value", required: true }],
    flags: [],
    examples: [
      { command: "cal config set tz Europe/Paris", does: "Read and show dates in that zone" },
      { command: "cal -p work config set read_only true", does: "Keep a profile from writing" },
    ],
    withoutIds: true,
    load: async () => (await import("../../commands/config.ts")).set,
  },
  {
    path: ["config", "unset"],
    summary: "Remove a setting from the profile",
    args: [keyArgument],
    flags: [],
    examples: [{ command: "cal config unset tz", does: "Go back to the site's zone" }],
    withoutIds: true,
    load: async () => (await import("../../commands/config.ts")).unset,
  },
  {
    path: ["config", "list"],
    aliases: ["ls"],
    summary: "List all settings as commands see them",
    args: [],
    flags: [showOriginFlag],
    examples: [{ command: "cal config list --show-origin", does: "Tell flag, environment, profile and default apart" }],
    load: async () => (await import("../../commands/config.ts")).list,
  },
  {
    path: ["config", "path"],
    summary: "Print the path of the config file",
    args: [],
    flags: [],
    examples: [{ command: "cal config path", does: "Print it, whether the file exists or not" }],
    load: async () => (await import("../../commands/config.ts")).path,
  },
];

const profileCommands: readonly CommandSpec[] = [
  {
    path: ["profile", "list"],
    aliases: ["ls"],
    summary: "List the profiles",
    args: [],
    flags: [],
    examples: [{ command: "cal profile list --json", does: "Everything that is stored, for programs" }],
    load: async () => (await import("../../commands/profile.ts")).list,
  },
  {
    path: ["profile", "add"],
    summary: "Add a profile from flags",
    details:
      "The global flags that say which site and who are stored too: --base-url, --auth-url, --namespace, --tz, --client-id, --username, --read-only, --ca-file.",
    args: [profileArgument],
    flags: [{ name: "use", type: "boolean", meaning: "Make it the current one" }, ...profileFlags],
    examples: [{ command: "cal profile add work --base-url https://api.example.com --use", does: "Add a profile and use it from now on" }],
    withoutIds: true,
    load: async () => (await import("../../commands/profile.ts")).add,
  },
  {
    path: ["profile", "use"],
    summary: "Make a profile the current one",
    args: [profileArgument],
    flags: [],
    examples: [{ command: "cal profile use work", does: "Commands use it unless --profile or CAL_PROFILE names another one" }],
    withoutIds: true,
    load: async () => (await import("../../commands/profile.ts")).use,
  },
  {
    path: ["profile", "show"],
    summary: "Show what a profile stores",
    args: [{ name: "name", meaning: "Name of a profile; default: the current one" }],
    flags: [],
    examples: [{ command: "cal profile show work", does: "Show one profile" }],
    load: async () => (await import("../../commands/profile.ts")).show,
  },
  {
    path: ["profile", "remove"],
    aliases: ["rm"],
    summary: "Delete a profile and its stored login",
    args: [profileArgument],
    flags: [],
    examples: [{ command: "cal profile remove work --yes", does: "Delete it without a question" }],
    withoutIds: true,
    load: async () => (await import("../../commands/profile.ts")).remove,
  },
];

export const setupCommands: readonly CommandSpec[] = [...initCommands, ...configCommands, ...profileCommands];
