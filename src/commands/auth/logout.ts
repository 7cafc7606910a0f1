// cal auth logout: ends the session at the service where it can be ended, and deletes everything that is kept of it.
import { checkOrigin } from "../../auth/binding.ts";
import { readEnvironmentSecret } from "../../auth/environment.ts";
import { isKeychainError } from "../../auth/keychain-problem.ts";
import { revokeTokens } from "../../auth/refresh.ts";
import type { Login } from "../../auth/vault/login.ts";
import type { CredentialStore, Secrets } from "../../auth/vault/vault.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import { type AuthContext, type AuthHandler, getLoginSettings } from "./auth-context.ts";

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
