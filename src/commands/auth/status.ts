// cal auth status: who is logged in where, and with --check whether the site accepts the login.
import { droppedHeaderHints } from "../../api/problems.ts";
import { getHeaderSecretName, type Login } from "../../auth/credential-store.ts";
import { loginHint, parseTokenClaims } from "../../auth/credentials.ts";
import { findAuthSource } from "../../auth/session.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { epochToWall } from "../../dates/zone.ts";
import { CalError } from "../../errors.ts";
import type { Column } from "../../model/resource.ts";
import type { Handler } from "../command.ts";
import { isRefreshable, toLoginRecord } from "./command.ts";
import { whoAmI } from "./who-am-i.ts";

const statusColumns: readonly Column[] = [
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

/** Lists the current profile and all that have a login. Ends with `unauthenticated` (exit 4), after the rows, where the current one is not logged in. */
export const status: Handler = async ({ flags }, context) => {
  const settings = await context.settings();
  const current = settings.sandbox.value ? undefined : settings.profile.value;
  const others = (await (await context.credentialStore()).listLogins()).filter(({ profile }) => profile !== current);
  let own = settings.sandbox.value ? await sandboxRow(context) : await profileRow(context, settings);
  if (flags["check"] === true && own["logged_in"] === true) own = { ...own, ...(await checkLogin(context, settings)) };
  const rows = [own, ...(await Promise.all(others.map((login) => storedRow(context, login, false))))];
  rows.sort((a, b) => (String(a["profile"]) < String(b["profile"]) ? -1 : 1));
  const format = (value: unknown, { refreshable }: DataRecord) =>
    formatExpiry(value, context.clock.now(), settings.tz.value, refreshable === true);
  const columns = statusColumns.map((column) => (column.path === "expires_at" ? { ...column, format } : column));
  const fieldNames = [...statusColumns.map(({ path }) => path), "identity_id", "stored_at", "refreshable"];
  return { kind: "list", columns, fieldNames, records: rows, failure: findFailure(own) };
};

/** Undefined where the current profile is logged in. */
function findFailure(own: DataRecord): CalError | undefined {
  if (own["logged_in"] === true && own["check"] !== "refused" && own["check"] !== "anonymous") return undefined;
  const profile = String(own["profile"]);
  const isVisitor = own["check"] === "anonymous";
  const refused = isVisitor ? "the site took the request for a visitor's, although a login was sent" : "the site does not accept the login";
  const why = own["logged_in"] === true ? refused : (own["problem"] ?? "nobody is logged in");
  const hint = loginHint(profile, typeof own["source"] === "string" ? own["source"] : undefined);
  return new CalError("unauthenticated", `profile ${profile}: ${String(why)}`, {
    code: "not-logged-in",
    hint: isVisitor ? [...droppedHeaderHints, hint] : hint,
  });
}

/** The sandbox has no profile, and logs its user in by itself. */
async function sandboxRow(context: Context): Promise<DataRecord> {
  const authHeader = await (await context.tokens()).getAuthHeader();
  const { identity } = parseTokenClaims(authHeader?.value ?? "");
  return { profile: "sandbox", current: true, logged_in: true, ...(identity && { identity }), source: "sandbox", store: "none" };
}

async function profileRow(context: Context, settings: Settings): Promise<DataRecord> {
  const authSource = await findAuthSource({ settings, env: context.env, credentialStore: context.credentialStore });
  const profile = settings.profile.value;
  switch (authSource.kind) {
    case "token":
      return { profile, current: true, logged_in: true, source: authSource.source, store: "none" };
    case "credentials": {
      const { environmentCredentials: found } = authSource;
      const { method, source } = found;
      const user =
        found.method === "password"
          ? { identity: found.credentials.username, application: found.credentials.clientId }
          : { identity: found.username };
      return { profile, current: true, logged_in: true, method, ...user, source, store: "none" };
    }
    case "stored":
      return storedRow(context, authSource.login, true);
    case "none": {
      const problem = authSource.missing && `a password is in the environment, but not ${authSource.missing.join(", ")}`;
      return { profile, current: true, logged_in: false, ...(problem && { problem }) };
    }
  }
}

/** A login counts only where its store still has the secret. */
async function storedRow(context: Context, login: Login, current: boolean): Promise<DataRecord> {
  const problem = await findLoginProblem(context, login);
  const { profile, ...rest } = toLoginRecord(login);
  return { profile, current, logged_in: problem === undefined, ...rest, source: login.store, ...(problem && { problem }) };
}

async function findLoginProblem(context: Context, login: Login): Promise<string | undefined> {
  if (!isRefreshable(login) && login.expires_at !== undefined && login.expires_at <= context.clock.now()) return "the session has ended";
  try {
    await (await context.credentialStore()).readSecrets(login, [getHeaderSecretName(login)]);
    return undefined;
  } catch (error) {
    if (error instanceof CalError) return error.message;
    throw error;
  }
}

async function checkLogin(context: Context, settings: Settings): Promise<DataRecord> {
  const authHeader = await (await context.tokens()).getAuthHeader();
  if (authHeader === undefined) return { check: "refused" };
  const check = await whoAmI(await context.transport(), settings, authHeader);
  return { check: check.result, ...("identity" in check && { identity: check.identity }) };
}

/** `2027-01-15 15:00 (in 3 hours)` in the user's time zone; undefined for what is no time. */
export function formatExpiry(iso: unknown, now: number, zone: string, renews: boolean): string | undefined {
  const epoch = typeof iso === "string" ? Date.parse(iso) : Number.NaN;
  const wall = Number.isNaN(epoch) ? undefined : epochToWall(epoch, zone);
  if (wall === undefined) return undefined;
  const distance = Math.abs(epoch - now);
  const minute = 60_000;
  const units = [
    ["days", 1440 * minute],
    ["hours", 60 * minute],
  ] as const;
  const [unit, length] = units.find(([, ms]) => distance >= 2 * ms) ?? ["min", minute];
  const amount = `${Math.max(1, Math.floor(distance / length))} ${unit}`;
  return `${wall.slice(0, 16)} (${epoch < now ? `${amount} ago${renews ? ", renews" : ""}` : `in ${amount}`})`;
}
