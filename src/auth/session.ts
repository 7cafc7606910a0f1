// Which token now? CAL_TOKEN, then complete credentials of the environment, then the login that is recorded for the profile.

import { join } from "node:path";
import { CalError, messageOf } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import { once } from "../once.ts";
import { createFileSecretStore, createLock } from "./credential-file.ts";
import {
  type CredentialStore,
  checkOrigin,
  createCredentialStore,
  type Login,
  type NewLogin,
  type Secrets,
  withChunkedSecrets,
} from "./credential-store.ts";
import {
  type AuthHeader,
  type AuthHeaderProvider,
  type AuthSettings,
  type Clock,
  createStaticAuthHeaderProvider,
  type Env,
  loginCommand,
} from "./credentials.ts";
import { type EnvironmentCredentials, readEnvironmentCredentials, readEnvironmentToken } from "./environment.ts";
import { createKeychainSecretStore, type KeychainOptions } from "./keychain.ts";
import {
  basicHeader,
  bearerHeader,
  type RefreshMethod,
  refreshAccessToken,
  requestTokenByPassword,
  requestTokenWithFallback,
  type TokenResponse,
} from "./password.ts";

/** The tokens of a process. Nothing is read before the first question; calls at the same time share one answer. */
export function createAuthHeaderProvider(parts: AuthHeaderProviderOptions): AuthHeaderProvider {
  const source = once(() => createProviderFromSource(parts));
  return {
    getAuthHeader: async () => (await source()).getAuthHeader(),
    refreshAuthHeader: async (refused) => (await source()).refreshAuthHeader(refused),
  };
}

/** Where a profile's access comes from, as `auth status` tells it. */
export type AuthSource =
  | { readonly kind: "token"; readonly token: string; readonly source: string }
  | { readonly kind: "credentials"; readonly environmentCredentials: EnvironmentCredentials }
  | { readonly kind: "stored" }
  | { readonly kind: "none"; readonly missing?: readonly string[] };

/** Looks for a source in the one order there is; the keychain is not asked. */
export async function findAuthSource({
  settings,
  env,
  credentialStore,
}: Pick<AuthHeaderProviderOptions, "settings" | "env" | "credentialStore">): Promise<AuthSource> {
  const token = await readEnvironmentToken(env);
  if (token !== undefined) return { kind: "token", token: token.value, source: token.source };
  const environmentCredentials = await readEnvironmentCredentials(settings, env);
  if (environmentCredentials !== undefined && "method" in environmentCredentials) return { kind: "credentials", environmentCredentials };
  if ((await credentialStore.findLogin(settings.profile.value)) !== undefined) return { kind: "stored" };
  return environmentCredentials === undefined ? { kind: "none" } : { kind: "none", missing: environmentCredentials.missing };
}

async function createProviderFromSource(parts: AuthHeaderProviderOptions): Promise<AuthHeaderProvider> {
  const source = await findAuthSource(parts);
  switch (source.kind) {
    case "token":
      await warnOfBearer(parts, source.source);
      return createStaticAuthHeaderProvider(bearerHeader(parts.settings, source.token, source.source));
    case "credentials":
      if (source.environmentCredentials.method === "application-password") {
        return createStaticAuthHeaderProvider(
          basicHeader(source.environmentCredentials.username, source.environmentCredentials.password, source.environmentCredentials.source),
        );
      }
      await warnOfBearer(parts, source.environmentCredentials.source);
      return createPasswordAuthHeaderProvider(parts, source.environmentCredentials);
    case "stored":
      return createStoredAuthHeaderProvider(parts);
    case "none":
      // Half a login in the environment is a mistake; going on as an anonymous visitor would hide it.
      if (source.missing !== undefined) throw incompleteCredentialsError(parts.settings, source.missing);
      return createStaticAuthHeaderProvider();
  }
}

/** Credentials of the environment give tokens that stay in memory. */
function createPasswordAuthHeaderProvider(
  parts: AuthHeaderProviderOptions,
  given: Extract<EnvironmentCredentials, { method: "password" }>,
): AuthHeaderProvider {
  let held: { readonly access: AuthHeader; readonly expiresAt: number | undefined } | undefined;
  let asking: Promise<AuthHeader> | undefined;
  const ask = async (): Promise<AuthHeader> => {
    const service = { authUrl: parts.settings.auth_url?.value ?? "", transport: await parts.transport(), clock: parts.clock };
    const grant = await requestTokenWithFallback(service, given.credentials);
    held = { access: bearerHeader(parts.settings, grant.accessToken, given.source), expiresAt: grant.expiresAt };
    return held.access;
  };
  const shared = (): Promise<AuthHeader> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    getAuthHeader: async () => (held !== undefined && !isExpiring(held.expiresAt, parts.clock) ? held.access : shared()),
    refreshAuthHeader: async (refused) => (held !== undefined && held.access.value !== refused.value ? held.access : shared()),
  };
}

