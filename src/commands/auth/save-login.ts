// Keeping a login: whose it is, where its secrets go, and what the profile remembers of it.
import { type CredentialStore, type Login, parseOrigin } from "../../auth/credential-store.ts";
import type { StoreName } from "../../auth/credentials.ts";
import { isKeychainError } from "../../auth/keychain.ts";
import { findProfile, parseProfileFlags, withProfile } from "../../config/config-file.ts";
import type { Settings } from "../../config/settings.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, usageError } from "../../errors.ts";
import type { Column } from "../../model/resource.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { type AuthContext, confirmFileStore, type LoginResult } from "./command.ts";

/** Stores a login once it is certain that it is wanted. */
export async function saveLogin(obtained: LoginResult, invocation: Invocation, context: AuthContext, settings: Settings): Promise<Login> {
  const credentialStore = await context.credentialStore();
  await confirmIdentity(obtained, invocation, context, await credentialStore.findLogin(settings.profile.value));
  const login = await saveWithFallback(obtained, invocation, context, { credentialStore, settings });
  await saveProfileSettings(obtained, context, settings);
  return login;
}

/** A login that came through the browser may be somebody else's, and no profile changes hands without a word. */
async function confirmIdentity(
  { login: { identity }, needsConfirmation }: LoginResult,
  { flags }: Invocation,
  context: AuthContext,
  before: Login | undefined,
): Promise<void> {
  const expected = flags["expect-user"];
  if (typeof expected === "string") {
    if (identity === expected) return;
    throw new CalError(
      "unauthenticated",
      `the login is not of ${expected}: ${identity === undefined ? "the service does not tell whose it is" : `it is of ${identity}`}`,
      {
        code: "unexpected-user",
        hint: "log out of the service in the browser, and log in as the right user",
      },
    );
  }
  const changed = before?.identity !== undefined && before.identity !== identity;
  if ((!needsConfirmation && !changed) || context.globals["yes"] === true) return;
  const who = identity ?? "somebody whom the service does not name";
  const person = await findInteractiveUser(context);
  if (person === undefined) {
    if (!changed) return;
    throw usageError(
      `profile ${before.profile} is logged in as ${before.identity}, and this login is of ${who}`,
      "confirm it with --yes, or with --expect-user <name>, or use a profile of its own",
    );
  }
  const question = changed
    ? `The profile was logged in as ${before.identity}. Replace that by ${who}?`
    : `You are logged in as ${who}. Is that right?`;
  if (!(await person.confirm(question, !changed && identity !== undefined))) throw new CalError("declined", "the login was not kept");
}

/** A keychain that was there when it was looked for may refuse all the same. */
async function saveWithFallback(obtained: LoginResult, { flags }: Invocation, context: AuthContext, place: SaveTarget): Promise<Login> {
  if (flags["insecure-storage"] === true) return saveToStore(obtained, "file", context, place);
  try {
    return await saveToStore(obtained, "keychain", context, place);
  } catch (error) {
    const person = isKeychainError(error) ? await findInteractiveUser(context) : undefined;
    if (person === undefined || !isKeychainError(error)) throw error;
    return saveToStore(obtained, await confirmFileStore(error, person, context), context, place);
  }
}

interface SaveTarget {
  readonly credentialStore: CredentialStore;
  readonly settings: Settings;
}

async function saveToStore(
  { login, secrets }: LoginResult,
  store: StoreName,
  context: AuthContext,
  { credentialStore, settings }: SaveTarget,
): Promise<Login> {
  const [base, auth] = [parseOrigin(settings.base_url?.value), parseOrigin(settings.auth_url?.value)];
  const origins = { ...(base === undefined ? {} : { base_origin: base }), ...(auth === undefined ? {} : { auth_origin: auth }) };
  const profile = settings.profile.value;
  // A password that was kept for the next login goes into a keychain or nowhere; an application password is the login itself.
  const { password: _password, ...others } = secrets;
  const fitting = store === "file" && login.method === "password" ? others : secrets;
  const kept = await credentialStore.withLoginLock(profile, () => credentialStore.save({ ...login, profile, store, ...origins }, fitting));
  if (kept.cleanupError !== undefined) await context.warn(`secrets of the former login could not be removed: ${kept.cleanupError.message}`);
  if (store === "file") await context.warn(`the secrets are in ${credentialStore.filePath}: not encrypted, readable by you alone`);
  return kept.login;
}

/** What a profile learns from a login: which site, and who. No secret is among it. */
const profileSettingNames: readonly string[] = ["base_url", "auth_url", "namespace", "client_id", "username"];

async function saveProfileSettings({ login, profileSettings }: LoginResult, context: AuthContext, settings: Settings): Promise<void> {
  const name = settings.profile.value;
  const typed = Object.entries(parseProfileFlags(context.globals)).filter(([key]) => profileSettingNames.includes(key));
  const added = { ...Object.fromEntries(typed), ...profileSettings, auth_method: login.method };
  await (await context.configFile()).update((data) => withProfile(data, name, { ...findProfile(data, name), ...added }));
}

// A login as data for stdout: everything that is known of it and nothing that is secret.

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
