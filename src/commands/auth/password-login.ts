// Logging in by the password flow (sections 4.1 and 4.2 of the interface).

import type { TokenResponse } from "../../auth/grant.ts";
import { type Endpoint, requestTokenByPassword } from "../../auth/password.ts";
import type { Settings } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import { isLoopback } from "../../http/transport.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../person.ts";
import { promptForMissing, readClientSecretInput, readPasswordInput } from "./answers.ts";
import { type AuthContext, requireSetting } from "./auth-context.ts";
import type { LoginResult } from "./obtained.ts";

const passwordPromptFields = {
  clientId: {
    message: "Client id (from the administrator of the authentication service)",
    hidden: false,
    alternatives: "--client-id or CAL_CLIENT_ID",
  },
  clientSecret: {
    message: "Client secret (it comes with the client id)",
    hidden: true,
    alternatives: "CAL_CLIENT_SECRET, CAL_CLIENT_SECRET_FILE or --client-secret-file",
  },
  username: { message: "User name", hidden: false, alternatives: "--username or CAL_USERNAME" },
  password: { message: "Password", hidden: true, alternatives: "--password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE" },
} as const;

/** Asks for what is missing, then for a token. */
export async function loginByPassword(invocation: Invocation, context: AuthContext, settings: Settings): Promise<LoginResult> {
  const authUrl = requireSetting(settings, "auth_url");
  if (invocation.flags["remember"] === true && invocation.flags["insecure-storage"] === true) {
    throw usageError("--remember keeps the password in the keychain only, so it can't be used with --insecure-storage");
  }
  await warnOfPlainHttp(context, authUrl);
  const known = {
    clientId: settings.client_id?.value,
    clientSecret: await readClientSecretInput(invocation, context),
    username: settings.username?.value,
    password: await readPasswordInput(invocation, context),
  };
  const credentials = await promptForMissing(known, passwordPromptFields, context);
  const endpoint: Endpoint = invocation.flags["endpoint"] === "app" ? "app" : "token";
  const service = { authUrl, transport: await context.transport(), clock: context.clock };
  const grant = await requestTokenByPassword(service, endpoint, credentials);
  const remember = invocation.flags["remember"] === true || (await confirmRememberPassword(invocation, context, grant));
  return {
    login: {
      method: "password",
      endpoint,
      username: credentials.username,
      application: credentials.clientId,
      identity: grant.identity ?? credentials.username,
      ...(grant.identityId === undefined ? {} : { identity_id: grant.identityId }),
      ...(grant.expiresAt === undefined ? {} : { expires_at: grant.expiresAt }),
    },
    secrets: {
      "access-token": grant.accessToken,
      "client-secret": credentials.clientSecret,
      ...(grant.refreshToken === undefined ? {} : { "refresh-token": grant.refreshToken }),
      ...(remember ? { password: credentials.password } : {}),
    },
    needsConfirmation: false,
    profileSettings: { client_id: credentials.clientId, username: credentials.username },
  };
}

/** A session that can't be refreshed ends within the hour: worth one question, where there is somebody to ask. */
async function confirmRememberPassword({ flags }: Invocation, context: AuthContext, grant: TokenResponse): Promise<boolean> {
  if (grant.refreshToken !== undefined || flags["remember"] === false || flags["insecure-storage"] === true) return false;
  const person = await findInteractiveUser(context);
  if (person === undefined) return false;
  return person.confirm(
    "This service gives no refresh token. Keep the password in the keychain too, to log in again without asking?",
    false,
  );
}

/** Passwords in the open can be read by everybody on the way. */
export async function warnOfPlainHttp(context: AuthContext, address: string): Promise<void> {
  const url = new URL(address);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    await context.warn(`${url.origin} is not encrypted: everybody on the way can read the password; use https where the site has it`);
  }
}