async function warnOfBearer({ settings, warn }: AuthHeaderProviderOptions, source: string): Promise<void> {
  if (settings.server?.value !== "the-events-calendar") return;
  await warn(
    `${source} is sent as a Bearer token, which sites that run The Events Calendar take for an anonymous visitor: drafts and private events are missing without a word. Log in with --method application-password`,
  );
}

/** Where nothing but the password and its user is known, it may be either kind of password. */
function incompleteCredentialsError(
  { profile: { value: profile }, auth_url, auth_method }: AuthSettings,
  missing: readonly string[],
): CalError {
  const message = `CAL_PASSWORD is set, but not ${missing.join(" and ")}, and no login is stored for profile ${profile}`;
  const set = `set ${missing.join(", ")}`;
  const either = `${applicationPasswordHint}; for an authentication service: ${set}; or: ${loginCommand(profile)}`;
  const hint = auth_url === undefined && auth_method === undefined ? either : `${set}, or: ${loginCommand(profile)}`;
  return new CalError("unauthenticated", message, { hint });
}

const applicationPasswordHint =
  "for an application password of a WordPress site: set CAL_NAMESPACE=tribe/events/v1 (where it runs The Events Calendar), or CAL_AUTH_METHOD=application-password";

// The tokens of a recorded login: read once, renewed before they end, by one process at a time.

interface CachedAuthHeader {
  readonly authHeader: AuthHeader;
  readonly expiresAt: number | undefined;
}

/** The tokens of the login of the profile; `session.ts` has seen that there is one. */
function createStoredAuthHeaderProvider(parts: AuthHeaderProviderOptions): AuthHeaderProvider {
  let held: CachedAuthHeader | undefined;
  let asking: Promise<CachedAuthHeader | undefined> | undefined;
  const shared = async (ask: () => Promise<CachedAuthHeader | undefined>): Promise<AuthHeader | undefined> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    held = await asking;
    return held?.authHeader;
  };
  return {
    getAuthHeader: async () =>
      held !== undefined && !isExpiring(held.expiresAt, parts.clock) ? held.authHeader : shared(() => readOrRefresh(parts)),
    refreshAuthHeader: async (refused) =>
      held !== undefined && held.authHeader.value !== refused.value
        ? held.authHeader
        : shared(() => refreshAfterRejection(parts, refused.value)),
  };
}

async function readOrRefresh(parts: AuthHeaderProviderOptions): Promise<CachedAuthHeader | undefined> {
  const login = await findCheckedLogin(parts);
  if (login === undefined) return undefined;
  if (login.method === "application-password" || !isExpiring(login.expires_at, parts.clock)) return readAuthHeader(parts, login);
  const renewed = await refreshUnderLock(parts, undefined);
  return renewed === "by-another" ? readOrRefresh(parts) : renewed;
}

async function refreshAfterRejection(parts: AuthHeaderProviderOptions, refused: string): Promise<CachedAuthHeader | undefined> {
  const renewed = await refreshUnderLock(parts, refused);
  return renewed === "by-another" ? readOrRefresh(parts) : renewed;
}

/** Replaces the token under the lock, unless another process has just done so. Undefined where nothing can replace it. */
async function refreshUnderLock(
  parts: AuthHeaderProviderOptions,
  refused: string | undefined,
): Promise<CachedAuthHeader | "by-another" | undefined> {
  const { credentialStore, clock, settings } = parts;
  return credentialStore.withLoginLock(settings.profile.value, async () => {
    const login = await findCheckedLogin(parts);
    if (login === undefined || login.method === "application-password") return undefined;
    // The list alone tells it, so that twenty who waited read the keychain at once and not one after the other.
    if (refused === undefined && !isExpiring(login.expires_at, clock)) return "by-another";
    const secrets = await credentialStore.readSecrets(login, login.holds);
    const stored = toCachedAuthHeader(parts, login, secrets);
    if (refused !== undefined && stored?.authHeader.value !== refused && !isExpiring(login.expires_at, clock)) return "by-another";
    const renewable = secrets["refresh-token"] !== undefined || secrets.password !== undefined;
    if (!renewable && refused !== undefined) return undefined;
    try {
      return await requestAndStoreToken(parts, login, secrets);
    } catch (error) {
      // A service that can't be reached is no reason to stop while the token still holds.
      if (isUnavailable(error) && refused === undefined && login.expires_at !== undefined && clock.now() < login.expires_at) return stored;
      throw error;
    }
  });
}

