// A profile as a record, and its table.
import type { Profile } from "../../config/data.ts";
import { settingDefinitions } from "../../config/keys.ts";
import type { DataRecord, RecordReport } from "../../output/report.ts";
import type { Column } from "../../spec/resource.ts";

/** Columns of the list. */
export const profileColumns: readonly Column[] = [
  { header: "NAME", path: "name", kind: "name", priority: 1 },
  { header: "CURRENT", path: "current", kind: "flag", priority: 1 },
  { header: "BASE URL", path: "base_url", kind: "text", priority: 1 },
  { header: "SERVER", path: "server", kind: "text", priority: 4 },
  { header: "NAMESPACE", path: "namespace", kind: "text", priority: 3 },
  { header: "TZ", path: "tz", kind: "text", priority: 5 },
  { header: "USERNAME", path: "username", kind: "text", priority: 2 },
];

/** Names that a profile's record may carry. */
export const profileFields: readonly string[] = [
  "name",
  "current",
  ...settingDefinitions.filter((key) => key.scope !== "never").map((key) => key.name),
];

/** What a profile stores, with its name and whether it is the current one. */
export function toProfileRecord(name: string, current: boolean, profile: Profile): DataRecord {
  return { name, current, ...profile };
}

/** One profile, with a row for everything it stores. */
export function createProfileReport(record: DataRecord): RecordReport {
  const columns = Object.keys(record).map((path): Column => ({ header: path.toUpperCase(), path, kind: "text", priority: 1 }));
  return { kind: "record", columns, fieldNames: profileFields, record };
}
