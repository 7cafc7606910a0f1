// What cal init found, as a record.
import type { FoundSite } from "../../api/discover/discover.ts";
import type { RecordReport } from "../../output/report.ts";
import type { Column } from "../../spec/resource.ts";

const siteFields = [
  "profile",
  "name",
  "base_url",
  "namespace",
  "server",
  "site_tz",
  "auth_methods",
  "authorization_page",
  "namespaces",
] as const;

/** The profile's name and the site; what the site does not tell is absent. */
export function createSiteReport(profile: string, site: FoundSite): RecordReport {
  const told = Object.entries<unknown>({ profile, ...site });
  const record = Object.fromEntries(siteFields.flatMap((field) => told.filter(([name]) => name === field)));
  const columns = Object.keys(record).map((path): Column => ({ header: path.toUpperCase(), path, kind: "text", priority: 1 }));
  return { kind: "record", columns, fieldNames: siteFields, record };
}