async function requestAndStoreToken(parts: AuthHeaderProviderOptions, login: Login, secrets: Secrets): Promise<CachedAuthHeader> {
  const { tokenResponse, method } = await requestReplacementToken(parts, login, secrets);
  const changes: Partial<NewLogin> = {
    ...(tokenResponse.expiresAt === undefined ? {} : { expires_at: tokenResponse.expiresAt }),
    ...(method === undefined ? {} : { refresh_way: method }),
  };
  const fresh = {
    "access-token": tokenResponse.accessToken,
    ...(tokenResponse.refreshToken === undefined ? {} : { "refresh-token": tokenResponse.refreshToken }),
  };
  // Stored before it is used: the old refresh token may be dead already, and this process may end at any moment.
  await parts.credentialStore
    .update(login, changes, fresh)
    .catch((error: unknown) =>
      parts.warn(`the new token could not be stored, so the next command may have to log in again (${messageOf(error)})`),
    );
  return { authHeader: bearerHeader(parts.settings, tokenResponse.accessToken, login.store), expiresAt: tokenResponse.expiresAt };
}

/** By the refresh token, else by the password that `--remember` kept; rejects with `unauthenticated` where the session has ended for good. */
async function requestReplacementToken(
  parts: AuthHeaderProviderOptions,
  login: Login,
  secrets: Secrets,
): Promise<{ tokenResponse: TokenResponse; method?: RefreshMethod }> {
  const service = { authUrl: parts.settings.auth_url?.value ?? "", transport: await parts.transport(), clock: parts.clock };
  const key = { clientId: login.application ?? "", clientSecret: secrets["client-secret"] ?? "" };
  const refreshToken = secrets["refresh-token"];
  if (refreshToken !== undefined) {
    try {
      return await refreshAccessToken(service, key, refreshToken, login.refresh_way);
    } catch (error) {
      if (isUnavailable(error) || (secrets.password === undefined && !isUnauthenticated(error))) throw error;
    }
  }
  if (secrets.password === undefined) throw sessionEndedError(login.profile);
  const credentials = { ...key, username: login.username ?? "", password: secrets.password };
  return { tokenResponse: await requestTokenByPassword(service, login.endpoint ?? "token", credentials) };
}

async function findCheckedLogin({ credentialStore, settings }: AuthHeaderProviderOptions): Promise<Login | undefined> {
  const login = await credentialStore.findLogin(settings.profile.value);
  if (login !== undefined) checkOrigin(login, settings);
  return login;
}

async function readAuthHeader(parts: AuthHeaderProviderOptions, login: Login): Promise<CachedAuthHeader | undefined> {
  return toCachedAuthHeader(
    parts,
    login,
    await parts.credentialStore.readSecrets(login, [login.method === "application-password" ? "password" : "access-token"]),
  );
}

function toCachedAuthHeader({ settings }: AuthHeaderProviderOptions, login: Login, secrets: Secrets): CachedAuthHeader | undefined {
  if (login.method === "application-password") {
    const { password } = secrets;
    return password === undefined
      ? undefined
      : { authHeader: basicHeader(login.username ?? "", password, login.store), expiresAt: undefined };
  }
  const token = secrets["access-token"];
  return token === undefined ? undefined : { authHeader: bearerHeader(settings, token, login.store), expiresAt: login.expires_at };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CalError && error.kind === "unavailable";
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof CalError && error.kind === "unauthenticated";
}

function sessionEndedError(profile: string): CalError {
  return new CalError("unauthenticated", `the session of profile ${profile} has ended`, {
    code: "session-ended",
    hint: loginCommand(profile),
  });
}

// The vault as the program uses it: a list and a file in the state folder, the keychain through its own program, locks of our own.

/** Where the vault is and what it is reached with; nothing is opened before it is used. */
export interface OpenCredentialStoreOptions {
  /** The state folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly keychain: KeychainOptions;
  /** Has something done when a signal ends the process. */
  readonly atSignal?: (act: () => void) => void;
}

/** The vault of a state folder. */
export function openCredentialStore({ folder, clock, keychain, atSignal }: OpenCredentialStoreOptions): CredentialStore {
  const lock = createLock(join(folder, "locks"), { sleep: clock.sleep, ...(atSignal === undefined ? {} : { atSignal }) });
  const stores = { keychain: withChunkedSecrets(createKeychainSecretStore(keychain)), file: createFileSecretStore(folder, lock) };
  return createCredentialStore({ folder, clock, lock, stores });
}

// What every source of tokens is made of, and when a token counts as over.

/** What tokens are got with. The transport is asked for only when the authentication service is needed. */
interface AuthHeaderProviderOptions {
  readonly settings: AuthSettings;
  readonly env: Env;
  readonly clock: Clock;
  readonly transport: () => Promise<Transport>;
  readonly credentialStore: CredentialStore;
  readonly warn: (text: string) => Promise<void>;
}

/** Milliseconds before its end from which a token is replaced: a call that starts now must still find it valid. */
const expiryMargin = 30_000;

/** Whether a token is over or about to be; one without a known end never is. */
function isExpiring(expiresAt: number | undefined, clock: Clock): boolean {
  return expiresAt !== undefined && expiresAt - clock.now() <= expiryMargin;
}
