// The commands `cal config`, and what the commands over the config file share.
import type { Login } from "../auth/credential-store.ts";
import { formatSuggestion } from "../closest.ts";
import { type ConfigData, getSelectedProfile, resolveProfileName, withProfile } from "../config/config-file.ts";
import {
  findSettingDefinition,
  formatSettingValue,
  parseSettingValue,
  type SettingDefinition,
  settingDefinitions,
} from "../config/settings.ts";
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import type { RecordReport, Report } from "../output/report.ts";
import type { Invocation } from "./command.ts";

/** The part of the context that the commands over the config file use. */
export type ConfigContext = Pick<
  Context,
  "env" | "globals" | "notice" | "warn" | "settings" | "configFile" | "prompt" | "transport" | "deleteSecrets"
> & { readonly credentialStore: () => Promise<LoginLookup> };

interface LoginLookup {
  findLogin(profile: string): Promise<Pick<Login, "base_origin"> | undefined>;
}

export type ConfigHandler = (invocation: Invocation, context: ConfigContext) => Promise<Report>;

const columnsByField: Readonly<Record<string, Column>> = {
  profile: { header: "PROFILE", path: "profile", kind: "name", priority: 1 },
  key: { header: "KEY", path: "key", kind: "name", priority: 1 },
  value: { header: "VALUE", path: "value", kind: "text", priority: 1 },
  origin: { header: "ORIGIN", path: "origin", kind: "text", priority: 2 },
};

function getColumns(fields: readonly string[]): readonly Column[] {
  return fields.flatMap((field) => columnsByField[field] ?? []);
}

function createRecordReport(record: DataRecord): RecordReport {
  const fields = Object.keys(record);
  return { kind: "record", columns: getColumns(fields), fieldNames: fields, record };
}

/** `cal config list`: every setting that has a value, as commands see it; --show-origin adds where each value came from. */
export const list: ConfigHandler = async ({ flags }, context) => {
  const settings = await context.settings();
  const rows: DataRecord[] = [{ key: "profile", ...settings.profile }];
  for (const key of settingDefinitions) {
    const setting = settings[key.name];
    if (setting !== undefined) rows.push({ key: key.name, value: formatSettingValue(key, setting.value), origin: setting.origin });
  }
  const file = await context.configFile();
  const stored = getSelectedProfile(await file.read(), settings.profile);
  const unknown = Object.keys(stored).filter((name) => findSettingDefinition(name) === undefined);
  if (unknown.length > 0) await context.warn(`${file.path}: profile ${settings.profile.value} has unknown settings: ${unknown.join(", ")}`);
  const withOrigin = flags["show-origin"] === true;
  const fieldNames = withOrigin ? ["key", "value", "origin"] : ["key", "value"];
  const records = withOrigin ? rows : rows.map(({ key, value }) => ({ key, value }));
  return { kind: "list", columns: getColumns(fieldNames), fieldNames, records };
};

/** `cal config get <key>`: the bare value as commands see it. Rejects with kind `not-found` where it is not set. */
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
  return createRecordReport({ key: key.name, value, origin: setting.origin });
};

/** `cal config set <key> <value>`: checks a value and stores it in the selected profile. */
export const set: ConfigHandler = async ({ args: [name = "", text = ""] }, context) => {
  const key = requireStorableKey(name);
  const result = parseSettingValue(key, text);
  if ("problem" in result) throw usageError(`${key.name}: ${result.problem}`);
  const value = formatSettingValue(key, result.value);
  let profile = "";
  await updateConfig(context, (data) => {
    const selected = resolveProfileName(context, data);
    profile = selected.value;
    return withProfile(data, profile, { ...getSelectedProfile(data, selected), [key.name]: value });
  });
  return createRecordReport({ profile, key: key.name, value });
};

/** `cal config unset <key>`: removes a value from the selected profile. It need not be there. Keys that are no settings can be removed too. */
export const unset: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = "";
  let key = "";
  await updateConfig(context, (data) => {
    const selected = resolveProfileName(context, data);
    const stored = getSelectedProfile(data, selected);
    profile = selected.value;
    key = findSettingDefinition(name) === undefined && Object.hasOwn(stored, name) ? name : requireStorableKey(name).name;
    if (!Object.hasOwn(stored, key)) return data;
    const { [key]: _removed, ...rest } = stored;
    return { ...data, profiles: { ...data.profiles, [profile]: rest } };
  });
  return createRecordReport({ profile, key });
};

/** `cal config path`: where the config file is, whether it exists or not. */
export const path: ConfigHandler = async (_invocation, context) => {
  const file = await context.configFile();
  return { kind: "value", value: file.path, text: file.path };
};

const secretNames: readonly string[] = ["password", "token", "access_token", "refresh_token", "client_secret", "secret", "api_key"];

function requireSettingKey(name: string): SettingDefinition {
  const key = findSettingDefinition(name);
  if (key !== undefined) return key;
  if (secretNames.includes(name.toLowerCase().replaceAll("-", "_"))) {
    throw usageError(`"${name}" is a secret, and secrets are never in the config file`, {
      text: "to be asked for it, and to store it safely",
      command: "cal auth login",
    });
  }
  const names = settingDefinitions.map((row) => row.name);
  throw usageError(`there is no setting "${name}"${formatSuggestion(name, names) || `; there are ${names.join(", ")}`}`);
}

function requireStorableKey(name: string): SettingDefinition {
  const key = requireSettingKey(name);
  if (key.scope !== "never") return key;
  const ways = [...(key.flag === undefined ? [] : [`--${key.flag}`]), ...(key.env === undefined ? [] : [`${key.env}=1`])];
  throw usageError(`"${key.name}" is not stored; it is given with each call: ${ways.join(" or ")}`);
}

/** Changes the config file. Under --dry-run the change is checked, and not written. */
export async function updateConfig(context: ConfigContext, change: (data: ConfigData) => ConfigData): Promise<void> {
  const file = await context.configFile();
  if (context.globals["dry-run"] !== true) return file.update(change);
  change(await file.read());
  await context.notice(`dry run: ${file.path} was not changed`);
}

/** Asks before something is lost. Rejects with kind `declined` for a no, and with `usage` without a terminal and without --yes. */
export async function requireConfirmation(context: ConfigContext, question: string): Promise<void> {
  if (context.globals["yes"] === true || context.globals["dry-run"] === true) return;
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question, false))) throw new CalError("declined", "nothing was changed");
}
