// cal config list: every setting that has a value, as commands see it.
import type { Login } from "../auth/credential-store.ts";
import { formatSuggestion } from "../closest.ts";
import { type ConfigData, getSelectedProfile, resolveProfileName, withProfile } from "../config/config-file.ts";
import {
  findSettingDefinition,
  formatSettingValue,
  parseSettingValue,
  type Setting,
  type SettingDefinition,
  settingDefinitions,
} from "../config/settings.ts";
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import type { Report } from "../output/report.ts";
import type { Invocation } from "./command.ts";

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

// cal config get <key>: one setting as commands see it.

/** Answers with the bare value, or with its origin too under --show-origin. Rejects with kind `not-found` where it is not set. */
export const get: ConfigHandler = async ({ args: [name = ""], flags }, context) => {
  const key = requireSettingKey(name);
  const settings = await context.settings();
  getSelectedProfile(await (await context.configFile()).read(), settings.profile);
  const setting = settings[key.name];
  if (setting === undefined) {
    throw new CalError("not-found", `${key.name} is not set (profile ${settings.profile.value})`, {
      hint: { command: `cal config set ${key.name} <value>` },
    });
  }
  const value = formatSettingValue(key, setting.value);
  if (flags["show-origin"] !== true) return { kind: "value", value, text: String(value) };
  const columns = [keyColumn, valueColumn, originColumn];
  return { kind: "record", columns, fieldNames: ["key", "value", "origin"], record: { key: key.name, value, origin: setting.origin } };
};

// cal config set <key> <value>: puts a setting into the profile that is meant.

/** Checks and stores a value, and answers with what was stored. */
export const set: ConfigHandler = async ({ args: [name = "", text = ""] }, context) => {
  const key = requireStorableKey(name);
  const reading = parseSettingValue(key, text);
  if ("problem" in reading) throw usageError(`${key.name}: ${reading.problem}`);
  const value = formatSettingValue(key, reading.value);
  let profile = "";
  await updateConfig(context, (data) => {
    const chosen = resolveProfileName(context, data);
    profile = chosen.value;
    return withProfile(data, profile, { ...getSelectedProfile(data, chosen), [key.name]: value });
  });
  const columns = [profileColumn, keyColumn, valueColumn];
  return { kind: "record", columns, fieldNames: ["profile", "key", "value"], record: { profile, key: key.name, value } };
};

// cal config unset <key>: takes a setting out of the profile that is meant.

/** Removes a stored value, and answers with what was removed; a value that is not there is no error. What no setting is called can be removed too. */
export const unset: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = "";
  let key = "";
  await updateConfig(context, (data) => {
    const chosen = resolveProfileName(context, data);
    const stored = getSelectedProfile(data, chosen);
    profile = chosen.value;
    key = findSettingDefinition(name) === undefined && Object.hasOwn(stored, name) ? name : requireStorableKey(name).name;
    if (!Object.hasOwn(stored, key)) return data;
    const { [key]: _removed, ...rest } = stored;
    return { ...data, profiles: { ...data.profiles, [profile]: rest } };
  });
  return { kind: "record", columns: [profileColumn, keyColumn], fieldNames: ["profile", "key"], record: { profile, key } };
};

// cal config path: where the config file is.

/** Answers with the path of the config file, whether it exists or not. */
export const path: ConfigHandler = async (_invocation, context) => {
  const file = await context.configFile();
  return { kind: "value", value: file.path, text: file.path };
};

// The key that a user typed -> its row of the settings, or a refusal that helps.

const secretSettingNames: ReadonlySet<string> = new Set([
  "password",
  "token",
  "access_token",
  "refresh_token",
  "client_secret",
  "secret",
  "api_key",
]);

/** The setting of that name. Throws a usage CalError for a secret and for an unknown name. */
function requireSettingKey(name: string): SettingDefinition {
  const key = findSettingDefinition(name);
  if (key !== undefined) return key;
  if (secretSettingNames.has(name.toLowerCase().replaceAll("-", "_"))) {
    throw usageError(`"${name}" is a secret, and secrets are never in the config file`, "cal auth login asks for it and keeps it safe");
  }
  const names = settingDefinitions.map((row) => row.name);
  throw usageError(`there is no setting "${name}"${formatSuggestion(name, names) || `; there are ${names.join(", ")}`}`);
}

/** The setting of that name that a profile can hold. Throws a usage CalError where it is for one call only. */
function requireStorableKey(name: string): SettingDefinition {
  const key = requireSettingKey(name);
  if (key.scope !== "never") return key;
  const ways = [key.flag === undefined ? [] : [`--${key.flag}`], key.env === undefined ? [] : [`${key.env}=1`]].flat();
  throw usageError(`"${key.name}" is not stored; it is given with each call: ${ways.join(" or ")}`);
}

// The table of settings.

/** Name of a setting. */
const keyColumn: Column = { header: "KEY", path: "key", kind: "name", priority: 1 };
/** Its value. */
const valueColumn: Column = { header: "VALUE", path: "value", kind: "text", priority: 1 };
/** Where it comes from. */
const originColumn: Column = { header: "ORIGIN", path: "origin", kind: "text", priority: 2 };
/** Name of a profile. */
const profileColumn: Column = { header: "PROFILE", path: "profile", kind: "name", priority: 1 };

// What the commands over the config file need of the context, and how they change the file.

/** The part of the context that these commands use. */
export type ConfigContext = Pick<
  Context,
  "env" | "globals" | "notice" | "warn" | "settings" | "configFile" | "prompt" | "transport" | "deleteSecrets"
> & { readonly credentialStore: () => Promise<LoginLookup> };

/** Which login a profile has, as far as these commands care. */
interface LoginLookup {
  findLogin(profile: string): Promise<Pick<Login, "base_origin"> | undefined>;
}

/** A handler over the config file. */
export type ConfigHandler = (invocation: Invocation, context: ConfigContext) => Promise<Report>;

/** Changes the config file. Under --dry-run the change is checked against its content, told, and not written. */
export async function updateConfig(context: ConfigContext, edit: (data: ConfigData) => ConfigData): Promise<void> {
  const file = await context.configFile();
  if (context.globals["dry-run"] !== true) return file.update(edit);
  edit(await file.read());
  await context.notice(`dry run: ${file.path} was not changed`);
}

/** Asks before something is lost. Rejects with kind `declined` for a No, and with `usage` where nobody can be asked and --yes was not typed. */
export async function requireConfirmation(context: ConfigContext, question: string): Promise<void> {
  if (context.globals["yes"] === true || context.globals["dry-run"] === true) return;
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question, false))) throw new CalError("declined", "nothing was changed");
}
