// What several checks look at: each part is asked for once, by whichever check comes first.
import type { Client } from "../../api/client.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { Unready } from "./finding.ts";
import { type Front, readFront } from "./front.ts";
import { tryKeychain } from "./keychain.ts";
import { type Login, readLogin, visitorOr } from "./login.ts";

/** The parts. All but `front` and `login` reject with Unready where they can't be had. */
export interface Evidence {
  readonly context: Context;
  settings(): Promise<Settings>;
  /** Rejects with the reason as a CalError. */
  front(): Promise<Front>;
  /** The same, for checks that need the site but do not tell why it can't be reached. */
  reached(): Promise<Front>;
  /** What is wrong with the keychain; undefined is nothing. */
  keychain(): Promise<CalError | undefined>;
  /** Rejects with a CalError where there is no login although there should be one. */
  login(): Promise<Login>;
  /** The calendar as the login sees it, or as a visitor does where that is refused. */
  client(): Promise<Client>;
}

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

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
