// cal profile add <name>: a new profile from flags alone.
import {
  findProfile,
  getProfile,
  getSelectedProfile,
  type Profile,
  parseProfileFlags,
  resolveProfileName,
  withoutProfile,
  withProfile,
} from "../config/config-file.ts";
import { settingDefinitions } from "../config/settings.ts";
import type { DataRecord } from "../data-record.ts";
import { usageError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import type { RecordReport } from "../output/report.ts";
import { type ConfigHandler, requireConfirmation, updateConfig } from "./config.ts";

/** Stores a profile, and answers with it. The first one becomes the current one; --use makes a later one so. */
export const add: ConfigHandler = async ({ args: [name = ""], flags }, context) => {
  const profile = parseProfileFlags({ ...context.globals, ...flags });
  let current = false;
  await updateConfig(context, (data) => {
    if (findProfile(data, name) !== undefined) {
      throw usageError(`there is a profile "${name}" already`, { text: "change it", command: `cal -p ${name} config set <key> <value>` });
    }
    const added = withProfile(data, name, profile);
    const next = flags["use"] === true ? { ...added, current: name } : added;
    current = next.current === name;
    return next;
  });
  return createProfileReport(toProfileRecord(name, current, profile));
};

// cal profile list: the profiles, the current one marked.

/** Lists the profiles by name. The current one is the one that commands use now, so --profile and CAL_PROFILE count. */
export const list: ConfigHandler = async (_invocation, context) => {
  const data = await (await context.configFile()).read();
  const current = resolveProfileName(context, data).value;
  const records = Object.entries(data.profiles)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, profile]) => toProfileRecord(name, name === current, profile));
  return { kind: "list", columns: profileColumns, fieldNames: profileFields, records };
};

// A profile as a record, and its table.

/** Columns of the list. */
const profileColumns: readonly Column[] = [
  { header: "NAME", path: "name", kind: "name", priority: 1 },
  { header: "CURRENT", path: "current", kind: "flag", priority: 1 },
  { header: "BASE URL", path: "base_url", kind: "text", priority: 1 },
  { header: "SERVER", path: "server", kind: "text", priority: 4 },
  { header: "NAMESPACE", path: "namespace", kind: "text", priority: 3 },
  { header: "TZ", path: "tz", kind: "text", priority: 5 },
  { header: "USERNAME", path: "username", kind: "text", priority: 2 },
];

/** Names that a profile's record may carry. */
const profileFields: readonly string[] = [
  "name",
  "current",
  ...settingDefinitions.filter((key) => key.scope !== "never").map((key) => key.name),
];

/** What a profile stores, with its name and whether it is the current one. */
function toProfileRecord(name: string, current: boolean, profile: Profile): DataRecord {
  return { name, current, ...profile };
}

/** One profile, with a row for everything it stores. */
function createProfileReport(record: DataRecord): RecordReport {
  const columns = Object.keys(record).map((path): Column => ({ header: path.toUpperCase(), path, kind: "text", priority: 1 }));
  return { kind: "record", columns, fieldNames: profileFields, record };
}

// cal profile remove <name>: deletes a profile and what is kept in secret for it.

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

// cal profile show [name]: what a profile stores.

/** Answers with the profile of that name, or with the current one. */
export const show: ConfigHandler = async ({ args: [name] }, context) => {
  const data = await (await context.configFile()).read();
  const chosen = resolveProfileName(context, data);
  const profile = name === undefined ? getSelectedProfile(data, chosen) : getProfile(data, name);
  return createProfileReport(toProfileRecord(name ?? chosen.value, (name ?? chosen.value) === chosen.value, profile));
};

// cal profile use <name>: makes a profile the current one.

/** Stores which profile is current, and answers with it. */
export const use: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = {};
  await updateConfig(context, (data) => {
    profile = getProfile(data, name);
    return { ...data, current: name };
  });
  const { CAL_PROFILE: other } = context.env;
  if (other && other !== name) await context.warn(`CAL_PROFILE is set, so "${other}" is still used`);
  return createProfileReport(toProfileRecord(name, true, profile));
};
