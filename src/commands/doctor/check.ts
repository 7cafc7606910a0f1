// The parts that the checks of `cal doctor` share: their results, and what several of them look at.
import { createClient } from "../../api/client.ts";
import { buildUrl, type Client } from "../../api/request.ts";
import { type AuthHeader, createStaticAuthHeaderProvider } from "../../auth/credentials.ts";
import { createKeychainSecretStore, getKeychainTimeouts } from "../../auth/keychain.ts";
import { findAuthSource } from "../../auth/session.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { parseJson } from "../../http/json.ts";
import { once } from "../../once.ts";
import { type IdentityCheck, whoAmI } from "../auth/who-am-i.ts";

declare const CAL_VERSION: string;

/** `skipped`: the check is impossible, for a reason that another check or the configuration explains. */
export type CheckState = "ok" | "warning" | "failure" | "skipped";

/** What was found, and what to do about it: as a rule a command that can be pasted. */
export interface Finding {
  readonly state: CheckState;
  readonly found: string;
  readonly advice?: string;
}

/** A check. Where it rejects with a CheckSkippedError it is skipped, with anything else it has failed. */
export interface Check {
  readonly name: string;
  readonly run: (shared: CheckContext) => Promise<Finding>;
}

/** Something that a check needs is missing; the message says what. */
export class CheckSkippedError extends Error {
  override readonly name = "CheckSkippedError";
}

/** Each part is made once, by the first check that needs it. */
export interface CheckContext {
  readonly context: Context;
  /** Rejects with a CheckSkippedError where they can't be read. */
  settings(): Promise<Settings>;
  /** Rejects with the reason as a CalError. */
  restRoot(): Promise<RestRootResponse>;
  /** Rejects with a CheckSkippedError where the site can't be reached. */
  requireRestRoot(): Promise<RestRootResponse>;
  /** What is wrong with the keychain; undefined is nothing. */
  keychainError(): Promise<CalError | undefined>;
  /** Rejects with a CalError where there is no login although there should be one. */
  login(): Promise<CheckedLogin>;
  /** The calendar as the login sees it, or as a visitor does where the site refuses the login. Rejects with a CheckSkippedError. */
  client(): Promise<Client>;
}

/** Both are absent where nobody is logged in. */
export interface CheckedLogin {
  readonly authHeader?: AuthHeader;
  readonly identityCheck?: IdentityCheck;
}

export function createCheckContext(context: Context): CheckContext {
  const settings = once(() => skipOnError(context.settings(), "the settings can't be read"));
  const restRoot = once(async () => fetchRestRoot(context, await settings()));
  const requireRestRoot = once(() => skipOnError(restRoot(), "the site can't be reached"));
  const keychainError = once(() => testKeychain(context));
  const login = once(async (): Promise<CheckedLogin> => {
    await requireRestRoot();
    const known = await settings();
    if (!known.sandbox.value && (await findLoginSource(context, known)) === "keychain") {
      const error = await keychainError();
      // A broken keychain would only be waited for.
      if (error !== undefined) throw error;
    }
    const authHeader = await (await context.tokens()).getAuthHeader();
    if (authHeader === undefined) return {};
    return { authHeader, identityCheck: await whoAmI(await context.transport(), known, authHeader) };
  });
  const client = once(async () => {
    await requireRestRoot();
    return createCheckClient(context, await settings(), await login().catch(() => ({})));
  });
  return { context, settings, restRoot, requireRestRoot, keychainError, login, client };
}

/** Another check reports the error itself. */
async function skipOnError<T>(part: Promise<T>, why: string): Promise<T> {
  try {
    return await part;
  } catch (error) {
    throw error instanceof CalError ? new CheckSkippedError(why) : error;
  }
}

/** Writes, reads back and deletes a text that is no secret. Resolves with the error, or with undefined where the keychain works. */
async function testKeychain({ machine, env, notice }: Context): Promise<CalError | undefined> {
  const timeouts = getKeychainTimeouts(env, machine.platform);
  // With a display, the user may have to type a password into a window.
  const timeout = timeouts.noticeDelay === undefined ? 5000 : 10_000;
  const keychain = createKeychainSecretStore({ program: machine.keychainProgram, env, notice, timeouts: { ...timeouts, timeout } });
  const account = `doctor/${machine.pid}`;
  try {
    await keychain.write([[account, "test"]]);
    const read = (await keychain.read([account])).get(account);
    await keychain.remove([account]);
    return read === "test" ? undefined : new CalError("unauthenticated", "the keychain returned another text than was stored");
  } catch (error) {
    if (error instanceof CalError) return error;
    throw error;
  }
}

/** An answer of the REST root, of any status. Times are of this machine's clock, in milliseconds since 1970. */
export interface RestRootResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly requestedAt: number;
  readonly respondedAt: number;
}

/** Requests {base_url}/ without a login. */
async function fetchRestRoot(context: Context, { base_url }: Settings): Promise<RestRootResponse> {
  if (base_url === undefined) throw new CheckSkippedError("no site is chosen");
  const send = await context.transport();
  const url = buildUrl(base_url.value, "/", []);
  const requestedAt = context.clock.now();
  const { status, headers, body } = await send({ method: "GET", url, headers: { accept: "application/json" } });
  const respondedAt = context.clock.now();
  return { url, status, headers, json: await parseJson(body).catch(() => undefined), requestedAt, respondedAt };
}

/** Where the login comes from: a variable of the environment, `keychain` or `a file`; undefined where there is none. */
export async function findLoginSource(context: Context, settings: Settings): Promise<string | undefined> {
  const credentialStore = await context.credentialStore();
  const source = await findAuthSource({ settings, env: context.env, credentialStore: context.credentialStore });
  if (source.kind === "token") return source.source;
  if (source.kind === "credentials") return source.environmentCredentials.source;
  const stored = await credentialStore.findLogin(settings.profile.value);
  return stored?.store === "file" ? "a file" : stored?.store;
}

async function createCheckClient(context: Context, { base_url }: Settings, { authHeader, identityCheck }: CheckedLogin): Promise<Client> {
  const client = createClient({
    transport: await context.transport(),
    baseUrl: base_url?.value ?? "",
    tokens: createStaticAuthHeaderProvider(identityCheck?.result === "refused" ? undefined : authHeader),
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
