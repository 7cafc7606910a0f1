// What the commands over logins need of the context.
import type { Vault } from "../../auth/vault.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { usage } from "../../errors.ts";
import type { Report } from "../../output/report.ts";
import type { Invocation } from "../command.ts";

/** The context with the stored logins and the browser. */
export interface WholeContext extends Context {
  vault(): Promise<Vault>;
  /** Opens an address in the person's browser; false where none could be started. */
  openBrowser(url: string): Promise<boolean>;
}

/** The part of it that these commands use. */
export type AuthContext = Pick<
  WholeContext,
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
  | "vault"
  | "openBrowser"
>;

/** A handler over logins as the program calls it. */
export type WholeHandler = (invocation: Invocation, context: WholeContext) => Promise<Report>;

/** A handler over logins. */
export type AuthHandler = (invocation: Invocation, context: AuthContext) => Promise<Report>;

/** Throws `usage` under --dry-run: a login can't be planned, and printing its requests would print its secrets. */
export function assertReal(context: AuthContext): void {
  if (context.globals["dry-run"] === true)
    throw usage("--dry-run can't be used here: logging in and out is done or not done", "leave --dry-run out");
}

/** A setting that a login can't do without. Throws `usage` where it is missing. */
export function needed(settings: Settings, name: "auth_url" | "base_url"): string {
  const setting = settings[name];
  if (setting !== undefined) return setting.value;
  const says = name === "auth_url" ? "the address of the authentication service is not known" : "the address of the calendar is not known";
  throw usage(`${says}: ${name} is not set`, `cal config set ${name} <address>, or --${name.replace("_", "-")} <address>`);
}
