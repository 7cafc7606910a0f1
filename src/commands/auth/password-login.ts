// Logging in with user name and password at an authentication service (sections 4.1 and 4.2 of the interface).
import type { StoreName } from "../../auth/credentials.ts";
import { readEnvironmentSecret, readSecretFile } from "../../auth/environment.ts";
import { requestTokenByPassword } from "../../auth/password.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { clientIdField, type LoginResult, promptForMissing, readPasswordInput, requireSetting } from "./command.ts";

const promptFields = {
  clientId: clientIdField,
  clientSecret: {
    message: "Client secret (it comes with the client id)",
    hidden: true,
    alternatives: "CAL_CLIENT_SECRET, CAL_CLIENT_SECRET_FILE or --client-secret-file",
  },
  username: { message: "User name", hidden: false, alternatives: "--username or CAL_USERNAME" },
  password: { message: "Password", hidden: true, alternatives: "--password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE" },
} as const;

/** Asks for what is missing, and requests a token. */
export async function loginByPassword({ flags }: Invocation, context: Context, settings: Settings, store: StoreName): Promise<LoginResult> {
  const secretFile = flags["client-secret-file"];
  const known = {
    clientId: settings.client_id?.value,
    clientSecret:
      typeof secretFile === "string"
        ? await readSecretFile(secretFile, "--client-secret-file")
        : (await readEnvironmentSecret(context.env, "CAL_CLIENT_SECRET"))?.value,
    username: settings.username?.value,
    password: await readPasswordInput(flags, context),
  };
  const credentials = await promptForMissing(known, promptFields, context);
  const { clientId, clientSecret, username, password } = credentials;
  const endpoint = flags["endpoint"] === "app" ? "app" : "token";
  const service = { authUrl: requireSetting(settings, "auth_url"), transport: await context.transport(), clock: context.clock };
  const { accessToken, refreshToken, expiresAt, identity, identityId } = await requestTokenByPassword(service, endpoint, credentials);
  let remember = flags["remember"] === true;
  if (refreshToken === undefined && flags["remember"] === undefined && store === "keychain") {
    // A session without a refresh token ends within the hour.
    const prompt = await findInteractiveUser(context);
    const question = "This service gives no refresh token. Keep the password in the keychain too, to log in again without asking?";
    remember = prompt !== undefined && (await prompt.confirm(question, false));
  }
  return {
    login: {
      method: "password",
      endpoint,
      username,
      application: clientId,
      identity: identity ?? username,
      identity_id: identityId,
      expires_at: expiresAt,
    },
    secrets: {
      "access-token": accessToken,
      "client-secret": clientSecret,
      "refresh-token": refreshToken,
      password: remember ? password : undefined,
    },
    profileSettings: { client_id: clientId, username },
  };
}
