// One examination: each part of the evidence is asked for once, by whichever check comes first.
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { once } from "../../once.ts";
import type { CheckContext } from "./evidence.ts";
import { fetchRestRoot } from "./front.ts";
import { testKeychain } from "./keychain.ts";
import { createCheckClient, resolveLogin } from "./login.ts";
import { CheckSkippedError } from "./unready.ts";

/** The evidence of one examination; nothing is looked at before it is asked for. */
export function createCheckContext(context: Context): CheckContext {
  const settings = once(() => skipOnError(context.settings(), "the settings can't be read"));
  const restRoot = once(async () => fetchRestRoot(context, await settings()));
  const requireRestRoot = once(() => skipOnError(restRoot(), "the site can't be reached"));
  const keychainError = once(() => testKeychain(context));
  const login = once(async () => {
    await requireRestRoot();
    return resolveLogin(context, await settings(), keychainError);
  });
  const client = once(async () => createCheckClient(context, await settings(), await login().catch(() => ({}))));
  return {
    context,
    settings,
    restRoot,
    requireRestRoot,
    keychainError,
    login,
    client: async () => {
      await requireRestRoot();
      return client();
    },
  };
}

/** Turns a failure that another check tells into the reason why this one is skipped. */
async function skipOnError<T>(part: Promise<T>, why: string): Promise<T> {
  try {
    return await part;
  } catch (error) {
    throw error instanceof CalError ? new CheckSkippedError(why) : error;
  }
}
