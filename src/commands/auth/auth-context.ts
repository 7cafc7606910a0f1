// What the commands over logins need of the context.
import { loginCommand } from "../../auth/parts.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { usageError } from "../../errors.ts";
import type { Report } from "../../output/report.ts";
import { toKebabCase } from "../../spec/field.ts";
import type { Invocation } from "../command.ts";

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
    settings.sandbox.origin === "environment CAL_SANDBOX" ? "to log in to a site of your own: unset CAL_SANDBOX" : "leave --sandbox out",
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
