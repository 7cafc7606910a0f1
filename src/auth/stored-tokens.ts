// The tokens of a recorded login: read once, renewed before they end, by one process at a time.
import { CalError, messageOf } from "../errors.ts";
import type { AuthHeader, AuthHeaderProvider } from "./access.ts";
import { checkOrigin } from "./binding.ts";
import type { TokenResponse } from "./grant.ts";
import { loginCommand } from "./parts.ts";
import { requestTokenByPassword } from "./password.ts";
import { basicHeader, bearerHeader } from "./presenting.ts";
import { type RefreshMethod, refreshAccessToken } from "./refresh.ts";
import { type AuthHeaderProviderOptions, isExpiring } from "./token-parts.ts";
import type { Login } from "./vault/login.ts";
import type { NewLogin, Secrets } from "./vault/vault.ts";

interface CachedAuthHeader {
  readonly authHeader: AuthHeader;
  readonly expiresAt: number | undefined;
}

/** The tokens of the login of the profile; `session.ts` has seen that there is one. */
export function createStoredAuthHeaderProvider(parts: AuthHeaderProviderOptions): AuthHeaderProvider {
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
