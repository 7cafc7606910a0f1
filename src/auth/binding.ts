// Stored secrets belong to the origins they were got for: nothing else is ever sent any of them.
import { CalError } from "../errors.ts";
import { type AuthSettings, loginCommand } from "./parts.ts";
import type { Login } from "./vault/login.ts";

/** The origin of an address, or undefined where there is none. */
export function parseOrigin(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Throws `unauthenticated` where base_url or auth_url now lead to another origin than at login. */
export function checkOrigin(login: Login, settings: AuthSettings): void {
  checkSettingOrigin("base_url", login.base_origin, settings, login);
  // An application password is presented to the site alone.
  if (login.method !== "application-password") checkSettingOrigin("auth_url", login.auth_origin, settings, login);
}

function checkSettingOrigin(name: "base_url" | "auth_url", recorded: string | undefined, settings: AuthSettings, login: Login): void {
  const setting = settings[name];
  const origin = parseOrigin(setting?.value);
  if (origin === undefined || origin === recorded) return;
  const known = recorded === undefined ? "without one" : `for ${recorded}`;
  throw new CalError(
    "unauthenticated",
    `nothing was sent: ${name} is at ${origin} (${setting?.origin ?? "unknown"}), but profile ${login.profile} was logged in ${known}, and its secrets go nowhere else`,
    { code: "origin-changed", hint: `log in there with a profile of its own, or again: ${loginCommand(login.profile)}` },
  );
}
