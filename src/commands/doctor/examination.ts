// One examination: each part of the evidence is asked for once, by whichever check comes first.
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { once } from "../../once.ts";
import type { Evidence } from "./evidence.ts";
import { readFront } from "./front.ts";
import { tryKeychain } from "./keychain.ts";
import { readLogin, visitorOr } from "./login.ts";
import { Unready } from "./unready.ts";

/** The evidence of one examination; nothing is looked at before it is asked for. */
export function createEvidence(context: Context): Evidence {
  const settings = once(() => unready(context.settings(), "the settings can't be read"));
  const front = once(async () => readFront(context, await settings()));
  const reached = once(() => unready(front(), "the site can't be reached"));
  const keychain = once(() => tryKeychain(context));
  const login = once(async () => {
    await reached();
    return readLogin(context, await settings(), keychain);
  });
  const client = once(async () => visitorOr(context, await settings(), await login().catch(() => ({}))));
  return {
    context,
    settings,
    front,
    reached,
    keychain,
    login,
    client: async () => {
      await reached();
      return client();
    },
  };
}

/** Turns a failure that another check tells into the reason why this one is skipped. */
async function unready<T>(part: Promise<T>, why: string): Promise<T> {
  try {
    return await part;
  } catch (error) {
    throw error instanceof CalError ? new Unready(why) : error;
  }
}
