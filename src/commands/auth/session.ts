// cal auth logout: ends the session at the service where it can be ended, and deletes everything that is kept of it.
import { type CredentialStore, checkOrigin, type Login, type Secrets } from "../../auth/credential-store.ts";
import { loginCommand, loginHint } from "../../auth/credentials.ts";
import { readEnvironmentSecret } from "../../auth/environment.ts";
import { isKeychainError } from "../../auth/keychain.ts";
import { revokeTokens } from "../../auth/password.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import { type AuthContext, type AuthHandler, formatExpiry, getLoginSettings } from "./command.ts";
import { formatIsoTime } from "./save-login.ts";

/** What became of the session at the service. */
type Revocation = "revoked" | "not offered by the service" | "failed";

/** Deletes also where the service did not play along; what failed is then told, and the exit code is not 0. */
export const logout: AuthHandler = async (_invocation, context) => {
  const settings = await getLoginSettings(context);
  const profile = settings.profile.value;
  const vault = await context.credentialStore();
  await warnOfEnvironment(context);
  const ended = await vault.withLoginLock(profile, async () => {
    const login = await vault.findLogin(profile);
    return login === undefined ? undefined : endSession(login, context, settings, vault);
  });
  if (ended === undefined) return { kind: "value", value: { profile, logged_out: false }, text: `Profile ${profile} was not logged in.` };
  const { revocation, failure, login } = ended;
  if (failure !== undefined) {
    throw new CalError(failure.kind, `the login was deleted here, but the session may live on at the service: ${failure.message}`, {
      ...failure.details,
      hint: "end the session at the service itself",
    });
  }
  const rest =
    login.method === "application-password"
      ? " The application password stays valid at the site until it is revoked there, under Users > Profile > Application Passwords."
      : "";
  return {
    kind: "value",
    value: { profile, logged_out: true, session: revocation },
    text: `Logged out ${login.identity ?? "the user"} (profile ${profile}); session: ${revocation}.${rest}`,
  };
};

async function endSession(
  login: Login,
  context: AuthContext,
  settings: Settings,
  vault: CredentialStore,
): Promise<{ revocation: Revocation; failure?: CalError; login: Login }> {
  let revocation: Revocation = "not offered by the service";
  let failure: CalError | undefined;
  try {
    const secrets = await vault.readSecrets(login, login.holds);
    if (login.method !== "application-password" && (await revokeSession(login, secrets, context, settings))) revocation = "revoked";
  } catch (error) {
    // Secrets that somebody removed can't be revoked any more; a locked keychain stops everything, because nothing could be deleted.
    if (!(error instanceof CalError) || isKeychainError(error)) throw error;
    revocation = "failed";
    failure = error;
  }
  await vault.remove(login.profile);
  return { revocation, login, ...(failure === undefined ? {} : { failure }) };
}

async function revokeSession(login: Login, secrets: Secrets, context: AuthContext, settings: Settings): Promise<boolean> {
  checkOrigin(login, settings);
  const { "access-token": accessToken, "refresh-token": refreshToken } = secrets;
  if (accessToken === undefined || settings.auth_url === undefined) return false;
  const service = { authUrl: settings.auth_url.value, transport: await context.transport(), clock: context.clock };
  const key = { clientId: login.application ?? "", clientSecret: secrets["client-secret"] ?? "" };
  return revokeTokens(service, key, { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) });
}

async function warnOfEnvironment(context: AuthContext): Promise<void> {
  for (const name of ["CAL_TOKEN", "CAL_PASSWORD"] as const) {
    const given = await readEnvironmentSecret(context.env, name);
    if (given !== undefined) await context.warn(`${given.source} is set, and commands go on using it`);
  }
}

// cal auth token: the one command that prints a secret, for scripts that call the interface themselves.

/** Prints the access as it is now, refreshed where that is due: what stands after the scheme, with --header the whole header, with --json its parts. */
export const token: AuthHandler = async ({ flags }, context) => {
  const access = await (await context.tokens()).getAuthHeader();
  if (access === undefined) {
    const profile = (await context.settings()).profile.value;
    throw new CalError("unauthenticated", `nobody is logged in (profile ${profile})`, {
      code: "not-logged-in",
      hint: loginCommand(profile),
    });
  }
  const space = access.value.indexOf(" ");
  const secret = access.value.slice(space + 1);
  const value = { token: secret, type: space === -1 ? "" : access.value.slice(0, space), header: access.header, source: access.source };
  return { kind: "value", value, text: flags["header"] === true ? `${formatHeaderName(access.header)}: ${access.value}` : secret };
};

/** As headers are usually written: `authorization` is `Authorization`. */
function formatHeaderName(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}

// cal auth refresh: a new token now, whether the old one is over or not.

/** Answers with the new expiry. Rejects with `unauthenticated` where nothing can be refreshed. */
export const refresh: AuthHandler = async (_invocation, context) => {
  const settings = await getLoginSettings(context);
  const profile = settings.profile.value;
  const tokens = await context.tokens();
  const old = await tokens.getAuthHeader();
  const renewed = old === undefined ? undefined : await tokens.refreshAuthHeader(old);
  if (renewed === undefined) {
    const why =
      old === undefined ? `nobody is logged in (profile ${profile})` : `this login has nothing to refresh it with (${old.source})`;
    throw new CalError("unauthenticated", why, { code: "not-refreshable", hint: loginHint(profile, old?.source) });
  }
  const expires = formatIsoTime((await (await context.credentialStore()).findLogin(profile))?.expires_at);
  const until = formatExpiry(expires, { now: context.clock.now(), zone: settings.tz.value, renews: false });
  return {
    kind: "value",
    value: { profile, refreshed: true, source: renewed.source, ...(expires === undefined ? {} : { expires_at: expires }) },
    text: `Refreshed the token of profile ${profile}${until === undefined ? "" : `, valid until ${until}`}.`,
  };
};
