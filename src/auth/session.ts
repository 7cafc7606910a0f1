// The header for requests: from CAL_TOKEN, else from complete credentials of the environment, else from the login of the profile.

import type { Settings } from "../config/settings.ts";
import { CalError, messageOf } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import { once } from "../once.ts";
import { type CredentialStore, checkOrigin, getHeaderSecretName, type Login, type Secrets } from "./credential-store.ts";
import {
  type AuthHeader,
  type AuthHeaderProvider,
  basicHeader,
  bearerHeader,
  type Clock,
  createStaticAuthHeaderProvider,
  type Env,
  loginCommand,
} from "./credentials.ts";
import { type EnvironmentCredentials, type LoginPrefix, readEnvironmentCredentials, readEnvironmentToken } from "./environment.ts";
import {
  type RefreshMethod,
  refreshAccessToken,
  requestTokenByPassword,
  requestTokenWithFallback,
  type TokenResponse,
} from "./password.ts";

interface AuthHeaderProviderOptions {
  readonly settings: Settings;
  readonly env: Env;
  /** Which variables hold the login; absent is `CAL_`. */
  readonly loginPrefix?: LoginPrefix | undefined;
  readonly clock: Clock;
  /** Called only when the authentication service is needed. */
  readonly transport: () => Promise<Transport>;
  readonly credentialStore: () => Promise<CredentialStore>;
  readonly warn: (text: string) => Promise<void>;
}

/** Nothing is read before the first call. Calls at the same time share one result. */
export function createAuthHeaderProvider(options: AuthHeaderProviderOptions): AuthHeaderProvider {
  const provider = once(() => createProviderFromSource(options));
  return {
    getAuthHeader: async () => (await provider()).getAuthHeader(),
    refreshAuthHeader: async (rejected) => (await provider()).refreshAuthHeader(rejected),
  };
}

/** Where a profile's login comes from. */
export type AuthSource =
  | { readonly kind: "token"; readonly token: string; readonly source: string }
  | { readonly kind: "credentials"; readonly environmentCredentials: EnvironmentCredentials }
  | { readonly kind: "stored"; readonly login: Login }
  | { readonly kind: "none"; readonly missing?: readonly string[] };

/** Finds the source without a call to the keychain. */
export async function findAuthSource({
  settings,
  env,
  loginPrefix,
  credentialStore,
}: Pick<AuthHeaderProviderOptions, "settings" | "env" | "loginPrefix" | "credentialStore">): Promise<AuthSource> {
  const token = await readEnvironmentToken(env, loginPrefix);
  if (token !== undefined) return { kind: "token", token: token.value, source: token.source };
  const environmentCredentials = await readEnvironmentCredentials(settings, env, loginPrefix);
  if (environmentCredentials !== undefined && "method" in environmentCredentials) return { kind: "credentials", environmentCredentials };
  const login = await (await credentialStore()).findLogin(settings.profile.value);
  if (login !== undefined) return { kind: "stored", login };
  return environmentCredentials === undefined ? { kind: "none" } : { kind: "none", missing: environmentCredentials.missing };
}

async function createProviderFromSource(options: AuthHeaderProviderOptions): Promise<AuthHeaderProvider> {
  const { settings, clock } = options;
  const source = await findAuthSource(options);
  switch (source.kind) {
    case "token":
      await warnOfBearer(options, source.source);
      return createStaticAuthHeaderProvider(bearerHeader(settings, source.token, source.source));
    case "credentials": {
      const environment = source.environmentCredentials;
      if (environment.method === "application-password")
        return createStaticAuthHeaderProvider(basicHeader(environment.username, environment.password, environment.source));
      await warnOfBearer(options, environment.source);
      // These tokens stay in memory.
      return createCachingProvider(clock, async () => {
        const service = { authUrl: settings.auth_url?.value ?? "", transport: await options.transport(), clock };
        const { accessToken, expiresAt } = await requestTokenWithFallback(service, environment.credentials);
        const authHeader = bearerHeader(settings, accessToken, environment.source);
        return { authHeader, renewAt: expiresAt === undefined ? undefined : getRenewalTime(expiresAt, clock.now()) };
      });
    }
    case "stored":
      return createCachingProvider(clock, (rejected) => getStoredHeader(options, rejected));
    case "none":
      // Half a login in the environment is a mistake. An anonymous request would hide it.
      if (source.missing !== undefined) throw incompleteCredentialsError(options, source.missing);
      return createStaticAuthHeaderProvider();
  }
}

