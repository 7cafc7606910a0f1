// What the auth commands share: the settings of a login, its secrets from flags, stdin, files and variables, questions, and its report.
import type { Login, NewLogin, Secrets } from "../../auth/credential-store.ts";
import { loginCommand } from "../../auth/credentials.ts";
import { readEnvironmentSecret, readSecretFile } from "../../auth/environment.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context, Flags } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, usageError } from "../../errors.ts";
import { toKebabCase } from "../../model/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { findInteractiveUser } from "../prompt-user.ts";

/** A login that works and is not saved yet. */
export interface LoginResult {
  /** Profile, store and origins are added when it is saved. */
  readonly login: Omit<NewLogin, "profile" | "store" | "base_origin" | "auth_origin">;
  readonly secrets: Secrets;
  /** Settings for the profile. */
  readonly profileSettings: Readonly<Record<string, string>>;
}

/** The settings for a command that changes a login. Throws `usage` for the sandbox, which has no logins, and under --dry-run. */
export async function getLoginSettings(context: Context): Promise<Settings> {
  // A dry run would print requests with secrets.
  if (context.globals["dry-run"] === true)
    throw usageError("--dry-run can't be used here: logging in and out is done or not done", "leave --dry-run out");
  const settings = await context.settings();
  if (!settings.sandbox.value) return settings;
  throw usageError(
    `the sandbox needs no login: every command is its administrator there (${settings.sandbox.origin})`,
    settings.sandbox.origin === "environment CAL_SANDBOX"
      ? { text: "to log in to a site of your own", command: "unset CAL_SANDBOX" }
      : "leave --sandbox out",
  );
}

/** A setting that a login needs. Throws `usage` where it is missing. */
export function requireSetting(settings: Settings, name: "auth_url" | "base_url"): string {
  const setting = settings[name];
  if (setting !== undefined) return setting.value;
  if (name === "base_url")
    throw usageError("the address of the calendar is not known: base_url is not set", [
      { text: "find the calendar of a site", command: "cal init <site-url>" },
      "or give its address: --base-url <address>",
    ]);
  throw usageError("the address of the authentication service is not known: auth_url is not set", [
    "ask its administrator for it",
    { command: `cal config set ${name} <address>` },
    `or --${toKebabCase(name)} <address>`,
    { text: "a WordPress site has none", command: loginCommand(settings.profile.value, "--method application-password") },
  ]);
}

/** The password of --password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE; undefined where the user is to be asked. */
export async function readPasswordInput(flags: Flags, { io, env }: Context): Promise<string | undefined> {
  if (flags["password-stdin"] === true && flags["password-file"] !== undefined)
    throw usageError("--password-stdin and --password-file are two passwords; give one");
  if (flags["password-stdin"] === true) {
    if (io.stdin.isTTY)
      throw usageError(
        "--password-stdin reads the password from a pipe, and stdin is a terminal",
        "leave it out to be asked for the password",
      );
    const line = (await io.stdin.text()).replace(/\r?\n$/, "");
    if (line === "" || /[\r\n]/.test(line))
      throw usageError("standard input does not hold one line with the password", {
        command: "printf '%s' \"$PASSWORD\" | cal auth login --password-stdin",
      });
    return line;
  }
  if (typeof flags["password-file"] === "string") return readSecretFile(flags["password-file"], "--password-file");
  return (await readEnvironmentSecret(env, "CAL_PASSWORD"))?.value;
}

interface PromptField {
  readonly message: string;
  readonly hidden: boolean;
  /** How to give it without a terminal: `CAL_USERNAME or --username`. */
  readonly alternatives: string;
}

export const clientIdField: PromptField = {
  message: "Client id (from the administrator of the authentication service)",
  hidden: false,
  alternatives: "--client-id or CAL_CLIENT_ID",
};

/** Asks for every value that is missing or empty. Throws `usage` that names all of them without a terminal. */
export async function promptForMissing<K extends string>(
  known: Readonly<Record<K, string | undefined>>,
  fields: Readonly<Record<K, PromptField>>,
  context: Context,
): Promise<Readonly<Record<K, string>>> {
  const names = Object.keys(fields) as K[];
  const missing = names.filter((name) => !known[name]).map((name) => fields[name]);
  const prompt = missing.length === 0 ? undefined : await findInteractiveUser(context);
  if (missing.length > 0 && prompt === undefined) {
    const problems = missing.map(
      ({ message, alternatives }) => `${message.toLowerCase()} is missing, and there is no terminal: give it with ${alternatives}`,
    );
    throw usageError(problems, { text: "all the ways", command: "cal help auth login" });
  }
  const answers: Partial<Record<K, string>> = {};
  for (const name of names) answers[name] = known[name] || (prompt && (await promptForField(fields[name], prompt)));
  return answers as Readonly<Record<K, string>>;
}

async function promptForField({ message, hidden }: PromptField, prompt: Prompt): Promise<string> {
  const answer = hidden
    ? await prompt.secret(message)
    : await prompt.text({ message, validate: (text) => text !== "" || "this is needed" });
  if (answer === "") throw new CalError("declined", `nothing was typed for: ${message}`, { hint: { command: "cal auth login" } });
  return answer;
}

/** A login as data for stdout, without secrets. Times are ISO 8601 in UTC; unknown values are absent. */
export function toLoginRecord(login: Login): DataRecord {
  const { profile, method, identity, identity_id, application, store } = login;
  const [expires_at, stored_at] = [formatIsoTime(login.expires_at), formatIsoTime(login.stored_at)];
  const known = Object.entries({ identity, identity_id, application, store, expires_at, stored_at });
  return {
    profile,
    method,
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    refreshable: isRefreshable(login),
  };
}

/** Whether the login can outlive its token without an answer of the user. */
export function isRefreshable({ holds, method }: Login): boolean {
  return method === "application-password" || holds.includes("refresh-token") || holds.includes("password");
}

/** Milliseconds since 1970 as ISO 8601. */
export function formatIsoTime(ms: number | undefined): string | undefined {
  return ms === undefined || !(Math.abs(ms) < 8.64e15) ? undefined : new Date(ms).toISOString();
}
