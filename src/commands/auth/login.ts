// cal auth login: logs in with one of three methods and saves the login.
import { type Login, parseOrigin } from "../../auth/credential-store.ts";
import type { StoreName } from "../../auth/credentials.ts";
import { readEnvironmentToken } from "../../auth/environment.ts";
import { isKeychainError } from "../../auth/keychain.ts";
import { findProfile, parseProfileFlags, withProfile } from "../../config/config-file.ts";
import { parseUrl, type Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError, usageError } from "../../errors.ts";
import { isLoopback } from "../../http/transport.ts";
import { type AuthMethod, authMethods } from "../../model/auth.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Handler, Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { loginByApplicationPassword } from "./application-password-login.ts";
import { loginByBrowser } from "./browser-login.ts";
import { getLoginSettings, type LoginResult, requireSetting, toLoginRecord } from "./command.ts";
import { loginByPassword } from "./password-login.ts";

const loginMethods = { password: loginByPassword, browser: loginByBrowser, "application-password": loginByApplicationPassword } as const;

/** The report holds no secrets. */
export const login: Handler = async (invocation, context) => {
  const known = await getLoginSettings(context);
  const token = await readEnvironmentToken(context.env);
  if (token !== undefined)
    throw usageError(`${token.source} is set and would be used instead of any login`, { command: `unset ${token.source}` });
  // The secrets are for this site only, so it must be known now.
  requireSetting(known, "base_url");
  const method = await resolveLoginMethod(invocation, context, known);
  validateMethodFlags(invocation, method);
  const store = await resolveStore(invocation, context);
  const authUrl = method === "application-password" ? undefined : await promptForAuthUrl(context, known);
  const settings = authUrl === undefined ? known : { ...known, auth_url: { value: authUrl, origin: "answer" } };
  const address = requireSetting(settings, method === "application-password" ? "base_url" : "auth_url");
  if (invocation.flags["remember"] === true && store === "file") {
    throw usageError("--remember keeps the password in the keychain only, so it can't be used with --insecure-storage");
  }
  const { protocol, hostname, origin } = new URL(address);
  if (protocol === "http:" && !isLoopback(hostname))
    await context.warn(`${origin} is not encrypted: everybody on the network can read the password; use https where the site has it`);
  const host = new URL(requireSetting(settings, "base_url")).host;
  const profile = settings.profile.value;
  const user = method === "browser" ? undefined : settings.username?.value;
  if ((await findInteractiveUser(context)) !== undefined)
    await context.notice(`logging in${user === undefined ? "" : ` for ${user}`} at ${host}, profile ${profile}`);
  const result = await loginMethods[method](invocation, context, settings, store);

  await confirmIdentity(result, invocation, context, settings);
  const saved = await saveLogin(result, store, context, settings);
  await saveProfileSettings({ ...result.profileSettings, ...(authUrl && { auth_url: authUrl }), auth_method: method }, context, settings);
  const who = saved.identity ?? "an unnamed user";
  const where = saved.store === "keychain" ? "in the keychain" : "in a file that is not encrypted";
  const text = `Logged in as ${who} at ${host} (profile ${profile}); the secrets are ${where}.`;
  return { kind: "value", value: toLoginRecord(saved), text };
};

async function resolveLoginMethod({ flags }: Invocation, context: Context, settings: Settings): Promise<AuthMethod> {
  const name = flags["method"] ?? settings.auth_method?.value;
  const known = authMethods.find((method) => method === name);
  if (known !== undefined) return known;
  if (settings.server.value === "the-events-calendar") return "application-password";
  const prompt = await findInteractiveUser(context);
  if (prompt === undefined)
    throw usageError("how to log in is not known", [
      "give --method password, --method browser or --method application-password",
      { text: "which one", command: "cal help auth" },
    ]);
  return prompt.choose("How do you log in?", [
    { name: "In the browser, on the page of an authentication service", value: "browser" },
    { name: "With user name and password at an authentication service", value: "password" },
    { name: "With an application password of a WordPress site (The Events Calendar)", value: "application-password" },
  ]);
}

/** The flags that only one method uses. */
const methodFlags = { endpoint: "password", "client-secret-file": "password", remember: "password", "redirect-url": "browser" } as const;

/** A flag without effect is refused: its user expects another login. */
function validateMethodFlags({ flags }: Invocation, method: AuthMethod): void {
  const unused = Object.entries(methodFlags).filter(([flag, only]) => flags[flag] !== undefined && only !== method);
  if (unused.length === 0) return;
  throw usageError(
    unused.map(([flag, only]) => `--${flag} is for --method ${only}, and this is ${method}`),
    { text: "what each way of logging in takes", command: "cal help auth" },
  );
}