async function warnOfBearer({ settings, warn }: AuthHeaderProviderOptions, source: string): Promise<void> {
  if (settings.server.value !== "the-events-calendar") return;
  await warn(
    `${source} is sent as a Bearer token, which sites that run The Events Calendar take for an anonymous visitor: drafts and private events are left out, and no error says so. Log in with --method application-password`,
  );
}

/** Where only the password and its user are known, it may be either kind of password. */
function incompleteCredentialsError({ settings, loginPrefix = "CAL_" }: AuthHeaderProviderOptions, missing: readonly string[]): CalError {
  const { profile, auth_url, auth_method } = settings;
  const message = `a password is in the environment, but not ${missing.join(", ")}, and no login is stored for profile ${profile.value}`;
  const set = `set ${missing.join(", ")}`;
  const namespace = "set CAL_NAMESPACE=tribe/events/v1 (where it runs The Events Calendar)";
  const either = `for an application password of a WordPress site: ${namespace}, or CAL_AUTH_METHOD=application-password; for an authentication service: ${set}; or`;
  const text = auth_url === undefined && auth_method === undefined && loginPrefix === "CAL_" ? either : `${set}, or`;
  return new CalError("unauthenticated", message, { hint: { text, command: loginCommand(profile.value) } });
}

interface CachedAuthHeader {
  readonly authHeader: AuthHeader;
  /** From when on it is replaced, in milliseconds since 1970; undefined is never. */
  readonly renewAt: number | undefined;
}

/** Keeps a header until it is about to expire or is rejected. `request` is called with the value that was rejected. */
function createCachingProvider(clock: Clock, request: (rejected?: string) => Promise<CachedAuthHeader | undefined>): AuthHeaderProvider {
  let cached: CachedAuthHeader | undefined;
  let pending: Promise<CachedAuthHeader | undefined> | undefined;
  const requestOnce = async (rejected?: string): Promise<AuthHeader | undefined> => {
    pending ??= request(rejected).finally(() => {
      pending = undefined;
    });
    cached = await pending;
    return cached?.authHeader;
  };
  return {
    getAuthHeader: async () => (cached !== undefined && !isPast(cached.renewAt, clock) ? cached.authHeader : requestOnce()),
    refreshAuthHeader: async ({ value }) =>
      cached !== undefined && cached.authHeader.value !== value ? cached.authHeader : requestOnce(value),
  };
}

/** Milliseconds before its end from which a token is replaced, at most: it must still be valid when a request that starts now arrives. */
const maxExpiryMargin = 30_000;

/** When a token is replaced that was received at one time and expires at another: the margin is at most a tenth of its lifetime. */
function getRenewalTime(expiresAt: number, receivedAt: number): number {
  return expiresAt - Math.min(maxExpiryMargin, Math.max(0, (expiresAt - receivedAt) / 10));
}

/** A token that nothing can replace is used until its end; one without a known expiry always. */
function getLoginRenewalTime({ expires_at, stored_at, holds }: Login): number | undefined {
  const isReplaceable = holds.includes("refresh-token") || holds.includes("password");
  return expires_at === undefined || !isReplaceable ? expires_at : getRenewalTime(expires_at, stored_at);
}

function isPast(time: number | undefined, clock: Clock): boolean {
  return time !== undefined && time <= clock.now();
}

/** The header of the stored login, refreshed where it is about to expire or was rejected; undefined where nothing can replace it. */
async function getStoredHeader(options: AuthHeaderProviderOptions, rejected?: string): Promise<CachedAuthHeader | undefined> {
  if (rejected === undefined) {
    const login = await findCheckedLogin(options);
    if (login === undefined) return undefined;
    if (!isPast(getLoginRenewalTime(login), options.clock)) {
      const secrets = await (await options.credentialStore()).readSecrets(login, [getHeaderSecretName(login)]);
      return toCachedAuthHeader(options.settings, login, secrets);
    }
  }
  const refreshed = await refreshUnderLock(options, rejected);
  return refreshed === "by-another" ? getStoredHeader(options) : refreshed;
}

/** The login of the profile. Throws where its secrets belong to another origin. */
async function findCheckedLogin({ credentialStore, settings }: AuthHeaderProviderOptions): Promise<Login | undefined> {
  const login = await (await credentialStore()).findLogin(settings.profile.value);
  if (login !== undefined) checkOrigin(login, settings);
  return login;
}

