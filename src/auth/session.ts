// Which token now? CAL_TOKEN, then complete credentials of the environment, then the login that is recorded for the profile.
import { CalError } from "../errors.ts";
import { once } from "../once.ts";
import { type Access, fixedAccess, type Tokens } from "./access.ts";
import { type GivenCredentials, givenCredentials, givenToken } from "./environment.ts";
import { type AuthSettings, loginCommand } from "./parts.ts";
import { grantByEitherEndpoint } from "./password.ts";
import { presentPassword, presentToken } from "./presenting.ts";
import { createStoredTokens } from "./stored-tokens.ts";
import { isDue, type TokenParts } from "./token-parts.ts";

/** The tokens of a process. Nothing is read before the first question; calls at the same time share one answer. */
export function createTokens(parts: TokenParts): Tokens {
  const source = once(() => choose(parts));
  return {
    current: async () => (await source()).current(),
    renewed: async (refused) => (await source()).renewed(refused),
  };
}

/** Where a profile's access comes from, as `auth status` tells it. */
export type TokenSource =
  | { readonly kind: "token"; readonly token: string; readonly source: string }
  | { readonly kind: "credentials"; readonly given: GivenCredentials }
  | { readonly kind: "stored" }
  | { readonly kind: "none"; readonly missing?: readonly string[] };

/** Looks for a source in the one order there is; the keychain is not asked. */
export async function findSource({ settings, env, vault }: Pick<TokenParts, "settings" | "env" | "vault">): Promise<TokenSource> {
  const token = await givenToken(env);
  if (token !== undefined) return { kind: "token", token: token.value, source: token.source };
  const given = await givenCredentials(settings, env);
  if (given !== undefined && "method" in given) return { kind: "credentials", given };
  if ((await vault.login(settings.profile.value)) !== undefined) return { kind: "stored" };
  return given === undefined ? { kind: "none" } : { kind: "none", missing: given.missing };
}

async function choose(parts: TokenParts): Promise<Tokens> {
  const source = await findSource(parts);
  switch (source.kind) {
    case "token":
      await warnOfBearer(parts, source.source);
      return fixedAccess(presentToken(parts.settings, source.token, source.source));
    case "credentials":
      if (source.given.method === "application-password") {
        return fixedAccess(presentPassword(source.given.username, source.given.password, source.given.source));
      }
      await warnOfBearer(parts, source.given.source);
      return fromCredentials(parts, source.given);
    case "stored":
      return createStoredTokens(parts);
    case "none":
      // Half a login in the environment is a mistake; going on as an anonymous visitor would hide it.
      if (source.missing !== undefined) throw incomplete(parts.settings, source.missing);
      return fixedAccess();
  }
}

/** Credentials of the environment give tokens that stay in memory. */
function fromCredentials(parts: TokenParts, given: Extract<GivenCredentials, { method: "password" }>): Tokens {
  let held: { readonly access: Access; readonly expiresAt: number | undefined } | undefined;
  let asking: Promise<Access> | undefined;
  const ask = async (): Promise<Access> => {
    const service = { authUrl: parts.settings.auth_url?.value ?? "", transport: await parts.transport(), clock: parts.clock };
    const grant = await grantByEitherEndpoint(service, given.credentials);
    held = { access: presentToken(parts.settings, grant.accessToken, given.source), expiresAt: grant.expiresAt };
    return held.access;
  };
  const shared = (): Promise<Access> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    current: async () => (held !== undefined && !isDue(held.expiresAt, parts.clock) ? held.access : shared()),
    renewed: async (refused) => (held !== undefined && held.access.value !== refused.value ? held.access : shared()),
  };
}

async function warnOfBearer({ settings, warn }: TokenParts, source: string): Promise<void> {
  if (settings.server?.value !== "the-events-calendar") return;
  await warn(
    `${source} is sent as a Bearer token, which sites that run The Events Calendar take for an anonymous visitor: drafts and private events are missing without a word. Log in with --method application-password`,
  );
}

/** Where nothing but the password and its user is known, it may be either kind of password. */
function incomplete({ profile: { value: profile }, auth_url, auth_method }: AuthSettings, missing: readonly string[]): CalError {
  const message = `CAL_PASSWORD is set, but not ${missing.join(" and ")}, and no login is stored for profile ${profile}`;
  const set = `set ${missing.join(", ")}`;
  const either = `${application}; for an authentication service: ${set}; or: ${loginCommand(profile)}`;
  const hint = auth_url === undefined && auth_method === undefined ? either : `${set}, or: ${loginCommand(profile)}`;
  return new CalError("unauthenticated", message, { hint });
}

const application =
  "for an application password of a WordPress site: set CAL_NAMESPACE=tribe/events/v1 (where it runs The Events Calendar), or CAL_AUTH_METHOD=application-password";
