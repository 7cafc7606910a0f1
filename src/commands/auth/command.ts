// What the commands over logins need of the context.
import type { NewLogin, Secrets } from "../../auth/credential-store.ts";
import { loginCommand, type StoreName } from "../../auth/credentials.ts";
import { readEnvironmentSecret, readSecretFile } from "../../auth/environment.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { epochToWall } from "../../dates/zone.ts";
import { CalError, usageError } from "../../errors.ts";
import { toKebabCase } from "../../model/resource.ts";
import type { Report } from "../../output/report.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";

/** The part of the context that these commands use. */
export type AuthContext = Pick<
  Context,
  | "io"
  | "env"
  | "clock"
  | "globals"
  | "say"
  | "notice"
  | "warn"
  | "settings"
  | "configFile"
  | "prompt"
  | "transport"
  | "tokens"
  | "credentialStore"
  | "openBrowser"
>;

/** A handler over logins. */
export type AuthHandler = (invocation: Invocation, context: AuthContext) => Promise<Report>;

/** The settings of a login that is to be changed. Throws `usage` under --dry-run, because its requests would print secrets, and for the sandbox, which has no logins to keep. */
export async function getLoginSettings(context: AuthContext): Promise<Settings> {
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

/** A setting that a login can't do without. Throws `usage` where it is missing. */
export function requireSetting(settings: Settings, name: "auth_url" | "base_url"): string {
  const setting = settings[name];
  if (setting !== undefined) return setting.value;
  const set = `cal config set ${name} <address>, or --${toKebabCase(name)} <address>`;
  if (name === "base_url") throw usageError("the address of the calendar is not known: base_url is not set", set);
  throw usageError(
    "the address of the authentication service is not known: auth_url is not set",
    `its administrator tells it: ${set}; a WordPress site has none: ${loginCommand(settings.profile.value, "--method application-password")}`,
  );
}

// The answers that a login needs, from where they may come: flags, standard input, files, the environment, a person. Never from a secret's flag.

/** Something to ask for, with the ways to give it without a terminal. */
interface PromptField {
  readonly message: string;
  readonly hidden: boolean;
  /** How it is given where nobody can be asked: `CAL_USERNAME or --username`. */
  readonly alternatives: string;
}

/** The password from --password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE; undefined where it is to be asked for. */
export async function readPasswordInput({ flags }: Invocation, context: AuthContext): Promise<string | undefined> {
  if (flags["password-stdin"] === true && flags["password-file"] !== undefined)
    throw usageError("--password-stdin and --password-file are two passwords; give one");
  if (flags["password-stdin"] === true) {
    if (context.io.stdin.isTTY)
      throw usageError(
        "--password-stdin reads the password from a pipe, and stdin is a terminal",
        "leave it out to be asked for the password",
      );
    return parseSingleLine(await context.io.stdin.text());
  }
  if (typeof flags["password-file"] === "string") return readSecretFile(flags["password-file"], "--password-file");
  return (await readEnvironmentSecret(context.env, "CAL_PASSWORD"))?.value;
}

/** The client secret from --client-secret-file, CAL_CLIENT_SECRET or CAL_CLIENT_SECRET_FILE; undefined where it is to be asked for. */
export async function readClientSecretInput({ flags }: Invocation, context: AuthContext): Promise<string | undefined> {
  if (typeof flags["client-secret-file"] === "string") return readSecretFile(flags["client-secret-file"], "--client-secret-file");
  return (await readEnvironmentSecret(context.env, "CAL_CLIENT_SECRET"))?.value;
}

function parseSingleLine(text: string): string {
  const line = text.replace(/\r?\n$/, "");
  if (line === "" || /[\r\n]/.test(line))
    throw usageError(
      "standard input does not hold one line with the password",
      "printf '%s' \"$PASSWORD\" | cal auth login --password-stdin",
    );
  return line;
}

/** Asks for all that is missing. Throws `usage` that names all of it where there is nobody to ask. */
export async function promptForMissing<K extends string>(
  known: Readonly<Record<K, string | undefined>>,
  wanted: Readonly<Record<K, PromptField>>,
  context: AuthContext,
): Promise<Readonly<Record<K, string>>> {
  const names = Object.keys(wanted) as K[];
  const missing = names.filter((name) => known[name] === undefined || known[name] === "");
  const prompt =
    missing.length === 0
      ? undefined
      : await openPrompt(
          missing.map((name) => wanted[name]),
          context,
        );
  const answers: Partial<Record<K, string>> = {};
  for (const name of names)
    answers[name] = missing.includes(name) && prompt !== undefined ? await promptForField(prompt, wanted[name]) : (known[name] ?? "");
  return answers as Readonly<Record<K, string>>;
}

async function promptForField(prompt: Prompt, { message, hidden }: PromptField): Promise<string> {
  const answer = hidden
    ? await prompt.secret(message)
    : await prompt.text({ message, validate: (text) => text !== "" || "this is needed" });
  if (answer === "") throw new CalError("declined", `nothing was typed for: ${message}`, { hint: { command: "cal auth login" } });
  return answer;
}

async function openPrompt(missing: readonly PromptField[], context: AuthContext): Promise<Prompt> {
  return context.prompt().catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    throw usageError(
      missing.map(
        ({ message, alternatives }) => `${message.toLowerCase()} is missing, and there is nobody to ask: give it with ${alternatives}`,
      ),
      "cal help auth login lists all the ways",
    );
  });
}

