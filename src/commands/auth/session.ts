// cal auth logout, token and refresh: the commands for a session that is logged in.
import { type CredentialStore, checkOrigin, type Login } from "../../auth/credential-store.ts";
import { loginCommand, loginHint } from "../../auth/credentials.ts";
import { readEnvironmentSecret } from "../../auth/environment.ts";
import { isKeychainError } from "../../auth/keychain.ts";
import { revokeTokens } from "../../auth/password.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Handler } from "../command.ts";
import { formatIsoTime, getLoginSettings } from "./command.ts";
import { formatExpiry } from "./status.ts";

/** Ends the session at the service, where the service offers that, and deletes the login. The login is also deleted where the service fails; the exit code is then not 0. */
export const logout: Handler = async (_invocation, context) => {
  const settings = await getLoginSettings(context);
  const profile = settings.profile.value;
  const credentialStore = await context.credentialStore();
  for (const name of ["CAL_TOKEN", "CAL_PASSWORD"] as const) {
    const secret = await readEnvironmentSecret(context.env, name);
    if (secret !== undefined) await context.warn(`${secret.source} is set, and commands go on using it`);
  }
  return credentialStore.withLoginLock(profile, async () => {
    const login = await credentialStore.findLogin(profile);
    if (login === undefined) {
      const left = (await context.deleteSecrets(profile)) ? " What an interrupted login had left was deleted." : "";
      return { kind: "value", value: { profile, logged_out: false }, text: `Profile ${profile} was not logged in.${left}` };
    }
    let isRevoked = false;
    let failure: CalError | undefined;
    try {
      isRevoked = await revokeSession(login, credentialStore, context, settings);
    } catch (error) {
      // Secrets that were removed can't be revoked. A locked keychain stops the command: nothing could be deleted.
      if (!(error instanceof CalError) || isKeychainError(error)) throw error;
      failure = error;
    }
    await context.deleteSecrets(profile);
    if (failure !== undefined) {
      throw new CalError(failure.kind, `the login was deleted here, but the session may live on at the service: ${failure.message}`, {
        ...failure.details,
        hint: "end the session at the service itself",
      });
    }
    const place = login.base_origin === undefined ? "" : ` at ${new URL(login.base_origin).host}`;
    return {
      kind: "value",
      value: { profile, logged_out: true, session: isRevoked ? "revoked" : "not revoked" },
      text: `Logged out ${login.identity ?? "the user"}${place} (profile ${profile}). ${describeRemainder(login, isRevoked)}`,
    };
  });
};

/** What of a login is still valid after its secrets were deleted here. */
function describeRemainder({ method }: Login, isRevoked: boolean): string {
  if (method === "application-password")
    return "The application password was deleted here. It stays valid at the site until it is revoked there, under Users > Profile > Application Passwords.";
  if (isRevoked) return "The token was deleted here, and the service ended the session.";
  return "The token was deleted here. The service can't end it, so that it stays valid until it expires.";
}

/** False where the service offers no revocation. */
async function revokeSession(login: Login, credentialStore: CredentialStore, context: Context, settings: Settings): Promise<boolean> {
  const secrets = await credentialStore.readSecrets(login, login.holds);
  if (login.method === "application-password") return false;
  checkOrigin(login, settings);
  const { "access-token": accessToken, "refresh-token": refreshToken } = secrets;
  if (accessToken === undefined || settings.auth_url === undefined) return false;
  const service = { authUrl: settings.auth_url.value, transport: await context.transport(), clock: context.clock };
  const key = { clientId: login.application ?? "", clientSecret: secrets["client-secret"] ?? "" };
  return revokeTokens(service, key, { accessToken, refreshToken });
}

/** Prints the secret of the header, refreshed where it is about to expire; with --header the whole header, with --json its parts. */
export const token: Handler = async ({ flags }, context) => {
  const authHeader = await (await context.tokens()).getAuthHeader();
  if (authHeader === undefined) {
    const profile = (await context.settings()).profile.value;
    throw new CalError("unauthenticated", `nobody is logged in (profile ${profile})`, {
      code: "not-logged-in",
      hint: { command: loginCommand(profile) },
    });
  }
  const { header, value, source } = authHeader;
  const space = value.indexOf(" ");
  const secret = value.slice(space + 1);
  // `authorization` is usually written `Authorization`.
  const headerName = header.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  return {
    kind: "value",
    value: { token: secret, type: value.slice(0, Math.max(space, 0)), header, source },
    text: flags["header"] === true ? `${headerName}: ${value}` : secret,
  };
};

/** Replaces the token now, and reports its expiry. Rejects with `unauthenticated` where nothing can be refreshed. */
export const refresh: Handler = async (_invocation, context) => {
  const settings = await getLoginSettings(context);
  const profile = settings.profile.value;
  const tokens = await context.tokens();
  const old = await tokens.getAuthHeader();
  const refreshed = old === undefined ? undefined : await tokens.refreshAuthHeader(old);
  if (refreshed === undefined) {
    const why =
      old === undefined ? `nobody is logged in (profile ${profile})` : `this login has nothing to refresh it with (${old.source})`;
    throw new CalError("unauthenticated", why, { code: "not-refreshable", hint: loginHint(profile, old?.source) });
  }
  const expires = formatIsoTime((await (await context.credentialStore()).findLogin(profile))?.expires_at);
  const expiry = formatExpiry(expires, context.clock.now(), settings.tz.value, false);
  return {
    kind: "value",
    value: { profile, refreshed: true, source: refreshed.source, ...(expires !== undefined && { expires_at: expires }) },
    text: `Refreshed the token of profile ${profile}${expiry === undefined ? "" : `, valid until ${expiry}`}.`,
  };
};
