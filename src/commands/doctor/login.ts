// Who we are to the site: the access, and what the site makes of it.
import type { Client } from "../../api/client.ts";
import { createClient } from "../../api/live-client.ts";
import { type Access, fixedAccess } from "../../auth/access.ts";
import { findSource } from "../../auth/session.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { type Verdict, whoAmI } from "../auth/whoami.ts";
import { Unready } from "./unready.ts";

declare const CAL_VERSION: string;

/** Both are absent where nobody is logged in. */
export interface Login {
  readonly access?: Access;
  readonly verdict?: Verdict;
}

/** Gets the access as every command does. A login in a keychain that can't be used is not waited for. */
export async function readLogin(context: Context, settings: Settings, keychain: () => Promise<CalError | undefined>): Promise<Login> {
  if (!settings.sandbox.value && (await loginPlace(context, settings)) === "keychain") {
    const fault = await keychain();
    if (fault !== undefined) throw fault;
  }
  const access = await (await context.tokens()).current();
  if (access === undefined) return {};
  return { access, verdict: await whoAmI(await context.transport(), settings, access) };
}

/** Where the login comes from: a variable of the environment, `keychain` or `a file`; undefined where there is none. */
export async function loginPlace(context: Context, settings: Settings): Promise<string | undefined> {
  const vault = await context.vault();
  const source = await findSource({ settings, env: context.env, vault });
  if (source.kind === "token") return source.source;
  if (source.kind === "credentials") return source.given.source;
  const stored = await vault.login(settings.profile.value);
  return stored?.store === "file" ? "a file" : stored?.store;
}

/** A client that presents the access unless the site refuses it. It rejects with Unready where the site wants a login. */
export async function visitorOr(context: Context, { base_url }: Settings, { access, verdict }: Login): Promise<Client> {
  const presented = verdict?.is === "refused" ? undefined : access;
  const client = createClient({
    transport: await context.transport(),
    baseUrl: base_url?.value ?? "",
    tokens: fixedAccess(presented),
    userAgent: `cal/${CAL_VERSION}`,
    login: () => "cal auth login",
  });
  return {
    ...client,
    send: async (request) => {
      try {
        return await client.send(request);
      } catch (error) {
        if (error instanceof CalError && error.kind === "unauthenticated") throw new Unready("the site wants a login for this");
        throw error;
      }
    },
  };
}