// The end of a token as people read it: on their own clock, and how far off it is.

const minuteMs = 60_000;
/** Larger units begin where two of them are full. */
const timeUnits = [
  ["days", 1440 * minuteMs],
  ["hours", 60 * minuteMs],
  ["min", minuteMs],
] as const;

/** `2027-01-15 15:00 (in 3 hours)`, no longer than a table has room for; undefined for what is no time. What is over may be renewed by itself. */
export function formatExpiry(
  iso: unknown,
  { now, zone, renews: refreshable }: { now: number; zone: string; renews: boolean },
): string | undefined {
  const epoch = typeof iso === "string" ? Date.parse(iso) : Number.NaN;
  const wall = Number.isNaN(epoch) ? undefined : epochToWall(epoch, zone);
  return wall === undefined
    ? undefined
    : `${wall.slice(0, 16)} (${formatRelativeTime(epoch - now)}${refreshable && epoch < now ? ", renews" : ""})`;
}

function formatRelativeTime(ms: number): string {
  const [name, length] = timeUnits.find(([, unit]) => Math.abs(ms) >= 2 * unit) ?? ["min", minuteMs];
  const many = `${Math.max(1, Math.floor(Math.abs(ms) / length))} ${name}`;
  return ms < 0 ? `${many} ago` : `in ${many}`;
}

// Where a new login is kept: in the keychain, or in a file where somebody wants that.

/** Settles it before anything is typed: nobody should type secrets that can't be kept. A script is told when they are kept. */
export async function resolveStore({ flags }: Invocation, context: AuthContext): Promise<StoreName> {
  if (flags["insecure-storage"] === true) return "file";
  const person = await findInteractiveUser(context);
  if (person === undefined) return "keychain";
  const fault = await (await context.credentialStore()).findStoreError("keychain");
  return fault === undefined ? "keychain" : confirmFileStore(fault, person, context);
}

/** Asks a person whether a file will do. Throws what is wrong with the keychain where it will not. */
export async function confirmFileStore(fault: CalError, person: Prompt, context: AuthContext): Promise<StoreName> {
  await context.warn(fault.message);
  if (!(await person.confirm("Keep the login in a file that only you can read instead?", false))) throw fault;
  return "file";
}

// What a way of logging in hands over to be kept.

/** A login that works but is not stored yet. */
export interface LoginResult {
  /** What its row will say; profile, store and origins are added when it is kept. */
  readonly login: Omit<NewLogin, "profile" | "store" | "base_origin" | "auth_origin">;
  readonly secrets: Secrets;
  /** Whether it came through a browser, where it could be another person's: then the user is asked whether it is theirs. */
  readonly needsConfirmation: boolean;
  /** Settings that were typed or found on the way, for the profile. */
  readonly profileSettings: Readonly<Record<string, string>>;
}
