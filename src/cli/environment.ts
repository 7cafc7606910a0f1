// The environment variables, in the words of the help and the reference: those of the settings, and those that are none.
import { settingDefinitions } from "../config/keys.ts";

/** An environment variable. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly meaning: string;
}

const profileVariables: readonly EnvironmentVariable[] = [{ name: "CAL_PROFILE", meaning: "Use this profile" }];

const otherVariables: readonly EnvironmentVariable[] = [
  { name: "CAL_TOKEN", meaning: "Access token; a secret that is given this way is never stored" },
  { name: "CAL_PASSWORD", meaning: "Password, or application password, of the user" },
  { name: "CAL_CLIENT_SECRET", meaning: "Secret of the application" },
  { name: "CAL_TOKEN_FILE, CAL_PASSWORD_FILE, CAL_CLIENT_SECRET_FILE", meaning: "The same, each from a file that holds one line" },
  { name: "CAL_SANDBOX_HABITS", meaning: "`the-events-calendar` makes the embedded calendar behave as sites that run The Events Calendar" },
  { name: "CAL_CONFIG_DIR", meaning: "Folder of the profiles; an absolute path" },
  { name: "CAL_STATE_DIR", meaning: "Folder of the sandbox and of what else must last; an absolute path" },
  { name: "CAL_CACHE_DIR", meaning: "Folder of what may be deleted at any time; an absolute path" },
  { name: "LC_ALL, LC_TIME, LANG", meaning: "Locale, which says on what day the week of a calendar picture begins" },
  { name: "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", meaning: "The folders around those three, where the platform has them" },
  { name: "NO_COLOR, FORCE_COLOR", meaning: "No colours, or colours also in a pipe" },
  { name: "VISUAL, EDITOR", meaning: "Editor of `cal events edit` and its like; where both are set the first, where none is `vi`" },
  { name: "COLUMNS", meaning: "Width of tables" },
  { name: "HTTPS_PROXY, HTTP_PROXY, NO_PROXY", meaning: "Proxies; this machine itself is never asked through one" },
  { name: "NODE_DISABLE_COMPILE_CACHE", meaning: "Keeps no compiled code in the cache folder, where it makes the next start quicker" },
  { name: "NODE_EXTRA_CA_CERTS", meaning: "File with certificates of more authorities (PEM)" },
];

/** All of them: the profile, the settings in their order, then the others. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  ...profileVariables,
  ...settingDefinitions.flatMap(({ env, presenceVariable, meaning }) => {
    const names = [env, presenceVariable].filter((name) => name !== undefined);
    return names.length === 0 ? [] : [{ name: names.join(", "), meaning }];
  }),
  ...otherVariables,
];
