// Logins from environment variables, for CI: there is no keychain, no terminal and nobody to ask.

import { open } from "node:fs/promises";
import type { Settings } from "../config/settings.ts";
import { CalError, messageOf, usageError } from "../errors.ts";
import { type Env, isToken } from "./credentials.ts";
import type { Credentials } from "./password.ts";

/** Complete credentials. User name and client id are no secrets, so they may also come from a flag or the profile. */
export type EnvironmentCredentials =
  | { readonly method: "password"; readonly credentials: Credentials; readonly source: string }
  | { readonly method: "application-password"; readonly username: string; readonly password: string; readonly source: string };

/** Which variables hold the login of a site: `CAL_TOKEN` and so on, or those of the site that `--to` names. */
export type LoginPrefix = "CAL_" | "CAL_TO_";

/** A secret, from the variable of this name or from the file that `<name>_FILE` names; `source` is the variable. An empty variable counts as unset. */
export async function readEnvironmentSecret(
  env: Env,
  name: `${LoginPrefix}${"TOKEN" | "PASSWORD" | "CLIENT_SECRET"}` | "CAL_TO_USERNAME",
): Promise<{ readonly value: string; readonly source: string } | undefined> {
  if (env[name]) return { value: env[name], source: name };
  const source = `${name}_FILE`;
  const path = env[source];
  return path ? { value: await readSecretFile(path, source), source } : undefined;
}

/** The first line of a file of at most 64 KiB, without its line end. Messages name `source`, the flag or variable with the path. */
export async function readSecretFile(path: string, source: string): Promise<string> {
  const text = await readFileStart(path).catch((error: unknown) => {
    throw new CalError("local", `cannot read the file of ${source}: ${messageOf(error)}`, {
      cause: error,
      hint: `check its path and its rights: ${path}`,
    });
  });
  const [line = "", ...rest] = text.split(/\r?\n/);
  if (line === "" || rest.some((more) => more !== "")) {
    throw usageError(`the file of ${source} does not hold one line with the secret`, `write the secret and nothing else into ${path}`);
  }
  return line;
}

async function readFileStart(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The token of CAL_TOKEN or CAL_TOKEN_FILE. Throws `usage` where it can't be one. */
export async function readEnvironmentToken(env: Env, prefix: LoginPrefix = "CAL_"): ReturnType<typeof readEnvironmentSecret> {
  const token = await readEnvironmentSecret(env, `${prefix}TOKEN`);
  if (token !== undefined && !isToken(token.value)) {
    throw usageError(`${token.source} does not hold a token: it has spaces, line ends or other characters that no token has`);
  }
  return token;
}

/** Credentials, where CAL_PASSWORD is set; `missing` names the variables that would complete them. */
export async function readEnvironmentCredentials(
  settings: Settings,
  env: Env,
  prefix: LoginPrefix = "CAL_",
): Promise<EnvironmentCredentials | { readonly missing: readonly string[] } | undefined> {
  const password = await readEnvironmentSecret(env, `${prefix}PASSWORD`);
  if (password === undefined) return undefined;
  const { value, source } = password;
  // CAL_USERNAME is a setting, but only of the site that the command works with.
  const ownName = prefix === "CAL_TO_" ? await readEnvironmentSecret(env, "CAL_TO_USERNAME") : undefined;
  const username = ownName?.value ?? settings.username?.value;
  const method = settings.auth_method?.value ?? (settings.server.value === "the-events-calendar" ? "application-password" : "password");
  if (method === "application-password") {
    return username === undefined ? { missing: [`${prefix}USERNAME`] } : { method, username, password: value, source };
  }
  const secret = await readEnvironmentSecret(env, `${prefix}CLIENT_SECRET`);
  const clientId = settings.client_id?.value;
  if (username === undefined || clientId === undefined || secret === undefined || settings.auth_url === undefined) {
    const [clientIdName, authUrlName] = prefix === "CAL_" ? ["CAL_CLIENT_ID", "CAL_AUTH_URL"] : ["its client_id", "its auth_url"];
    const needed = [
      [`${prefix}USERNAME`, username],
      [clientIdName, clientId],
      [`${prefix}CLIENT_SECRET`, secret],
      [authUrlName, settings.auth_url],
    ] as const;
    return { missing: needed.flatMap(([name, found]) => (found === undefined ? [name] : [])) };
  }
  return { method: "password", credentials: { clientId, clientSecret: secret.value, username, password: value }, source };
}
