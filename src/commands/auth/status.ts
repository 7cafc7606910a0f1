// cal auth status: who is logged in where, and with --check whether the site agrees.

import { loginHint } from "../../auth/parts.ts";
import { findAuthSource } from "../../auth/session.ts";
import { parseTokenClaims } from "../../auth/token.ts";
import type { Login } from "../../auth/vault/login.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import type { DataRecord } from "../../output/report.ts";
import type { AuthContext, AuthHandler } from "./auth-context.ts";
import { isRefreshable, statusColumns, statusFields, toLoginRecord } from "./record.ts";
import { formatExpiry } from "./until.ts";
import { whoAmI } from "./whoami.ts";

/** Lists the current profile and all that have a login. Ends with `unauthenticated` (exit 4), after the rows, where the current one is not logged in. */
export const status: AuthHandler = async ({ flags }, context) => {
  const settings = await context.settings();
  const current = settings.sandbox.value ? undefined : settings.profile.value;
  const vault = await context.credentialStore();
  const others = (await vault.listLogins()).filter(({ profile }) => profile !== current);
  const own = await currentRow(context, settings, flags["check"] === true);
  const rows = [own, ...(await Promise.all(others.map((login) => storedRow(context, login, false))))];
  rows.sort((a, b) => (String(a["profile"]) < String(b["profile"]) ? -1 : 1));
  const format = (value: unknown, { refreshable }: DataRecord) =>
    formatExpiry(value, { now: context.clock.now(), zone: settings.tz.value, renews: refreshable === true });
  const columns = statusColumns.map((column) => (column.path === "expires_at" ? { ...column, format } : column));
  return { kind: "list", columns, fieldNames: statusFields, records: streamRows(rows, own) };
};

async function* streamRows(rows: readonly DataRecord[], own: DataRecord): AsyncGenerator<readonly DataRecord[]> {
  yield rows;
  if (own["logged_in"] === true && own["check"] !== "refused" && own["check"] !== "anonymous") return;
  const profile = String(own["profile"]);
  const why = own["logged_in"] === true ? "the site does not accept the login" : (own["problem"] ?? "nobody is logged in");
  const hint = loginHint(profile, typeof own["source"] === "string" ? own["source"] : undefined);
  throw new CalError("unauthenticated", `profile ${profile}: ${String(why)}`, { code: "not-logged-in", hint });
}

async function currentRow(context: AuthContext, settings: Settings, check: boolean): Promise<DataRecord> {
  const row = settings.sandbox.value ? await sandboxRow(context) : await profileRow(context, settings);
  return check && row["logged_in"] === true ? { ...row, ...(await checkLogin(context, settings)) } : row;
}

/** The sandbox is nobody's profile, and its access comes with it. */
async function sandboxRow(context: AuthContext): Promise<DataRecord> {
  const access = await (await context.tokens()).getAuthHeader();
  const identity = parseTokenClaims(access?.value ?? "").identity;
  return { profile: "sandbox", current: true, logged_in: true, ...(identity && { identity }), source: "sandbox", store: "none" };
}

async function profileRow(context: AuthContext, settings: Settings): Promise<DataRecord> {
  const source = await findAuthSource({ settings, env: context.env, credentialStore: await context.credentialStore() });
  const profile = settings.profile.value;
  switch (source.kind) {
    case "token":
      return { profile, current: true, logged_in: true, source: source.source, store: "none" };
    case "credentials": {
      const { environmentCredentials } = source;
      const who =
        environmentCredentials.method === "password"
          ? { identity: environmentCredentials.credentials.username, application: environmentCredentials.credentials.clientId }
          : { identity: environmentCredentials.username };
      return {
        profile,
        current: true,
        logged_in: true,
        method: environmentCredentials.method,
        ...who,
        source: environmentCredentials.source,
        store: "none",
      };
    }
    case "stored": {
      const login = await (await context.credentialStore()).findLogin(profile);
      return login === undefined ? { profile, current: true, logged_in: false } : storedRow(context, login, true);
    }
    case "none": {
      const problem = source.missing === undefined ? {} : { problem: `CAL_PASSWORD is set, but not ${source.missing.join(" and ")}` };
      return { profile, current: true, logged_in: false, ...problem };
    }
  }
}

/** A row of the list counts only where the store still holds what the list says. */
async function storedRow(context: AuthContext, login: Login, current: boolean): Promise<DataRecord> {
  const problem = await findLoginProblem(context, login);
  const { profile, ...rest } = toLoginRecord(login);
  return {
    profile,
    current,
    logged_in: problem === undefined,
    ...rest,
    source: login.store,
    ...(problem === undefined ? {} : { problem }),
  };
}

async function findLoginProblem(context: AuthContext, login: Login): Promise<string | undefined> {
  if (!isRefreshable(login) && login.expires_at !== undefined && login.expires_at <= context.clock.now()) return "the session has ended";
  try {
    await (await context.credentialStore()).readSecrets(login, [login.method === "application-password" ? "password" : "access-token"]);
    return undefined;
  } catch (error) {
    if (error instanceof CalError) return error.message;
    throw error;
  }
}

async function checkLogin(context: AuthContext, settings: Settings): Promise<DataRecord> {
  const access = await (await context.tokens()).getAuthHeader();
  if (access === undefined) return { check: "refused" };
  const verdict = await whoAmI(await context.transport(), settings, access);
  return { check: verdict.result, ...(verdict.result === "valid" && verdict.identity !== undefined ? { identity: verdict.identity } : {}) };
}
