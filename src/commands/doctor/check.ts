// What a check of `cal doctor` is, and what it finds.
import { createClient } from "../../api/client.ts";
import { buildUrl, type Client } from "../../api/request.ts";
import { type AuthHeader, createStaticAuthHeaderProvider } from "../../auth/credentials.ts";
import { findAuthSource } from "../../auth/session.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { parseJson } from "../../http/json.ts";
import { type IdentityCheck, whoAmI } from "../auth/status.ts";

/** `skipped`: the check can't be made, which another check or the set-up explains. */
export type CheckState = "ok" | "warning" | "failure" | "skipped";

/** What was seen, and what to do about it: where there is something to do, a command that can be pasted. */
export interface Finding {
  readonly state: CheckState;
  readonly found: string;
  readonly advice?: string;
}

/** A finding by the name of its check: a row of the answer. */
export interface NamedFinding extends Finding {
  readonly check: string;
}

/** A check. It may reject: with Unready it is skipped, with anything else it has failed. */
export interface Check {
  readonly name: string;
  readonly run: (evidence: CheckContext) => Promise<Finding>;
}

// What several checks look at, as a type.

/** The parts. All but `front` and `login` reject with Unready where they can't be had. */
export interface CheckContext {
  readonly context: Context;
  settings(): Promise<Settings>;
  /** Rejects with the reason as a CalError. */
  restRoot(): Promise<RestRootResponse>;
  /** The same, for checks that need the site but do not tell why it can't be reached. */
  requireRestRoot(): Promise<RestRootResponse>;
  /** What is wrong with the keychain; undefined is nothing. */
  keychainError(): Promise<CalError | undefined>;
  /** Rejects with a CalError where there is no login although there should be one. */
  login(): Promise<CheckedLogin>;
  /** The calendar as the login sees it, or as a visitor does where that is refused. */
  client(): Promise<Client>;
}

// Why a check is skipped.

/** Thrown where something that a check needs is not there; the message says what. */
export class CheckSkippedError extends Error {
  override readonly name = "Unready";
}

// The first thing that is seen of a site: what its REST root answers, to nobody in particular.

/** An answer of the REST root, of any status. Times are of our own clock, in milliseconds since 1970. */
export interface RestRootResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly requestedAt: number;
  readonly respondedAt: number;
}

/** Asks for {base_url}/ without any login. Rejects with Unready where no site is chosen, else as the transport does. */
export async function fetchRestRoot(context: Context, { base_url }: Settings): Promise<RestRootResponse> {
  if (base_url === undefined) throw new CheckSkippedError("no site is chosen");
  const send = await context.transport();
  const url = buildUrl(base_url.value, "/", []);
  const requestedAt = context.clock.now();
  const { status, headers, body } = await send({ method: "GET", url, headers: { accept: "application/json" } });
  const respondedAt = context.clock.now();
  return { url, status, headers, json: await parseJson(body).catch(() => undefined), requestedAt, respondedAt };
}

// Who we are to the site: the access, and what the site makes of it.

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
