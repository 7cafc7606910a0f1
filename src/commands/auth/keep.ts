// Keeping a login: whose it is, where its secrets go, and what the profile remembers of it.

import { originOf } from "../../auth/binding.ts";
import { isKeychainProblem } from "../../auth/keychain-problem.ts";
import type { Login } from "../../auth/vault/login.ts";
import type { StoreName } from "../../auth/vault/secret-store.ts";
import type { Vault } from "../../auth/vault/vault.ts";
import { profileNamed, withProfile } from "../../config/profiles.ts";
import type { Settings } from "../../config/settings.ts";
import { typedProfile } from "../../config/typed-profile.ts";
import { CalError, usage } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import { personOf } from "../person.ts";
import type { AuthContext } from "./auth-context.ts";
import type { Obtained } from "./obtained.ts";
import { fileInstead } from "./store.ts";

/** Stores a login once it is certain that it is wanted. */
export async function keep(obtained: Obtained, invocation: Invocation, context: AuthContext, settings: Settings): Promise<Login> {
  const vault = await context.vault();
  await assertWanted(obtained, invocation, context, await vault.login(settings.profile.value));
  const login = await stored(obtained, invocation, context, { vault, settings });
  await rememberInProfile(obtained, context, settings);
  return login;
}

/** A login that came through the browser may be somebody else's, and no profile changes hands without a word. */
async function assertWanted(
  { login: { identity }, doubtful }: Obtained,
  { flags }: Invocation,
  context: AuthContext,
  before: Login | undefined,
): Promise<void> {
  const expected = flags["expect-user"];
  if (typeof expected === "string") {
    if (identity === expected) return;
    throw new CalError(
      "unauthenticated",
      `the login is not of ${expected}: ${identity === undefined ? "the service does not tell whose it is" : `it is of ${identity}`}`,
      {
        code: "unexpected-user",
        hint: "log out of the service in the browser, and log in as the right user",
      },
    );
  }
  const changed = before?.identity !== undefined && before.identity !== identity;
  if ((!doubtful && !changed) || context.globals["yes"] === true) return;
  const who = identity ?? "somebody whom the service does not name";
  const person = await personOf(context);
  if (person === undefined) {
    if (!changed) return;
    throw usage(
      `profile ${before.profile} is logged in as ${before.identity}, and this login is of ${who}`,
      "confirm it with --yes, or with --expect-user <name>, or use a profile of its own",
    );
  }
  const question = changed
    ? `The profile was logged in as ${before.identity}. Replace that by ${who}?`
    : `You are logged in as ${who}. Is that right?`;
  if (!(await person.confirm(question, !changed && identity !== undefined))) throw new CalError("declined", "the login was not kept");
}

/** A keychain that was there when it was looked for may refuse all the same. */
async function stored(obtained: Obtained, { flags }: Invocation, context: AuthContext, place: Place): Promise<Login> {
  if (flags["insecure-storage"] === true) return saved(obtained, "file", context, place);
  try {
    return await saved(obtained, "keychain", context, place);
  } catch (error) {
    const person = isKeychainProblem(error) ? await personOf(context) : undefined;
    if (person === undefined || !isKeychainProblem(error)) throw error;
    return saved(obtained, await fileInstead(error, person, context), context, place);
  }
}

interface Place {
  readonly vault: Vault;
  readonly settings: Settings;
}

async function saved({ login, secrets }: Obtained, store: StoreName, context: AuthContext, { vault, settings }: Place): Promise<Login> {
  const [base, auth] = [originOf(settings.base_url?.value), originOf(settings.auth_url?.value)];
  const origins = { ...(base === undefined ? {} : { base_origin: base }), ...(auth === undefined ? {} : { auth_origin: auth }) };
  const profile = settings.profile.value;
  // A password that was kept for the next login goes into a keychain or nowhere; an application password is the login itself.
  const { password: _password, ...others } = secrets;
  const fitting = store === "file" && login.method === "password" ? others : secrets;
  const kept = await vault.alone(profile, () => vault.save({ ...login, profile, store, ...origins }, fitting));
  if (kept.leftover !== undefined) await context.warn(`secrets of the former login could not be removed: ${kept.leftover.message}`);
  if (store === "file") await context.warn(`the secrets are in ${vault.file}: not encrypted, readable by you alone`);
  return kept.login;
}

/** What a profile learns from a login: which site, and who. No secret is among it. */
const learnt: readonly string[] = ["base_url", "auth_url", "namespace", "client_id", "username"];

async function rememberInProfile({ login, remember }: Obtained, context: AuthContext, settings: Settings): Promise<void> {
  const name = settings.profile.value;
  const typed = Object.entries(typedProfile(context.globals)).filter(([key]) => learnt.includes(key));
  const added = { ...Object.fromEntries(typed), ...remember, auth_method: login.method };
  await (await context.configFile()).update((data) => withProfile(data, name, { ...profileNamed(data, name), ...added }));
}