function toCachedAuthHeader(settings: Settings, login: Login, secrets: Secrets): CachedAuthHeader | undefined {
  const { method, username = "", store } = login;
  const secret = secrets[getHeaderSecretName(login)];
  if (secret === undefined) return undefined;
  const authHeader = method === "application-password" ? basicHeader(username, secret, store) : bearerHeader(settings, secret, store);
  return { authHeader, renewAt: getLoginRenewalTime(login) };
}

/** Replaces the token under the lock, unless another process has just replaced it. */
async function refreshUnderLock(
  options: AuthHeaderProviderOptions,
  rejected: string | undefined,
): Promise<CachedAuthHeader | "by-another" | undefined> {
  const { clock, settings } = options;
  const credentialStore = await options.credentialStore();
  return credentialStore.withLoginLock(settings.profile.value, async () => {
    const login = await findCheckedLogin(options);
    if (login === undefined || login.method === "application-password") return undefined;
    // The expiry is enough here: many processes that waited then read the keychain in parallel and not under the lock.
    const isCurrent = !isPast(getLoginRenewalTime(login), clock);
    if (rejected === undefined && isCurrent) return "by-another";
    const secrets = await credentialStore.readSecrets(login, login.holds);
    const stored = toCachedAuthHeader(settings, login, secrets);
    if (rejected !== undefined && stored?.authHeader.value !== rejected && isCurrent) return "by-another";
    const isRefreshable = secrets["refresh-token"] !== undefined || secrets.password !== undefined;
    if (!isRefreshable && rejected !== undefined) return undefined;
    try {
      return await requestAndStoreToken(options, login, secrets);
    } catch (error) {
      // Where the service can't be reached, the token is used as long as it is valid.
      const isValid = rejected === undefined && login.expires_at !== undefined && clock.now() < login.expires_at;
      if (isValid && hasKind(error, "unavailable")) return stored;
      throw error;
    }
  });
}

async function requestAndStoreToken(options: AuthHeaderProviderOptions, login: Login, secrets: Secrets): Promise<CachedAuthHeader> {
  const { tokenResponse, method } = await requestReplacementToken(options, login, secrets);
  const { accessToken, refreshToken, expiresAt } = tokenResponse;
  // Stored before it is used: the old refresh token may be invalid already, and this process may end at any moment.
  await (await options.credentialStore())
    .update(
      login,
      { expires_at: expiresAt, ...(method && { refresh_way: method }) },
      { "access-token": accessToken, "refresh-token": refreshToken },
    )
    .catch((error: unknown) =>
      options.warn(`the new token could not be stored, so the next command may have to log in again (${messageOf(error)})`),
    );
  const renewAt = expiresAt === undefined ? undefined : getRenewalTime(expiresAt, options.clock.now());
  return { authHeader: bearerHeader(options.settings, accessToken, login.store), renewAt };
}

/** By the refresh token, else by the password that `--remember` stored. Rejects with `unauthenticated` where the session has ended. */
async function requestReplacementToken(
  { settings, transport, clock }: AuthHeaderProviderOptions,
  login: Login,
  secrets: Secrets,
): Promise<{ readonly tokenResponse: TokenResponse; readonly method?: RefreshMethod }> {
  const service = { authUrl: settings.auth_url?.value ?? "", transport: await transport(), clock };
  const key = { clientId: login.application ?? "", clientSecret: secrets["client-secret"] ?? "" };
  const { "refresh-token": refreshToken, password } = secrets;
  if (refreshToken !== undefined) {
    try {
      return await refreshAccessToken(service, key, refreshToken, login.refresh_way);
    } catch (error) {
      if (hasKind(error, "unavailable") || (password === undefined && !hasKind(error, "unauthenticated"))) throw error;
    }
  }
  if (password === undefined) {
    throw new CalError("unauthenticated", `the session of profile ${login.profile} has ended`, {
      code: "session-ended",
      hint: { command: loginCommand(login.profile) },
    });
  }
  return {
    tokenResponse: await requestTokenByPassword(service, login.endpoint ?? "token", { ...key, username: login.username ?? "", password }),
  };
}

function hasKind(error: unknown, kind: CalError["kind"]): boolean {
  return error instanceof CalError && error.kind === kind;
}
