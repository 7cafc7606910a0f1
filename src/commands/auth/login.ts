// cal auth login: gets a login in one of three ways, and keeps it.
import type { Login } from "../../auth/credential-store.ts";
import { readEnvironmentToken } from "../../auth/environment.ts";
import { parseUrl, type Settings } from "../../config/settings.ts";
import { usageError } from "../../errors.ts";
import { type AuthMethod, authMethods } from "../../model/auth.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { type AuthContext, type AuthHandler, getLoginSettings, type LoginResult, requireSetting, resolveStore } from "./command.ts";
import { saveLogin, toLoginRecord } from "./save-login.ts";

const loginFlowLoaders = {
  password: async () => (await import("./login-flows.ts")).loginByPassword,
  browser: async () => (await import("./browser-login.ts")).loginByBrowser,
  "application-password": async () => (await import("./login-flows.ts")).loginByApplicationPassword,
} as const;

/** Answers with the login as it was kept; its secrets are never part of the answer. */
export const login: AuthHandler = async (typed, context) => {
  const known = await getLoginSettings(context);
  await assertNoToken(context);
  // Secrets are bound to the site they are for, so it must be known now.
  requireSetting(known, "base_url");
  const method = await resolveLoginMethod(typed, context, known);
  validateMethodFlags(typed.flags, method);
  const inFile = (await resolveStore(typed, context)) === "file";
  const invocation = inFile ? { ...typed, flags: { ...typed.flags, "insecure-storage": true } } : typed;
  const authUrl = method === "application-password" ? undefined : await promptForAuthUrl(context, known);
  const settings = authUrl === undefined ? known : { ...known, auth_url: { value: authUrl, origin: "answer" } };
  const obtain = await loginFlowLoaders[method]();
  const obtained: LoginResult = await obtain(invocation, context, settings);
  const profileSettings = { ...obtained.profileSettings, ...(authUrl === undefined ? {} : { auth_url: authUrl }) };
  const kept = await saveLogin({ ...obtained, profileSettings }, invocation, context, settings);
  return { kind: "value", value: toLoginRecord(kept), text: formatLoginMessage(kept) };
};

/** A stored login would be passed over as long as the variable is set. */
async function assertNoToken(context: AuthContext): Promise<void> {
  const token = await readEnvironmentToken(context.env);
  if (token !== undefined)
    throw usageError(`${token.source} is set and would be used instead of any login`, { command: `unset ${token.source}` });
}

async function resolveLoginMethod({ flags }: Invocation, context: AuthContext, settings: Settings): Promise<AuthMethod> {
  const given = flags["method"] ?? settings.auth_method?.value;
  const known = authMethods.find((method) => method === given);
  if (known !== undefined) return known;
  if (settings.server?.value === "the-events-calendar") return "application-password";
  const person = await findInteractiveUser(context);
  if (person === undefined)
    throw usageError(
      "how to log in is not known",
      "cal auth login --method password, browser or application-password; which one: cal help auth",
    );
  return person.choose("How do you log in?", [
    { name: "In the browser, on the page of an authentication service", value: "browser" },
    { name: "With user name and password at an authentication service", value: "password" },
    { name: "With an application password of a WordPress site (The Events Calendar)", value: "application-password" },
  ]);
}

/** Flags that one way of logging in reads, and no other. */
const methodSpecificFlags: readonly (readonly [flag: string, method: AuthMethod])[] = [
  ["endpoint", "password"],
  ["client-secret-file", "password"],
  ["remember", "password"],
  ["redirect-url", "browser"],
];

/** A flag that would have no effect is refused: whoever typed it expects another login. */
function validateMethodFlags(flags: Invocation["flags"], method: AuthMethod): void {
  const misfits = methodSpecificFlags.filter(([flag, reader]) => flags[flag] !== undefined && reader !== method);
  if (misfits.length === 0) return;
  throw usageError(
    misfits.map(([flag, reader]) => `--${flag} is for --method ${reader}, and this is ${method}`),
    "cal help auth tells what each way of logging in takes",
  );
}

/** The address of the authentication service, as somebody types it where no setting tells it; undefined where one does, or nobody can be asked. */
async function promptForAuthUrl(context: AuthContext, settings: Settings): Promise<string | undefined> {
  const person = settings.auth_url === undefined ? await findInteractiveUser(context) : undefined;
  const typed = await person?.text({
    message: "Address of the authentication service (from its administrator)",
    validate: (text) => {
      const reading = parseUrl(text);
      return "value" in reading || `this ${reading.problem}`;
    },
  });
  const reading = parseUrl(typed ?? "");
  return "value" in reading ? reading.value : undefined;
}

function formatLoginMessage(kept: Login): string {
  const who = kept.identity ?? "a user whom the service does not name";
  const where = kept.store === "keychain" ? "in the keychain" : "in a file that is not encrypted";
  return `Logged in as ${who} (profile ${kept.profile}); the secrets are ${where}.`;
}
