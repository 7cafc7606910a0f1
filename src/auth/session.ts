// Which token now? CAL_TOKEN, then complete credentials of the environment, then the login that is recorded for the profile.
import { CalError } from "../errors.ts";
import { once } from "../once.ts";
import { type AuthHeader, type AuthHeaderProvider, createStaticAuthHeaderProvider } from "./access.ts";
import { type EnvironmentCredentials, readEnvironmentCredentials, readEnvironmentToken } from "./environment.ts";
import { type AuthSettings, loginCommand } from "./parts.ts";
import { requestTokenWithFallback } from "./password.ts";
import { basicHeader, bearerHeader } from "./presenting.ts";
import { createStoredAuthHeaderProvider } from "./stored-tokens.ts";
import { type AuthHeaderProviderOptions, isExpiring } from "./token-parts.ts";

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
