// Who we are to the site: the access, and what the site makes of it.
import type { Client } from "../../api/client.ts";
import { createClient } from "../../api/live-client.ts";
import { type AuthHeader, createStaticAuthHeaderProvider } from "../../auth/access.ts";
import { findAuthSource } from "../../auth/session.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { type IdentityCheck, whoAmI } from "../auth/whoami.ts";
import { CheckSkippedError } from "./unready.ts";

declare const CAL_VERSION: string;

/** Both are absent where nobody is logged in. */
export interface CheckedLogin {
  readonly authHeader?: AuthHeader;
  readonly identityCheck?: IdentityCheck;
}

/** Gets the access as every command does. A login in a keychain that can't be used is not waited for. */
export async function resolveLogin(
  context: Context,
  settings: Settings,
  keychain: () => Promise<CalError | undefined>,
): Promise<CheckedLogin> {
  if (!settings.sandbox.value && (await findLoginSource(context, settings)) === "keychain") {
    const fault = await keychain();
    if (fault !== undefined) throw fault;
  }
  const authHeader = await (await context.tokens()).getAuthHeader();
  if (authHeader === undefined) return {};
  return { authHeader, identityCheck: await whoAmI(await context.transport(), settings, authHeader) };
}

/** Where the login comes from: a variable of the environment, `keychain` or `a file`; undefined where there is none. */
export async function findLoginSource(context: Context, settings: Settings): Promise<string | undefined> {
  const credentialStore = await context.credentialStore();
  const source = await findAuthSource({ settings, env: context.env, credentialStore });
  if (source.kind === "token") return source.source;
  if (source.kind === "credentials") return source.environmentCredentials.source;
  const stored = await credentialStore.findLogin(settings.profile.value);
  return stored?.store === "file" ? "a file" : stored?.store;
}

/** A client that presents the access unless the site refuses it. It rejects with Unready where the site wants a login. */
export async function createCheckClient(
  context: Context,
  { base_url }: Settings,
  { authHeader, identityCheck }: CheckedLogin,
): Promise<Client> {
  const presented = identityCheck?.result === "refused" ? undefined : authHeader;
  const client = createClient({
    transport: await context.transport(),
    baseUrl: base_url?.value ?? "",
    tokens: createStaticAuthHeaderProvider(presented),
    userAgent: `cal/${CAL_VERSION}`,
    loginHint: () => "cal auth login",
  });
  return {
    ...client,
    send: async (request) => {
      try {
        return await client.send(request);
      } catch (error) {
        if (error instanceof CalError && error.kind === "unauthenticated") throw new CheckSkippedError("the site wants a login for this");
        throw error;
      }
    },
  };
}
