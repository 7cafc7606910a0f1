// The tokens of a recorded login: read once, renewed before they end, by one process at a time.
import { CalError, messageOf } from "../errors.ts";
import type { Access, Tokens } from "./access.ts";
import { assertBound } from "./binding.ts";
import type { Grant } from "./grant.ts";
import { loginCommand } from "./parts.ts";
import { grantByPassword } from "./password.ts";
import { presentPassword, presentToken } from "./presenting.ts";
import { type RefreshWay, refreshGrant } from "./refresh.ts";
import { isDue, type TokenParts } from "./token-parts.ts";
import type { Login } from "./vault/login.ts";
import type { NewLogin, Secrets } from "./vault/vault.ts";

interface Held {
  readonly access: Access;
  readonly expiresAt: number | undefined;
}

/** The tokens of the login of the profile; `session.ts` has seen that there is one. */
export function createStoredTokens(parts: TokenParts): Tokens {
  let held: Held | undefined;
  let asking: Promise<Held | undefined> | undefined;
  const shared = async (ask: () => Promise<Held | undefined>): Promise<Access | undefined> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    held = await asking;
    return held?.access;
  };
  return {
    current: async () => (held !== undefined && !isDue(held.expiresAt, parts.clock) ? held.access : shared(() => readOrRenew(parts))),
    renewed: async (refused) =>
      held !== undefined && held.access.value !== refused.value ? held.access : shared(() => renewRefused(parts, refused.value)),
  };
}

async function readOrRenew(parts: TokenParts): Promise<Held | undefined> {
  const login = await boundLogin(parts);
  if (login === undefined) return undefined;
  if (login.method === "application-password" || !isDue(login.expires_at, parts.clock)) return readHeld(parts, login);
  const renewed = await renew(parts, undefined);
  return renewed === "by-another" ? readOrRenew(parts) : renewed;
}

async function renewRefused(parts: TokenParts, refused: string): Promise<Held | undefined> {
  const renewed = await renew(parts, refused);
  return renewed === "by-another" ? readOrRenew(parts) : renewed;
}

/** Replaces the token under the lock, unless another process has just done so. Undefined where nothing can replace it. */
async function renew(parts: TokenParts, refused: string | undefined): Promise<Held | "by-another" | undefined> {
  const { vault, clock, settings } = parts;
  return vault.alone(settings.profile.value, async () => {
    const login = await boundLogin(parts);
    if (login === undefined || login.method === "application-password") return undefined;
    // The list alone tells it, so that twenty who waited read the keychain at once and not one after the other.
    if (refused === undefined && !isDue(login.expires_at, clock)) return "by-another";
    const secrets = await vault.secrets(login, login.holds);
    const stored = heldOf(parts, login, secrets);
    if (refused !== undefined && stored?.access.value !== refused && !isDue(login.expires_at, clock)) return "by-another";
    const renewable = secrets["refresh-token"] !== undefined || secrets.password !== undefined;
    if (!renewable && refused !== undefined) return undefined;
    try {
      return await replaced(parts, login, secrets);
    } catch (error) {
      // A service that can't be reached is no reason to stop while the token still holds.
      if (isUnavailable(error) && refused === undefined && login.expires_at !== undefined && clock.now() < login.expires_at) return stored;
      throw error;
    }
  });
}

async function replaced(parts: TokenParts, login: Login, secrets: Secrets): Promise<Held> {
  const { grant, way } = await granted(parts, login, secrets);
  const changes: Partial<NewLogin> = {
    ...(grant.expiresAt === undefined ? {} : { expires_at: grant.expiresAt }),
    ...(way === undefined ? {} : { refresh_way: way }),
  };
  const fresh = { "access-token": grant.accessToken, ...(grant.refreshToken === undefined ? {} : { "refresh-token": grant.refreshToken }) };
  // Stored before it is used: the old refresh token may be dead already, and this process may end at any moment.
  await parts.vault
    .update(login, changes, fresh)
    .catch((error: unknown) =>
      parts.warn(`the new token could not be stored, so the next command may have to log in again (${messageOf(error)})`),
    );
  return { access: presentToken(parts.settings, grant.accessToken, login.store), expiresAt: grant.expiresAt };
}

/** By the refresh token, else by the password that `--remember` kept; rejects with `unauthenticated` where the session has ended for good. */
async function granted(parts: TokenParts, login: Login, secrets: Secrets): Promise<{ grant: Grant; way?: RefreshWay }> {
  const service = { authUrl: parts.settings.auth_url?.value ?? "", transport: await parts.transport(), clock: parts.clock };
  const key = { clientId: login.application ?? "", clientSecret: secrets["client-secret"] ?? "" };
  const refreshToken = secrets["refresh-token"];
  if (refreshToken !== undefined) {
    try {
      return await refreshGrant(service, key, refreshToken, login.refresh_way);
    } catch (error) {
      if (isUnavailable(error) || (secrets.password === undefined && !isRefused(error))) throw error;
    }
  }
  if (secrets.password === undefined) throw ended(login.profile);
  const credentials = { ...key, username: login.username ?? "", password: secrets.password };
  return { grant: await grantByPassword(service, login.endpoint ?? "token", credentials) };
}

async function boundLogin({ vault, settings }: TokenParts): Promise<Login | undefined> {
  const login = await vault.login(settings.profile.value);
  if (login !== undefined) assertBound(login, settings);
  return login;
}

async function readHeld(parts: TokenParts, login: Login): Promise<Held | undefined> {
  return heldOf(parts, login, await parts.vault.secrets(login, [login.method === "application-password" ? "password" : "access-token"]));
}

function heldOf({ settings }: TokenParts, login: Login, secrets: Secrets): Held | undefined {
  if (login.method === "application-password") {
    const { password } = secrets;
    return password === undefined
      ? undefined
      : { access: presentPassword(login.username ?? "", password, login.store), expiresAt: undefined };
  }
  const token = secrets["access-token"];
  return token === undefined ? undefined : { access: presentToken(settings, token, login.store), expiresAt: login.expires_at };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CalError && error.kind === "unavailable";
}

function isRefused(error: unknown): boolean {
  return error instanceof CalError && error.kind === "unauthenticated";
}

function ended(profile: string): CalError {
  return new CalError("unauthenticated", `the session of profile ${profile} has ended`, {
    code: "session-ended",
    hint: loginCommand(profile),
  });
}
