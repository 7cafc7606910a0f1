// cal auth login: gets a login in one of three ways, and keeps it.
import { givenToken } from "../../auth/environment.ts";
import type { Login } from "../../auth/vault/login.ts";
import type { Settings } from "../../config/settings.ts";
import { readUrl } from "../../config/urls.ts";
import { usage } from "../../errors.ts";
import { type AuthMethod, authMethods } from "../../spec/auth.ts";
import type { Invocation } from "../command.ts";
import { personOf } from "../person.ts";
import { type AuthContext, type AuthHandler, needed, realSettings } from "./auth-context.ts";
import { keep } from "./keep.ts";
import type { Obtained } from "./obtained.ts";
import { loginRecord } from "./record.ts";
import { chosenStore } from "./store.ts";

const methods = {
  password: async () => (await import("./password-login.ts")).loginByPassword,
  browser: async () => (await import("./browser-login.ts")).loginByBrowser,
  "application-password": async () => (await import("./application-login.ts")).loginByApplicationPassword,
} as const;

/** Answers with the login as it was kept; its secrets are never part of the answer. */
export const login: AuthHandler = async (typed, context) => {
  const known = await realSettings(context);
  await assertNoToken(context);
  // Secrets are bound to the site they are for, so it must be known now.
  needed(known, "base_url");
  const method = await chosenMethod(typed, context, known);
  assertFitting(typed.flags, method);
  const inFile = (await chosenStore(typed, context)) === "file";
  const invocation = inFile ? { ...typed, flags: { ...typed.flags, "insecure-storage": true } } : typed;
  const authUrl = method === "application-password" ? undefined : await askedAuthUrl(context, known);
  const settings = authUrl === undefined ? known : { ...known, auth_url: { value: authUrl, origin: "answer" } };
  const obtain = await methods[method]();
  const obtained: Obtained = await obtain(invocation, context, settings);
  const remember = { ...obtained.remember, ...(authUrl === undefined ? {} : { auth_url: authUrl }) };
  const kept = await keep({ ...obtained, remember }, invocation, context, settings);
  return { kind: "value", value: loginRecord(kept), text: sentence(kept) };
};

/** A stored login would be passed over as long as the variable is set. */
async function assertNoToken(context: AuthContext): Promise<void> {
  const token = await givenToken(context.env);
  if (token !== undefined) throw usage(`${token.source} is set and would be used instead of any login`, `unset ${token.source}`);
}

async function chosenMethod({ flags }: Invocation, context: AuthContext, settings: Settings): Promise<AuthMethod> {
  const given = flags["method"] ?? settings.auth_method?.value;
  const known = authMethods.find((method) => method === given);
  if (known !== undefined) return known;
  if (settings.server?.value === "the-events-calendar") return "application-password";
  const person = await personOf(context);
  if (person === undefined)
    throw usage(
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
const onlyFor: readonly (readonly [flag: string, method: AuthMethod])[] = [
  ["endpoint", "password"],
  ["client-secret-file", "password"],
  ["remember", "password"],
  ["redirect-url", "browser"],
];

/** A flag that would have no effect is refused: whoever typed it expects another login. */
function assertFitting(flags: Invocation["flags"], method: AuthMethod): void {
  const misfits = onlyFor.filter(([flag, reader]) => flags[flag] !== undefined && reader !== method);
  if (misfits.length === 0) return;
  throw usage(
    misfits.map(([flag, reader]) => `--${flag} is for --method ${reader}, and this is ${method}`),
    "cal help auth tells what each way of logging in takes",
  );
}

/** The address of the authentication service, as somebody types it where no setting tells it; undefined where one does, or nobody can be asked. */
async function askedAuthUrl(context: AuthContext, settings: Settings): Promise<string | undefined> {
  const person = settings.auth_url === undefined ? await personOf(context) : undefined;
  const typed = await person?.text({
    message: "Address of the authentication service (from its administrator)",
    validate: (text) => {
      const reading = readUrl(text);
      return "value" in reading || `this ${reading.problem}`;
    },
  });
  const reading = readUrl(typed ?? "");
  return "value" in reading ? reading.value : undefined;
}

function sentence(kept: Login): string {
  const who = kept.identity ?? "a user whom the service does not name";
  const where = kept.store === "keychain" ? "in the keychain" : "in a file that is not encrypted";
  return `Logged in as ${who} (profile ${kept.profile}); the secrets are ${where}.`;
}
