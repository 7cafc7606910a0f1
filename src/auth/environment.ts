// Logins that come from the environment: for CI, where there is no keychain, no terminal and nothing to ask.

import { open } from "node:fs/promises";
import { CalError, messageOf, usageError } from "../errors.ts";
import type { AuthMethod } from "../model/auth.ts";
import { type AuthSettings, type Env, isToken } from "./credentials.ts";
import type { Credentials } from "./password.ts";

/** A secret of the environment and the variable that gave it. */
interface EnvironmentSecret {
  readonly value: string;
  /** `CAL_TOKEN` or `CAL_TOKEN_FILE`, for messages. */
  readonly source: string;
}

/** Complete credentials of the environment; user name and client id may also come from a flag or the profile, which are no secrets. */
export type EnvironmentCredentials =
  | { readonly method: "password"; readonly credentials: Credentials; readonly source: string }
  | { readonly method: "application-password"; readonly username: string; readonly password: string; readonly source: string };

/** A secret by the name of its variable, or from the file that `<name>_FILE` names. Empty is not given. Rejects with `local` where the file can't be read. */
export async function readEnvironmentSecret(
  env: Env,
  name: "CAL_TOKEN" | "CAL_PASSWORD" | "CAL_CLIENT_SECRET",
): Promise<EnvironmentSecret | undefined> {
  const value = env[name];
  if (value !== undefined && value !== "") return { value, source: name };
  const path = env[`${name}_FILE`];
  if (path === undefined || path === "") return undefined;
  return { value: await readSecretFile(path, `${name}_FILE`), source: `${name}_FILE` };
}

/** The first line of a file of at most 64 KiB, without its line end. `origin` says who named the file. */
export async function readSecretFile(path: string, origin: string): Promise<string> {
  const text = await readFileStart(path).catch((error: unknown) => {
    throw new CalError("local", `cannot read the file of ${origin}: ${messageOf(error)}`, {
      cause: error,
      hint: `check its path and its rights: ${path}`,
    });
  });
  const [line = "", ...rest] = text.split(/\r?\n/);
  if (line === "" || rest.some((more) => more !== "")) {
    throw usageError(`the file of ${origin} does not hold one line with the secret`, `write the secret and nothing else into ${path}`);
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
export async function readEnvironmentToken(env: Env): Promise<EnvironmentSecret | undefined> {
  const given = await readEnvironmentSecret(env, "CAL_TOKEN");
  if (given !== undefined && !isToken(given.value)) {
    throw usageError(`${given.source} does not hold a token: it has spaces, line ends or other characters that no token has`);
  }
  return given;
}

/** How a profile without a recorded login logs in: as set, else as sites of its kind do. */
function resolveEnvironmentAuthMethod(settings: AuthSettings): AuthMethod {
  const usual = settings.server?.value === "the-events-calendar" ? "application-password" : "password";
  return settings.auth_method?.value ?? usual;
}

/** Credentials, where the environment has the secrets and everything else is known. `missing` names what would complete them. */
export async function readEnvironmentCredentials(
  settings: AuthSettings,
  env: Env,
): Promise<EnvironmentCredentials | { readonly missing: readonly string[] } | undefined> {
  const password = await readEnvironmentSecret(env, "CAL_PASSWORD");
  if (password === undefined) return undefined;
  const username = settings.username?.value;
  if (resolveEnvironmentAuthMethod(settings) === "application-password") {
    if (username === undefined) return { missing: ["CAL_USERNAME"] };
    return { method: "application-password", username, password: password.value, source: password.source };
  }
  const secret = await readEnvironmentSecret(env, "CAL_CLIENT_SECRET");
  const clientId = settings.client_id?.value;
  if (username === undefined || clientId === undefined || secret === undefined || settings.auth_url === undefined) {
    const missing = [
      ...(username === undefined ? ["CAL_USERNAME"] : []),
      ...(clientId === undefined ? ["CAL_CLIENT_ID"] : []),
      ...(secret === undefined ? ["CAL_CLIENT_SECRET"] : []),
      ...(settings.auth_url === undefined ? ["CAL_AUTH_URL"] : []),
    ];
    return { missing };
  }
  return {
    method: "password",
    credentials: { clientId, clientSecret: secret.value, username, password: password.value },
    source: password.source,
  };
}
