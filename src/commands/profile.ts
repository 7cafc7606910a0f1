// The commands `cal profile`.
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
import { usageError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import type { RecordReport } from "../output/report.ts";
import { unbreakable } from "../text.ts";
import { type ConfigHandler, requireConfirmation, updateConfig } from "./config.ts";

const columns: readonly Column[] = [
  { header: "NAME", path: "name", kind: "name", priority: 1 },
  { header: "CURRENT", path: "current", kind: "flag", priority: 1 },
  { header: "BASE URL", path: "base_url", kind: "text", priority: 1 },
  { header: "SERVER", path: "server", kind: "text", priority: 4 },
  { header: "NAMESPACE", path: "namespace", kind: "text", priority: 3 },
  { header: "TZ", path: "tz", kind: "text", priority: 5 },
  { header: "USERNAME", path: "username", kind: "text", priority: 2 },
];

const fieldNames: readonly string[] = [
  "name",
  "current",
  ...settingDefinitions.filter((key) => key.scope !== "never").map((key) => key.name),
];

/** `cal profile add <name>`: stores a profile from flags alone. The first one becomes the current one; --use makes a later one current. */
export const add: ConfigHandler = async ({ args: [name = ""], flags }, context) => {
  const profile = parseProfileFlags({ ...context.globals, ...flags });
  let current = false;
  await updateConfig(context, (data) => {
    if (findProfile(data, name) !== undefined) {
      throw usageError(`there is a profile "${name}" already`, { text: "change it", command: `cal -p ${name} config set <key> <value>` });
    }
    const added = withProfile(data, name, profile);
    const changed = flags["use"] === true ? { ...added, current: name } : added;
    current = changed.current === name;
    return changed;
  });
  const report = createProfileReport(name, current, profile);
  if (profile["base_url"] !== undefined) return report;
  await context.warn(`profile "${name}" has no address of a site yet`);
  return { ...report, nextStep: `next: cal init <site-url> -p ${name}` };
};

/** `cal profile list`: the profiles by name. The current one is the one that commands use now, so --profile and CAL_PROFILE count. */
export const list: ConfigHandler = async (_invocation, context) => {
  const data = await (await context.configFile()).read();
  const current = resolveProfileName(context, data).value;
  const records = Object.entries(data.profiles)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, profile]) => ({ name, current: name === current, ...profile }));
  return { kind: "list", columns, fieldNames, records };
};

/** `cal profile remove <name>`: deletes the secrets of a profile, then the profile, so that a command that failed in between can be repeated. */
export const remove: ConfigHandler = async ({ args: [name = ""] }, context) => {
  const data = await (await context.configFile()).read();
  const profile = getProfile(data, name);
  await requireConfirmation(context, `Delete profile "${name}" and its stored login?`);
  if (context.globals["dry-run"] !== true) await context.deleteSecrets(name);
  await updateConfig(context, (newest) => withoutProfile(newest, name));
  const others = Object.keys(data.profiles).filter((other) => other !== name);
  if (data.current === name && others.length > 0)
    await context.notice(`no profile is current now; choose one: ${unbreakable(`cal profile use ${others.sort()[0]}`)}`);
  return createProfileReport(name, false, profile);
};

/** `cal profile show [name]`: what a profile stores; the current one where none is named. */
export const show: ConfigHandler = async ({ args: [name] }, context) => {
  const data = await (await context.configFile()).read();
  const selected = resolveProfileName(context, data);
  const profile = name === undefined ? getSelectedProfile(data, selected) : getProfile(data, name);
  return createProfileReport(name ?? selected.value, (name ?? selected.value) === selected.value, profile);
};

/** `cal profile use <name>`: makes a profile the current one. */
export const use: ConfigHandler = async ({ args: [name = ""] }, context) => {
  let profile = {};
  await updateConfig(context, (data) => {
    profile = getProfile(data, name);
    return { ...data, current: name };
  });
  const { CAL_PROFILE: other } = context.env;
  if (other && other !== name) await context.warn(`CAL_PROFILE is set, so "${other}" is still used`);
  return createProfileReport(name, true, profile);
};

/** A row for everything that the profile stores. */
function createProfileReport(name: string, current: boolean, profile: Profile): RecordReport {
  const record = { name, current, ...profile };
  const rows = Object.keys(record).map((path): Column => ({ header: path.toUpperCase(), path, kind: "text", priority: 1 }));
  return { kind: "record", columns: rows, fieldNames, record };
}