/** Where the secrets will be. A user is asked before they type secrets that can't be stored; a script gets the error when they are stored. */
async function resolveStore({ flags }: Invocation, context: Context): Promise<StoreName> {
  if (flags["insecure-storage"] === true) return "file";
  const prompt = await findInteractiveUser(context);
  if (prompt === undefined) return "keychain";
  const error = await (await context.credentialStore()).findStoreError("keychain");
  return error === undefined ? "keychain" : confirmFileStore(error, prompt, context);
}

/** Throws the error of the keychain where the user wants no file. */
async function confirmFileStore(error: CalError, prompt: Prompt, context: Context): Promise<StoreName> {
  await context.warn(error.message);
  if (!(await prompt.confirm("Keep the login in a file that only you can read instead?", false))) throw error;
  return "file";
}

/** Asks for the address of the authentication service. Undefined where a setting has it, or nobody can be asked. */
async function promptForAuthUrl(context: Context, settings: Settings): Promise<string | undefined> {
  const prompt = settings.auth_url === undefined ? await findInteractiveUser(context) : undefined;
  const answer = await prompt?.text({
    message: "Address of the authentication service (from its administrator)",
    validate: (text) => {
      const parsed = parseUrl(text);
      return "value" in parsed || `this ${parsed.problem}`;
    },
  });
  const parsed = parseUrl(answer ?? "");
  return "value" in parsed ? parsed.value : undefined;
}

/** A login in the browser may be of another person, and a profile does not get another user without a question. */
async function confirmIdentity({ login }: LoginResult, { flags }: Invocation, context: Context, settings: Settings): Promise<void> {
  const { identity, method } = login;
  const expected = flags["expect-user"];
  if (typeof expected === "string") {
    if (identity === expected) return;
    const actual = identity === undefined ? "the service does not tell whose it is" : `it is of ${identity}`;
    throw new CalError("unauthenticated", `the login is not of ${expected}: ${actual}`, {
      code: "unexpected-user",
      hint: "log out of the service in the browser, and log in as the right user",
    });
  }
  const before = await (await context.credentialStore()).findLogin(settings.profile.value);
  const changed = before?.identity !== undefined && before.identity !== identity;
  if ((method !== "browser" && !changed) || context.globals["yes"] === true) return;
  const who = identity ?? "an unnamed user";
  const prompt = await findInteractiveUser(context);
  if (prompt === undefined) {
    if (!changed) return;
    throw usageError(
      `profile ${before.profile} is logged in as ${before.identity}, and this login is of ${who}`,
      "confirm it with --yes, or with --expect-user <name>, or use a profile of its own",
    );
  }
  const question = changed
    ? `The profile was logged in as ${before.identity}. Replace that by ${who}?`
    : `You are logged in as ${who}. Is that right?`;
  if (!(await prompt.confirm(question, !changed && identity !== undefined))) throw new CalError("declined", "the login was not kept");
}

/** The keychain may refuse to store a login although it answered before: then the user is asked again. */
async function saveLogin(result: LoginResult, store: StoreName, context: Context, settings: Settings): Promise<Login> {
  const { login, secrets } = result;
  const credentialStore = await context.credentialStore();
  const profile = settings.profile.value;
  const origins = { base_origin: parseOrigin(settings.base_url?.value), auth_origin: parseOrigin(settings.auth_url?.value) };
  // The password that --remember stores is for the keychain only. An application password is the login itself.
  const stored = store === "file" && login.method === "password" ? { ...secrets, password: undefined } : secrets;
  try {
    const { login: saved, cleanupError } = await credentialStore.withLoginLock(profile, () =>
      credentialStore.save({ ...login, profile, store, ...origins }, stored),
    );
    if (cleanupError !== undefined) await context.warn(`secrets of an earlier login could not be removed: ${cleanupError.message}`);
    if (store === "file") await context.warn(`the secrets are in ${credentialStore.filePath}: not encrypted, readable by you alone`);
    return saved;
  } catch (error) {
    const prompt = isKeychainError(error) ? await findInteractiveUser(context) : undefined;
    if (prompt === undefined || !isKeychainError(error)) throw error;
    return saveLogin(result, await confirmFileStore(error, prompt, context), context, settings);
  }
}

/** Stores the site and the user in the profile, and no secret. */
async function saveProfileSettings(found: Readonly<Record<string, string>>, context: Context, settings: Settings): Promise<void> {
  const names = ["base_url", "auth_url", "namespace", "client_id", "username"];
  const fromFlags = Object.fromEntries(Object.entries(parseProfileFlags(context.globals)).filter(([key]) => names.includes(key)));
  const profile = settings.profile.value;
  await (await context.configFile()).update((data) =>
    withProfile(data, profile, { ...findProfile(data, profile), ...fromFlags, ...found }),
  );
}
