// cal auth status: who is logged in where, and with --check whether the site agrees.
import { retryAfterHint } from "../../api/problems.ts";
import { buildUrl, type Query } from "../../api/request.ts";
import type { Login } from "../../auth/credential-store.ts";
import {
  type AuthHeader,
  type AuthSettings,
  loginHint,
  parseJsonBody,
  parseTokenClaims,
  toDisplayName,
  toRecord,
  toText,
} from "../../auth/credentials.ts";
import { findAuthSource } from "../../auth/session.ts";
import type { Settings } from "../../config/settings.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";
import { namespaces } from "../../model/resources.ts";
import { toPlainText } from "../../text.ts";
import { type AuthContext, type AuthHandler, formatExpiry } from "./command.ts";
import { isRefreshable, statusColumns, statusFields, toLoginRecord } from "./save-login.ts";

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

// Asks a site whether it knows us: "valid" only where that is proven, because a public calendar answers everybody.

/** What the site says of an access. `anonymous`: it takes us for a visitor although we present something. */
export type IdentityCheck =
  | { readonly result: "valid"; readonly identity?: string }
  | { readonly result: "refused"; readonly status: number; readonly code?: string }
  | { readonly result: "anonymous" }
  | { readonly result: "not provable" };

/** Where WordPress tells who one is ("not shown" in the interface). */
const currentUserPath = "/wp/v2/users/me";

/** Asks as whom the site at base_url takes us. Rejects with `unavailable` where it can't be reached, or is in trouble. */
export async function whoAmI(transport: Transport, settings: AuthSettings, access: AuthHeader): Promise<IdentityCheck> {
  const get = (path: string, query: Query, presented: AuthHeader | undefined): Promise<HttpResponse> =>
    transport({
      method: "GET",
      url: buildUrl(settings.base_url?.value ?? "", path, query),
      headers: { accept: "application/json", ...(presented === undefined ? {} : { [presented.header]: presented.value }) },
    });
  const own = await get(currentUserPath, [["context", "edit"]], access);
  const body = toRecord(parseJsonBody(own.body)) ?? {};
  if (own.status === 429 || own.status >= 500) throw siteUnavailableError(own, toText(body["message"]));
  if (isSuccess(own) && toText(body["id"]) !== undefined) {
    const identity = toDisplayName(body["username"]) ?? toDisplayName(body["slug"]) ?? toDisplayName(body["name"]);
    return identity === undefined ? { result: "valid" } : { result: "valid", identity };
  }
  const anonymous = toText(body["code"]) === "rest_not_logged_in";
  if (own.status === 401 && !anonymous) return toRefusedCheck(own);
  const list = `/${settings.namespace?.value ?? namespaces.interface}/events`;
  const withAccess = await get(list, [["per_page", "1"]], access);
  if (withAccess.status === 401 || withAccess.status === 403) return toRefusedCheck(withAccess);
  const without = await get(list, [["per_page", "1"]], undefined);
  if (isSuccess(withAccess) && (without.status === 401 || without.status === 403)) return { result: "valid" };
  return anonymous ? { result: "anonymous" } : { result: "not provable" };
}

/** A site under maintenance proves nothing of a login. */
function siteUnavailableError({ status, headers }: HttpResponse, message: string | undefined): CalError {
  const said = toPlainText(message ?? "");
  return new CalError("unavailable", `the site answers ${status}${said === "" ? "" : `: ${said}`}`, {
    status,
    hint: retryAfterHint(headers),
  });
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

function toRefusedCheck(response: HttpResponse): IdentityCheck {
  const code = toText(toRecord(parseJsonBody(response.body))?.["code"]);
  return { result: "refused", status: response.status, ...(code !== undefined && /^[\w-]{1,60}$/.test(code) ? { code } : {}) };
}
