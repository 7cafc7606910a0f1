// A login as data for stdout: everything that is known of it and nothing that is secret.
import type { Login } from "../../auth/vault/login.ts";
import type { DataRecord } from "../../output/report.ts";
import type { Column } from "../../spec/resource.ts";

/** Times are ISO 8601 in UTC; what is not known is absent. */
export function toLoginRecord(login: Login): DataRecord {
  const { profile, method, identity, identity_id, application, store } = login;
  const known = {
    identity,
    identity_id,
    application,
    store,
    expires_at: formatIsoTime(login.expires_at),
    stored_at: formatIsoTime(login.stored_at),
  };
  const present = Object.entries(known).filter(([, value]) => value !== undefined);
  return { profile, method, ...Object.fromEntries(present), refreshable: isRefreshable(login) };
}

/** Whether the login outlives its token without anybody typing anything. */
export function isRefreshable({ holds, method }: Login): boolean {
  return method === "application-password" || holds.includes("refresh-token") || holds.includes("password");
}

/** A time of our own clock as ISO 8601. */
export function formatIsoTime(ms: number | undefined): string | undefined {
  return ms === undefined || !(Math.abs(ms) < 8.64e15) ? undefined : new Date(ms).toISOString();
}

/** Columns of `auth status`. */
export const statusColumns: readonly Column[] = [
  { header: "PROFILE", path: "profile", kind: "name", priority: 1 },
  { header: "CURRENT", path: "current", kind: "flag", priority: 2 },
  { header: "LOGGED IN", path: "logged_in", kind: "flag", priority: 1 },
  { header: "IDENTITY", path: "identity", kind: "text", priority: 1 },
  { header: "APPLICATION", path: "application", kind: "text", priority: 4 },
  { header: "METHOD", path: "method", kind: "text", priority: 5 },
  { header: "STORE", path: "store", kind: "text", priority: 3 },
  { header: "SOURCE", path: "source", kind: "text", priority: 4 },
  { header: "EXPIRES", path: "expires_at", kind: "date-time", priority: 3 },
  { header: "CHECK", path: "check", kind: "text", priority: 2 },
  { header: "PROBLEM", path: "problem", kind: "text", priority: 2 },
];

/** Names that a row of `auth status` may carry. */
export const statusFields: readonly string[] = [...statusColumns.map(({ path }) => path), "identity_id", "stored_at", "refreshable"];
